// In: records, counts (of stroke_pick). Out: touched (how many strokes touch each tile, 0 before). Group 128x1, eight threads per record. Reference: the lists' lengths. Tolerance: 0. CUDA's own: a stroke's tiles are found by the shuffles of a warp.
#include "tiles.cuh"

extern "C" __global__ void stroke_count(
    const float* __restrict__ records, const uint* __restrict__ counts, uint* touched, Layers c) {
  touch(records, counts, c, [&](int tile, int) { atomicAdd(&touched[tile], 1); });
}
