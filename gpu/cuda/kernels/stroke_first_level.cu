// In: painting (a tensor at the target's size), frame (the network's input of FILM). Out: the first LEVELS of the pyramid, flag (of values that are not finite). Group 16x16, one thread per sample of the first. Reference: gpu.stages.strokes.reference.first_level. Tolerance: 1e-5. CUDA's own: shared memory; samples are stored as vectors.
#include "layers.cuh"

#if FILM == 1
typedef uint16 Shown;
DEVICE float shown(const Shown* p, size_t i) { return half_to_float(p[i]); }
#else
typedef float Shown;
DEVICE float shown(const Shown* p, size_t i) { return p[i]; }
#endif

DEVICE float film_at(const Shown* __restrict__ frame, const Layers& c, int x, int y) {
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  return luma_of({shown(frame, i), shown(frame, i + plane), shown(frame, i + 2 * plane)});
}

// The film at a pixel of the target.
DEVICE float film_between(const Shown* __restrict__ frame, const Layers& c, int x, int y) {
  if (c.working[0] == c.size[0] && c.working[1] == c.size[1]) return film_at(frame, c, x, y);
  Between over = between_samples((x + 0.5f) * ((float)c.working[0] / (float)c.size[0]) - 0.5f, c.working[0]);
  Between down = between_samples((y + 0.5f) * ((float)c.working[1] / (float)c.size[1]) - 0.5f, c.working[1]);
  float top = mixed(film_at(frame, c, over.low, down.low), film_at(frame, c, over.high, down.low), over.share);
  float bottom = mixed(film_at(frame, c, over.low, down.high), film_at(frame, c, over.high, down.high), over.share);
  return mixed(top, bottom, down.share);
}

extern "C" __global__ void stroke_first_level(
    const Element* __restrict__ painting, const Shown* __restrict__ frame, Sample* levels, uint* flag, Layers c) {
  __shared__ Sample made[2][16][16];
  const int i = threadIdx.x, j = threadIdx.y;
  const size_t plane = (size_t)c.painted[0] * c.painted[1];
#pragma unroll
  for (int level = 1; level <= LEVELS; level++) {
    const int columns = side_of(c.size[0], level), rows = side_of(c.size[1], level), side = 32 >> level;
    const int x = blockIdx.x * side + i, y = blockIdx.y * side + j;
    if (i < side && j < side && x < columns && y < rows) {
      Sample sum = {{0.0f, 0.0f, 0.0f, 0.0f}};
      // The last row and column are repeated.
      const int right = min(2 * x + 1, side_of(c.size[0], level - 1) - 1), below = min(2 * y + 1, side_of(c.size[1], level - 1) - 1);
#pragma unroll
      for (int k = 0; k < 4; k++) {
        const int at_x = k % 2 ? right : 2 * x, at_y = k / 2 ? below : 2 * y;
        Sample one;
        if (level == 1) {
          size_t o = (size_t)at_y * c.painted[0] + at_x;
          Rgb v = {load(painting, o), load(painting, o + plane), load(painting, o + 2 * plane)};
          if (not_finite(v)) *flag = 1;
          v = cleaned(v);
          one = {{v.r, v.g, v.b, film_between(frame, c, 2 * x + k % 2, 2 * y + k / 2)}};
        } else {
          one = made[level % 2][at_y - 2 * (y - j)][at_x - 2 * (x - i)];
        }
#pragma unroll
        for (int part = 0; part < 4; part++) sum.v[part] += one.v[part];
      }
#pragma unroll
      for (int part = 0; part < 4; part++) sum.v[part] *= 0.25f;
      levels[first_of(c, level) + (size_t)y * columns + x] = sum;
      made[(level + 1) % 2][j][i] = sum;
    }
    __syncthreads();
  }
}
