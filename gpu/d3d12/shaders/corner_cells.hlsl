// In: the network's input t0 (tensor of R'G'B'), b0. Out: the structure tensor of cells u0, xx, xy and yy. Group 16x16, one thread per cell. Reference: gpu.stages.corners.structure. Tolerance: 1e-6, for float16 1e-5.
#include "portable.hlsli"
CONSTANTS(CORNERS)
#include "common.hlsli"

READS(float, frame, 0);
WRITES_PICTURE(float4, "rgba32f", structure, 0);

float light_at(int2 at) {
  at = clamp(at, int2(0, 0), int2(size) - 1);
  uint plane = padded.x * padded.y, i = at.y * padded.x + at.x;
  return luma_of(float3(frame[i], frame[i + plane], frame[i + 2 * plane]));
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  float3 sum = 0.0;
  for (uint j = 0; j < cell_px; j++) {
    for (uint i = 0; i < cell_px; i++) {
      int2 at = int2(min(id.xy * cell_px + uint2(i, j), size - 1));  // repeat the edge to fill whole cells
      float a = light_at(at + int2(-1, -1)), b = light_at(at + int2(1, -1));
      float c = light_at(at + int2(-1, 1)), d = light_at(at + int2(1, 1));
      float x = (3.0 * (b - a + d - c) + 10.0 * (light_at(at + int2(1, 0)) - light_at(at - int2(1, 0)))) / 32.0;
      float y = (3.0 * (c - a + d - b) + 10.0 * (light_at(at + int2(0, 1)) - light_at(at - int2(0, 1)))) / 32.0;
      sum += float3(x * x, x * y, y * y);
    }
  }
  STORE(structure, id.xy, float4(sum / float(cell_px * cell_px), 0.0));
}
