// What the kernels of relief and canvas begin with. Reference: gpu.reference.relief.
#include "portable.hlsli"
CONSTANTS(RELIEF)
