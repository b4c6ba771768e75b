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

// The pixels and the cells that a group reads, which its threads share.
#define TILE_X (32 + 2 * MARGIN)
#define TILE (TILE_X * (16 + 2 * MARGIN))
#define STEPS ((TILE + 511) / 512)
#define CELLS_X ((31 + 2 * FAR + CELL_PX - 1) / CELL_PX + 2)
#define CELLS_Y ((15 + 2 * FAR + CELL_PX - 1) / CELL_PX + 2)
#define RADIUS 2
#define WIDE_X (CELLS_X + 2 * RADIUS)
#define WIDE_Y (CELLS_Y + 2 * RADIUS)
groupshared float tones[TILE];
groupshared float wide[WIDE_X * WIDE_Y];
groupshared float rows[CELLS_X * WIDE_Y];
groupshared float smooth[CELLS_X * CELLS_Y];
groupshared float lights[512];

#include "group.hlsli"

float3 pixel_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

int2 first_cell(uint3 group) {
  float2 first = float2(int2(group.xy) * int2(32, 16) - FAR);
  return int2(floor((first + 0.5) / float(CELL_PX) - 0.5));
}

void share(uint3 group, uint thread) {
  int2 first = int2(group.xy) * int2(32, 16) - MARGIN, cell = first_cell(group), last = int2(cells) - 1;
  uint i;
  for (i = thread; i < WIDE_X * WIDE_Y; i += THREADS) {
    int2 at = cell + int2(i % WIDE_X, i / WIDE_X) - RADIUS;
    wide[i] = softened.Load(int3(clamp(at, int2(0, 0), last), 0));
  }
  [unroll] for (uint step = 0; step < STEPS; step++) {
    i = step * THREADS + thread;
    float tone = luma_of(pixel_at(first + int2(i % TILE_X, i / TILE_X)));
    if (i < TILE) tones[i] = tone;
  }
  GroupMemoryBarrierWithGroupSync();
  float4 w = gauss[0];
  for (i = thread; i < CELLS_X * WIDE_Y; i += THREADS) {
    int x = clamp(cell.x + int(i % CELLS_X), 0, last.x) - cell.x, from = int(i / CELLS_X * WIDE_X) + x;
    rows[i] = w.x * (wide[from] + wide[from + 4]) + w.y * (wide[from + 1] + wide[from + 3]) + w.z * wide[from + 2];
  }
  GroupMemoryBarrierWithGroupSync();
  for (i = thread; i < CELLS_X * CELLS_Y; i += THREADS) {
    int y = clamp(cell.y + int(i / CELLS_X), 0, last.y) - cell.y, from = y * CELLS_X + int(i % CELLS_X);
    float outer = rows[from] + rows[from + 4 * CELLS_X], inner = rows[from + CELLS_X] + rows[from + 3 * CELLS_X];
    smooth[i] = w.x * outer + w.y * inner + w.z * rows[from + 2 * CELLS_X];
  }
  GroupMemoryBarrierWithGroupSync();
}

float light_at(int2 at, int2 cell) {
  float2 position = (float2(at) + 0.5) / float(CELL_PX) - 0.5, low = floor(position), part = position - low;
  int2 place = int2(low) - cell;
  int from = place.y * CELLS_X + place.x;
  float upper = lerp(smooth[from], smooth[from + 1], part.x);
  return lerp(upper, lerp(smooth[from + CELLS_X], smooth[from + CELLS_X + 1], part.x), part.y);
}

[numthreads(32, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  share(group, thread);
  int2 at = int2(min(id.xy, size - 1)), cell = first_cell(group), within = at & int2(31, 15);
  float4 here = picture.Load(int3(at, 0));
  uint4 line_ = lines[direction_in(here.a)];
  int2 reach = sample_of(line_, 7);
  float second = light_at(at + reach, cell) + light_at(at - reach, cell) - 2.0 * light_at(at, cell);
  float weight = clamp(second / sharp, -1.0, 1.0);
  float side = weight > 0.0 ? 1.0 : -1.0;
  int from = (within.y + MARGIN) * TILE_X + within.x + MARGIN;
  float best = side * tones[from];
  int2 found = int2(0, 0);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(line_, k);
    int step = far.y * TILE_X + far.x;
    float ahead = side * tones[from + step], behind = side * tones[from - step];
    found = ahead < best ? far : found;
    best = min(ahead, best);
    found = behind < best ? -far : found;
    best = min(behind, best);
  }
  float3 made = as_stored(lerp(here.rgb, pixel_at(at + found), abs(weight)));
  if (all(id.xy < size)) sharpened[id.xy] = float4(made, 1.0);
#ifdef MEANS
  keep_means(group, thread, luma_of(made));
#endif
}
