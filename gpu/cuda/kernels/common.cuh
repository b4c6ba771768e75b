// Shared by the kernels: elements of tensors, and what gpu/kernels is written with. There are as many threads
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
DEVICE Rgb operator+(Rgb a, float b) { return {a.r + b, a.g + b, a.b + b}; }
DEVICE Rgb operator-(Rgb a, Rgb b) { return {a.r - b.r, a.g - b.g, a.b - b.b}; }
DEVICE Rgb operator*(float s, Rgb v) { return {s * v.r, s * v.g, s * v.b}; }
DEVICE Rgb saturate(Rgb v) { return {saturate(v.r), saturate(v.g), saturate(v.b)}; }
// Rows of three weights, and an offset behind them.
DEVICE float weighted(const float* row, Rgb v) { return row[0] * v.r + row[1] * v.g + row[2] * v.b; }
DEVICE float affine(const float* row, Rgb v) { return row[0] * v.r + (row[1] * v.g + (row[2] * v.b + row[3])); }

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

// What gpu/kernels is written with.
#define METHOD __device__ __forceinline__
#define RGB(r, g, b) (Rgb{r, g, b})
#define EACH(f) DEVICE Rgb f(Rgb v) { return {f(v.r), f(v.g), f(v.b)}; }
#include "colour.h"

#define BAYER_STEP (1.0f / 64.0f)
