// In: paths of strokes and behind all of them their paint t0, lists of tiles t1, counts t2, painting t3 (tensor of R'G'B'), the level of its pyramid that lies under strokes t4, noise t5 (and behind it a mark, each sample with the next one along it), what is left of cells of the network's input t6, fine luma t7, b0. Out: the painting with strokes u0: a tensor; with RAISED a picture, with fine luma added, and the height of their paint, as far as it covers the picture, and luma of cells u1. Group 16x16, one group per tile. Reference: gpu.stages.strokes.reference.over_ground. Tolerance: 0.02.
// RAISED 1: for relief. MARKED 1: strokes are a mark of one's own, not hairs. REVEALED 1: the underpainting is laid on a bare canvas, and the picture may be the canvas's opacity.
#include "strokes.hlsli"
#include "common.hlsli"
#include "stroke_read.hlsli"
#include "stroke_records.hlsli"
CONSTANTS(STROKE_DRAW)
OPTION(0, MARKED)
OPTION(1, REVEALED)
OPTION(2, PACKED)
#include "painting.hlsli"
#include "hairs.h"

READS(uint4, strokes, 0);
READS(uint, lists, 1);
READS(uint, counts, 2);
READS_PAINTING(painted, 3);
READS(float4, ground, 4);
READS(float2, noise, 5);
READS_PICTURE(float, left, 6);
READS(float, fine, 7);
#ifdef RAISED
WRITES_PICTURE(float4, "rgba16f", brushed, 0);
WRITES_COUNTS(sums, 1);
#include "relief_sums.hlsli"
#else
WRITES(float, brushed, 0);
#endif
#include "paint.hlsli"
#define WASH
#define NOISE(k) noise[k].x
#include "wash.h"

#define TILE_PX 16
#define THREADS 256
#define SORTED 736  // strokes of a list that are put in order at once
#define TAKEN ((SORTED + THREADS - 1) / THREADS)  // of them by a thread
#define BATCH 32     // of them that are drawn at once
#define PARTS 8      // of a tile, 8x4 pixels each, of a warp each
#define FARTHEST 1.4  // see stroke_tiles.hlsli

groupshared uint keys[SORTED];
groupshared uint sorted[SORTED];
SHARES_COUNTS(shared_counts, 2);
groupshared uint4 heads[2 * BATCH];
groupshared float4 segments[BATCH * PARTS];  // where one begins, and how far it leads
groupshared float4 lengths[BATCH * PARTS];   // 1 / its square, what is before it, itself, and 1 / half the width of the stroke
groupshared uint near_segments[BATCH * PARTS];  // of a stroke, by the tile's part: a bit for each that may be seen there
SHARES_COUNTS(near_strokes, PARTS);  // a bit for each

// Smooth noise of a line, 0..1.
float noise_at(float place, uint seed) {
  float low = floor(place), share = place - low;
  share = share * share * (3.0 - 2.0 * share);
  float2 both = noise[(uint(int(low)) + seed) % NOISE_SIZE];
  return lerp(both.x, both.y, share);
}

// How high a mark lies at a place of a stroke: so far along it and so far from its end, and -1..1 across it.
float mark_at(float along, float left, float across, float half_) {
  float length_ = along + left, tip = min(half_, length_ * (float(MARK_TIP) / MARK_COLUMNS)), of_tip = MARK_TIP / tip;
  float column = MARK_TIP + (along - tip) * float(MARK_COLUMNS - 2 * MARK_TIP) / max(length_ - 2.0 * tip, TINY);
  if (left < tip) column = MARK_COLUMNS - left * of_tip;
  if (along < tip) column = along * of_tip;
  float2 spot = float2(column, (0.5 + 0.5 * across) * MARK_ROWS) - 0.5, low = floor(spot), share = spot - low;
  if (low.x < 0.0) share.x = 0.0;  // its first column is repeated; behind the last one comes that again
  int start = NOISE_SIZE + clamp(int(low.x), 0, MARK_COLUMNS - 1);
  float2 above = noise[start + MARK_COLUMNS * clamp(int(low.y), 0, MARK_ROWS - 1)];
  float2 below = noise[start + MARK_COLUMNS * clamp(int(low.y) + 1, 0, MARK_ROWS - 1)];
  return lerp(lerp(above.x, above.y, share.x), lerp(below.x, below.y, share.x), share.y);
}

// How many of a list's strokes lie within two places, the second one excluded.
uint count_within(uint from, uint count, uint low, uint high, uint thread) {
  if (thread == 0) CLEAR_COUNT(shared_counts, 0);
  GroupMemoryBarrierWithGroupSync();
  uint own = 0;
  for (uint k = thread; k < count; k += THREADS) {
    uint key = PAINT(strokes, lists[from + k]).w;
    if (key >= low && key < high) own++;
  }
  if (own > 0) ADD_COUNT(shared_counts, 0, own);
  GroupMemoryBarrierWithGroupSync();
  uint found = COUNT(shared_counts, 0);
  GroupMemoryBarrierWithGroupSync();
  return found;
}

struct Pixel {
  float3 colour;
  float height, seen;
};

