// Weighted means along the rows, then along the columns, of 32x16 cells for a group of 32x8 threads, which share what they read. Needs VALUE, value_at, finished, made and `prepare`, which a group does first. RADIUS: of the Gaussian.
#define ROWS 16
#define WIDE_X (32 + 2 * RADIUS)
#define WIDE_Y (ROWS + 2 * RADIUS)

groupshared VALUE wide[WIDE_X * WIDE_Y];
groupshared VALUE narrow[32 * WIDE_Y];

float weight_of(uint k) {
  return gauss[k / 4][k % 4];
}

[numthreads(32, 8, 1)]
void main(uint3 group : SV_GroupID, uint3 id : SV_GroupThreadID, uint thread : SV_GroupIndex) {
  int2 first = int2(group.xy) * int2(32, ROWS), last = int2(cells) - 1;
  prepare(first, thread);
  uint i, k;
  for (i = thread; i < WIDE_X * WIDE_Y; i += 256) {
    int2 at = first + int2(i % WIDE_X, i / WIDE_X) - RADIUS;
    wide[i] = value_at(clamp(at, int2(0, 0), last));
  }
  GroupMemoryBarrierWithGroupSync();
  for (i = thread; i < 32 * WIDE_Y; i += 256) {
    uint from = i / 32 * WIDE_X + i % 32;
    VALUE sum = 0.0;
    [unroll] for (k = 0; k <= 2 * RADIUS; k++) sum += weight_of(k) * wide[from + k];
    narrow[i] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (uint row = 0; row < ROWS; row += 8) {
    uint from = (id.y + row) * 32 + id.x;
    VALUE sum = 0.0;
    [unroll] for (k = 0; k <= 2 * RADIUS; k++) sum += weight_of(k) * narrow[from + 32 * k];
    int2 at = first + int2(id.x, id.y + row);
    if (at.x <= last.x && at.y <= last.y) made[at] = finished(sum);
  }
}
