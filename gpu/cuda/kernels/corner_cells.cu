// In: frame (the network's input of ELEMENT), Corners. Out: structure (the structure tensor of each cell: xx, xy, yy, 0), surroundings (how busy cells of a block are in the mean). Group 32x16, one thread per cell, two blocks side by side. Reference: gpu.stages.corners.structure, block_means. Tolerance: 1e-6. CUDA's own: a thread keeps the luma of a whole cell in registers, and those of a warp add up a row.
#include "corners.cuh"

DEVICE float light_at(const Element* __restrict__ frame, const Corners& c, int x, int y) {
  x = clamped(x, 0, (int)c.size[0] - 1);
  y = clamped(y, 0, (int)c.size[1] - 1);
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  return luma_of({load(frame, i), load(frame, i + plane), load(frame, i + 2 * plane)});
}

// A pixel's part of the tensor, from the rows of luma above, of and below it, of which it is in column x.
DEVICE void add(float tensor[3], const float* above, const float* here, const float* below, int x) {
  float gx = 3.0f * (above[x + 1] - above[x - 1] + below[x + 1] - below[x - 1]) + 10.0f * (here[x + 1] - here[x - 1]);
  float gy = 3.0f * (below[x - 1] - above[x - 1] + below[x + 1] - above[x + 1]) + 10.0f * (below[x] - above[x]);
  gx *= 1.0f / 32.0f;
  gy *= 1.0f / 32.0f;
  tensor[0] += gx * gx;
  tensor[1] += gx * gy;
  tensor[2] += gy * gy;
}

extern "C" __global__ void corner_cells(const Element* __restrict__ frame, Structure* structure, float* surroundings, Corners c) {
  __shared__ float rows_of[2][BLOCK];
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  const int x0 = column * CELL_PX, y0 = row * CELL_PX, right = (int)c.size[0] - 1, bottom = (int)c.size[1] - 1;
  const bool inside = x0 <= right && y0 <= bottom;
  float tensor[3] = {0.0f, 0.0f, 0.0f};
  if (x0 + CELL_PX - 1 <= right && y0 + CELL_PX - 1 <= bottom) {
    float light[CELL_PX + 2][CELL_PX + 2];
#pragma unroll
    for (int j = 0; j < CELL_PX + 2; j++) {
#pragma unroll
      for (int i = 0; i < CELL_PX + 2; i++) light[j][i] = light_at(frame, c, x0 + i - 1, y0 + j - 1);
      if (j < 2) continue;
#pragma unroll
      for (int i = 1; i <= CELL_PX; i++) add(tensor, light[j - 2], light[j - 1], light[j], i);
    }
  } else if (inside) {  // repeat the edge to fill whole cells
    for (int k = 0; k < CELL_PX * CELL_PX; k++) {
      const int x = min(x0 + k % CELL_PX, right), y = min(y0 + k / CELL_PX, bottom);
      float light[3][3];
#pragma unroll
      for (int j = 0; j < 9; j++) light[j / 3][j % 3] = light_at(frame, c, x + j % 3 - 1, y + j / 3 - 1);
      add(tensor, light[0], light[1], light[2], 1);
    }
  }
  const float share = 1.0f / (CELL_PX * CELL_PX);
  float busy = 0.0f;
  if (inside) {
    structure[(size_t)row * c.cells[0] + column] = {{share * tensor[0], share * tensor[1], share * tensor[2], 0.0f}};
    busy = saturate((sqrtf(share * (tensor[0] + tensor[2])) - c.flat) * c.per_busy);
  }
  for (int k = BLOCK / 2; k > 0; k /= 2) busy += __shfl_xor_sync(0xffffffffu, busy, k);
  if (threadIdx.x % BLOCK == 0) rows_of[threadIdx.x / BLOCK][threadIdx.y] = busy;
  __syncthreads();
  const int block = 2 * blockIdx.x + threadIdx.x;
  if (threadIdx.y > 0 || threadIdx.x > 1 || block >= (int)c.blocks[0]) return;
  float sum = 0.0f;
  for (int k = 0; k < BLOCK; k++) sum += rows_of[threadIdx.x][k];
  const int wide = min((int)c.cells[0] - block * BLOCK, BLOCK), high = min((int)c.cells[1] - row, BLOCK);
  surroundings[(size_t)blockIdx.y * c.blocks[0] + block] = sum / (float)(wide * high);
}
