// In: one or two tensors (H, W, C) of half, or the frame (3 planes of ELEMENT) where STEM; weights, biases, Conv. Out: a tensor (H, W, C) of half, or the picture (3 planes of ELEMENT) where LAST. Group 128x1. Reference: ONNX's Pad (edge), Conv, Relu, DepthToSpace (CRD) of two, Slice and Concat. Tolerance: that of half products summed in float. CUDA's own: tensor cores and shared memory.
// A convolution as an implicit matrix product on the tensor cores. CA, CB: channels of the two inputs, which are read as if joined by Concat. SIDE, STRIDE: of the convolution. COUT: its output channels. N: how many of them one group computes. TILES: tiles of 16 pixels per warp. SHUFFLE: the result is enlarged by two. RELU: it is clipped at 0.
#include "common.cuh"

CONSTANTS(CONV)

#define C8 ((CA + CB) / 8)          // pieces of 8 channels, 16 bytes
#define PIECES (SIDE * SIDE * C8)   // along the inner dimension of the product
#define STEP (C8 | 1)               // stride between pixels in pieces: odd, so that 8 rows are in different banks
#define TILE_W 16
#define TILE_H (4 * TILES)
#define IN_W ((TILE_W - 1) * STRIDE + SIDE)
#define IN_H ((TILE_H - 1) * STRIDE + SIDE)
#define NB (N / 8)

struct alignas(16) Piece {
  uint w[4];
};

extern __shared__ Piece shared[];

DEVICE uint address(const Piece* p) { return (uint)__cvta_generic_to_shared(p); }

DEVICE void fetch(Piece* to, const Piece* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(to)), "l"(from));
#else
  *to = *from;
#endif
}

DEVICE void fetched() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Loads eight rows of 8 halves each, whose addresses come from 8 lanes in turn; each lane gets 2 halves of row lane / 4.
DEVICE void rows4(uint* r, const Piece* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address(p)) : "memory");
}

DEVICE void rows2(uint* r, const Piece* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(address(p)) : "memory");
}

DEVICE void multiply8(float* c, const uint* a, uint b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}

DEVICE void multiply16(float* c, const uint* a, const uint* b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  multiply8(c, a, b[0]);
  multiply8(c, a + 2, b[1]);
#endif
}

DEVICE uint pair(float low, float high) { return float_to_half(low) | ((uint)float_to_half(high) << 16); }

// The offset of a piece of the inner dimension in the tile of the input, relative to a pixel's first piece.
DEVICE int place(int piece) {
  int tap = piece / C8;
  return ((tap / SIDE) * IN_W + tap % SIDE) * STEP + piece % C8;
}

DEVICE void load_tile(Piece* tile, const void* a, const void* b, const Conv& c, int y0, int x0) {
  for (int i = threadIdx.x; i < IN_H * IN_W * C8; i += blockDim.x) {
    int pixel = i / C8, channel = i % C8;
    int y = clamped(y0 + pixel / IN_W, 0, c.in_h - 1), x = clamped(x0 + pixel % IN_W, 0, c.in_w - 1);
#ifdef STEM
    const Element* frame = (const Element*)a;
    size_t plane = (size_t)c.in_h * c.in_w, at = (size_t)y * c.in_w + x;
    tile[pixel * STEP] = {{pair(load(frame, at), load(frame, at + plane)), pair(load(frame, at + 2 * plane), 0.0f), 0, 0}};
#else
    const Piece* from = (const Piece*)a + ((size_t)y * c.in_w + x) * (CA / 8) + channel;
#if CB > 0
    if (channel >= CA / 8) {
      from = (const Piece*)b + ((size_t)(y + c.b_offset) * c.b_w + x + c.b_offset) * (CB / 8) + channel - CA / 8;
    }
#endif
    fetch(tile + pixel * STEP + channel, from);
#endif
  }
}

