// In: picture t0, b0. Out: mean luma of its cells u0. Group 16x16, one thread per cell. Reference: gpu.reference.brush.cells. Tolerance: 1e-6.
// CELL_PX: the side of a cell. Cells of two pixels are read with gathers, which stall less than loads in a loop.
#include "stroke.hlsli"
#include "cells.hlsli"

Texture2D<float4> picture : register(t0);
RWTexture2D<float> means : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
#if CELL_PX == 2
  float2 middle = float2(id.xy * 2 + 1) / float2(size);  // the sampler repeats the edge to fill whole cells
  float4 red = picture.GatherRed(edge, middle);
  float4 green = picture.GatherGreen(edge, middle);
  float4 blue = picture.GatherBlue(edge, middle);
  float4 one = 1.0;
  float3 sum = float3(dot(red, one), dot(green, one), dot(blue, one));
#else
  float3 sum = 0.0;
  for (uint j = 0; j < CELL_PX; j++) {
    for (uint i = 0; i < CELL_PX; i++) {
      int2 at = int2(min(id.xy * CELL_PX + uint2(i, j), size - 1));  // repeat the edge to fill whole cells
      sum += picture.Load(int3(at, 0)).rgb;
    }
  }
#endif
  means[id.xy] = luma_of(sum) / float(CELL_PX * CELL_PX);
}
