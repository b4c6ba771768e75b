// In: where blocks are found t0, b0. Out: where the camera goes u0, y and x in UNITS: the median of blocks that are distinct and not lost. Group 512x1, one group. Reference: gpu.stages.strokes.advection.camera. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_CARRY)

READS(int4, found, 0);
WRITES(int2, camera, 0);

#define THREADS 512
#define PART 40
#define PARTS 32
#define BINS (PART * PARTS)  // of each axis; more than the farthest that a block is found at, to both sides

SHARES_COUNTS(bins, 2 * BINS);
SHARES_COUNTS(count, 1);
groupshared uint sums[2 * PARTS];
groupshared int median[2];

[numthreads(512, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
  uint k;
  for (k = thread; k < 2 * BINS; k += THREADS) CLEAR_COUNT(bins, k);
  if (thread == 0) CLEAR_COUNT(count, 0);
  GroupMemoryBarrierWithGroupSync();
  for (k = thread; k < blocks.x * blocks.y; k += THREADS) {
    int4 block = found[k];
    if ((block.w & (DISTINCT | LOST)) == DISTINCT) {
      ADD_COUNT(bins, uint(block.x + BINS / 2), 1);
      ADD_COUNT(bins, uint(block.y + BINS / 2 + BINS), 1);
      ADD_COUNT(count, 0, 1);
    }
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < 2 * PARTS) {
    uint sum = 0;
    for (k = 0; k < PART; k++) sum += COUNT(bins, thread * PART + k);
    sums[thread] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < 2) {
    uint all = COUNT(count, 0), before = (all - 1) / 2, part = 0, bin = 0;
    if (all > 0) {
      while (part < PARTS - 1 && before >= sums[thread * PARTS + part]) {
        before -= sums[thread * PARTS + part];
        part++;
      }
      while (bin < PART - 1 && before >= COUNT(bins, thread * BINS + part * PART + bin)) {
        before -= COUNT(bins, thread * BINS + part * PART + bin);
        bin++;
      }
    }
    median[thread] = all > 0 ? int(part * PART + bin) - BINS / 2 : 0;
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    int2 moved = int2(median[0], median[1]);
    camera[0] = max(abs(moved.x), abs(moved.y)) < CAMERA_REST ? int2(0, 0) : moved;
  }
}
