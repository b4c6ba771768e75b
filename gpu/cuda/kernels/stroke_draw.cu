// In: records and keys (of stroke_trace), firsts and listed (of stroke_list), painting (a tensor at the target's size), ground (a level of the pyramid), noise (each value, and how far it is to the next; with MARKED a mark behind it, each sample and how far it is to the next along it; with REVEALED the underpainting is laid on a bare canvas, and the picture may be the canvas's opacity), left (of corner_share), fine luma. Out: picture (the painting with strokes), height (of their paint). Group 16x16, one group per tile. Reference: draw_strokes of gpu/cpu/kernels/strokes.c. Tolerance: 1e-3. CUDA's own: shared memory and packed halves.
#include "layers.cuh"
#include "left.cuh"
#include "records.cuh"

CONSTANTS(DRAWING)
#undef FIGURES
#define FIGURES const Drawing &c,
#include "hairs.h"
#ifdef REVEALED
#define WASH const Pair *__restrict__ noise,
#define NOISE(k) noise[k].v[0]
#include "wash.h"
#endif

#define PIECES (POINTS - 1)
#define STAGED (256 / PIECES)  // strokes of which each thread of a group prepares one piece
#define ALL 0xffffffffu

typedef Vector<float, 4> Four;
static_assert(PIECES == 8 && STAGED == 32, "a byte has a bit for each piece, and a warp a thread for each stroke");

// Strokes that all pixels of a tile look at next, top to bottom. Of each piece: where it begins and the direction of length 1, y and x;
// how long the stroke is up to there, and the piece. Of each stroke: half its width, its length, 1 / both with its ends; colour and
// opacity; how much paint thins out at its sides, how low its body is, its seed, and its last piece. reached: by eight pieces of
// four strokes, which may touch the pixels of a warp.
struct Staged {
  Four lines[STAGED][PIECES], heads[STAGED][3];
  Pair spans[STAGED][PIECES];
  uint reached[8][8];
};

// Smooth noise of a line, 0..1, at a place that is small against 1 << 22.
DEVICE float noise_at(const Pair* __restrict__ noise, float place, uint seed) {
  const float whole = (place - 0.5f) + 12582912.0f;  // whose last bits are the whole number
  const float share = place - (whole - 12582912.0f);
  const Pair step = noise[(__float_as_uint(whole) + seed) % NOISE_SIZE];
  return step.v[0] + share * share * (3.0f - 2.0f * share) * step.v[1];
}

#ifdef MARKED
// How high a mark lies at a place of a stroke: so far along it and so far from its end, and -1..1 across it.
DEVICE float mark_at(const Pair* __restrict__ noise, float along, float left, float across, float half) {
  const float length = along + left, tip = minimum(half, length * ((float)MARK_TIP / MARK_COLUMNS));
  const float of_tip = __fdividef((float)MARK_TIP, tip);
  float column = MARK_TIP + __fdividef((along - tip) * (MARK_COLUMNS - 2 * MARK_TIP), maximum(length - 2.0f * tip, TINY));
  if (left < tip) column = MARK_COLUMNS - left * of_tip;
  if (along < tip) column = along * of_tip;
  const float x = minimum(maximum(column - 0.5f, 0.0f), MARK_COLUMNS - 1.0f);
  const float y = minimum(maximum((0.5f + 0.5f * across) * MARK_ROWS - 0.5f, 0.0f), MARK_ROWS - 1.0f);
  const int over = (int)x, down = (int)y;
  const Pair* above = noise + NOISE_SIZE + down * MARK_COLUMNS + over;
  const Pair* below = above + (down + 1 < MARK_ROWS ? MARK_COLUMNS : 0);
  const float upper = above->v[0] + (x - over) * above->v[1], lower = below->v[0] + (x - over) * below->v[1];
  return upper + (y - down) * (lower - upper);
}
#endif

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

