// In: picture, Relief. Out: cells (mean luma of CELL_PX x CELL_PX pixels, the edge repeated). Group 32x8. Reference: gpu.stages.cells.cells. Tolerance: 1e-6. CUDA's own: pixels are packed halves, and the side of a cell is compiled in.
#include "relief.cuh"

extern "C" __global__ void relief_cells(const Pixel* __restrict__ picture, float* cells, Relief c) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column >= (int)c.cells[0] || row >= (int)c.cells[1]) return;
  Rgb sum = {0.0f, 0.0f, 0.0f};
#pragma unroll 4
  for (int j = 0; j < CELL_PX; j++) {
    int y = row * CELL_PX + j;
    const Pixel* line = picture + (size_t)(y < c.size[1] ? y : c.size[1] - 1) * c.size[0];
#pragma unroll 4
    for (int i = 0; i < CELL_PX; i++) {
      int x = column * CELL_PX + i;
      sum = sum + rgb_of(line[x < c.size[0] ? x : c.size[0] - 1]);
    }
  }
  cells[(size_t)row * c.cells[0] + column] = luma_of(sum) * (1.0f / (CELL_PX * CELL_PX));
}
