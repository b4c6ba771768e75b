// Strokes as they are drawn, eight rows of four words each: left, top, right and bottom; half the width and the colour; opacity, length, the first and the last point of the path, and the seed; the place among all strokes from the lowest up, nothing, and x and y of the ninth point; and those of the other points. Beyond the ends of a path its points are repeated.
#define ROWS_OF_A_RECORD 8
