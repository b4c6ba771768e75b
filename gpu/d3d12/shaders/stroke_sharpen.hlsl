// In: picture with directions t0 (of stroke_along), smoothed luma of cells t1, lines across the strokes t2, b0. Out: picture u0, with sharpened edges. Group 32x8. Reference: gpu.reference.brush.sharpened. Tolerance: 1e-4.
// COUNT: samples to each side. Sample 7 of a line is the reach of the second difference.
#include "stroke.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float> smoothed : register(t1);
Buffer<uint4> lines : register(t2);
RWTexture2D<float4> sharpened : register(u0);

float light_at(int2 at) {
  Around where = around(at, cell_px, cells);
  return between(smoothed.Gather(edge, where.middle), where.part);
}

float3 sample_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  float4 here = picture.Load(int3(at, 0));
  uint4 line_ = lines[direction_in(here.a)];
  int2 reach = sample_of(line_, 7);
  float second = light_at(at + reach) + light_at(at - reach) - 2.0 * light_at(at);
  float weight = clamp(second / sharp, -1.0, 1.0);
  float side = weight > 0.0 ? 1.0 : -1.0;
  float3 own = here.rgb, found = own;
  float light = side * luma_of(own), best = light;
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(line_, k);
    float3 ahead = sample_at(at + far), behind = sample_at(at - far);
    float value = side * luma_of(ahead);
    found = value < best ? ahead : found;
    best = min(value, best);
    value = side * luma_of(behind);
    found = value < best ? behind : found;
    best = min(value, best);
  }
  sharpened[id.xy] = float4(lerp(own, found, abs(weight) * saturate((light - best) / grain)), 1.0);
}
