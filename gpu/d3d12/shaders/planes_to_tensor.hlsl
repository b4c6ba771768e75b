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

#include "light.h"
#include "convert.h"

float3 rgb_at(uint2 at) {
  return converted(samples(at));
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
