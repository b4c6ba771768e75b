// In: fine of the frame before and of this one, found and tally (of stroke_motion). Out: vectors (y and x in UNITS, where each block goes). Group 256x1, one warp per block of the picture. Reference: settle_motion of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: shared memory and the shuffles of a warp; it does the work of stroke_camera, too.
#include "search.cuh"

#define EACH ((BINS + 255) / 256)

// The way that half of the distinct blocks do not go beyond: the lower median, 0 where there are none.
DEVICE void find_median(const uint* __restrict__ ways, int* median) {
  __shared__ uint before[8];
  const int t = threadIdx.x;
  uint own = 0;
  for (int k = 0; k < EACH; k++) own += t * EACH + k < BINS ? ways[t * EACH + k] : 0;
  uint up_to = own;
#pragma unroll
  for (int k = 1; k < 32; k *= 2) {
    const uint other = __shfl_up_sync(0xffffffffu, up_to, k);
    if (t % 32 >= k) up_to += other;
  }
  if (t % 32 == 31) before[t / 32] = up_to;
  if (t == 0) *median = 0;
  __syncthreads();
  uint all = 0;
  for (int k = 0; k < 8; k++) {
    if (k == t / 32) up_to += all;
    all += before[k];
  }
  const uint wanted = (all - 1) / 2;
  if (all > 0 && own > 0 && up_to - own <= wanted && wanted < up_to) {
    uint passed = up_to - own;
    int at = t * EACH;
    while (passed + ways[at] <= wanted) passed += ways[at++];
    *median = at - FARTHEST;
  }
  __syncthreads();
}

extern "C" __global__ void stroke_settle(
    const short* __restrict__ fine, const short* __restrict__ next_fine, const Found* __restrict__ found,
    const Tally* __restrict__ tally, Vec* vectors, Layers c) {
  __shared__ int medians[2];
  for (int axis = 0; axis < 2; axis++) find_median(tally->ways[axis], &medians[axis]);
  const int block = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (block >= c.blocks[0] * c.blocks[1]) return;
  Vec camera = {{medians[0], medians[1]}};
  if (max(magnitude(camera.v[0]), magnitude(camera.v[1])) < CAMERA_REST) camera = {{0, 0}};
  const Found own = found[block];
  const int kind = own.v[3];
  bool follows = false;
  if (kind == DISTINCT) follows = magnitude(own.v[0] - camera.v[0]) + magnitude(own.v[1] - camera.v[1]) <= UNITS / 2;
  if (kind & LOST || !(kind & DISTINCT)) {
    const int y = block / c.blocks[0] * BLOCK_PX, x = block % c.blocks[0] * BLOCK_PX;
    const int down = divided(camera.v[0] + UNITS / 2, UNITS), over = divided(camera.v[1] + UNITS / 2, UNITS);
    int cost = 0;
    for (int i = lane; i < COUNT; i += 32) {
      const int at_y = y + i / SAMPLES * STEP_PX, at_x = x + i % SAMPLES * STEP_PX;
      cost += magnitude(
          sample_at(fine, c.working[0], c.working[1], at_y, at_x) -
          sample_at(next_fine, c.working[0], c.working[1], at_y + down, at_x + over));
    }
    follows = summed(cost) <= own.v[2] + CAMERA_BIAS;
  }
  if (lane == 0) vectors[block] = follows ? camera : kind & MOVES ? Vec{{own.v[0], own.v[1]}} : Vec{{0, 0}};
}
