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

// The position of a sample of a line. line_: of one direction, with two samples per value, x and y in 8 bits each.
int2 sample_of(uint4 line_, uint k) {
  uint word = line_[k / 2], behind = 16 * (k % 2);
  return int2(int(word << (24 - behind)) >> 24, int(word << (16 - behind)) >> 24);
}
