// What the kernels of the brush and the relief share. Constants of gpu.constants.strokes. Their pictures are pixels of the target's
// size, in rows without a gap.
#include "common.cuh"

struct Strokes {
  uint size[2];          // of the picture
  uint painted_size[2];  // of the planes of the network's painting
  uint cells[2];         // columns and rows of cells
  uint cell_px;          // here CELL_PX, where it is needed
  uint count;            // samples of a line to each side, here COUNT
  uint radius;           // of the Gaussian, here RADIUS
  float centre;          // weight of the pixel itself
  float sharp;           // the second difference of luma from which on an edge is drawn in full
  float brush;           // how much of the brushed picture is mixed in
  float rest[2];         // the tensor of what is flat
  float unused[2];
  float weights[3][4];   // of the samples of a line
  float gauss[9][4];     // 2 RADIUS + 1 of them
};

typedef Vector<float, 2> Pair;

DEVICE float weight_at(const float rows[][4], int i) { return rows[i / 4][i % 4]; }
