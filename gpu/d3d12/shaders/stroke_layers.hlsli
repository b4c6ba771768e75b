// The table of layers, six rows of four words each. Needs `layers` of its kernel.
#define ROWS_OF_A_LAYER 6
struct Layer {
  uint index;
  uint first, first_slot, columns, rows;     // of cells: those of the layers below, their strokes, and the layer's own
  uint cell, slots, half_steps, covered;     // a side in UNITS, strokes of a cell, steps of a path to either side, where its cells lie among those that may be covered
  uint4 colours;                             // of the level that colours are taken from: where it lies, columns, rows, its number
  uint4 needs;                               // the same of what is needed; its number is 0 for the layer that is drawn everywhere
  float per_need, reach, width, length;      // 1 / what counts as one; how far outside of the picture strokes are seen, and how large they are, in pixels
  uint tiles;                                // that a stroke may touch
  uint first_picked, most_picked;            // where its strokes that are drawn lie
};

Layer layer_of(uint index) {
  uint row = ROWS_OF_A_LAYER * index;
  uint4 a = layers[row], b = layers[row + 1], e = layers[row + 4], f = layers[row + 5];
  Layer found;
  found.index = index;
  found.first = a.x;
  found.first_slot = a.y;
  found.columns = a.z;
  found.rows = a.w;
  found.cell = b.x;
  found.slots = b.y;
  found.half_steps = b.z;
  found.covered = b.w;
  found.colours = layers[row + 2];
  found.needs = layers[row + 3];
  found.per_need = asfloat(e.x);
  found.reach = asfloat(e.y);
  found.width = asfloat(e.z);
  found.length = asfloat(e.w);
  found.tiles = f.x;
  found.first_picked = f.y;
  found.most_picked = f.z;
  return found;
}

// The layer that a cell belongs to.
uint layer_with(uint cell) {
  uint index = 0;
  for (uint k = 1; k < layer_count; k++) {
    if (cell >= layers[ROWS_OF_A_LAYER * k].x) index = k;
  }
  return index;
}

// The layer that a stroke belongs to, by its number among all that cells may have.
uint layer_with_stroke(uint number) {
  uint index = 0;
  for (uint k = 1; k < layer_count; k++) {
    if (number >= layers[ROWS_OF_A_LAYER * k].y) index = k;
  }
  return index;
}

// A place in a cell, 0 to below its side, by a random word.
int within_cell(uint word, uint cell) {
  return int(((word >> 20) * cell + (((word >> 8) & 0xfff) * cell >> 12)) >> 12);
}

// The home of a cell, by its row and its column in 16 bits each: y and x in UNITS, and the seed.
int3 home_of(uint place_, Layer layer) {
  uint row = place_ & 0xffff, column = place_ >> 16, seed = hashed(hashed(hashed(layer.index + 1) + row) + column);
  int2 corner = (int2(int(row), int(column)) - FIRST_CELLS) * int(layer.cell);
  int2 away = int2(within_cell(hashed(seed + AWAY), layer.cell), within_cell(hashed(seed + 2 * AWAY), layer.cell));
  return int3(corner + away, int(seed));
}
