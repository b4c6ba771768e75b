// Constants of the kernels of the brush, gpu.constants.strokes. Reference: gpu.reference.brush.
CONSTANTS(STROKES)
