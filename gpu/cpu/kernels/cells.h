/* Cells of pictures, which the kernels of a picture share: planes of cells, smoothed, and at the size of the picture. A picture
   is (3, H + 2 margin, W + 2 margin), so that no loop has to check whether a sample is inside it. */

#include "kernels.h"

/* How cells lie in pictures. low, high, share: (W + 2 margin), of each column of a picture the cells between whose
   middles it lies, and how far it is from the first to the second. */
typedef struct { whole cell_px, margin; Whole1 low, high; Floats1 share; } Grid;

#define SCHARR_SIDE (3.0f / 32.0f)
#define SCHARR_MIDDLE (10.0f / 32.0f)

/* The derivatives of the pixel at x, between its neighbours. */
static inline void scharr(const float *above, const float *here, const float *below, whole left, whole x, whole right,
                          float *gx, float *gy) {
    *gx = SCHARR_SIDE * (above[right] - above[left] + below[right] - below[left]);
    *gx += SCHARR_MIDDLE * (here[right] - here[left]);
    *gy = SCHARR_SIDE * (below[left] - above[left] + below[right] - above[right]);
    *gy += SCHARR_MIDDLE * (below[x] - above[x]);
}

/* A row that was smoothed down the columns, smoothed along itself, its ends repeated. line: columns + 2 radius of
   scratch, whose inner part holds the row. */
static inline void smooth_along(float *restrict line, const Floats1 *weights, whole columns, float *restrict into) {
    const whole radius = weights->length / 2;
    for (whole x = 0; x < radius; x++) {
        line[x] = line[radius];
        line[radius + columns + x] = line[radius + columns - 1];
    }
    for (whole x = 0; x < columns; x++) into[x] = weights->at[0] * line[x];
    for (whole k = 1; k < weights->length; k++) {
        const float *shifted = line + k, weight = weights->at[k];
        for (whole x = 0; x < columns; x++) into[x] += weight * shifted[x];
    }
}

/* A row of a plane of cells, smoothed down and along. line: columns + 2 radius of scratch. */
static inline void smooth_row(const Floats2 *plane, const Floats1 *weights, whole y, float *restrict line,
                              float *restrict into) {
    const whole columns = plane->columns, radius = weights->length / 2;
    float *restrict inner = line + radius;
    for (whole x = 0; x < columns; x++) inner[x] = 0.0f;
    for (whole k = 0; k < weights->length; k++) {
        const float *restrict row = row_of(plane, clamped(y + k - radius, 0, plane->rows - 1));
        const float weight = weights->at[k];
        for (whole x = 0; x < columns; x++) inner[x] += weight * row[x];
    }
    smooth_along(line, weights, columns, into);
}

/* A row of a plane of cells at the size of the picture, linear between their middles, from a column on. The columns of
   the margin count; y may lie outside. mixed: columns of the cells, scratch. */
static inline void between(const Floats2 *cells, const Grid *grid, whole y, whole first, whole count,
                           float *restrict mixed, float *restrict line) {
    const whole halves = 2 * y + 1 - grid->cell_px, step = 2 * grid->cell_px;
    const whole row = halves >= 0 ? halves / step : -((step - 1 - halves) / step);
    const float down = (float)(halves - row * step) / (float)step;
    const float *restrict upper = row_of(cells, clamped(row, 0, cells->rows - 1));
    const float *restrict lower = row_of(cells, clamped(row + 1, 0, cells->rows - 1));
    for (whole x = 0; x < cells->columns; x++) mixed[x] = upper[x] + down * (lower[x] - upper[x]);
    const int32_t *low = grid->low.at + first, *high = grid->high.at + first;
    const float *share = grid->share.at + first;
    for (whole x = 0; x < count; x++) {
        const float left = mixed[low[x]];
        line[x] = left + share[x] * (mixed[high[x]] - left);
    }
}
