// In: homes of cells t0, where their strokes are t1, what is needed t2, layers t3, what strokes remember but colours t4, how much broader strokes are than needed, -1..1, by a map of the brush t5, b0. Out: the strokes that are drawn u0, those of a layer in any order, three words each: its place among all, how much of it is seen in 4095ths in the upper 12 bits above y in UNITS, and x; how many there are u1. Group 256x1, one thread per cell. Reference: gpu.stages.strokes.reference.strokes. Tolerance: 0.
#include "strokes.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint, homes, 0);
READS(uint, offsets, 1);
READS(float, needs, 2);
READS(uint4, layers, 3);
READS(uint2, remembered, 4);
READS(float, broader_map, 5);
WRITES(uint, picked, 0);
WRITES_COUNTS(picks, 1);

#include "stroke_layers.hlsli"
#include "stroke_looks.hlsli"
#include "stroke_seen.hlsli"
#include "stroke_map.hlsli"

// The same, as far as what is remembered is not too far from it.
float eased(float need, uint2 known) {
  float apart = clamp(remembered_rest(known, place).x - need, -NEED_ALIKE, NEED_ALIKE);
  return known.y != 0 ? need + apart : need;
}

// How much is seen of a stroke at an offset from its cell's home, 0 where it is not there.
float seen_of(Layer layer, int3 home, int2 offset, uint age, uint slot, uint2 known) {
  float2 at = float2((home.xy + offset).yx) / UNITS;
  float seen = 0.0;
  if (offset.x != NONE && all(at >= -layer.reach) && all(at <= float2(size) + layer.reach)) {
    uint2 grown = size_of(age, slot);
    seen = float(grown.x) / float(grown.y);
    if (layer.needs.w > 0) {
      Between on_map = in_map(float2(home.yx) / (UNITS * float2(size)));
      seen *= limited(eased(needed(layer, at), known), BILINEAR(broader_map, on_map), float(layer.index), float(layer_count - 1));
    }
  }
  return seen;
}

SHARES_COUNTS(counts, MOST_LAYERS);
groupshared uint firsts[MOST_LAYERS];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread < MOST_LAYERS) CLEAR_COUNT(counts, thread);
  GroupMemoryBarrierWithGroupSync();
  uint cell = min(id.x, cell_count - 1), index = layer_with(cell), bits = 0;
  Layer layer = layer_of(index);
  int3 home = home_of(homes[cell], layer);
  uint seed = uint(home.z), first = layer.first_slot + (cell - layer.first) * layer.slots;
  int2 one = unpacked(offsets[first]), other = unpacked(offsets[first + 1]), between = abs(one - other);
  uint hidden = 99;  // of two strokes in one place, the one that is seen less
  if (one.x != NONE && other.x != NONE && between.x + between.y < TWINS) {
    hidden = size_of(age_of(seed, 0, place), 0).x >= size_of(age_of(seed, 1, place), 1).x ? 1 : 0;
  }
  for (uint slot = 0; slot < layer.slots; slot++) {
    if (slot != hidden && id.x < cell_count) {
      int2 offset = unpacked(offsets[first + slot]);
      float seen = seen_of(layer, home, offset, age_of(seed, slot, place), slot, remembered[first + slot]);
      if (seen >= LEAST_SEEN) bits |= 1u << slot;
    }
  }
  uint count = countbits(bits), mine = 0;
  if (count > 0) TAKE_COUNT(counts, index, count, mine);
  GroupMemoryBarrierWithGroupSync();
  if (thread < MOST_LAYERS) {
    uint there = 0, group_count = COUNT(counts, thread);
    if (group_count > 0) TAKE_COUNT(picks, thread, group_count, there);
    firsts[thread] = there;
  }
  GroupMemoryBarrierWithGroupSync();
  uint into = layer.first_picked + firsts[index] + mine, end = layer.first_picked + layer.most_picked;
  for (uint k = 0; k < layer.slots; k++) {
    if ((bits & (1u << k)) != 0) {
      int2 offset = unpacked(offsets[first + k]);
      uint seen = uint(4095.0 * seen_of(layer, home, offset, age_of(seed, k, place), k, remembered[first + k]) + 0.5);
      uint2 at = uint2(home.xy + offset);
      if (into < end) {
        picked[3 * into] = first + k;
        picked[3 * into + 1] = (at.x & 0xfffff) | seen << 20;
        picked[3 * into + 2] = at.y;
      }
      into++;
    }
  }
}
