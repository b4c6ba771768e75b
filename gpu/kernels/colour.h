// For every language of kernels: sRGB (IEC 61966-2-1), luma of BT.709, Hable's curve and the ordered dither of gpu/colour.py. An Rgb is made by RGB(r, g, b), and EACH(f) makes f of it of f of a number. A METHOD reads the constants of its kernel by their names.
DEVICE float srgb_to_linear(float v) {
  return v <= 0.04045f ? v / 12.92f : pow((max(v, 0.0f) + 0.055f) / 1.055f, 2.4f);
}
EACH(srgb_to_linear)

DEVICE float linear_to_srgb(float v) {
  return v <= 0.04045f / 12.92f ? v * 12.92f : 1.055f * pow(max(v, 0.0f), 1.0f / 2.4f) - 0.055f;
}
EACH(linear_to_srgb)

// For encoded R'G'B'.
DEVICE float luma_of(Rgb v) { return 0.2126f * v.r + 0.7152f * v.g + 0.0722f * v.b; }

DEVICE float hable_curve(float x) {
  return (x * (0.15f * x + 0.05f) + 0.004f) / (x * (0.15f * x + 0.50f) + 0.06f) - 0.02f / 0.30f;
}

// A sample's rank in the 8x8 Bayer matrix: interleaved bits of x ^ y and y, the lowest bit having the highest weight.
// bayer_index(x ^ i, y ^ j) is bayer_index(x, y) ^ bayer_index(i, j).
DEVICE uint bayer_index(uint x, uint y) {
  uint m = x ^ y;
  return ((m & 1) << 5) | ((y & 1) << 4) | ((m & 2) << 2) | ((y & 2) << 1) | ((m & 4) >> 1) | ((y & 4) >> 2);
}
