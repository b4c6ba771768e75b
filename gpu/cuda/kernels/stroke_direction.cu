// In: tensors (of stroke_tensor), maps (of the brush). Out: direction (the tensor near each sample of the lowest of them, and that of wide surroundings, or the map's). Group 32x8. Reference: stroke_direction of gpu/cpu/kernels/strokes.c. Tolerance: 1e-6. CUDA's own: samples are loaded as vectors.
#include "layers.cuh"

extern "C" __global__ void stroke_direction(const Pair* __restrict__ tensors, const Sample* __restrict__ maps, Pair* direction, Layers c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int level = c.direction_level, columns = side_of(c.size[0], level), rows = side_of(c.size[1], level);
  if (x >= columns || y >= rows) return;
  Pair sum = tensors[c.tensor_first[0] + (size_t)y * columns + x];
  sum.v[0] += REST_TENSOR_X;
  sum.v[1] += REST_TENSOR_Y;
#pragma unroll
  for (int k = 1; k < 3; k++) {
    const float scale = k == 1 ? 0.25f : 0.0625f, share = k == 1 ? FAR_SHARE : FARTHER_SHARE;
    const int wide = side_of(columns, 2 * k), high = side_of(rows, 2 * k);
    const Pair far = bilinear(
        tensors + c.tensor_first[k], wide, between_samples((y + 0.5f) * scale - 0.5f, high),
        between_samples((x + 0.5f) * scale - 0.5f, wide));
    sum.v[0] += share * far.v[0];
    sum.v[1] += share * far.v[1];
  }
  const size_t at = (size_t)y * columns + x;
  const float scale = (float)(1 << level);
  const Sample said = map_at(maps, (y + 0.5f) * scale / c.size[1], (x + 0.5f) * scale / c.size[0]);
  const Pair map = {{said.v[1], said.v[2]}};
  const float share =
      beside_map(sum.v[0] * sum.v[0] + sum.v[1] * sum.v[1], map.v[0] * map.v[0] + map.v[1] * map.v[1]);
  direction[at] = {{share * sum.v[0] + map.v[0], share * sum.v[1] + map.v[1]}};
}
