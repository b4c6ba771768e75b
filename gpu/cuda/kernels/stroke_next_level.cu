// In: nothing else. Out: levels of the pyramid, of which LEVEL is made from the one below it. Group 32x8. Reference: gpu.stages.strokes.reference.halved. Tolerance: 1e-5. CUDA's own: samples are loaded as vectors, and one launch makes one level.
#include "layers.cuh"

extern "C" __global__ void stroke_next_level(Sample* levels, Layers c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int columns = side_of(c.size[0], LEVEL), wide = side_of(c.size[0], LEVEL - 1), high = side_of(c.size[1], LEVEL - 1);
  if (x >= columns || y >= side_of(c.size[1], LEVEL)) return;
  const Sample *upper = levels + first_of(c, LEVEL - 1) + (size_t)(2 * y) * wide;
  const Sample *lower = levels + first_of(c, LEVEL - 1) + (size_t)min(2 * y + 1, high - 1) * wide;
  const int left = 2 * x, right = min(2 * x + 1, wide - 1);
  Sample sum;
#pragma unroll
  for (int part = 0; part < 4; part++) {
    sum.v[part] = 0.25f * (upper[left].v[part] + upper[right].v[part] + lower[left].v[part] + lower[right].v[part]);
  }
  levels[first_of(c, LEVEL) + (size_t)y * columns + x] = sum;
}
