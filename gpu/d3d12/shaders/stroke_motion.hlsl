// In: levels t0, cells t1 and cells of 2x2 cells t2 of the frame before, and the same of a frame t3 to t5, b0. Out: where each block of the frame before is found in this one u0: y and x in UNITS, what that costs, and DISTINCT, MOVES, LOST; how many are lost u1. Group 192x1, one group per block. Reference: gpu.stages.strokes.advection.found. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_CARRY)
#include "levels.hlsli"

READS(uint, fine, 0);
READS(int, cells, 1);
READS(int, far_cells, 2);
READS(uint, next_fine, 3);
READS(int, next_cells, 4);
READS(int, next_far_cells, 5);
WRITES(int4, found, 0);
WRITES_COUNTS(lost, 1);

#define THREADS 192
#define HALF 96  // of the threads, for each of the two ways to search
#define STEP_PX (BLOCK_PX / SAMPLES)
#define SQUARE (SAMPLES * SAMPLES)
#define CORNER ((SAMPLES * CELL_PX - BLOCK_PX) / 2)
#define FAR_CORNER ((2 * SAMPLES * CELL_PX - BLOCK_PX) / 2)
#define COARSE_SIDE (SAMPLES + 2 * COARSE_CELLS)
#define COARSE_TRIED (2 * COARSE_CELLS + 1)
#define FINE_TRIED (2 * FINE_PX + 1)
#define FINE_SIDE (STEP_PX * (SAMPLES - 1) + 1 + 2 * FINE_PX)
#define BESIDE 8  // places beside the one that is found, at one and at DISTINCT_PX pixels
#define WORST 0xffffffffu

groupshared int own[SQUARE];
groupshared int there[SQUARE];
groupshared int ours[2 * SQUARE];
groupshared int area[2 * FINE_SIDE * FINE_SIDE];
groupshared int costs[THREADS];
groupshared uint ranks[THREADS];
groupshared int2 sums[SAMPLES];
groupshared int rows[BESIDE * SAMPLES];

int place_in(int2 at, int2 all) {
  at = clamp(at, int2(0, 0), all - 1);
  return at.y * all.x + at.x;
}

uint ranked(int cost, int2 steps, uint number) {
  uint far = uint(abs(steps.x) + abs(steps.y));
  return (uint(cost) + STEP_BIAS * far) << 11 | far << 7 | number;
}

// The best of side * side ranks of each way; a thread gets that of its own.
uint best_rank(uint thread, uint side) {
  uint way = thread / HALF, number = thread % HALF, least = WORST;
  GroupMemoryBarrierWithGroupSync();
  if (number < side) {
    for (uint k = 0; k < side; k++) least = min(least, ranks[way * HALF + number * side + k]);
  }
  GroupMemoryBarrierWithGroupSync();
  if (number < side) ranks[way * HALF + number] = least;
  GroupMemoryBarrierWithGroupSync();
  least = WORST;
  for (uint n = 0; n < side; n++) least = min(least, ranks[way * HALF + n]);
  GroupMemoryBarrierWithGroupSync();
  return least & 127;
}

int between_pixels(int before, int here, int after) {
  int rise = max(before, after) - here;
  if (rise <= 0) return 0;
  int most = UNITS * here / rise;  // lines of that slope cost as much here as they are away
  return clamp((UNITS / 2) * (before - after) / rise, -most, most);
}

int2 sum_of_rows() {
  int2 sum = int2(0, 0);
  for (uint k = 0; k < SAMPLES; k++) sum += sums[k];
  return sum;
}

