// Directions and the lines along them. Reference: gpu.reference.brush.direction, along.
#define DIRECTIONS 32

// The direction in which the picture changes least, as a fraction of a half turn, from the smoothed tensor.
uint direction_of(float2 tensor) {
  return uint(floor(atan2(tensor.y, tensor.x) * 5.09295818 + 16.5)) % DIRECTIONS;
}

// A picture of means along strokes stores the directions after its three values, as 16-bit integers.
float of_direction(uint direction) {
  return float(direction) / 65535.0;
}

uint direction_in(float value) {
  return uint(value * 65535.0 + 0.5);
}
