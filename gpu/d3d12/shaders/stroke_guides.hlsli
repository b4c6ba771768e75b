// What a stroke sees of a painting. Needs `pyramid` and `direction` of its kernel. at: x and y in pixels.
float3 colour_at(uint4 level, float2 at) {
  Between near = between_samples(in_level(at, level.w), level);
  return BILINEAR(pyramid, near).rgb;
}

// How light it is around.
float light_around(float2 at) {
  return luma_of(colour_at(uint4(levels[around_level].xyz, around_level), at));
}

float2 tensor_at(float2 at) {
  uint4 level = tensors[near_level];
  level.x = 0;
  Between near = between_samples(in_level(at, tensor_level + near_level), level);
  return BILINEAR(direction, near);
}

float2 by_length(float2 tensor) {
  return tensor / (sqrt(dot(tensor, tensor)) + TINY);
}
