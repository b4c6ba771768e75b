// In: painted (tensor of R'G'B'), fine luma, Relief. Out: picture, flag. Group 32x8. Reference: gpu.stages.resample.to_target at the same size, + detail. Tolerance: 3e-4. CUDA's own: pixels are packed halves.
#include "relief.cuh"

extern "C" __global__ void relief_begin(
    const Element* painted, const float* fine, Pixel* picture, uint* flag, Relief c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  size_t plane = (size_t)c.painted_size[0] * c.painted_size[1], i = (size_t)y * c.painted_size[0] + x;
  Rgb v = {load(painted, i), load(painted, i + plane), load(painted, i + 2 * plane)};
  if (not_finite(v)) *flag = 1;
  v = cleaned(v);
  size_t o = (size_t)y * c.size[0] + x;
  if (c.detail > 0.0f) {
    float added = c.detail * fine[o];
    v = saturate(v + Rgb{added, added, added});
  }
  picture[o] = pixel_of(v);
}
