// In: heights t0, picture t1, b0. Out: tensor u0: the lit picture. Group 32x8. Reference: gpu.reference.relief.lit. Tolerance: 1e-4.
#include "common.hlsli"
#include "relief.hlsli"

Texture2D<float> heights : register(t0);
Texture2D<float4> picture : register(t1);
SamplerState edge : register(s0);
RWBuffer<float> lit : register(u0);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  float2 low = float2(id.xy) / float2(size), high = float2(id.xy + 1) / float2(size);
  float4 a = heights.Gather(edge, low), b = heights.Gather(edge, float2(high.x, low.y));
  float4 c = heights.Gather(edge, float2(low.x, high.y)), d = heights.Gather(edge, high);
  float x = (b.z - a.w + 2.0 * (b.y - a.x) + d.y - c.x) / 8.0;
  float y = (c.x - a.w + 2.0 * (c.y - a.z) + d.y - b.z) / 8.0;
  float3 normal = float3(-x, -y, 1.0) / sqrt(1.0 + x * x + y * y);
  float diffuse = max(dot(normal, light.xyz) / light.z, 0.0);
  float glance = pow(max(dot(normal, half_way.xyz), 0.0), gleam_power) - gleam_rest;
  float3 shown = srgb_to_linear(picture.Load(int3(id.xy, 0)).rgb) * diffuse + gleam * glance;
  shown = linear_to_srgb(saturate(shown));
  uint plane = size.x * size.y, o = id.y * size.x + id.x;
  lit[o] = shown.r;
  lit[o + plane] = shown.g;
  lit[o + 2 * plane] = shown.b;
}
