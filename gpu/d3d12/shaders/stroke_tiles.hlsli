// Which tiles a stroke touches; eight threads share those in its box. number: of the stroke in `paths`. Needs `paths` of its kernel.
#include "stroke_records.hlsli"

#define TILE_PX 16
// From the path, in half widths: beyond an end as much is drawn along it and to its side.
#define FARTHEST 1.4

struct Touching {
  uint4 box;  // of tiles: the first and the last one
  float reach;
  uint2 ends;
  float2 path[POINTS];
};

Touching touching(uint number) {
  uint row = ROWS_OF_A_PATH * number;
  uint4 head = paths[row];
  float2 middle = asfloat(head.xy), least = middle, most = middle;
  float half_ = asfloat(head.z), unit = unit_of(head.w);
  Touching found;
  found.path[HALF_STEPS] = middle;
  UNROLL for (uint side = 0; side < 2; side++) {
    uint4 words = paths[row + 1 + side];
    UNROLL for (uint k = 0; k < HALF_STEPS; k++) {
      float2 at = middle + from_middle(words[k], unit);
      least = min(least, at);
      most = max(most, at);
      found.path[side * (HALF_STEPS + 1) + k] = at;
    }
  }
  int2 last = int2(tiles) - 1;
  found.box = uint4(clamp(int4(floor(float4(least - half_, most + half_) / TILE_PX)), int4(0, 0, 0, 0), last.xyxy));
  found.reach = FARTHEST * half_ + 0.7072 * TILE_PX;
  found.ends = ends_of(head.w);
  return found;
}

// reach: how far a tile's middle may lie from the path.
bool touches(Touching stroke, uint2 tile, float reach) {
  float2 middle = (float2(tile) + 0.5) * TILE_PX;
  float least = 1e9;
  UNROLL for (uint k = 0; k < POINTS - 1; k++) {
    if (k >= stroke.ends.x && k < stroke.ends.y) {
      float2 along = stroke.path[k + 1] - stroke.path[k], from = middle - stroke.path[k];
      float2 apart = from - saturate(dot(from, along) / (dot(along, along) + TINY)) * along;
      least = min(least, dot(apart, apart));
    }
  }
  return least <= reach * reach;
}