// Prepare a piece of a stroke, and say which warps of the group it may touch.
DEVICE void prepare(Staged& staged, const float* __restrict__ record, bool there, int thread, const Drawing& c) {
  const int stroke = thread / PIECES, piece = thread % PIECES, pieces = there ? points_of(record) - 1 : 0;
  const float half = there ? record[HALF_WIDTH] : 0.0f;
  there = piece < pieces;
  float ay = 0.0f, ax = 0.0f, by = 0.0f, bx = 0.0f;
  if (there) {
    ay = record[AT_Y + piece], ax = record[AT_X + piece], by = record[AT_Y + piece + 1], bx = record[AT_X + piece + 1];
    const float down = by - ay, over = bx - ax, square = down * down + over * over + TINY, per_norm = rsqrtf(square);
    staged.lines[stroke][piece] = {{ay, ax, down * per_norm, over * per_norm}};
    staged.spans[stroke][piece] = {{piece ? record[PASSED + piece] : 0.0f, square * per_norm}};
    if (piece == 0) {
      const float total = record[PASSED + pieces];
      const uint seed = __float_as_uint(record[KIND]) % NOISE_SIZE;
      staged.heads[stroke][0] = {{half, total, __fdividef(1.0f, half), __fdividef(1.0f, total + 2.0f * half)}};
      staged.heads[stroke][1] = {{record[COLOUR], record[COLOUR + 1], record[COLOUR + 2], record[OPACITY]}};
      staged.heads[stroke][2] = {
          {half * c.rim, 0.5f + 0.5f * minimum(1.0f, half * c.low), __uint_as_float(seed), __uint_as_float(pieces - 1)}};
    }
  }
#pragma unroll
  for (int row = 0; row < 4; row++) {
    const float top = blockIdx.y * 16 + row * 4 + 0.5f;
    Reach reach = NOTHING;
    if (there) reach = reach_of(ay, ax, by, bx, half, top, top + 3.0f);
#pragma unroll
    for (int column = 0; column < 2; column++) {
      const float left = blockIdx.x * 16 + column * 8 + 0.5f;
      const uint word = __ballot_sync(ALL, reach.from < left + 7.0f && reach.to >= left);
      if (thread % 32 == 0) staged.reached[row * 2 + column][thread / 32] = word;
    }
  }
}

// What a pixel has so far, from the uppermost stroke down.
struct Paint {
  Rgb colour;
  float height, seen;
};

// A stroke on a pixel, and `mask` of those of its pieces that may touch the warp's pixels. below: the painting's share in it.
DEVICE void add(
    Paint& paint, const Staged& staged, int stroke, uint mask, float y, float x, Rgb below, const Pair* __restrict__ noise,
    const Drawing& c) {
  const Four head = staged.heads[stroke][0], form = staged.heads[stroke][2];
  const float half = head.v[0], total = head.v[1];
  const int last = __float_as_uint(form.v[3]);
  float nearest = half * half, u = 0.0f, v = 0.0f;
  for (; mask; mask &= mask - 1) {
    const int piece = __ffs(mask) - 1;
    const Four line = staged.lines[stroke][piece];
    const Pair span = staged.spans[stroke][piece];
    const float qy = y - line.v[0], qx = x - line.v[1], ey = line.v[2], ex = line.v[3], length = span.v[1];
    float along = qx * ex + qy * ey;
    bool there = true;
    if (piece > 0) along = maximum(along, 0.0f);
    if (piece < last) along = minimum(along, length);
    if (along < 0.0f || along > length) {  // beyond an end, where it goes on as far as it is wide
      const float down = 0.5f * length * ey, over = 0.5f * length * ex;
      there = fabsf(qy - down) <= fabsf(down) + half && fabsf(qx - over) <= fabsf(over) + half;
    }
    const float ry = qy - along * ey, rx = qx - along * ex, far = rx * rx + ry * ry;
    if (there && far < nearest) {
      nearest = far;
      u = span.v[0] + along;
      v = ex * qy - ey * qx;
    }
  }
  if (nearest >= half * half || paint.seen < COVERED) return;
  const uint seed = __float_as_uint(form.v[2]);
  const float r = fabsf(v) * head.v[2];
#ifdef MARKED
  const float start = -MARK_END * half, finish = total + MARK_END * half, inside = minimum(u - start, finish - u) * c.soft;
  if (inside <= 0.0f) return;
  const float high = mark_at(noise, u - start, finish - u, (seed & 1 ? -v : v) * head.v[2], half);
  float share = minimum(1.0f, high * (1.0f / MARK_FULL)) * minimum(1.0f, inside);
  const float body = high * form.v[1], tone = 1.0f - c.wet;
#else
  const float hair = noise_at(noise, v * c.hairs[0] + 100.0f, seed);
  const float other = noise_at(noise, v * c.hairs[1] + 300.0f, seed + 1);
  const float start = start_of(c, half, hair), finish = finish_of(c, half, total, other);
  const float inside = minimum(u - start, finish - u) * c.soft;
  if (inside <= 0.0f) return;
  const float broad = noise_at(noise, v * c.streaks[0] + (u * c.streaks[1] + 50.0f), seed + 2);
  const float streak = streak_of(c, broad, noise_at(noise, v * c.streaks[2] + (u * c.streaks[3] + 700.0f), seed + 3));
  float share = minimum(1.0f, inside) * paint_left(c, (u - start) * head.v[3], streak);
  const float body = body_of(c, half, head.v[2], streak, r, u - finish) * form.v[1];
  const float tone = tone_of(c, streak) - c.wet;
#endif
  const Four own = staged.heads[stroke][1];
  share *= saturate((1.0f - r) * form.v[0]) * own.v[3] * paint.seen;
  paint.colour.r += share * (tone * own.v[0] + below.r);
  paint.colour.g += share * (tone * own.v[1] + below.g);
  paint.colour.b += share * (tone * own.v[2] + below.b);
  paint.height += share * body;
  paint.seen -= share;
}

