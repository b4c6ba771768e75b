// The direction of a pixel and the mean along it, from picture, tensor and lines. Reference: gpu.reference.brush.direction, along. COUNT: samples to each side. MARGIN: no sample lies farther away; where it is given, a group shares its pixels, and lines say how far away samples are there.
#ifdef MARGIN
#define TILED (64 * (16 + 2 * MARGIN))
groupshared float red[TILED];
groupshared float green[TILED];
groupshared float blue[TILED];
#define lights red
#else
groupshared float lights[512];
#endif

#include "group.hlsli"
#include "samples.hlsli"

groupshared float2 flow[NEAR];

float3 pixel_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

#ifdef MARGIN
void keep(int2 within, float3 v) {
  int i = place_of(within);
  red[i] = v.r;
  green[i] = v.g;
  blue[i] = v.b;
}
#endif

void share(uint3 group, uint thread, int2 within) {
  if (thread < NEAR) flow[thread] = tensor.Load(int3(cell_near(group, thread), 0));
  share_lines(thread);
#ifdef MARGIN
  int2 first = origin_of(group);
  keep(within, pixel_at(first + within));
  [unroll] for (uint from = 0; from < BESIDE; from += THREADS) {
    if (from + thread < BESIDE) {
      int2 there = beside(from + thread);
      keep(there, pixel_at(first + there));
    }
  }
#endif
  GroupMemoryBarrierWithGroupSync();
}

uint direction_at(int2 at, uint3 group) {
  Near near = near_at(at, group);
  return direction_of(BETWEEN(flow, near));
}

#ifdef MARGIN
float3 shared_at(int i) {
  return float3(red[i], green[i], blue[i]);
}

float3 mean_along(int2 at, uint direction) {
  int here = place_of(within_group(at));
  float3 sum = centre * shared_at(here);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int far = step_of(direction, k);
    sum += weights[k / 4][k % 4] * (shared_at(here + far) + shared_at(here - far));
  }
  return sum;
}
#else
float3 mean_along(int2 at, uint direction) {
  float3 sum = centre * pixel_at(at);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(direction, k);
    sum += weights[k / 4][k % 4] * (pixel_at(at + far) + pixel_at(at - far));
  }
  return sum;
}
#endif
