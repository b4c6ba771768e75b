// In: painting t0 (tensor of R'G'B'), fine luma t1, b0. Out: picture u0; with MEANS the mean luma of its cells u1; flag u2. Group 32x16. Reference: the addition of detail in gpu.reference.device, gpu.reference.brush.cells. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0. MEANS, CELL_PX: see group.hlsli.
#include "common.hlsli"
#include "stroke.hlsli"
#include "cells.hlsli"

Buffer<float> painted : register(t0);
Buffer<float> fine : register(t1);
RWTexture2D<float4> picture : register(u0);
RWTexture2D<float> means : register(u1);
RWBuffer<uint> not_finite : register(u2);

groupshared float lights[512];

#include "group.hlsli"

[numthreads(32, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint2 at = min(id.xy, size - 1);
  uint plane = painted_size.x * painted_size.y, p = at.y * painted_size.x + at.x;
  float3 v = float3(painted[p], painted[p + plane], painted[p + 2 * plane]);
  if (any(not_finite_parts(v))) not_finite[0] = 1;
  v = cleaned(v);
  if (detail > 0.0) v += detail * fine[at.y * size.x + at.x];
  v = as_stored(v);
  if (all(id.xy < size)) picture[id.xy] = float4(v, 1.0);
#ifdef MEANS
  keep_means(group, thread, luma_of(v));
#endif
}
