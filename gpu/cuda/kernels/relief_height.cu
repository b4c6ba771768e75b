// In: picture, tensor (of stroke_tensor), paint (of relief_blur with THICK), noise, offsets (of a line with SAMPLES to each side), drift (of relief_drift; none if bristles do not move), Relief. Out: height (in pixels). Group 32x8. Reference: gpu.reference.relief.height. Tolerance: 1e-4.
#include "cells.cuh"
#include "lines.cuh"
#include "relief.cuh"

// Noise repeats. The offset keeps coordinates positive, for the division.
DEVICE uint wrapped(int place) { return ((uint)place + GRAIN_PX * (NOISE_PX << 12)) / GRAIN_PX % NOISE_PX; }

DEVICE float noise_at(const float* __restrict__ noise, int x, int y) { return noise[wrapped(y) * NOISE_PX + wrapped(x)]; }

// Noise along a stroke, with a standard deviation of 1.
DEVICE float bristles_at(const float* __restrict__ noise, const int* line, int x, int y, const Relief& c) {
  float total = c.centre * noise_at(noise, x, y);
#pragma unroll
  for (int k = 0; k < SAMPLES; k++) {
    int down = down_of(line[k]), across = across_of(line[k]);
    total += weight_at(c.weights, k) * (noise_at(noise, x + across, y + down) + noise_at(noise, x - across, y - down));
  }
  return total;
}

// The two nearest blocks along an axis, and the weight of the second one in pixels of a block, for a pixel of the working size.
struct Between {
  int first, second, share;
};

DEVICE Between between_blocks(int place, int block_px, int blocks) {
  int shifted = place + block_px - block_px / 2, first = shifted / block_px - 1;  // keeps it positive for the division
  return {clamped(first, 0, blocks - 1), clamped(first + 1, 0, blocks - 1), shifted % block_px};
}

// The offset at which a pixel reads its noise: bilinear between the centres of blocks, rounded.
DEVICE Vec moved_at(const Vec* __restrict__ moved, Between down, Between over, const Relief& c) {
  const int whole = c.block_px, columns = c.blocks[0];
  Vec result;
  for (int i = 0; i < 2; i++) {
    int left = (whole - down.share) * moved[down.first * columns + over.first].v[i] +
               down.share * moved[down.second * columns + over.first].v[i];
    int right = (whole - down.share) * moved[down.first * columns + over.second].v[i] +
                down.share * moved[down.second * columns + over.second].v[i];
    int sum = (whole - over.share) * left + over.share * right + whole * whole / 2;
    result.v[i] = sum >= 0 ? sum / (whole * whole) : -((whole * whole - 1 - sum) / (whole * whole));
  }
  return result;
}

// The noise of both displacements of a frame.
DEVICE float drifted_at(
    const float* __restrict__ noise, const int* line, const Drift* __restrict__ drift, int x, int y, const Relief& c) {
  const Between down = between_blocks(y * c.working[1] / c.size[1], c.block_px, c.blocks[1]);
  const Between over = between_blocks(x * c.working[0] / c.size[0], c.block_px, c.blocks[0]);
  const uint count = c.blocks[0] * c.blocks[1];
  const Vec* moved = ways_of(drift) + 2 * count;
  const Vec first = moved_at(moved, down, over, c), second = moved_at(moved + count, down, over, c);
  float one = bristles_at(noise, line, x + first.v[1], y + first.v[0], c);
  if (first.v[0] == second.v[0] && first.v[1] == second.v[1]) return one;
  return lerp(bristles_at(noise, line, x + second.v[1], y + second.v[0], c), one, drift->first_way);
}

// A plain weave, 0..1: each thread is a half wave that passes over one thread and under the next.
DEVICE float weave_at(float u, float v) {
  float column = floorf(u), row = floorf(v);
  float warp = sinpif(u - column) * (0.6f + 0.4f * sinpif(v + column));
  float weft = sinpif(v - row) * (0.6f + 0.4f * sinpif(u + row + 1.0f));
  return maximum(warp, weft);
}

extern "C" __global__ void relief_height(
    const Pixel* __restrict__ picture, const Pair* __restrict__ tensor, const Pair* __restrict__ paint,
    const float* __restrict__ noise, const int* __restrict__ offsets, const Drift* __restrict__ drift, float* height,
    Relief c) {
  __shared__ int lines[DIRECTIONS * SLOTS];
  load_lines(offsets, lines);
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= (int)c.size[0] || y >= (int)c.size[1]) return;
  const size_t o = (size_t)y * c.size[0] + x;
  const Pair around = between(paint, c.cells, x, y);
  const float thick = around.v[1];
  float z = 0.0f;
  if (c.height > 0.0f) {
    float body = (luma_of(rgb_of(picture[o])) - around.v[0]) / c.body_luma;
    body = minimum(maximum(body, -c.body_most), c.body_most);
    const int* line = lines + direction_at(tensor, c.cells, x, y) * SLOTS;
    float hairs = drift ? drifted_at(noise, line, drift, x, y, c) : bristles_at(noise, line, x, y, c);
    z = c.height * thick * (c.body_share * body + c.bristle_share * hairs);
  }
  if (c.weave > 0.0f) z += c.weave * (1.0f - c.cover * thick) * weave_at((x + 0.5f) / c.pitch_px, (y + 0.5f) / c.pitch_px);
  height[o] = z;
}
