// Constants of the kernels that find what the brush leaves as it is.
#include "common.cuh"

CONSTANTS(CORNERS)

// xx, xy and yy of the structure tensor of a cell, and nothing behind them.
typedef Vector<float, 4> Structure;
