// In: picture, height (of relief_height), Relief. Out: made. Group 32x8. Reference: gpu.stages.relief.reference.lit. Tolerance: 1e-3. CUDA's own: pixels are packed halves, and the logarithm is the GPU's fast one.
#include "relief.cuh"

// Like srgb_to_linear and linear_to_srgb, with the GPU's fast logarithm, which is more precise than a half.
DEVICE float to_linear(float v) { return v <= 0.04045f ? v / 12.92f : __powf((v + 0.055f) / 1.055f, 2.4f); }
DEVICE float to_encoded(float v) {
  return v <= 0.04045f / 12.92f ? v * 12.92f : 1.055f * __powf(v, 1.0f / 2.4f) - 0.055f;
}

// How much a surface with these slopes faces a direction.
DEVICE float facing(float gx, float gy, const float* to) {
  return (to[2] - gx * to[0] - gy * to[1]) * rsqrtf(1.0f + gx * gx + gy * gy);
}

extern "C" __global__ void relief_light(
    const Pixel* __restrict__ picture, const float* __restrict__ height, Pixel* made, Relief c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int width = c.size[0], rows = c.size[1];
  if (x >= width || y >= rows) return;
  const int left = x > 0 ? x - 1 : 0, right = x + 1 < width ? x + 1 : x;
  const float* here = height + (size_t)y * width;
  const float *above = y > 0 ? here - width : here, *below = y + 1 < rows ? here + width : here;
  float gx = slope_of(above[left], here[left], below[left], above[right], here[right], below[right]);
  float gy = slope_of(above[left], above[x], above[right], below[left], below[x], below[right]);
  float diffuse = diffuse_of(c, facing(gx, gy, c.light) / c.light[2]), gleam = gleam_of(c, facing(gx, gy, c.half_way));
  const size_t o = (size_t)y * width + x;
  Rgb v = rgb_of(picture[o]);
  auto lit = [&](float encoded) { return to_encoded(lit_by(to_linear(encoded), diffuse, gleam)); };
  made[o] = pixel_of({lit(v.r), lit(v.g), lit(v.b)});
}
