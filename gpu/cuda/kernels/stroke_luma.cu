// In: picture, Strokes. Out: luma (mean luma of each cell, smoothed). Group 32x8, a group 32x32 cells. Reference: gpu.reference.brush.smoothed of cells. Tolerance: 1e-6.
#include "cells.cuh"
#include "blur.cuh"

extern "C" __global__ void stroke_luma(const Pixel* __restrict__ picture, float* luma, Strokes c) {
  blur(
      c, [&](int column, int row) { return cell_luma(picture, c.size, column, row); },
      [&](size_t cell, float mean) { luma[cell] = mean; });
}
