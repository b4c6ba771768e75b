// The arguments of a pass of a resampling filter. Constants of gpu.stages.resample.
CONSTANTS(RESAMPLE)
