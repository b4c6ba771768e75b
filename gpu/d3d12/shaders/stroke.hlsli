// Constants of the kernels of the brush, gpu.constants.strokes. Reference: gpu.reference.brush.
cbuffer Constants : register(b0) {
  uint2 size;          // of the picture
  uint2 painted_size;  // of the planes of the painting
  uint2 cells;         // columns and rows of cells
  uint cell_px;        // a side of a cell
  uint count;          // samples of a line to each side; here COUNT
  uint radius;         // of the Gaussian
  float centre;        // weight of the pixel itself
  float sharp;         // the second difference of luma from which on an edge is drawn in full
  float brush;         // how much of the brushed picture is mixed in
  float2 rest;         // the tensor that is added everywhere
  float2 unused;
  float4 weights[3];   // of the samples of a line
  float4 gauss[9];     // of the Gaussian, and zeros behind it
};
