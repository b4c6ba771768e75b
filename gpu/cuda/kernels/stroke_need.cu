// In: levels. Out: needs (what a level says that the one above it does not, as means of 2x2 of its samples; planes of the finer layers one after another). Group 128x1. Reference: stroke_need of gpu/cpu/kernels/strokes.c. Tolerance: 1e-5. CUDA's own: the table of layers is an argument, in constant memory, and samples are loaded as vectors.
#include "layers.cuh"

extern "C" __global__ void stroke_need(const Sample* __restrict__ levels, float* needs, Layers c) {
  const int at = blockIdx.x * 128 + threadIdx.x;
  if (at >= c.needs) return;
  int index = 1;
  while (index + 1 < c.count && at >= c.levels[index + 1][2]) index++;
  const int level = c.levels[index][3], columns = side_of(c.size[0], level), rows = side_of(c.size[1], level);
  const int wide = side_of(c.size[0], level + 1), high = side_of(c.size[1], level + 1);
  const int x = (at - c.levels[index][2]) % wide, y = (at - c.levels[index][2]) / wide;
  const Sample *fine = levels + first_of(c, level), *coarse = levels + first_of(c, level + 1);
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int row = min(2 * y + k / 2, rows - 1), column = min(2 * x + k % 2, columns - 1);
    const Sample own = fine[(size_t)row * columns + column];
    const Sample broad = bilinear(
        coarse, wide, between_samples(0.5f * row - 0.25f, high), between_samples(0.5f * column - 0.25f, wide));
    float largest = FILM_NEED * fabsf(own.v[3] - broad.v[3]);
    for (int part = 0; part < 3; part++) largest = maximum(largest, fabsf(own.v[part] - broad.v[part]));
    sum += 0.25f * largest;
  }
  needs[at] = sum;
}
