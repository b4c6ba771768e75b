// Grids of cells of CELL_PX x CELL_PX pixels, and the stroke direction from a grid of tensors. DIRECTIONS is that of gpu/stages/brush.py.
#include "strokes.cuh"

#define FAR_CELLS 4096  // no position is this many cells outside a picture

// A pixel's position along one axis: the two cells between whose centres it lies, within the grid, and the weight of the second.
struct Place {
  int low, high;
  float over;
};

DEVICE Place place_of(int pixel, int length) {
  uint halves = 2 * pixel + 1 - CELL_PX + 2 * CELL_PX * FAR_CELLS;  // of a pixel, from the centre of a cell far outside
  int low = (int)(halves / (2 * CELL_PX)) - FAR_CELLS;
  float over = (halves % (2 * CELL_PX)) * (1.0f / (2 * CELL_PX));
  return {clamped(low, 0, length - 1), clamped(low + 1, 0, length - 1), over};
}

DEVICE float between(const float* __restrict__ grid, const uint cells[2], int x, int y) {
  Place across = place_of(x, cells[0]), down = place_of(y, cells[1]);
  const float *upper = grid + (size_t)down.low * cells[0], *lower = grid + (size_t)down.high * cells[0];
  float top = lerp(upper[across.low], upper[across.high], across.over);
  return lerp(top, lerp(lower[across.low], lower[across.high], across.over), down.over);
}

DEVICE Pair lerp(Pair a, Pair b, float w) { return {{lerp(a.v[0], b.v[0], w), lerp(a.v[1], b.v[1], w)}}; }

DEVICE Pair between(const Pair* __restrict__ grid, const uint cells[2], int x, int y) {
  Place across = place_of(x, cells[0]), down = place_of(y, cells[1]);
  const Pair *upper = grid + (size_t)down.low * cells[0], *lower = grid + (size_t)down.high * cells[0];
  Pair top = lerp(upper[across.low], upper[across.high], across.over);
  return lerp(top, lerp(lower[across.low], lower[across.high], across.over), down.over);
}

// The direction of the smaller eigenvector of a structure tensor, as 0..DIRECTIONS - 1.
DEVICE uint direction_at(const Pair* __restrict__ tensor, const uint cells[2], int x, int y) {
  Pair t = between(tensor, cells, x, y);
  float turn = atan2f(t.v[1], t.v[0]) * (DIRECTIONS * 0.159154943f) + (0.5f * DIRECTIONS + 0.5f);  // of 1 / 2 pi
  return (uint)turn % DIRECTIONS;
}

// The mean luma of a cell, part of which may lie outside the picture, where the edge is repeated.
DEVICE float cell_luma(const Pixel* __restrict__ picture, const uint size[2], int column, int row) {
  Rgb sum = {0.0f, 0.0f, 0.0f};
#pragma unroll 4
  for (int j = 0; j < CELL_PX; j++) {
    int y = row * CELL_PX + j;
    const Pixel* line = picture + (size_t)(y < size[1] ? y : size[1] - 1) * size[0];
#pragma unroll 4
    for (int i = 0; i < CELL_PX; i++) {
      int x = column * CELL_PX + i;
      sum = sum + rgb_of(line[x < size[0] ? x : size[0] - 1]);
    }
  }
  return luma_of(sum) * (1.0f / (CELL_PX * CELL_PX));
}
