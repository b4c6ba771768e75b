// In: the network's picture t0, the film t1 (tensors of R'G'B'), how much of the film is mixed in t2, b0. Out: the mixture u0 (a tensor as large as t0). Group 16x16. Reference: gpu.stages.masks.mixed. Tolerance: 1e-5, float32 arithmetic.
#include "portable.hlsli"
CONSTANTS(MASKS)

READS(float, styled, 0);
READS(float, film, 1);
READS_PICTURE(float, share, 2);
WRITES(float, made, 0);

// R'G'B' of the film, and its share behind them.
float4 film_at(int2 at) {
  uint2 place = uint2(clamp(at, int2(0, 0), int2(size) - 1));
  uint plane = padded.x * padded.y, i = place.y * padded.x + place.x;
  return float4(film[i], film[i + plane], film[i + 2 * plane], share.Load(int3(place, 0)));
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= output.x || id.y >= output.y) return;
  float2 place = (float2(id.xy) + 0.5) * float2(size) / float2(output) - 0.5, low = floor(place), between = place - low;
  int2 at = int2(low);
  float4 upper = lerp(film_at(at), film_at(at + int2(1, 0)), between.x);
  float4 lower = lerp(film_at(at + int2(0, 1)), film_at(at + int2(1, 1)), between.x);
  float4 there = lerp(upper, lower, between.y);
  uint plane = styled_size.x * styled_size.y, i = id.y * styled_size.x + id.x;
  for (uint c = 0; c < 3; c++) {
    float own = styled[i + c * plane];
    made[i + c * plane] = own + there.w * (there[c] - own);
  }
}
