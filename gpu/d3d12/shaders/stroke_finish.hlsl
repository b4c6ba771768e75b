// In: picture t0, tensor of cells t1, lines t2, painting t3 (tensor of R'G'B'), fine luma t4, b0. Out: the last means along the strokes, blended with the painting, u0: a tensor. Group 32x8. Reference: gpu.reference.brush.direction, along. Tolerance: 1 direction at their borders, 3e-5.
// COUNT: samples to each side. RAISED: the output is a picture, for relief, with fine luma added.
#include "common.hlsli"
#include "stroke.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float2> tensor : register(t1);
Buffer<uint4> lines : register(t2);
Buffer<float> painted : register(t3);
#ifdef RAISED
Buffer<float> fine : register(t4);
RWTexture2D<float4> brushed : register(u0);
#else
RWBuffer<float> brushed : register(u0);
#endif

#include "along.hlsli"

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  uint from = painted_size.x * painted_size.y, i = id.y * painted_size.x + id.x;
  float3 own = cleaned(float3(painted[i], painted[i + from], painted[i + 2 * from]));
  float3 made = lerp(own, mean_along(at, direction_at(at)), brush);
  uint to = size.x * size.y, o = id.y * size.x + id.x;
#ifdef RAISED
  if (detail > 0.0) made = saturate(made + detail * fine[o]);
  brushed[id.xy] = float4(made, 1.0);
#else
  brushed[o] = made.r;
  brushed[o + to] = made.g;
  brushed[o + 2 * to] = made.b;
#endif
}
