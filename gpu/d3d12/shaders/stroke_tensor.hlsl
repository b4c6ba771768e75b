// In: luma of cells t0 (AXIS 0), or the tensor smoothed along rows (AXIS 1), b0. Out: the structure tensor, smoothed along rows, then along columns, u0. Group 8x8, one thread per four cells. Reference: gpu.reference.brush.direction. Tolerance: 1e-6.
#include "stroke.hlsli"
#include "cells.hlsli"

#define VALUE float2
#if AXIS == 0
Texture2D<float> means : register(t0);
#else
Texture2D<float2> rows : register(t0);
#endif
RWTexture2D<float2> made : register(u0);

#if AXIS == 0
float2 tensor_of(float x, float y) {
  x /= 32.0;
  y /= 32.0;
  return float2(x * x - y * y, 2.0 * x * y);
}

// Scharr's derivatives, of 3x3 cells in four squares of 2x2.
float2 value_at(int2 at) {
  float2 low = float2(at) / float2(cells), high = float2(at + 1) / float2(cells);
  float4 a = means.Gather(edge, low), b = means.Gather(edge, float2(high.x, low.y));
  float4 c = means.Gather(edge, float2(low.x, high.y)), d = means.Gather(edge, high);
  float x = 3.0 * (b.z - a.w + d.y - c.x) + 10.0 * (b.y - a.x);
  float y = 3.0 * (c.x - a.w + d.y - b.z) + 10.0 * (c.y - a.z);
  return tensor_of(x, y);
}

// The contributions of two adjacent cells to Scharr's derivatives: the weighted sums of the left and right column, and the
// differences down each column.
float4 columns_at(int2 left) {
  float2 upper = float2(left.x + 1, left.y) / float2(cells), lower = float2(left + 1) / float2(cells);
  float4 a = means.Gather(edge, upper), b = means.Gather(edge, lower);
  return float4(3.0 * (a.wz + b.xy) + 10.0 * b.wz, b.xy - a.wz);
}

// For four cells in a row within the grid, reading each column once.
#define FOUR
void four_at(int2 at, out float2 p, out float2 q, out float2 r, out float2 s) {
  float4 a = columns_at(at + int2(-1, 0)), b = columns_at(at + int2(1, 0)), c = columns_at(at + int2(3, 0));
  p = tensor_of(b.x - a.x, 3.0 * (a.z + b.z) + 10.0 * a.w);
  q = tensor_of(b.y - a.y, 3.0 * (a.w + b.w) + 10.0 * b.z);
  r = tensor_of(c.x - b.x, 3.0 * (b.z + c.z) + 10.0 * b.w);
  s = tensor_of(c.y - b.y, 3.0 * (b.w + c.w) + 10.0 * c.z);
}

float2 finished(float2 v) {
  return v;
}
#else
float2 value_at(int2 at) {
  return rows.Load(int3(at, 0));
}

float2 finished(float2 v) {
  return v + rest;
}
#endif

#include "blur.hlsli"
