// In: paths of strokes t0, counts of strokes and, behind them, of all t1, b0. Out: how many may touch each tile u0: a few more than do, as compilers round differently. Group 64x1, eight threads per stroke. Reference: gpu.stages.strokes.reference.over_ground. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_DRAW)

READS_ROWS(uint4, paths, 0);
READS(uint, picks, 1);
WRITES_COUNTS(counts, 0);

#include "stroke_tiles.hlsli"

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint number = id.x / 8;
  if (number >= picks[MOST_LAYERS]) return;
  Touching stroke = touching(number);
  uint columns = stroke.box.z - stroke.box.x + 1, rows = stroke.box.w - stroke.box.y + 1;
  for (uint k = id.x % 8; k < columns * rows; k += 8) {
    uint2 tile = stroke.box.xy + uint2(k % columns, k / columns);
    if (touches(stroke, tile, 1.001 * stroke.reach)) ADD_COUNT(counts, tile.y * tiles.x + tile.x, 1);
  }
}
