// In: levels of the frame before t0 and of a frame t1, where blocks are found t2, where the camera goes t3, how many blocks are lost t4, b0. Out: where each block goes u0, y and x in UNITS, and behind them how many are lost. Group 64x1, eight threads per block. Reference: gpu.stages.strokes.advection.settled. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_CARRY)
#include "levels.hlsli"

READS(uint, fine, 0);
READS(uint, next_fine, 1);
READS(int4, found, 2);
READS(int2, camera, 3);
READS(uint, lost, 4);
WRITES(int2, vectors, 0);

#define STEP_PX (BLOCK_PX / SAMPLES)

groupshared int sums[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
  uint number = id.x / SAMPLES, place = min(number, blocks.x * blocks.y - 1);
  int4 block = found[place];
  int2 moved = camera[0], whole = int2(divided(moved.x + UNITS / 2, UNITS), divided(moved.y + UNITS / 2, UNITS));
  bool unsure = (block.w & (DISTINCT | LOST)) != DISTINCT;
  int sum = 0;
  if (unsure) {
    int2 from = int2(int(place % blocks.x), int(place / blocks.x)) * BLOCK_PX + int2(0, int(id.x % SAMPLES) * STEP_PX);
    for (int i = 0; i < SAMPLES; i++) {
      int2 at = from + int2(i * STEP_PX, 0);
      sum += abs(LEVEL(fine, at) - LEVEL(next_fine, at + whole.yx));
    }
  }
  sums[thread] = sum;
  GroupMemoryBarrierWithGroupSync();
  if (id.x % SAMPLES != 0 || number >= blocks.x * blocks.y) return;
  int2 apart = abs(block.xy - moved);
  bool follows = block.w == DISTINCT && apart.x + apart.y <= UNITS / 2;
  if (unsure) {
    int cost = 0;
    for (uint k = 0; k < SAMPLES; k++) cost += sums[thread + k];
    follows = cost <= block.z + CAMERA_BIAS;
  }
  int2 alone = (block.w & MOVES) != 0 ? block.xy : int2(0, 0);
  vectors[place] = follows ? moved : alone;
  if (place == 0) vectors[blocks.x * blocks.y] = int2(int(lost[0]), 0);
}
