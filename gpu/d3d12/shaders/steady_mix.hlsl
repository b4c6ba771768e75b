// In: pixels of a frame t0 and of its neighbours t1 to t4, vectors to these and the confidence in them t5, without any the frame's painting t6, b0. Out: the mean of their paintings u0. Group 32x8, one thread per pixel of the working size. Reference: gpu.stages.steady.reference.steadied. Tolerance: 2e-5.
// NEIGHBOURS: 0 to 4. Where the frame's own painting is not finite, the result is NaN.
#include "steady.hlsli"
OPTION(0, NEIGHBOURS)
#include "steady_pixels.hlsli"

READS(uint, own, 0);
READS(uint, near0, 1);
READS(uint, near1, 2);
READS(uint, near2, 3);
READS(uint, near3, 4);
READS(uint, motion, 5);
READS(float, painting, 6);
WRITES(float, result, 0);

#define MOST 4
#define EACH_NEIGHBOUR(DO) \
  if (NEIGHBOURS > 0) { DO(near0, 0) } \
  if (NEIGHBOURS > 1) { DO(near1, 1) } \
  if (NEIGHBOURS > 2) { DO(near2, 2) } \
  if (NEIGHBOURS > 3) { DO(near3, 3) }

#define TILE_X 34
#define TILE (TILE_X * 10)
groupshared float differences[MOST * TILE];  // of a group's pixels and those around them, in sixteenths of a code

uint word_of(uint2 block, uint number) {
  return 3 * ((number * grid.y + block.y) * grid.x + block.x);
}

int2 vector_of(uint2 block, uint number) {
  uint word = word_of(block, number);
  return int2(asint(motion[word]), asint(motion[word + 1]));
}

float sure_of(uint2 block, uint number) {
  return asfloat(motion[word_of(block, number) + 2]);
}

// What an adjacent block contributes to a block.
float beside(int2 block, uint2 own_block, uint number) {
  uint2 there = uint2(clamp(block, int2(0, 0), int2(grid) - 1));
  int2 apart = abs(vector_of(there, number) - vector_of(own_block, number));
  return apart.x + apart.y > int(together_px) ? -sure_of(own_block, number) : sure_of(there, number);
}

// Linear between the centres of blocks.
float sure_at(uint2 at, uint number) {
  uint2 block = at / BLOCK_PX;
  float2 far = (float2(at % BLOCK_PX) + 0.5) / float(BLOCK_PX) - 0.5;
  int2 way = int2(far.x < 0.0 ? -1 : 1, far.y < 0.0 ? -1 : 1), here = int2(block);
  float2 part = abs(far);
  float near = lerp(sure_of(block, number), beside(here + int2(way.x, 0), block, number), part.x);
  float farther = lerp(beside(here + int2(0, way.y), block, number), beside(here + way, block, number), part.x);
  return max(lerp(near, farther, part.y), 0.0);
}

// Of the neighbour's painting in the mean.
float weight_of(uint2 at, uint2 within, uint number) {
  uint corner = number * TILE + within.y * TILE_X + within.x;
  float sum = 0.0;
  for (uint y = 0; y < 3; y++) {
    for (uint x = 0; x < 3; x++) sum += differences[corner + y * TILE_X + x];
  }
  return saturate(2.0 - falloff * max(2.0 * sum, 9.0 * differences[corner + TILE_X + 1])) * sure_at(at, number);
}

// How far the source is from the neighbour's, in the channel that differs most.
#define DIFFER(near, number) \
  uint2 there = uint2(clamp(int2(at) + vector_of(at / BLOCK_PX, number), int2(0, 0), int2(size) - 1)); \
  int3 apart = abs(here - int3(PIXEL(near, first_of_source(there), there.x))); \
  differences[number * TILE + n] = float(max(apart.r, max(apart.g, apart.b)));

#define WEIGH(near, number) weights[number] = weight_of(id.xy, within.xy, number);

#define ADD(near, number) \
  int2 moved = int2(at) + int(scale) * vector_of(id.xy / BLOCK_PX, number); \
  uint2 there = uint2(clamp(moved, int2(0, 0), int2(scale * size) - 1)); \
  uint3 other = PIXEL(near, first_of_painting(there), there.x); \
  float weight = max(other.r, max(other.g, other.b)) == NOT_FINITE ? 0.0 : weights[number]; \
  sum += weight * float4(float3(other) / FINITE, 1.0);

[numthreads(32, 8, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  if (NEIGHBOURS > 0) {
    int2 first = int2(group.xy) * int2(32, 8) - 1;
    for (uint n = thread; n < TILE; n += 256) {
      uint2 at = uint2(clamp(first + int2(int(n % TILE_X), int(n / TILE_X)), int2(0, 0), int2(size) - 1));
      int3 here = int3(PIXEL(own, first_of_source(at), at.x));
      EACH_NEIGHBOUR(DIFFER)
    }
    GroupMemoryBarrierWithGroupSync();
  }
  if (id.x >= size.x || id.y >= size.y) return;
  float4 weights = 0.0;
  EACH_NEIGHBOUR(WEIGH)
  uint plane = painted_size.x * painted_size.y;
  for (uint j = 0; j < scale; j++) {
    for (uint i = 0; i < scale; i++) {
      uint2 at = scale * id.xy + uint2(i, j);
      uint o = at.y * painted_size.x + at.x;
      float3 mean;
      if (NEIGHBOURS > 0) {
        uint3 here = PIXEL(own, first_of_painting(at), at.x);
        float4 sum = float4(float3(here) / FINITE, 1.0);
        EACH_NEIGHBOUR(ADD)
        mean = here == NOT_FINITE ? asfloat(0x7fc00000 | here) : sum.rgb / sum.w;
      } else {
        float3 here = float3(painting[o], painting[o + plane], painting[o + 2 * plane]);
        mean = not_finite_parts(here) ? here : cleaned(here);
      }
      result[o] = mean.r;
      result[o + plane] = mean.g;
      result[o + 2 * plane] = mean.b;
    }
  }
}
