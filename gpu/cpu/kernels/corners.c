/* What strokes leave as it is, and how they replace what is below. The reference is gpu.stages.corners. */

#include "cells.h"

/* What gpu/kernels is written with. */
#define DEVICE static inline
#define abs magnitude
#include "../../kernels/corners.h"
#undef abs

/* Rows of cells of the structure tensor, xx, xy and yy, of a network's input that shows so many columns and rows of
   pixels. scratch: three of its rows. */
KERNEL(corner_structure)
(const Planes *frame, whole columns, whole rows, const Floats3 *tensor, float *scratch, whole y0, whole y1) {
    float *lights[3] = {scratch, scratch + columns, scratch + 2 * columns};
    for (whole row = y0; row < y1; row++) {
        float *restrict xx = row_in(tensor, 0, row), *restrict xy = row_in(tensor, 1, row);
        float *restrict yy = row_in(tensor, 2, row);
        for (whole column = 0; column < tensor->columns; column++) xx[column] = xy[column] = yy[column] = 0.0f;
        for (whole j = 0; j < CELL_PX; j++) {
            const whole y = least_of(row * CELL_PX + j, rows - 1);
            for (whole i = 0; i < 3; i++) {
                const float *red = frame->at + clamped(y - 1 + i, 0, rows - 1) * frame->row_stride;
                const float *green = red + frame->plane_stride, *blue = green + frame->plane_stride;
                float *restrict line = lights[i];
                for (whole x = 0; x < columns; x++) line[x] = luma(red[x], green[x], blue[x]);
            }
            for (whole at = 0; at < tensor->columns * CELL_PX; at++) {
                const whole x = least_of(at, columns - 1), column = at / CELL_PX;
                float gx, gy;
                scharr(lights[0], lights[1], lights[2], most_of(x - 1, 0), x, least_of(x + 1, columns - 1), &gx, &gy);
                xx[column] += gx * gx;
                xy[column] += gx * gy;
                yy[column] += gy * gy;
            }
        }
        const float area = CELL_PX * CELL_PX;
        for (whole column = 0; column < tensor->columns; column++)
            xx[column] /= area, xy[column] /= area, yy[column] /= area;
    }
}

/* Rows of blocks of cells: how busy these are in the mean, 0..1. scratch: none. */
KERNEL(corner_blocks)(const Floats3 *tensor, const Floats2 *blocks, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < blocks->columns; column++) {
            const whole top = row * BLOCK_CELLS, bottom = least_of(top + BLOCK_CELLS, tensor->rows);
            const whole first = column * BLOCK_CELLS, end = least_of(first + BLOCK_CELLS, tensor->columns);
            float sum = 0.0f;
            for (whole y = top; y < bottom; y++)
                for (whole x = first; x < end; x++)
                    sum += between_0_and_1((root(row_in(tensor, 0, y)[x] + row_in(tensor, 2, y)[x]) - FLAT) * PER_BUSY);
            row_of(blocks, row)[column] = sum / (float)((bottom - top) * (end - first));
        }
}

/* At a cell of an axis, the spline between blocks that lie `stride` apart and are repeated at the ends. */
static inline float between_blocks(const float *blocks, whole count, whole stride, whole cell) {
    const float place = ((float)cell + 0.5f) / BLOCK_CELLS - 0.5f;
    const whole low = (cell + BLOCK_CELLS / 2) / BLOCK_CELLS - 1;
    float sum = 0.0f;
    for (whole number = low - 1; number < low + 3; number++)
        sum += spline((float)number - place) * blocks[clamped(number, 0, count - 1) * stride];
    return sum;
}

/* Rows of what is left of each cell as it is, 0..1. kept: how much at most because it lies in a face; of no rows where
   there is none. scratch: columns + 2 radius, three rows, and one of blocks. */
KERNEL(corners)
(const Floats3 *tensor, const Floats1 *weights, const Floats2 *blocks, const Floats2 *kept, const Floats2 *left,
 float *scratch, whole y0, whole y1) {
    const whole columns = tensor->columns, padded = columns + weights->length - 1;
    float *restrict xx = scratch + padded, *restrict xy = xx + columns, *restrict yy = xy + columns;
    float *restrict busy = yy + columns;
    for (whole row = y0; row < y1; row++) {
        float *parts[3] = {xx, xy, yy};
        for (whole part = 0; part < 3; part++) {
            const Floats2 plane = part_of(tensor, part);
            smooth_row(&plane, weights, row, scratch, parts[part]);
        }
        for (whole block = 0; block < blocks->columns; block++)
            busy[block] = between_blocks(blocks->at + block, blocks->rows, blocks->columns, row);
        float *restrict into = row_of(left, row);
        for (whole column = 0; column < columns; column++) {
            const float a = xx[column], b = xy[column], c = yy[column];
            const float smaller = 0.5f * (a + c - root((a - c) * (a - c) + 4.0f * b * b));
            const float share = between_0_and_1((root(most(smaller, 0.0f)) - LEAST_CORNER) * PER_CORNER);
            const float around = between_blocks(busy, blocks->columns, 1, column);
            const float drawn = between_0_and_1((around - SPARSE) * PER_DENSE);
            into[column] = share * share * (3.0f - 2.0f * share) * (1.0f - drawn);
        }
        if (!kept->rows) continue;
        const float *restrict largest = row_of(kept, row);
        for (whole column = 0; column < columns; column++) {
            const float edges = between_0_and_1((root(xx[column] + yy[column]) - KEPT_LEAST) * PER_KEPT);
            into[column] = most(into[column], largest[column] * edges);
        }
    }
}

/* Where the pixels of an axis lie among cells. low, high, share: of each pixel the cells between whose middles it lies,
   and how far it is from the first to the second. */
typedef struct { Whole1 low, high; Floats1 share; } Places;

/* Rows of a picture that strokes replace by so much, but where cells are left as they are; 0..1. strokes: (5, H, W), of which
   the height of the paint comes to be that in the picture, and the last plane how far strokes replace it. scratch: columns
   of the cells. */
KERNEL(mix)
(const Floats3 *strokes, float strength, const Floats2 *left, const Places *down, const Places *across, whole margin,
 const Floats3 *picture, float *scratch, whole y0, whole y1) {
    float *restrict cells = scratch;
    const int32_t *restrict low = across->low.at, *restrict high = across->high.at;
    const float *restrict between = across->share.at;
    const whole width = across->low.length;
    for (whole y = y0; y < y1; y++) {
        const float *upper = row_of(left, down->low.at[y]), *lower = row_of(left, down->high.at[y]);
        const float share = down->share.at[y];
        for (whole column = 0; column < left->columns; column++)
            cells[column] = upper[column] + share * (lower[column] - upper[column]);
        float *restrict cover = row_in(strokes, COVER, y), *restrict height = row_in(strokes, HEIGHT, y);
        for (whole x = 0; x < width; x++) {
            const float first = cells[low[x]];
            cover[x] = strength * (1.0f - (first + between[x] * (cells[high[x]] - first)));
            height[x] *= cover[x];
        }
        for (whole channel = 0; channel < 3; channel++) {
            const float *restrict painted = row_in(strokes, channel, y);
            float *restrict own = row_in(picture, channel, margin + y) + margin;
            for (whole x = 0; x < width; x++) own[x] = between_0_and_1(own[x] + cover[x] * (painted[x] - own[x]));
        }
    }
}
