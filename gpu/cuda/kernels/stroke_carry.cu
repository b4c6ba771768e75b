// In: homes; but for FIRST frames: vectors (of stroke_settle) and tally (of stroke_motion), offsets and looks of the frame before. Out: offsets, looks (which strokes that are born have none), covered (of cells of filled layers, 0 before), place (of the frame in the film). Group 128x1, one thread per cell of all layers. Reference: carry_strokes of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: the table of layers is an argument, in constant memory, and places of 16 bits are packed.
#include "carry.cuh"
#include "looks.cuh"

#ifndef FIRST
// Where a place of the target is in blocks: in units of the working size, whose product with the place may need more bits.
DEVICE int scaled(int place, int working, int target) {
  if (working == target) return place;
  long long product = (long long)place * working;
  if (product == (int)product) return divided((int)product, target);
  long long near = product / target;
  return (int)(near - (near * target > product));
}

// How far the film carries a place along an axis, in UNITS of the target: bilinear between blocks.
DEVICE int carried(const Vec* vectors, const Layers& c, int axis, int row, int down, int column, int over) {
  const Vec* upper = vectors + clamped(row, 0, c.blocks[1] - 1) * c.blocks[0];
  const Vec* lower = vectors + clamped(row + 1, 0, c.blocks[1] - 1) * c.blocks[0];
  const int left = clamped(column, 0, c.blocks[0] - 1), right = clamped(column + 1, 0, c.blocks[0] - 1);
  const int side = BLOCK_PX * UNITS, target = c.size[1 - axis], working = c.working[1 - axis];
  const int sum = (side - down) * ((side - over) * upper[left].v[axis] + over * upper[right].v[axis]) +
                  down * ((side - over) * lower[left].v[axis] + over * lower[right].v[axis]);
  const int vector = divided(sum + side * side / 2, side * side);
  return working == target ? vector : divided(2 * vector * target + working, 2 * working);
}
#endif

extern "C" __global__ void stroke_carry(
    const Home* __restrict__ homes,
#ifndef FIRST
    const Vec* __restrict__ vectors, const Tally* __restrict__ tally, const uint* __restrict__ before,
    const Looks* __restrict__ known,
#endif
    uint* offsets, Looks* looks, uint* covered, uint* place, Layers c) {
  const int cell = blockIdx.x * 128 + threadIdx.x;
  if (cell == 0) *place = c.place;
  if (cell >= c.cells) return;
  const Layer layer = layer_at(c, layer_of(c, cell));
  const Home home = homes[cell];
#ifdef FIRST
  const bool fresh = true;
#else
  const bool fresh = cut(tally, c);
#endif
  const size_t first = layer.first_slot + (size_t)(cell - layer.first) * layer.slots;
  for (int slot = 0; slot < layer.slots; slot++) {
    const int age = age_of(home.v[2], slot, c.place);
    uint offset = NOWHERE;
    if (fresh || age == 0) {
      if (slot < 2) offset = 0;
    }
#ifndef FIRST
    else if (before[first + slot] != NOWHERE) {
      const int far_y = down_in(before[first + slot]), far_x = over_in(before[first + slot]), side = BLOCK_PX * UNITS;
      const int v = scaled(home.v[0] + far_y, c.working[1], c.size[1]) - side / 2;
      const int u = scaled(home.v[1] + far_x, c.working[0], c.size[0]) - side / 2;
      const int row = divided(v, side), column = divided(u, side), down = v - row * side, over = u - column * side;
      const int y = far_y + carried(vectors, c, 0, row, down, column, over);
      const int x = far_x + carried(vectors, c, 1, row, down, column, over);
      if (y >= -MOST_OFFSET && y <= MOST_OFFSET && x >= -MOST_OFFSET && x <= MOST_OFFSET) offset = offset_of(y, x);
    }
#endif
    offsets[first + slot] = offset;
    Looks kept = {};
#ifndef FIRST
    if (!fresh && age != 0 && offset != NOWHERE) kept = known[first + slot];
#endif
    looks[first + slot] = kept;
#ifndef FIRST
    if (layer.slots > 2 && slot < 2 && offset != NOWHERE && size_of(age, slot) >= COVERING) {
      const int side = layer.cell;
      const int row = divided(home.v[0] + down_in(offset) - side / 2, side) + FIRST_CELLS;
      const int column = divided(home.v[1] + over_in(offset) - side / 2, side) + FIRST_CELLS;
      for (int j = max(row, 0); j <= min(row + 1, layer.rows - 1); j++) {
        for (int i = max(column, 0); i <= min(column + 1, layer.columns - 1); i++) {
          covered[layer.first + j * layer.columns + i] = 1;
        }
      }
    }
#endif
  }
}