// Adds what is seen of a stroke, of a batch, at a pixel.
void add_stroke(inout Pixel pixel, uint stroke, uint part, float2 at, float3 own) {
  uint4 size = heads[2 * stroke], more = heads[2 * stroke + 1];
  float half_ = asfloat(size.x);
  uint first = more.z & 7, last = ((more.z >> 3) & 15) - 1, near = near_segments[stroke * PARTS + part], found = 0;
  float nearest = 1e9, place_on_it = 0.0;
  while (near != 0) {
    uint k = firstbitlow(near);
    near &= near - 1;
    float4 segment = segments[stroke * PARTS + k];
    float2 from = at - segment.xy;
    float t = dot(from, segment.zw) * lengths[stroke * PARTS + k].x;
    bool beyond = (t < 0.0 && k == first) || (t > 1.0 && k == last);
    if (!beyond) t = saturate(t);
    float2 apart = from - t * segment.zw, off = abs(from - 0.5 * segment.zw) - 0.5 * abs(segment.zw);
    float far = dot(apart, apart);
    if (beyond && max(off.x, off.y) > half_) far = 1e9;
    if (far < nearest) {
      nearest = far;
      place_on_it = t;
      found = k;
    }
  }
  if (nearest > half_ * half_) return;
  float4 on = segments[stroke * PARTS + found], along = lengths[stroke * PARTS + found];
  float2 from = at - on.xy;
  float u = along.y + place_on_it * along.z, v = (on.z * from.y - on.w * from.x) / along.z, r = abs(v) * along.w;
  uint seed = more.w;
  float opacity = asfloat(more.x), total = asfloat(more.y), rim = saturate((1.0 - r) * half_ * per_hair / 1.2), share, tone, body;
  if (MARKED == 1) {
    float start = -MARK_END * half_, finish = total + MARK_END * half_, inside = min(u - start, finish - u) * per_hair / 1.5;
    if (inside <= 0.0) return;
    body = mark_at(u - start, finish - u, ((seed & 1) != 0 ? -v : v) * along.w, half_);
    share = min(1.0, body / MARK_FULL) * min(1.0, inside) * rim * opacity;
    tone = 1.0;
  } else {
    float hairs = v * per_hair;
    float hair = noise_at(hairs / 1.3 + 100.0, seed), other = noise_at(hairs / 2.1 + 300.0, seed + 1);
    float start = start_of(half_, hair), finish = finish_of(half_, total, other);
    float inside = min(u - start, finish - u) * per_hair / 1.5;
    if (inside <= 0.0) return;
    float broad = noise_at((v / 1.6 + 0.016 * u) * per_hair + 50.0, seed + 2);
    float streak = streak_of(broad, noise_at((v / 0.9 + 0.02 * u) * per_hair + 700.0, seed + 3));
    share = min(1.0, inside) * rim * opacity * paint_left((u - start) / (total + 2.0 * half_), streak);
    body = body_of(half_, along.w, streak, r, u - finish);
    tone = tone_of(streak);
  }
  body *= 0.5 + 0.5 * min(1.0, half_ * per_hair / 5.0);
  float3 colour = asfloat(size.yzw);
  share *= pixel.seen;
  pixel.colour += share * (colour * tone + wet * (own - colour));
  pixel.height += share * body;
  pixel.seen -= share;
}

