// In: picture t0, means of luma over the surroundings of cells and the thickness of the paint there t1, height of strokes and how much of the picture they cover t2, b0. Out: height of the paint and the canvas in pixels u0. Group 32x16. Reference: gpu.stages.relief.reference.height. Tolerance: 1e-4.
// BRUSHED 1: there are strokes.
#include "relief.hlsli"
OPTION(0, BRUSHED)
#include "common.hlsli"

READS_PICTURE(float4, picture, 0);
READS_PICTURE(float2, ground, 1);
READS_PICTURE(float2, body_of_paint, 2);
WRITES_PICTURE(float, "r32f", heights, 0);

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

[numthreads(32, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  float2 middle = float2(id.xy) + 0.5, both = ground_at(middle), strokes = 0.0;
  if (BRUSHED == 1) strokes = body_of_paint.Load(int3(id.xy, 0));
  float apart = (luma_of(picture.Load(int3(id.xy, 0)).rgb) - both.x) / body_luma, thread = 0.0;
  if (weave > 0.0) thread = woven(middle / pitch_px);
  STORE(heights, id.xy, height_of(apart, both.y, thread, strokes.x, strokes.y));
}
