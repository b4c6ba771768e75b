// In: source (a tensor of ELEMENT), noise, Laying. Out: made (the source as far as it is laid on the bare canvas, a tensor as large). Group 32x8. Reference: gpu.stages.strokes.laying.laid. Tolerance: 1e-5, float32 arithmetic, and half a step of float16; of 2 % a hair of the front may be its neighbour. CUDA's own: none; the arithmetic is that of the twin.
#include "common.cuh"

CONSTANTS(LAYING)
#define WASH const float *__restrict__ noise,
#define NOISE(k) noise[k]
#include "wash.h"

extern "C" __global__ void source_laid(const Element* __restrict__ source, const float* __restrict__ noise, Element* made, Laying c) {
  const uint x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  const float opacity = wash_at(noise, c.front, (x + 0.5f) / c.size[0], (y + 0.5f) / c.size[1]);
  const size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
#pragma unroll
  for (int k = 0; k < 3; k++) store(made, i + k * plane, c.bare[k] + opacity * (load(source, i + k * plane) - c.bare[k]));
}
