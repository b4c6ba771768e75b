// Blocks of the film and where they are found in the next frame, as gpu/cpu/kernels/strokes.c searches them. Costs are sums of
// differences of SAMPLES x SAMPLES samples.
#include "layers.cuh"

#define COUNT (SAMPLES * SAMPLES)
#define STEP_PX (BLOCK_PX / SAMPLES)
#define BINS (2 * FARTHEST + 1)

typedef Vector<int, 4> Found;  // y and x in UNITS, what that costs, and DISTINCT, MOVES, LOST

// Of a frame: how many blocks are lost, and how many of the distinct ones go so far along each axis.
struct Tally {
  uint lost;
  uint ways[2][BINS];
};

DEVICE int sample_at(const short* __restrict__ plane, int width, int height, int y, int x) {
  return plane[(size_t)clamped(y, 0, height - 1) * width + clamped(x, 0, width - 1)];
}

// The sum over a warp, for all its threads.
DEVICE int summed(int value) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) value += __shfl_xor_sync(0xffffffffu, value, k);
  return value;
}
