// In: records and keys (of stroke_trace), firsts and listed (of stroke_list), painting (a tensor at the target's size), ground (a level of the pyramid), noise (each value, and how far it is to the next), left (of corner_share), fine luma. Out: picture (the painting with strokes), height (of their paint). Group 16x16, one group per tile. Reference: draw_strokes of gpu/cpu/kernels/strokes.c. Tolerance: 1e-3.
#include "layers.cuh"
#include "left.cuh"
#include "records.cuh"

CONSTANTS(DRAWING)

#define STAGED 64
#define STRIDE (WORDS + 1)  // odd, so that threads that each look at a stroke are in different banks
#define ALL 0xffffffffu

// Smooth noise of a line, 0..1.
DEVICE float noise_at(const Pair* __restrict__ noise, float place, uint seed) {
  const float low = floorf(place), share = place - low;
  const Pair step = noise[((uint)(int)low + seed) % NOISE_SIZE];
  return step.v[0] + share * share * (3.0f - 2.0f * share) * step.v[1];
}

// How many of a tile's strokes lie from a place in the order on, and below another one.
DEVICE int between_keys(const uint* __restrict__ listed, const uint* __restrict__ keys, int count, uint low, uint high) {
  int own = 0;
  for (int first = 0; first < count; first += 256) {
    const int at = first + threadIdx.y * 16 + threadIdx.x;
    const uint key = at < count ? keys[listed[at]] : 0;
    own += __syncthreads_count(at < count && key >= low && key < high);
  }
  return own;
}

// What a pixel has so far, from the uppermost stroke down.
struct Paint {
  Rgb colour;
  float height, seen;
};

// A stroke on a pixel, and `mask` of those of its pieces that may touch the warp's pixels.
DEVICE void add(
    Paint& paint, const float* record, uint mask, float y, float x, Rgb below, const Pair* __restrict__ noise, const Drawing& c) {
  const float half = record[HALF_WIDTH];
  const int pieces = points_of(record) - 1;
  float nearest = 1e9f, u = 0.0f, v = 0.0f;
  for (; mask; mask &= mask - 1) {
    const int piece = __ffs(mask) - 1;
    const float ay = record[AT_Y + piece], ax = record[AT_X + piece];
    const float by = record[AT_Y + piece + 1] - ay, bx = record[AT_X + piece + 1] - ax;
    const float square = bx * bx + by * by + TINY, per_norm = rsqrtf(square);
    const float ey = by * per_norm, ex = bx * per_norm, qy = y - ay, qx = x - ax;
    float along = qx * ex + qy * ey;
    bool there = true;
    if (piece == 0 || piece == pieces - 1) {  // which go on beyond their ends
      there = y >= minimum(ay, ay + by) - half && y <= maximum(ay, ay + by) + half &&
              x > minimum(ax, ax + bx) - half && x <= maximum(ax, ax + bx) + half;
    }
    if (piece > 0) along = maximum(along, 0.0f);
    if (piece < pieces - 1) along = minimum(along, square * per_norm);
    const float ry = qy - along * ey, rx = qx - along * ex, far = rx * rx + ry * ry;
    if (there && far < nearest) {
      nearest = far;
      u = (piece ? record[PASSED + piece] : 0.0f) + along;
      v = ex * qy - ey * qx;
    }
  }
  if (nearest > half * half || paint.seen < COVERED) return;
  const uint seed = __float_as_uint(record[KIND]) % NOISE_SIZE;
  const float total = record[PASSED + pieces], per_half = __fdividef(1.0f, half), r = fabsf(v) * per_half, per_hair = c.per_hair;
  const float hair = noise_at(noise, v * (per_hair * (1.0f / 1.3f)) + 100.0f, seed);
  const float other = noise_at(noise, v * (per_hair * (1.0f / 2.1f)) + 300.0f, seed + 1);
  const float start = -half * (0.25f + 0.6f * hair), finish = total + half * (0.95f - 1.1f * other * other);
  const float inside = minimum(u - start, finish - u) * (per_hair * (1.0f / 1.5f));
  if (inside <= 0.0f) return;
  float share = minimum(1.0f, inside) * saturate((1.0f - r) * half * (per_hair * (1.0f / 1.2f))) * record[OPACITY];
  const float streak = 0.65f * noise_at(noise, (v * (1.0f / 1.6f) + 0.016f * u) * per_hair + 50.0f, seed + 2) +
                       0.35f * noise_at(noise, (v * (1.0f / 0.9f) + 0.02f * u) * per_hair + 700.0f, seed + 3);
  const float dry = __fdividef(u - start, total + 2.0f * half) - 0.55f;
  if (dry > 0.0f) share *= 1.0f - minimum(1.0f, 2.2f * dry) * saturate((0.55f - streak) * 5.0f);
  const float ridge = maximum(0.0f, 1.0f - fabsf(r - 0.82f) * 6.0f);
  const float lip = maximum(0.0f, 1.0f - fabsf(u - finish + 0.4f * half) * (2.0f * per_half));
  const float body = (0.45f + 0.5f * (streak - 0.5f) + 0.35f * ridge + 0.25f * lip) *
                     (0.5f + 0.5f * minimum(1.0f, half * (per_hair * 0.2f)));
  const float tone = 1.0f + 0.16f * (streak - 0.5f);
  share *= paint.seen;
  const Rgb own = {record[COLOUR], record[COLOUR + 1], record[COLOUR + 2]};
  paint.colour = paint.colour + share * (tone * own + c.wet * (below - own));
  paint.height += share * body;
  paint.seen -= share;
}

