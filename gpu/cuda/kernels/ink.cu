// In: tensor, weights as gpu/cuda/ink_recognition.py reads them. Out: tensor. Group 32x8. An ink drawing (models/ink.py). Reference: ONNX Runtime's. Tolerance: 1e-5. CUDA's own: a whole network in one launch, which has no twin.
#include "common.cuh"

CONSTANTS(INK)

#define RADIUS 5
#define TAPS (2 * RADIUS + 1)
#define WIDE (32 + 2 * RADIUS)
#define HIGH (8 + 2 * RADIUS)
#define DOWN 3
#define ALONG (DOWN + 2 * TAPS)
#define THRESHOLDS (ALONG + 4 * TAPS)
#define COLOURS (THRESHOLDS + 2)
#define PAPER (COLOURS + 6)
#define WEIGHTS (PAPER + 3)

// A place beyond the edge, which is mirrored without its last pixel; what is still beyond that is the edge.
DEVICE int mirrored(int v, int length) {
  v = v < 0 ? -v : v >= length ? 2 * length - 2 - v : v;
  return clamped(v, 0, length - 1);
}

extern "C" __global__ void ink(const Element* frame, const float* weights, Element* styled, Ink c) {
  __shared__ float w[WEIGHTS], light[HIGH][WIDE], blurred[2][8][WIDE];
  const int thread = threadIdx.y * 32 + threadIdx.x, width = c.size[0], height = c.size[1];
  const size_t plane = (size_t)width * height;
  if (thread < WEIGHTS) w[thread] = weights[thread];
  __syncthreads();
  for (int i = thread; i < HIGH * WIDE; i += 256) {
    const int y = mirrored((int)blockIdx.y * 8 - RADIUS + i / WIDE, height);
    const int x = mirrored((int)blockIdx.x * 32 - RADIUS + i % WIDE, width);
    const size_t at = (size_t)y * width + x;
    light[i / WIDE][i % WIDE] = w[0] * load(frame, at) + w[1] * load(frame, at + plane) + w[2] * load(frame, at + 2 * plane);
  }
  __syncthreads();
  for (int i = thread; i < 8 * WIDE; i += 256) {
    const int y = i / WIDE, x = i % WIDE;
    float narrow = 0.0f, wide = 0.0f;
    for (int k = 0; k < TAPS; k++) {
      narrow += w[DOWN + k] * light[y + k][x];
      wide += w[DOWN + TAPS + k] * light[y + k][x];
    }
    blurred[0][y][x] = narrow;
    blurred[1][y][x] = wide;
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  float inked[2];
  for (int o = 0; o < 2; o++) {
    float below = w[THRESHOLDS + o];
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < TAPS; k++) below += w[ALONG + (2 * o + i) * TAPS + k] * blurred[i][threadIdx.y][threadIdx.x + k];
    inked[o] = tanhf(maximum(below, 0.0f));
  }
  const size_t at = (size_t)y * width + x;
  for (int k = 0; k < 3; k++)
    store(styled, at + k * plane, w[PAPER + k] + w[COLOURS + 2 * k] * inked[0] + w[COLOURS + 2 * k + 1] * inked[1]);
}
