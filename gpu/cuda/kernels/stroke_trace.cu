// In: homes, ranks (places of cells from bottom to top), offsets, looks and place (of stroke_carry), needs, maps (of the brush), levels, direction, picked and counts (of stroke_pick). Out: records (of each stroke that is drawn, bottom and top layers one after another, in any order within), keys (their places from bottom to top). Group 64x1, one thread per record. Reference: trace_strokes of gpu/cpu/kernels/strokes.c. Tolerance: 1e-3. CUDA's own: shared memory; samples are loaded as vectors.
#include "layers.cuh"
#include "looks.cuh"
#include "records.cuh"
#include "figures.h"

DEVICE Pair by_length(Pair t) {
  const float length = sqrtf(t.v[0] * t.v[0] + t.v[1] * t.v[1]) + TINY;
  return {{t.v[0] / length, t.v[1] / length}};
}

// Along the smaller eigenvector of a structure tensor, to the right.
DEVICE Pair along(Pair t) {
  const float turn = 0.5f * by_length(t).v[0], rise = sqrtf(maximum(0.5f + turn, 0.0f));
  return {{t.v[1] > 0.0f ? -rise : rise, sqrtf(maximum(0.5f - turn, 0.0f))}};
}

DEVICE Rgb colour_at(const Sample* __restrict__ levels, const Layers& c, int level, float y, float x) {
  const Sample v = read_level(levels + first_of(c, level), c.size, level, y, x);
  return {v.v[0], v.v[1], v.v[2]};
}

