// In: painted, source (tensors of R'G'B'), fine luma, Output. Out: planes of SAMPLE (floats where FLOATING, of 16 bits in uint16; Y and CbCr, or Y, Cb and Cr where PLANAR; G, B and R likewise), flag. Group 32x4, one thread per 4x2 samples of luma (4x1 with FULL_Y) and their chroma. Reference: gpu.stages.tensor_to_planes.look + rgb_to_output. Tolerance: 1 code, floats 1e-5 or half a step of float16. CUDA's own: 4x2 samples of a thread share their chroma, and are stored as vectors. What is shown is gpu/kernels/look.h.
#include "look.cuh"

// Chroma is at every column with FULL_X, and at every row with FULL_Y; otherwise at every second one.
#ifdef FULL_X
#define CELL_X 1
#else
#define CELL_X 2
#endif
#ifdef FULL_Y
#define CELL_Y 1
#else
#define CELL_Y 2
#endif
#define CHROMA (4 / CELL_X)

#define ACROSS 5  // columns that the chroma filter for 4 samples reads, starting one before them: chroma is never right of its pair

#if PAINTED == 2
// Columns x to x + 3 of a row.
DEVICE void load_four(const Painted* painted, const Output& c, int x, uint y, Rgb* four) {
  const Vector<Painted, 2>* pairs = (const Vector<Painted, 2>*)(painted + (size_t)y * c.painted_size[0] + x);
  Vector<Painted, 2> first = pairs[0], second = pairs[1];
#pragma unroll
  for (int i = 0; i < 2; i++) four[i] = rgb_of(first.v[i]), four[2 + i] = rgb_of(second.v[i]);
}
#else
DEVICE Vector<Painted, 4> four_at(const Painted* p) { return *(const Vector<Painted, 4>*)p; }

// Columns x to x + 3 of a row.
DEVICE void load_four(const Painted* painted, const Output& c, int x, uint y, Rgb* four) {
  size_t plane = (size_t)c.painted_size[0] * c.painted_size[1], begin = (size_t)y * c.painted_size[0] + x;
  Vector<Painted, 4> r = four_at(painted + begin), g = four_at(painted + plane + begin);
  Vector<Painted, 4> b = four_at(painted + 2 * plane + begin);
#pragma unroll
  for (int i = 0; i < 4; i++) four[i] = {painted_at(r.v, i), painted_at(g.v, i), painted_at(b.v, i)};
}
#endif

// Columns x0 - 1 to x0 + 3 of the painting; beyond the picture, its edge is repeated.
DEVICE void load_row(const Painted* painted, const Output& c, int x0, int last_x, uint y, Rgb* row) {
  if (x0 + 3 <= last_x && c.painted_size[0] % 4 == 0) {
    load_four(painted, c, x0, y, row + 1);
  } else {
    for (int i = 0; i < 4; i++) row[1 + i] = load_painted(painted, c, clamped(x0 + i, 0, last_x), y);
  }
  row[0] = load_painted(painted, c, clamped(x0 - 1, 0, last_x), y);
}

#ifdef FLOATING
DEVICE void set(float& sample, float v) { sample = v; }
DEVICE void set(uint16& sample, float v) { sample = float_to_half(v); }
DEVICE SAMPLE sample_of(const Output& c, float exact, uint index) {
  SAMPLE sample;
  set(sample, saturate(exact));
  return sample;
}
#else
// 8-bit codes fill their sample. index: of the sample, from bayer_index.
DEVICE SAMPLE sample_of(const Output& c, float exact, uint index) {
  uint code = rounded(c, exact, index);
  return (SAMPLE)(sizeof(SAMPLE) == 1 ? code : code << c.shift);
}
#endif

// Writes the first `count` of COUNT samples. whole: the addresses are multiples of the size of COUNT samples.
template <int COUNT>
DEVICE void put(SAMPLE* to, const SAMPLE* codes, int count, bool whole) {
  Vector<SAMPLE, COUNT> samples;
#pragma unroll
  for (int i = 0; i < COUNT; i++) samples.v[i] = codes[i];
  if (whole) {
    *(Vector<SAMPLE, COUNT>*)to = samples;
  } else {
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
      if (i < count) to[i] = samples.v[i];
    }
  }
}

extern "C" __global__ void tensor_to_yuv(
    const Painted* painted, const Element* source, const float* fine, SAMPLE* luma, SAMPLE* blue, SAMPLE* red,
    uint* flag, Look c) {
  int x0 = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y0 = CELL_Y * (blockIdx.y * blockDim.y + threadIdx.y);
  int last_x = (int)c.size[0] - 1, last_y = (int)c.size[1] - 1;
  if (x0 > last_x || y0 > last_y) return;
  bool whole = c.size[0] % 4 == 0;
  float sum = 0.0f;  // NaN if a value is not finite
  Rgb mean[CHROMA] = {};  // the weights sum to 1, so the matrix can be applied afterwards
#pragma unroll 1
  for (int j = 0; j < 4; j++) {
    bool own = j >= 1 && j <= CELL_Y;  // rows of luma of this thread
    if (c.taps_y[j] == 0.0f && !own) continue;
    uint y = clamped(y0 + j - 1, 0, last_y);
    Rgb row[ACROSS];
    load_row(painted, c, x0, last_x, y, row);
#pragma unroll
    for (int i = 0; i < ACROSS; i++) {
      sum = 0.0f * row[i].r + (0.0f * row[i].g + (0.0f * row[i].b + sum));
      uint x = clamped(x0 + i - 1, 0, last_x);
      row[i] = c.in_output(shown_at(c, cleaned(row[i]), source, fine, x, y));
    }
#pragma unroll
    for (int n = 0; n < CHROMA; n++) {
#ifdef FULL_X
      mean[n] = mean[n] + c.taps_y[j] * row[1 + n];
#else
#pragma unroll
      for (int i = 0; i < 3; i++) mean[n] = mean[n] + c.taps_y[j] * c.taps_x[i] * row[2 * n + i];
#endif
    }
    if (own && y0 + j - 1 <= last_y) {
      SAMPLE codes[4];
      uint index = bayer_index(x0, y);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        codes[i] = sample_of(c, affine(c.codes[0], row[1 + i]), index ^ bayer_index(i, 0));
      }
      put<4>(luma + (size_t)y * c.size[0] + x0, codes, last_x - x0 + 1, whole);
    }
  }
  SAMPLE u[CHROMA], v[CHROMA];
  uint cx = x0 / CELL_X, cy = y0 / CELL_Y, across = (c.size[0] + CELL_X - 1) / CELL_X;
  uint index = bayer_index(cx, cy);
#pragma unroll
  for (int n = 0; n < CHROMA; n++) {
    u[n] = sample_of(c, affine(c.codes[1], mean[n]), index ^ bayer_index(n, 0));
    v[n] = sample_of(c, affine(c.codes[2], mean[n]), index ^ bayer_index(n, 0));
  }
  int count = (int)(across - cx);
  size_t chroma = (size_t)cy * across + cx;
#ifdef PLANAR
  put<CHROMA>(blue + chroma, u, count, whole);
  put<CHROMA>(red + chroma, v, count, whole);
#else
  SAMPLE both[4] = {u[0], v[0], u[1], v[1]};
  put<4>(blue + 2 * chroma, both, 2 * count, whole);
#endif
  if (not_finite(sum)) *flag = 1;
}
