// Shared by the kernels of the temporal filter. The numbers are those of gpu/stages/steady, which explains them.
#include "common.cuh"

#define NEIGHBOURS 8

CONSTANTS(STEADY)

// For each neighbour.
struct Near {
  const short* source[NEIGHBOURS];
  const short* fine[NEIGHBOURS];
  const short* cells[NEIGHBOURS];
  const Element* styled[NEIGHBOURS];
};

// Whether a neighbour is the nearest one on its side.
DEVICE bool nearest(int n, const Steady& c) { return n == 0 || n == c.before; }

DEVICE int sample_at(const short* plane, int width, int height, int y, int x) {
  return plane[(size_t)clamped(y, 0, height - 1) * width + clamped(x, 0, width - 1)];
}
