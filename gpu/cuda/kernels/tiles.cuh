// The tiles of TILE x TILE pixels that strokes touch. Eight threads share a stroke, one for each piece.
#include "layers.cuh"
#include "records.cuh"

#define PIECES (POINTS - 1)

// Calls visit(tile, number of the record) for each of them.
template <typename Visit>
DEVICE void touch(const float* __restrict__ records, const uint* __restrict__ counts, const Layers& c, Visit visit) {
  const int piece = threadIdx.x % PIECES, count = drawn_count(c, counts);
  const uint together = 0xffu << (threadIdx.x % 32 / PIECES * PIECES);
  for (int number = (blockIdx.x * 128 + threadIdx.x) / PIECES; number < count; number += gridDim.x * (128 / PIECES)) {
    const float* record = records + (size_t)number * WORDS;
    const bool there = piece < points_of(record) - 1;
    const float half = record[HALF_WIDTH];
    float ay = record[AT_Y], ax = 0.0f, by = ay, bx = 0.0f;
    if (there) ay = record[AT_Y + piece], ax = record[AT_X + piece], by = record[AT_Y + piece + 1], bx = record[AT_X + piece + 1];
    float top = minimum(ay, by), bottom = maximum(ay, by);
#pragma unroll
    for (int k = 1; k < PIECES; k *= 2) {
      top = minimum(top, __shfl_xor_sync(together, top, k));
      bottom = maximum(bottom, __shfl_xor_sync(together, bottom, k));
    }
    const int first = max((int)floorf(top - half - 0.5f) + 1, 0) / TILE;
    const int last = min((int)floorf(bottom + half - 0.5f), c.size[1] - 1);
    for (int row = first; row * TILE <= last; row++) {
      Reach reach = NOTHING;
      if (there) reach = reach_of(ay, ax, by, bx, half, row * TILE + 0.5f, row * TILE + TILE - 0.5f);
#pragma unroll
      for (int k = 1; k < PIECES; k *= 2) {
        reach.from = minimum(reach.from, __shfl_xor_sync(together, reach.from, k));
        reach.to = maximum(reach.to, __shfl_xor_sync(together, reach.to, k));
      }
      const int begin = max((int)floorf(reach.from - 0.5f) + 1, 0) / TILE;
      const int end = min((int)floorf(reach.to - 0.5f), c.size[0] - 1);
      for (int column = begin + piece; column * TILE <= end; column += PIECES) visit(row * c.tiles[0] + column, number);
    }
  }
}
