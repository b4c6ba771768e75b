// How much of a stroke is needed, 0..1: nothing where the coarser layers say as much. Needs `needs` of its kernel. at: x and y in pixels.
float needed(Layer layer, float2 at) {
  float need = 1.0;
  if (layer.needs.w > 0) {
    Between near = between_samples(in_level(at, layer.needs.w), layer.needs);
    need = saturate(2.0 * layer.per_need * BILINEAR(needs, near) - 1.0);
  }
  return need;
}
