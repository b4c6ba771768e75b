// A Gaussian of 2 RADIUS + 1 weights along rows, then columns of a tile of cells in an SM's own memory. Threads: 32x8.
#define TILE 32
#define WIDE (TILE + 2 * RADIUS)

DEVICE int thread_number() { return threadIdx.y * 32 + threadIdx.x; }

DEVICE void blur_rows(const float tile[WIDE][WIDE], float rows[WIDE][TILE], const Strokes& c) {
  for (int i = thread_number(); i < WIDE * TILE; i += 256) {
    const float* from = tile[i / TILE] + i % TILE;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++) sum += weight_at(c.gauss, k) * from[k];
    rows[i / TILE][i % TILE] = sum;
  }
}

DEVICE float blurred(const float rows[WIDE][TILE], int y, int x, const Strokes& c) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++) sum += weight_at(c.gauss, k) * rows[y + k][x];
  return sum;
}
