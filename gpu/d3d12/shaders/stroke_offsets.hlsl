// In: counts u0, of strokes that may touch each tile, b0. Out: where each tile's list begins u0, in any order of tiles, and behind all of these where it ends, as long as it is empty; how long all may get u1. Group 256x1, one thread per tile. Reference: gpu.stages.strokes.reference.over_ground. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint, nothing, 0);
WRITES(uint, counts, 0);
WRITES_COUNTS(total, 1);

SHARES_COUNTS(together, 1);
groupshared uint first;

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread == 0) CLEAR_COUNT(together, 0);
  GroupMemoryBarrierWithGroupSync();
  uint count = 0, mine = 0;
  if (id.x < tiles.x * tiles.y) count = counts[FIRST_BOUND + id.x];
  TAKE_COUNT(together, 0, count, mine);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    uint before = 0;
    TAKE_COUNT(total, 0, COUNT(together, 0), before);
    first = before;
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x < tiles.x * tiles.y) {
    counts[FIRST_BOUND + id.x] = first + mine;
    counts[FIRST_BOUND + tiles.x * tiles.y + id.x] = first + mine;
  }
}
