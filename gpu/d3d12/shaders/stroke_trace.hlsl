// In: what strokes remember t0, levels of the painting's pyramid t1, directions t2, strokes that are drawn t3, layers t4, homes of cells t5, b0. Out: their paths and behind all of them their paint u0; counts u1, of which it makes those of all that are traced and of those that may touch each tile: a few more than do, as compilers round differently. Group 256x1, four threads per stroke. Reference: gpu.stages.strokes.reference.trace_stroke. Tolerance: 5e-3.
#include "strokes.hlsli"
#include "common.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(uint2, looks, 0);
READS(float4, pyramid, 1);
READS(float2, direction, 2);
READS(uint, picked, 3);
READS(uint4, layers, 4);
READS(uint, homes, 5);
WRITES(uint4, strokes, 0);
WRITES_COUNTS(counts, 1);

#include "stroke_layers.hlsli"
#include "stroke_looks.hlsli"
#include "stroke_guides.hlsli"
#define TRACED 64  // strokes of a group
groupshared uint4 paths[3 * TRACED];
#include "stroke_tiles.hlsli"
#include "figures.h"

// The layer of a record, and its place in the layer, no layer where there is no such record; and how many records there are. Their numbers
// are those of the layers that are drawn, broad ones first: where all do not fit, the finest layers are left out.
uint3 layer_and_place(uint number) {
  uint total = 0, room = most_pairs, found = layer_count, place_in_it = 0;
  bool fits = true;
  for (uint k = 0; k < layer_count; k++) {
    uint count = COUNT(counts, k), each = layers[6 * k + 5].x;
    fits = fits && total + count <= most_records && count <= room / each;
    if (fits) {
      if (number >= total && number < total + count) {
        found = k;
        place_in_it = number - total;
      }
      total += count;
      room -= count * each;
    }
  }
  return uint3(found, place_in_it, total);
}

// In which the picture changes least, of a structure tensor.
float2 along(float2 tensor) {
  float share = 0.5 * tensor.x / (sqrt(dot(tensor, tensor)) + TINY), rise = sqrt(max(0.5 + share, 0.0));
  return float2(sqrt(max(0.5 - share, 0.0)), tensor.y > 0.0 ? -rise : rise);
}

