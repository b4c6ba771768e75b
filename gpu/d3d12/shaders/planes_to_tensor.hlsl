// In: planes t0..t2 (UNORM, or FLOAT where FLOATING), taps t3, b0. Out: tensor u0 (3 planes of R'G'B'). Group 32x8. Reference: gpu.stages.planes_to_tensor.planes_to_rgb + pad, or resample of its rows. Tolerance: 1e-5, fp16 1e-3; PQ and HLG 2e-3.
// LAYOUT 0 grey, 1 planar, 2 semi-planar, 3 G B R, 4 RGBA. TRANSFER 0 SDR, 1 PQ, 2 HLG. KEPT: the result is HDR again. RESIZED: also filters along the rows, so that no tensor of the source's size is needed.
#include "portable.hlsli"
OPTION(0, LAYOUT)
OPTION(1, TRANSFER)
OPTION(2, RESIZED)
OPTION(3, KEPT)
OPTION(4, FLOATING)
#include "common.hlsli"

CONSTANTS(CONVERT)

#ifdef WGSL
#include "plane_words.hlsli"
#else
#include "plane_textures.hlsli"
#endif

READS(float, filter, 3);  // for each column: index of the first sample to read, and the weights
WRITES(float, tensor, 0);

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

float3 rgb_at(uint2 at) {
  float4 s = float4(samples(at), 1.0);
  float3 rgb = saturate(float3(dot(to_rgb[0], s), dot(to_rgb[1], s), dot(to_rgb[2], s)));
  if (TRANSFER == 0) return rgb;
  float3 nits;
  if (TRANSFER == 1) nits = pq_to_nits(rgb);
  else nits = hlg_to_nits(rgb);
  if (KEPT == 1) {
    float largest = max(largest_of(nits), 1e-6);
    return linear_to_srgb(bt2446c(largest) * kept_scale * bent(nits / largest, saturation, 0.05));
  }
  float y = dot(luminance.rgb, nits);
  float3 light = nits * (tone_map(y) / max(y, 1e-12));
  light = float3(dot(to_bt709[0].rgb, light), dot(to_bt709[1].rgb, light), dot(to_bt709[2].rgb, light));
  return linear_to_srgb(saturate(light));
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= padded.x || id.y >= padded.y) return;
  float3 rgb = 0.0;
  if (RESIZED == 1) {
    uint row = id.x * (taps + 1);
    uint first = uint(filter[row]), weights = row + 1;
    for (uint k = 0; k < taps; k++) rgb += filter[weights + k] * rgb_at(uint2(first + k, id.y));
  } else {
    rgb = rgb_at(min(id.xy, size - 1));  // repeat the edge into the padding
  }
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x;
  tensor[i] = rgb.r;
  tensor[i + plane] = rgb.g;
  tensor[i + 2 * plane] = rgb.b;
}
