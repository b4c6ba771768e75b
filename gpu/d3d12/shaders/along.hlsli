// The direction of a pixel and the mean along it, from picture, tensor and lines. Reference: gpu.reference.brush.direction, along.
uint direction_at(int2 at) {
  Around where = around(at, cell_px, cells);
  float x = between(tensor.GatherRed(edge, where.middle), where.part);
  float y = between(tensor.GatherGreen(edge, where.middle), where.part);
  return direction_of(float2(x, y));
}

float3 sample_at(int2 at) {
  return picture.Load(int3(clamp(at, int2(0, 0), int2(size) - 1), 0)).rgb;
}

float3 mean_along(int2 at, uint direction) {
  uint4 line_ = lines[direction];
  float3 sum = centre * sample_at(at);
  [unroll] for (uint k = 0; k < COUNT; k++) {
    int2 far = sample_of(line_, k);
    sum += weights[k / 4][k % 4] * (sample_at(at + far) + sample_at(at - far));
  }
  return sum;
}