DEVICE void put(void* out, const Conv& c, int y, int x, int n, float first, float second) {
  if (y >= c.out_h || x >= c.out_w) return;
#ifdef RELU
  first = maximum(first, 0.0f);
  second = maximum(second, 0.0f);
#endif
#if defined(LAST)  // outputs 4c + 2dy + dx of a pixel
  if (n >= 12) return;
  size_t width = 2 * (size_t)c.out_w, at = (n / 4) * (4 * (size_t)c.out_h * c.out_w) + (2 * y + n % 4 / 2) * width + 2 * x;
  store((Element*)out, at, first);
  store((Element*)out, at + 1, second);
#elif defined(SHUFFLE)  // the weights are arranged for outputs (2dy + dx) * COUT / 4 + c
  int corner = n / (COUT / 4), channel = n % (COUT / 4);
  size_t at = (2 * (size_t)y + corner / 2) * 2 * c.out_w + 2 * x + corner % 2;
  ((uint*)out)[(at * (COUT / 4) + channel) / 2] = pair(first, second);
#else
  ((uint*)out)[(((size_t)y * c.out_w + x) * COUT + n) / 2] = pair(first, second);
#endif
}

extern "C" __global__ void __launch_bounds__(128) conv(
    const void* a, const void* b, const Piece* weights, const float* biases, void* out, Conv c) {
  Piece* kernel = shared;
  Piece* tile = shared + PIECES * N;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n0 = blockIdx.y * N;
  const Piece* own = weights + (size_t)blockIdx.y * PIECES * N;
  for (int i = threadIdx.x; i < PIECES * N; i += blockDim.x) fetch(kernel + i, own + i);

  for (int number = blockIdx.x; number < c.tiles_x * c.tiles_y; number += gridDim.x) {
    int y0 = number / c.tiles_x * TILE_H, x0 = number % c.tiles_x * TILE_W;
    __syncthreads();  // all threads are done with the previous tile
    load_tile(tile, a, b, c, y0 * STRIDE - c.pad, x0 * STRIDE - c.pad);
    fetched();
    __syncthreads();

    float sum[TILES][NB][4];
#pragma unroll
    for (int i = 0; i < TILES; i++) {
#pragma unroll
      for (int j = 0; j < NB; j++) sum[i][j][0] = sum[i][j][1] = sum[i][j][2] = sum[i][j][3] = 0.0f;
    }
    // Lanes 0..15 address the 16 pixels for the even piece of a pair, lanes 16..31 those for the odd one.
    const Piece* pixel = tile + ((warp * TILES * STRIDE) * IN_W + (lane % 16) * STRIDE) * STEP;
    const Piece* column = kernel + ((lane / 8) % 2) * N + (lane / 16) * 8 + lane % 8;
#pragma unroll
    for (int q = 0; q + 1 < PIECES; q += 2) {
      const int near = lane < 16 ? place(q) : place(q + 1);
      uint w[NB + 1][2];
#pragma unroll
      for (int j = 0; j + 1 < NB; j += 2) rows4(w[j], column + q * N + j * 8);
      if (NB % 2) rows2(w[NB - 1], kernel + (q + (lane / 8) % 2) * N + (NB - 1) * 8 + lane % 8);
#pragma unroll
      for (int i = 0; i < TILES; i++) {
        uint v[4];
        rows4(v, pixel + i * STRIDE * IN_W * STEP + near);
#pragma unroll
        for (int j = 0; j < NB; j++) multiply16(sum[i][j], v, w[j]);
      }
    }
    if (PIECES % 2) {
      const int q = PIECES - 1;
#pragma unroll
      for (int j = 0; j < NB; j++) {
        uint w[2];
        rows2(w, kernel + q * N + j * 8 + lane % 8);
#pragma unroll
        for (int i = 0; i < TILES; i++) {
          uint v[2];
          rows2(v, pixel + i * STRIDE * IN_W * STEP + place(q));
          multiply8(sum[i][j], v, w[0]);
        }
      }
    }
    // A lane holds column 2 * (lane % 4) and the next one, of pixels lane / 4 and lane / 4 + 8.
#pragma unroll
    for (int j = 0; j < NB; j++) {
      int n = n0 + j * 8 + lane % 4 * 2;
      float first = biases[n], second = biases[n + 1];
#pragma unroll
      for (int i = 0; i < TILES; i++) {
        int y = y0 + warp * TILES + i, x = x0 + lane / 4;
        put(out, c, y, x, n, sum[i][j][0] + first, sum[i][j][1] + second);
        put(out, c, y, x + 8, n, sum[i][j][2] + first, sum[i][j][3] + second);
      }
    }
  }
}
