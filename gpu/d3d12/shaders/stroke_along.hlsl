// In: picture t0, tensor of cells t1, lines t2, b0. Out: means along the strokes, and their directions, u0; with MEANS the mean luma of their cells u1. Group 32x16. Reference: gpu.reference.brush.direction, along. Tolerance: 1 direction at their borders, 3e-5.
// COUNT: samples to each side. MEANS, CELL_PX: see group.hlsli.
#include "along.hlsli"

RWTexture2D<float4> drawn : register(u0);

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  share(group, thread, int2(within.xy));
  int2 at = int2(min(id.xy, size - 1));
  uint direction = direction_at(at, group);
  float3 made = as_stored(mean_along(at, direction));
  if (all(id.xy < size)) drawn[id.xy] = float4(made, of_direction(direction));
#ifdef MEANS
  keep_means(group, thread, luma_of(made));
#endif
}
