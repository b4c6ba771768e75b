// Shared by the kernels of the temporal filter, which all have the same constants. Reference: gpu.stages.steady.reference.
#include "portable.hlsli"
#include "stroke_constants.hlsli"
#include "common.hlsli"

CONSTANTS(STEADY)
#include "levels.hlsli"

#define SQUARE (SAMPLES * SAMPLES)
#define STRIDE (BLOCK_PX / SAMPLES)

uint place(int2 at, uint2 planes) {
  int2 held = clamp(at, int2(0, 0), int2(planes) - 1);
  return uint(held.y) * planes.x + uint(held.x);
}
