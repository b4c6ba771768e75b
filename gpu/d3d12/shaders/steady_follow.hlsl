// In: levels of a frame t0 and of a neighbour t1, vectors t2 from the previous neighbour (or the frame) to this one, b0. Out: three words for each block and neighbour u0: a vector from the frame and the confidence in it, 0..1, at most that for the previous neighbour, which is there. Group 8x8, one group per block. Reference: gpu.stages.steady.reference.followed, match_confidence. Tolerance: 0 and 1e-5.
// FIRST 1: the neighbour is the nearest one of its side.
#include "steady.hlsli"
OPTION(0, FIRST)

READS(uint, fine, 0);
READS(uint, near_fine, 1);
READS(int, found, 2);
WRITES(uint, motion, 0);

groupshared float3 sums[SQUARE];

// Over all threads.
float3 summed(uint thread, float3 values) {
  GroupMemoryBarrierWithGroupSync();
  sums[thread] = values;
  for (uint half_ = SQUARE / 2; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_) sums[thread] = sums[thread] + sums[thread + half_];
  }
  GroupMemoryBarrierWithGroupSync();
  return sums[0];
}

[numthreads(8, 8, 1)]
void main(uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  uint o = group.y * grid.x + group.x, into = 3 * (number * grid.x * grid.y + o), former = into - 3 * grid.x * grid.y;
  int2 corner = int2(group.xy) * BLOCK_PX;
  int2 moved;
  if (FIRST == 1) {
    moved = int2(found[2 * o], found[2 * o + 1]);
  } else {
    int2 before = int2(asint(motion[former]), asint(motion[former + 1]));
    int2 middle = clamp(corner + BLOCK_PX / 2 + before, int2(0, 0), int2(grid * BLOCK_PX) - 1);
    uint on = 2 * (uint(middle.y) / BLOCK_PX * grid.x + uint(middle.x) / BLOCK_PX);
    moved = before + int2(found[on], found[on + 1]);
  }
  int2 at = corner + STRIDE * int2(within.xy);
  float own = float(LEVEL(fine, at)), other = float(LEVEL(near_fine, at + moved)), count = float(SQUARE);
  float3 total = summed(thread, float3(own, other, abs(own - other)));
  float2 mean = floor((total.xy + 0.5 * count) / count);
  float3 apart = summed(thread, float3(abs(own - mean.x), abs(other - mean.y), 0.0));
  if (thread == 0) {
    float here = saturate(2.0 - total.z / (sure_share * (float(SURE_NOISE) + apart.x + apart.y)));
    if (FIRST == 0) here = min(here, asfloat(motion[former + 2]));
    motion[into] = asuint(moved.x);
    motion[into + 1] = asuint(moved.y);
    motion[into + 2] = asuint(here);
  }
}
