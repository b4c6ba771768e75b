// In: frame (the network's input of ELEMENT), Steady. Out: source (3 planes) and fine (R' + 2 G' + B'), whole numbers. Group 32x8. Reference: gpu.reference.steady.sixteenths and levels. Tolerance: 0.
#include "steady.cuh"

extern "C" __global__ void steady_source(const Element* frame, short* source, short* fine, Steady c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.width || y >= c.height) return;
  size_t plane = (size_t)c.padded_width * c.padded_height, from = (size_t)y * c.padded_width + x;
  size_t own = (size_t)c.width * c.height, to = (size_t)y * c.width + x;
  int rgb[3];
  for (int k = 0; k < 3; k++) {
    rgb[k] = (int)floorf(255.0f * SIXTEENTHS * load(frame, from + k * plane) + 0.5f);
    source[to + k * own] = (short)rgb[k];
  }
  fine[to] = (short)((rgb[0] + 2 * rgb[1] + rgb[2] + SIXTEENTHS / 2) / SIXTEENTHS);
}
