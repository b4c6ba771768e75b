// In: planes of SAMPLE, filter, Convert. Out: tensor of ELEMENT (3 planes of R'G'B'). Group 32x8. Reference: gpu.reference.kernels.planes_to_rgb + pad, or resample of its rows. Tolerance: 1e-5, fp16 1e-3; PQ and HLG 2e-3.
// LAYOUT 0 grey, 1 planar, 2 semi-planar, 3 G B R, 4 RGBA. TRANSFER 0 SDR, 1 PQ, 2 HLG. RESIZED: with a filter along the rows, so that no tensor of the source's size is needed.
#include "common.cuh"

struct Convert {
  float to_rgb[3][4];     // rows: R'G'B' from normalised samples Y Cb Cr (or R G B), offset in the last column
  float to_bt709[3][4];   // rows: linear RGB of the source's gamut to BT.709
  float luminance[4];     // weights of linear R G B
  uint size[2];           // of the picture
  uint padded[2];         // of the tensor
  uint chroma_size[2];
  float chroma_step[2];   // chroma texels for a luma sample
  float chroma_offset[2]; // position of the first luma sample, in chroma texels
  float peak_nits;
  float hable;            // 1: Hable, 0: BT.2390
  float eetf[4];          // PQ of the peak and of black, maxLum, knee
  float hable_ends[4];    // white_nits, 1 / curve at the peak, HLG peak nits, HLG gamma - 1
  uint taps;              // of the filter
};

// Rows of a plane lie `pitch` samples apart.
struct Planes {
  const SAMPLE* plane[3];
  uint pitch[3];
};

DEVICE float sample(const Planes& p, int plane, uint x, uint y) {
  return p.plane[plane][(size_t)y * p.pitch[plane] + x] * (1.0f / (sizeof(SAMPLE) == 1 ? 255.0f : 65535.0f));
}

#if LAYOUT == 1
DEVICE float chroma(const Planes& p, int component, uint x, uint y) { return sample(p, 1 + component, x, y); }
#elif LAYOUT == 2
DEVICE float chroma(const Planes& p, int component, uint x, uint y) { return sample(p, 1, 2 * x + component, y); }
#endif

DEVICE Rgb samples(const Planes& p, const Convert& c, uint x, uint y) {
#if LAYOUT == 0
  return {sample(p, 0, x, y), 0.0f, 0.0f};
#elif LAYOUT == 3
  return {sample(p, 2, x, y), sample(p, 0, x, y), sample(p, 1, x, y)};
#elif LAYOUT == 4
  return {sample(p, 0, 4 * x, y), sample(p, 0, 4 * x + 1, y), sample(p, 0, 4 * x + 2, y)};
#else
  float px = x * c.chroma_step[0] + c.chroma_offset[0], py = y * c.chroma_step[1] + c.chroma_offset[1];
  float lx = floorf(px), ly = floorf(py), wx = px - lx, wy = py - ly;
  int last_x = (int)c.chroma_size[0] - 1, last_y = (int)c.chroma_size[1] - 1;
  int ax = clamped((int)lx, 0, last_x), bx = clamped((int)lx + 1, 0, last_x);
  int ay = clamped((int)ly, 0, last_y), by = clamped((int)ly + 1, 0, last_y);
  float between[2];
  for (int k = 0; k < 2; k++) {
    float top = lerp(chroma(p, k, ax, ay), chroma(p, k, bx, ay), wx);
    float bottom = lerp(chroma(p, k, ax, by), chroma(p, k, bx, by), wx);
    between[k] = lerp(top, bottom, wy);
  }
  return {sample(p, 0, x, y), between[0], between[1]};
#endif
}

#if TRANSFER > 0
#define M1 (2610.0f / 16384.0f)
#define M2 (2523.0f / 32.0f)
#define C1 (3424.0f / 4096.0f)
#define C2 (2413.0f / 128.0f)
#define C3 (2392.0f / 128.0f)

