// Shared by the kernels of strokes that ride the film: the layers of a brush, lives, and pyramids. gpu/cpu/kernels/strokes.c has
// the same arithmetic, gpu/stages/strokes the rules and constants. Positions and motion are in whole UNITS of a pixel.
#include "common.cuh"

CONSTANTS(LAYERS)

typedef Vector<int, 2> Vec;        // y and x
typedef Vector<int, 4> Home;       // y and x, the seed, the index of its layer
typedef Vector<float, 2> Pair;
typedef Vector<float, 4> Sample;   // R'G'B' of the painting and luma of the film

struct Layer {
  int index, first, first_slot, count, slots, columns, rows, cell, half_steps, level, need_level, need_first;
  float width, length, per_need, reach;
};

DEVICE Layer layer_at(const Layers& c, int index) {
  const int *place = c.places[index], *grid = c.grids[index], *level = c.levels[index];
  const float* form = c.forms[index];
  return {index,    place[0], place[1], place[2], place[3], grid[0], grid[1], grid[2],
          grid[3],  level[0], level[1], level[2], form[0],  form[1], form[2], form[3]};
}

// The layer of a cell of all layers.
DEVICE int layer_of(const Layers& c, int cell) {
  int index = 0;
  while (index + 1 < c.count && cell >= c.places[index + 1][0]) index++;
  return index;
}

// Positions of strokes are within so many units of home; both halves of a word.
DEVICE int down_in(uint offset) { return (short)(offset & 0xffffu); }
DEVICE int over_in(uint offset) { return (short)(offset >> 16); }
DEVICE uint offset_of(int down, int over) { return (uint)(down & 0xffff) | (uint)over << 16; }
#define NOWHERE offset_of(NONE, NONE)

DEVICE int magnitude(int v) { return v < 0 ? -v : v; }

#define FIGURES const Layers &c,
#define FIGURE(name) c.name
typedef int Whole;
#include "strokes.h"

// How large it is by its age, 0..1.
DEVICE float size_of(int age, int slot) {
  if (slot < 2) return minimum(1.0f, (float)min(age, LIFE - age) / (float)GROWTH);
  return minimum(1.0f, minimum((float)(age + 1) / (float)FILL_GROWTH, (float)(FILL_LIFE - age) / (float)FILL_SHRINK));
}

// Where a place lies between two samples of an axis, whose ends are repeated.
struct Between {
  int low, high;
  float share;
};

DEVICE Between between_samples(float place, int count) {
  float low = floorf(place);
  return {clamped((int)low, 0, count - 1), clamped((int)low + 1, 0, count - 1), place - low};
}

DEVICE float in_level(float place, int level) { return place * (1.0f / (1 << level)) - 0.5f; }
DEVICE int side_of(int side, int level) { return (side + (1 << level) - 1) >> level; }

DEVICE float mixed(float a, float b, float share) { return a + share * (b - a); }
template <int COUNT>
DEVICE Vector<float, COUNT> mixed(Vector<float, COUNT> a, Vector<float, COUNT> b, float share) {
#pragma unroll
  for (int k = 0; k < COUNT; k++) a.v[k] = mixed(a.v[k], b.v[k], share);
  return a;
}

template <typename Value>
DEVICE Value bilinear(const Value* __restrict__ plane, int columns, Between down, Between over) {
  const Value *upper = plane + (size_t)down.low * columns, *lower = plane + (size_t)down.high * columns;
  Value top = mixed(upper[over.low], upper[over.high], over.share);
  return mixed(top, mixed(lower[over.low], lower[over.high], over.share), down.share);
}

// A level of a pyramid at a place of the target, which has that size.
template <typename Value>
DEVICE Value read_level(const Value* __restrict__ samples, const int size[2], int level, float y, float x) {
  const int columns = side_of(size[0], level), rows = side_of(size[1], level);
  return bilinear(
      samples, columns, between_samples(in_level(y, level), rows), between_samples(in_level(x, level), columns));
}

// What maps of the brush say at a place, 0..1 of the frame: how much broader strokes are than needed, and the structure tensor.
DEVICE Sample map_at(const Sample* __restrict__ maps, float down, float over) {
  return bilinear(maps, MAP_SIDE, between_samples(MAP_SIDE * down - 0.5f, MAP_SIDE), between_samples(MAP_SIDE * over - 0.5f, MAP_SIDE));
}

DEVICE int first_of(const Layers& c, int level) { return c.level_first[level / 4][level % 4]; }

// How much of a stroke is needed: 0 where the coarser layers say as much. Not of the layer that is drawn everywhere.
DEVICE float needed(const Layers& c, const Layer& layer, const float* __restrict__ needs, float y, float x) {
  float need = read_level(needs + layer.need_first, c.size, layer.need_level, y, x);
  return saturate(2.0f * layer.per_need * need - 1.0f);
}

// The number of the layer's stroke that is the `number`-th of all that are drawn, and its layer; none: its index is -1, and the number how
// many there are. Where there is no room for all of a layer's, it and all finer ones are left out.
struct Drawn {
  int layer, number;
};

DEVICE Drawn drawn_at(const Layers& c, const uint* __restrict__ counts, int number) {
  uint first = 0, listed = 0;
  for (int index = 0; index < c.count; index++) {
    uint count = counts[index], most = c.rooms[index][0];  // tiles that a stroke touches at most
    if (count > c.room - first || count > (c.list_room - listed) / most) break;
    if (number >= 0 && number < (int)(first + count)) return {index, number - (int)first};
    first += count;
    listed += count * most;
  }
  return {-1, (int)first};
}

DEVICE int drawn_count(const Layers& c, const uint* __restrict__ counts) { return drawn_at(c, counts, -1).number; }