extern "C" __global__ void __launch_bounds__(256) stroke_draw(
    const float* __restrict__ records, const uint* __restrict__ keys, const uint* __restrict__ firsts,
    const uint* __restrict__ listed, const Element* __restrict__ painting, const Sample* __restrict__ levels,
    const Pair* __restrict__ noise, const float* __restrict__ left, const float* __restrict__ fine, Pixel* picture,
    float* height, Drawing c) {
  __shared__ uint range[SORTED], order[SORTED];
  __shared__ float staged[STAGED][STRIDE];
  __shared__ int filled;
  const int t = threadIdx.y * 16 + threadIdx.x, lane = t % 32, warp = t / 32;
  // A warp has 8x4 pixels.
  const int left_x = blockIdx.x * 16 + warp % 2 * 8, top_y = blockIdx.y * 16 + warp / 2 * 4;
  const int x = left_x + lane % 8, y = top_y + lane / 8;
  const bool inside = x < c.size[0] && y < c.size[1];
  const size_t plane = (size_t)c.painted[0] * c.painted[1], from = (size_t)y * c.painted[0] + x;
  Rgb own = {0.0f, 0.0f, 0.0f};
  if (inside) own = cleaned(Rgb{load(painting, from), load(painting, from + plane), load(painting, from + 2 * plane)});
  Paint paint = {{0.0f, 0.0f, 0.0f}, 0.0f, inside ? 1.0f : 0.0f};

  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const uint* list = listed + firsts[tile];
  const int count = firsts[tile + 1] - firsts[tile];
  uint high = ALL;
  bool done = false;
  for (int rest = count; rest > 0 && !done;) {
    // The uppermost of the strokes that are not drawn yet, as many as there is room for.
    uint low = 0;
    if (rest > SORTED) {
      uint least = high;  // from which on there are few enough
      while (least - low > 1) {
        const uint middle = low + (least - low) / 2;
        if (between_keys(list, keys, count, middle, high) > SORTED) low = middle;
        else least = middle;
      }
      low = least;
    }
    if (t == 0) filled = 0;
    __syncthreads();
    for (int at = t; at < count; at += 256) {
      const uint number = list[at], key = keys[number];
      if (key < low || key >= high) continue;
      const int place = count > SORTED ? atomicAdd(&filled, 1) : at;
      range[place] = key;
      order[place] = number;
    }
    __syncthreads();
    const int sorted = count > SORTED ? filled : count;
    // Each looks how many lie above its own. Keys differ.
    uint numbers[(SORTED + 255) / 256];
    int places[(SORTED + 255) / 256];
#pragma unroll
    for (int k = 0; k < (SORTED + 255) / 256; k++) {
      places[k] = -1;
      if (t + k * 256 >= sorted) continue;
      const uint key = range[t + k * 256];
      numbers[k] = order[t + k * 256];
      int above = 0;
      for (int i = 0; i < sorted; i++) above += range[i] > key;
      places[k] = above;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < (SORTED + 255) / 256; k++) {
      if (places[k] >= 0) order[places[k]] = numbers[k];
    }
    for (int first = 0; first < sorted; first += STAGED) {
      done = __syncthreads_and(paint.seen < COVERED);
      if (done) break;
      const int some = min(STAGED, sorted - first);
#pragma unroll 4
      for (int i = warp; i < some; i += 8) staged[i][lane] = records[(size_t)order[first + i] * WORDS + lane];
      __syncthreads();
      if (__all_sync(ALL, paint.seen < COVERED)) continue;
      for (int begin = 0; begin < some; begin += 32) {
        // Each looks at one stroke: which of its pieces may touch the warp's pixels.
        uint mask = 0;
        if (begin + lane < some) {
          const float* record = staged[begin + lane];
          const float half = record[HALF_WIDTH];
          const int pieces = points_of(record) - 1;
          for (int piece = 0; piece < pieces; piece++) {
            const Reach reach = reach_of(record, piece, half, top_y + 0.5f, top_y + 3.5f);
            if (reach.from < left_x + 7.5f && reach.to >= left_x + 0.5f) mask |= 1u << piece;
          }
        }
        for (uint hits = __ballot_sync(ALL, mask != 0); hits; hits &= hits - 1) {
          const int hit = __ffs(hits) - 1;
          add(paint, staged[begin + hit], __shfl_sync(ALL, mask, hit), y + 0.5f, x + 0.5f, own, noise, c);
          if (__all_sync(ALL, paint.seen < COVERED)) break;
        }
      }
    }
    high = low;
    rest -= sorted;
    __syncthreads();
  }
  if (!inside) return;
  const Sample ground = read_level(levels + c.ground_first, c.size, c.ground_level, y + 0.5f, x + 0.5f);
  const Rgb strokes = paint.colour + paint.seen * Rgb{ground.v[0], ground.v[1], ground.v[2]};
  const float cover = c.brush * (1.0f - left_at(left, c, x, y));
  Rgb made = own + cover * (strokes - own);
  const size_t o = (size_t)y * c.size[0] + x;
  if (c.detail > 0.0f) {
    const float added = c.detail * fine[o];
    made = saturate(made + Rgb{added, added, added});
  }
  picture[o] = pixel_of(made);
  height[o] = cover * (paint.height + paint.seen * GROUND_HEIGHT);
}
