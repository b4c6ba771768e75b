// In: picture t0, tensor of cells t1, means of their luma over the surroundings t2, thickness of the paint t3, noise t4, lines t5 (y and x of each sample), displacements t6, b0. Out: height of the paint and the canvas in pixels u0. Group 32x16. Reference: gpu.reference.relief.height. Tolerance: 2e-3.
// NOISE_PX, GRAIN_PX, BLOCK_PX: sides of the noise, of a sample of it, and of a block of motion. WAYS_X, WAYS_Y: how many blocks a group may read. AVERAGED: the noise is already averaged along each direction, as is needed if its samples have the size of a pixel.
#include "relief.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float2> tensor : register(t1);
Texture2D<float> broad : register(t2);
Texture2D<float> thickness : register(t3);
Buffer<float> noise : register(t4);
Buffer<int2> lines : register(t5);
Buffer<int4> ways : register(t6);
RWTexture2D<float> heights : register(u0);

#include "group.hlsli"

groupshared float2 flow[NEAR];
groupshared float2 ground[NEAR];  // luma of the surroundings, and thickness

#ifdef AVERAGED
float bristle(uint direction, uint2 at) {
  uint2 place = at % NOISE_PX;
  return noise[(direction * NOISE_PX + place.y) * NOISE_PX + place.x];
}
#else
float noise_at(int2 at) {
  uint2 place = (uint2(at + NOISE_PX * GRAIN_PX) / GRAIN_PX) % NOISE_PX;
  return noise[place.y * NOISE_PX + place.x];
}

float bristle(uint direction, uint2 at) {
  int2 middle = int2(at);
  float sum = centre * noise_at(middle);
  for (uint k = 0; k < count; k++) {
    int2 far = lines[direction * count + k].yx;
    sum += weights[k / 4][k % 4] * (noise_at(middle + far) + noise_at(middle - far));
  }
  return sum;
}
#endif

// What a group's threads share: the displacements of WAYS_X x WAYS_Y blocks, and where its columns and rows lie at the working size,
// as the place of the first of the two blocks between whose centres that is and the share of the second, in pixels.
groupshared int4 moves[WAYS_X * WAYS_Y];
groupshared int2 across[32];
groupshared int2 down[16];

int2 between_blocks(uint at, uint working_, uint size_) {
  uint shifted = at * working_ / size_ + (BLOCK_PX - BLOCK_PX / 2);
  return int2(shifted / BLOCK_PX, shifted % BLOCK_PX) - int2(1, 0);
}

void share(uint3 group, uint thread) {
  if (thread < NEAR) {
    int3 cell = int3(cell_near(group, thread), 0);
    flow[thread] = tensor.Load(cell);
    ground[thread] = float2(broad.Load(cell), thickness.Load(cell));
  }
  uint2 first = uint2(origin_of(group));
  if (thread < 32) across[thread] = between_blocks(first.x + thread, working.x, size.x);
  else if (thread < 48) down[thread - 32] = between_blocks(first.y + thread - 32, working.y, size.y);
  GroupMemoryBarrierWithGroupSync();
  if (drifts > 0.5 && thread < WAYS_X * WAYS_Y) {
    int2 at = int2(across[0].x + int(thread % WAYS_X), down[0].x + int(thread / WAYS_X));
    at = clamp(at, int2(0, 0), int2(blocks) - 1);
    moves[thread] = ways[2 * (at.y * int(blocks.x) + at.x) + 1];
  }
  GroupMemoryBarrierWithGroupSync();
}

// The offsets at which a pixel of a group reads its noise, for both displacements: bilinear between the centres of blocks, rounded.
// Whole periods of the noise are added, so that nothing that is divided is negative.
uint4 moved_at(uint2 within) {
  int2 x = across[within.x], y = down[within.y];
  int from = (y.x - down[0].x) * WAYS_X + x.x - across[0].x;
  int4 left = (BLOCK_PX - y.y) * moves[from] + y.y * moves[from + WAYS_X];
  int4 right = (BLOCK_PX - y.y) * moves[from + 1] + y.y * moves[from + WAYS_X + 1];
  int whole = BLOCK_PX * BLOCK_PX, period = NOISE_PX * GRAIN_PX;
  int far = period * (1 + 8192 / period);
  return uint4((BLOCK_PX - x.y) * left + x.y * right + whole / 2 + whole * far) / (BLOCK_PX * BLOCK_PX);
}

static const float PI = 3.14159265;

// A plain weave: each thread is a half wave that passes over one thread and under the next.
float woven(float2 at) {
  float2 whole = floor(at), part = at - whole;
  float2 thread = sin(PI * part);
  float warp = thread.x * (0.6 + 0.4 * sin(PI * (part.y + (whole.y + whole.x) % 2.0)));
  float weft = thread.y * (0.6 + 0.4 * sin(PI * (part.x + (whole.x + whole.y + 1.0) % 2.0)));
  return max(warp, weft);
}

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  share(group, thread);
  if (id.x >= size.x || id.y >= size.y) return;
  int2 at = int2(id.xy);
  Near near = near_at(at, group);
  uint direction = direction_of(BETWEEN(flow, near));
  float2 both = BETWEEN(ground, near);
  float around_it = both.x, thick = both.y;
  float luma = luma_of(picture.Load(int3(at, 0)).rgb);
  float body = clamp((luma - around_it) / body_luma, -body_most, body_most);
  float hair = 0.0;
  if (drifts > 0.5) {
    uint4 moved = moved_at(within.xy);
    hair = bristle(direction, id.xy + moved.xy);
    if (any(moved.xy != moved.zw)) hair = lerp(bristle(direction, id.xy + moved.zw), hair, first_way);
  } else {
    hair = bristle(direction, id.xy);
  }
  float z = height * thick * (body_share * body + bristle_share * hair);
  if (weave > 0.0) z += weave * (1.0 - cover * thick) * woven((float2(at) + 0.5) / pitch_px);
  heights[id.xy] = z;
}
