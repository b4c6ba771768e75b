// In: picture t0, with the height of strokes in alpha, source t1 (tensor of R'G'B'), fine t2, means of luma over the surroundings of cells t3, the thickness of the paint there t4, what is left of cells of the network's input t5, b0. Out: the lit picture as tensor_to_yuv has it u0..u3. Group 16x8, one thread per chroma sample. Reference: gpu.stages.relief.reference.lit, gpu.stages.tensor_to_planes.look + rgb_to_output. Tolerance: 1 code, floats 1e-5 or half a step of float16 beyond that of relief_light.
// BRUSHED 1: there are strokes.
#include "portable.hlsli"
OPTION(0, PLANAR)
OPTION(1, FULL_X)
OPTION(2, FULL_Y)
OPTION(3, TRANSFER)
OPTION(4, FLOATING)
OPTION(5, BRUSHED)
#include "common.hlsli"
CONSTANTS(LIT_OUTPUT)
#include "lighting.hlsli"

READS_PICTURE(float4, picture, 0);
READS_PICTURE(float, around, 3);
READS_PICTURE(float, thickness, 4);
READS_PICTURE(float, left, 5);
#include "look.hlsli"
#include "lit.hlsli"

#define MOST_X 34  // pixels of a group, and those around them that chroma is made of
#define MOST_Y 18
#define ACROSS (16 * (2 - FULL_X) + 2)
#define DOWN (8 * (2 - FULL_Y) + 2)
groupshared float near[(MOST_X + 2) * (MOST_Y + 2)];  // heights, one more around all
groupshared float3 shades[MOST_X * MOST_Y];

float3 painted_at(uint2 at, int2 corner) {
  int2 from = int2(at) - corner;
  return shades[from.y * ACROSS + from.x];
}
#include "yuv.hlsli"

[numthreads(16, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  int2 corner = int2(group.xy) * int2(ACROSS - 2, DOWN - 2) - 1;
  for (uint k = thread; k < (ACROSS + 2) * (DOWN + 2); k += 128) {
    near[k] = height_at(clamp(corner - 1 + int2(k % (ACROSS + 2), k / (ACROSS + 2)), int2(0, 0), int2(size) - 1));
  }
  GroupMemoryBarrierWithGroupSync();
  for (uint n = thread; n < ACROSS * DOWN; n += 128) {
    uint2 within = uint2(n % ACROSS, n / ACROSS);
    int2 at = clamp(corner + int2(within), int2(0, 0), int2(size) - 1);
    shades[n] = LIT_AT(at, near, within.y * (ACROSS + 2) + within.x, ACROSS + 2);
  }
  GroupMemoryBarrierWithGroupSync();
  make_samples(id.xy, corner);
}
