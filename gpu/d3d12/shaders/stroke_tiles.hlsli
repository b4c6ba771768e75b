// Which tiles a stroke touches; eight threads share those in its box. Needs `records` of its kernel.
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
  uint row = ROWS_OF_A_RECORD * number;
  float4 around = asfloat(records[row]);
  Touching found;
  int2 last = int2(tiles) - 1;
  found.box = uint4(clamp(int4(floor(around / TILE_PX)), int4(0, 0, 0, 0), last.xyxy));
  found.reach = FARTHEST * asfloat(records[row + 1].x) + 0.7072 * TILE_PX;
  uint ends = records[row + 2].z;
  found.ends = uint2(ends & 255, ends >> 8);
  found.path[8] = asfloat(records[row + 3].zw);
  UNROLL for (uint m = 0; m < 4; m++) {
    float4 both = asfloat(records[row + 4 + m]);
    found.path[2 * m] = both.xy;
    found.path[2 * m + 1] = both.zw;
  }
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