DEVICE float pq_to_nits(float v) {
  float p = powf(maximum(v, 0.0f), 1.0f / M2);
  return 10000.0f * powf(maximum(p - C1, 0.0f) / (C2 - C3 * p), 1.0f / M1);
}

DEVICE float nits_to_pq(float nits) {
  float p = powf(maximum(nits, 0.0f) / 10000.0f, M1);
  return powf((C1 + C2 * p) / (1.0f + C3 * p), M2);
}

DEVICE float hlg_to_scene(float v) {
  return v <= 0.5f ? v * v / 3.0f : (expf((v - 0.55991073f) / 0.17883277f) + 0.28466892f) / 12.0f;
}

DEVICE Rgb to_nits(const Convert& c, Rgb v) {
#if TRANSFER == 1
  return {pq_to_nits(v.r), pq_to_nits(v.g), pq_to_nits(v.b)};
#else
  Rgb scene = {hlg_to_scene(v.r), hlg_to_scene(v.g), hlg_to_scene(v.b)};
  float y = dot(c.luminance, scene);
  return c.hable_ends[2] * powf(maximum(y, 1e-12f), c.hable_ends[3]) * scene;
#endif
}

// Luminance in nits to SDR light, 1 for reference white.
DEVICE float tone_map(const Convert& c, float nits) {
  nits = minimum(nits, c.peak_nits);
  if (c.hable > 0.5f) return hable_curve(nits / c.hable_ends[0]) * c.hable_ends[1];
  float top = c.eetf[0], bottom = c.eetf[1], max_lum = c.eetf[2], knee = c.eetf[3];
  float e = minimum((nits_to_pq(nits) - bottom) / (top - bottom), 1.0f);
  if (e >= knee && knee < 1.0f) {
    float t = (e - knee) / (1.0f - knee), t2 = t * t, t3 = t2 * t;
    e = (2.0f * t3 - 3.0f * t2 + 1.0f) * knee + (t3 - 2.0f * t2 + t) * (1.0f - knee) + (3.0f * t2 - 2.0f * t3) * max_lum;
  }
  return pq_to_nits(e * (top - bottom) + bottom) / c.hable_ends[0];
}
#endif

DEVICE Rgb rgb_at(const Planes& p, const Convert& c, uint x, uint y) {
  Rgb s = samples(p, c, x, y);
  Rgb rgb = saturate(Rgb{affine(c.to_rgb[0], s), affine(c.to_rgb[1], s), affine(c.to_rgb[2], s)});
#if TRANSFER > 0
  Rgb nits = to_nits(c, rgb);
  float y_nits = dot(c.luminance, nits);
  Rgb light = (tone_map(c, y_nits) / maximum(y_nits, 1e-12f)) * nits;
  light = saturate(Rgb{dot(c.to_bt709[0], light), dot(c.to_bt709[1], light), dot(c.to_bt709[2], light)});
  rgb = {linear_to_srgb(light.r), linear_to_srgb(light.g), linear_to_srgb(light.b)};
#endif
  return rgb;
}

extern "C" __global__ void planes_to_tensor(Planes p, const float* filter, Element* tensor, Convert c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.padded[0] || y >= c.padded[1]) return;
#ifdef RESIZED
  const float* row = filter + (size_t)x * (c.taps + 1);  // index of the first sample, and the weights
  uint first = (uint)row[0];
  Rgb rgb = {0.0f, 0.0f, 0.0f};
  for (uint k = 0; k < c.taps; k++) rgb = rgb + row[1 + k] * rgb_at(p, c, first + k, y);
#else
  // The edge is repeated into the padding.
  Rgb rgb = rgb_at(p, c, x < c.size[0] ? x : c.size[0] - 1, y < c.size[1] ? y : c.size[1] - 1);
#endif
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  store(tensor, i, rgb.r);
  store(tensor, i + plane, rgb.g);
  store(tensor, i + 2 * plane, rgb.b);
}
