// In: source t0 (tensor of R'G'B'), low t1 (tensor: means of its luma and of its square, resampled along the rows), taps t2, b0. Out: fine luma u0. Group 32x8. Reference: gpu.stages.detail.detail. Tolerance: 1e-5.
#include "portable.hlsli"
READS(float, source, 0);
READS(float, low, 1);
READS(float, filter, 2);  // for each output row: index of the first row to read, and the weights
WRITES(float, fine, 0);

CONSTANTS(DETAIL)

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint plane = low_size.x * low_size.y, row = id.y * (taps + 1);
  uint start = uint(filter[row]) * low_size.x + id.x, weights = row + 1;
  float2 sum = 0.0;
  for (uint k = 0; k < taps; k++) {
    uint i = start + k * low_size.x;
    sum += filter[weights + k] * float2(low[i], low[i + plane]);
  }
  float variance = max(sum.y - sum.x * sum.x, 0.0);
  float square = variance * variance;
  float weight = square / (square + noise_squared) * edge / (variance + edge);
  uint from = source_size.x * source_size.y, at = id.y * source_size.x + id.x;
  float luma = dot(float3(0.2126, 0.7152, 0.0722), float3(source[at], source[at + from], source[at + 2 * from]));
  fine[id.y * size.x + id.x] = weight * (luma - sum.x);
}
