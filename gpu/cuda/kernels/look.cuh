// What the kernels of the output begin with: a painting and its source, and the look of both.
#include "common.cuh"

CONSTANTS(OUTPUT)

#ifndef TRANSFER
#define TRANSFER 0
#endif
#include "light.h"
struct Look : Output {
#include "look.h"
};

// Painted and source: 3 planes of R'G'B' each, of the network's type or, at the target's size, float. PAINTED 2: pixels, which
// the kernels of the brush wrote.
#if PAINTED == 2
typedef Pixel Painted;

DEVICE Rgb load_painted(const Painted* p, const Output& c, uint x, uint y) {
  return rgb_of(p[(size_t)y * c.painted_size[0] + x]);
}
#else
#if PAINTED == 1
typedef uint16 Painted;
DEVICE float painted_at(const Painted* p, size_t i) { return half_to_float(p[i]); }
#else
typedef float Painted;
DEVICE float painted_at(const Painted* p, size_t i) { return p[i]; }
#endif

DEVICE Rgb load_painted(const Painted* p, const Output& c, uint x, uint y) {
  size_t plane = (size_t)c.painted_size[0] * c.painted_size[1], i = (size_t)y * c.painted_size[0] + x;
  return {painted_at(p, i), painted_at(p, i + plane), painted_at(p, i + 2 * plane)};
}
#endif

#ifdef PLAIN  // the painting is shown unchanged

DEVICE Rgb shown_at(Look& c, Rgb styled, const Element* source, const float* fine, uint x, uint y) { return styled; }

#else

DEVICE Rgb load_source(const Element* p, const Output& c, uint x, uint y) {
  if (c.shows_source < 0.5f) return {0.0f, 0.0f, 0.0f};
  size_t plane = (size_t)c.source_size[0] * c.source_size[1], i = (size_t)y * c.source_size[0] + x;
  return {load(p, i), load(p, i + plane), load(p, i + 2 * plane)};
}

// Fine: luma of the source, at the picture's size.
DEVICE float load_fine(const float* p, const Output& c, uint x, uint y) {
  return c.detail > 0.0f ? p[(size_t)y * c.size[0] + x] : 0.0f;
}

// styled: of the painting, within 0..1; x, y: position in the picture.
DEVICE Rgb shown_at(Look& c, Rgb styled, const Element* source, const float* fine, uint x, uint y) {
  return c.look(styled, load_fine(fine, c, x, y), load_source(source, c, x, y), x);
}

#endif

// index: of the sample, from bayer_index.
DEVICE uint rounded(const Output& c, float exact, uint index) {
  float step = c.dither > 0.5f ? BAYER_STEP : 0.0f, first = c.dither > 0.5f ? 0.5f * BAYER_STEP : 0.5f;
  return (uint)minimum(maximum(exact + first + index * step, 0.0f), (float)c.top);
}
