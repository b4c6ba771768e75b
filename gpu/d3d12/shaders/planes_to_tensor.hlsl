// In: planes t0..t2 (UNORM, or FLOAT where FLOATING), taps of the columns t3 and of the rows t4, b0. Out: tensor u0 (3 planes of R'G'B'). Group 32x8. Reference: gpu.stages.planes_to_tensor.planes_to_rgb, pad; gpu.stages.resample.resample. Tolerance: 1e-5, fp16 1e-3; PQ and HLG 2e-3.
// LAYOUT 0 grey, 1 planar, 2 semi-planar, 3 G B R, 4 RGBA. TRANSFER 0 SDR, 1 PQ, 2 HLG. KEPT: the result is HDR again. RESIZED: filtered along the rows, in memory that a group shares, then along the columns.
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

READS(float, columns, 3);  // for each column: index of the first sample to read, and the weights
READS(float, rows, 4);     // the same of rows
WRITES(float, tensor, 0);

#include "light.h"
#include "convert.h"

float3 rgb_at(uint2 at) {
  return converted(samples(at));
}

#define ACROSS 32
#define DOWN 8
groupshared float3 near_rows[ACROSS * DOWN];  // of the source, as many as a group has, as wide as the result

float3 along_row(uint column, uint y) {
  uint row = column * (taps + 1), first = uint(columns[row]), weights = row + 1;
  float3 sum = 0.0;
  for (uint k = 0; k < taps; k++) sum += columns[weights + k] * rgb_at(uint2(first + k, y));
  return sum;
}

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID) {
  float3 rgb = 0.0;
  if (RESIZED == 1) {
    uint2 at = min(id.xy, made - 1);  // repeat the edge into the padding
    uint row = at.y * (taps_rows + 1), above = uint(rows[row]), weights = row + 1;
    uint corner = min(group.y * DOWN, made.y - 1), last = min(group.y * DOWN + DOWN, made.y) - 1;
    uint end = uint(rows[max(last, corner) * (taps_rows + 1)]) + taps_rows;
    for (uint start = uint(rows[corner * (taps_rows + 1)]); start < end; start += DOWN) {
      uint y = start + within.y;
      if (y < end) near_rows[within.y * ACROSS + within.x] = along_row(at.x, y);
      GroupMemoryBarrierWithGroupSync();
      uint from = max(above, start), to = min(above + taps_rows, start + DOWN);
      for (uint k = from; k < to; k++) rgb += rows[weights + (k - above)] * near_rows[(k - start) * ACROSS + within.x];
      GroupMemoryBarrierWithGroupSync();
    }
    rgb = clamp(rgb, 0.0, top);
  } else {
    rgb = rgb_at(min(id.xy, size - 1));
  }
  if (id.x >= padded.x || id.y >= padded.y) return;
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x;
  tensor[i] = rgb.r;
  tensor[i + plane] = rgb.g;
  tensor[i + 2 * plane] = rgb.b;
}
