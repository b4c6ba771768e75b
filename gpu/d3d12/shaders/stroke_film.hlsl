// In: the network's input t0 (tensor of R'G'B'), b0. Out: what motion is searched on, R' + 2 G' + B' in codes of 8 bits u0, their means over cells u1 and over 2x2 cells u2. Group 8x8, one thread per cell. Reference: gpu.stages.strokes.advection.search_plane, found. Tolerance: 0.
#include "strokes.hlsli"
CONSTANTS(STROKE_FILM)
#include "levels.hlsli"

READS(float, frame, 0);
WRITES(uint, fine, 0);
WRITES(int, cells, 1);
WRITES(int, far_cells, 2);

groupshared int means[64];

int level_at(uint2 at) {
  at = min(at, size - 1);  // repeat the edge to fill whole cells
  uint plane = padded.x * padded.y, k = at.y * padded.x + at.x;
  float green = frame[k + plane];
  // Clamped in between, that nothing is multiplied and added at once: the same level as everywhere.
  return int(clamp(255.0 * (green + green + frame[k] + frame[k + 2 * plane]), 0.0, 1020.0) + 0.5);
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  uint2 grid = (size + CELL_PX - 1) / CELL_PX, cell = min(id.xy, grid - 1);
  int sum = CELL_PX * CELL_PX / 2;
  for (uint j = 0; j < CELL_PX; j++) {
    for (uint i = 0; i < CELL_PX; i += 2) {
      uint2 at = cell * CELL_PX + uint2(i, j);
      int left = level_at(at), right = level_at(at + uint2(1, 0));
      if (all(at < size)) fine[word_of(int2(at))] = uint(left | right << 16);
      sum += left + right;
    }
  }
  int mean = sum / (CELL_PX * CELL_PX);
  means[thread] = mean;
  GroupMemoryBarrierWithGroupSync();
  if (any(id.xy >= grid)) return;
  cells[id.y * grid.x + id.x] = mean;
  if (any(within.xy % 2 != 0)) return;
  uint right = id.x + 1 < grid.x ? 1 : 0, below = id.y + 1 < grid.y ? 8 : 0;
  int four = mean + means[thread + right] + means[thread + below] + means[thread + below + right];
  far_cells[id.y / 2 * ((grid.x + 1) / 2) + id.x / 2] = (four + 2) / 4;
}
