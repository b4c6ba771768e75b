// Shared by the kernels: elements of tensors, sRGB (IEC 61966-2-1) and the ordered dither of gpu/colour.py. There are as many threads
// as samples; each kernel chooses its group. Compiled by NVRTC without any header. ELEMENT 0: tensors of float, 1: of half.
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint;

#define DEVICE static __device__ __forceinline__

DEVICE float minimum(float a, float b) { return fminf(a, b); }
DEVICE float maximum(float a, float b) { return fmaxf(a, b); }
DEVICE float saturate(float v) { return __saturatef(v); }
DEVICE float lerp(float a, float b, float w) { return a + (b - a) * w; }
DEVICE int clamped(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

struct Rgb {
  float r, g, b;
};

DEVICE Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
DEVICE Rgb operator-(Rgb a, Rgb b) { return {a.r - b.r, a.g - b.g, a.b - b.b}; }
DEVICE Rgb operator*(float s, Rgb v) { return {s * v.r, s * v.g, s * v.b}; }
DEVICE Rgb saturate(Rgb v) { return {saturate(v.r), saturate(v.g), saturate(v.b)}; }
DEVICE float dot(const float* row, Rgb v) { return row[0] * v.r + row[1] * v.g + row[2] * v.b; }
// A row of three weights and an offset.
DEVICE float affine(const float* row, Rgb v) { return row[0] * v.r + (row[1] * v.g + (row[2] * v.b + row[3])); }

// BT.709's, for encoded R'G'B'.
DEVICE float luma_of(Rgb v) { return 0.2126f * v.r + 0.7152f * v.g + 0.0722f * v.b; }

DEVICE uint bits_of(float v) { return __float_as_uint(v); }
DEVICE float half_to_float(uint16 v) {
  float out;
  asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(v));
  return out;
}
DEVICE uint16 float_to_half(float v) {
  uint16 out;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out) : "f"(v));
  return out;
}

#if ELEMENT == 1
typedef uint16 Element;
DEVICE Element to_element(float v) { return float_to_half(v); }
DEVICE float load(const Element* p, size_t i) { return half_to_float(p[i]); }
#else
typedef float Element;
DEVICE Element to_element(float v) { return v; }
DEVICE float load(const Element* p, size_t i) { return p[i]; }
#endif
DEVICE void store(Element* p, size_t i, float v) { p[i] = to_element(v); }

// Values that are read or written together. Their address is a multiple of their size.
template <typename T, int COUNT>
struct alignas(COUNT * sizeof(T)) Vector {
  T v[COUNT];
};

// R'G'B' as halves, and padding, so that it takes a single load.
typedef Vector<uint16, 4> Pixel;

DEVICE Rgb rgb_of(Pixel p) { return {half_to_float(p.v[0]), half_to_float(p.v[1]), half_to_float(p.v[2])}; }
DEVICE Pixel pixel_of(Rgb v) { return {{float_to_half(v.r), float_to_half(v.g), float_to_half(v.b), 0}}; }

DEVICE bool not_finite(float v) { return (bits_of(v) & 0x7f800000u) == 0x7f800000u; }
DEVICE bool not_finite(Rgb v) { return not_finite(v.r) || not_finite(v.g) || not_finite(v.b); }

// The network's output, clipped to 0..1; NaN and infinity (whose product with 0 is NaN) become 0.
DEVICE float cleaned(float v) { return saturate(0.0f * v + v); }
DEVICE Rgb cleaned(Rgb v) { return {cleaned(v.r), cleaned(v.g), cleaned(v.b)}; }

DEVICE float srgb_to_linear(float v) {
  return v <= 0.04045f ? v / 12.92f : powf((maximum(v, 0.0f) + 0.055f) / 1.055f, 2.4f);
}

DEVICE float linear_to_srgb(float v) {
  return v <= 0.04045f / 12.92f ? v * 12.92f : 1.055f * powf(maximum(v, 0.0f), 1.0f / 2.4f) - 0.055f;
}

DEVICE Rgb srgb_to_linear(Rgb v) { return {srgb_to_linear(v.r), srgb_to_linear(v.g), srgb_to_linear(v.b)}; }
DEVICE Rgb linear_to_srgb(Rgb v) { return {linear_to_srgb(v.r), linear_to_srgb(v.g), linear_to_srgb(v.b)}; }

DEVICE float hable_curve(float x) {
  return (x * (0.15f * x + 0.05f) + 0.004f) / (x * (0.15f * x + 0.50f) + 0.06f) - 0.02f / 0.30f;
}

// A sample's rank in the 8x8 Bayer matrix: interleaved bits of x ^ y and y, the lowest bit having the highest weight.
// bayer_index(x ^ i, y ^ j) is bayer_index(x, y) ^ bayer_index(i, j).
DEVICE uint bayer_index(uint x, uint y) {
  uint m = x ^ y;
  return ((m & 1) << 5) | ((y & 1) << 4) | ((m & 2) << 2) | ((y & 2) << 1) | ((m & 4) >> 1) | ((y & 4) >> 2);
}
#define BAYER_STEP (1.0f / 64.0f)
