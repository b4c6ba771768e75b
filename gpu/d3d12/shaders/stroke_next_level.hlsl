// In: b0, and the last level of the painting's pyramid that there is u0. Out: four more above it u0. Group 16x16, one thread per sample of that. Reference: gpu.stages.strokes.reference.halved. Tolerance: 1e-5.
#include "strokes.hlsli"
CONSTANTS(STROKE_LEVELS)

READS(uint, nothing, 0);
WRITES(float4, made, 0);

#define VALUE float4
#define table levels
#include "stroke_levels.hlsli"

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint4 from = levels[last];
  uint2 at = min(id.xy, from.yz - 1);
  make_levels(made[from.x + at.y * from.y + at.x], last, group.xy, thread);
}
