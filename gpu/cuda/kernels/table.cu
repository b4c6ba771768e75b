// In: picture (tensor of R'G'B'), points of the grid (R'G'B' and padding, with red in the slowest dimension), curves (of R', G' and B', one after another), Table. Out: made, flag. Group 32x8. Reference: gpu.stages.table.coloured of the picture clipped to 0..1. Tolerance: 1e-5, fp16 3e-4. CUDA's own: a point is one load of 16 bytes, and its place is found in whole numbers, which Wine's compiler of HLSL spoils.
// Made is a tensor of ELEMENT with planes of the same size, and may be the picture itself; with APART, it is one of float with planes of the picture's own size. NaN and infinity are flagged and count as 0.
#include "common.cuh"

CONSTANTS(TABLE)

typedef Vector<float, 4> Point;

#ifdef APART
typedef float Made;
DEVICE void write(Made* p, size_t i, float v) { p[i] = v; }
#else
typedef Element Made;
DEVICE void write(Made* p, size_t i, float v) { store(p, i, v); }
#endif

DEVICE Rgb weighted(float weight, const Point& p) { return weight * Rgb{p.v[0], p.v[1], p.v[2]}; }

// A channel's position between the points of the grid, in steps.
DEVICE float place_of(const Table& c, const float* curves, int channel, float v) {
  v = saturate((v - c.low[channel]) * c.scale[channel]);
  if (c.curve_points > 0) {
    float at = v * (float)(c.curve_points - 1);
    uint first = (uint)clamped((int)at, 0, (int)c.curve_points - 2);
    const float* curve = curves + (size_t)channel * c.curve_points + first;
    at -= (float)first;
    v = saturate((1.0f - at) * curve[0] + at * curve[1]);
  }
  return v * (float)(c.points - 1);
}

// A colour lies in the tetrahedron of the darkest and the lightest point of its cell and the two on the path from one to the
// other that follows its largest fraction first.
DEVICE Rgb coloured(const Table& c, const Point* grid, const float* curves, Rgb v) {
  float r = place_of(c, curves, 0, v.r), g = place_of(c, curves, 1, v.g), b = place_of(c, curves, 2, v.b);
  int last = (int)c.points - 2;
  uint red = clamped((int)r, 0, last), green = clamped((int)g, 0, last), blue = clamped((int)b, 0, last);
  r -= (float)red;
  g -= (float)green;
  b -= (float)blue;
  uint step_green = c.points, step_red = c.points * c.points, every = step_red + step_green + 1;
  float largest = maximum(maximum(r, g), b), smallest = minimum(minimum(r, g), b);
  float middle = maximum(minimum(r, g), minimum(maximum(r, g), b));
  uint first = r == largest ? step_red : g == largest ? step_green : 1;
  uint second = every - (b == smallest ? 1 : g == smallest ? step_green : step_red);
  const Point* cell = grid + (red * step_red + green * step_green + blue);
  return saturate(weighted(1.0f - largest, cell[0]) + weighted(largest - middle, cell[first]) +
                  weighted(middle - smallest, cell[second]) + weighted(smallest, cell[every]));
}

extern "C" __global__ void table(
    const Element* picture, const Point* grid, const float* curves, Made* made, uint* flag, Table c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size[0] || y >= c.size[1]) return;
  size_t plane = (size_t)c.planes_size[0] * c.planes_size[1], i = (size_t)y * c.planes_size[0] + x;
  Rgb v = {load(picture, i), load(picture, i + plane), load(picture, i + 2 * plane)};
  if (not_finite(v)) *flag = 1;
  v = coloured(c, grid, curves, cleaned(v));
#ifdef APART
  plane = (size_t)c.size[0] * c.size[1];
  i = (size_t)y * c.size[0] + x;
#endif
  write(made, i, v.r);
  write(made, i + plane, v.g);
  write(made, i + 2 * plane, v.b);
}
