// In: painted t0, source t1 (tensors of R'G'B'), fine t2, b0. Out: RGBA u0 (UINT codes, 8 bits or 10 with 2 of alpha), flag u1. Group 16x16. Reference: gpu.stages.tensor_to_planes.look + rgb_to_output; scaled: that of tests/windows/test_screen.py. Tolerance: 1 code.
// A picture is drawn into a rectangle of the output, with rotation by quarter turns and mirroring, with or without linear interpolation, and with black around it; optionally in two panes, and enlarged under a loupe.
#include "portable.hlsli"
OPTION(0, PACKED)
#define TRANSFER 0
#include "painted.hlsli"

#ifdef WGSL  // a word for each pixel
WRITES(uint, picture, 0);
#else
RWTexture2D<uint4> picture : register(u0);
#endif
WRITES(uint, not_finite, 1);

float3 painted_between(uint2 a, uint2 b, float2 w) {
  float3 p = load_painted(a), q = load_painted(uint2(b.x, a.y)), r = load_painted(uint2(a.x, b.y)), s = load_painted(b);
  if (any(not_finite_parts(p))) not_finite[0] = 1;
  return lerp(lerp(cleaned(p), cleaned(q), w.x), lerp(cleaned(r), cleaned(s), w.x), w.y);
}

float3 source_between(uint2 a, uint2 b, float2 w) {
  float3 top = lerp(load_source(a), load_source(uint2(b.x, a.y)), w.x);
  return lerp(top, lerp(load_source(uint2(a.x, b.y)), load_source(b), w.x), w.y);
}

float fine_between(uint2 a, uint2 b, float2 w) {
  float top = lerp(load_fine(a), load_fine(uint2(b.x, a.y)), w.x);
  return lerp(top, lerp(load_fine(uint2(a.x, b.y)), load_fine(b), w.x), w.y);
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= output_size.x || id.y >= output_size.y) return;
  uint2 at = id.xy;
  bool right = pane > 0 && at.x >= pane;
  if (right) at.x -= pane;
  float2 away = float2(at) + 0.5 - loupe;
  float gap = length(away);
  float2 inside = float2(at) - origin;
  if (gap < loupe_radius) inside = loupe - origin + away * loupe_scale - 0.5;
  float3 rgb = 0.0;
  if ((pane == 0 || at.x < pane) && inside.x >= 0.0 && inside.y >= 0.0 && inside.x < shown_size.x && inside.y < shown_size.y) {
    float3 place = float3(inside + 0.5, 1.0);
    float2 centre = float2(dot(turn[0].xyz, place), dot(turn[1].xyz, place));
    float2 position = centre - 0.5;
    float2 low = floor(position);
    int2 last = int2(size) - 1;
    uint2 a = uint2(clamp(int2(low), 0, last)), b = uint2(clamp(int2(low) + 1, 0, last));
    float2 w = position - low;
    if (smooth < 0.5) w = floor(w + 0.5);
    uint column = pane == 0 ? uint(centre.x) : right ? size.x : 0;
    rgb = look(painted_between(a, b, w), fine_between(a, b, w), source_between(a, b, w), column);
    if (abs(centre.x - float(split_column)) < divider * length(turn[0].xy)) rgb = float3(0.92, 0.92, 0.92);
  }
  if (abs(gap - loupe_radius) < 1.0 && loupe_radius > 0.0) rgb = float3(0.92, 0.92, 0.92);
  uint3 made = rounded(to_codes(rgb), id.xy);
#ifdef WGSL
  uint bits = top > 255 ? 10 : 8;
  picture[id.y * output_size.x + id.x] = made.r | made.g << bits | made.b << 2 * bits | top << 3 * bits;
#else
  picture[id.xy] = uint4(made, top);
#endif
}
