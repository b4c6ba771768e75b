// In: fine, Steady. Out: cells, rounded means of CELL_PX x CELL_PX pixels. Group 32x8. Reference: gpu.stages.steady.reference.cells. Tolerance: 0. CUDA's own: whole numbers of 16 bits; steady_levels is its counterpart.
#include "steady.cuh"

extern "C" __global__ void steady_cells(const short* fine, short* cells, Steady c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int across = (c.width + CELL_PX - 1) / CELL_PX, down = (c.height + CELL_PX - 1) / CELL_PX;
  if (x >= across || y >= down) return;
  int sum = CELL_PX * CELL_PX / 2;
  for (int j = 0; j < CELL_PX; j++) {
    for (int i = 0; i < CELL_PX; i++) sum += sample_at(fine, c.width, c.height, y * CELL_PX + j, x * CELL_PX + i);
  }
  cells[(size_t)y * across + x] = (short)(sum / (CELL_PX * CELL_PX));
}
