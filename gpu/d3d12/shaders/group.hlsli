// A group of 32x16 threads makes as many pixels. Threads beyond the edge of a picture repeat the pixels there. MEANS: it also makes the mean luma of its cells of CELL_PX, which are whole ones. Needs cells.hlsli and, with MEANS, lights: 512 values that its threads share.
#define GROUP_X 32
#define GROUP_Y 16
#define THREADS 512

// As a picture of 16 bits stores it, so that means are those of what is stored.
float3 as_stored(float3 v) {
  return round(saturate(v) * 65535.0) * (1.0 / 65535.0);
}

#ifdef MEANS
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
