// A group of 32x16 threads makes as many pixels. Threads beyond the edge of a picture repeat the pixels there. What its threads share costs a group less than textures, which a GPU reads slowly. Needs the constants, and of its kernel: CELL_PX, a side of a cell; FAR, how far away from its pixels a group reads cells; with MEANS `lights`, 512 values that threads share.
#define GROUP_X 32
#define GROUP_Y 16
#define THREADS 512
#ifndef FAR
#define FAR 0
#endif

int2 origin_of(uint3 group) {
  return int2(group.xy) * int2(GROUP_X, GROUP_Y);
}

int2 within_group(int2 at) {
  return at & int2(GROUP_X - 1, GROUP_Y - 1);
}

// The cells between whose centres a group's pixels lie.
#define NEAR_X ((GROUP_X - 1 + 2 * FAR + CELL_PX - 1) / CELL_PX + 2)
#define NEAR_Y ((GROUP_Y - 1 + 2 * FAR + CELL_PX - 1) / CELL_PX + 2)
#define NEAR (NEAR_X * NEAR_Y)

int2 first_near(uint3 group) {
  return int2(floor((float2(origin_of(group) - FAR) + 0.5) / float(CELL_PX) - 0.5));
}

int2 cell_near(uint3 group, uint i) {
  return clamp(first_near(group) + int2(i % NEAR_X, i / NEAR_X), int2(0, 0), int2(cells) - 1);
}

// The four cells around a pixel among those near its group: the place of the first, and the weights of the right and lower ones.
struct Near {
  int from;
  float2 part;
};

Near near_at(int2 at, uint3 group) {
  float2 position = (float2(at) + 0.5) / float(CELL_PX) - 0.5, low = floor(position);
  int2 place = int2(low) - first_near(group);
  Near found;
  found.from = place.y * NEAR_X + place.x;
  found.part = position - low;
  return found;
}

#define ROW_BETWEEN(shared_, from_, part_) lerp(shared_[from_], shared_[(from_) + 1], part_)
#define BETWEEN(shared_, near_) lerp(ROW_BETWEEN(shared_, (near_).from, (near_).part.x), ROW_BETWEEN(shared_, (near_).from + NEAR_X, (near_).part.x), (near_).part.y)

#ifdef MARGIN
// The pixels of a group and those of a margin around it. Rows begin in the same bank of memory: threads whose lines lead in nearly the
// same direction then read from different ones.
#define PITCH 64
#define TILE (PITCH * (GROUP_Y + 2 * MARGIN))
#define BESIDE (2 * MARGIN * (GROUP_X + 2 * MARGIN) + 2 * MARGIN * GROUP_Y)

int place_of(int2 within) {
  return (within.y + MARGIN) * PITCH + within.x + MARGIN;
}

// Of the pixels around a group, the position of one, from its own first.
int2 beside(uint i) {
  const uint width = GROUP_X + 2 * MARGIN, ends = 2 * MARGIN * width;
  int2 at;
  if (i < ends) {
    at = int2(i % width, i / width);
    if (at.y >= MARGIN) at.y += GROUP_Y;
  } else {
    at = int2((i - ends) % (2 * MARGIN), MARGIN + (i - ends) / (2 * MARGIN));
    if (at.x >= MARGIN) at.x += GROUP_X;
  }
  return at - MARGIN;
}
#endif

// As a picture of 16 bits stores it, so that means are those of what is stored.
float3 as_stored(float3 v) {
  return round(saturate(v) * 65535.0) * (1.0 / 65535.0);
}

#ifdef MEANS
// The mean luma of a group's cells, which are whole ones.
void keep_means(uint3 group, uint thread, float luma) {
  GroupMemoryBarrierWithGroupSync();
  lights[thread] = luma;
  GroupMemoryBarrierWithGroupSync();
  const uint columns = GROUP_X / CELL_PX, rows = GROUP_Y / CELL_PX;
  if (thread >= columns * rows) return;
  uint2 place = uint2(thread % columns, thread / columns), at = group.xy * uint2(columns, rows) + place;
  if (at.x >= cells.x || at.y >= cells.y) return;
  uint from = CELL_PX * (place.y * GROUP_X + place.x);
  float sum = 0.0;
  for (uint j = 0; j < cell_px; j++) {
    for (uint i = 0; i < cell_px; i++) sum += lights[from + j * GROUP_X + i];
  }
  means[at] = sum / float(CELL_PX * CELL_PX);
}
#endif
