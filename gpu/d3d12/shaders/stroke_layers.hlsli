// The table of layers, six rows of four words each. Needs `layers` of its kernel.
#define ROWS_OF_A_LAYER 6
struct Layer {
  uint first, first_slot, columns, rows;     // of cells: those of the layers below, their strokes, and the layer's own
  uint cell, slots, half_steps, covered;     // a side in UNITS, strokes of a cell, steps of a path to either side, where its cells lie among those that may be covered
  uint4 colours;                             // of the level that colours are taken from: where it lies, columns, rows, its number
  uint4 needs;                               // the same of what is needed; its number is 0 for the layer that is drawn everywhere
  float per_need, reach, width, length;      // 1 / what counts as one; how far outside of the picture strokes are seen, and how large they are, in pixels
  uint tiles;                                // that a stroke may touch
};

Layer layer_of(uint index) {
  uint row = ROWS_OF_A_LAYER * index;
  uint4 a = layers[row], b = layers[row + 1], e = layers[row + 4];
  Layer found;
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
  found.tiles = layers[row + 5].x;
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
