// In: sums of luma of cells t0, b0, and with DEVIATION what surrounds them t1. Out: the means of a cell's surroundings u0; with DEVIATION, from their deviation, the thickness of the paint. Group 32x8, a group 32x16 cells. Reference: gpu.stages.cells.smoothed, gpu.stages.relief.reference.height. Tolerance: 1e-6, with DEVIATION 1e-5.
// RADIUS: of the Gaussian. Weighted means along the rows, then along the columns; a group's threads share what they read.
#include "relief.hlsli"
OPTION(0, RADIUS)
#include "relief_sums.hlsli"

READS(uint, sums, 0);
#ifdef DEVIATION
READS_PICTURE(float, around, 1);
#endif
WRITES_PICTURE(float, "r32f", made, 0);

#define ROWS 16
#define WIDE_X (32 + 2 * RADIUS)
#define WIDE_Y (ROWS + 2 * RADIUS)
#ifdef WGSL
#define MOST_RADIUS 14  // of gpu/stages/relief
#define ROLLED          // what slangc cannot count
#else
#define MOST_RADIUS RADIUS
#define ROLLED UNROLL
#endif

groupshared float wide[(32 + 2 * MOST_RADIUS) * (ROWS + 2 * MOST_RADIUS)];
groupshared float narrow[32 * (ROWS + 2 * MOST_RADIUS)];

float weight_of(uint k) {
  return gauss[k / 4][k % 4];
}

float value_at(int2 at) {
  float value = float(sums[uint(at.y) * cells.x + uint(at.x)]) / (ONE_OF_LUMA * float(cell_px * cell_px));
#ifdef DEVIATION
  value -= around.Load(int3(at, 0));
  value *= value;
#endif
  return value;
}

[numthreads(32, 8, 1)]
void main(uint3 group : SV_GroupID, uint3 id : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  int2 first = int2(group.xy) * int2(32, ROWS), last = int2(cells) - 1;
  ROLLED for (uint n = 0; n < WIDE_X * WIDE_Y; n += 256) {
    uint i = thread + n;
    float value = value_at(clamp(first + int2(i % WIDE_X, i / WIDE_X) - RADIUS, int2(0, 0), last));
    if (i < WIDE_X * WIDE_Y) wide[i] = value;
  }
  GroupMemoryBarrierWithGroupSync();
  ROLLED for (uint m = 0; m < 32 * WIDE_Y; m += 256) {
    uint i = thread + m, from = i / 32 * WIDE_X + i % 32;
    float sum = 0.0;
    if (i < 32 * WIDE_Y) {
      ROLLED for (uint k = 0; k <= 2 * RADIUS; k++) sum += weight_of(k) * wide[from + k];
      narrow[i] = sum;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  UNROLL for (uint row = 0; row < ROWS; row += 8) {
    uint from = (id.y + row) * 32 + id.x;
    float sum = 0.0;
    ROLLED for (uint k = 0; k <= 2 * RADIUS; k++) sum += weight_of(k) * narrow[from + 32 * k];
    int2 at = first + int2(id.x, id.y + row);
    if (at.x <= last.x && at.y <= last.y) {
#ifdef DEVIATION
      STORE(made, uint2(at), thickness_of(sqrt(max(sum, 0.0)) / thick_luma));
#else
      STORE(made, uint2(at), sum);
#endif
    }
  }
}
