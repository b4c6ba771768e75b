// In: picture t0, tensor of cells t1, lines t2, painting t3 (tensor of R'G'B'), what is left of cells of the network's input t4, fine luma t5, b0. Out: the last means along the strokes, blended with the painting, u0: a tensor; with RAISED a picture, and with MEANS the mean luma of its cells u1. Group 32x16. Reference: gpu.reference.brush.direction, along. Tolerance: 1 direction at their borders, 3e-5.
// COUNT: samples to each side. RAISED: the output is a picture, for relief, with fine luma added. MEANS, CELL_PX: see group.hlsli.
#include "common.hlsli"
#include "along.hlsli"

Buffer<float> painted : register(t3);
Texture2D<float> left : register(t4);
#ifdef RAISED
Buffer<float> fine : register(t5);
RWTexture2D<float4> brushed : register(u0);
#else
RWBuffer<float> brushed : register(u0);
#endif

float left_at(int2 at) {
  float2 place = (at + 0.5) * corner_step - 0.5, low = floor(place), share = place - low;
  int2 last = int2(corner_cells) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float above = lerp(left.Load(int3(a, 0)), left.Load(int3(b.x, a.y, 0)), share.x);
  return lerp(above, lerp(left.Load(int3(a.x, b.y, 0)), left.Load(int3(b, 0)), share.x), share.y);
}

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  share(group, thread, int2(within.xy));
  int2 at = int2(min(id.xy, size - 1));
  float3 made = mean_along(at, direction_at(at, group));
  float drawn = brush * (1.0 - left_at(at));
  if (drawn < 1.0) {
    uint from = painted_size.x * painted_size.y, i = at.y * painted_size.x + at.x;
    made = lerp(cleaned(float3(painted[i], painted[i + from], painted[i + 2 * from])), made, drawn);
  }
  uint to = size.x * size.y, o = at.y * size.x + at.x;
#ifdef RAISED
  if (detail > 0.0) made += detail * fine[o];
  made = as_stored(made);
  if (all(id.xy < size)) brushed[id.xy] = float4(made, 1.0);
#ifdef MEANS
  keep_means(group, thread, luma_of(made));
#endif
#else
  if (all(id.xy < size)) {
    brushed[o] = made.r;
    brushed[o + to] = made.g;
    brushed[o + 2 * to] = made.b;
  }
#endif
}
