// In: tensor t0, painting t1, b0. Out: levels u0, their means over cells u1. Group 16x16, one thread per cell. Reference: gpu.stages.steady.reference.levels, cells. Tolerance: 0 for 8 bits.
#include "steady.hlsli"

READS(float, frame, 0);
READS(float, painting, 1);
WRITES(float, fine, 0);
WRITES(float, means, 1);

float luma(float red, float green, float blue) {
  return floor(255.0 * (red + 2.0 * green + blue) + 0.5);
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  uint plane = padded.x * padded.y, painted_plane = painted_size.x * painted_size.y;
  float sum = 0.0;
  for (uint j = 0; j < CELL_PX; j++) {
    for (uint i = 0; i < CELL_PX; i++) {
      uint2 at = min(id.xy * CELL_PX + uint2(i, j), size - 1);  // repeat the edge to fill whole cells
      uint k = at.y * padded.x + at.x;
      uint2 middle = scale * at + scale / 2;
      uint p = middle.y * painted_size.x + middle.x;
      float3 other = cleaned(float3(painting[p], painting[p + painted_plane], painting[p + 2 * painted_plane]));
      float total = luma(frame[k], frame[k + plane], frame[k + 2 * plane]) + luma(other.r, other.g, other.b);
      float level = floor((total + 1.0) / 2.0);
      fine[at.y * size.x + at.x] = level;
      sum += level;
    }
  }
  float count = float(CELL_PX * CELL_PX);
  means[id.y * cells.x + id.x] = floor((sum + 0.5 * count) / count);
}
