// In: painting t0 (tensor of R'G'B'), fine luma t1, b0. Out: picture u0, flag u1. Group 32x16. Reference: the addition of detail in gpu.reference.device. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0.
#include "relief.hlsli"
#include "common.hlsli"

READS(float, painted, 0);
READS(float, fine, 1);
WRITES_PICTURE(float4, "rgba16f", picture, 0);
WRITES(uint, not_finite, 1);

[numthreads(32, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint plane = painted_size.x * painted_size.y, p = id.y * painted_size.x + id.x;
  float3 v = float3(painted[p], painted[p + plane], painted[p + 2 * plane]);
  if (any(not_finite_parts(v))) not_finite[0] = 1;
  v = cleaned(v);
  if (detail > 0.0) v += detail * fine[id.y * size.x + id.x];
  STORE(picture, id.xy, float4(saturate(v), 1.0));
}
