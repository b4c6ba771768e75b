// A look at a painting that is a tensor. The first part of b0 is its constants.
#include "common.hlsli"
CONSTANTS(OUTPUT)

READS(float, painted, 0);  // 3 planes of R'G'B': the network's output, or the one at the target's size

float3 load_painted(uint2 at) {
  uint plane = painted_size.x * painted_size.y, i = at.y * painted_size.x + at.x;
  return float3(painted[i], painted[i + plane], painted[i + 2 * plane]);
}

#include "look.hlsli"
