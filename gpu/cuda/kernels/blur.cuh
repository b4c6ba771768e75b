// A Gaussian of 2 RADIUS + 1 weights along the rows, then the columns of a tile of cells in shared memory. Threads: 32x8.
#define TILE 32
#define WIDE (TILE + 2 * RADIUS)

DEVICE int thread_number() { return threadIdx.y * 32 + threadIdx.x; }

DEVICE void blur_rows(const float tile[WIDE][WIDE], float rows[WIDE][TILE], const Relief& c) {
  for (int i = thread_number(); i < WIDE * TILE; i += 256) {
    const float* from = tile[i / TILE] + i % TILE;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++) sum += c.gauss[k / 4][k % 4] * from[k];
    rows[i / TILE][i % TILE] = sum;
  }
}

DEVICE float blurred(const float rows[WIDE][TILE], int y, int x, const Relief& c) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++) sum += c.gauss[k / 4][k % 4] * rows[y + k][x];
  return sum;
}

// Blurs all cells of a group. value_at(column, row) returns a cell's value; keep(cell, mean) receives each result.
template <typename Value, typename Keep>
DEVICE void blur(const Relief& c, Value value_at, Keep keep) {
  __shared__ float tile[WIDE][WIDE], tile_rows[WIDE][TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, columns = c.cells[0], rows = c.cells[1];
  for (int i = thread_number(); i < WIDE * WIDE; i += 256) {  // repeats the edge of the grid
    int row = clamped(y0 + i / WIDE - RADIUS, 0, rows - 1), column = clamped(x0 + i % WIDE - RADIUS, 0, columns - 1);
    tile[i / WIDE][i % WIDE] = value_at(column, row);
  }
  __syncthreads();
  blur_rows(tile, tile_rows, c);
  __syncthreads();
  const int i = threadIdx.x;
  if (x0 + i >= columns) return;
  for (int j = threadIdx.y; j < TILE && y0 + j < rows; j += 8) {
    keep((size_t)(y0 + j) * columns + x0 + i, blurred(tile_rows, j, i, c));
  }
}
