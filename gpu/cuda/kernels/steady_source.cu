// In: frame (the network's input of ELEMENT), styled (its output), Steady. Out: source (3 planes) and fine (the mean of both in R' + 2 G' + B'), whole numbers. Group 32x8. Reference: gpu.stages.steady.reference.sixteenths and levels. Tolerance: 0 for 8 bits. CUDA's own: whole numbers of 16 bits; steady_levels is its counterpart.
#include "steady.cuh"

DEVICE int luma(Rgb v) { return (int)floorf(255.0f * (v.r + 2.0f * v.g + v.b) + 0.5f); }

extern "C" __global__ void steady_source(
    const Element* frame, const Element* styled, short* source, short* fine, Steady c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.width || y >= c.height) return;
  size_t plane = (size_t)c.padded_width * c.padded_height, from = (size_t)y * c.padded_width + x;
  size_t own = (size_t)c.width * c.height, to = (size_t)y * c.width + x;
  Rgb rgb = {load(frame, from), load(frame, from + plane), load(frame, from + 2 * plane)};
  source[to] = (short)floorf(255.0f * SIXTEENTHS * rgb.r + 0.5f);
  source[to + own] = (short)floorf(255.0f * SIXTEENTHS * rgb.g + 0.5f);
  source[to + 2 * own] = (short)floorf(255.0f * SIXTEENTHS * rgb.b + 0.5f);
  size_t painted = (size_t)c.styled_width * c.styled_height;
  size_t middle = (size_t)(y * c.scale + c.scale / 2) * c.styled_width + x * c.scale + c.scale / 2;
  Rgb painting = {load(styled, middle), load(styled, middle + painted), load(styled, middle + 2 * painted)};
  fine[to] = (short)((luma(rgb) + luma(cleaned(painting)) + 1) / 2);
}
