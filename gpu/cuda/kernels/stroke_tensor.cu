// In: levels. Out: tensors (gx * gx - gy * gy and 2 * gx * gy of the painting and the film of the tensor's level, as means of three higher levels: near, far and farther). Group 32x32, 64x64 samples of the tensor's level. Reference: gpu.stages.strokes.reference.structure_tensor. Tolerance: 1e-6. CUDA's own: shared memory.
#include "layers.cuh"

#define SIDE 64
#define LEVELS 6

extern "C" __global__ void stroke_tensor(const Sample* __restrict__ levels, Pair* tensors, Layers c) {
  __shared__ Pair light[SIDE + 2][SIDE + 2];  // of the painting and of the film
  __shared__ Pair odd[SIDE / 2][SIDE / 2], even[SIDE / 4][SIDE / 2];  // levels, by their number
  const int base = c.tensor_level, columns = side_of(c.size[0], base), rows = side_of(c.size[1], base);
  const int i = threadIdx.x, j = threadIdx.y, x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE;
  const Sample* from = levels + first_of(c, base);
  for (int k = j * 32 + i; k < (SIDE + 2) * (SIDE + 2); k += 1024) {
    const int row = clamped(y0 + k / (SIDE + 2) - 1, 0, rows - 1), column = clamped(x0 + k % (SIDE + 2) - 1, 0, columns - 1);
    const Sample one = from[(size_t)row * columns + column];
    light[k / (SIDE + 2)][k % (SIDE + 2)] = {{luma_of({one.v[0], one.v[1], one.v[2]}), one.v[3]}};
  }
  __syncthreads();
  for (int up = 1; up <= LEVELS; up++) {
    const int side = SIDE >> up, x = blockIdx.x * side + i, y = blockIdx.y * side + j;
    const int wide = side_of(columns, up), high = side_of(rows, up);
    Pair(*made)[SIDE / 2] = up % 2 ? odd : even, (*below_it)[SIDE / 2] = up % 2 ? even : odd;
    if (i < side && j < side && x < wide && y < high) {
      Pair sum = {{0.0f, 0.0f}};
      // The last row and column are repeated.
      const int right = min(2 * x + 1, side_of(columns, up - 1) - 1) - 2 * (x - i);
      const int below = min(2 * y + 1, side_of(rows, up - 1) - 1) - 2 * (y - j);
      for (int k = 0; k < 4; k++) {
        const int column = k % 2 ? right : 2 * i, row = k / 2 ? below : 2 * j;
        Pair one;
        if (up == 1) {
          one = {{0.0f, 0.0f}};
          for (int part = 0; part < 2; part++) {
            const float weight = part ? TENSOR_FILM : 1.0f;
            const Pair *above = &light[row][column], *here = &light[row + 1][column], *under = &light[row + 2][column];
            float gx = (3.0f / 32.0f) * (above[2].v[part] - above[0].v[part] + under[2].v[part] - under[0].v[part]) +
                       (10.0f / 32.0f) * (here[2].v[part] - here[0].v[part]);
            float gy = (3.0f / 32.0f) * (under[0].v[part] - above[0].v[part] + under[2].v[part] - above[2].v[part]) +
                       (10.0f / 32.0f) * (under[1].v[part] - above[1].v[part]);
            one.v[0] += weight * (gx * gx - gy * gy);
            one.v[1] += weight * 2.0f * gx * gy;
          }
        } else {
          one = below_it[row][column];
        }
        sum.v[0] += one.v[0];
        sum.v[1] += one.v[1];
      }
      sum = {{0.25f * sum.v[0], 0.25f * sum.v[1]}};
      made[j][i] = sum;
      for (int part = 0; part < 3; part++) {
        if (up == c.tensor_ups[part]) tensors[c.tensor_first[part] + (size_t)y * wide + x] = sum;
      }
    }
    __syncthreads();
  }
}