// thread: of those that trace a stroke each.
void trace(uint number, uint thread, uint3 found) {
  Layer layer = layer_of(found.x);
  uint word = 3 * (layer.first_picked + found.y);
  uint3 stroke = uint3(picked[word], picked[word + 1], picked[word + 2]);
  uint rank = (stroke.x - layer.first_slot) / layer.slots, slot = stroke.x - layer.first_slot - rank * layer.slots;
  uint seed = uint(home_of(homes[layer.first + rank], layer).z);
  float2 middle = float2(int2(int(stroke.z), int(stroke.y << 12) >> 12)) / UNITS;
  uint2 size = size_of(age_of(seed, slot, place), slot);
  float seen = float(stroke.y >> 20) / 4095.0, grown = LEAST_GROWN + (1.0 - LEAST_GROWN) * seen;
  float wide = width_of(layer.width, grown, seed);
  float step = length_of(layer.length, grown, seed) / float(2 * layer.half_steps);
  float3 own = colour_at(layer.colours, middle);
  uint2 colours = looks[stroke.x];
  float2 turned = float2(1.0, 0.0);  // from the direction that is seen to the one that is remembered
  if (count_of(colours) > 0) {
    float4 rest = remembered_rest(looks[rests + stroke.x], place);
    float lighter = light_around(middle) - rest.w, followed = lighter - clamp(lighter, -UNFOLLOWED, UNFOLLOWED);
    float left = followed < 0.0 ? 1.0 + followed / rest.w : 1.0;
    float3 between = left * remembered_colour(colours, place) + max(followed, 0.0) - own;
    float trusted = saturate(2.0 - max(max(abs(between.r), abs(between.g)), abs(between.b)) / (left * ALIKE));
    own += trusted * between;
    float2 tensor = by_length(tensor_at(middle)), now = along(tensor);
    float2 then = along(tensor + trusted * (rest.yz - tensor));
    turned = float2(dot(now, then), now.x * then.y - now.y * then.x);
  }

  float2 path[POINTS];
  uint low = HALF_STEPS, high = HALF_STEPS;
  path[HALF_STEPS] = middle;
  UNROLL for (uint side = 0; side < 2; side++) {
    float2 at = middle, was = 0.0;
    float was_apart = 0.0;
    bool going = true;
    UNROLL for (uint k = 1; k <= HALF_STEPS; k++) {
      if (going && k <= layer.half_steps) {
        float2 seen_ahead = along(tensor_at(at));
        float2 ahead = turned.x * seen_ahead + turned.y * float2(-seen_ahead.y, seen_ahead.x);
        if (k == 1) {
          if (side == 0) ahead *= -1.0;  // of a sum; slangc writes the opposite of one without the brackets that it needs
        } else {
          ahead = (dot(ahead, was) < 0.0 ? -TURN : TURN) * ahead + (1.0 - TURN) * was;
          ahead /= sqrt(dot(ahead, ahead)) + TINY;
        }
        float3 other = colour_at(layer.colours, at + ahead * step) - own;
        float apart = sqrt(dot(other, other)), reach = step;
        going = apart <= edge;
        if (!going) reach *= max((edge - was_apart) / (apart - was_apart), 0.0);
        if (k == 1) reach = max(reach, 0.5 * LEAST_LENGTH * wide);
        at += ahead * reach;
        was = ahead;
        was_apart = apart;
        if (side == 0) low = HALF_STEPS - k;
        else high = HALF_STEPS + k;
      }
      path[side == 0 ? HALF_STEPS - k : HALF_STEPS + k] = at;  // beyond an end it is repeated
    }
  }

  float half_ = 0.5 * wide, most = 1.01 * (layer.half_steps * step + 0.5 * LEAST_LENGTH * wide);
  uint key = 2 * (layer.first_slot + rank * layer.slots) + (size.x < size.y ? slot : layer.slots + slot);
  uint row = ROWS_OF_A_PATH * number, near_row = ROWS_OF_A_PATH * thread, unit = asuint(most / 32767.0) & ~ENDS | low | high << 3;
  paths[near_row] = uint4(asuint(middle), asuint(half_), unit);
  strokes[row] = paths[near_row];
  UNROLL for (uint half_path = 0; half_path < 2; half_path++) {
    uint4 words;
    UNROLL for (uint n = 0; n < HALF_STEPS; n++) {
      words[n] = word_from_middle(path[half_path * (HALF_STEPS + 1) + n] - middle, unit_of(unit));
    }
    paths[near_row + 1 + half_path] = words;
    strokes[row + 1 + half_path] = words;
  }
  float3 colour = colour_of(own, seed);
  uint blue_and_seen = in_16_bits(colour.b) | stroke.y >> 20 << 16;
  PAINT(strokes, number) = uint4(in_16_bits(colour.r) | in_16_bits(colour.g) << 16, blue_and_seen, seed, key);
}

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = TRACED * group.x, number = first + thread;
  uint3 found = layer_and_place(number);
  if (number == 0) SET_COUNT(counts, MOST_LAYERS, found.z);
  if (thread < TRACED && found.x < layer_count) trace(number, thread, found);
  GroupMemoryBarrierWithGroupSync();
  uint there = found.z > first ? min(found.z - first, TRACED) : 0;
  for (uint k = thread / 8; k < there; k += 32) {
    Touching stroke = touching(k);
    uint columns = stroke.box.z - stroke.box.x + 1, rows = stroke.box.w - stroke.box.y + 1;
    for (uint n = thread % 8; n < columns * rows; n += 8) {
      uint2 tile = stroke.box.xy + uint2(n % columns, n / columns);
      if (touches(stroke, tile, 1.001 * stroke.reach)) ADD_COUNT(counts, FIRST_BOUND + tile.y * tiles.x + tile.x, 1);
    }
  }
}
