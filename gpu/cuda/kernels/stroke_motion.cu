// In: fine, cells and far cells of the frame before, and of this one. Out: found (of each block, where and how well), tally (0 before). Group 192x1, one group per block of the picture. Reference: film_motion of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: shared memory and the shuffles of a warp.
#include "search.cuh"

#define COARSE_SIDE (SAMPLES + 2 * COARSE_CELLS)
#define FINE_SIDE (STEP_PX * (SAMPLES - 1) + 1 + 2 * FINE_PX)
#define AROUND_SIDE (STEP_PX * (SAMPLES - 1) + 1 + 2 * DISTINCT_PX)
#define LARGER (COARSE_SIDE * COARSE_SIDE > FINE_SIDE * FINE_SIDE ? COARSE_SIDE * COARSE_SIDE : FINE_SIDE * FINE_SIDE)
#define ALL 0xffffffffu

// A square of samples, the plane's edge repeated, by so many threads.
DEVICE void take_square(
    const short* __restrict__ plane, int width, int height, int y, int x, int side, int step, short* into, int thread, int threads) {
  for (int i = thread; i < side * side; i += threads) {
    into[i] = (short)sample_at(plane, width, height, y + i / side * step, x + i % side * step);
  }
}

// The best place of a block in an area around it: the first of the best by cost, then by distance. Its cost, with STEP_BIAS for each
// step, then steps and place.
DEVICE void search(const short* own, const short* area, int columns, int reach, int step, int thread, uint* best) {
  const int side = 2 * reach + 1;
  if (thread >= side * side) return;
  const int y = thread / side, x = thread % side, steps = magnitude(y - reach) + magnitude(x - reach);
  const short* there = area + y * columns + x;
  int cost = STEP_BIAS * steps;
#pragma unroll
  for (int j = 0; j < SAMPLES; j++) {
#pragma unroll
    for (int i = 0; i < SAMPLES; i++) cost += magnitude(own[j * SAMPLES + i] - there[j * step * columns + i * step]);
  }
  atomicMin(best, (uint)cost << 12 | steps << 8 | thread);
}
DEVICE int down_at(uint best, int reach) { return (int)(best & 255) / (2 * reach + 1) - reach; }
DEVICE int over_at(uint best, int reach) { return (int)(best & 255) % (2 * reach + 1) - reach; }

// How far the least cost lies from the middle of three, in UNITS.
DEVICE int between_pixels(int before, int here, int after) {
  int rise = max(before, after) - here;
  if (rise <= 0) return 0;
  const int most = UNITS * here / rise;  // lines of that slope cost as much here as they are away
  return min(max((UNITS / 2) * (before - after) / rise, -most), most);
}

