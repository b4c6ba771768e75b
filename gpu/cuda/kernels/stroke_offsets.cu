// In: touched (of stroke_count). Out: firsts (where each tile's list begins, and where the last one ends). Group 1024x1, one group. Reference: running sums. Tolerance: 0. CUDA's own: one group sums all tiles by the shuffles of its warps.
#include "layers.cuh"

extern "C" __global__ void stroke_offsets(const uint* __restrict__ touched, uint* firsts, Layers c) {
  __shared__ uint sums[32];
  const int t = threadIdx.x, count = c.tiles[0] * c.tiles[1];
  uint before = 0;
  for (int first = 0; first < count; first += 4096) {
    const int at = first + 4 * t;
    uint own[4], sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      own[k] = sum;
      sum += at + k < count ? touched[at + k] : 0;
    }
    uint up_to = sum;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
      const uint other = __shfl_up_sync(0xffffffffu, up_to, k);
      if (t % 32 >= k) up_to += other;
    }
    if (t % 32 == 31) sums[t / 32] = up_to;
    __syncthreads();
    if (t < 32) {
      uint all = sums[t];
#pragma unroll
      for (int k = 1; k < 32; k *= 2) {
        const uint other = __shfl_up_sync(0xffffffffu, all, k);
        if (t >= k) all += other;
      }
      sums[t] = all;
    }
    __syncthreads();
    const uint begin = before + (t >= 32 ? sums[t / 32 - 1] : 0) + up_to - sum;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      if (at + k < count) firsts[at + k] = begin + own[k];
    }
    before += sums[31];
    __syncthreads();
  }
  if (t == 0) firsts[count] = before;
}
