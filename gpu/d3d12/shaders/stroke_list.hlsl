// In: strokes as they are drawn t0, how many t1, b0. Out: lists of tiles u0, in any order: each stroke's place among all, and its number; where each list ends u1, which began there. Group 64x1, eight threads per stroke. Reference: gpu.stages.strokes.reference.over_ground. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_DRAW)

READS_ROWS(uint4, records, 0);
READS(uint, drawn, 1);
WRITES(uint2, lists, 0);
WRITES_COUNTS(ends, 1);

#include "stroke_tiles.hlsli"

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint number = id.x / 8;
  if (number >= drawn[0]) return;
  Touching stroke = touching(number);
  uint key = records[ROWS_OF_A_RECORD * number + 3].x;
  uint columns = stroke.box.z - stroke.box.x + 1, rows = stroke.box.w - stroke.box.y + 1;
  for (uint k = id.x % 8; k < columns * rows; k += 8) {
    uint2 tile = stroke.box.xy + uint2(k % columns, k / columns);
    if (touches(stroke, tile, stroke.reach)) {
      uint place_in_list = 0;
      TAKE_COUNT(ends, tile.y * tiles.x + tile.x, 1, place_in_list);
      lists[place_in_list] = uint2(key, number);
    }
  }
}
