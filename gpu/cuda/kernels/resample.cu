// In: tensor, filter, Resample. Out: tensor, flag. Group 32x8. Reference: gpu.stages.resample.resample, with AXIS 0 after clipping the input to 0..1 as in to_target, with AXIS 1 clipped to 0..top at the end. Tolerance: 1e-6. CUDA's own: elements of tensors are halves or floats, for lack of views.
// AXIS 0: along the rows, from ELEMENT to float; NaN and infinity are flagged and become 0. AXIS 1: along the columns, from float to ELEMENT, repeating the edge into the padding.
#include "common.cuh"
#include "resample.cuh"

#if AXIS == 0
typedef Element Input;
typedef float Made;
DEVICE float read(const Input* p, size_t i) { return load(p, i); }
DEVICE void write(Made* p, size_t i, float v) { p[i] = v; }
#else
typedef float Input;
typedef Element Made;
DEVICE float read(const Input* p, size_t i) { return p[i]; }
DEVICE void write(Made* p, size_t i, float v) { store(p, i, v); }
#endif

extern "C" __global__ void resample(const Input* input, const float* filter, Made* tensor, uint* flag, Resample c) {
  uint ox = blockIdx.x * blockDim.x + threadIdx.x, oy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ox >= c.padded[0] || oy >= c.padded[1]) return;
  uint x = ox < c.size[0] ? ox : c.size[0] - 1, y = oy < c.size[1] ? oy : c.size[1] - 1;
  size_t from = (size_t)c.input_size[0] * c.input_size[1], to = (size_t)c.padded[0] * c.padded[1];
#if AXIS == 0
  const float* row = filter + (size_t)x * (c.taps + 1);  // index of the first sample to read, and the weights
  size_t start = (size_t)y * c.input_size[0] + (uint)row[0], stride = 1;
#else
  const float* row = filter + (size_t)y * (c.taps + 1);
  size_t start = (size_t)(uint)row[0] * c.input_size[0] + x, stride = c.input_size[0];
#endif
  Rgb sum = {0.0f, 0.0f, 0.0f};
  bool bad = false;
  for (uint k = 0; k < c.taps; k++) {
    size_t i = start + k * stride;
    Rgb v = {read(input, i), read(input, i + from), read(input, i + 2 * from)};
#if AXIS == 0
    bad = bad || not_finite(v);
    v = cleaned(v);
#endif
    sum = sum + row[1 + k] * v;
  }
#if AXIS == 0
  if (bad) *flag = 1;
#else
  sum = {min(max(sum.r, 0.0f), c.top), min(max(sum.g, 0.0f), c.top), min(max(sum.b, 0.0f), c.top)};
#endif
  size_t o = (size_t)oy * c.padded[0] + ox;
  write(tensor, o, sum.r);
  write(tensor, o + to, sum.g);
  write(tensor, o + 2 * to, sum.b);
}
