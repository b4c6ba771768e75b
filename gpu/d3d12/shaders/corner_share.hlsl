// In: structure tensor of cells t0, how busy those of a block are t1, masks t2, b0. Out: how much of each cell is left as it is, 0..1, u0. Group 16x16, one thread per cell. Reference: gpu.stages.corners.corners. Tolerance: 1e-4, since a root is steep at 0.
#include "portable.hlsli"
CONSTANTS(CORNERS)

READS_PICTURE(float4, structure, 0);
READS_PICTURE(float, surroundings, 1);
READS(float4, masks, 2);
WRITES_PICTURE(float, "r32f", left, 0);
#include "masks.hlsli"

#define RADIUS 3
#define BLOCK 16  // BLOCK_CELLS of gpu/stages/corners

// How busy what surrounds a cell is.
float busy_around(uint2 cell) {
  float2 place = (float2(cell) + 0.5) / float(BLOCK) - 0.5, low = floor(place);
  float sum = 0.0;
  UNROLL for (int j = -1; j < 3; j++) {
    float row = 0.0;
    UNROLL for (int i = -1; i < 3; i++) {
      int2 at = clamp(int2(low) + int2(i, j), int2(0, 0), int2(blocks) - 1);
      row += spline(low.x + float(i) - place.x) * surroundings.Load(int3(at, 0));
    }
    sum += spline(low.y + float(j) - place.y) * row;
  }
  return sum;
}

// How much of a cell is kept at most because it lies in a face.
float kept_at(uint2 cell) {
  float2 place = (float2(cell) + 0.5) * float(cell_px) * float(MASK_SIDE) / float2(size) - 0.5, low = floor(place);
  int2 at = int2(low);
  float upper = lerp(mask_at(at).w, mask_at(at + int2(1, 0)).w, place.x - low.x);
  float lower = lerp(mask_at(at + int2(0, 1)).w, mask_at(at + int2(1, 1)).w, place.x - low.x);
  return lerp(upper, lower, place.y - low.y);
}

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
  float drawn = saturate((busy_around(id.xy) - sparse) * per_dense);
  float edges = saturate((sqrt(max(sum.x + sum.z, 0.0)) - kept_least) * per_kept);
  STORE(left, id.xy, touches * max(share * share * (3.0 - 2.0 * share) * (1.0 - drawn), kept_at(id.xy) * edges));
}
