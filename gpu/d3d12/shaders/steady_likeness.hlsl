// In: differences t0, confidence in the vectors of blocks t1, vectors t2, b0. Out: the weight of a neighbour at each pixel u0, 0..1. Group 32x8. Reference: gpu.stages.steady.reference.weights, times its between_blocks. Tolerance: 1e-5.
#include "portable.hlsli"
#include "steady.hlsli"

READS(float, differences, 0);
READS(float, sure, 1);
READS(int, vectors, 2);
WRITES(float, likeness, 0);

float three(int2 at) {
  return differences[place(at - int2(1, 0), size)] + differences[place(at, size)] + differences[place(at + int2(1, 0), size)];
}

// What an adjacent block contributes to a block.
float beside(int2 block, int2 own) {
  uint i = place(block, grid), o = place(own, grid);
  int apart = abs(vectors[2 * i] - vectors[2 * o]) + abs(vectors[2 * i + 1] - vectors[2 * o + 1]);
  return apart > int(together_px) ? -sure[o] : sure[i];
}

// Linear between the centres of blocks.
float sure_at(uint2 at) {
  int2 own = int2(at / block_px);
  float2 far = (float2(at % block_px) + 0.5) / float(block_px) - 0.5;
  int2 way = int2(far.x < 0.0 ? -1 : 1, far.y < 0.0 ? -1 : 1);
  float2 part = abs(far);
  float near = lerp(sure[place(own, grid)], beside(own + int2(way.x, 0), own), part.x);
  float farther = lerp(beside(own + int2(0, way.y), own), beside(own + way, own), part.x);
  return max(lerp(near, farther, part.y), 0.0);
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  float sum = three(at - int2(0, 1)) + three(at) + three(at + int2(0, 1));
  float own = differences[place(at, size)];
  likeness[id.y * size.x + id.x] = saturate(2.0 - falloff * max(2.0 * sum, 9.0 * own)) * sure_at(id.xy);
}
