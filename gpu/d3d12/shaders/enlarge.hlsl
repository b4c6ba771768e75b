// In: tensor t0, taps of the columns t1 and of the rows t2, b0. Out: tensor u0, flag u1. Group 32x8. Reference: gpu.stages.resample.to_target, for results not lower than the input. Tolerance: 1e-6.
// Along the rows in memory that a group shares, then along the columns. NaN and infinity are flagged and become 0. PACKS 1: in WGSL, made as painting.hlsli reads it.
#include "portable.hlsli"
OPTION(0, PACKS)
#include "common.hlsli"
CONSTANTS(RESAMPLE)

READS(float, input, 0);
READS(float, columns, 1);  // for each column of the result: index of the first sample to read, and the weights
READS(float, rows, 2);     // the same of rows
#ifdef WGSL
WRITES(uint, tensor, 0);
groupshared uint2 pairs[256];
#else
WRITES(float, tensor, 0);
#endif
WRITES(uint, not_finite, 1);

#define ACROSS 32
#define DOWN 8
#define MOST_ROWS 14  // of the input, for those of a group
groupshared float3 between[ACROSS * MOST_ROWS];

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  uint2 at = min(id.xy, size - 1), corner = min(group.xy * uint2(ACROSS, DOWN), size - 1);
  uint first = uint(rows[corner.y * (taps_rows + 1)]), end = uint(rows[min(corner.y + DOWN - 1, size.y - 1) * (taps_rows + 1)]) + taps_rows;
  uint column = at.x * (taps + 1), left = uint(columns[column]), weights = column + 1, from = input_size.x * input_size.y;
  bool bad = false;
  for (uint y = within.y; y < end - first; y += DOWN) {
    float3 sum = 0.0;
    for (uint k = 0; k < taps; k++) {
      uint i = (first + y) * input_size.x + left + k;
      float3 v = float3(input[i], input[i + from], input[i + 2 * from]);
      bad = bad || any(not_finite_parts(v));
      sum += columns[weights + k] * cleaned(v);
    }
    between[y * ACROSS + within.x] = sum;
  }
  if (bad) not_finite[0] = 1;
  GroupMemoryBarrierWithGroupSync();
  uint row = at.y * (taps_rows + 1), above = uint(rows[row]) - first, row_weights = row + 1;
  float3 sum = 0.0;
  for (uint k = 0; k < taps_rows; k++) sum += rows[row_weights + k] * between[(above + k) * ACROSS + within.x];
  sum = clamp(sum, 0.0, top);
  uint o = id.y * padded.x + id.x, to = padded.x * padded.y;
  bool inside = id.x < padded.x && id.y < padded.y;
#ifdef WGSL
  if (PACKS == 1) {
    uint3 codes = uint3(65535.0 * saturate(sum) + 0.5);
    pairs[thread] = uint2(codes.r | codes.g << 16, codes.b);
    GroupMemoryBarrierWithGroupSync();
    if (!inside || thread % 2 == 1) return;
    uint2 left = pairs[thread], right = pairs[thread + 1];
    uint width = (padded.x + 1) / 2, i = id.y * width + id.x / 2, plane = width * padded.y;
    tensor[i] = (left.x & 0xffff) | right.x << 16;
    tensor[i + plane] = left.x >> 16 | (right.x & 0xffff0000);
    tensor[i + 2 * plane] = left.y | right.y << 16;
  } else if (inside) {
    tensor[o] = asuint(sum.r);
    tensor[o + to] = asuint(sum.g);
    tensor[o + 2 * to] = asuint(sum.b);
  }
#else
  if (!inside) return;
  tensor[o] = sum.r;
  tensor[o + to] = sum.g;
  tensor[o + 2 * to] = sum.b;
#endif
}
