// The arguments of a pass of a resampling filter. Constants of gpu.constants.resample.
CONSTANTS(RESAMPLE)
