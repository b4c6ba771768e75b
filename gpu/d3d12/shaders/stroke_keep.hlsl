// In: homes of cells t0, where their strokes are t1, how many blocks of the film are lost t2, what strokes remembered t3 in the frame before, layers t4, b0. Out: what they remember u0, which those that are born do not. Group 256x1, one thread per cell. Reference: gpu.stages.strokes.looks.kept. Tolerance: 0.
// FIRST 1: there is no frame before.
#include "strokes.hlsli"
OPTION(0, FIRST)
CONSTANTS(STROKE_CARRY)

READS(uint, homes, 0);
READS(uint, offsets, 1);
READS(uint, lost, 2);
READS_ROWS(uint2, former, 3);
READS(uint4, layers, 4);
WRITES_ROWS(uint2, looks, 0);

#include "stroke_layers.hlsli"

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cell_count) return;
  Layer layer = layer_of(layer_with(id.x));
  uint seed = uint(home_of(homes[id.x], layer).z), first = layer.first_slot + (id.x - layer.first) * layer.slots;
  bool fresh = FIRST == 1;
  if (FIRST == 0) {
    uint2 blocks = (size + BLOCK_PX - 1) / BLOCK_PX;
    fresh = 8 * lost[0] >= CUT_EIGHTHS * blocks.x * blocks.y;
  }
  for (uint slot = 0; slot < layer.slots; slot++) {
    uint i = first + slot;
    uint2 colours = uint2(0, 0), rest = uint2(0, 0);
    if (FIRST == 0) {
      bool keeps = !fresh && age_of(seed, slot, place) != 0 && unpacked(offsets[i]).x != NONE;
      if (keeps) {
        colours = former[i];
        rest = former[rests + i];
      }
    }
    looks[i] = colours;
    looks[rests + i] = rest;
  }
}
