// In: levels t0 and means t1 of a frame, t2 and t3 of its neighbour, b0. Out: a vector for each block u0, x and y. Group 16x8, one group per block. Reference: gpu.stages.steady.reference.motion. Tolerance: 0.
#include "steady.hlsli"

READS(uint, fine, 0);
READS(float, means, 1);
READS(uint, near_fine, 2);
READS(float, near_means, 3);
WRITES(int, vectors, 0);

#define THREADS 128
#define COARSE_SIDE (2 * COARSE_CELLS + 1)
#define FINE_SIDE (2 * FINE_PX + 1)
#define AROUND (SAMPLES + 2 * COARSE_CELLS)
#define WINDOW (STRIDE * (SAMPLES - 1) + FINE_SIDE)

groupshared float own[SQUARE];
groupshared float near[WINDOW * WINDOW];  // either search's; that of the first is smaller
groupshared uint costs[THREADS];
groupshared float rests[SQUARE];

// The cost of a vector, followed by its rank among equals: shorter ones first, then by y and x.
uint ranked(float difference, int2 vector_, int reach) {
  uint steps = uint(abs(vector_.x) + abs(vector_.y));
  uint2 from_corner = uint2(vector_ + reach);
  return (uint(difference) + STEP_BIAS * steps) * 1024 + (steps * 9 + from_corner.y) * 9 + from_corner.x;
}

int2 vector_of(uint rank, int reach) {
  uint place_ = rank % 1024;
  return int2(int(place_ % 9), int((place_ / 9) % 9)) - reach;
}

// The least cost of all threads.
uint least(uint thread, uint cost) {
  costs[thread] = cost;
  for (uint half_ = THREADS / 2; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_) costs[thread] = min(costs[thread], costs[thread + half_]);
  }
  GroupMemoryBarrierWithGroupSync();
  return costs[0];
}

// The cost of the vector of a thread, whose samples in the window begin at `at`. side: of the window. stride: of its samples.
uint cost_of(uint2 at, uint side, uint stride, int reach) {
  float difference = 0.0;
  for (uint m = 0; m < SAMPLES; m++) {
    for (uint n = 0; n < SAMPLES; n++) {
      difference += abs(own[m * SAMPLES + n] - near[(at.y + stride * m) * side + at.x + stride * n]);
    }
  }
  return ranked(difference, int2(at) - reach, reach);
}

[numthreads(16, 8, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  int2 block = int2(group.xy), sample_ = int2(int(thread % SAMPLES), int(thread / SAMPLES));
  int2 corner = block * (BLOCK_PX / CELL_PX) - (SAMPLES - BLOCK_PX / CELL_PX) / 2;
  if (thread < SQUARE) own[thread] = means[place(corner + sample_, cells)];
  for (uint i = thread; i < AROUND * AROUND; i += THREADS) {
    near[i] = near_means[place(corner - COARSE_CELLS + int2(int(i % AROUND), int(i / AROUND)), cells)];
  }
  GroupMemoryBarrierWithGroupSync();
  uint cost = 0xffffffff;
  if (thread < COARSE_SIDE * COARSE_SIDE) {
    cost = cost_of(uint2(thread % COARSE_SIDE, thread / COARSE_SIDE), AROUND, 1, COARSE_CELLS);
  }
  int2 around = vector_of(least(thread, cost), COARSE_CELLS) * CELL_PX;
  corner = block * BLOCK_PX;
  if (thread < SQUARE) {
    int2 at = corner + STRIDE * sample_;
    own[thread] = float(LEVEL(fine, at));
    rests[thread] = abs(own[thread] - float(LEVEL(near_fine, at)));
  }
  for (uint j = thread; j < WINDOW * WINDOW; j += THREADS) {
    near[j] = float(LEVEL(near_fine, corner + around - FINE_PX + int2(int(j % WINDOW), int(j / WINDOW))));
  }
  for (uint half_ = SQUARE / 2; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_) rests[thread] += rests[thread + half_];
  }
  cost = 0xffffffff;
  if (thread < FINE_SIDE * FINE_SIDE) {
    cost = cost_of(uint2(thread % FINE_SIDE, thread / FINE_SIDE), WINDOW, STRIDE, FINE_PX);
  }
  uint best = least(thread, cost);
  if (thread == 0) {
    int2 found = int2(0, 0);
    if (float(best / 1024 + REST_BIAS) < rests[0]) found = around + vector_of(best, FINE_PX);
    uint o = 2 * (group.y * grid.x + group.x);
    vectors[o] = found.x;
    vectors[o + 1] = found.y;
  }
}
