// Shared by the kernels: colours, and values that are not finite. Each kernel has its own group size.
#include "colour.h"

// Rows of three weights, and an offset behind them.
float weighted(float4 row, float3 v) { return dot(row.rgb, v); }
float affine(float4 row, float3 v) { return dot(row, float4(v, 1.0)); }

bool3 not_finite_parts(float3 v) {
  return (asuint(v) & 0x7f800000) == 0x7f800000;
}

// The network's output, clipped to 0..1; NaN and infinity become 0.
float3 cleaned(float3 v) {
  return not_finite_parts(v) ? 0.0 : saturate(v);
}
