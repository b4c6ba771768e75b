// In: homes, offsets (of stroke_carry), needs, levels, direction. Out: looks, which are those before and become those after a look at the painting. Group 128x1, one thread per cell of all layers. Reference: look_at_painting of gpu/cpu/kernels/strokes.c. Tolerance: 0, but for how what is seen is rounded. CUDA's own: the table of layers is an argument, in constant memory, and samples are loaded as vectors.
#include "layers.cuh"
#include "looks.cuh"

extern "C" __global__ void stroke_look(
    const Home* __restrict__ homes, const uint* __restrict__ offsets, const float* __restrict__ needs,
    const Sample* __restrict__ levels, const Pair* __restrict__ direction, Looks* looks, Layers c) {
  const int cell = blockIdx.x * 128 + threadIdx.x;
  if (cell >= c.cells) return;
  const Layer layer = layer_at(c, layer_of(c, cell));
  const Home home = homes[cell];
  const size_t first = layer.first_slot + (size_t)(cell - layer.first) * layer.slots;
  for (int slot = 0; slot < layer.slots; slot++) {
    const uint offset = offsets[first + slot];
    if (offset == NOWHERE) continue;
    const float y = (float)(home.v[0] + down_in(offset)) / UNITS, x = (float)(home.v[1] + over_in(offset)) / UNITS;
    const Sample colour = read_level(levels + first_of(c, layer.level), c.size, layer.level, y, x);
    const Pair tensor = read_level(direction, c.size, c.direction_level, y, x);
    const float length = sqrtf(tensor.v[0] * tensor.v[0] + tensor.v[1] * tensor.v[1]) + TINY;
    const float need = layer.index ? needed(c, layer, needs, y, x) : 1.0f;
    const float values[SEEN] = {saturate(colour.v[0]),     saturate(colour.v[1]),     saturate(colour.v[2]), need,
                                tensor.v[0] / length,      tensor.v[1] / length,      saturate(light_around(c, levels, y, x))};
    Seen seen;
#pragma unroll
    for (int k = 0; k < SEEN; k++) seen.v[k] = graded(values[k], k);
    const Looks before = looks[first + slot];
    const Seen former = seen_in(before.v[2], before.v[3]);
    bool other = false;
#pragma unroll
    for (int k = 0; k < 3; k++) other |= magnitude(seen.v[k] - former.v[k]) > FORGOTTEN;
    const int count = other ? 0 : (int)count_of(before), share = count + 1;
    Looks after = {{paint_of(seen, 1), rest_of(seen), 0, 0}};
    if (count) {
      after = {{before.v[2], before.v[3], 0, 0}};
#pragma unroll
      for (int k = 0; k < SEEN; k++) seen.v[k] = (count * former.v[k] + seen.v[k] + share / 2) / share;
    }
    after.v[2] = paint_of(seen, min(share, LOOKS - 1));
    after.v[3] = rest_of(seen);
    looks[first + slot] = after;
  }
}
