// In: painting t0 (tensor of R'G'B'), fine luma t1, b0. Out: picture u0, mean luma of its cells u1, flag u2. Group 16x16, one thread per cell. Reference: the addition of detail in gpu.reference.device, gpu.reference.brush.cells. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0.
#include "common.hlsli"
#include "stroke.hlsli"
#include "cells.hlsli"

Buffer<float> painted : register(t0);
Buffer<float> fine : register(t1);
RWTexture2D<float4> picture : register(u0);
RWTexture2D<float> means : register(u1);
RWBuffer<uint> not_finite : register(u2);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  uint plane = painted_size.x * painted_size.y;
  float sum = 0.0;
  uint3 exponent = 0;  // Wine's compiler miscompiles a bool that is changed in a nested loop
  for (uint j = 0; j < cell_px; j++) {
    for (uint i = 0; i < cell_px; i++) {
      uint2 at = min(id.xy * cell_px + uint2(i, j), size - 1);  // repeat the edge to fill whole cells
      uint p = at.y * painted_size.x + at.x;
      float3 v = float3(painted[p], painted[p + plane], painted[p + 2 * plane]);
      exponent = max(exponent, asuint(v) & 0x7f800000);
      v = cleaned(v);
      if (detail > 0.0) v = saturate(v + detail * fine[at.y * size.x + at.x]);
      picture[at] = float4(v, 1.0);
      sum += luma_of(v);
    }
  }
  means[id.xy] = sum / float(cell_px * cell_px);
  if (any(exponent == 0x7f800000)) not_finite[0] = 1;
}
