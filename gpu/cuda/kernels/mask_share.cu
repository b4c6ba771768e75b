// In: film (the network's input of ELEMENT), masks, Masks. Out: share (how much of the film is mixed in at each of its pixels, 0..1). Group 32x8. Reference: gpu.stages.masks.share. Tolerance: 1e-4, as 1 / 0.06 enlarges the rounding of luma. CUDA's own: the film is of floats or halves; the arithmetic is that of the twin.
#include "common.cuh"
#include "corners.h"
#include "masks.cuh"

extern "C" __global__ void mask_share(const Element* __restrict__ film, const Mask* __restrict__ masks, float* share, Masks c) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int width = c.size[0], height = c.size[1];
  if (x >= width || y >= height) return;
  const size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  const float light = luma_of({load(film, i), load(film, i + plane), load(film, i + 2 * plane)});
  const float across = (x + 0.5f) * MASK_SIDE / width - 0.5f, down = (y + 0.5f) * MASK_SIDE / height - 0.5f;
  const float left = floorf(across), top = floorf(down);
  float faces = 0.0f, area = 0.0f, total = 0.0f;
#pragma unroll
  for (int j = -1; j < 3; j++) {
#pragma unroll
    for (int k = -1; k < 3; k++) {
      const Mask near_by = mask_at(masks, (int)left + k, (int)top + j);
      float weight = spline(left + k - across) * spline(top + j - down);
      weight *= likeness((near_by.v[2] - light) * c.per_luma);
      faces += weight * near_by.v[0];
      area += weight * near_by.v[1];
      total += weight;
    }
  }
  faces /= total;
  area /= total;
  share[(size_t)y * width + x] = maximum(c.faces * faces, c.inside * area + c.outside * (1.0f - area));
}
