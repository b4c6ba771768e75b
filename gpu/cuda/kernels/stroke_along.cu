// In: picture, tensor (of stroke_tensor), offsets (of a line with SAMPLES to each side), Strokes, margin (the largest distance of a sample); with FINISH also fine luma and what is left of cells of the network's input. Out: made, directions; with FINISH only made, which contains the painting beforehand and is blended with the result. Group 32x8. Reference: gpu.reference.brush.along, direction. Tolerance: 3e-4.
#include "cells.cuh"
#include "lines.cuh"

template <bool INSIDE>
DEVICE Rgb mean_at(const Pixel* __restrict__ picture, const int* line, int x, int y, const Strokes& c) {
  Rgb total = c.centre * sample<INSIDE>(picture, c.size, x, y, 0, 0);
#pragma unroll
  for (int k = 0; k < SAMPLES; k++) {
    int down = down_of(line[k]), across = across_of(line[k]);
    Rgb ahead = sample<INSIDE>(picture, c.size, x, y, down, across);
    total = total + weight_at(c.weights, k) * (ahead + sample<INSIDE>(picture, c.size, x, y, -down, -across));
  }
  return total;
}

#ifdef FINISH
// How much of a pixel is left as it is.
DEVICE float left_at(const float* __restrict__ left, const Strokes& c, int x, int y) {
  const int columns = c.corner_cells[0], rows = c.corner_cells[1];
  float across = (x + 0.5f) * c.corner_step[0] - 0.5f, down = (y + 0.5f) * c.corner_step[1] - 0.5f;
  int column = (int)floorf(across), row = (int)floorf(down);
  int first = clamped(column, 0, columns - 1), last = clamped(column + 1, 0, columns - 1);
  const float *upper = left + clamped(row, 0, rows - 1) * columns, *lower = left + clamped(row + 1, 0, rows - 1) * columns;
  float top = lerp(upper[first], upper[last], across - column);
  return lerp(top, lerp(lower[first], lower[last], across - column), down - row);
}
#endif

extern "C" __global__ void stroke_along(
    const Pixel* __restrict__ picture, const Pair* __restrict__ tensor, const int* __restrict__ offsets, Pixel* made,
#ifdef FINISH
    const float* __restrict__ fine, const float* __restrict__ left,
#else
    uint8* directions,
#endif
    Strokes c, int margin) {
  __shared__ int lines[DIRECTIONS * SLOTS];
  load_lines(offsets, lines);
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= (int)c.size[0] || y >= (int)c.size[1]) return;
  const uint direction = direction_at(tensor, c.cells, x, y);
  const int* line = lines + direction * SLOTS;
  Rgb mean = inside(c.size, margin) ? mean_at<true>(picture, line, x, y, c) : mean_at<false>(picture, line, x, y, c);
  const size_t o = (size_t)y * c.size[0] + x;
#ifdef FINISH
  Rgb before = rgb_of(made[o]);
  mean = before + c.brush * (1.0f - left_at(left, c, x, y)) * (mean - before);
  if (c.detail > 0.0f) {
    float added = c.detail * fine[o];
    mean = saturate(mean + Rgb{added, added, added});
  }
#else
  directions[o] = (uint8)direction;
#endif
  made[o] = pixel_of(mean);
}
