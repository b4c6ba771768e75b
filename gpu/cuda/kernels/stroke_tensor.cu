// In: picture, Strokes. Out: tensor (the structure tensor of each cell, smoothed: gx² - gy², 2 gx gy), cells (their mean luma). Group 32x8, a group 32x32 cells. Reference: gpu.reference.brush.direction, cells. Tolerance: 1e-6.
#include "cells.cuh"
#include "blur.cuh"

#define LIT (WIDE + 2)

extern "C" __global__ void stroke_tensor(const Pixel* __restrict__ picture, Pair* tensor, float* cells, Strokes c) {
  __shared__ float light[LIT][LIT], xx[WIDE][WIDE], xy[WIDE][WIDE], xx_rows[WIDE][TILE], xy_rows[WIDE][TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, columns = c.cells[0], rows = c.cells[1];
  for (int i = thread_number(); i < LIT * LIT; i += 256) {
    int row = clamped(y0 + i / LIT - RADIUS - 1, 0, rows - 1), column = clamped(x0 + i % LIT - RADIUS - 1, 0, columns - 1);
    light[i / LIT][i % LIT] = cell_luma(picture, c.size, column, row);
  }
  __syncthreads();
  for (int i = thread_number(); i < WIDE * WIDE; i += 256) {  // beyond the grid, the tensor is repeated, not luma
    int y = clamped(y0 + i / WIDE - RADIUS, 0, rows - 1) - y0 + RADIUS;
    int x = clamped(x0 + i % WIDE - RADIUS, 0, columns - 1) - x0 + RADIUS;
    const float *above = light[y] + x, *here = light[y + 1] + x, *below = light[y + 2] + x;
    float gx = 3.0f * (above[2] - above[0] + (below[2] - below[0])) + 10.0f * (here[2] - here[0]);
    float gy = 3.0f * (below[0] - above[0] + (below[2] - above[2])) + 10.0f * (below[1] - above[1]);
    gx *= 1.0f / 32.0f;
    gy *= 1.0f / 32.0f;
    xx[i / WIDE][i % WIDE] = gx * gx - gy * gy;
    xy[i / WIDE][i % WIDE] = 2.0f * gx * gy;
  }
  __syncthreads();
  blur_rows(xx, xx_rows, c);
  blur_rows(xy, xy_rows, c);
  __syncthreads();
  const int i = threadIdx.x;
  if (x0 + i >= columns) return;
  for (int j = threadIdx.y; j < TILE && y0 + j < rows; j += 8) {
    size_t o = (size_t)(y0 + j) * columns + x0 + i;
    tensor[o] = {{blurred(xx_rows, j, i, c) + c.rest[0], blurred(xy_rows, j, i, c) + c.rest[1]}};
    cells[o] = light[j + RADIUS + 1][i + RADIUS + 1];
  }
}
