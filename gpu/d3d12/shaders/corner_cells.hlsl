// In: the network's input t0 (tensor of R'G'B'), b0. Out: the structure tensor of cells u0, xx, xy and yy; how busy cells of a block are in the mean u1. Group 16x16, one thread per cell, one group per block. Reference: gpu.stages.corners.structure, block_means. Tolerance: 1e-6, for float16 1e-5.
#include "portable.hlsli"
CONSTANTS(CORNERS)
#include "common.hlsli"

READS(float, frame, 0);
WRITES_PICTURE(float4, "rgba32f", structure, 0);
WRITES_PICTURE(float, "r32f", surroundings, 1);

#define BLOCK 16  // BLOCK_CELLS of gpu/stages/corners
groupshared float busy[BLOCK * BLOCK];

float light_at(int2 at) {
  at = clamp(at, int2(0, 0), int2(size) - 1);
  uint plane = padded.x * padded.y, i = at.y * padded.x + at.x;
  return luma_of(float3(frame[i], frame[i + plane], frame[i + 2 * plane]));
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 block : SV_GroupID, uint thread : SV_GroupIndex) {
  bool inside = id.x < cells.x && id.y < cells.y;
  float3 sum = 0.0;
  for (uint j = 0; j < cell_px; j++) {
    for (uint i = 0; i < cell_px; i++) {
      int2 at = int2(min(id.xy * cell_px + uint2(i, j), size - 1));  // repeat the edge to fill whole cells
      float a = light_at(at + int2(-1, -1)), b = light_at(at + int2(1, -1));
      float c = light_at(at + int2(-1, 1)), d = light_at(at + int2(1, 1));
      float x = (3.0 * (b - a + d - c) + 10.0 * (light_at(at + int2(1, 0)) - light_at(at - int2(1, 0)))) / 32.0;
      float y = (3.0 * (c - a + d - b) + 10.0 * (light_at(at + int2(0, 1)) - light_at(at - int2(0, 1)))) / 32.0;
      sum += float3(x * x, x * y, y * y);
    }
  }
  sum /= float(cell_px * cell_px);
  if (inside) STORE(structure, id.xy, float4(sum, 0.0));
  busy[thread] = inside ? saturate((sqrt(sum.x + sum.z) - flat) * per_busy) : 0.0;
  GroupMemoryBarrierWithGroupSync();
  for (uint half = BLOCK * BLOCK / 2; half > 0; half /= 2) {
    if (thread < half) busy[thread] += busy[thread + half];
    GroupMemoryBarrierWithGroupSync();
  }
  if (thread == 0) {
    uint2 held = min(cells - block.xy * BLOCK, uint2(BLOCK, BLOCK));
    STORE(surroundings, block.xy, busy[0] / float(held.x * held.y));
  }
}
