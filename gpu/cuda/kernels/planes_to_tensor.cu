// In: planes of codes in SAMPLE (floats where FLOATING, of 16 bits in uint16), filter, Convert. Out: tensor of ELEMENT (3 planes of R'G'B'). Group 32x8. Reference: gpu.stages.planes_to_tensor.planes_to_rgb + pad, or resample of its rows. Tolerance: 1e-5, fp16 1e-3; PQ and HLG 2e-3. CUDA's own: 4x2 samples of a thread share their chroma; planes are pointers, not textures. What a sample becomes is gpu/kernels/convert.h.
// With CHROMA_420 a thread computes 4x2 samples. LAYOUT 0 grey, 1 planar, 2 semi-planar, 3 G B R, 4 RGBA. TRANSFER 0 SDR, 1 PQ, 2 HLG. KEPT: the result is HDR again. CHROMA_420: chroma has half the size in both directions.
// RESIZED: also filters along the rows, so that no tensor of the source's size is needed.
#include "common.cuh"

CONSTANTS(CONVERT)

#ifndef KEPT
#define KEPT 0
#endif
#include "light.h"
struct Conversion : Convert {
#include "convert.h"
};

// Rows of a plane are `pitch` samples apart.
struct Planes {
  const SAMPLE* plane[3];
  uint pitch[3];
};

DEVICE const SAMPLE* row_of(const Planes& p, int plane, uint y) { return p.plane[plane] + (size_t)y * p.pitch[plane]; }
DEVICE float sample(const Planes& p, int plane, uint x, uint y) { return row_of(p, plane, y)[x]; }
#ifdef FLOATING
DEVICE float value_of(float v) { return v; }
DEVICE float value_of(uint16 v) { return half_to_float(v); }
#endif

// A row of texels of Cb (0) or Cr (1), CHROMA_STEP samples apart.
#if LAYOUT == 1
#define CHROMA_STEP 1
DEVICE const SAMPLE* chroma_row(const Planes& p, int component, uint y) { return row_of(p, 1 + component, y); }
#elif LAYOUT == 2
#define CHROMA_STEP 2
DEVICE const SAMPLE* chroma_row(const Planes& p, int component, uint y) { return row_of(p, 1, y) + component; }
#endif

DEVICE Rgb samples(const Planes& p, Conversion& c, uint x, uint y) {
#if LAYOUT == 0
  return {sample(p, 0, x, y), 0.0f, 0.0f};
#elif LAYOUT == 3
#ifdef FLOATING  // saturated ahead of the matrix: NaN is 0, and infinity 1
  return saturate(Rgb{value_of(row_of(p, 2, y)[x]), value_of(row_of(p, 0, y)[x]), value_of(row_of(p, 1, y)[x])});
#else
  return {sample(p, 2, x, y), sample(p, 0, x, y), sample(p, 1, x, y)};
#endif
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
    const SAMPLE *above = chroma_row(p, k, ay), *below = chroma_row(p, k, by);
    float top = lerp(above[ax * CHROMA_STEP], above[bx * CHROMA_STEP], wx);
    float bottom = lerp(below[ax * CHROMA_STEP], below[bx * CHROMA_STEP], wx);
    between[k] = lerp(top, bottom, wy);
  }
  return {sample(p, 0, x, y), between[0], between[1]};
#endif
}

#ifdef CHROMA_420
// 4x2 samples from x0, y0 on. Their chroma needs 4 columns and 3 rows of texels: an even sample lies between the texel before its
// own and its own, an odd one between its own and the next, as chroma_offset is within -0.5..0. EDGE: some of them may be outside
// the planes, whose edges are repeated.
template <bool EDGE>
DEVICE void rgb_of_block(const Planes& p, Conversion& c, int x0, int y0, Rgb block[2][4]) {
  int last_x = (int)c.chroma_size[0] - 1, last_y = (int)c.chroma_size[1] - 1, cx = x0 / 2, cy = y0 / 2;
  float across[2] = {1.0f + c.chroma_offset[0], 0.5f + c.chroma_offset[0]};
  float down[2] = {1.0f + c.chroma_offset[1], 0.5f + c.chroma_offset[1]};
  float between[2][4][2];  // rows of samples, columns of texels, components
#pragma unroll
  for (int k = 0; k < 2; k++) {
    const SAMPLE* above = chroma_row(p, k, clamped(cy - 1, 0, last_y)) + (cx - 1) * CHROMA_STEP;
    const SAMPLE* own = chroma_row(p, k, cy) + (cx - 1) * CHROMA_STEP;
    const SAMPLE* below = chroma_row(p, k, clamped(cy + 1, 0, last_y)) + (cx - 1) * CHROMA_STEP;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int at = CHROMA_STEP * (EDGE ? clamped(i, 1 - cx, last_x + 1 - cx) : i);
      between[0][i][k] = lerp(above[at], own[at], down[0]);
      between[1][i][k] = lerp(own[at], below[at], down[1]);
    }
  }
