// What the kernels of the filter over time share. The numbers are those of gpu/steady.py, whose meaning is there.
#include "common.cuh"

#define NEIGHBOURS 8

struct Steady {
  int width, height;                // of the working size
  int padded_width, padded_height;  // of the network's input
  int styled_width, styled_height;  // of the planes of its output
  int scale;                        // sides of its output over those of its input
  int count;                        // of neighbours: those before the frame, then those after it, the nearest first
  int before;                       // of those before it
  float limit;                      // T of gpu/steady.py, in codes
};

// Of each neighbour.
struct Near {
  const short* source[NEIGHBOURS];
  const short* fine[NEIGHBOURS];
  const short* cells[NEIGHBOURS];
  const Element* styled[NEIGHBOURS];
};

// Whether a neighbour is the nearest one of its side.
DEVICE bool nearest(int n, const Steady& c) { return n == 0 || n == c.before; }

DEVICE int sample_at(const short* plane, int width, int height, int y, int x) {
  return plane[(size_t)clamped(y, 0, height - 1) * width + clamped(x, 0, width - 1)];
}
