// In: tensor t0, b0. Out: tensor u0. Group 32x8. Copies a rectangle of 3 planes. Reference: numpy slices. Tolerance: 0.
#include "portable.hlsli"
READS(float, from, 0);
WRITES(float, to, 0);

CONSTANTS(WINDOW)

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= window.x || id.y >= window.y) return;
  uint2 f = from_origin + id.xy, t = to_origin + id.xy;
  uint i = f.y * from_size.x + f.x, o = t.y * to_size.x + t.x;
  for (uint c = 0; c < 3; c++) to[o + c * to_size.x * to_size.y] = from[i + c * from_size.x * from_size.y];
}