#pragma unroll
  for (int j = 0; j < 2; j++) {
    const SAMPLE* luma = row_of(p, 0, EDGE ? clamped(y0 + j, 0, (int)c.size[1] - 1) : y0 + j) + x0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int at = EDGE ? clamped(i, 0, (int)c.size[0] - 1 - x0) : i, left = (i + 1) / 2;
      float u = lerp(between[j][left][0], between[j][left + 1][0], across[i % 2]);
      float v = lerp(between[j][left][1], between[j][left + 1][1], across[i % 2]);
      block[j][i] = c.converted({(float)luma[at], u, v});
    }
  }
}

template <bool EDGE>
DEVICE void convert(const Planes& p, Element* tensor, Conversion& c, int x, int y) {
  int width = c.size[0], height = c.size[1], padded_width = c.padded[0], padded_height = c.padded[1];
  int x0 = x, y0 = y;
  if (EDGE) {  // a block in the padding is computed from the picture's last one
    x0 = x < width ? x : (width - 1) / 4 * 4;
    y0 = y < height ? y : (height - 1) / 2 * 2;
  }
  Rgb block[2][4];
  rgb_of_block<EDGE>(p, c, x0, y0, block);
  if (EDGE) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
#pragma unroll
      for (int i = 1; i < 4; i++) {
        if (x0 + i >= width) block[j][i] = block[j][i - 1];
      }
#pragma unroll
      for (int i = 0; i < 3; i++) {
        if (x0 < x) block[j][i] = block[j][3];
      }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
      if (y0 + 1 >= height) block[1][i] = block[0][i];
      if (y0 < y) block[0][i] = block[1][i];
    }
  }
  size_t plane = (size_t)padded_width * padded_height;
#pragma unroll
  for (int j = 0; j < 2; j++) {
    if (EDGE && y + j >= padded_height) return;
    Vector<Element, 4> rgb[3];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      rgb[0].v[i] = to_element(block[j][i].r);
      rgb[1].v[i] = to_element(block[j][i].g);
      rgb[2].v[i] = to_element(block[j][i].b);
    }
    Element* row = tensor + (size_t)(y + j) * padded_width + x;
    if (padded_width % 4 == 0) {
#pragma unroll
      for (int k = 0; k < 3; k++) *(Vector<Element, 4>*)(row + k * plane) = rgb[k];
    } else {
#pragma unroll
      for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3 && x + i < padded_width; k++) row[k * plane + i] = rgb[k].v[i];
      }
    }
  }
}

extern "C" __global__ void planes_to_tensor(Planes p, const float* filter, Element* tensor, Conversion c) {
  int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= (int)c.padded[0] || y >= (int)c.padded[1]) return;
  if (x >= 4 && x + 6 <= (int)c.size[0] && y + 2 <= (int)c.size[1]) {
    convert<false>(p, tensor, c, x, y);
  } else {
    convert<true>(p, tensor, c, x, y);
  }
}

#else

DEVICE Rgb rgb_at(const Planes& p, Conversion& c, uint x, uint y) { return c.converted(samples(p, c, x, y)); }

extern "C" __global__ void planes_to_tensor(Planes p, const float* filter, Element* tensor, Conversion c) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.padded[0] || y >= c.padded[1]) return;
#ifdef RESIZED
  const float* row = filter + (size_t)x * (c.taps + 1);  // index of the first sample, and the weights
  uint first = (uint)row[0];
  Rgb rgb = {0.0f, 0.0f, 0.0f};
  for (uint k = 0; k < c.taps; k++) rgb = rgb + row[1 + k] * rgb_at(p, c, first + k, y);
#else
  // Repeat the edge into the padding.
  Rgb rgb = rgb_at(p, c, x < c.size[0] ? x : c.size[0] - 1, y < c.size[1] ? y : c.size[1] - 1);
#endif
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  store(tensor, i, rgb.r);
  store(tensor, i + plane, rgb.g);
  store(tensor, i + 2 * plane, rgb.b);
}
#endif
