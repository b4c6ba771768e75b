// In: homes of cells t0, which of them are covered t1, how many blocks are lost t2, layers t3, b0. Out: offsets u0 of strokes that fill gaps, which are born where a cell is bare when it looks. Group 256x1, one thread per cell of the layers that are filled. Reference: gpu.stages.strokes.advection.carried. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_CARRY)

READS(uint, homes, 0);
READS(uint, covered, 1);
READS(uint, lost, 2);
READS(uint4, layers, 3);
WRITES(uint, offsets, 0);

#include "stroke_layers.hlsli"

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
  if (id.x >= filled_count || 8 * lost[0] >= CUT_EIGHTHS * blocks.x * blocks.y) return;
  Layer layer = layer_of(layer_with(id.x));
  int3 home = home_of(homes[id.x], layer);
  int row = divided(home.x, int(layer.cell)) + FIRST_CELLS, column = divided(home.y, int(layer.cell)) + FIRST_CELLS;
  if (covered[layer.covered + uint(row) * layer.columns + uint(column)] == 1) return;
  for (uint slot = 2; slot < layer.slots; slot++) {
    if (age_of(uint(home.z), slot, place) == 0) offsets[layer.first_slot + (id.x - layer.first) * layer.slots + slot] = 0;
  }
}
