// In: plane of cells t0, b0, and with DEVIATION its means t1. Out: the plane u0, smoothed; with DEVIATION, the thickness of paint: the deviation, from its means, within THIN and 1. Group 32x8, a group 32x16 cells. Reference: gpu.reference.brush.smoothed, height of gpu.reference.relief. Tolerance: 1e-6, with DEVIATION 1e-5.
// THICK_LUMA: the deviation from which on paint is thick.
#include "stroke.hlsli"

#define VALUE float
Texture2D<float> plane : register(t0);
Texture2D<float> means : register(t1);
RWTexture2D<float> made : register(u0);

void prepare(int2 first, uint thread) {
}

float value_at(int2 at) {
  float value = plane.Load(int3(at, 0));
#ifdef DEVIATION
  value -= means.Load(int3(at, 0));
  value *= value;
#endif
  return value;
}

float finished(float v) {
#ifdef DEVIATION
  v = clamp(sqrt(max(v, 0.0)) / THICK_LUMA, THIN, 1.0);
#endif
  return v;
}

#include "blur.hlsli"
