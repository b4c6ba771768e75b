// In: luma of cells t0 (AXIS 0), or the tensor smoothed along rows (AXIS 1), b0. Out: the structure tensor, smoothed along rows, then along columns, u0. Group 8x8, a thread four cells. Reference: gpu.reference.brush.direction. Tolerance: 1e-6.
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
// Scharr's derivatives, of 3x3 cells in four squares of 2x2.
float2 value_at(int2 at) {
  float2 low = float2(at) / float2(cells), high = float2(at + 1) / float2(cells);
  float4 a = means.Gather(edge, low), b = means.Gather(edge, float2(high.x, low.y));
  float4 c = means.Gather(edge, float2(low.x, high.y)), d = means.Gather(edge, high);
  float x = (3.0 * (b.z - a.w + d.y - c.x) + 10.0 * (b.y - a.x)) / 32.0;
  float y = (3.0 * (c.x - a.w + d.y - b.z) + 10.0 * (c.y - a.z)) / 32.0;
  return float2(x * x - y * y, 2.0 * x * y);
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
