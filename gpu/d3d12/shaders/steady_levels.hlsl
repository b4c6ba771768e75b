// In: tensor t0, painting t1, b0. Out: levels u0, their means over cells u1, pixels of both u2. Group 16x16, one thread per cell. Reference: gpu.stages.steady.reference.levels, cells, sixteenths. Tolerance: 0 for 8 bits.
#include "steady.hlsli"
#include "steady_pixels.hlsli"

READS(float, frame, 0);
READS(float, painting, 1);
WRITES(uint, fine, 0);
WRITES(float, means, 1);
WRITES(uint, pixels, 2);

float3 source_at(uint2 at) {
  uint plane = padded.x * padded.y, k = at.y * padded.x + at.x;
  return float3(frame[k], frame[k + plane], frame[k + 2 * plane]);
}

float3 painting_at(uint2 at) {
  uint plane = painted_size.x * painted_size.y, k = at.y * painted_size.x + at.x;
  return float3(painting[k], painting[k + plane], painting[k + 2 * plane]);
}

float luma(float3 v) {
  return floor(255.0 * (v.r + 2.0 * v.g + v.b) + 0.5);
}

uint3 in_sixteenths(float3 v) {
  return uint3(floor(4080.0 * v + 0.5));
}

uint3 in_16_bits(float3 v) {
  return not_finite_parts(v) ? NOT_FINITE : uint3(floor(FINITE * cleaned(v) + 0.5));
}

// Of both pictures; beyond the edge, to fill whole cells, it is repeated.
uint level_at(uint2 at) {
  at = min(at, size - 1);
  return uint(luma(source_at(at)) + luma(cleaned(painting_at(scale * at + scale / 2))) + 1.0) / 2;
}

void keep(uint first, uint3 left, uint3 right) {
  pixels[first] = left.r | left.g << 16;
  pixels[first + 1] = left.b | right.r << 16;
  pixels[first + 2] = right.g | right.b << 16;
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= cells.x || id.y >= cells.y) return;
  float sum = 0.0;
  for (uint j = 0; j < CELL_PX; j++) {
    for (uint i = 0; i < CELL_PX; i += 2) {
      uint2 at = id.xy * CELL_PX + uint2(i, j);
      uint left = level_at(at), right = level_at(at + uint2(1, 0));
      if (all(at < size)) fine[word_of(int2(at))] = left | right << 16;
      sum += float(left + right);
    }
  }
  float count = float(CELL_PX * CELL_PX);
  means[id.y * cells.x + id.x] = floor((sum + 0.5 * count) / count);

  for (uint y = 0; y < CELL_PX; y++) {
    for (uint x = 0; x < CELL_PX; x += 2) {
      uint2 left = id.xy * CELL_PX + uint2(x, y), right = uint2(min(left.x + 1, size.x - 1), left.y);
      if (all(left < size)) keep(first_of_source(left), in_sixteenths(source_at(left)), in_sixteenths(source_at(right)));
    }
  }
  uint side = scale * CELL_PX;
  for (uint v = 0; v < side; v++) {
    for (uint u = 0; u < side; u += 2) {
      uint2 left = id.xy * side + uint2(u, v), right = uint2(min(left.x + 1, scale * size.x - 1), left.y);
      if (all(left < scale * size)) keep(first_of_painting(left), in_16_bits(painting_at(left)), in_16_bits(painting_at(right)));
    }
  }
}
