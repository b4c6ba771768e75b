// In: counts (of stroke_pick), times (of strokes, by layer and place). Out: records (of stroke_trace), of which the drawn part is left; of strokes that are not begun a single point. Group 64x1, one thread per record. Reference: gpu.stages.strokes.drawn.shares_of, cut. Tolerance: 1e-3. CUDA's own: records know how long a stroke is up to each point.
#include "layers.cuh"
#include "records.cuh"

#define TIMES_SIDE 160  // of gpu/unfinished
#define PRESSED 0.3f    // of gpu/stages/strokes/drawn

extern "C" __global__ void stroke_cut(
    const uint* __restrict__ counts, const Sample* __restrict__ times, float* records, Layers c) {
  const int number = blockIdx.x * 64 + threadIdx.x;
  const Drawn drawn = drawn_at(c, counts, number);
  if (drawn.layer < 0) return;
  float* record = records + (size_t)number * WORDS;
  const int points = points_of(record), middle = points / 2;
  const int over = clamped((int)(TIMES_SIDE * record[AT_X + middle] / c.size[0]), 0, TIMES_SIDE - 1);
  const int down = clamped((int)(TIMES_SIDE * record[AT_Y + middle] / c.size[1]), 0, TIMES_SIDE - 1);
  const Sample when = times[((size_t)drawn.layer * TIMES_SIDE + down) * TIMES_SIDE + over];
  const uint seed = __float_as_uint(record[KIND]) % NOISE_SIZE;
  const float share = saturate((c.progress - when.v[0] - when.v[1] * ((float)seed / NOISE_SIZE)) / when.v[2]);
  if (share >= 1.0f) return;
  if (share <= 0.0f) {
    record[KIND] = __uint_as_float(1u << 12 | seed);
    return;
  }
  const float reach = share * record[PASSED + points - 1];
  int end = 1;
  while (end < points - 1 && record[PASSED + end] < reach) end++;
  const float passed = end > 1 ? record[PASSED + end - 1] : 0.0f, step = record[PASSED + end] - passed;
  const float part = saturate((reach - passed) / maximum(step, 1e-6f));
  record[AT_Y + end] = lerp(record[AT_Y + end - 1], record[AT_Y + end], part);
  record[AT_X + end] = lerp(record[AT_X + end - 1], record[AT_X + end], part);
  record[PASSED + end] = reach;
  record[KIND] = __uint_as_float((uint)(end + 1) << 12 | seed);
  record[HALF_WIDTH] *= sqrtf(minimum(share / PRESSED, 1.0f));
}
