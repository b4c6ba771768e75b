// What a pass of a resampling filter gets. Constants of gpu.constants.resample.
CONSTANTS(RESAMPLE)
