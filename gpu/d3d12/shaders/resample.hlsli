// The arguments of a pass of a resampling filter. Constants of gpu.stages.resample.
READS(float, filter, 1);  // for each output sample: index of the first sample to read, and the weights

CONSTANTS(RESAMPLE)
