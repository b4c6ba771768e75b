// In: source t0 (a tensor of R'G'B'), noise t1, b0. Out: the source as far as it is laid on the bare canvas u0 (a tensor as large as t0). Group 16x16. Reference: gpu.stages.strokes.laying.laid. Tolerance: 1e-5, float32 arithmetic; of 2 % a hair of the front may be its neighbour.
#include "portable.hlsli"
CONSTANTS(LAYING)

READS(float, source, 0);
READS(float, noise, 1);
WRITES(float, made, 0);

#define WASH
#define NOISE(k) noise[k]
#include "wash.h"

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  float2 place = (float2(id.xy) + 0.5) / float2(size);
  float opacity = wash_at(front, place.x, place.y);
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x;
  for (uint c = 0; c < 3; c++) made[i + c * plane] = bare[c] + opacity * (source[i + c * plane] - bare[c]);
}
