// How much of a stroke is seen, 0..1: nothing where the coarser layers say as much. Needs `needs` of its kernel. at: x and y in pixels.
float seen_of(Layer layer, uint2 size, float2 at) {
  float seen = float(size.x) / float(size.y);
  if (layer.needs.w > 0) {
    Between near = between_samples(in_level(at, layer.needs.w), layer.needs);
    seen *= saturate(2.0 * layer.per_need * BILINEAR(needs, near) - 1.0);
  }
  return seen;
}
