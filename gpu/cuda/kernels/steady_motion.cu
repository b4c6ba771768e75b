// In: fine and cells of a frame and of its neighbours, order (the vectors of both searches, y and x, shorter ones first), Steady. Out: found (y and x of each block, for each neighbour from the previous one, or from the frame). Group 96x1, one group per block of the picture and neighbour. Reference: gpu.stages.steady.reference.motion. Tolerance: 0. CUDA's own: shared memory, and both searches of all neighbours in one launch.
#include "steady.cuh"

#define COARSE ((2 * COARSE_CELLS + 1) * (2 * COARSE_CELLS + 1))
#define FINE ((2 * FINE_PX + 1) * (2 * FINE_PX + 1))

// The cost of a vector, with its rank in the lower bits, so that the first of equals is the least.
DEVICE uint cost_of(
    const short* own, const short* other, int width, int height, int y, int x, int vy, int vx, int step, uint bias) {
  uint sum = bias;
  for (int j = 0; j < SAMPLES; j++) {
    for (int i = 0; i < SAMPLES; i++) {
      int at_y = y + j * step, at_x = x + i * step;
      int d = sample_at(own, width, height, at_y, at_x) - sample_at(other, width, height, at_y + vy, at_x + vx);
      sum += d < 0 ? -d : d;
    }
  }
  return sum;
}

DEVICE int size_of(int v) { return v < 0 ? -v : v; }

extern "C" __global__ void steady_motion(
    const short* fine, const short* cells, Near near, const signed char* order, short* found, Steady c) {
  __shared__ uint best[2];
  const int t = threadIdx.x, across = (c.width + BLOCK_PX - 1) / BLOCK_PX, down = (c.height + BLOCK_PX - 1) / BLOCK_PX;
  if (!nearest(blockIdx.y, c)) fine = near.fine[blockIdx.y - 1], cells = near.cells[blockIdx.y - 1];
  const int block = blockIdx.x, by = block / across, bx = block % across, which = blockIdx.y;
  const int cells_across = (c.width + CELL_PX - 1) / CELL_PX, cells_down = (c.height + CELL_PX - 1) / CELL_PX;
  const int step = BLOCK_PX / SAMPLES, corner = BLOCK_PX - SAMPLES * CELL_PX;
  if (t < 2) best[t] = 0xffffffffu;
  __syncthreads();
  if (t < COARSE) {
    int vy = order[2 * t], vx = order[2 * t + 1];
    // Half of `corner` is before the block; both are multiples of a cell.
    int y = by * (BLOCK_PX / CELL_PX) + corner / 2 / CELL_PX, x = bx * (BLOCK_PX / CELL_PX) + corner / 2 / CELL_PX;
    uint bias = STEP_BIAS * (size_of(vy) + size_of(vx));
    uint cost = cost_of(cells, near.cells[which], cells_across, cells_down, y, x, vy, vx, 1, bias);
    atomicMin(&best[0], cost << 8 | t);
  }
  __syncthreads();
  const int first = best[0] & 255;
  const int start_y = order[2 * first] * CELL_PX, start_x = order[2 * first + 1] * CELL_PX;
  const signed char* finer = order + 2 * COARSE;
  const int y = by * BLOCK_PX, x = bx * BLOCK_PX;
  if (t < FINE) {
    int vy = finer[2 * t], vx = finer[2 * t + 1];
    uint bias = STEP_BIAS * (size_of(vy) + size_of(vx));
    uint cost = cost_of(
        fine, near.fine[which], c.width, c.height, y, x, start_y + vy, start_x + vx, step, bias);
    atomicMin(&best[1], cost << 8 | t);
  }
  __syncthreads();
  if (t == 0) {
    uint resting = cost_of(fine, near.fine[which], c.width, c.height, y, x, 0, 0, step, 0);
    bool moves = (best[1] >> 8) + REST_BIAS < resting;
    int second = best[1] & 255;
    size_t at = 2 * ((size_t)which * across * down + block);
    found[at] = (short)(moves ? start_y + finer[2 * second] : 0);
    found[at + 1] = (short)(moves ? start_x + finer[2 * second + 1] : 0);
  }
}
