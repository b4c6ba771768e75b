// In: painting t0 (tensor of R'G'B'), fine luma t1, b0. Out: picture u0, flag u1, luma of cells u2. Group 32x16. Reference: the addition of detail in gpu.reference.device. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0.
#include "relief.hlsli"
OPTION(0, PACKED)
#include "common.hlsli"
#include "painting.hlsli"

READS_PAINTING(painted, 0);
READS(float, fine, 1);
WRITES_PICTURE(float4, "rgba16f", picture, 0);
WRITES(uint, not_finite, 1);
WRITES_COUNTS(sums, 2);
#include "relief_sums.hlsli"

groupshared uint shades[32 * 16];

[numthreads(32, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint2 at = min(id.xy, size - 1), corner = group.xy * uint2(32, 16);
  float3 v = PAINTING(painted, at, painted_size);
  if (any(not_finite_parts(v))) not_finite[0] = 1;
  v = cleaned(v);
  if (detail > 0.0) v += detail * fine[at.y * size.x + at.x];
  v = saturate(v);
  if (all(id.xy < size)) STORE(picture, id.xy, float4(v, 1.0));
  shades[thread] = shade_of(luma_of(v), id.xy);
  GroupMemoryBarrierWithGroupSync();
  ADD_SHADES(sums, shades, corner, 32, 16, thread)
}
