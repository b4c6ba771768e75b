// How much of a pixel the brush leaves as it is: between cells of corner_share.
template <typename Constants>
DEVICE float left_at(const float* __restrict__ left, const Constants& c, int x, int y) {
  const int columns = c.corner_cells[0], rows = c.corner_cells[1];
  float across = (x + 0.5f) * c.corner_step[0] - 0.5f, down = (y + 0.5f) * c.corner_step[1] - 0.5f;
  int column = (int)floorf(across), row = (int)floorf(down);
  int first = clamped(column, 0, columns - 1), last = clamped(column + 1, 0, columns - 1);
  const float *upper = left + clamped(row, 0, rows - 1) * columns, *lower = left + clamped(row + 1, 0, rows - 1) * columns;
  float top = lerp(upper[first], upper[last], across - column);
  return lerp(top, lerp(lower[first], lower[last], across - column), down - row);
}
