// In: fine (of stroke_film). Out: cells (rounded means of CELL_PX x CELL_PX pixels, the edge repeated). Group 32x8. Reference: film_cells of gpu/cpu/kernels/strokes.c. Tolerance: 0.
#include "layers.cuh"

extern "C" __global__ void stroke_cells(const short* fine, short* cells, Layers c) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  int across = (c.working[0] + CELL_PX - 1) / CELL_PX, down = (c.working[1] + CELL_PX - 1) / CELL_PX;
  if (x >= across || y >= down) return;
  int sum = CELL_PX * CELL_PX / 2;
  for (int j = 0; j < CELL_PX; j++) {
    const short* line = fine + (size_t)min(y * CELL_PX + j, c.working[1] - 1) * c.working[0];
    for (int i = 0; i < CELL_PX; i++) sum += line[min(x * CELL_PX + i, c.working[0] - 1)];
  }
  cells[(size_t)y * across + x] = (short)(sum / (CELL_PX * CELL_PX));
}
