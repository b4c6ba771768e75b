// Up to four levels of a pyramid above one of which a group has 16x16 samples: means of 2x2 samples, the last row and column repeated. Needs VALUE, of a sample, `made` and `table` of its kernel: where each level lies, its columns and rows, and whether it is wanted.
groupshared VALUE below[256];

void keep_sample(VALUE value, uint4 level, uint2 at) {
  if (level.w == 1 && at.x < level.y && at.y < level.z) made[level.x + at.y * level.y + at.x] = value;
}

#define NEXT_LEVEL(side, up) \
  below[thread] = value; \
  GroupMemoryBarrierWithGroupSync(); \
  if (thread < side * side) { \
    uint2 within = uint2(thread % side, thread / side); \
    int2 last = int2(table[number + up - 1].yz) - 1 - int2(group * (2 * side)); \
    int2 a = min(int2(2 * within), max(last, 0)), b = min(int2(2 * within) + 1, max(last, 0)); \
    value = 0.25 * (below[a.y * (2 * side) + a.x] + below[a.y * (2 * side) + b.x] + below[b.y * (2 * side) + a.x] + below[b.y * (2 * side) + b.x]); \
    keep_sample(value, table[number + up], group * side + within); \
  } \
  GroupMemoryBarrierWithGroupSync();

// value: a thread's own sample of the level of that number.
void make_levels(VALUE value, uint number, uint2 group, uint thread) {
  NEXT_LEVEL(8, 1)
  NEXT_LEVEL(4, 2)
  NEXT_LEVEL(2, 3)
  NEXT_LEVEL(1, 4)
}
