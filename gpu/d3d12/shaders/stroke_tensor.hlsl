// In: luma of cells t0, b0. Out: the structure tensor, smoothed, u0. Group 32x8, a group 32x16 cells. Reference: gpu.reference.brush.direction. Tolerance: 1e-6.
#include "stroke.hlsli"

#define VALUE float2
#define LIT_X (32 + 2 * RADIUS + 2)
#define LIT_Y (16 + 2 * RADIUS + 2)
Texture2D<float> means : register(t0);
RWTexture2D<float2> made : register(u0);

groupshared float light[LIT_X * LIT_Y];
static int2 corner;  // of the cells in `light`

void prepare(int2 first, uint thread) {
  corner = first - RADIUS - 1;
  for (uint i = thread; i < LIT_X * LIT_Y; i += 256) {
    int2 at = corner + int2(i % LIT_X, i / LIT_X);
    light[i] = means.Load(int3(clamp(at, int2(0, 0), int2(cells) - 1), 0));
  }
  GroupMemoryBarrierWithGroupSync();
}

// Scharr's derivatives, of 3x3 cells.
float2 value_at(int2 at) {
  int2 place = at - corner;
  int here = place.y * LIT_X + place.x, above = here - LIT_X, below = here + LIT_X;
  float a = light[above - 1], b = light[above + 1], c = light[below - 1], d = light[below + 1];
  float x = (3.0 * (b - a + d - c) + 10.0 * (light[here + 1] - light[here - 1])) / 32.0;
  float y = (3.0 * (c - a + d - b) + 10.0 * (light[below] - light[above])) / 32.0;
  return float2(x * x - y * y, 2.0 * x * y);
}

float2 finished(float2 v) {
  return v + rest;
}

#include "blur.hlsli"
