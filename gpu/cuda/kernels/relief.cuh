// Shared by the kernels of relief and canvas. Their pictures are pixels of the target's size, in contiguous rows.
#include "common.cuh"

CONSTANTS(RELIEF)

typedef Vector<float, 2> Pair;

#define LIGHTING const Relief &c,
#define LIT(name) c.name
#define pow __powf  // the GPU's fast one, which is more precise than a half
#include "relief.h"
#undef pow
