// In: picture t0, with the height of strokes in alpha, means of luma over the surroundings of cells t1, the thickness of the paint there t2, what is left of cells of the network's input t3, b0. Out: tensor u0: the lit picture. Group 32x16. Reference: gpu.stages.relief.reference.height, lit. Tolerance: 2e-4.
// BRUSHED 1: there are strokes.
#include "relief.hlsli"
OPTION(0, BRUSHED)
#include "common.hlsli"

READS_PICTURE(float4, picture, 0);
READS_PICTURE(float, around, 1);
READS_PICTURE(float, thickness, 2);
READS_PICTURE(float, left, 3);
WRITES(float, lit, 0);
#include "lit.hlsli"

#define TILE_X 34
#define TILE (TILE_X * 18)
groupshared float near[TILE];  // heights that a group's threads share

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  int2 first = int2(group.xy) * int2(32, 16) - 1;
  UNROLL for (uint k = 0; k < TILE; k += 512) {
    uint i = thread + k;
    int2 at = clamp(first + int2(i % TILE_X, i / TILE_X), int2(0, 0), int2(size) - 1);
    if (i < TILE) near[i] = height_at(at);
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x >= size.x || id.y >= size.y) return;
  float3 shown = LIT_AT(int2(id.xy), near, within.y * TILE_X + within.x, TILE_X);
  uint plane = size.x * size.y, o = id.y * size.x + id.x;
  lit[o] = shown.r;
  lit[o + plane] = shown.g;
  lit[o + 2 * plane] = shown.b;
}
