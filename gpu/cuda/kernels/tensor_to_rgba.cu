// In: painted, source (tensors of R'G'B'), fine luma, Output. Out: RGBA of 8 bits, flag. Group 32x8. Reference: gpu.stages.tensor_to_planes.look + rgb_to_output. Tolerance: 1 code. CUDA's own: pixels are packed halves or elements of tensors. What is shown is gpu/kernels/look.h.
#include "look.cuh"

extern "C" __global__ void tensor_to_rgba(
    const Painted* painted, const Element* source, const float* fine, uint* picture, uint* flag, Look c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  Rgb styled = load_painted(painted, c, x, y);
  if (not_finite(styled)) *flag = 1;
  Rgb shown = shown_at(c, cleaned(styled), source, fine, x, y);
  uint code = c.top << 24, index = bayer_index(x, y);
  for (int k = 0; k < 3; k++) code |= rounded(c, affine(c.codes[k], shown), index) << (8 * k);
  picture[(size_t)y * c.size[0] + x] = code;
}
