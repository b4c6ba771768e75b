// In: tensor t0, grid t1, curves t2, b0. Out: tensor u0, flag u1. Group 32x8. Reference: models.colours.colour_table.apply, of the input clipped to 0..1. Tolerance: 1e-5.
// NaN and infinity are flagged and become 0 before the table is applied.
#include "portable.hlsli"
#include "common.hlsli"

READS(float, input, 0);
READS(float4, grid, 1);   // R'G'B' at each point, blue first
READS(float, curves, 2);  // those of R', G' and B', one after another
WRITES(float, tensor, 0);
WRITES(uint, not_finite, 1);

CONSTANTS(TABLE)

float on_curve(float v, uint first) {
  float place = v * float(curve_points - 1);
  float whole = min(floor(place), float(curve_points - 2));
  uint at = first + uint(whole);
  float a = curves[at], b = curves[at + 1];
  return a + (place - whole) * (b - a);
}

float3 at_corner(float index) {
  return grid[uint(index)].rgb;
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint plane = planes_size.x * planes_size.y, i = id.y * planes_size.x + id.x;
  float3 v = float3(input[i], input[i + plane], input[i + 2 * plane]);
  if (any(not_finite_parts(v))) not_finite[0] = 1;
  v = saturate((cleaned(v) - low.rgb) * scale.rgb);
  if (curve_points > 0) {
    v = saturate(float3(on_curve(v.r, 0), on_curve(v.g, curve_points), on_curve(v.b, 2 * curve_points)));
  }
  float3 place = v * float(points - 1);
  float3 cell = min(floor(place), float(points - 2));
  float3 f = place - cell;
  // The tetrahedron has the cell's first and last corner, and the two on the path that follows the largest component of the
  // colour first and the smallest one last. Wine's compiler miscompiles this with
  // indices as uint; as floats they are exact, being integers below 2^24.
  float largest = max(max(f.r, f.g), f.b), smallest = min(min(f.r, f.g), f.b);
  float middle = max(min(f.r, f.g), min(max(f.r, f.g), f.b));
  float side = float(points);
  float3 steps = float3(side * side, side, 1.0);
  float3 first = float3(step(f.g, f.r) * step(f.b, f.r), 0.0, 0.0);
  first.g = (1.0 - first.r) * step(f.b, f.g);
  first.b = 1.0 - first.r - first.g;
  float3 last = float3(0.0, 0.0, step(f.b, f.r) * step(f.b, f.g));
  last.g = (1.0 - last.b) * step(f.g, f.r);
  last.r = 1.0 - last.b - last.g;
  float3 made = at_corner(dot(cell, steps)) * (1.0 - largest);
  made += at_corner(dot(cell + first, steps)) * (largest - middle);
  made += at_corner(dot(cell + 1.0 - last, steps)) * (middle - smallest);
  made = saturate(made + at_corner(dot(cell + 1.0, steps)) * smallest);
  uint o = id.y * planes_size.x + id.x;
  tensor[o] = made.r;
  tensor[o + plane] = made.g;
  tensor[o + 2 * plane] = made.b;
}
