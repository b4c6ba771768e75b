// Planes of a picture of which a kernel knows the pixels. Needs `painted_at` of its kernel, options PLANAR, FULL_X, FULL_Y, TRANSFER and FLOATING, and look.hlsli. Reference: gpu.stages.tensor_to_planes.look + rgb_to_output.
#include "half.hlsli"

// Chroma is at every column with FULL_X, and at every row with FULL_Y; otherwise at every second one.
#define CELL_X (2 - FULL_X)
#define CELL_Y (2 - FULL_Y)

// at: in samples of their own plane. FLOATING: the bits of a float.
uint3 samples_of(float3 exact, uint2 at) {
  if (FLOATING == 0) return rounded(exact, at) << shift;
  if (FLOATING == 32) return asuint(saturate(exact));
  return half_bits(saturate(exact));
}

#ifdef WGSL  // which has no such formats: samples in words, the first one lowest, without gaps between rows; cleared before
WRITES_COUNTS(luma, 0);
WRITES_COUNTS(blue, 1);  // or both
WRITES_COUNTS(red, 2);

void put(RWStructuredBuffer<Atomic<uint>> plane, uint i, uint code) {
  if (FLOATING == 32) plane[i].store(code);
  else if (FLOATING == 16 || top > 255) plane[i / 2].or(code << 16 * (i % 2));
  else plane[i / 4].or(code << 8 * (i % 4));
}

void put_luma(float3 exact, uint2 at) {
  put(luma, at.y * size.x + at.x, samples_of(exact, at).x);
}

void put_chroma(float3 exact, uint2 at) {
  uint i = at.y * ((size.x + CELL_X - 1) / CELL_X) + at.x;
  uint3 made = samples_of(exact, at);
  if (PLANAR == 1) {
    put(blue, i, made.y);
    put(red, i, made.z);
  } else {
    put(blue, 2 * i, made.y);
    put(blue, 2 * i + 1, made.z);
  }
}
#else
RWTexture2D<uint> luma : register(u0);
#if PLANAR
RWTexture2D<uint> blue : register(u1);
RWTexture2D<uint> red : register(u2);
#else
RWTexture2D<uint2> chroma : register(u1);
#endif

void put_luma(float3 exact, uint2 at) {
  luma[at] = samples_of(exact, at).x;
}

void put_chroma(float3 exact, uint2 at) {
#if PLANAR
  blue[at] = samples_of(exact, at).y;
  red[at] = samples_of(exact, at).z;
#else
  chroma[at] = samples_of(exact, at).yz;
#endif
}
#endif
WRITES(uint, not_finite, 3);

// Of a chroma sample. corner: of the group's pixels.
void make_samples(uint2 id, int2 corner) {
  int2 first = int2(CELL_X, CELL_Y) * int2(id), last = int2(size) - 1;
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
        float3 styled = painted_at(at, corner);
        float3 shown = in_output(look(cleaned(styled), load_fine(at), load_source(at), at.x));
        v.rgb += weight * shown;
        bad = bad || any(not_finite_parts(styled));
        if (own && place.x <= last.x && place.y <= last.y) {
          put_luma(dot(codes[0], float4(shown, 1.0)).xxx, at);
        }
      }
    }
  }
  put_chroma(float3(0.0, dot(codes[1], v), dot(codes[2], v)), id);
  if (bad) not_finite[0] = 1;
}