[numthreads(192, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  int2 all = int2(size), near_grid = (all + CELL_PX - 1) / CELL_PX, far_grid = (near_grid + 1) / 2;
  int2 corner = int2(group.xy) * BLOCK_PX;
  uint way = thread / HALF, number = thread % HALF, k;
  int2 within = int2(int(thread % SAMPLES), int(thread / SAMPLES));
  if (thread < SQUARE) {
    int2 at = corner + STEP_PX * within;
    own[thread] = LEVEL(fine, at);
    there[thread] = LEVEL(next_fine, at);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < SAMPLES) {
    int2 sum = int2(0, 0);
    for (k = thread * SAMPLES; k < (thread + 1) * SAMPLES; k++) sum += int2(abs(own[k] - there[k]), own[k]);
    sums[thread] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  int2 both = sum_of_rows();
  int resting = both.x, own_mean = (both.y + SQUARE / 2) / SQUARE;
  bool tries = resting > REST_BIAS;
  int2 far_cell = int2(group.xy) * (BLOCK_PX / (2 * CELL_PX)) - FAR_CORNER / (2 * CELL_PX);
  int2 cell = int2(group.xy) * (BLOCK_PX / CELL_PX) - CORNER / CELL_PX;

  // One way: in cells, all places around. The other: in cells of 2x2 cells, and then in cells near the best of these.
  if (tries) {
    for (k = number; k < SQUARE; k += HALF) {
      int2 at = int2(int(k % SAMPLES), int(k / SAMPLES));
      ours[way * SQUARE + k] = way == 0 ? cells[place_in(cell + at, near_grid)] : far_cells[place_in(far_cell + at, far_grid)];
    }
    for (k = number; k < COARSE_SIDE * COARSE_SIDE; k += HALF) {
      int2 at = int2(int(k % COARSE_SIDE), int(k / COARSE_SIDE)) - COARSE_CELLS;
      int value = way == 0 ? next_cells[place_in(cell + at, near_grid)] : next_far_cells[place_in(far_cell + at, far_grid)];
      area[way * FINE_SIDE * FINE_SIDE + k] = value;
    }
  }
  ranks[thread] = WORST;
  GroupMemoryBarrierWithGroupSync();
  if (tries && number < COARSE_TRIED * COARSE_TRIED) {
    int2 moved = int2(int(number % COARSE_TRIED), int(number / COARSE_TRIED));
    int cost = 0, from = int(way) * FINE_SIDE * FINE_SIDE + moved.y * COARSE_SIDE + moved.x;
    for (int j = 0; j < SAMPLES; j++) {
      UNROLL for (int i = 0; i < SAMPLES; i++) cost += abs(ours[int(way) * SQUARE + j * SAMPLES + i] - area[from + j * COARSE_SIDE + i]);
    }
    ranks[thread] = ranked(cost, moved - COARSE_CELLS, number);
  }
  uint best = best_rank(thread, COARSE_TRIED);
  int2 around = int2(int(best % COARSE_TRIED), int(best / COARSE_TRIED)) - COARSE_CELLS;
  if (way == 1) around *= 2;
  if (tries && way == 1) {
    for (k = number; k < SQUARE; k += HALF) ours[SQUARE + k] = cells[place_in(cell + int2(int(k % SAMPLES), int(k / SAMPLES)), near_grid)];
    const uint side = SAMPLES + 2;
    for (k = number; k < side * side; k += HALF) {
      area[FINE_SIDE * FINE_SIDE + k] = next_cells[place_in(cell + around - 1 + int2(int(k % side), int(k / side)), near_grid)];
    }
  }
  ranks[thread] = WORST;
  GroupMemoryBarrierWithGroupSync();
  if (tries && way == 1 && number < 9) {
    int2 moved = int2(int(number % 3), int(number / 3));
    int cost = 0, from = FINE_SIDE * FINE_SIDE + moved.y * (SAMPLES + 2) + moved.x;
    for (int j = 0; j < SAMPLES; j++) {
      UNROLL for (int i = 0; i < SAMPLES; i++) cost += abs(ours[SQUARE + j * SAMPLES + i] - area[from + j * (SAMPLES + 2) + i]);
    }
    ranks[thread] = ranked(cost, moved - 1, number);
  }
  best = best_rank(thread, 3);
  if (way == 1) around += int2(int(best % 3), int(best / 3)) - 1;
  around *= CELL_PX;

  // Pixels around the best of each way
  if (tries) {
    for (k = number; k < FINE_SIDE * FINE_SIDE; k += HALF) {
      int2 at = corner + around - FINE_PX + int2(int(k % FINE_SIDE), int(k / FINE_SIDE));
      area[way * FINE_SIDE * FINE_SIDE + k] = LEVEL(next_fine, at);
    }
  }
  ranks[thread] = WORST;
  GroupMemoryBarrierWithGroupSync();
  if (tries && number < FINE_TRIED * FINE_TRIED) {
    int2 moved = int2(int(number % FINE_TRIED), int(number / FINE_TRIED));
    int cost = 0, from = int(way) * FINE_SIDE * FINE_SIDE + moved.y * FINE_SIDE + moved.x;
    for (int j = 0; j < SAMPLES; j++) {
      UNROLL for (int i = 0; i < SAMPLES; i++) cost += abs(own[j * SAMPLES + i] - area[from + j * STEP_PX * FINE_SIDE + i * STEP_PX]);
    }
    costs[thread] = cost;
    ranks[thread] = ranked(cost, moved - FINE_PX, number);
  }
  best = best_rank(thread, FINE_TRIED);
  int2 vector_ = around + int2(int(best % FINE_TRIED), int(best / FINE_TRIED)) - FINE_PX;
  if (number == 0) {
    // What each way has found
    rows[4 * way] = vector_.x;
    rows[4 * way + 1] = vector_.y;
    rows[4 * way + 2] = tries ? costs[way * HALF + best] : 0x7fffffff;
  }
  GroupMemoryBarrierWithGroupSync();
  int cost = resting, least = resting - REST_BIAS;
  int2 place_found = int2(0, 0);
  for (k = 0; k < 2; k++) {
    int here = rows[4 * k + 2];
    if (tries && here < least) {
      least = here;
      cost = here;
      place_found = int2(rows[4 * k], rows[4 * k + 1]);
    }
  }
  GroupMemoryBarrierWithGroupSync();

  // Between pixels; whether it could as well be beside; and how much the block and its place vary in themselves
  if (thread < BESIDE * SAMPLES) {
    uint place = thread / SAMPLES, row = thread % SAMPLES;
    int away = (place < 4 ? 1 : DISTINCT_PX) * (place % 2 == 1 ? 1 : -1);
    int2 from = corner + place_found + (place % 4 < 2 ? int2(0, away) : int2(away, 0)) + int2(0, int(row) * STEP_PX);
    int sum = 0;
    for (int i = 0; i < SAMPLES; i++) sum += abs(own[row * SAMPLES + uint(i)] - LEVEL(next_fine, from + int2(i * STEP_PX, 0)));
    rows[thread] = sum;
  } else if (thread < BESIDE * SAMPLES + SQUARE) {
    uint sample = thread - BESIDE * SAMPLES;
    int2 at = int2(int(sample % SAMPLES), int(sample / SAMPLES));
    there[sample] = LEVEL(next_fine, corner + place_found + STEP_PX * at);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < BESIDE) {
    int sum = 0;
    for (k = 0; k < SAMPLES; k++) sum += rows[thread * SAMPLES + k];
    costs[thread] = sum;
  } else if (thread < BESIDE + SAMPLES) {
    int sum = 0;
    for (k = 0; k < SAMPLES; k++) sum += there[(thread - BESIDE) * SAMPLES + k];
    sums[thread - BESIDE] = int2(sum, 0);
  }
  GroupMemoryBarrierWithGroupSync();
  int mean = (sum_of_rows().x + SQUARE / 2) / SQUARE;
  GroupMemoryBarrierWithGroupSync();
  if (thread < SAMPLES) {
    int sum = 0;
    for (k = thread * SAMPLES; k < (thread + 1) * SAMPLES; k++) sum += abs(own[k] - own_mean) + abs(there[k] - mean);
    sums[thread] = int2(sum, 0);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    int beside = min(min(costs[4], costs[5]), min(costs[6], costs[7])), kind = 0;
    if (beside - cost >= DISTINCT_COST) kind = DISTINCT;
    if (any(place_found != 0)) kind |= MOVES;
    if (8 * cost >= UNSURE_EIGHTHS * (SURE_NOISE + sum_of_rows().x)) {
      kind |= LOST;
      ADD_COUNT(lost, 0, 1);
    }
    int2 fit = int2(between_pixels(costs[2], cost, costs[3]), between_pixels(costs[0], cost, costs[1]));
    int2 moved = place_found * UNITS + fit;
    found[group.y * ((size.x + BLOCK_PX - 1) / BLOCK_PX) + group.x] = int4(moved.y, moved.x, cost, kind);
  }
}
