// In: the film t0 (tensor of R'G'B'), masks t1, b0. Out: how much of the film is mixed in at each of its pixels, 0..1, u0. Group 16x16. Reference: gpu.stages.masks.share. Tolerance: 1e-4, as 1 / 0.06 enlarges the rounding of luma.
#include "portable.hlsli"
CONSTANTS(MASKS)
#include "common.hlsli"

READS(float, film, 0);
READS(float4, masks, 1);
WRITES_PICTURE(float, "r32f", share, 0);
#include "masks.hlsli"

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x;
  float light = luma_of(float3(film[i], film[i + plane], film[i + 2 * plane]));
  float2 place = (float2(id.xy) + 0.5) * float(MASK_SIDE) / float2(size) - 0.5, low = floor(place);
  float2 sum = 0.0;
  float total = 0.0;
  UNROLL for (int j = -1; j < 3; j++) {
    UNROLL for (int k = -1; k < 3; k++) {
      float4 near_by = mask_at(int2(low) + int2(k, j));
      float weight = spline(low.x + float(k) - place.x) * spline(low.y + float(j) - place.y);
      weight *= likeness((near_by.z - light) * per_luma);
      sum += weight * near_by.xy;
      total += weight;
    }
  }
  float2 found = sum / total;
  STORE(share, id.xy, max(faces * found.x, inside * found.y + outside * (1.0 - found.y)));
}
