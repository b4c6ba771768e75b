// The direction of a pixel and the mean along it, from picture, tensor and lines. Reference: gpu.reference.brush.direction, along. COUNT: samples to each side. Pixels are read from the texture: on an NVIDIA H200 a tile of them in memory that a group shares took three quarters longer.
#include "stroke.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float2> tensor : register(t1);
Buffer<uint4> lines : register(t2);
RWTexture2D<float> means : register(u1);

groupshared float lights[512];

#include "group.hlsli"
#include "samples.hlsli"

groupshared float2 flow[NEAR];

float3 pixel_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

void share(uint3 group, uint thread, int2 within) {
  if (thread < NEAR) flow[thread] = tensor.Load(int3(cell_near(group, thread), 0));
  share_lines(thread);
  GroupMemoryBarrierWithGroupSync();
}

uint direction_at(int2 at, uint3 group) {
  Near near = near_at(at, group);
  return direction_of(BETWEEN(flow, near));
}

float3 mean_along(int2 at, uint direction) {
  float3 sum = centre * pixel_at(at);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(direction, k);
    sum += weights[k / 4][k % 4] * (pixel_at(at + far) + pixel_at(at - far));
  }
  return sum;
}
