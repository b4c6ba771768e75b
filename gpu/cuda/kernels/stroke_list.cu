// In: records, counts (of stroke_pick), firsts (of stroke_offsets). Out: touched (of stroke_count; 0 afterwards), listed (of each tile the numbers of the records of strokes that touch it, in any order). Group 128x1, eight threads per record. Reference: stroke_count. Tolerance: 0. CUDA's own: a stroke's tiles are found by the shuffles of a warp.
#include "tiles.cuh"

extern "C" __global__ void stroke_list(
    const float* __restrict__ records, const uint* __restrict__ counts, const uint* __restrict__ firsts, uint* touched,
    uint* listed, Layers c) {
  touch(records, counts, c, [&](int tile, int number) { listed[firsts[tile] + atomicSub(&touched[tile], 1) - 1] = number; });
}
