// In: homes, tally (of stroke_motion), covered (of stroke_carry). Out: offsets, in which strokes are born where a cell is bare when it looks. Group 128x1, one thread per cell of filled layers. Reference: fill_gaps of gpu/cpu/kernels/strokes.c. Tolerance: 0. CUDA's own: the table of layers is an argument, in constant memory, and places of 16 bits are packed.
#include "carry.cuh"

extern "C" __global__ void stroke_fill(
    const Home* __restrict__ homes, const Tally* __restrict__ tally, const uint* __restrict__ covered, uint* offsets, Layers c) {
  const int cell = blockIdx.x * 128 + threadIdx.x;
  if (cell >= c.filled_cells || cut(tally, c)) return;
  const Layer layer = layer_at(c, layer_of(c, cell));
  const Home home = homes[cell];
  const int row = divided(home.v[0], layer.cell) + FIRST_CELLS, column = divided(home.v[1], layer.cell) + FIRST_CELLS;
  if (covered[layer.first + row * layer.columns + column]) return;
  const size_t first = layer.first_slot + (size_t)(cell - layer.first) * layer.slots;
  for (int slot = 2; slot < layer.slots; slot++) {
    if (age_of(home.v[2], slot, c.place) == 0) offsets[first + slot] = 0;
  }
}
