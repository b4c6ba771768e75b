// In: differences t0, b0. Out: the weight of a neighbour at each pixel u0, 0..1. Group 32x8. Reference: gpu.reference.steady.weights. Tolerance: 1e-5.
#include "steady.hlsli"

Buffer<float> differences : register(t0);
RWBuffer<float> likeness : register(u0);

float three(int2 at) {
  return differences[place(at - int2(1, 0), size)] + differences[place(at, size)] + differences[place(at + int2(1, 0), size)];
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  float sum = three(at - int2(0, 1)) + three(at) + three(at + int2(0, 1));
  float own = differences[place(at, size)];
  likeness[id.y * size.x + id.x] = saturate(2.0 - falloff * max(2.0 * sum, 9.0 * own));
}
