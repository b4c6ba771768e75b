// In: levels of a frame t0 and of its neighbour t1, ranks of steady_coarse t2, b0. Out: a vector for each block u0, x and y. Group 8x8, one thread per block. Reference: gpu.stages.steady.reference.motion. Tolerance: 0.
#include "portable.hlsli"
#include "steady.hlsli"

READS(float, fine, 0);
READS(float, near_fine, 1);
READS(uint, ranks, 2);
WRITES(int, vectors, 0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= grid.x || id.y >= grid.y) return;
  int stride = int(block_px / samples);
  int2 corner = int2(id.xy) * int(block_px);
  float resting = 0.0;
  for (uint j = 0; j < samples; j++) {
    for (uint i = 0; i < samples; i++) {
      uint k = place(corner + stride * int2(int(i), int(j)), size);
      resting += abs(fine[k] - near_fine[k]);
    }
  }
  int2 found = int2(0, 0);
  if (resting > float(rest_bias)) {
    uint rows = 2 * coarse_reach + 1, first = (id.y * grid.x + id.x) * rows;
    uint coarse = 0xffffffff;
    for (uint row = 0; row < rows; row++) coarse = min(coarse, ranks[first + row]);
    int2 around = vector_of(coarse, coarse_reach) * int(cell_px);
    uint tried = 2 * fine_reach + 1, best = 0xffffffff;
    for (uint candidate = 0; candidate < tried * tried; candidate++) {
      int2 moved = int2(int(candidate % tried), int(candidate / tried)) - int(fine_reach);
      float difference = 0.0;
      for (uint m = 0; m < samples; m++) {
        for (uint n = 0; n < samples; n++) {
          int2 at = corner + stride * int2(int(n), int(m));
          difference += abs(fine[place(at, size)] - near_fine[place(at + around + moved, size)]);
        }
      }
      best = min(best, ranked(difference, moved, fine_reach));
    }
    if (float(best / 1024 + rest_bias) < resting) found = around + vector_of(best, fine_reach);
  }
  uint o = 2 * (id.y * grid.x + id.x);
  vectors[o] = found.x;
  vectors[o + 1] = found.y;
}
