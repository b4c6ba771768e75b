// A look at a painting that is a tensor. The first part of b0 is its constants.
#include "common.hlsli"
CONSTANTS(OUTPUT)

#include "painting.hlsli"
READS_PAINTING(painted, 0);  // the network's output, or the one at the target's size

float3 load_painted(uint2 at) { return PAINTING(painted, at, painted_size); }

#include "look.hlsli"
