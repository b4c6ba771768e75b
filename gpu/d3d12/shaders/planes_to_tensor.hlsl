// In: planes t0..t2 (UNORM, or FLOAT where FLOATING), taps t3, b0. Out: tensor u0 (3 planes of R'G'B'). Group 32x8. Reference: gpu.reference.kernels.planes_to_rgb + pad, or resample of its rows. Tolerance: 1e-5, fp16 1e-3; PQ and HLG 2e-3.
// LAYOUT 0 grey, 1 planar, 2 semi-planar, 3 G B R, 4 RGBA. TRANSFER 0 SDR, 1 PQ, 2 HLG. KEPT: the result is HDR again. RESIZED: also filters along the rows, so that no tensor of the source's size is needed.
#include "portable.hlsli"
#include "common.hlsli"

CONSTANTS(CONVERT)

#if LAYOUT == 4
Texture2D<float4> plane0 : register(t0);
#else
Texture2D<float> plane0 : register(t0);
#endif
#if LAYOUT == 2
Texture2D<float2> plane1 : register(t1);
#elif LAYOUT == 1 || LAYOUT == 3
Texture2D<float> plane1 : register(t1);
Texture2D<float> plane2 : register(t2);
#endif
#ifdef RESIZED
READS(float, filter, 3);  // for each column: index of the first sample to read, and the weights
#endif
WRITES(float, tensor, 0);

#if LAYOUT == 1 || LAYOUT == 2
SamplerState edge : register(s0);

// four: in Gather's order.
float between(float4 four, float2 w) {
  return lerp(lerp(four.w, four.z, w.x), lerp(four.x, four.y, w.x), w.y);
}

float2 chroma_at(uint2 at) {
  float2 position = at * chroma_step + chroma_offset;
  float2 low = floor(position), w = position - low, middle = (low + 1.0) / float2(chroma_size);
#if LAYOUT == 1
  return float2(between(plane1.Gather(edge, middle), w), between(plane2.Gather(edge, middle), w));
#else
  return float2(between(plane1.GatherRed(edge, middle), w), between(plane1.GatherGreen(edge, middle), w));
#endif
}
#endif

float3 samples(uint2 at) {
#if LAYOUT == 0
  return float3(plane0.Load(int3(at, 0)), 0.0, 0.0);
#elif LAYOUT == 3
  float3 rgb = float3(plane2.Load(int3(at, 0)), plane0.Load(int3(at, 0)), plane1.Load(int3(at, 0)));
#ifdef FLOATING
  rgb = saturate(rgb);  // ahead of the matrix: NaN is 0, and infinity 1
#endif
  return rgb;
#elif LAYOUT == 4
  return plane0.Load(int3(at, 0)).rgb;
#else
  return float3(plane0.Load(int3(at, 0)), chroma_at(at));
#endif
}

#if TRANSFER > 0
#include "light.hlsli"

float3 hlg_to_nits(float3 v) {
  float3 scene = hlg_to_scene(v);
  float y = dot(luminance.rgb, scene);
  return hable_ends.z * pow(max(y, 1e-12), hable_ends.w) * scene;
}

float hable_curve(float x) {
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06) - 0.02 / 0.30;
}

// Luminance in nits to linear SDR, where 1 is reference white.
float tone_map(float nits) {
  nits = min(nits, peak_nits);
  if (hable > 0.5) return hable_curve(nits / hable_ends.x) * hable_ends.y;
  float top = eetf.x, bottom = eetf.y, max_lum = eetf.z, knee = eetf.w;
  float e = min((nits_to_pq(nits.xxx).x - bottom) / (top - bottom), 1.0);
  if (e >= knee && knee < 1.0) {
    float t = (e - knee) / (1.0 - knee), t2 = t * t, t3 = t2 * t;
    e = (2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) + (3.0 * t2 - 2.0 * t3) * max_lum;
  }
  float p = e * (top - bottom) + bottom;
  return pq_to_nits(p.xxx).x / hable_ends.x;
}
#endif

float3 rgb_at(uint2 at) {
  float4 s = float4(samples(at), 1.0);
  float3 rgb = saturate(float3(dot(to_rgb[0], s), dot(to_rgb[1], s), dot(to_rgb[2], s)));
#if TRANSFER > 0
#if TRANSFER == 1
  float3 nits = pq_to_nits(rgb);
#else
  float3 nits = hlg_to_nits(rgb);
#endif
#ifdef KEPT
  float largest = max(largest_of(nits), 1e-6);
  rgb = linear_to_srgb(bt2446c(largest) * kept_scale * bent(nits / largest, saturation, 0.05));
#else
  float y = dot(luminance.rgb, nits);
  float3 light = nits * (tone_map(y) / max(y, 1e-12));
  light = float3(dot(to_bt709[0].rgb, light), dot(to_bt709[1].rgb, light), dot(to_bt709[2].rgb, light));
  rgb = linear_to_srgb(saturate(light));
#endif
#endif
  return rgb;
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= padded.x || id.y >= padded.y) return;
#ifdef RESIZED
  uint row = id.x * (taps + 1);
  uint first = uint(filter[row]), weights = row + 1;
  float3 rgb = 0.0;
  for (uint k = 0; k < taps; k++) rgb += filter[weights + k] * rgb_at(uint2(first + k, id.y));
#else
  float3 rgb = rgb_at(min(id.xy, size - 1));  // repeat the edge into the padding
#endif
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x;
  tensor[i] = rgb.r;
  tensor[i + plane] = rgb.g;
  tensor[i + 2 * plane] = rgb.b;
}
