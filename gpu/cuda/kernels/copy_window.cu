// In: tensor, Window. Out: tensor. Group 32x8. Copies a rectangle of 3 planes. Reference: numpy slices. Tolerance: 0. CUDA's own: halves are copied as they are, for lack of views that hide the element.
#include "common.cuh"

CONSTANTS(WINDOW)

extern "C" __global__ void copy_window(const Element* from, Element* to, Window c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.window[0] || y >= c.window[1]) return;
  size_t i = (size_t)(c.from_origin[1] + y) * c.from_size[0] + c.from_origin[0] + x;
  size_t o = (size_t)(c.to_origin[1] + y) * c.to_size[0] + c.to_origin[0] + x;
  size_t from_plane = (size_t)c.from_size[0] * c.from_size[1], to_plane = (size_t)c.to_size[0] * c.to_size[1];
  for (int k = 0; k < 3; k++) to[o + k * to_plane] = from[i + k * from_plane];
}
