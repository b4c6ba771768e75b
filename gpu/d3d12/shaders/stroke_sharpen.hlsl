// In: picture with directions t0 (of stroke_along), mean luma of its cells t1, lines across the strokes t2, b0. Out: picture u0, with sharpened edges; with MEANS the mean luma of its cells u1. Group 32x16. Reference: gpu.reference.brush.sharpened. Tolerance: 1e-4.
// COUNT: samples to each side. Sample 7 of a line is the reach of the second difference. MARGIN, FAR: no sample, and no reach, is farther away along an axis. MEANS, CELL_PX: see group.hlsli.
#include "stroke.hlsli"
#include "cells.hlsli"
#include "lines.hlsli"

Texture2D<float4> picture : register(t0);
Texture2D<float> softened : register(t1);
Buffer<uint4> lines : register(t2);
RWTexture2D<float4> sharpened : register(u0);
RWTexture2D<float> means : register(u1);

groupshared float lights[512];

#include "group.hlsli"
#include "samples.hlsli"

#define RADIUS 2
#define WIDE_X (NEAR_X + 2 * RADIUS)
#define WIDE_Y (NEAR_Y + 2 * RADIUS)
groupshared float tones[TILE];
groupshared float wide[WIDE_X * WIDE_Y];
groupshared float rows[NEAR_X * WIDE_Y];
groupshared float smooth[NEAR];

float4 pixel_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0));
}

// Luma of the pixels and the cells that a group reads, of cells smoothed. Returns a thread's own pixel, with its direction.
float4 share(uint3 group, uint thread, int2 within) {
  int2 first = origin_of(group), cell = first_near(group), last = int2(cells) - 1;
  share_lines(thread);
  float4 own = pixel_at(first + within);
  tones[place_of(within)] = luma_of(own.rgb);
  uint i;
  for (i = thread; i < BESIDE; i += THREADS) {
    int2 there = beside(i);
    tones[place_of(there)] = luma_of(pixel_at(first + there).rgb);
  }
  for (i = thread; i < WIDE_X * WIDE_Y; i += THREADS) {
    int2 at = cell + int2(i % WIDE_X, i / WIDE_X) - RADIUS;
    wide[i] = softened.Load(int3(clamp(at, int2(0, 0), last), 0));
  }
  GroupMemoryBarrierWithGroupSync();
  float4 w = gauss[0];
  for (i = thread; i < NEAR_X * WIDE_Y; i += THREADS) {
    int x = clamp(cell.x + int(i % NEAR_X), 0, last.x) - cell.x, from = int(i / NEAR_X * WIDE_X) + x;
    rows[i] = w.x * (wide[from] + wide[from + 4]) + w.y * (wide[from + 1] + wide[from + 3]) + w.z * wide[from + 2];
  }
  GroupMemoryBarrierWithGroupSync();
  for (i = thread; i < NEAR; i += THREADS) {
    int y = clamp(cell.y + int(i / NEAR_X), 0, last.y) - cell.y, from = y * NEAR_X + int(i % NEAR_X);
    float outer = rows[from] + rows[from + 4 * NEAR_X], inner = rows[from + NEAR_X] + rows[from + 3 * NEAR_X];
    smooth[i] = w.x * outer + w.y * inner + w.z * rows[from + 2 * NEAR_X];
  }
  GroupMemoryBarrierWithGroupSync();
  return own;
}

float light_at(int2 at, uint3 group) {
  Near near = near_at(at, group);
  return BETWEEN(smooth, near);
}

[numthreads(32, 16, 1)]
void main(
    uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 within : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  float4 own = share(group, thread, int2(within.xy));
  int2 at = int2(min(id.xy, size - 1));
  uint direction = direction_in(own.a);
  int2 reach = sample_of(direction, 7);
  float second = light_at(at + reach, group) + light_at(at - reach, group) - 2.0 * light_at(at, group);
  float weight = clamp(second / sharp, -1.0, 1.0);
  float side = weight > 0.0 ? 1.0 : -1.0;
  int from = place_of(within_group(at));
  float light = side * tones[from], best = light;
  int2 found = int2(0, 0);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(direction, k);
    int step = far.y * PITCH + far.x;
    float ahead = side * tones[from + step], behind = side * tones[from - step];
    found = ahead < best ? far : found;
    best = min(ahead, best);
    found = behind < best ? -far : found;
    best = min(behind, best);
  }
  weight = abs(weight) * saturate((light - best) / grain);
  float3 made = as_stored(lerp(own.rgb, pixel_at(at + found).rgb, weight));
  if (all(id.xy < size)) sharpened[id.xy] = float4(made, 1.0);
#ifdef MEANS
  keep_means(group, thread, luma_of(made));
#endif
}
