// Reading between the samples of levels of a pyramid, which repeat their ends. A level is where it lies among all, its columns and rows, and its number.
struct Between {
  uint4 at;  // of the four samples around a place
  float2 share;
};

Between between_samples(float2 place, uint4 level) {
  float2 low = floor(place);
  int2 last = int2(level.yz) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  Between found;
  found.at = level.x + uint4(a.y * int(level.y) + int2(a.x, b.x), b.y * int(level.y) + int2(a.x, b.x));
  found.share = place - low;
  return found;
}

#define BILINEAR(samples, near) lerp(lerp(samples[near.at.x], samples[near.at.y], near.share.x), lerp(samples[near.at.z], samples[near.at.w], near.share.x), near.share.y)

// The place of a pixel of the target in a level.
float2 in_level(float2 place, uint level) {
  return place / float(1u << level) - 0.5;
}
