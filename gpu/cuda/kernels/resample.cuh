// What a pass of a resampling filter gets. Constants of gpu.constants.resample.
struct Resample {
  uint input_size[2];  // of the planes that are read
  uint size[2];        // of the picture made
  uint padded[2];      // of the planes that are written
  uint taps;           // of the filter
};
