// In: painting t0 (tensor of R'G'B'), the network's input t1 (the same), b0. Out: levels 1 to 5 of the painting's pyramid u0, R'G'B' and the film's luma, flag u1. Group 16x16, one thread per sample of the first level. Reference: gpu.stages.strokes.reference.first_level, halved. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0.
#include "strokes.hlsli"
OPTION(0, PACKED)
#include "common.hlsli"
#include "painting.hlsli"
CONSTANTS(STROKE_DRAW)

READS_PAINTING(painted, 0);
READS(float, frame, 1);
WRITES(float4, made, 0);
WRITES(uint, not_finite, 1);

#define VALUE float4
#define table levels
#include "stroke_levels.hlsli"

float light_at(int2 at) {
  uint plane = film_padded.x * film_padded.y, i = uint(at.y) * film_padded.x + uint(at.x);
  return luma_of(float3(frame[i], frame[i + plane], frame[i + 2 * plane]));
}

float film_at(uint2 at) {
  float2 place = (float2(at) + 0.5) * film_step - 0.5, low = floor(place), share = place - low;
  int2 last = int2(film) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float above = lerp(light_at(a), light_at(int2(b.x, a.y)), share.x);
  return lerp(above, lerp(light_at(int2(a.x, b.y)), light_at(b), share.x), share.y);
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  float4 sum = 0.0;
  UNROLL for (uint k = 0; k < 4; k++) {
    uint2 at = 2 * id.xy + uint2(k % 2, k / 2), inside = min(at, size - 1);
    float3 v = PAINTING(painted, inside, painted_size);
    if (any(not_finite_parts(v))) not_finite[0] = 1;
    sum += float4(cleaned(v), film_at(at));
  }
  float4 value = 0.25 * sum;
  keep_sample(value, levels[1], id.xy);
  make_levels(value, 1, group.xy, thread);
}
