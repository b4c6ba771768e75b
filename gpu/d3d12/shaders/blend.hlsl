// In: rows of weights in groups of four (one row per painting), mix. Out: the weights of the network. Group 256x1. Reference: numpy's mix @ rows. Tolerance: that of float32 sums.
#include "portable.hlsli"
CONSTANTS(BLEND)

READS(float4, rows, 0);
READS(float, shares, 1);
WRITES(float4, weights, 0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= fours) return;
  float4 sum = 0.0;
  for (uint k = 0; k < paintings; k++) sum = mad(shares[k], rows[k * fours + id.x], sum);
  weights[id.x] = sum;
}
