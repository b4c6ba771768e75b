// In: found (of steady_motion, from a frame to the previous one), last (the drift of the previous one, if there is one), Way. Out: drift. Group 64x1, one thread per block of the picture. Reference: gpu.relief.Drift.next, gpu.reference.relief.bristles. Tolerance: 0.
#include "common.cuh"
#include "relief.cuh"

CONSTANTS(WAY)

// Rounded like the reference: no fused multiply-add.
DEVICE int moved(double factor, int way) { return (int)floor(__dadd_rn(__dmul_rn(factor, (double)way), 0.5)); }

extern "C" __global__ void relief_drift(const short* found, const Drift* last, Drift* drift, Way c) {
  const int block = blockIdx.x * 64 + threadIdx.x, count = c.columns * c.rows;
  if (block == 0) drift->first_way = c.first_way;
  if (block >= count) return;
  int there = 0, y = 0, x = 0;
  if (last) {
    y = found[2 * block], x = found[2 * block + 1];
    int middle_y = block / c.columns * c.block_px + c.block_px / 2, middle_x = block % c.columns * c.block_px + c.block_px / 2;
    int row = clamped(middle_y + y, 0, c.rows * c.block_px - 1) / c.block_px;
    there = row * c.columns + clamped(middle_x + x, 0, c.columns * c.block_px - 1) / c.block_px;
  }
  for (int k = 0; k < 2; k++) {
    Vec way = {{0, 0}};
    if (last && c.ages[k] > 0) {
      Vec before = ways_of(last)[k * count + there];
      way = {{y + before.v[0], x + before.v[1]}};
    }
    Vec* ways = (Vec*)(drift + 1) + k * count + block;
    ways[0] = way;
    ways[2 * count] = {{moved(c.factor[0], way.v[0]), moved(c.factor[1], way.v[1])}};
  }
}
