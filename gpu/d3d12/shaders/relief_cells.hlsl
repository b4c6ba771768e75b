// In: picture t0, b0. Out: mean luma of its cells u0. Group 16x16, one thread per cell. Reference: gpu.stages.cells.cells. Tolerance: 1e-6.
#include "relief.hlsli"
#include "common.hlsli"

READS_PICTURE(float4, picture, 0);
WRITES_PICTURE(float, "r32f", means, 0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  float3 sum = 0.0;
  for (uint j = 0; j < cell_px; j++) {
    for (uint i = 0; i < cell_px; i++) {
      int2 at = int2(min(id.xy * cell_px + uint2(i, j), size - 1));  // repeat the edge to fill whole cells
      sum += picture.Load(int3(at, 0)).rgb;
    }
  }
  STORE(means, id.xy, luma_of(sum) / float(cell_px * cell_px));
}
