// In: paths of strokes t0, counts u1, b0. Out: lists of tiles u0, in any order: the numbers of strokes; where each list ends u1, which began where it begins. Group 64x1, eight threads per stroke. Reference: gpu.stages.strokes.reference.over_ground. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint4, paths, 0);
WRITES(uint, lists, 0);
WRITES_COUNTS(counts, 1);

#include "stroke_tiles.hlsli"

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint number = id.x / 8;
  if (number >= COUNT(counts, MOST_LAYERS)) return;
  Touching stroke = touching(number);
  uint columns = stroke.box.z - stroke.box.x + 1, rows = stroke.box.w - stroke.box.y + 1;
  for (uint k = id.x % 8; k < columns * rows; k += 8) {
    uint2 tile = stroke.box.xy + uint2(k % columns, k / columns);
    if (touches(stroke, tile, stroke.reach)) {
      uint place_in_list = 0;
      TAKE_COUNT(counts, FIRST_BOUND + tiles.x * tiles.y + tile.y * tiles.x + tile.x, 1, place_in_list);
      lists[place_in_list] = number;
    }
  }
}
