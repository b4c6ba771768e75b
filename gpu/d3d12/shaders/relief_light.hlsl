// In: heights t0, picture t1, b0. Out: tensor u0: the lit picture. Group 32x16. Reference: gpu.stages.relief.reference.lit. Tolerance: 1e-4.
#include "relief.hlsli"
#include "common.hlsli"

READS_PICTURE(float, heights, 0);
READS_PICTURE(float4, picture, 1);
WRITES(float, lit, 0);

#define TILE_X 34
#define TILE (TILE_X * 18)
groupshared float near[TILE];  // what a group's threads share

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  int2 first = int2(group.xy) * int2(32, 16) - 1;
  UNROLL for (uint k = 0; k < TILE; k += 512) {
    uint i = thread + k;
    int2 at = clamp(first + int2(i % TILE_X, i / TILE_X), int2(0, 0), int2(size) - 1);
    float z = heights.Load(int3(at, 0));
    if (i < TILE) near[i] = z;
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x >= size.x || id.y >= size.y) return;
  uint above = within.y * TILE_X + within.x, here = above + TILE_X, below = here + TILE_X;
  float a = near[above], b = near[above + 2], c = near[below], d = near[below + 2];
  float x = slope_of(a, near[here], c, b, near[here + 2], d), y = slope_of(a, near[above + 1], b, c, near[below + 1], d);
  float3 normal = float3(-x, -y, 1.0) / sqrt(1.0 + x * x + y * y);
  float diffuse = diffuse_of(dot(normal, light.xyz) / light.z), bright = gleam_of(dot(normal, half_way.xyz));
  float3 v = srgb_to_linear(picture.Load(int3(id.xy, 0)).rgb);
  float3 shown = linear_to_srgb(float3(lit_by(v.r, diffuse, bright), lit_by(v.g, diffuse, bright), lit_by(v.b, diffuse, bright)));
  uint plane = size.x * size.y, o = id.y * size.x + id.x;
  lit[o] = shown.r;
  lit[o + plane] = shown.g;
  lit[o + 2 * plane] = shown.b;
}
