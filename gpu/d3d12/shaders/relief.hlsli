// Constants of the kernels of relief and canvas, gpu.constants.relief. Reference: gpu.reference.relief.
CONSTANTS(DRIFTING_RELIEF)
