// Shared by the kernels of pictures and cells of pixels. Their pictures are pixels of the target's size, in contiguous rows.
#include "common.cuh"

CONSTANTS(PAINT)

typedef Vector<float, 2> Pair;

DEVICE float weight_at(const float rows[][4], int i) { return rows[i / 4][i % 4]; }
