// In: luma of cells t0, b0. Out: luma u0, smoothed along rows and columns, with RADIUS 2. Group 8x8, one thread per 2x2 cells. Reference: gpu.reference.brush.smoothed. Tolerance: 1e-6.
#include "stroke.hlsli"
#include "cells.hlsli"

Texture2D<float> means : register(t0);
RWTexture2D<float> made : register(u0);

// From six cells in a row, the means around the middle two.
float2 of_row(float2 left, float2 middle, float2 right) {
  float4 w = gauss[0];
  float first = w.x * (left.x + right.x) + w.y * (left.y + middle.y) + w.z * middle.x;
  float second = w.x * (left.y + right.y) + w.y * (middle.x + right.x) + w.z * middle.y;
  return float2(first, second);
}

float4 four_at(int2 at) {
  return means.Gather(edge, float2(at + 1) / float2(cells));
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 first = int2(2 * id.xy), last = int2(cells) - 1;
  if (first.x > last.x || first.y > last.y) return;
  float4 w = gauss[0];
  float4 a = four_at(first + int2(-2, -2)), b = four_at(first + int2(0, -2)), c = four_at(first + int2(2, -2));
  float2 row_a = of_row(a.wz, b.wz, c.wz), row_b = of_row(a.xy, b.xy, c.xy);
  a = four_at(first + int2(-2, 0)), b = four_at(first), c = four_at(first + int2(2, 0));
  float2 row_c = of_row(a.wz, b.wz, c.wz), row_d = of_row(a.xy, b.xy, c.xy);
  a = four_at(first + int2(-2, 2)), b = four_at(first + int2(0, 2)), c = four_at(first + int2(2, 2));
  float2 row_e = of_row(a.wz, b.wz, c.wz), row_f = of_row(a.xy, b.xy, c.xy);
  float2 upper = w.x * (row_a + row_e) + w.y * (row_b + row_d) + w.z * row_c;
  float2 lower = w.x * (row_b + row_f) + w.y * (row_c + row_e) + w.z * row_d;
  made[first] = upper.x;
  if (first.x < last.x) made[first + int2(1, 0)] = upper.y;
  if (first.y < last.y) made[first + int2(0, 1)] = lower.x;
  if (first.x < last.x && first.y < last.y) made[first + int2(1, 1)] = lower.y;
}
