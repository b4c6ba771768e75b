// In: picture, paint (of relief_smooth with THICK); with COVERED also the height of strokes (of stroke_draw) and left (of corner_share). Out: height (in pixels). Group 32x8. Reference: gpu.stages.relief.reference.height. Tolerance: 1e-4. CUDA's own: pixels are packed halves, and the side of a cell is compiled in.
#include "relief.cuh"
#include "left.cuh"

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

DEVICE Pair lerp(Pair a, Pair b, float w) { return {{lerp(a.v[0], b.v[0], w), lerp(a.v[1], b.v[1], w)}}; }

DEVICE Pair between(const Pair* __restrict__ grid, const uint cells[2], int x, int y) {
  Place across = place_of(x, cells[0]), down = place_of(y, cells[1]);
  const Pair *upper = grid + (size_t)down.low * cells[0], *lower = grid + (size_t)down.high * cells[0];
  Pair top = lerp(upper[across.low], upper[across.high], across.over);
  return lerp(top, lerp(lower[across.low], lower[across.high], across.over), down.over);
}

// A plain weave, 0..1: each thread is a half wave that passes over one thread and under the next.
DEVICE float weave_at(float u, float v) {
  float column = floorf(u), row = floorf(v);
  float warp = sinpif(u - column) * (0.6f + 0.4f * sinpif(v + column));
  float weft = sinpif(v - row) * (0.6f + 0.4f * sinpif(u + row + 1.0f));
  return maximum(warp, weft);
}

extern "C" __global__ void relief_height(
    const Pixel* __restrict__ picture, const Pair* __restrict__ paint,
#ifdef COVERED
    const float* __restrict__ strokes, const float* __restrict__ left,
#endif
    float* height, Relief c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= (int)c.size[0] || y >= (int)c.size[1]) return;
  const size_t o = (size_t)y * c.size[0] + x;
  const Pair around = between(paint, c.cells, x, y);
  float woven = 0.0f, raised = 0.0f, covered = 0.0f;
#ifdef COVERED
  raised = strokes[o];
  covered = c.brush * (1.0f - left_at(left, c, x, y));
#endif
  if (c.weave > 0.0f) woven = weave_at((x + 0.5f) / c.pitch_px, (y + 0.5f) / c.pitch_px);
  const float apart = (luma_of(rgb_of(picture[o])) - around.v[0]) / c.body_luma;
  height[o] = height_of(c, apart, around.v[1], woven, raised, covered);
}
