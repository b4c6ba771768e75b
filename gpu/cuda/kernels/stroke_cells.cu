// In: fine (of stroke_film), or cells of UNDER pixels. Out: cells (rounded means of SIDE x SIDE of them, the edge repeated). Group 32x8. Reference: film_cells of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: whole numbers of 16 bits; stroke_film of HLSL makes both.
#include "layers.cuh"

extern "C" __global__ void stroke_cells(const short* fine, short* cells, Layers c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int width = (c.working[0] + UNDER - 1) / UNDER, height = (c.working[1] + UNDER - 1) / UNDER;
  const int across = (width + SIDE - 1) / SIDE, down = (height + SIDE - 1) / SIDE;
  if (x >= across || y >= down) return;
  int sum = SIDE * SIDE / 2;
  for (int j = 0; j < SIDE; j++) {
    const short* line = fine + (size_t)min(y * SIDE + j, height - 1) * width;
    for (int i = 0; i < SIDE; i++) sum += line[min(x * SIDE + i, width - 1)];
  }
  cells[(size_t)y * across + x] = (short)(sum / (SIDE * SIDE));
}
