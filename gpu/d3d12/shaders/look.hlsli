// The look: combines a painting with its source. Reference: gpu.stages.tensor_to_planes.look. The first part of b0 is its constants.
#include "common.hlsli"

READS(float, painted, 0);  // 3 planes of R'G'B': the network's output, or the one at the target's size
READS(float, source, 1);   // what is blended with it
READS(float, fine, 2);     // luma of the source, at the picture's size

CONSTANTS(OUTPUT)

float3 load_painted(uint2 at) {
  uint plane = painted_size.x * painted_size.y, i = at.y * painted_size.x + at.x;
  return float3(painted[i], painted[i + plane], painted[i + 2 * plane]);
}

float3 load_source(uint2 at) {
  float3 v = 0.0;
  if (shows_source > 0.5) {
    uint plane = source_size.x * source_size.y, i = at.y * source_size.x + at.x;
    v = float3(source[i], source[i + plane], source[i + 2 * plane]);
  }
  return v;
}

float load_fine(uint2 at) {
  float v = 0.0;
  if (detail > 0.0) v = fine[at.y * size.x + at.x];
  return v;
}

float hable_curve(float x) {
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06) - 0.02 / 0.30;
}

float3 expose(float3 encoded) {
  float3 light = srgb_to_linear(encoded) * gain;
  if (curve < 1.5) light = min(light, 1.0);
  else if (curve < 2.5) light = light * (1.0 + light / (curve_peak * curve_peak)) / (1.0 + light);
  else light = float3(hable_curve(light.r), hable_curve(light.g), hable_curve(light.b)) * curve_scale;
  return linear_to_srgb(light);
}

// styled: of the painting, within 0..1; luma: fine luma; original: of the source; column: position in the picture.
float3 look(float3 styled, float luma, float3 original, uint column) {
  float3 shown = original;
  if (column >= split_column) {
    shown = saturate(styled + detail * luma);
    if (strength < 1.0) shown = original + (shown - original) * strength;
    if (keep_colours > 0.5) shown = saturate(original + dot(float3(0.2126, 0.7152, 0.0722), shown - original));
    if (curve > 0.5) shown = expose(shown);
  }
  return shown;
}

// at: in samples of its own plane.
uint3 rounded(float3 exact, uint2 at) {
  float threshold = dither > 0.5 ? bayer(at) : 0.5;
  return uint3(clamp(floor(exact + threshold), 0.0, float(top)));
}

float3 to_codes(float3 rgb) {
  float4 v = float4(rgb, 1.0);
  return float3(dot(codes[0], v), dot(codes[1], v), dot(codes[2], v));
}
