// In: fine and cells of the frame before, and of this one. Out: vectors (y and x in UNITS, where each block goes), lost (whether it is not found again) and how many are. Group 96x1, one group per block of the picture. Reference: gpu.reference.strokes.followed. Tolerance: 0.
#include "layers.cuh"

#define COUNT (SAMPLES * SAMPLES)
#define STEP_PX (BLOCK_PX / SAMPLES)
#define REACH (FINE_PX + 1)
#define COARSE_SIDE (SAMPLES + 2 * COARSE_CELLS)
#define FINE_SIDE (STEP_PX * (SAMPLES - 1) + 1 + 2 * REACH)

// A square of samples, the plane's edge repeated.
DEVICE void take_square(const short* plane, int width, int height, int y, int x, int side, int step, short* into) {
  for (int i = threadIdx.x; i < side * side; i += 96) {
    int row = clamped(y + i / side * step, 0, height - 1), column = clamped(x + i % side * step, 0, width - 1);
    into[i] = plane[(size_t)row * width + column];
  }
}

DEVICE int apart(const short* own, const short* area, int columns, int step) {
  int sum = 0;
#pragma unroll
  for (int j = 0; j < SAMPLES; j++) {
#pragma unroll
    for (int i = 0; i < SAMPLES; i++) sum += magnitude(own[j * SAMPLES + i] - area[j * step * columns + i * step]);
  }
  return sum;
}

// Adds the values of the first COUNT threads.
DEVICE void add(int value, int* sum) {
  for (int half = 16; half > 0; half /= 2) value += __shfl_down_sync(0xffffffffu, value, half);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, value);
}

// A search around the middle of an area: the first of the best by cost, then by distance. Its cost and place in the lower bits.
DEVICE void search(const short* own, const short* area, int columns, int reach, int step, uint* best) {
  const int t = threadIdx.x, side = 2 * reach + 1;
  if (t < side * side) {
    int y = t / side, x = t % side, steps = magnitude(y - reach) + magnitude(x - reach);
    uint cost = apart(own, area + y * columns + x, columns, step) + STEP_BIAS * steps;
    atomicMin(best, cost << 12 | steps << 8 | t);
  }
  __syncthreads();
}

// How far the least cost lies from the middle of three, in UNITS.
DEVICE int between_pixels(int before, int here, int after) {
  int rise = max(before, after) - here;
  return rise > 0 ? (UNITS / 2) * (before - after) / rise : 0;
}

extern "C" __global__ void stroke_motion(
    const short* fine, const short* cells, const short* next_fine, const short* next_cells, Vec* vectors, uint* lost,
    uint* count, Layers c) {
  __shared__ short own[COUNT], rest[COUNT], ours[COUNT], coarse_area[COARSE_SIDE * COARSE_SIDE], area[FINE_SIDE * FINE_SIDE];
  // resting, sums of own and of what it is compared with, their deviations, and the costs there and beside it
  __shared__ int sums[10];
  __shared__ uint best[2];
  const int t = threadIdx.x, width = c.working[0], height = c.working[1];
  const int block = blockIdx.x, y = block / c.blocks[0] * BLOCK_PX, x = block % c.blocks[0] * BLOCK_PX;
  if (t < 10) sums[t] = 0;
  if (t < 2) best[t] = 0xffffffffu;
  take_square(fine, width, height, y, x, SAMPLES, STEP_PX, own);
  take_square(next_fine, width, height, y, x, SAMPLES, STEP_PX, rest);
  __syncthreads();
  if (t < COUNT) {
    add(magnitude(own[t] - rest[t]), &sums[0]);
    add(own[t], &sums[1]);
  }
  __syncthreads();
  const int resting = sums[0];
  bool moves = false;
  int moving = resting, down = 0, over = 0, coarse_y = 0, coarse_x = 0;
  const short* there = rest;
  int columns = SAMPLES, step = 1;
  if (resting > REST_BIAS) {
    const int corner = (SAMPLES * CELL_PX - BLOCK_PX) / 2, cell_y = (y - corner) / CELL_PX, cell_x = (x - corner) / CELL_PX;
    const int across = (width + CELL_PX - 1) / CELL_PX, rows = (height + CELL_PX - 1) / CELL_PX;
    take_square(cells, across, rows, cell_y, cell_x, SAMPLES, 1, ours);
    take_square(next_cells, across, rows, cell_y - COARSE_CELLS, cell_x - COARSE_CELLS, COARSE_SIDE, 1, coarse_area);
    __syncthreads();
    search(ours, coarse_area, COARSE_SIDE, COARSE_CELLS, 1, &best[0]);
    const int first = best[0] & 255, side = 2 * COARSE_CELLS + 1;
    coarse_y = (first / side - COARSE_CELLS) * CELL_PX;
    coarse_x = (first % side - COARSE_CELLS) * CELL_PX;
    take_square(next_fine, width, height, y + coarse_y - REACH, x + coarse_x - REACH, FINE_SIDE, 1, area);
    __syncthreads();
    search(own, area + FINE_SIDE + 1, FINE_SIDE, FINE_PX, STEP_PX, &best[1]);
    const int second = best[1] & 255, steps = best[1] >> 8 & 15;
    down = second / (2 * FINE_PX + 1) - FINE_PX;
    over = second % (2 * FINE_PX + 1) - FINE_PX;
    const int cost = (int)(best[1] >> 12);  // with STEP_BIAS for each step
    moves = cost + REST_BIAS < resting;
    if (moves) {
      moving = cost - STEP_BIAS * steps;
      there = area + (down + REACH) * FINE_SIDE + over + REACH;
      columns = FINE_SIDE;
      step = STEP_PX;
    }
  }
  const int from = t / SAMPLES * step * columns + t % SAMPLES * step;
  if (t < COUNT) {
    add(there[from], &sums[2]);
    if (moves) {
      add(magnitude(own[t] - there[from - columns]), &sums[5]);
      add(magnitude(own[t] - there[from + columns]), &sums[6]);
      add(magnitude(own[t] - there[from - 1]), &sums[7]);
      add(magnitude(own[t] - there[from + 1]), &sums[8]);
    }
  }
  __syncthreads();
  if (t < COUNT) {
    add(magnitude(own[t] - (sums[1] + COUNT / 2) / COUNT), &sums[3]);
    add(magnitude(there[from] - (sums[2] + COUNT / 2) / COUNT), &sums[4]);
  }
  __syncthreads();
  if (t > 0) return;
  const bool gone = 8 * moving >= UNSURE_EIGHTHS * (SURE_NOISE + sums[3] + sums[4]);
  Vec found = {{0, 0}};
  if (moves && !gone) {
    found.v[0] = (coarse_y + down) * UNITS + between_pixels(sums[5], moving, sums[6]);
    found.v[1] = (coarse_x + over) * UNITS + between_pixels(sums[7], moving, sums[8]);
  }
  vectors[block] = found;
  lost[block] = gone;
  if (gone) atomicAdd(count, 1);
}
