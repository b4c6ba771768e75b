// In: painted t0, source t1 (tensors of R'G'B'), fine t2, b0. Out: Y u0, CbCr u1, or Cb u1 and Cr u2 where PLANAR; G, B and R likewise (UINT codes, or the bits of floats), flag u3. Group 16x8, one thread per chroma sample. Reference: gpu.reference.kernels.look + rgb_to_output. Tolerance: 1 code, floats 1e-5 or half a step of float16.
#include "portable.hlsli"
#include "look.hlsli"
#include "half.hlsli"

// Chroma is at every column with FULL_X, and at every row with FULL_Y; otherwise at every second one.
#ifdef FULL_X
#define CELL_X 1
#else
#define CELL_X 2
#endif
#ifdef FULL_Y
#define CELL_Y 1
#else
#define CELL_Y 2
#endif

#ifdef TRANSFER  // 1 PQ, 2 HLG
#include "light.hlsli"

// What is painted of HDR, back to HDR.
float3 in_output(float3 kept) {
  float3 painting = max(srgb_to_linear(kept), 0.0);
  float largest = max(largest_of(painting), 1e-10);
  float3 nits = bt2446c_inverse(largest * kept_white) * bent(painting / largest, saturation, pow(0.05, 1.0 / saturation));
#if TRANSFER == 1
  return saturate(nits_to_pq(nits));
#else
  float3 light = nits * luminance.w;
  return saturate(scene_to_hlg(light * pow(max(dot(luminance.rgb, light), 1e-12), inverse_gamma)));
#endif
}
#else
float3 in_output(float3 rgb) {
  return rgb;
}
#endif

RWTexture2D<uint> luma : register(u0);
#ifdef PLANAR
RWTexture2D<uint> blue : register(u1);
RWTexture2D<uint> red : register(u2);
#else
RWTexture2D<uint2> chroma : register(u1);
#endif
WRITES(uint, not_finite, 3);

// at: in samples of their own plane. FLOATING: the bits of a float.
uint3 samples_of(float3 exact, uint2 at) {
#ifndef FLOATING
  return rounded(exact, at) << shift;
#elif FLOATING == 32
  return asuint(saturate(exact));
#else
  return half_bits(saturate(exact));
#endif
}

[numthreads(16, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 first = int2(CELL_X, CELL_Y) * int2(id.xy), last = int2(size) - 1;
  if (first.x > last.x || first.y > last.y) return;
  float4 v = float4(0.0, 0.0, 0.0, 1.0);  // the weighted mean: the weights sum to 1, so the matrix can be applied afterwards
  bool bad = false;
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 4; i++) {
      float weight = taps_x[i] * taps_y[j];
      bool own = i >= 1 && i <= CELL_X && j >= 1 && j <= CELL_Y;  // a luma sample of this thread
      if (weight != 0.0 || own) {
        int2 place = first + int2(i, j) - 1;
        uint2 at = uint2(clamp(place, 0, last));
        float3 styled = load_painted(at);
        float3 shown = in_output(look(cleaned(styled), load_fine(at), load_source(at), at.x));
        v.rgb += weight * shown;
        bad = bad || any(not_finite_parts(styled));
        if (own && place.x <= last.x && place.y <= last.y) {
          luma[at] = samples_of(dot(codes[0], float4(shown, 1.0)).xxx, at).x;
        }
      }
    }
  }
  float3 chroma_codes = float3(0.0, dot(codes[1], v), dot(codes[2], v));
#ifdef PLANAR
  blue[id.xy] = samples_of(chroma_codes, id.xy).y;
  red[id.xy] = samples_of(chroma_codes, id.xy).z;
#else
  chroma[id.xy] = samples_of(chroma_codes, id.xy).yz;
#endif
  if (bad) not_finite[0] = 1;
}
