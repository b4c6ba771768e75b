// In: homes, offsets, looks and place (of stroke_carry), needs (of stroke_need), maps (of the brush). Out: picked (of each layer's strokes that are drawn the cell, and what is picked of it, in any order), how many those are (0 before). Group 256x1, one thread per cell of all layers. Reference: pick_strokes of gpu/cpu/kernels/strokes.c. Tolerance: 0, but where a stroke is hardly seen. CUDA's own: shared memory counts what a group picks, and places of 16 bits are packed.
#include "layers.cuh"
#include "looks.cuh"

extern "C" __global__ void stroke_pick(
    const Home* __restrict__ homes, const uint* __restrict__ offsets, const Looks* __restrict__ looks,
    const uint* __restrict__ place, const float* __restrict__ needs, const Sample* __restrict__ maps, uint* picked, uint* counts, Layers c) {
  __shared__ uint found[MOST_LAYERS], first[MOST_LAYERS];
  const int cell = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x < MOST_LAYERS) found[threadIdx.x] = 0;
  __syncthreads();
  uint bits = 0, own = 0;
  Layer layer = {};
  if (cell < c.cells) {
    layer = layer_at(c, layer_of(c, cell));
    const Home home = homes[cell];
    const size_t first_slot = layer.first_slot + (size_t)(cell - layer.first) * layer.slots;
    const uint* of_cell = offsets + first_slot;
    const uint one = of_cell[0], other = of_cell[1];
    int hidden = -1;
    if (one != NOWHERE && other != NOWHERE &&
        magnitude(down_in(one) - down_in(other)) + magnitude(over_in(one) - over_in(other)) < TWINS) {
      hidden = size_of(age_of(home.v[2], 0, *place), 0) >= size_of(age_of(home.v[2], 1, *place), 1) ? 1 : 0;
    }
    for (int slot = 0; slot < layer.slots; slot++) {
      const uint offset = of_cell[slot];
      if (offset == NOWHERE || slot == hidden) continue;
      const float y = (float)(home.v[0] + down_in(offset)) / UNITS, x = (float)(home.v[1] + over_in(offset)) / UNITS;
      if (y < -layer.reach || x < -layer.reach || y > c.size[1] + layer.reach || x > c.size[0] + layer.reach) continue;
      const float size = size_of(age_of(home.v[2], slot, *place), slot);
      const float seen = seen_of(c, layer, needs, maps, looks[first_slot + slot], *place, size, home, y, x);
      if (seen >= LEAST_SEEN) bits |= 1u << (size < 1.0f ? slot : layer.slots + slot);
    }
    if (bits) own = atomicAdd(&found[layer.index], __popc(bits));
  }
  __syncthreads();
  if (threadIdx.x < MOST_LAYERS && found[threadIdx.x]) first[threadIdx.x] = atomicAdd(&counts[threadIdx.x], found[threadIdx.x]);
  __syncthreads();
  for (; bits; bits &= bits - 1) picked[layer.first_slot + first[layer.index] + own++] = (uint)cell << 4 | (__ffs(bits) - 1);
}
