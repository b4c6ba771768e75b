// In: a level of the painting's pyramid t0, b0. Out: its structure tensor and four levels above it u0, xx - yy and 2 xy. Group 16x16, one thread per sample. Reference: gpu.stages.strokes.reference.structure_tensor, halved. Tolerance: 1e-5.
#include "strokes.hlsli"
#include "common.hlsli"
CONSTANTS(STROKE_DRAW)

READS(float4, lower, 0);
WRITES(float2, made, 0);

#define VALUE float2
#define table tensors
#include "stroke_levels.hlsli"

#define TILE 18
groupshared float2 lights[TILE * TILE];

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  uint4 level = levels[tensor_level];
  UNROLL for (uint k = 0; k < TILE * TILE; k += 256) {
    uint i = thread + k;
    int2 at = clamp(int2(group.xy * 16) - 1 + int2(i % TILE, i / TILE), int2(0, 0), int2(level.yz) - 1);
    float4 v = lower[uint(at.y) * level.y + uint(at.x)];
    if (i < TILE * TILE) lights[i] = float2(luma_of(v.rgb), v.a);
  }
  GroupMemoryBarrierWithGroupSync();
  uint above = within.y * TILE + within.x, here = above + TILE, low = here + TILE;
  float2 a = lights[above], b = lights[above + 2], c = lights[low], d = lights[low + 2];
  float2 gx = (3.0 * (b - a + d - c) + 10.0 * (lights[here + 2] - lights[here])) / 32.0;
  float2 gy = (3.0 * (c - a + d - b) + 10.0 * (lights[low + 1] - lights[above + 1])) / 32.0;
  float2 first = gx * gx - gy * gy, second = 2.0 * gx * gy;
  float2 value = float2(first.x + TENSOR_FILM * first.y, second.x + TENSOR_FILM * second.y);
  keep_sample(value, tensors[0], id.xy);
  make_levels(value, 0, group.xy, thread);
}
