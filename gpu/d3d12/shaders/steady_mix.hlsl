// In: tensors of a frame t0 and of a neighbour t1, their paintings t2 and t3, vectors to the neighbour t4, confidence in them t5, b0. Out: result u0; until it is there, the mean of paintings and the sum of their weights u1. Group 32x8, one thread per pixel of the working size. Reference: gpu.stages.steady.reference.steadied. Tolerance: 1e-4.
// BEGINS 1: start with the frame's own painting. ADDS 1: add the neighbour's. ENDS 1: write the result; non-finite values of the frame's own painting are kept. Only BEGINS and ENDS read the frame's own painting.
#include "steady.hlsli"
OPTION(0, BEGINS)
OPTION(1, ADDS)
OPTION(2, ENDS)

READS(float, frame, 0);
READS(float, near_frame, 1);
READS(float, painting, 2);
READS(float, near_painting, 3);
READS(int, vectors, 4);
READS(float, sure, 5);
WRITES(float, result, 0);
WRITES(uint, sums, 1);  // two of a pixel: red and green, blue and weight, in 16 bits each

#define TILE_X 34
#define TILE (TILE_X * 10)
groupshared float differences[TILE];  // of a group's pixels and those around them, in sixteenths of a code

#define MOST_WEIGHT 16.0

uint2 in_16_bits(float4 sum) {
  uint4 whole = uint4(65535.0 * saturate(sum / float4(1.0, 1.0, 1.0, MOST_WEIGHT)) + 0.5);
  return uint2(whole.x | whole.y << 16, whole.z | whole.w << 16);
}

float4 sum_of(uint2 stored) {
  uint4 whole = uint4(stored.x & 65535, stored.x >> 16, stored.y & 65535, stored.y >> 16);
  return float4(whole) / 65535.0 * float4(1.0, 1.0, 1.0, MOST_WEIGHT);
}

float3 sixteenths(float3 value) {
  return floor(4080.0 * value + 0.5);
}

int2 vector_at(uint2 at) {
  uint v = 2 * (at.y / BLOCK_PX * grid.x + at.x / BLOCK_PX);
  return int2(vectors[v], vectors[v + 1]);
}

// How far the source is from the neighbour's, in the channel that differs most.
float difference(int2 at) {
  int2 held = clamp(at, int2(0, 0), int2(size) - 1);
  uint plane = padded.x * padded.y, i = uint(held.y) * padded.x + uint(held.x);
  int2 there = clamp(held + vector_at(uint2(held)), int2(0, 0), int2(size) - 1);
  uint k = uint(there.y) * padded.x + uint(there.x);
  float3 own = float3(frame[i], frame[i + plane], frame[i + 2 * plane]);
  float3 other = float3(near_frame[k], near_frame[k + plane], near_frame[k + 2 * plane]);
  float3 apart = abs(sixteenths(own) - sixteenths(other));
  return max(apart.r, max(apart.g, apart.b));
}

// What an adjacent block contributes to a block.
float beside(int2 block, int2 own) {
  uint i = place(block, grid), o = place(own, grid);
  int apart = abs(vectors[2 * i] - vectors[2 * o]) + abs(vectors[2 * i + 1] - vectors[2 * o + 1]);
  return apart > int(together_px) ? -sure[o] : sure[i];
}

// Linear between the centres of blocks.
float sure_at(uint2 at) {
  int2 own = int2(at / BLOCK_PX);
  float2 far = (float2(at % BLOCK_PX) + 0.5) / float(BLOCK_PX) - 0.5;
  int2 way = int2(far.x < 0.0 ? -1 : 1, far.y < 0.0 ? -1 : 1);
  float2 part = abs(far);
  float near = lerp(sure[place(own, grid)], beside(own + int2(way.x, 0), own), part.x);
  float farther = lerp(beside(own + int2(0, way.y), own), beside(own + way, own), part.x);
  return max(lerp(near, farther, part.y), 0.0);
}

[numthreads(32, 8, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  float likeness = 0.0;
  if (ADDS == 1) {
    int2 first = int2(group.xy) * int2(32, 8) - 1;
    for (uint n = thread; n < TILE; n += 256) differences[n] = difference(first + int2(int(n % TILE_X), int(n / TILE_X)));
    GroupMemoryBarrierWithGroupSync();
    float sum = 0.0;
    for (uint y = 0; y < 3; y++) {
      for (uint x = 0; x < 3; x++) sum += differences[(within.y + y) * TILE_X + within.x + x];
    }
    float own_difference = differences[(within.y + 1) * TILE_X + within.x + 1];
    likeness = saturate(2.0 - falloff * max(2.0 * sum, 9.0 * own_difference));
  }
  if (id.x >= size.x || id.y >= size.y) return;
  int2 moved = int2(0, 0);
  if (ADDS == 1) {
    likeness *= sure_at(id.xy);
    moved = int(scale) * vector_at(id.xy);
  }
  uint plane = painted_size.x * painted_size.y;
  for (uint j = 0; j < scale; j++) {
    for (uint i = 0; i < scale; i++) {
      uint2 at = scale * id.xy + uint2(i, j);
      uint o = at.y * painted_size.x + at.x;
      float3 own = float3(painting[o], painting[o + plane], painting[o + 2 * plane]);
      float4 sum = float4(cleaned(own), 1.0);
      if (BEGINS == 0) sum = sum_of(uint2(sums[2 * o], sums[2 * o + 1]));
      if (ADDS == 1) {
        int2 there = clamp(int2(at) + moved, int2(0, 0), int2(scale * size) - 1);
        uint k = uint(there.y) * painted_size.x + uint(there.x);
        float3 other = float3(near_painting[k], near_painting[k + plane], near_painting[k + 2 * plane]);
        float3 finite = not_finite_parts(other) ? 0.0 : 1.0;  // Wine's compiler miscompiles an if around the weight
        float share = likeness * finite.r * finite.g * finite.b, weight = sum.w + share;
        sum = float4((sum.w * sum.rgb + share * cleaned(other)) / weight, weight);
      }
      if (ENDS == 1) {
        float3 mean = not_finite_parts(own) ? own : sum.rgb;
        result[o] = mean.r;
        result[o + plane] = mean.g;
        result[o + 2 * plane] = mean.b;
      } else {
        uint2 stored = in_16_bits(sum);
        sums[2 * o] = stored.x;
        sums[2 * o + 1] = stored.y;
      }
    }
  }
}
