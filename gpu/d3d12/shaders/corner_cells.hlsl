// In: the network's input t0 (tensor of R'G'B'), b0. Out: the structure tensor of cells u0, xx, xy and yy; how busy cells of a block are in the mean u1. Group 16x16, one thread per cell, one group per block. Reference: gpu.stages.corners.structure, block_means. Tolerance: 1e-6, for float16 1e-5.
#include "portable.hlsli"
CONSTANTS(CORNERS)
#include "common.hlsli"

READS(float, frame, 0);
WRITES_PICTURE(float4, "rgba32f", structure, 0);
WRITES_PICTURE(float, "r32f", surroundings, 1);

#define CELL_PX 4  // as gpu/stages/corners has it
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
  int2 corner = int2(id.xy * CELL_PX) - 1;
  int i, j;
  float above[CELL_PX + 2], here[CELL_PX + 2], below[CELL_PX + 2];
  UNROLL for (i = 0; i < CELL_PX + 2; i++) {
    above[i] = light_at(corner + int2(i, 0));
    here[i] = light_at(corner + int2(i, 1));
  }
  float3 products[CELL_PX], sum = 0.0;
  UNROLL for (i = 0; i < CELL_PX; i++) products[i] = 0.0;
  UNROLL for (j = 0; j < CELL_PX; j++) {
    UNROLL for (i = 0; i < CELL_PX + 2; i++) below[i] = light_at(corner + int2(i, j + 2));
    UNROLL for (i = 0; i < CELL_PX; i++) {
      float x = (3.0 * (above[i + 2] - above[i] + below[i + 2] - below[i]) + 10.0 * (here[i + 2] - here[i])) / 32.0;
      float y = (3.0 * (below[i] - above[i] + below[i + 2] - above[i + 2]) + 10.0 * (below[i + 1] - above[i + 1])) / 32.0;
      // A cell beyond the edge is filled with the last column and the last row.
      bool right = corner.x + 1 + i < int(size.x), down = corner.y + 1 + j < int(size.y);
      if (down) products[i] = right || i == 0 ? float3(x * x, x * y, y * y) : products[max(i - 1, 0)];
      sum += products[i];
    }
    UNROLL for (i = 0; i < CELL_PX + 2; i++) {
      above[i] = here[i];
      here[i] = below[i];
    }
  }
  sum /= float(CELL_PX * CELL_PX);
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
