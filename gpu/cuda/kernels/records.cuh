// A stroke as it is drawn: WORDS floats. Of its up to POINTS points the places, and how long it is up to each but the first, for which
// that is 0. KIND: how many points, and its seed for the noise.
#define WORDS 32
static_assert(NOISE_SIZE <= 1 << 12 && 6 + 3 * POINTS - 1 == WORDS, "a stroke fills its words");
#define HALF_WIDTH 0
#define OPACITY 1
#define KIND 2
#define COLOUR 3
#define AT_Y 6
#define AT_X (AT_Y + POINTS)
#define PASSED (AT_X + POINTS - 1)

// The pixels, by their centres, of the rows from `top` to `bottom` that lie beside a piece of a stroke, as far as it is wide: none where
// `to` is less than `from`.
struct Reach {
  float from, to;
};

#define NOTHING Reach{1e9f, -1e9f}

DEVICE Reach reach_of(float ay, float ax, float by, float bx, float half, float top, float bottom) {
  if (bottom < minimum(ay, by) - half || top > maximum(ay, by) + half) return NOTHING;
  float from = minimum(ax, bx) - half, to = maximum(ax, bx) + half;
  const float down = by - ay, over = bx - ax;
  if (fabsf(down) > 0.01f) {
    const float slope = __fdividef(over, down), square = 1.0f + slope * slope, reach = half * square * rsqrtf(square);
    const float one = ax + (top - ay) * slope, other = ax + (bottom - ay) * slope;
    from = maximum(from, minimum(one, other) - reach);
    to = minimum(to, maximum(one, other) + reach);
  }
  return from <= to ? Reach{from, to} : NOTHING;
}

DEVICE Reach reach_of(const float* record, int piece, float half, float top, float bottom) {
  return reach_of(record[AT_Y + piece], record[AT_X + piece], record[AT_Y + piece + 1], record[AT_X + piece + 1], half, top, bottom);
}

DEVICE int points_of(const float* record) { return __float_as_uint(record[KIND]) >> 12; }
