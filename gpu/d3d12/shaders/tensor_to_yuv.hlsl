// In: painted t0, source t1 (tensors of R'G'B'), b0. Out: Y u0, CbCr u1 (UINT codes of 4:2:0), flag u2. Group 16x8, a thread a chroma sample. Twin: gpu.reference.look + rgb_to_output. Tolerance: 1 code.
#include "look.hlsli"

RWTexture2D<uint> luma : register(u0);
RWTexture2D<uint2> chroma : register(u1);
RWBuffer<uint> not_finite : register(u2);

[numthreads(16, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 first = 2 * int2(id.xy), last = int2(size) - 1;
  if (first.x > last.x || first.y > last.y) return;
  float3 sum = 0.0;
  bool bad = false;
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 4; i++) {
      float weight = taps_x[i] * taps_y[j];
      bool own = i >= 1 && i <= 2 && j >= 1 && j <= 2;  // one of the four luma samples of this thread
      if (weight != 0.0 || own) {
        int2 place = first + int2(i, j) - 1;
        uint2 at = uint2(clamp(place, 0, last));
        float3 styled = load(painted, at);
        float3 exact = to_codes(look(styled, load(source, at), at.x));
        sum += weight * exact;
        bad = bad || is_not_finite(styled);
        if (own && place.x <= last.x && place.y <= last.y) luma[at] = rounded(exact, at).x << shift;
      }
    }
  }
  chroma[id.xy] = rounded(sum, id.xy).yz << shift;
  if (bad) not_finite[0] = 1;
}
