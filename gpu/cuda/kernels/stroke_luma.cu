// In: picture, Strokes. Out: luma (mean luma of each cell, smoothed). Group 32x8, a group 32x32 cells. Reference: gpu.reference.brush.smoothed of cells. Tolerance: 1e-6.
#include "cells.cuh"
#include "blur.cuh"

extern "C" __global__ void stroke_luma(const Pixel* __restrict__ picture, float* luma, Strokes c) {
  __shared__ float light[WIDE][WIDE], light_rows[WIDE][TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, columns = c.cells[0], rows = c.cells[1];
  for (int i = thread_number(); i < WIDE * WIDE; i += 256) {
    int row = clamped(y0 + i / WIDE - RADIUS, 0, rows - 1), column = clamped(x0 + i % WIDE - RADIUS, 0, columns - 1);
    light[i / WIDE][i % WIDE] = cell_luma(picture, c.size, column, row);
  }
  __syncthreads();
  blur_rows(light, light_rows, c);
  __syncthreads();
  const int i = threadIdx.x;
  if (x0 + i >= columns) return;
  for (int j = threadIdx.y; j < TILE && y0 + j < rows; j += 8) {
    luma[(size_t)(y0 + j) * columns + x0 + i] = blurred(light_rows, j, i, c);
  }
}
