// In: levels of a frame t0 and of a neighbour t1, vectors t2 from the previous neighbour (or the frame) to this one, b0. Out: vectors from the frame u0, which initially are those to the previous neighbour, and the confidence in them u1, 0..1, at most that for the previous neighbour. Group 8x8, one thread per block. Reference: gpu.stages.steady.reference.followed, sureness. Tolerance: 0 and 1e-5.
// FIRST 1: the neighbour is the nearest one.
#include "portable.hlsli"
OPTION(0, FIRST)
#include "steady.hlsli"

READS(float, fine, 0);
READS(float, near_fine, 1);
READS(int, found, 2);
WRITES(int, vectors, 0);
WRITES(float, sure, 1);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= grid.x || id.y >= grid.y) return;
  uint o = id.y * grid.x + id.x;
  int2 corner = int2(id.xy) * int(block_px);
  int2 moved;
  if (FIRST == 1) {
    moved = int2(found[2 * o], found[2 * o + 1]);
  } else {
    int2 before = int2(vectors[2 * o], vectors[2 * o + 1]);
    int2 middle = clamp(corner + int(block_px / 2) + before, int2(0, 0), int2(grid * block_px) - 1);
    uint on = 2 * (uint(middle.y) / block_px * grid.x + uint(middle.x) / block_px);
    moved = before + int2(found[on], found[on + 1]);
  }
  int stride = int(block_px / samples);
  float total = 0.0, near_total = 0.0, difference = 0.0;
  for (uint j = 0; j < samples; j++) {
    for (uint i = 0; i < samples; i++) {
      int2 at = corner + stride * int2(int(i), int(j));
      float own = fine[place(at, size)], other = near_fine[place(at + moved, size)];
      total += own;
      near_total += other;
      difference += abs(own - other);
    }
  }
  float count = float(samples * samples);
  float mean = floor((total + 0.5 * count) / count), near_mean = floor((near_total + 0.5 * count) / count);
  float variation = float(sure_noise);
  for (uint m = 0; m < samples; m++) {
    for (uint n = 0; n < samples; n++) {
      int2 at = corner + stride * int2(int(n), int(m));
      variation += abs(fine[place(at, size)] - mean) + abs(near_fine[place(at + moved, size)] - near_mean);
    }
  }
  vectors[2 * o] = moved.x;
  vectors[2 * o + 1] = moved.y;
  float here = saturate(2.0 - difference / (sure_share * variation));
  if (FIRST == 1) sure[o] = here;
  else sure[o] = min(here, sure[o]);
}
