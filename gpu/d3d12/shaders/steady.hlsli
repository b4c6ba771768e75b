// Shared by the kernels of the temporal filter, which all have the same constants. Reference: gpu.stages.steady.reference.
#include "common.hlsli"

CONSTANTS(STEADY)

float sixteenths(float value) {
  return floor(4080.0 * value + 0.5);
}

float luma(float red, float green, float blue) {
  return floor(255.0 * (red + 2.0 * green + blue) + 0.5);
}

uint place(int2 at, uint2 planes) {
  int2 held = clamp(at, int2(0, 0), int2(planes) - 1);
  return uint(held.y) * planes.x + uint(held.x);
}

// The cost of a vector, followed by its rank among equals: shorter ones first, then by y and x. reach: of the search, at most 4.
uint ranked(float difference, int2 vector_, uint reach) {
  uint steps = uint(abs(vector_.x) + abs(vector_.y));
  uint2 from_corner = uint2(vector_ + int(reach));
  return (uint(difference) + step_bias * steps) * 1024 + (steps * 9 + from_corner.y) * 9 + from_corner.x;
}

int2 vector_of(uint rank, uint reach) {
  uint place_ = rank % 1024;
  return int2(int(place_ % 9), int((place_ / 9) % 9)) - int(reach);
}
