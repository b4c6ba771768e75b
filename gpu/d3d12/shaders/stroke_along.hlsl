// In: picture t0, tensor of cells t1, lines t2, b0. Out: means along the strokes, and their directions, u0. Group 32x8. Reference: gpu.reference.brush.direction, along. Tolerance: 1 direction at their borders, 3e-5.
// COUNT: samples to each side.
#include "stroke.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float2> tensor : register(t1);
Buffer<uint4> lines : register(t2);
RWTexture2D<float4> means : register(u0);

#include "along.hlsli"

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  uint direction = direction_at(at);
  means[id.xy] = float4(mean_along(at, direction), of_direction(direction));
}
