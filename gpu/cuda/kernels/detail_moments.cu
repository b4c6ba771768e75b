// In: source (tensor of R'G'B'), filter, Resample. Out: tensor of float: luma, its square, 0; resampled along the rows. Group 32x8. Reference: gpu.stages.detail.detail. Tolerance: 1e-6. CUDA's own: elements of tensors are halves or floats, for lack of views; the arithmetic is that of the twin.
#include "common.cuh"
#include "resample.cuh"

extern "C" __global__ void detail_moments(const Element* source, const float* filter, float* tensor, Resample c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  size_t from = (size_t)c.input_size[0] * c.input_size[1], to = (size_t)c.padded[0] * c.padded[1];
  const float* row = filter + (size_t)x * (c.taps + 1);  // index of the first sample to read, and the weights
  size_t start = (size_t)y * c.input_size[0] + (uint)row[0];
  float mean = 0.0f, square = 0.0f;
  for (uint k = 0; k < c.taps; k++) {
    float luma = luma_of({load(source, start + k), load(source, start + k + from), load(source, start + k + 2 * from)});
    mean += row[1 + k] * luma;
    square += row[1 + k] * luma * luma;
  }
  size_t o = (size_t)y * c.padded[0] + x;
  tensor[o] = mean;
  tensor[o + to] = square;
  tensor[o + 2 * to] = 0.0f;
}
