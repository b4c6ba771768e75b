// For every language of kernels: the whole numbers that strokes live by. Rule and constants: gpu/stages/strokes. A `Whole` may be wider than an int.

// Rounds down, where / rounds towards 0.
DEVICE Whole divided(Whole value, Whole by) {
  Whole near = value / by;
  return near * by > value ? near - 1 : near;
}

DEVICE uint hashed(uint word) {
  word ^= word >> 16;
  word *= 0x7FEB352Du;
  word ^= word >> 15;
  word *= 0x846CA68Bu;
  return word ^ (word >> 16);
}

// A property of a stroke, 0..1.
DEVICE float property(uint seed, uint number) {
  return (float)(hashed(seed + number * PROPERTY) >> 8) * (1.0f / 16777216.0f);
}

// The same, -1..1.
DEVICE float chance(uint seed, uint number) { return 2.0f * property(seed, number) - 1.0f; }

// How old a stroke of a cell is, 0 when it is born.
DEVICE uint age_of(uint seed, uint slot, uint place) {
  uint phase = (seed >> 8) + place;
  if (slot >= 2) return (phase + (slot - 2) * FILL_EVERY) % FILL_LIFE;
  return (phase + slot * (LIFE / 2)) % LIFE;
}

// A need, 0..1, within what a map of sizes leaves of it, which says how much broader strokes are than needed, -1..1. index: of their layer, not the broadest. last: of the finest.
DEVICE float limited(float need, float broader, float index, float last) {
  float low = 1.0f - index - broader * last, high = low + last;
  low = low < 1.0f ? low : 1.0f;
  high = high > 0.0f ? high : 0.0f;
  return need < low ? low : need > high ? high : need;
}

// The share of a structure tensor beside that of a map of directions, which counts by its length. Both: squares of lengths.
DEVICE float beside_map(float tensor, float map) {
  return map > 0.0f ? (1.0f - sqrt(map)) / (sqrt(tensor) + TINY) : 1.0f;
}
