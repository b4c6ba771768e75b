// In: frame (the network's input of ELEMENT), Corners. Out: structure (the structure tensor of each cell: xx, xy, yy, 0). Group 32x8, one thread per cell. Reference: gpu.reference.corners.structure. Tolerance: 1e-6.
#include "corners.cuh"

DEVICE float light_at(const Element* __restrict__ frame, const Corners& c, int x, int y) {
  x = clamped(x, 0, (int)c.size[0] - 1);
  y = clamped(y, 0, (int)c.size[1] - 1);
  size_t plane = (size_t)c.padded[0] * c.padded[1], i = (size_t)y * c.padded[0] + x;
  return luma_of({load(frame, i), load(frame, i + plane), load(frame, i + 2 * plane)});
}

extern "C" __global__ void corner_cells(const Element* __restrict__ frame, Structure* structure, Corners c) {
  const uint column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column >= c.cells[0] || row >= c.cells[1]) return;
  float xx = 0.0f, xy = 0.0f, yy = 0.0f;
  for (uint j = 0; j < c.cell_px; j++) {
    int y = clamped(row * c.cell_px + j, 0, (int)c.size[1] - 1);  // repeat the edge to fill whole cells
    for (uint i = 0; i < c.cell_px; i++) {
      int x = clamped(column * c.cell_px + i, 0, (int)c.size[0] - 1);
      float a = light_at(frame, c, x - 1, y - 1), b = light_at(frame, c, x + 1, y - 1);
      float d = light_at(frame, c, x - 1, y + 1), e = light_at(frame, c, x + 1, y + 1);
      float gx = 3.0f * (b - a + e - d) + 10.0f * (light_at(frame, c, x + 1, y) - light_at(frame, c, x - 1, y));
      float gy = 3.0f * (d - a + e - b) + 10.0f * (light_at(frame, c, x, y + 1) - light_at(frame, c, x, y - 1));
      gx *= 1.0f / 32.0f;
      gy *= 1.0f / 32.0f;
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
    }
  }
  const float share = 1.0f / (c.cell_px * c.cell_px);
  structure[(size_t)row * c.cells[0] + column] = {{share * xx, share * xy, share * yy, 0.0f}};
}
