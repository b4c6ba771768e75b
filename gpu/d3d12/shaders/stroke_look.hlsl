// In: homes of cells t0, where their strokes are t1, what is needed t2, levels of the painting's pyramid t3, directions t4, layers t5, b0. Out: what strokes remember u0, after a look at the painting. Group 256x1, one thread per stroke that cells may have. Reference: gpu.stages.strokes.stroke_samples.taken. Tolerance: 0, but for how what is seen is rounded.
#include "strokes.hlsli"
#include "common.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint, homes, 0);
READS(uint, offsets, 1);
READS(float, needs, 2);
READS(float4, pyramid, 3);
READS(float2, direction, 4);
READS(uint4, layers, 5);
WRITES(uint2, looks, 0);

#include "stroke_layers.hlsli"
#include "stroke_looks.hlsli"
#include "stroke_seen.hlsli"
#include "stroke_guides.hlsli"

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  if (i >= stroke_count) return;
  int2 offset = unpacked(offsets[i]);
  if (offset.x == NONE) return;
  Layer layer = layer_of(layer_with_stroke(i));
  int3 home = home_of(homes[layer.first + (i - layer.first_slot) / layer.slots], layer);
  float2 at = float2((home.xy + offset).yx) / UNITS;
  uint3 colour = uint3(floor(GRADES * saturate(colour_at(layer.colours, at)) + 0.5));
  uint2 tensor = uint2(int2(floor(FEW_GRADES * by_length(tensor_at(at)) + 0.5)) + (FEW_GRADES + 1));
  uint need = uint(floor(FEW_GRADES * needed(layer, at) + 0.5));
  uint4 rest = uint4(need, tensor, uint(floor(AROUND_GRADES * saturate(light_around(at)) + 0.5)));
  uint2 colours = looks[i];
  bool other = any(abs(int3(colour) - int3(colour_in(colours.y))) > FORGOTTEN);
  uint count = other ? 0 : count_of(colours), share = count + 1;
  uint2 from = look_of(colour, rest, 1);
  if (count > 0) {
    from = uint2(colours.y, looks[rests + i].y);
    colour = (count * colour_in(from.x) + colour + share / 2) / share;
    rest = (count * rest_in(from.y) + rest + share / 2) / share;
  }
  uint2 to = look_of(colour, rest, min(share, LOOKS - 1));
  looks[i] = uint2(from.x, to.x);
  looks[rests + i] = uint2(from.y, to.y);
}
