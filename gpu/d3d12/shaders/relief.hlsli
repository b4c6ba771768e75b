// What the kernels of relief and canvas begin with. Reference: gpu.stages.relief.reference.
#include "portable.hlsli"
CONSTANTS(RELIEF)
#include "lighting.hlsli"
