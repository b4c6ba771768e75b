// In: picture t0, with the height of strokes in alpha, means of luma over the surroundings of cells and the thickness of the paint there t1, what is left of cells of the network's input t2, b0. Out: tensor u0: the lit picture. Group 32x16. Reference: gpu.stages.relief.reference.height, lit. Tolerance: 2e-4.
// BRUSHED 1: there are strokes.
#include "relief.hlsli"
OPTION(0, BRUSHED)
#include "common.hlsli"

READS_PICTURE(float4, picture, 0);
READS_PICTURE(float2, ground, 1);
READS_PICTURE(float, left, 2);
WRITES(float, lit, 0);
#include "paint.hlsli"

#define TILE_X 34
#define TILE (TILE_X * 18)
groupshared float near[TILE];  // heights that a group's threads share

static const float PI = 3.14159265;

// A plain weave: each thread is a half wave that passes over one thread and under the next.
float woven(float2 at) {
  float2 whole = floor(at), part = at - whole;
  float2 thread = sin(PI * part);
  float warp = thread.x * (0.6 + 0.4 * sin(PI * (part.y + (whole.y + whole.x) % 2.0)));
  float weft = thread.y * (0.6 + 0.4 * sin(PI * (part.x + (whole.x + whole.y + 1.0) % 2.0)));
  return max(warp, weft);
}

float2 ground_at(float2 at) {
  float2 place = at / float(cell_px) - 0.5, low = floor(place), share = place - low;
  int2 last = int2(cells) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float2 above = lerp(ground.Load(int3(a, 0)), ground.Load(int3(b.x, a.y, 0)), share.x);
  return lerp(above, lerp(ground.Load(int3(a.x, b.y, 0)), ground.Load(int3(b, 0)), share.x), share.y);
}

// Of the paint and the canvas, in pixels.
float height_at(int2 at) {
  float4 seen = picture.Load(int3(at, 0));
  float2 middle = float2(at) + 0.5, both = ground_at(middle), strokes = 0.0;
  if (BRUSHED == 1) strokes = float2(HIGHEST * seen.a, brush * (1.0 - left_at(middle)));
  float apart = (luma_of(seen.rgb) - both.x) / body_luma, thread = 0.0;
  if (weave > 0.0) thread = woven(middle / pitch_px);
  return height_of(apart, both.y, thread, strokes.x, strokes.y);
}

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  int2 first = int2(group.xy) * int2(32, 16) - 1;
  UNROLL for (uint k = 0; k < TILE; k += 512) {
    uint i = thread + k;
    int2 at = clamp(first + int2(i % TILE_X, i / TILE_X), int2(0, 0), int2(size) - 1);
    if (i < TILE) near[i] = height_at(at);
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
