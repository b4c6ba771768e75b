// In: levels t0 and cells t1 of the frame before, t2 and t3 of a frame, b0. Out: where each block of the frame before is in this one, y and x in UNITS u0, and how many are lost u1. Group 128x1, one group per block. Reference: gpu.reference.carriage.followed. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_CARRY)

READS(int, fine, 0);
READS(int, cells, 1);
READS(int, next_fine, 2);
READS(int, next_cells, 3);
WRITES(int2, vectors, 0);
WRITES_COUNTS(lost, 1);

#define STEP_PX (BLOCK_PX / SAMPLES)
#define SQUARE (SAMPLES * SAMPLES)
#define COARSE_SIDE (SAMPLES + 2 * COARSE_CELLS)
#define COARSE_TRIED (2 * COARSE_CELLS + 1)
#define REACH (FINE_PX + 1)
#define FINE_TRIED (2 * REACH + 1)
#define FINE_SIDE (STEP_PX * (SAMPLES - 1) + 1 + 2 * REACH)
#define FAR 0xffffffffu

groupshared int own[SQUARE];
groupshared int rest[SQUARE];
groupshared int ours[SQUARE];
groupshared int area[FINE_SIDE * FINE_SIDE];
groupshared int costs[2 * FINE_TRIED * FINE_TRIED];
groupshared uint ranks[128];
groupshared int3 sums[SAMPLES];  // of a row: at rest, and of both squares

int level_at(int2 at) {
  at = clamp(at, int2(0, 0), int2(size) - 1);
  return next_fine[at.y * int(size.x) + at.x];
}

int sum_of_all(uint part) {
  int sum = 0;
  for (uint k = 0; k < SAMPLES; k++) sum += sums[k][part];
  return sum;
}

// The best of the ranks, in two steps.
uint best_rank(uint thread, uint count, uint side) {
  GroupMemoryBarrierWithGroupSync();
  uint least = FAR;
  if (thread < side) {
    for (uint k = 0; k < side; k++) least = min(least, ranks[thread * side + k]);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < side) ranks[thread] = least;
  GroupMemoryBarrierWithGroupSync();
  least = FAR;
  for (uint n = 0; n < side; n++) least = min(least, ranks[n]);
  return least;
}

int between_pixels(int before, int here, int after) {
  int rise = max(before, after) - here;
  return rise > 0 ? (UNITS / 2) * (before - after) / rise : 0;
}

