// In: structure and surroundings (of corner_cells), masks, Corners. Out: left (how much of each cell is left as it is, 0..1). Group 32x8, one thread per cell. Reference: gpu.stages.corners.corners. Tolerance: 1e-4, since a root is steep at 0. CUDA's own: a cell is one load of 16 bytes, not a picture's; the arithmetic is that of the twin.
#include "corners.cuh"
#include "masks.cuh"

#define RADIUS 3

// How busy what surrounds a cell is.
DEVICE float busy_around(const float* __restrict__ surroundings, const Corners& c, int column, int row) {
  const float x = (column + 0.5f) / BLOCK - 0.5f, y = (row + 0.5f) / BLOCK - 0.5f;
  const int left = (int)floorf(x), top = (int)floorf(y);
  float sum = 0.0f;
#pragma unroll
  for (int j = top - 1; j < top + 3; j++) {
    const float* line = surroundings + (size_t)clamped(j, 0, (int)c.blocks[1] - 1) * c.blocks[0];
    float across = 0.0f;
#pragma unroll
    for (int i = left - 1; i < left + 3; i++) across += spline(i - x) * line[clamped(i, 0, (int)c.blocks[0] - 1)];
    sum += spline(j - y) * across;
  }
  return sum;
}

// How much of a cell is kept at most because it lies in a face.
DEVICE float kept_at(const Mask* __restrict__ masks, const Corners& c, int column, int row) {
  const float x = (column + 0.5f) * c.cell_px * MASK_SIDE / c.size[0] - 0.5f, y = (row + 0.5f) * c.cell_px * MASK_SIDE / c.size[1] - 0.5f;
  const int left = (int)floorf(x), top = (int)floorf(y);
  const float upper = lerp(mask_at(masks, left, top).v[3], mask_at(masks, left + 1, top).v[3], x - left);
  const float lower = lerp(mask_at(masks, left, top + 1).v[3], mask_at(masks, left + 1, top + 1).v[3], x - left);
  return lerp(upper, lower, y - top);
}

extern "C" __global__ void corner_share(
    const Structure* __restrict__ structure,
    const float* __restrict__ surroundings,
    const Mask* __restrict__ masks,
    float* left,
    Corners c) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const int columns = c.cells[0], rows = c.cells[1];
  if (column >= columns || row >= rows) return;
  float sums[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int j = 0; j <= 2 * RADIUS; j++) {
    const Structure* line = structure + (size_t)clamped(row + j - RADIUS, 0, rows - 1) * columns;
#pragma unroll
    for (int i = 0; i <= 2 * RADIUS; i++) {
      Structure cell = line[clamped(column + i - RADIUS, 0, columns - 1)];
      float weight = c.weights[j / 4][j % 4] * c.weights[i / 4][i % 4];
      for (int part = 0; part < 3; part++) sums[part] += weight * cell.v[part];
    }
  }
  float apart = sums[0] - sums[2];
  float smaller = 0.5f * (sums[0] + sums[2] - sqrtf(apart * apart + 4.0f * sums[1] * sums[1]));
  float share = saturate((sqrtf(maximum(smaller, 0.0f)) - c.least) * c.steepness);
  const float drawn = saturate((busy_around(surroundings, c, column, row) - c.sparse) * c.per_dense);
  const float edges = saturate((sqrtf(maximum(sums[0] + sums[2], 0.0f)) - c.kept_least) * c.per_kept);
  const float corner = share * share * (3.0f - 2.0f * share) * (1.0f - drawn);
  left[(size_t)row * columns + column] = c.touches * maximum(corner, kept_at(masks, c, column, row) * edges);
}
