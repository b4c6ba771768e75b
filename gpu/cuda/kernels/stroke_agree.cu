// In: fine of the frame before and of this one, vectors (y and x in UNITS, where each block goes). Out: agreed (the same, which agrees better with the four blocks beside, by STEP more or less). Group 256x1, one warp per block of the picture. Reference: agree_motion of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: a block's samples are summed by the shuffles of a warp.
#include "search.cuh"

#define BESIDE 4
#define WAYS (1 + 2 * BESIDE)

DEVICE int apart(Vec one, Vec other) { return magnitude(one.v[0] - other.v[0]) + magnitude(one.v[1] - other.v[1]); }

extern "C" __global__ void stroke_agree(
    const short* __restrict__ fine, const short* __restrict__ next_fine, const Vec* __restrict__ vectors, Vec* agreed, Layers c) {
  const int columns = c.blocks[0], rows = c.blocks[1], width = c.working[0], height = c.working[1];
  const int block = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (block >= columns * rows) return;
  const int row = block / columns, column = block % columns;
  Vec ways[WAYS];
  ways[0] = vectors[block];
  ways[1] = vectors[max(row - 1, 0) * columns + column];
  ways[2] = vectors[row * columns + max(column - 1, 0)];
  ways[3] = vectors[row * columns + min(column + 1, columns - 1)];
  ways[4] = vectors[min(row + 1, rows - 1) * columns + column];
  int moves = 0;
#pragma unroll
  for (int k = 0; k < BESIDE; k++) {
    const int step = k % 2 ? -STEP : STEP;
    ways[1 + BESIDE + k] = {{ways[0].v[0] + (k < 2 ? step : 0), ways[0].v[1] + (k < 2 ? 0 : step)}};
    moves |= ways[1 + k].v[0] | ways[1 + k].v[1];
  }
  moves |= ways[0].v[0] | ways[0].v[1];
  Vec best = ways[0];
  if (moves) {
    int least = 0x7fffffff;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
      const Vec way = ways[k];
      int cost = 0;
      const int down = divided(way.v[0], UNITS), over = divided(way.v[1], UNITS);
      const int lower = way.v[0] - down * UNITS, right = way.v[1] - over * UNITS;
      for (int i = lane; i < COUNT; i += 32) {
        const int y = row * BLOCK_PX + i / SAMPLES * STEP_PX, x = column * BLOCK_PX + i % SAMPLES * STEP_PX;
        const int to_y = y + down, to_x = x + over;
        const int top = (UNITS - right) * sample_at(next_fine, width, height, to_y, to_x) +
                        right * sample_at(next_fine, width, height, to_y, to_x + 1);
        const int bottom = (UNITS - right) * sample_at(next_fine, width, height, to_y + 1, to_x) +
                           right * sample_at(next_fine, width, height, to_y + 1, to_x + 1);
        const int shown = ((UNITS - lower) * top + lower * bottom + UNITS * UNITS / 2) / (UNITS * UNITS);
        cost += magnitude(sample_at(fine, width, height, y, x) - shown);
      }
      cost = summed(cost);
#pragma unroll
      for (int n = 1; n <= BESIDE; n++) cost += AGREEMENT * apart(way, ways[n]);
      if (!(way.v[0] | way.v[1])) cost -= AGREEMENT_REST;
      if (cost < least) least = cost, best = way;
    }
  }
  if (lane == 0) agreed[block] = best;
}
