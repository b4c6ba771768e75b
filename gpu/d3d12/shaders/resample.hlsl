// In: tensor t0, taps t1, b0. Out: tensor u0, flag u1. Group 32x8. Reference: gpu.stages.resample.resample, with AXIS 0 after clipping the input to 0..1 as in to_target, with AXIS 1 clipped to 0..top at the end. Tolerance: 1e-6.
// AXIS 0: along the rows; NaN and infinity are flagged and become 0. AXIS 1: along the columns, repeating the edge into the padding.
#include "portable.hlsli"
OPTION(0, AXIS)
#include "common.hlsli"
#include "resample.hlsli"

READS(float, input, 0);
WRITES(float, tensor, 0);
WRITES(uint, not_finite, 1);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= padded.x || id.y >= padded.y) return;
  uint2 at = min(id.xy, size - 1);
  uint from = input_size.x * input_size.y, to = padded.x * padded.y;
  uint row = (AXIS == 0 ? at.x : at.y) * (taps + 1), first = uint(filter[row]);
  uint start = AXIS == 0 ? at.y * input_size.x + first : first * input_size.x + at.x;
  uint stride = AXIS == 0 ? 1 : input_size.x;
  uint weights = row + 1;  // Wine's compiler miscompiles row + 1 + k within the loop
  float3 sum = 0.0;
  bool bad = false;
  for (uint k = 0; k < taps; k++) {
    uint i = start + k * stride;
    float3 v = float3(input[i], input[i + from], input[i + 2 * from]);
    if (AXIS == 0) {
      bad = bad || any(not_finite_parts(v));
      v = cleaned(v);
    }
    sum += filter[weights + k] * v;
  }
  if (bad) not_finite[0] = 1;
  if (AXIS == 1) sum = clamp(sum, 0.0, top);
  uint o = id.y * padded.x + id.x;
  tensor[o] = sum.r;
  tensor[o + to] = sum.g;
  tensor[o + 2 * to] = sum.b;
}
