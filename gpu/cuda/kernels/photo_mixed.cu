// In: painted, source (tensors of R'G'B'), fine luma, share (of mask_share), Output. Out: made (a tensor of floats of the picture's size). Group 32x8. Reference: gpu.stages.tensor_to_planes.look. Tolerance: 1e-5, float32 arithmetic, and half a step of float16. CUDA's own: pixels are packed halves or elements of tensors; the arithmetic is that of the twin. What is not finite stays, for the output to tell.
#include "look.cuh"

extern "C" __global__ void photo_mixed(const Painted* __restrict__ painted, const Element* __restrict__ source,
    const float* __restrict__ fine, const float* __restrict__ share, float* made, Look c) {
  const uint x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  Rgb shown = load_painted(painted, c, x, y);
  const size_t plane = (size_t)c.size[0] * c.size[1], i = (size_t)y * c.size[0] + x;
  if (!not_finite(shown)) {
    const Rgb detailed = saturate(saturate(shown) + c.detail * load_fine(fine, c, x, y));
    shown = detailed + share[i] * (load_source(source, c, x, y) - detailed);
  }
  made[i] = shown.r;
  made[i + plane] = shown.g;
  made[i + 2 * plane] = shown.b;
}