[numthreads(16, 16, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = FIRST_BOUND + group.y * tiles.x + group.x, from = counts[tile], count = counts[tiles.x * tiles.y + tile] - from;
  uint2 corner = TILE_PX * group.xy;
  uint part = thread / 32;
  uint2 at = corner + uint2(8 * (part % 2) + thread % 8, 4 * (part / 2) + thread % 32 / 8);
  bool shown = all(at < size);
  uint2 inside_ = min(at, size - 1);
  float2 middle = float2(at) + 0.5;
  float3 own = cleaned(PAINTING(painted, inside_, painted_size));
  Pixel pixel;
  pixel.colour = 0.0;
  pixel.height = 0.0;
  pixel.seen = shown ? 1.0 : 0.0;

  uint high = 0xffffffffu;
  bool open = true;
  while (open && high > 0) {
    // The uppermost strokes that are left, as many as can be put in order
    uint low = 0;
    if (count > SORTED) {
      bool fits = count_within(from, count, 0, high, thread) <= SORTED;
      for (uint bit = 1u << 31; bit > 0; bit >>= 1) {
        uint found = count_within(from, count, low | bit, high, thread);
        if (found > SORTED) low |= bit;
      }
      low = fits ? 0 : low + 1;  // from the largest on they do not fit, from the next one on they do
    }
    if (thread == 0) CLEAR_COUNT(shared_counts, 1);
    GroupMemoryBarrierWithGroupSync();
    for (uint k = thread; k < count; k += THREADS) {
      uint number = lists[from + k], key = PAINT(strokes, number).w;
      if (key >= low && key < high) {
        uint into = 0;
        TAKE_COUNT(shared_counts, 1, 1, into);
        keys[into] = key;
        sorted[into] = number;
      }
    }
    GroupMemoryBarrierWithGroupSync();
    uint taken = COUNT(shared_counts, 1);
    uint numbers[TAKEN];
    UNROLL for (uint n = 0; n < TAKEN; n++) numbers[n] = sorted[min(thread + n * THREADS, SORTED - 1)];
    GroupMemoryBarrierWithGroupSync();
    UNROLL for (uint r = 0; r < TAKEN; r++) {
      uint place_ = thread + r * THREADS;
      if (place_ < taken) {
        uint rank = 0;
        for (uint m = 0; m < taken; m++) rank += keys[m] > keys[place_] ? 1 : 0;
        sorted[rank] = numbers[r];
      }
    }
    GroupMemoryBarrierWithGroupSync();

    for (uint begin = 0; begin < taken && open; begin += BATCH) {
      // A batch of them, and what each part of the tile may see of each
      uint batch = min(BATCH, taken - begin);
      if (thread < PARTS) CLEAR_COUNT(near_strokes, thread);
      if (thread == 0) CLEAR_COUNT(shared_counts, 0);
      GroupMemoryBarrierWithGroupSync();
      uint stroke = thread / PARTS, k = thread % PARTS;
      if (stroke < batch) {
        uint number = sorted[begin + stroke], row = ROWS_OF_A_PATH * number;
        uint4 head = strokes[row], paint = PAINT(strokes, number);
        float2 path[POINTS];
        path[HALF_STEPS] = asfloat(head.xy);
        UNROLL for (uint side = 0; side < 2; side++) {
          uint4 words = strokes[row + 1 + side];
          UNROLL for (uint m = 0; m < HALF_STEPS; m++) {
            path[side * (HALF_STEPS + 1) + m] = asfloat(head.xy) + from_middle(words[m], unit_of(head.w));
          }
        }
        float half_ = asfloat(head.z), passed = 0.0;
        float2 centre = float2(corner) + float2(8 * (k % 2) + 4, 4 * (k / 2) + 2);
        uint first = ends_of(head.w).x, last = ends_of(head.w).y - 1, near = 0;
        UNROLL for (uint n = 0; n < POINTS - 1; n++) {
          float2 along = path[n + 1] - path[n], away = centre - path[n];
          float square = dot(along, along) + TINY, norm = sqrt(square);
          if (n == k) {
            segments[thread] = float4(path[n], along);
            lengths[thread] = float4(1.0 / square, passed, norm, 1.0 / half_);
          }
          if (n >= first && n <= last) {
            float2 apart = away - saturate(dot(away, along) / square) * along;
            float reach = (n == first || n == last ? FARTHEST : 1.0) * half_ + 3.85;  // half a part's diagonal
            if (dot(apart, apart) <= reach * reach) near |= 1u << n;
            passed += norm;
          }
        }
        float opacity = min(1.0, 1.5 * float(paint.y >> 16) / 4095.0);
        if (k == 0) heads[2 * stroke] = uint4(asuint(half_), asuint(paint_colour(paint)));
        if (k == 1) heads[2 * stroke + 1] = uint4(asuint(opacity), asuint(passed), head.w, paint.z);
        near_segments[stroke * PARTS + k] = near;
        if (near != 0) ADD_COUNT(near_strokes, k, 1u << stroke);
      }
      GroupMemoryBarrierWithGroupSync();
      uint bits = COUNT(near_strokes, part);
      while (bits != 0 && pixel.seen >= COVERED) {
        uint s = firstbitlow(bits);
        bits &= bits - 1;
        add_stroke(pixel, s, part, middle, own);
      }
      if (pixel.seen >= COVERED) ADD_COUNT(shared_counts, 0, 1);
      GroupMemoryBarrierWithGroupSync();
      open = COUNT(shared_counts, 0) > 0;
      GroupMemoryBarrierWithGroupSync();
    }
    high = low;
  }

  Between near = between_samples(in_level(middle, ground_level), uint4(0, levels[ground_level].yzw));
  float3 under = BILINEAR(ground, near).rgb;
  if (REVEALED == 1) {
    float2 spot = middle / float2(size);
    if (covers == 1) {
      pixel.colour = 1.0 - pixel.seen;
      under = 1.0;
    }
    under = bare.rgb + wash_at(front, spot.x, spot.y) * (under - bare.rgb);
  }
  pixel.colour += pixel.seen * under;
  pixel.height += pixel.seen * GROUND_HEIGHT;
  float cover = brush * (1.0 - left_at(middle));
  float3 made = saturate(own + cover * (pixel.colour - own));
  uint to = size.x * size.y, o = inside_.y * size.x + inside_.x;
#ifdef RAISED
  if (detail > 0.0) made = saturate(made + detail * fine[o]);
  if (shown) STORE(brushed, at, float4(made, cover * pixel.height / HIGHEST));
  keys[TILE_PX * (at.y - corner.y) + at.x - corner.x] = shade_of(luma_of(made), at);
  GroupMemoryBarrierWithGroupSync();
  ADD_SHADES(sums, keys, corner, TILE_PX, TILE_PX, thread)
#else
  if (!shown) return;
  brushed[o] = made.r;
  brushed[o + to] = made.g;
  brushed[o + 2 * to] = made.b;
#endif
}
