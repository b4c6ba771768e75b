// In: fine of a frame and of its neighbours, found (of steady_motion), Steady. Out: vectors (y and x of each block, for each neighbour from the frame) and sure (confidence 0..1, at most that of the previous neighbour). Group 64x1, one group per block of the picture, one thread per sample. Reference: gpu.stages.steady.reference.followed and match_confidence. Tolerance: 0 and 1e-5. CUDA's own: shared memory, and all neighbours in one launch.
#include "steady.cuh"

// The sum over all threads of a group.
DEVICE int summed(int value, int* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = SAMPLES * SAMPLES / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  int sum = shared[0];
  __syncthreads();
  return sum;
}

DEVICE int apart(int a, int b) { return a < b ? b - a : a - b; }

extern "C" __global__ void steady_follow(
    const short* fine, Near near, const short* found, short* vectors, float* sure, Steady c) {
  __shared__ int shared[SAMPLES * SAMPLES];
  const int across = (c.width + BLOCK_PX - 1) / BLOCK_PX, down = (c.height + BLOCK_PX - 1) / BLOCK_PX;
  const int block = blockIdx.x, by = block / across, bx = block % across, count = SAMPLES * SAMPLES;
  const int y = by * BLOCK_PX + threadIdx.x / SAMPLES * (BLOCK_PX / SAMPLES);
  const int x = bx * BLOCK_PX + threadIdx.x % SAMPLES * (BLOCK_PX / SAMPLES);
  const int own = sample_at(fine, c.width, c.height, y, x);
  const int mean = (summed(own, shared) + count / 2) / count;
  const int deviation = summed(apart(own, mean), shared);
  int vy = 0, vx = 0;
  float so_far = 1.0f;
  for (int n = 0; n < c.count; n++) {
    if (nearest(n, c)) vy = vx = 0, so_far = 1.0f;
    int on_y = clamped(by * BLOCK_PX + BLOCK_PX / 2 + vy, 0, down * BLOCK_PX - 1) / BLOCK_PX;
    int on_x = clamped(bx * BLOCK_PX + BLOCK_PX / 2 + vx, 0, across * BLOCK_PX - 1) / BLOCK_PX;
    const short* on = found + 2 * ((size_t)(n * down + on_y) * across + on_x);
    vy += on[0];
    vx += on[1];
    int other = sample_at(near.fine[n], c.width, c.height, y + vy, x + vx);
    int near_mean = (summed(other, shared) + count / 2) / count;
    int difference = summed(apart(own, other), shared);
    int variation = SURE_NOISE + deviation + summed(apart(other, near_mean), shared);
    so_far = minimum(so_far, saturate(2.0f - difference / (SURE_SHARE * variation)));
    if (threadIdx.x == 0) {
      size_t at = (size_t)n * across * down + block;
      vectors[2 * at] = (short)vy;
      vectors[2 * at + 1] = (short)vx;
      sure[at] = so_far;
    }
  }
}
