// Luma of pixels and cells. Reference: gpu.stages.cells.luma_of.
float luma_of(float3 rgb) {
  return dot(float3(0.2126, 0.7152, 0.0722), rgb);
}
