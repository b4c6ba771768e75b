// The masks of a frame, MASK_SIDE rows of as many samples over all of it: faces, area, luma, and how much is kept; and constants of the kernels that mix the film in by them. Needs common.cuh.
CONSTANTS(MASKS)
#include "masks.h"

#define MASK_SIDE 160  // of models/soft_masks

typedef Vector<float, 4> Mask;

DEVICE Mask mask_at(const Mask* __restrict__ masks, int column, int row) {
  return masks[clamped(row, 0, MASK_SIDE - 1) * MASK_SIDE + clamped(column, 0, MASK_SIDE - 1)];
}
