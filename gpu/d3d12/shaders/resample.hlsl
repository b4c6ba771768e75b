// In: tensor t0, taps t1, b0. Out: tensor u0, flag u1. Group 32x8. Reference: gpu.reference.kernels.resample, with AXIS 0 after clipping the input to 0..1 as in to_target, with AXIS 1 clipped at the end. Tolerance: 1e-6.
// AXIS 0: along the rows; NaN and infinity are flagged and become 0. AXIS 1: along the columns, repeating the edge into the padding.
#include "common.hlsli"
#include "resample.hlsli"

Buffer<float> input : register(t0);
RWBuffer<float> tensor : register(u0);
RWBuffer<uint> not_finite : register(u1);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= padded.x || id.y >= padded.y) return;
  uint2 at = min(id.xy, size - 1);
  uint from = input_size.x * input_size.y, to = padded.x * padded.y;
#if AXIS == 0
  uint row = at.x * (taps + 1);
  uint start = at.y * input_size.x + uint(filter[row]), stride = 1;
#else
  uint row = at.y * (taps + 1);
  uint start = uint(filter[row]) * input_size.x + at.x, stride = input_size.x;
#endif
  uint weights = row + 1;  // Wine's compiler miscompiles row + 1 + k within the loop
  float3 sum = 0.0;
  bool bad = false;
  for (uint k = 0; k < taps; k++) {
    uint i = start + k * stride;
    float3 v = float3(input[i], input[i + from], input[i + 2 * from]);
#if AXIS == 0
    bad = bad || any(not_finite_parts(v));
    v = cleaned(v);
#endif
    sum += filter[weights + k] * v;
  }
#if AXIS == 0
  if (bad) not_finite[0] = 1;
#else
  sum = saturate(sum);
#endif
  uint o = id.y * padded.x + id.x;
  tensor[o] = sum.r;
  tensor[o + to] = sum.g;
  tensor[o + 2 * to] = sum.b;
}
