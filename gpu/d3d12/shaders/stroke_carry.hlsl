// In: homes of cells t0, vectors of blocks and behind them how many are lost t1, where strokes were t2 in the frame before, layers t3, what strokes remembered then t4, b0. Out: where strokes are, as offsets from home u0, which cells of filled layers are covered u1, and what strokes remember u2, which those that are born do not. Group 256x1, one thread per stroke that cells may have. Reference: gpu.stages.strokes.advection.carried, gpu.stages.strokes.stroke_samples.kept. Tolerance: 0.
// FIRST 1: there is no frame before.
#include "strokes.hlsli"
OPTION(0, FIRST)
CONSTANTS(STROKE_CARRY)

READS(uint, homes, 0);
READS(int2, vectors, 1);
READS(uint, before, 2);
READS(uint4, layers, 3);
READS(uint2, former, 4);
WRITES(uint, offsets, 0);
WRITES(uint, covered, 1);
WRITES(uint2, looks, 2);

#include "stroke_layers.hlsli"

#define SIDE (BLOCK_PX * UNITS)

// A place of the target at the working size, in UNITS, rounded down.
int at_work(int place, int working, int target) {
  int whole = divided(place, target);
  return whole * working + (place - whole * target) * working / target;
}

// How far the film carries a place of the target, bilinear between blocks. spot: y and x, as the result.
int2 carried(int2 spot) {
  int2 blocks = int2((size + BLOCK_PX - 1) / BLOCK_PX);
  int2 working = int2(size), whole = int2(target);
  int2 at = int2(at_work(spot.y, working.x, whole.x), at_work(spot.x, working.y, whole.y)) - SIDE / 2;
  int2 low = int2(divided(at.x, SIDE), divided(at.y, SIDE)), part = at - low * SIDE;
  int2 a = clamp(low, int2(0, 0), blocks - 1), b = clamp(low + 1, int2(0, 0), blocks - 1);
  int2 upper = (SIDE - part.x) * vectors[a.y * blocks.x + a.x] + part.x * vectors[a.y * blocks.x + b.x];
  int2 lower = (SIDE - part.x) * vectors[b.y * blocks.x + a.x] + part.x * vectors[b.y * blocks.x + b.x];
  int2 sum = (SIDE - part.y) * upper + part.y * lower + SIDE * SIDE / 2;
  int2 moved = int2(divided(sum.x, SIDE * SIDE), divided(sum.y, SIDE * SIDE));
  return int2(
      divided(2 * moved.x * whole.y + working.y, 2 * working.y), divided(2 * moved.y * whole.x + working.x, 2 * working.x));
}

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  if (i >= stroke_count) return;
  Layer layer = layer_of(layer_with_stroke(i));
  uint rank = (i - layer.first_slot) / layer.slots, slot = i - layer.first_slot - rank * layer.slots;
  int3 home = home_of(homes[layer.first + rank], layer);
  bool fresh = FIRST == 1;
  if (FIRST == 0) {
    uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
    fresh = 8 * uint(vectors[blocks.x * blocks.y].x) >= CUT_EIGHTHS * blocks.x * blocks.y;
  }
  uint age = age_of(uint(home.z), slot, place);
  uint2 colours = uint2(0, 0), rest = uint2(0, 0);
  int2 offset = int2(NONE, NONE);
  if (fresh || age == 0) {
    if (slot < 2) offset = int2(0, 0);
  } else if (FIRST == 0) {
    int2 from = unpacked(before[i]);
    if (from.x != NONE) {
      offset = from + carried(home.xy + from);
      if (any(abs(offset) > MOST_OFFSET)) {
        offset = int2(NONE, NONE);
      } else {
        colours = former[i];
        rest = former[rests + i];
      }
    }
  }
  offsets[i] = packed_word(offset);
  looks[i] = colours;
  looks[rests + i] = rest;
  uint2 grown = size_of(age, slot);
  if (layer.slots > 2 && slot < 2 && offset.x != NONE && float(grown.x) >= COVERING * float(grown.y)) {
    int2 at = home.xy + offset - int(layer.cell / 2);
    int2 corner = int2(divided(at.x, int(layer.cell)), divided(at.y, int(layer.cell))) + FIRST_CELLS;
    for (int row = max(corner.x, 0); row <= min(corner.x + 1, int(layer.rows) - 1); row++) {
      for (int column = max(corner.y, 0); column <= min(corner.y + 1, int(layer.columns) - 1); column++) {
        covered[layer.covered + uint(row) * layer.columns + uint(column)] = 1;
      }
    }
  }
}
