// The masks of a frame, MASK_SIDE rows of as many samples over all of it: faces, area, luma, and how much is kept. Needs `masks` of its kernel.
#define MASK_SIDE 160  // of models/soft_masks
#include "corners.h"
#include "masks.h"

float4 mask_at(int2 place) {
  place = clamp(place, int2(0, 0), int2(MASK_SIDE, MASK_SIDE) - 1);
  return masks[place.y * MASK_SIDE + place.x];
}
