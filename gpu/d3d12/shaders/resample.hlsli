// What a pass of a resampling filter gets. Constants of gpu.constants.resample.
Buffer<float> filter : register(t1);  // for each sample made: index of the first that is read, and the weights

cbuffer Constants : register(b0) {
  uint2 input_size;  // of the planes that are read
  uint2 size;        // of the picture made
  uint2 padded;      // of the planes that are written
  uint taps;         // of the filter
};
