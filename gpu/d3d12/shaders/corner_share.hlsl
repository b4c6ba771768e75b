// In: structure tensor of cells t0, b0. Out: how much of each cell is left as it is, 0..1, u0. Group 16x16, one thread per cell. Reference: gpu.stages.corners.corners. Tolerance: 1e-4, since a root is steep at 0.
#include "portable.hlsli"
CONSTANTS(CORNERS)

READS_PICTURE(float4, structure, 0);
WRITES_PICTURE(float, "r32f", left, 0);

#define RADIUS 3

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  float3 sum = 0.0;
  UNROLL for (int j = 0; j <= 2 * RADIUS; j++) {
    float3 row = 0.0;
    UNROLL for (int i = 0; i <= 2 * RADIUS; i++) {
      int2 at = clamp(int2(id.xy) + int2(i, j) - RADIUS, int2(0, 0), int2(cells) - 1);
      row += weights[i / 4][i % 4] * structure.Load(int3(at, 0)).xyz;
    }
    sum += weights[j / 4][j % 4] * row;
  }
  float apart = sum.x - sum.z, smaller = 0.5 * (sum.x + sum.z - sqrt(apart * apart + 4.0 * sum.y * sum.y));
  float share = saturate((sqrt(max(smaller, 0.0)) - least) * steepness);
  STORE(left, id.xy, share * share * (3.0 - 2.0 * share));
}
