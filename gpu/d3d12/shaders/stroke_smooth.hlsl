// In: plane of cells t0, b0, and with DEVIATION its means t1. Out: the plane u0, smoothed; with DEVIATION, its squared differences from the means are smoothed. Group 32x8, a group 32x16 cells. Reference: gpu.reference.brush.smoothed. Tolerance: 1e-6.
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
  return v;
}

#include "blur.hlsli"
