// In: rows of half (one per painting), mix. Out: weights of half, then biases of float. Group 256x1. Reference: numpy's mix @ rows. Tolerance: half a step of half. CUDA's own: weights are packed halves for the tensor cores.
#include "common.cuh"

CONSTANTS(BLEND)

extern "C" __global__ void blend(const uint16* rows, const float* mix, uint16* weights, float* biases, Blend c) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, length = c.weights + c.biases;
  if (i >= length) return;
  float sum = 0.0f;
  for (uint k = 0; k < c.paintings; k++) sum += mix[k] * half_to_float(rows[(size_t)k * length + i]);
  if (i < c.weights) weights[i] = float_to_half(sum);
  else biases[i - c.weights] = sum;
}
