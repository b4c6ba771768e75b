// In: cells (of relief_cells), broad (of this kernel without THICK), Relief. Out: made: with THICK, broad and the thickness of the paint; else the broad mean of luma around each cell. Group 32x8, a group 32x32 cells. Reference: gpu.stages.relief.reference.height. Tolerance: 1e-5. CUDA's own: shared memory for a Gaussian whose radius is compiled in.
#include "relief.cuh"
#include "blur.cuh"

#ifdef THICK
typedef Pair Made;
#else
typedef float Made;
#endif

extern "C" __global__ void relief_smooth(
    const float* __restrict__ cells, const float* __restrict__ broad, Made* made, Relief c) {
  auto value_at = [&](int column, int row) {
    size_t cell = (size_t)row * c.cells[0] + column;
#ifdef THICK
    float difference = cells[cell] - broad[cell];
    return difference * difference;
#else
    return cells[cell];
#endif
  };
  blur(c, value_at, [&](size_t cell, float mean) {
#ifdef THICK
    made[cell] = {{broad[cell], thickness_of(c, sqrtf(mean) / c.thick_luma)}};
#else
    made[cell] = mean;
#endif
  });
}
