// Strokes as they are drawn, eight rows of four words each: left, top, right and bottom; half the width and the colour; opacity, length, the first and the last point of the path, and the seed; the place among all strokes from the lowest up, nothing, and x and y of the ninth point; and those of the other points. Beyond the ends of a path its points are repeated.
// Their numbers are those of the layers that are drawn, broad ones first: where all do not fit, the finest layers are left out. Needs `picks` and `layers` of its kernel.
#define ROWS_OF_A_RECORD 8

// The layer of a record, and its place in the layer; no layer where there is no such record.
uint2 layer_and_place(uint number) {
  uint total = 0, room = most_pairs, found = layer_count, place_in_it = 0;
  bool fits = true;
  for (uint k = 0; k < layer_count; k++) {
    uint count = picks[k], each = layers[6 * k + 5].x;
    fits = fits && total + count <= most_records && count <= room / each;
    if (fits) {
      if (number >= total && number < total + count) {
        found = k;
        place_in_it = number - total;
      }
      total += count;
      room -= count * each;
    }
  }
  return uint2(found, place_in_it);
}
