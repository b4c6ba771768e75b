// In: source (tensor of R'G'B'), low (tensor of float: means of its luma and of its square, resampled along the rows), filter, Detail. Out: fine luma. Group 32x8. Reference: gpu.stages.detail.detail. Tolerance: 1e-5. CUDA's own: elements of tensors are halves or floats, for lack of views; the arithmetic is that of the twin.
#include "common.cuh"

CONSTANTS(DETAIL)

extern "C" __global__ void detail(
    const Element* source, const float* low, const float* filter, float* fine, Detail c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  size_t plane = (size_t)c.low_size[0] * c.low_size[1];
  const float* row = filter + (size_t)y * (c.taps + 1);  // index of the first sample to read, and the weights
  size_t start = (size_t)(uint)row[0] * c.low_size[0] + x;
  float mean = 0.0f, power = 0.0f;
  for (uint k = 0; k < c.taps; k++) {
    size_t i = start + (size_t)k * c.low_size[0];
    mean += row[1 + k] * low[i];
    power += row[1 + k] * low[i + plane];
  }
  float variance = maximum(power - mean * mean, 0.0f), square = variance * variance;
  float weight = square / (square + c.noise_squared) * c.edge / (variance + c.edge);
  size_t from = (size_t)c.source_size[0] * c.source_size[1], at = (size_t)y * c.source_size[0] + x;
  float luma = luma_of({load(source, at), load(source, at + from), load(source, at + 2 * from)});
  fine[(size_t)y * c.size[0] + x] = weight * (luma - mean);
}
