// Strokes as they are drawn, three rows of four words each for the path: x and y of its middle, half the width, and the unit of the other points, whose last seven bits are the first and the last point; then those points, x and y of each in 16 bits, in units from the middle. Beyond the ends of a path its points are repeated. Behind all paths a row for each paint: red and green, blue and how much is seen, in 16 bits each; the seed; the place among all strokes from the lowest up.
#define ROWS_OF_A_PATH 3
#define PAINT(strokes, number) strokes[ROWS_OF_A_PATH * most_records + (number)]
#define LEAST_COLOUR -1.0
#define COLOURS 4.0  // from the least to the greatest
#define ENDS 127

// How far a point lies from the middle, by its word.
float2 from_middle(uint word, float unit) {
  return unit * float2(int2(int(word << 16), int(word)) >> 16);
}

// That word.
uint word_from_middle(float2 away, float unit) {
  int2 whole = int2(clamp(floor(away / unit + 0.5), -32767.0, 32767.0));
  return (uint(whole.x) & 0xffff) | uint(whole.y) << 16;
}

float unit_of(uint word) {
  return asfloat(word | ENDS);
}

// The first and the last point.
uint2 ends_of(uint word) {
  return uint2(word & 7, (word >> 3) & 15);
}

uint in_16_bits(float value) {
  return uint(65535.0 * saturate((value - LEAST_COLOUR) / COLOURS) + 0.5);
}

float3 paint_colour(uint4 paint) {
  return LEAST_COLOUR + COLOURS / 65535.0 * float3(uint3(paint.x & 0xffff, paint.x >> 16, paint.y & 0xffff));
}
