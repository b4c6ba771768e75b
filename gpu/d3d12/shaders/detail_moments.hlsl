// In: source t0 (tensor of R'G'B'), taps t1, b0. Out: tensor u0: luma, its square, 0; resampled along the rows. Group 32x8. Reference: gpu.stages.detail.detail. Tolerance: 1e-6.
#include "portable.hlsli"
#include "resample.hlsli"

READS(float, source, 0);
WRITES(float, tensor, 0);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint from = input_size.x * input_size.y, to = padded.x * padded.y;
  uint row = id.x * (taps + 1);
  uint start = id.y * input_size.x + uint(filter[row]), weights = row + 1;
  float2 sum = 0.0;
  for (uint k = 0; k < taps; k++) {
    uint i = start + k;
    float luma = dot(float3(0.2126, 0.7152, 0.0722), float3(source[i], source[i + from], source[i + 2 * from]));
    sum += filter[weights + k] * float2(luma, luma * luma);
  }
  uint o = id.y * padded.x + id.x;
  tensor[o] = sum.x;
  tensor[o + to] = sum.y;
  tensor[o + 2 * to] = 0.0;
}
