// In: picture, directions (of stroke_along), luma (of stroke_luma), offsets (of a line with SAMPLES - 1 to each side; the last is the reach of the second difference), Strokes, margin (the largest distance of a sample). Out: made. Group 32x8. Reference: gpu.reference.brush.sharpened. Tolerance: 3e-4.
#include "cells.cuh"
#include "lines.cuh"

// The darkest (sign 1) or lightest (-1) pixel of the line: of equal ones the nearest, and at equal distances the previous one.
template <bool INSIDE>
DEVICE Rgb extreme_at(const Pixel* __restrict__ picture, const int* line, int x, int y, float sign, Rgb own, const uint size[2]) {
  Rgb found = own;
  float best = sign * luma_of(own);
#pragma unroll
  for (int k = 0; k < SAMPLES - 1; k++) {
#pragma unroll
    for (int side = 1; side >= -1; side -= 2) {
      Rgb v = sample<INSIDE>(picture, size, x, y, side * down_of(line[k]), side * across_of(line[k]));
      float value = sign * luma_of(v);
      if (value < best) best = value, found = v;
    }
  }
  return found;
}

extern "C" __global__ void stroke_sharpen(
    const Pixel* __restrict__ picture, const uint8* __restrict__ directions, const float* __restrict__ luma,
    const int* __restrict__ offsets, Pixel* made, Strokes c, int margin) {
  __shared__ int lines[DIRECTIONS * SLOTS];
  load_lines(offsets, lines);
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= (int)c.size[0] || y >= (int)c.size[1]) return;
  const size_t o = (size_t)y * c.size[0] + x;
  const int* line = lines + (directions[o] + DIRECTIONS / 2) % DIRECTIONS * SLOTS;
  const int down = down_of(line[SAMPLES - 1]), across = across_of(line[SAMPLES - 1]);
  float second = between(luma, c.cells, x + across, y + down) + between(luma, c.cells, x - across, y - down) -
                 2.0f * between(luma, c.cells, x, y);
  float weight = minimum(maximum(second / c.sharp, -1.0f), 1.0f), sign = weight > 0.0f ? 1.0f : -1.0f;
  Rgb own = rgb_of(picture[o]);
  Rgb found = inside(c.size, margin) ? extreme_at<true>(picture, line, x, y, sign, own, c.size)
                                     : extreme_at<false>(picture, line, x, y, sign, own, c.size);
  float apart = sign * (luma_of(own) - luma_of(found));
  made[o] = pixel_of(own + fabsf(weight) * minimum(apart / c.grain, 1.0f) * (found - own));
}
