// In: film (the network's input of ELEMENT), share (of mask_share), Masks. Out: styled (the network's output of ELEMENT), into which so much of the film is mixed. Group 32x8. Reference: gpu.stages.masks.mixed. Tolerance: 1e-5, float32 arithmetic, and half a step of float16. CUDA's own: in place, as a thread alone reads the pixel that it writes; the arithmetic is that of the twin.
#include "common.cuh"
#include "masks.cuh"

// R'G'B' of the film, and its share behind them.
DEVICE Vector<float, 4> film_at(const Element* __restrict__ film, const float* __restrict__ share, const Masks& c, int x, int y) {
  x = clamped(x, 0, (int)c.size[0] - 1);
  y = clamped(y, 0, (int)c.size[1] - 1);
  const size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  return {{load(film, i), load(film, i + plane), load(film, i + 2 * plane), share[(size_t)y * c.size[0] + x]}};
}

extern "C" __global__ void film_mixed(const Element* __restrict__ film, const float* __restrict__ share, Element* styled, Masks c) {
  const uint x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= c.output[0] || y >= c.output[1]) return;
  const float across = (x + 0.5f) * c.size[0] / c.output[0] - 0.5f, down = (y + 0.5f) * c.size[1] / c.output[1] - 0.5f;
  const int left = (int)floorf(across), top = (int)floorf(down);
  const Vector<float, 4> corners[2][2] = {
      {film_at(film, share, c, left, top), film_at(film, share, c, left + 1, top)},
      {film_at(film, share, c, left, top + 1), film_at(film, share, c, left + 1, top + 1)},
  };
  float there[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const float upper = lerp(corners[0][0].v[k], corners[0][1].v[k], across - left);
    there[k] = lerp(upper, lerp(corners[1][0].v[k], corners[1][1].v[k], across - left), down - top);
  }
  const size_t plane = (size_t)c.styled_size[0] * c.styled_size[1], i = (size_t)y * c.styled_size[0] + x;
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const float own = load(styled, i + k * plane);
    store(styled, i + k * plane, own + there[3] * (there[k] - own));
  }
}
