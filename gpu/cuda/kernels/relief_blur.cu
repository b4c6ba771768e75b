// In: cells (of stroke_tensor), broad (of this kernel without THICK), Strokes. Out: made: with THICK broad and how thick paint is, else the broad mean of luma around each cell. Group 32x8, a group 32x32 cells. Reference: gpu.reference.relief.height. Tolerance: 1e-5.
#include "strokes.cuh"
#include "blur.cuh"

#ifdef THICK
typedef Pair Made;
#else
typedef float Made;
#endif

extern "C" __global__ void relief_blur(
    const float* __restrict__ cells, const float* __restrict__ broad, Made* made, Strokes c) {
  __shared__ float light[WIDE][WIDE], light_rows[WIDE][TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, columns = c.cells[0], rows = c.cells[1];
  for (int i = thread_number(); i < WIDE * WIDE; i += 256) {
    int row = clamped(y0 + i / WIDE - RADIUS, 0, rows - 1), column = clamped(x0 + i % WIDE - RADIUS, 0, columns - 1);
    size_t from = (size_t)row * columns + column;
#ifdef THICK
    float difference = cells[from] - broad[from];
    light[i / WIDE][i % WIDE] = difference * difference;
#else
    light[i / WIDE][i % WIDE] = cells[from];
#endif
  }
  __syncthreads();
  blur_rows(light, light_rows, c);
  __syncthreads();
  const int i = threadIdx.x;
  if (x0 + i >= columns) return;
  for (int j = threadIdx.y; j < TILE && y0 + j < rows; j += 8) {
    size_t o = (size_t)(y0 + j) * columns + x0 + i;
    float mean = blurred(light_rows, j, i, c);
#ifdef THICK
    made[o] = {{broad[o], minimum(maximum(sqrtf(mean) / THICK_LUMA, THIN), 1.0f)}};
#else
    made[o] = mean;
#endif
  }
}
