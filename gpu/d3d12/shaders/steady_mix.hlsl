// In: painting t0 (of the frame, or of a neighbour), likeness t1, vectors t2, b0. Out: sum of paintings u0, then the result, and sum of weights u1. Group 32x8. Reference: gpu.stages.steady.reference.steadied. Tolerance: 1e-5.
// STAGE 0: start with the frame's own painting. 1: add a neighbour's. 2: divide; non-finite values of the frame's own painting are kept.
#include "portable.hlsli"
OPTION(0, STAGE)
#include "steady.hlsli"

READS(float, painting, 0);
READS(float, likeness, 1);
READS(int, vectors, 2);
WRITES(float, total, 0);
WRITES(float, weights, 1);

float3 painted(uint i) {
  uint plane = painted_size.x * painted_size.y;
  return float3(painting[i], painting[i + plane], painting[i + 2 * plane]);
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= scale * size.x || id.y >= scale * size.y) return;
  uint plane = painted_size.x * painted_size.y, i = id.y * painted_size.x + id.x;
  if (STAGE == 0) {
    float3 own = cleaned(painted(i));
    total[i] = own.r;
    total[i + plane] = own.g;
    total[i + 2 * plane] = own.b;
    weights[i] = 1.0;
  } else if (STAGE == 1) {
    uint2 at = id.xy / scale, block = at / block_px;
    uint v = 2 * (block.y * grid.x + block.x);
    int2 moved = int(scale) * int2(vectors[v], vectors[v + 1]);
    int2 there = clamp(int2(id.xy) + moved, int2(0, 0), int2(scale * size) - 1);
    float3 other = painted(uint(there.y) * painted_size.x + uint(there.x));
    float3 finite = not_finite_parts(other) ? 0.0 : 1.0;  // Wine's compiler miscompiles an if around the weight
    float weight = likeness[at.y * size.x + at.x] * finite.r * finite.g * finite.b;
    other = cleaned(other);
    total[i] = total[i] + weight * other.r;
    total[i + plane] = total[i + plane] + weight * other.g;
    total[i + 2 * plane] = total[i + 2 * plane] + weight * other.b;
    weights[i] = weights[i] + weight;
  } else {
    float3 own = painted(i);
    bool3 bad = not_finite_parts(own);
    float3 mean = float3(total[i], total[i + plane], total[i + 2 * plane]) / weights[i];
    total[i] = bad.r ? own.r : mean.r;
    total[i + plane] = bad.g ? own.g : mean.g;
    total[i + 2 * plane] = bad.b ? own.b : mean.b;
  }
}