[numthreads(128, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint2 grid = (size + CELL_PX - 1) / CELL_PX;
  int2 corner = int2(group.xy) * BLOCK_PX;
  int2 last = int2(grid) - 1;
  int2 within = int2(int(thread % SAMPLES), int(thread / SAMPLES));
  if (thread < SQUARE) {
    int2 at = clamp(corner + STEP_PX * within, int2(0, 0), int2(size) - 1);
    own[thread] = fine[at.y * int(size.x) + at.x];
    rest[thread] = next_fine[at.y * int(size.x) + at.x];
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < SAMPLES) {
    int3 sum = int3(0, 0, 0);
    for (uint k = thread * SAMPLES; k < (thread + 1) * SAMPLES; k++) sum += int3(abs(own[k] - rest[k]), own[k], rest[k]);
    sums[thread] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  int resting = sum_of_all(0), own_mean = (sum_of_all(1) + SQUARE / 2) / SQUARE, rest_mean = (sum_of_all(2) + SQUARE / 2) / SQUARE;
  bool tries = resting > REST_BIAS;

  // Cells, all places around
  ranks[thread] = FAR;
  int2 first_cell = corner / CELL_PX - (SAMPLES * CELL_PX - BLOCK_PX) / 2 / CELL_PX;
  if (tries) {
    if (thread < SQUARE) {
      int2 at = clamp(first_cell + within, int2(0, 0), last);
      ours[thread] = cells[at.y * int(grid.x) + at.x];
    }
    for (uint k = thread; k < COARSE_SIDE * COARSE_SIDE; k += 128) {
      int2 at = clamp(first_cell - COARSE_CELLS + int2(int(k % COARSE_SIDE), int(k / COARSE_SIDE)), int2(0, 0), last);
      area[k] = next_cells[at.y * int(grid.x) + at.x];
    }
  }
  GroupMemoryBarrierWithGroupSync();
  if (tries && thread < COARSE_TRIED * COARSE_TRIED) {
    int2 moved = int2(int(thread % COARSE_TRIED), int(thread / COARSE_TRIED));
    int cost = 0;
    for (int j = 0; j < SAMPLES; j++) {
      UNROLL for (int i = 0; i < SAMPLES; i++) {
        cost += abs(ours[j * SAMPLES + i] - area[(moved.y + j) * COARSE_SIDE + moved.x + i]);
      }
    }
    uint steps = uint(abs(moved.x - COARSE_CELLS) + abs(moved.y - COARSE_CELLS));
    ranks[thread] = (uint(cost) + STEP_BIAS * steps) << 11 | steps << 7 | thread;
  }
  uint found = best_rank(thread, COARSE_TRIED * COARSE_TRIED, COARSE_TRIED) & 127;
  int2 coarse = (int2(int(found % COARSE_TRIED), int(found / COARSE_TRIED)) - COARSE_CELLS) * CELL_PX;
  GroupMemoryBarrierWithGroupSync();

  // Pixels around the best of them, and one farther away, where the least cost is looked for between pixels
  if (tries) {
    for (uint k = thread; k < FINE_SIDE * FINE_SIDE; k += 128) {
      area[k] = level_at(corner + coarse - REACH + int2(int(k % FINE_SIDE), int(k / FINE_SIDE)));
    }
  }
  ranks[thread] = FAR;
  GroupMemoryBarrierWithGroupSync();
  if (tries && thread < 2 * FINE_TRIED * FINE_TRIED) {
    int place = int(thread) / 2, half_ = int(thread) % 2 * (SAMPLES / 2);
    int2 moved = int2(place % FINE_TRIED, place / FINE_TRIED);
    int cost = 0;
    for (int j = half_; j < half_ + SAMPLES / 2; j++) {
      UNROLL for (int i = 0; i < SAMPLES; i++) {
        cost += abs(own[j * SAMPLES + i] - area[(moved.y + j * STEP_PX) * FINE_SIDE + moved.x + i * STEP_PX]);
      }
    }
    costs[thread] = cost;
  }
  GroupMemoryBarrierWithGroupSync();
  const uint side = 2 * FINE_PX + 1;
  if (tries && thread < side * side) {
    int2 moved = int2(int(thread % side), int(thread / side)) - FINE_PX;
    uint place = uint((moved.y + REACH) * FINE_TRIED + moved.x + REACH), steps = uint(abs(moved.x) + abs(moved.y));
    ranks[thread] = (uint(costs[2 * place] + costs[2 * place + 1]) + STEP_BIAS * steps) << 11 | steps << 7 | thread;
  }
  found = best_rank(thread, side * side, side) & 127;
  int2 moved = int2(int(found % side), int(found / side)) - FINE_PX;
  uint place = uint((moved.y + REACH) * FINE_TRIED + moved.x + REACH), down = FINE_TRIED;
  int cost = resting;
  int2 vector_ = int2(0, 0);
  bool moves = false;
  if (tries) {
    int moving = costs[2 * place] + costs[2 * place + 1];
    if (moving + STEP_BIAS * (abs(moved.x) + abs(moved.y)) + REST_BIAS < resting) {
      moves = true;
      cost = moving;
      vector_ = (coarse + moved) * UNITS;
      uint left = place - 1, right = place + 1, above = place - down, below = place + down;
      vector_.x += between_pixels(costs[2 * left] + costs[2 * left + 1], moving, costs[2 * right] + costs[2 * right + 1]);
      vector_.y += between_pixels(costs[2 * above] + costs[2 * above + 1], moving, costs[2 * below] + costs[2 * below + 1]);
    }
  }

  // How much the block and its place vary in themselves
  if (thread < SQUARE && moves) rest[thread] = area[(moved.y + REACH + within.y * STEP_PX) * FINE_SIDE + moved.x + REACH + within.x * STEP_PX];
  GroupMemoryBarrierWithGroupSync();
  if (thread < SAMPLES) {
    int sum = 0;
    for (uint k = thread * SAMPLES; k < (thread + 1) * SAMPLES; k++) sum += rest[k];
    sums[thread].z = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  rest_mean = (sum_of_all(2) + SQUARE / 2) / SQUARE;
  GroupMemoryBarrierWithGroupSync();
  if (thread < SAMPLES) {
    int sum = 0;
    for (uint k = thread * SAMPLES; k < (thread + 1) * SAMPLES; k++) sum += abs(own[k] - own_mean) + abs(rest[k] - rest_mean);
    sums[thread].x = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    bool gone = 8 * cost >= UNSURE_EIGHTHS * (SURE_NOISE + sum_of_all(0));
    vectors[group.y * ((size.x + BLOCK_PX - 1) / BLOCK_PX) + group.x] = gone ? int2(0, 0) : vector_.yx;
    if (gone) ADD_COUNT(lost, 0, 1);
  }
}
