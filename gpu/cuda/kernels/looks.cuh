// What strokes remember of the painting, in words as gpu/stages/strokes/stroke_samples.py has them; it is of the same arithmetic.
typedef Vector<uint, 4> Looks;

// Red, green and blue, need, both parts of the structure tensor by its length, and the light around.
#define SEEN 7
struct Seen {
  int v[SEEN];
};

// In how many grades each is, and the grade that is 0.
DEVICE int grades_of(int k) { return k < 3 ? GRADES : k < 6 ? FEW_GRADES : AROUND_GRADES; }
DEVICE int zero_of(int k) { return k == 4 || k == 5 ? FEW_GRADES + 1 : 0; }
DEVICE int graded(float value, int k) { return (int)floorf((float)grades_of(k) * value + 0.5f) + zero_of(k); }

DEVICE Seen seen_in(uint paint, uint rest) {
  const uint tensor = 2 * FEW_GRADES + 1;
  return {{(int)(paint & GRADES), (int)(paint >> 10 & GRADES), (int)(paint >> 20 & GRADES), (int)(rest & FEW_GRADES),
           (int)(rest >> 7 & tensor), (int)(rest >> 15 & tensor), (int)(rest >> 23)}};
}
DEVICE uint paint_of(Seen seen, uint count) {
  return (uint)seen.v[0] | (uint)seen.v[1] << 10 | (uint)seen.v[2] << 20 | count << 30;
}
DEVICE uint rest_of(Seen seen) {
  return (uint)seen.v[3] | (uint)seen.v[4] << 7 | (uint)seen.v[5] << 15 | (uint)seen.v[6] << 23;
}

// How many looks it remembers, LOOKS - 1 at most.
DEVICE uint count_of(const Looks& looks) { return looks.v[2] >> 30; }

// What is remembered, the tensor within -1..1, all else within 0..1.
struct Known {
  float v[SEEN];
};
DEVICE Known remembered(const Looks& looks, uint place) {
  const Seen former = seen_in(looks.v[0], looks.v[1]), latter = seen_in(looks.v[2], looks.v[3]);
  const float share = (float)(place % LOOK_EVERY + 1) / (float)LOOK_EVERY;
  Known known;
#pragma unroll
  for (int k = 0; k < SEEN; k++) {
    const float value = former.v[k] + share * (latter.v[k] - former.v[k]);
    known.v[k] = (value - (float)zero_of(k)) / (float)grades_of(k);
  }
  return known;
}

// How light it is around a place.
DEVICE float light_around(const Layers& c, const Sample* __restrict__ levels, float y, float x) {
  const Sample colour = read_level(levels + first_of(c, c.around_level), c.size, c.around_level, y, x);
  return luma_of({colour.v[0], colour.v[1], colour.v[2]});
}

// How much of a stroke is seen, by its need as it remembers it as far as that is not too far from the one now, within what a map of sizes leaves of it at its cell's home.
DEVICE float seen_of(
    const Layers& c, const Layer& layer, const float* __restrict__ needs, const Sample* __restrict__ maps,
    const Looks& looks, uint place, float size, const Home& home, float y, float x) {
  if (layer.index == 0) return size;
  float need = needed(c, layer, needs, y, x);
  if (count_of(looks)) need += minimum(maximum(remembered(looks, place).v[3] - need, -NEED_ALIKE), NEED_ALIKE);
  const float down = (float)home.v[0] / (UNITS * c.size[1]), over = (float)home.v[1] / (UNITS * c.size[0]);
  return size * limited(need, map_at(maps, down, over).v[0], (float)layer.index, (float)(c.count - 1));
}
