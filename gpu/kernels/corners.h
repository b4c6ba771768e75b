// For every language of kernels: what surrounds a cell of the film. Rule: gpu/stages/corners.

// A cubic B-spline so far away from its middle, at most 2: it falls to 0 there.
DEVICE float spline(float away) {
  float near_by = abs(away), left = 2.0f - near_by;
  return near_by < 1.0f ? 2.0f / 3.0f - near_by * near_by * (1.0f - 0.5f * near_by) : left * left * left * (1.0f / 6.0f);
}
