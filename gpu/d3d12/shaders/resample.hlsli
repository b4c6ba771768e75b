// What a pass of a resampling filter gets. Constants of gpu.constants.resample.
Buffer<float> filter : register(t1);  // for each sample made: index of the first that is read, and the weights

CONSTANTS(RESAMPLE)
