// In: levels of the frame before t0 and of a frame t1, where each block goes t2, y and x in UNITS, b0. Out: the same u0, which agrees better with the four blocks beside it. Group 64x1, eight threads per block. Reference: gpu.stages.strokes.advection.agreed. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_AGREE)
#include "levels.hlsli"

READS(uint, fine, 0);
READS(uint, next_fine, 1);
READS(int2, vectors, 2);
WRITES(int2, agreed, 0);

#define STEP_PX (BLOCK_PX / SAMPLES)
#define BESIDE 4
#define WAYS 9  // its own, those beside, and four steps beside its own

groupshared int sums[64 * WAYS];

int sample_of_next(int2 at) { return LEVEL(next_fine, at); }

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
  uint number = id.x / SAMPLES, place = min(number, blocks.x * blocks.y - 1);
  uint column = place % blocks.x, row = place / blocks.x;
  int further = int(change);
  int2 ways[WAYS];
  ways[0] = vectors[place];
  ways[1] = vectors[(max(row, 1) - 1) * blocks.x + column];
  ways[2] = vectors[row * blocks.x + max(column, 1) - 1];
  ways[3] = vectors[row * blocks.x + min(column + 1, blocks.x - 1)];
  ways[4] = vectors[min(row + 1, blocks.y - 1) * blocks.x + column];
  ways[5] = ways[0] + int2(further, 0);
  ways[6] = ways[0] - int2(further, 0);
  ways[7] = ways[0] + int2(0, further);
  ways[8] = ways[0] - int2(0, further);
  bool moves = any(ways[0] != 0);
  int k, n;
  for (k = 1; k <= BESIDE; k++) moves = moves || any(ways[k] != 0);
  int2 from = int2(int(column), int(row)) * BLOCK_PX + int2(0, int(id.x % SAMPLES) * STEP_PX);
  for (k = 0; k < WAYS; k++) {
    int sum = 0;
    if (moves) {
      int2 whole = int2(divided(ways[k].x, UNITS), divided(ways[k].y, UNITS)), share = ways[k] - whole * UNITS;
      for (int i = 0; i < SAMPLES; i++) {
        int2 at = from + int2(i * STEP_PX, 0), there = at + whole.yx;
        int top = (UNITS - share.y) * sample_of_next(there) + share.y * sample_of_next(there + int2(1, 0));
        int bottom = (UNITS - share.y) * sample_of_next(there + int2(0, 1)) + share.y * sample_of_next(there + int2(1, 1));
        int shown = ((UNITS - share.x) * top + share.x * bottom + UNITS * UNITS / 2) / (UNITS * UNITS);
        sum += abs(LEVEL(fine, at) - shown);
      }
    }
    sums[thread * WAYS + uint(k)] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x % SAMPLES != 0 || number >= blocks.x * blocks.y) return;
  int2 best = ways[0];
  if (moves) {
    int lowest = 0x7fffffff;
    for (k = 0; k < WAYS; k++) {
      int cost = any(ways[k] != 0) ? 0 : -AGREEMENT_REST;
      for (n = 0; n < SAMPLES; n++) cost += sums[(thread + uint(n)) * WAYS + uint(k)];
      for (n = 1; n <= BESIDE; n++) {
        int2 apart = abs(ways[k] - ways[n]);
        cost += AGREEMENT * (apart.x + apart.y);
      }
      if (cost < lowest) {
        lowest = cost;
        best = ways[k];
      }
    }
  }
  agreed[place] = best;
}
