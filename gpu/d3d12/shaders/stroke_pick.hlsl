// In: homes of cells t0, where their strokes are t1, what is needed t2, layers t3, b0. Out: the strokes that are drawn u0, those of a layer in any order from its first one on, each with y and x in UNITS and its seed; how many there are u1. Group 256x1, one thread per cell. Reference: gpu.stages.strokes.reference.strokes. Tolerance: 0.
#include "strokes.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(int4, homes, 0);
READS(uint, offsets, 1);
READS(float, needs, 2);
READS(uint4, layers, 3);
WRITES(uint4, picked, 0);
WRITES_COUNTS(picks, 1);

#include "stroke_layers.hlsli"
#include "stroke_seen.hlsli"

#define MOST_LAYERS 16  // as gpu/stages/strokes/passes.py has it
SHARES_COUNTS(counts, MOST_LAYERS);
groupshared uint firsts[MOST_LAYERS];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread < MOST_LAYERS) CLEAR_COUNT(counts, thread);
  GroupMemoryBarrierWithGroupSync();
  uint cell = min(id.x, cell_count - 1), index = layer_with(cell), bits = 0;
  Layer layer = layer_of(index);
  int4 home = homes[cell];
  uint seed = uint(home.z), first = layer.first_slot + (cell - layer.first) * layer.slots;
  int2 one = unpacked(offsets[first]), other = unpacked(offsets[first + 1]), between = abs(one - other);
  uint hidden = 99;  // of two strokes in one place, the one that is seen less
  if (one.x != NONE && other.x != NONE && between.x + between.y < TWINS) {
    hidden = size_of(age_of(seed, 0, place), 0).x >= size_of(age_of(seed, 1, place), 1).x ? 1 : 0;
  }
  for (uint slot = 0; slot < layer.slots; slot++) {
    int2 offset = unpacked(offsets[first + slot]);
    if (offset.x != NONE && slot != hidden && id.x < cell_count) {
      float2 at = float2((home.xy + offset).yx) / UNITS;
      if (all(at >= -layer.reach) && all(at <= float2(size) + layer.reach)) {
        if (seen_of(layer, size_of(age_of(seed, slot, place), slot), at) >= LEAST_SEEN) bits |= 1u << slot;
      }
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
  uint into = layer.first_slot + firsts[index] + mine;
  for (uint k = 0; k < layer.slots; k++) {
    if ((bits & (1u << k)) != 0) {
      picked[into] = uint4(first + k, uint2(home.xy + unpacked(offsets[first + k])), seed);
      into++;
    }
  }
}
