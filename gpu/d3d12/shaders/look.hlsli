// The look: combines a painting with its source. Needs common.hlsli, and OUTPUT among the constants of its kernel. Reference: gpu.stages.tensor_to_planes.look.
READS(float, source, 1);   // what is blended with it
READS(float, fine, 2);     // luma of the source, at the picture's size

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

#include "light.h"
#include "look.h"

// at: in samples of its own plane.
uint3 rounded(float3 exact, uint2 at) {
  float threshold = dither > 0.5 ? (bayer_index(at.x, at.y) + 0.5) / 64.0 : 0.5;
  return uint3(clamp(floor(exact + threshold), 0.0, float(top)));
}

float3 to_codes(float3 rgb) {
  return float3(affine(codes[0], rgb), affine(codes[1], rgb), affine(codes[2], rgb));
}
