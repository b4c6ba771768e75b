// In: levels of the structure tensor t0, a map of the brush t1, both parts of structure tensors one after another, b0. Out: the tensor near each sample and of its surroundings, or the map's, u0. Group 8x8, one thread per sample. Reference: gpu.stages.strokes.reference.guides_of. Tolerance: 1e-5.
#include "strokes.hlsli"
#include "stroke_read.hlsli"
CONSTANTS(STROKE_DRAW)

READS(float2, tensor, 0);
READS(float, map, 1);
WRITES(float2, direction, 0);

#include "stroke_map.hlsli"

float2 halved(int2 at, uint4 level) {
  int2 last = int2(level.yz) - 1, a = min(2 * at, last), b = min(2 * at + 1, last);
  uint upper = level.x + uint(a.y) * level.y, lower = level.x + uint(b.y) * level.y;
  return 0.25 * (tensor[upper + a.x] + tensor[upper + b.x] + tensor[lower + a.x] + tensor[lower + b.x]);
}

// A sample of the farther level, which lies one or two above the last that is there.
float2 farther_at(int2 at) {
  uint4 made = tensors[4];
  float2 value = 0.0;
  if (near_level == 1) {
    value = halved(at, made);
  } else {
    int2 last = int2((made.yz + 1) / 2) - 1, a = min(2 * at, last), b = min(2 * at + 1, last);
    value = 0.25 * (halved(a, made) + halved(int2(b.x, a.y), made) + halved(int2(a.x, b.y), made) + halved(b, made));
  }
  return value;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint4 near = tensors[near_level], far = tensors[near_level + 2], made = tensors[4];
  if (id.x >= near.y || id.y >= near.z) return;
  float2 middle = float2(id.xy) + 0.5;
  Between around = between_samples(0.25 * middle - 0.5, far);
  float2 value = tensor[near.x + id.y * near.y + id.x] + rest + FAR_SHARE * BILINEAR(tensor, around);
  float2 place = 0.0625 * middle - 0.5, low = floor(place), share = place - low;
  uint up = near_level;
  int2 last = int2((made.yz + (1u << up) - 1) >> up) - 1;
  int2 a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float2 above = lerp(farther_at(a), farther_at(int2(b.x, a.y)), share.x);
  float2 below = lerp(farther_at(int2(a.x, b.y)), farther_at(b), share.x);
  uint at = id.y * near.y + id.x;
  Between on_map = in_map(middle * float(1u << (tensor_level + near_level)) / float2(size));
  float2 drawn = 0.0;
  drawn.x = BILINEAR(map, on_map);
  on_map.at += MAP_SIDE * MAP_SIDE;
  drawn.y = BILINEAR(map, on_map);
  value += FARTHER_SHARE * lerp(above, below, share.y);
  direction[at] = beside_map(dot(value, value), dot(drawn, drawn)) * value + drawn;
}
