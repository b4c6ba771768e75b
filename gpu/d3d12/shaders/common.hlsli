// Shared by the kernels: sRGB (IEC 61966-2-1) and the ordered dither of gpu/colour.py. Each kernel has its own group size.

bool3 not_finite_parts(float3 v) {
  return (asuint(v) & 0x7f800000) == 0x7f800000;
}

// The network's output, clipped to 0..1; NaN and infinity become 0.
float3 cleaned(float3 v) {
  return not_finite_parts(v) ? 0.0 : saturate(v);
}

float3 srgb_to_linear(float3 v) {
  float3 power = pow((max(v, 0.0) + 0.055) / 1.055, 2.4);
  return v <= 0.04045 ? v / 12.92 : power;
}

float3 linear_to_srgb(float3 v) {
  float3 power = pow(max(v, 0.0), 1.0 / 2.4);
  return v <= 0.04045 / 12.92 ? v * 12.92 : 1.055 * power - 0.055;
}

// Threshold of the 8x8 Bayer matrix, (b + 0.5) / 64: interleaved bits of x ^ y and y, the lowest bit having the highest weight.
float bayer(uint2 at) {
  uint m = at.x ^ at.y;
  uint b = ((m & 1) << 5) | ((at.y & 1) << 4) | ((m & 2) << 2) | ((at.y & 2) << 1) | ((m & 4) >> 1) | ((at.y & 4) >> 2);
  return (b + 0.5) / 64.0;
}