extern "C" __global__ void __launch_bounds__(256, 5) stroke_draw(
    const float* __restrict__ records, const uint* __restrict__ keys, const uint* __restrict__ firsts,
    const uint* __restrict__ listed, const Element* __restrict__ painting, const Sample* __restrict__ levels,
    const Pair* __restrict__ noise, const float* __restrict__ left, const float* __restrict__ fine, Pixel* picture,
    float* height, Drawing c) {
  __shared__ uint range[SORTED], order[SORTED];
  __shared__ Staged staged;
  __shared__ int filled;
  const int t = threadIdx.y * 16 + threadIdx.x, lane = t % 32, warp = t / 32;
  // A warp has 8x4 pixels.
  const int x = blockIdx.x * 16 + warp % 2 * 8 + lane % 8, y = blockIdx.y * 16 + warp / 2 * 4 + lane / 8;
  const bool inside = x < c.size[0] && y < c.size[1];
  const size_t plane = (size_t)c.painted[0] * c.painted[1], from = (size_t)y * c.painted[0] + x;
  Rgb own = {0.0f, 0.0f, 0.0f};
  if (inside) own = cleaned(Rgb{load(painting, from), load(painting, from + plane), load(painting, from + 2 * plane)});
  const Rgb below = c.wet * own;
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
      const int stroke = first + t / PIECES;
      prepare(staged, records + (size_t)(stroke < sorted ? order[stroke] : 0) * WORDS, stroke < sorted, t, c);
      __syncthreads();
      if (__all_sync(ALL, paint.seen < COVERED)) continue;
      const uint mask = staged.reached[warp][lane / 4] >> lane % 4 * 8 & 255;
      for (uint hits = __ballot_sync(ALL, mask != 0); hits; hits &= hits - 1) {
        const int hit = __ffs(hits) - 1;
        add(paint, staged, hit, __shfl_sync(ALL, mask, hit), y + 0.5f, x + 0.5f, below, noise, c);
        if (__all_sync(ALL, paint.seen < COVERED)) break;
      }
    }
    high = low;
    rest -= sorted;
    __syncthreads();
  }
  if (!inside) return;
  const Sample ground = read_level(levels + c.ground_first, c.size, c.ground_level, y + 0.5f, x + 0.5f);
  Rgb under = {ground.v[0], ground.v[1], ground.v[2]};
#ifdef REVEALED
  const Rgb bare = {c.bare[0], c.bare[1], c.bare[2]};
  if (c.covers) {
    const float covered = 1.0f - paint.seen;
    paint.colour = {covered, covered, covered};
    under = {1.0f, 1.0f, 1.0f};
  }
  under = bare + wash_at(noise, c.front, (x + 0.5f) / c.size[0], (y + 0.5f) / c.size[1]) * (under - bare);
#endif
  const Rgb strokes = paint.colour + paint.seen * under;
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
