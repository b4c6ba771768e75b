// Constants of gpu.constants.relief, and how far the bristles of a frame have come.
struct Relief {
  uint size[2];          // of the picture
  uint painted_size[2];
  uint working[2];       // in whose pixels motion is measured
  uint cells[2];         // columns and rows of cells
  uint blocks[2];        // columns and rows of blocks of motion
  uint cell_px;          // here CELL_PX
  uint block_px;
  uint noise_px;         // side of the noise, here NOISE_PX
  uint grain_px;         // side of a sample of it in the picture, here GRAIN_PX
  uint count;            // samples of a bristle to each side, here SAMPLES
  float centre;          // weight of the pixel itself
  float weights[3][4];   // of the samples
  float light[4];        // the direction to the lamp
  float half_way[4];     // and half-way between it and the eye
  float body_luma;       // the difference of luma that counts as one
  float body_most;       // what it is limited to
  float body_share;      // of it in the height
  float bristle_share;   // of bristles
  float thick_luma;
  float thin;
  float height;          // of thick paint, in pixels
  float weave;           // of the canvas
  float pitch_px;        // from thread to thread
  float cover;           // how much of the canvas thick paint hides
  float gleam;           // how bright a gleam is
  float gleam_power;     // how narrow
  float gleam_rest;      // and what it is where the picture is level
  float detail;
  float first_way;       // of frames whose bristles stand still; those of others are in a Drift
  float drifts;
};

// Of one frame. The two ways of each block follow it: in pixels of the working size first, then in those of the picture.
struct alignas(16) Drift {
  float first_way;  // the weight of the first way
};

typedef Vector<int, 2> Vec;  // y and x

DEVICE const Vec* ways_of(const Drift* drift) { return (const Vec*)(drift + 1); }
