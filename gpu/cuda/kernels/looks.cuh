// What strokes remember of the painting, in words as gpu/stages/strokes/looks.py has them; it is of the same arithmetic.
typedef Vector<uint, 4> Looks;

// Red, green, blue and need, and both parts of the structure tensor by its length, in GRADES.
struct Seen {
  int v[6];
};

DEVICE Seen seen_in(uint paint, uint rest) {
  const uint tensor = 2 * GRADES + 1;
  return {{(int)(paint & GRADES), (int)(paint >> 10 & GRADES), (int)(paint >> 20 & GRADES), (int)(rest & GRADES),
           (int)(rest >> 10 & tensor), (int)(rest >> 21)}};
}
DEVICE uint paint_of(Seen seen, uint count) {
  return (uint)seen.v[0] | (uint)seen.v[1] << 10 | (uint)seen.v[2] << 20 | count << 30;
}
DEVICE uint rest_of(Seen seen) { return (uint)seen.v[3] | (uint)seen.v[4] << 10 | (uint)seen.v[5] << 21; }

// How many looks it remembers, LOOKS - 1 at most.
DEVICE uint count_of(const Looks& looks) { return looks.v[2] >> 30; }

// What is remembered, colour and need within 0..1, the tensor within -1..1.
struct Known {
  float v[6];
};
DEVICE Known remembered(const Looks& looks, uint place) {
  const Seen former = seen_in(looks.v[0], looks.v[1]), latter = seen_in(looks.v[2], looks.v[3]);
  const float share = (float)(place % LOOK_EVERY + 1) / (float)LOOK_EVERY;
  Known known;
#pragma unroll
  for (int k = 0; k < 6; k++) {
    const float value = former.v[k] + share * (latter.v[k] - former.v[k]);
    known.v[k] = (k < 4 ? value : value - (float)(GRADES + 1)) / (float)GRADES;
  }
  return known;
}

// How much of a stroke is seen, by its need as it remembers it as far as that is not too far from the one now.
DEVICE float seen_of(
    const Layers& c, const Layer& layer, const float* __restrict__ needs, const Looks& looks, uint place, float size,
    uint limits, float y, float x) {
  if (layer.index == 0) return size;
  float need = needed(c, layer, needs, y, x);
  if (count_of(looks)) need += minimum(maximum(remembered(looks, place).v[3] - need, -NEED_ALIKE), NEED_ALIKE);
  return size * limited(need, limits);
}
