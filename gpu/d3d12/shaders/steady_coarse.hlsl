// In: levels t0 and means t1 of a frame, t2 and t3 of its neighbour, b0. Out: the best rank u0 for each block and each row of the search. Group 32x8, one thread per such row. Reference: the first search of gpu.stages.steady.reference.motion. Tolerance: 0.
#include "portable.hlsli"
#include "steady.hlsli"

READS(float, fine, 0);
READS(float, means, 1);
READS(float, near_fine, 2);
READS(float, near_means, 3);
WRITES(uint, ranks, 0);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint rows = 2 * coarse_reach + 1;
  if (id.x >= grid.x * rows || id.y >= grid.y) return;
  int2 block = int2(int(id.x / rows), int(id.y));
  int y = int(id.x % rows) - int(coarse_reach);
  int stride = int(block_px / samples);
  float resting = 0.0;
  for (uint j = 0; j < samples; j++) {
    for (uint i = 0; i < samples; i++) {
      uint k = place(block * int(block_px) + stride * int2(int(i), int(j)), size);
      resting += abs(fine[k] - near_fine[k]);
    }
  }
  uint best = 0xffffffff;
  if (resting > float(rest_bias)) {
    int2 corner = block * int(block_px / cell_px) - int(samples - block_px / cell_px) / 2;
    for (uint column = 0; column < rows; column++) {
      int2 moved = int2(int(column) - int(coarse_reach), y);
      float difference = 0.0;
      for (uint m = 0; m < samples; m++) {
        for (uint n = 0; n < samples; n++) {
          int2 at = corner + int2(int(n), int(m));
          difference += abs(means[place(at, cells)] - near_means[place(at + moved, cells)]);
        }
      }
      best = min(best, ranked(difference, moved, coarse_reach));
    }
  }
  ranks[id.y * grid.x * rows + id.x] = best;
}
