// In: counts of strokes and, behind them, of all t0, layers t1, times of strokes t2, b0. Out: paths of strokes u0, of which the drawn part is left; of strokes that are not begun a single point. Lists keep the room of whole paths. Group 64x1, one thread per stroke. Reference: gpu.stages.strokes.drawn.shares_of, cut. Tolerance: 5e-3.
#include "strokes.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint, counts, 0);
READS(uint4, layers, 1);
READS(float4, times, 2);
WRITES(uint4, strokes, 0);

#include "stroke_layers.hlsli"
#include "stroke_records.hlsli"
#define TIMES_SIDE 160  // of gpu/unfinished
#define PRESSED 0.3     // of gpu/stages/strokes/drawn

// When a stroke of a layer begins, how far beginnings spread, and how long it takes.
float3 times_at(uint index, float2 place) {
  int2 at = clamp(int2(float(TIMES_SIDE) * place / float2(size)), int2(0, 0), int2(TIMES_SIDE - 1, TIMES_SIDE - 1));
  return times[(int(index) * TIMES_SIDE + at.y) * TIMES_SIDE + at.x].xyz;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint number = id.x;
  if (number >= counts[MOST_LAYERS]) return;
  uint row = ROWS_OF_A_PATH * number, index = 0;
  uint4 head = strokes[row], paint = PAINT(strokes, number);
  for (uint layer = 1; layer < layer_count; layer++) {
    if (paint.w / 2 >= layers[ROWS_OF_A_LAYER * layer].y) index = layer;
  }
  float unit = unit_of(head.w);
  float2 path[POINTS];
  path[HALF_STEPS] = asfloat(head.xy);
  UNROLL for (uint side = 0; side < 2; side++) {
    uint4 words = strokes[row + 1 + side];
    UNROLL for (uint k = 0; k < HALF_STEPS; k++) {
      path[side * (HALF_STEPS + 1) + k] = asfloat(head.xy) + from_middle(words[k], unit);
    }
  }
  uint first = ends_of(head.w).x, last = ends_of(head.w).y, half_way = first + (last - first + 1) / 2;
  float total = 0.0;
  float2 middle = path[0];
  UNROLL for (uint m = 1; m < POINTS; m++) {
    if (m == half_way) middle = path[m];
    if (m > first && m <= last) total += length(path[m] - path[m - 1]);
  }
  float3 when = times_at(index, middle);
  float uneven = float(paint.z % NOISE_SIZE) / float(NOISE_SIZE);
  float share = saturate((progress - when.x - when.y * uneven) / when.z);
  if (share >= 1.0) return;

  // Points behind the drawn part repeat its end
  float reach = share * total, passed = 0.0;
  uint end = first;
  float2 tip = path[0];
  UNROLL for (uint n = 1; n < POINTS; n++) {
    if (n == first + 1) tip = path[n - 1];
    if (n > first && n <= last && passed < reach) {
      float2 from = path[n - 1], along = path[n] - from;
      float step = length(along);
      tip = from + saturate((reach - passed) / max(step, 1e-6)) * along;
      passed += step;
      end = n;
    }
  }
  UNROLL for (uint p = 0; p < POINTS; p++) {
    if (p >= end) path[p] = tip;
  }
  float half_ = asfloat(head.z) * sqrt(min(share / PRESSED, 1.0));
  strokes[row] = uint4(asuint(path[HALF_STEPS]), asuint(half_), (head.w & ~ENDS) | first | end << 3);
  UNROLL for (uint half_path = 0; half_path < 2; half_path++) {
    uint4 cut;
    UNROLL for (uint q = 0; q < HALF_STEPS; q++) {
      cut[q] = word_from_middle(path[half_path * (HALF_STEPS + 1) + q] - path[HALF_STEPS], unit);
    }
    strokes[row + 1 + half_path] = cut;
  }
}
