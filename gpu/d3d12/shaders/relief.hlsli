// Constants of the kernels of relief and canvas, gpu.constants.relief. Reference: gpu.reference.relief.
cbuffer Constants : register(b0) {
  uint2 size;           // of the picture
  uint2 painted_size;   // of the planes of the painting
  uint2 working;        // of the frame before the network
  uint2 cells;          // columns and rows of cells
  uint2 blocks;         // columns and rows of blocks of motion
  uint cell_px;         // a side of a cell
  uint block_px;        // and of a block, at the working size
  uint noise_px;        // a side of the noise
  uint grain_px;        // and of a sample of it
  uint count;           // samples of a bristle to each side
  float centre;         // weight of the pixel itself
  float4 weights[3];    // of the samples of a bristle
  float4 light;         // the direction to the lamp
  float4 half_way;      // and half-way between it and the eye
  float body_luma;      // the difference of luma that counts as one
  float body_most;      // what it is limited to
  float body_share;     // of it in the height
  float bristle_share;  // of bristles
  float thick_luma;     // the deviation from which on paint is thick
  float thin;           // how thick it is at least
  float height;         // of thick paint, in pixels
  float weave;          // and of the canvas
  float pitch_px;       // from thread to thread
  float cover;          // how much of the canvas thick paint hides
  float gleam;          // how bright a gleam is
  float gleam_power;    // how narrow
  float gleam_rest;     // and what it is where the paint is level
  float detail;         // how much fine luma of the source is added
  float first_way;      // weight of the first way of the bristles
  float drifts;         // 0: they stand still
};
