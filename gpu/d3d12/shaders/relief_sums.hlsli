// Luma of cells of the picture under the relief: sums in ONE_OF_LUMA parts of 1, that groups add to. Needs `size`, `cells` and `cell_px`.
#define ONE_OF_LUMA 8388608.0  // 16x16 pixels fit in a word

// Of a pixel, as often as cells beyond the edge repeat it.
uint shade_of(float luma, uint2 at) {
  uint2 more = cells * cell_px - size;
  uint times = (at.x == size.x - 1 ? 1 + more.x : 1) * (at.y == size.y - 1 ? 1 + more.y : 1);
  return any(at >= size) ? 0 : times * uint(ONE_OF_LUMA * luma + 0.5);
}

// shades: of a group's pixels, row by row, whose first one is at `corner`.
#define ADD_SHADES(sums, shades, corner, across, down, thread) { \
  uint2 first_cell = (corner) / cell_px, most = min((corner) + uint2(across, down), size), in_group = (most - 1) / cell_px - first_cell + 1; \
  for (uint n = thread; n < in_group.x * in_group.y; n += across * down) { \
    uint2 cell = first_cell + uint2(n % in_group.x, n / in_group.x), low = max(cell * cell_px, corner), high = min((cell + 1) * cell_px, most); \
    uint sum = 0; \
    for (uint y = low.y; y < high.y; y++) { \
      for (uint x = low.x; x < high.x; x++) sum += shades[(y - (corner).y) * across + x - (corner).x]; \
    } \
    ADD_COUNT(sums, cell.y * cells.x + cell.x, sum); \
  } \
}
