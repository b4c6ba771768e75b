// In: source and styled of a frame and of its neighbours, vectors and sure (of steady_follow), Steady. Out: result (3 planes of float at the output's size, without padding). Group 32x8, one thread per pixel of the working size. Reference: gpu.stages.steady.reference.steadied. Tolerance: 1e-5. CUDA's own: all neighbours in one launch, with whole numbers of 16 bits.
#include "steady.cuh"

#define TILE_W (32 + 2)
#define TILE_H (8 + 2)

// How much the source differs from the corresponding pixel of a neighbour, in the channel that differs most.
DEVICE int difference(const short* own, const short* other, const short* vectors, const Steady& c, int y, int x) {
  int across = (c.width + BLOCK_PX - 1) / BLOCK_PX;
  const short* vector = vectors + 2 * ((size_t)(y / BLOCK_PX) * across + x / BLOCK_PX);
  size_t plane = (size_t)c.width * c.height, here = (size_t)y * c.width + x;
  size_t there = (size_t)clamped(y + vector[0], 0, c.height - 1) * c.width + clamped(x + vector[1], 0, c.width - 1);
  int most = 0;
  for (int k = 0; k < 3; k++) {
    int d = own[here + k * plane] - other[there + k * plane];
    d = d < 0 ? -d : d;
    most = d > most ? d : most;
  }
  return most;
}

// What an adjacent block contributes to a block: the negative of its own confidence if they move differently.
DEVICE float beside(const float* sure, const short* vectors, int across, int down, int y, int x, int own) {
  int block = clamped(y, 0, down - 1) * across + clamped(x, 0, across - 1);
  int dy = vectors[2 * block] - vectors[2 * own], dx = vectors[2 * block + 1] - vectors[2 * own + 1];
  return (dy < 0 ? -dy : dy) + (dx < 0 ? -dx : dx) > TOGETHER_PX ? -sure[own] : sure[block];
}

// The confidence in vectors, linear between the centres of blocks.
DEVICE float sure_at(const float* sure, const short* vectors, int across, int down, int y, int x) {
  int by = y / BLOCK_PX, bx = x / BLOCK_PX, own = by * across + bx;
  float far_y = (y % BLOCK_PX + 0.5f) / BLOCK_PX - 0.5f, far_x = (x % BLOCK_PX + 0.5f) / BLOCK_PX - 0.5f;
  int row = far_y < 0.0f ? by - 1 : by + 1, column = far_x < 0.0f ? bx - 1 : bx + 1;
  float part = fabsf(far_x);
  float near = lerp(sure[own], beside(sure, vectors, across, down, by, column, own), part);
  float farther = lerp(
      beside(sure, vectors, across, down, row, bx, own), beside(sure, vectors, across, down, row, column, own), part);
  return maximum(lerp(near, farther, fabsf(far_y)), 0.0f);
}

extern "C" __global__ void steady_mix(
    const short* source, const Element* styled, Near near, const short* vectors, const float* sure,
    float* result, Steady c) {
  __shared__ short tile[TILE_H][TILE_W];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8, x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  const int across = (c.width + BLOCK_PX - 1) / BLOCK_PX, down = (c.height + BLOCK_PX - 1) / BLOCK_PX;
  const bool inside = x < c.width && y < c.height;
  const int out_w = c.width * c.scale, out_h = c.height * c.scale;
  const size_t plane = (size_t)c.styled_width * c.styled_height, made = (size_t)out_w * out_h;
  float weights[NEIGHBOURS];
#pragma unroll
  for (int n = 0; n < NEIGHBOURS; n++) {
    weights[n] = 0.0f;
    if (n >= c.count) continue;
    const short* own_vectors = vectors + 2 * (size_t)n * across * down;
    __syncthreads();
    for (int i = threadIdx.y * 32 + threadIdx.x; i < TILE_W * TILE_H; i += 256) {
      int ty = clamped(y0 + i / TILE_W - 1, 0, c.height - 1), tx = clamped(x0 + i % TILE_W - 1, 0, c.width - 1);
      tile[i / TILE_W][i % TILE_W] = (short)difference(source, near.source[n], own_vectors, c, ty, tx);
    }
    __syncthreads();
    int sum = 0;
    for (int j = 0; j < 3; j++) {
      for (int i = 0; i < 3; i++) sum += tile[threadIdx.y + j][threadIdx.x + i];
    }
    float mean = sum / (9.0f * SIXTEENTHS), half = tile[threadIdx.y + 1][threadIdx.x + 1] / (2.0f * SIXTEENTHS);
    weights[n] = c.limit > 0.0f ? saturate((c.limit - maximum(mean, half)) / (c.limit / 2.0f)) : 0.0f;
    if (inside) weights[n] *= sure_at(sure + (size_t)n * across * down, own_vectors, across, down, y, x);
  }
  if (!inside) return;
  for (int j = 0; j < c.scale; j++) {
    for (int i = 0; i < c.scale; i++) {
      int oy = y * c.scale + j, ox = x * c.scale + i;
      size_t at = (size_t)oy * c.styled_width + ox;
      Rgb own = {load(styled, at), load(styled, at + plane), load(styled, at + 2 * plane)};
      Rgb total = saturate(own);
      float weight = 1.0f;
#pragma unroll
      for (int n = 0; n < NEIGHBOURS; n++) {
        if (weights[n] <= 0.0f) continue;
        const short* vector = vectors + 2 * (((size_t)n * down + y / BLOCK_PX) * across + x / BLOCK_PX);
        int py = clamped(oy + c.scale * vector[0], 0, out_h - 1), px = clamped(ox + c.scale * vector[1], 0, out_w - 1);
        size_t from = (size_t)py * c.styled_width + px;
        const Element* p = near.styled[n];
        Rgb other = {load(p, from), load(p, from + plane), load(p, from + 2 * plane)};
        if (not_finite(other)) continue;
        total = total + weights[n] * saturate(other);
        weight += weights[n];
      }
      size_t to = (size_t)oy * out_w + ox;
      result[to] = not_finite(own.r) ? own.r : total.r / weight;
      result[to + made] = not_finite(own.g) ? own.g : total.g / weight;
      result[to + 2 * made] = not_finite(own.b) ? own.b : total.b / weight;
    }
  }
}
