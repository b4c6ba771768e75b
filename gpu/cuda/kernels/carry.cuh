// What carrying and filling share.
#include "layers.cuh"

DEVICE bool cut(const uint* lost, const Layers& c) { return 8 * (int)lost[0] >= CUT_EIGHTHS * c.blocks[0] * c.blocks[1]; }
