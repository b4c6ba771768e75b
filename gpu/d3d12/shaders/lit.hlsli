// The light on a picture: needs `picture`, with the height of strokes in alpha, `around`, means of luma over the surroundings of cells, `thickness` of the paint there, `left` and BRUSHED of its kernel. Reference: gpu.stages.relief.reference.height, lit.
#include "paint.hlsli"

static const float PI = 3.14159265;

// A plain weave: each thread is a half wave that passes over one thread and under the next.
float woven(float2 at) {
  float2 whole = floor(at), part = at - whole;
  float2 thread = sin(PI * part);
  float warp = thread.x * (0.6 + 0.4 * sin(PI * (part.y + (whole.y + whole.x) % 2.0)));
  float weft = thread.y * (0.6 + 0.4 * sin(PI * (part.x + (whole.x + whole.y + 1.0) % 2.0)));
  return max(warp, weft);
}

float2 ground_of(int2 cell) { return float2(around.Load(int3(cell, 0)), thickness.Load(int3(cell, 0))); }

float2 ground_at(float2 at) {
  float2 place = at / float(cell_px) - 0.5, low = floor(place), share = place - low;
  int2 last = int2(cells) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float2 above = lerp(ground_of(a), ground_of(int2(b.x, a.y)), share.x);
  return lerp(above, lerp(ground_of(int2(a.x, b.y)), ground_of(b), share.x), share.y);
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

// The light of a pixel on a slope to the right and one down.
float3 lit_on(int2 at, float x, float y) {
  float3 normal = float3(-x, -y, 1.0) / sqrt(1.0 + x * x + y * y);
  float diffuse = diffuse_of(dot(normal, light.xyz) / light.z), bright = gleam_of(dot(normal, half_way.xyz));
  float3 v = srgb_to_linear(picture.Load(int3(at, 0)).rgb);
  return linear_to_srgb(float3(lit_by(v.r, diffuse, bright), lit_by(v.g, diffuse, bright), lit_by(v.b, diffuse, bright)));
}

// Of heights in rows of a length, by the first of the three above.
#define LIT_AT(at, near, above, across) lit_on(at, \
    slope_of(near[above], near[above + across], near[above + 2 * (across)], near[above + 2], near[above + across + 2], near[above + 2 * (across) + 2]), \
    slope_of(near[above], near[above + 1], near[above + 2], near[above + 2 * (across)], near[above + 2 * (across) + 1], near[above + 2 * (across) + 2]))