extern "C" __global__ void stroke_trace(
    const Home* __restrict__ homes, const uint* __restrict__ ranks, const uint* __restrict__ offsets,
    const Looks* __restrict__ looks, const uint* __restrict__ place, const float* __restrict__ needs, const Sample* __restrict__ maps, const Sample* __restrict__ levels, const Pair* __restrict__ direction,
    const uint* __restrict__ picked, const uint* __restrict__ counts, float* records, uint* keys, Layers c) {
  __shared__ float made[64][WORDS + 1];  // so that they are written together
  const int number = blockIdx.x * 64 + threadIdx.x;
  const Drawn drawn = drawn_at(c, counts, number);
  if (drawn.layer >= 0) {
    const Layer layer = layer_at(c, drawn.layer);
    const uint found = picked[layer.first_slot + drawn.number];
    const int cell = found >> 4, slot = (found & 15) % layer.slots;
    const Home home = homes[cell];
    const size_t stroke = layer.first_slot + (size_t)(cell - layer.first) * layer.slots + slot;
    const uint offset = offsets[stroke], seed = home.v[2];
    const Looks known = looks[stroke];
    const float y = (float)(home.v[0] + down_in(offset)) / UNITS, x = (float)(home.v[1] + over_in(offset)) / UNITS;
    const float seen =
        seen_of(c, layer, needs, maps, known, *place, size_of(age_of(seed, slot, *place), slot), home, y, x);
    const float grown = LEAST_GROWN + (1.0f - LEAST_GROWN) * seen;
    const float wide = width_of(c, layer.width, grown, seed);
    const float step = length_of(c, layer.length, grown, seed) / (2 * layer.half_steps);
    Rgb own = colour_at(levels, c, layer.level, y, x);
    Pair turned = {{1.0f, 0.0f}};  // from the direction that is seen to the one that is remembered: cosine and sine
    if (count_of(known)) {
      const Known then = remembered(known, *place);
      const float lighter = light_around(c, levels, y, x) - then.v[6];
      const float followed = lighter - minimum(maximum(lighter, -UNFOLLOWED), UNFOLLOWED);
      const float left = followed < 0.0f ? 1.0f + followed / then.v[6] : 1.0f, more = maximum(followed, 0.0f);
      const Rgb between = {left * then.v[0] + more - own.r, left * then.v[1] + more - own.g, left * then.v[2] + more - own.b};
      const float apart = maximum(maximum(fabsf(between.r), fabsf(between.g)), fabsf(between.b));
      const float trusted = saturate(2.0f - apart / (left * ALIKE));
      own = {own.r + trusted * between.r, own.g + trusted * between.g, own.b + trusted * between.b};
      const Pair tensor = by_length(read_level(direction, c.size, c.direction_level, y, x));
      const Pair from = along(tensor), to = along(mixed(tensor, {{then.v[4], then.v[5]}}, trusted));
      turned = {{from.v[0] * to.v[0] + from.v[1] * to.v[1], from.v[1] * to.v[0] - from.v[0] * to.v[1]}};
    }
    // The points lie in order around the middle, and are moved to the beginning at the end.
    float ys[POINTS], xs[POINTS];
    ys[POINTS / 2] = y;
    xs[POINTS / 2] = x;
    int low = POINTS / 2, high = POINTS / 2;
#pragma unroll
    for (int sign = -1; sign <= 1; sign += 2) {
      float at_y = y, at_x = x, was_apart = 0.0f;
      Pair was = {{0.0f, 0.0f}};
      bool ended = false;
#pragma unroll
      for (int k = 1; k <= POINTS / 2; k++) {
        if (ended || k > layer.half_steps) continue;
        const Pair ahead = along(read_level(direction, c.size, c.direction_level, at_y, at_x));
        Pair to = {{turned.v[0] * ahead.v[0] + turned.v[1] * ahead.v[1], turned.v[0] * ahead.v[1] - turned.v[1] * ahead.v[0]}};
        if (k == 1) {
          to = {{sign * to.v[0], sign * to.v[1]}};
        } else {
          const float turn = to.v[0] * was.v[0] + to.v[1] * was.v[1] < 0.0f ? -TURN : TURN;
          to = {{turn * to.v[0] + (1.0f - TURN) * was.v[0], turn * to.v[1] + (1.0f - TURN) * was.v[1]}};
          const float norm = sqrtf(to.v[0] * to.v[0] + to.v[1] * to.v[1]) + TINY;
          to = {{to.v[0] / norm, to.v[1] / norm}};
        }
        const Rgb far = colour_at(levels, c, layer.level, at_y + to.v[0] * step, at_x + to.v[1] * step) - own;
        const float apart = sqrtf(far.r * far.r + far.g * far.g + far.b * far.b);
        float reach = step;
        if (apart > c.edge) reach *= maximum((c.edge - was_apart) / (apart - was_apart), 0.0f);
        if (k == 1) reach = maximum(reach, 0.5f * LEAST_LENGTH * wide);
        at_y += to.v[0] * reach;
        at_x += to.v[1] * reach;
        ys[POINTS / 2 + sign * k] = at_y;
        xs[POINTS / 2 + sign * k] = at_x;
        if (sign < 0) low = POINTS / 2 - k;
        else high = POINTS / 2 + k;
        ended = apart > c.edge;
        was = to;
        was_apart = apart;
      }
    }
    float* record = made[threadIdx.x];
    float passed = 0.0f;
#pragma unroll
    for (int k = 0; k < POINTS; k++) {
      if (k < low || k > high) continue;
      record[AT_Y + k - low] = ys[k];
      record[AT_X + k - low] = xs[k];
      if (k == 0 || k == low) continue;
      const float down = ys[k] - ys[k - 1], over = xs[k] - xs[k - 1];
      passed += sqrtf(down * down + over * over + TINY);
      record[PASSED + k - low] = passed;
    }
    const Rgb colour = colour_of(c, own, seed);
    record[HALF_WIDTH] = 0.5f * wide;
    record[OPACITY] = minimum(1.0f, 1.5f * seen);
    record[KIND] = __uint_as_float((uint)(high - low + 1) << 12 | seed % NOISE_SIZE);
    record[COLOUR] = colour.r;
    record[COLOUR + 1] = colour.g;
    record[COLOUR + 2] = colour.b;
    keys[number] = ranks[cell] << 4 | (found & 15);
  }
  __syncthreads();
  const int first = blockIdx.x * 64;
  if (drawn_at(c, counts, first).layer < 0) return;
  for (int i = threadIdx.x; i < 64 * WORDS; i += 64) records[(size_t)first * WORDS + i] = made[i / WORDS][i % WORDS];
}