extern "C" __global__ void stroke_motion(
    const short* __restrict__ fine, const short* __restrict__ cells, const short* __restrict__ far_cells,
    const short* __restrict__ next_fine, const short* __restrict__ next_cells, const short* __restrict__ next_far_cells,
    Found* found, Tally* tally, Layers c) {
  // Two ways to search, each by half of the threads: in cells, and farther away in cells of twice their side.
  __shared__ short own[COUNT], ours[2][COUNT], area[2][LARGER], around[AROUND_SIDE * AROUND_SIDE];
  __shared__ uint best[2], finer, finest[2];
  __shared__ int sums[11];
  const int t = threadIdx.x, way = t / 96, u = t % 96, lane = t % 32, warp = t / 32;
  const int width = c.working[0], height = c.working[1], block = blockIdx.x;
  const int across = (width + CELL_PX - 1) / CELL_PX, down = (height + CELL_PX - 1) / CELL_PX;
  const int far_across = (across + 1) / 2, far_down = (down + 1) / 2;
  const int y = block / c.blocks[0] * BLOCK_PX, x = block % c.blocks[0] * BLOCK_PX;
  if (t < 2) best[t] = finest[t] = ALL;
  if (t == 2) finer = ALL;
  take_square(fine, width, height, y, x, SAMPLES, STEP_PX, own, t, 192);
  __syncthreads();
  if (warp == 0) {
    int apart = 0;
    for (int i = lane; i < COUNT; i += 32) {
      apart += magnitude(
          own[i] - sample_at(next_fine, width, height, y + i / SAMPLES * STEP_PX, x + i % SAMPLES * STEP_PX));
    }
    apart = summed(apart);
    if (lane == 0) sums[10] = apart;
  }
  __syncthreads();
  const int resting = sums[10];
  int cost = resting, best_y = 0, best_x = 0;
  if (resting > REST_BIAS) {
    const int unit = way ? 2 * CELL_PX : CELL_PX, corner = (SAMPLES * unit - BLOCK_PX) / 2;
    const int row = (y - corner) / unit, column = (x - corner) / unit;  // without a rest
    const int columns = way ? far_across : across, rows = way ? far_down : down;
    take_square(way ? far_cells : cells, columns, rows, row, column, SAMPLES, 1, ours[way], u, 96);
    take_square(
        way ? next_far_cells : next_cells, columns, rows, row - COARSE_CELLS, column - COARSE_CELLS, COARSE_SIDE, 1, area[way], u,
        96);
    __syncthreads();
    search(ours[way], area[way], COARSE_SIDE, COARSE_CELLS, 1, u, &best[way]);
    __syncthreads();
    int to_y = down_at(best[way], COARSE_CELLS) * unit, to_x = over_at(best[way], COARSE_CELLS) * unit;
    // The one that is found farther away is looked for in cells around it again.
    const int near_row = (y - (SAMPLES * CELL_PX - BLOCK_PX) / 2) / CELL_PX + to_y / CELL_PX - 1;
    const int near_column = (x - (SAMPLES * CELL_PX - BLOCK_PX) / 2) / CELL_PX + to_x / CELL_PX - 1;
    if (way) take_square(next_cells, across, down, near_row, near_column, SAMPLES + 2, 1, area[1], u, 96);
    __syncthreads();
    if (way) search(ours[0], area[1], SAMPLES + 2, 1, 1, u, &finer);
    __syncthreads();
    if (way) to_y += down_at(finer, 1) * CELL_PX, to_x += over_at(finer, 1) * CELL_PX;
    take_square(next_fine, width, height, y + to_y - FINE_PX, x + to_x - FINE_PX, FINE_SIDE, 1, area[way], u, 96);
    if (u == 0) sums[2 * way] = to_y, sums[2 * way + 1] = to_x;
    __syncthreads();
    search(own, area[way], FINE_SIDE, FINE_PX, STEP_PX, u, &finest[way]);
    __syncthreads();
    int least = resting - REST_BIAS;
    for (int k = 0; k < 2; k++) {
      const int here = (int)(finest[k] >> 12) - STEP_BIAS * (int)(finest[k] >> 8 & 15);
      if (here >= least) continue;
      least = cost = here;
      best_y = sums[2 * k] + down_at(finest[k], FINE_PX);
      best_x = sums[2 * k + 1] + over_at(finest[k], FINE_PX);
    }
    __syncthreads();
  }
  take_square(next_fine, width, height, y + best_y - DISTINCT_PX, x + best_x - DISTINCT_PX, AROUND_SIDE, 1, around, t, 192);
  __syncthreads();
  // A pixel and DISTINCT_PX beside its place; then how much the block varies, and its place.
  for (int task = warp; task < 10; task += 6) {
    const int away = task % 2 ? (task < 4 ? 1 : DISTINCT_PX) : -(task < 4 ? 1 : DISTINCT_PX);
    const int off_y = task < 8 && task % 4 < 2 ? away : 0, off_x = task < 8 && task % 4 >= 2 ? away : 0;
    const short* there = around + (DISTINCT_PX + off_y) * AROUND_SIDE + DISTINCT_PX + off_x;
    int values[COUNT / 32], sum = 0;
#pragma unroll
    for (int k = 0; k < COUNT / 32; k++) {
      const int i = lane + 32 * k;
      const int other = there[i / SAMPLES * STEP_PX * AROUND_SIDE + i % SAMPLES * STEP_PX];
      values[k] = task == 8 ? own[i] : task == 9 ? other : magnitude(own[i] - other);
      sum += values[k];
    }
    sum = summed(sum);
    if (task >= 8) {
      const int mean = (sum + COUNT / 2) / COUNT;
      sum = 0;
#pragma unroll
      for (int k = 0; k < COUNT / 32; k++) sum += magnitude(values[k] - mean);
      sum = summed(sum);
    }
    if (lane == 0) sums[task] = sum;
  }
  __syncthreads();
  if (t > 0) return;
  const int beside = min(min(sums[4], sums[5]), min(sums[6], sums[7]));
  int kind = beside - cost >= DISTINCT_COST ? DISTINCT : 0;
  if (best_y || best_x) kind |= MOVES;
  if (8 * cost >= UNSURE_EIGHTHS * (SURE_NOISE + sums[8] + sums[9])) kind |= LOST;
  const int way_y = best_y * UNITS + between_pixels(sums[0], cost, sums[1]);
  const int way_x = best_x * UNITS + between_pixels(sums[2], cost, sums[3]);
  found[block] = {{way_y, way_x, cost, kind}};
  if (kind & LOST) {
    atomicAdd(&tally->lost, 1);
  } else if (kind & DISTINCT) {
    atomicAdd(&tally->ways[0][way_y + FARTHEST], 1);
    atomicAdd(&tally->ways[1][way_x + FARTHEST], 1);
  }
}
