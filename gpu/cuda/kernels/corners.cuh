// Constants of the kernels that find what the brush leaves as it is.
#include "common.cuh"

CONSTANTS(CORNERS)
#include "corners.h"

#define BLOCK 16  // BLOCK_CELLS of gpu/stages/corners

// xx, xy and yy of the structure tensor of a cell, and nothing behind them.
typedef Vector<float, 4> Structure;
