// In: levels of the painting's pyramid t0, layers t1, b0. Out: what is needed of each layer u0, as means of 2x2 samples of what a level says that the one above it does not. Group 64x1, one thread per sample of all layers. Reference: gpu.stages.strokes.reference.need. Tolerance: 1e-5.
#include "strokes.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(float4, pyramid, 0);
READS(uint4, layers, 1);
WRITES(float, needs, 0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= need_count) return;
  uint4 need = layers[3];
  for (uint k = 1; k < layer_count; k++) {
    uint4 next = layers[6 * k + 3];
    if (id.x >= next.x) need = next;
  }
  uint2 at = uint2((id.x - need.x) % need.y, (id.x - need.x) / need.y);
  uint4 fine = levels[need.w - 1], coarse = levels[need.w];
  float sum = 0.0;
  UNROLL for (uint n = 0; n < 4; n++) {
    uint2 place = min(2 * at + uint2(n % 2, n / 2), fine.yz - 1);
    Between near = between_samples(0.5 * float2(place) - 0.25, coarse);
    float4 apart = abs(pyramid[fine.x + place.y * fine.y + place.x] - BILINEAR(pyramid, near));
    sum += max(max(apart.r, apart.g), max(apart.b, FILM_NEED * apart.a));
  }
  needs[id.x] = 0.25 * sum;
}
