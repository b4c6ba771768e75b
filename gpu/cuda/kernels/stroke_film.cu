// In: frame (the network's input of ELEMENT). Out: fine (R' + 2 G' + B' in codes of 8 bits, of the working size). Group 32x8. Reference: film_levels of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: whole numbers of 16 bits, and multiplications that are not fused.
#include "layers.cuh"

extern "C" __global__ void stroke_film(const Element* frame, short* fine, Layers c) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= c.working[0] || y >= c.working[1]) return;
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  float red = load(frame, i), green = load(frame, i + plane), blue = load(frame, i + 2 * plane);
  // Rounded like the processor's: no fused multiply-add.
  float sum = __fadd_rn(__fadd_rn(__fadd_rn(green, green), red), blue);
  fine[(size_t)y * c.working[0] + x] = (short)minimum(maximum(__fadd_rn(__fmul_rn(255.0f, sum), 0.5f), 0.0f), 1020.0f);
}
