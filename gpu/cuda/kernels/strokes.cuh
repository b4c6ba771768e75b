// Shared by the kernels of the brush and the relief. Their pictures are pixels of the target's
// size, in contiguous rows.
#include "common.cuh"

CONSTANTS(STROKES)

typedef Vector<float, 2> Pair;

DEVICE float weight_at(const float rows[][4], int i) { return rows[i / 4][i % 4]; }
