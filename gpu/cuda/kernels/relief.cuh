// Shared by the kernels of heights and of light.
#include "common.cuh"

CONSTANTS(RELIEF)
