// The direction of a pixel and the mean along it, from picture, tensor and lines. Reference: gpu.reference.brush.direction, along. COUNT: samples to each side. MARGIN: no sample lies farther away; where it is given, a group shares the pixels that its threads read, and lines say how far away samples are there.
uint direction_at(int2 at) {
  Around where = around(at, cell_px, cells);
  float x = between(tensor.GatherRed(edge, where.middle), where.part);
  float y = between(tensor.GatherGreen(edge, where.middle), where.part);
  return direction_of(float2(x, y));
}

float3 pixel_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

#ifdef MARGIN
#define TILE_X (32 + 2 * MARGIN)
#define TILE (TILE_X * (16 + 2 * MARGIN))
#define STEPS ((TILE + 511) / 512)
groupshared float red[TILE];
groupshared float green[TILE];
groupshared float blue[TILE];
#define lights red

void share(uint3 group, uint thread) {
  int2 first = int2(group.xy) * int2(32, 16) - MARGIN;
  [unroll] for (uint step = 0; step < STEPS; step++) {
    uint i = step * 512 + thread;
    float3 v = pixel_at(first + int2(i % TILE_X, i / TILE_X));
    if (i < TILE) {
      red[i] = v.r;
      green[i] = v.g;
      blue[i] = v.b;
    }
  }
  GroupMemoryBarrierWithGroupSync();
}

float3 shared_at(int i) {
  return float3(red[i], green[i], blue[i]);
}

float3 mean_along(int2 at, uint direction) {
  uint4 line_ = lines[direction];
  int2 within = at & int2(31, 15);
  int here = (within.y + MARGIN) * TILE_X + within.x + MARGIN;
  float3 sum = centre * shared_at(here);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int far = int(line_[k / 2] << (16 - 16 * (k % 2))) >> 16;
    sum += weights[k / 4][k % 4] * (shared_at(here + far) + shared_at(here - far));
  }
  return sum;
}
#else
groupshared float lights[512];

void share(uint3 group, uint thread) {
}

float3 mean_along(int2 at, uint direction) {
  uint4 line_ = lines[direction];
  float3 sum = centre * pixel_at(at);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(line_, k);
    sum += weights[k / 4][k % 4] * (pixel_at(at + far) + pixel_at(at - far));
  }
  return sum;
}
#endif
