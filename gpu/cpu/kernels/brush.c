/* Brush, and what it leaves as it is. The references are gpu.reference.brush and gpu.reference.corners. */

#include "cells.h"

/* Fill the margins beside rows; those above the first row, and below the last, with it. */
KERNEL(repeat_edge)(const Floats3 *picture, whole margin, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole rows = picture->rows, columns = picture->columns, first = margin + y0, last = margin + y1;
    for (whole channel = 0; channel < 3; channel++) {
        for (whole y = first; y < last; y++) {
            float *line = row_in(picture, channel, y);
            for (whole x = 0; x < margin; x++) {
                line[x] = line[margin];
                line[columns - 1 - x] = line[columns - 1 - margin];
            }
        }
        for (whole y = 0; y < margin; y++) {
            if (y0 == 0) {
                float *goal = row_in(picture, channel, y), *edge = row_in(picture, channel, margin);
                for (whole x = 0; x < columns; x++) goal[x] = edge[x];
            }
            if (last == rows - margin) {
                float *goal = row_in(picture, channel, rows - 1 - y), *edge = row_in(picture, channel, last - 1);
                for (whole x = 0; x < columns; x++) goal[x] = edge[x];
            }
        }
    }
}

/* Mean luma of rows of cells. scratch: a row of the cells' pixels. */
KERNEL(cell_means)(const Floats3 *picture, const Grid *grid, const Floats2 *light, float *scratch, whole y0, whole y1) {
    const whole side = grid->cell_px, margin = grid->margin, width = light->columns * side;
    const float area = (float)(side * side);
    for (whole row = y0; row < y1; row++) {
        float *restrict sums = scratch;
        for (whole x = 0; x < width; x++) sums[x] = 0.0f;
        for (whole y = margin + row * side; y < margin + (row + 1) * side; y++) {
            const float *restrict red = row_in(picture, 0, y) + margin, *restrict green = row_in(picture, 1, y) + margin;
            const float *restrict blue = row_in(picture, 2, y) + margin;
            for (whole x = 0; x < width; x++) sums[x] += luma(red[x], green[x], blue[x]);
        }
        float *restrict into = row_of(light, row);
        for (whole column = 0; column < light->columns; column++) {
            float total = 0.0f;
            for (whole x = column * side; x < (column + 1) * side; x++) total += sums[x];
            into[column] = total / area;
        }
    }
}

/* Rows of a plane of cells, smoothed. scratch: columns + 2 radius. */
KERNEL(blur)(const Floats2 *plane, const Floats1 *weights, const Floats2 *made, float *scratch, whole y0, whole y1) {
    for (whole y = y0; y < y1; y++) smooth_row(plane, weights, y, scratch, row_of(made, y));
}

/* Its two components gx^2 - gy^2 and 2 gx gy for rows of cells, smoothed, plus what is added where the picture is flat.
   scratch: a line of columns + 2 radius, and for each part as many rows as there are weights, used in turn. */
KERNEL(structure_tensor)
(const Floats2 *light, const Floats1 *weights, const Floats3 *tensor, float *scratch, whole y0, whole y1) {
    const whole rows = light->rows, columns = light->columns, count = weights->length, radius = count / 2;
    float *restrict line = scratch, *restrict inner = line + radius;
    float *around[2] = {line + columns + 2 * radius, line + columns + 2 * radius + count * columns};
    for (whole at = y0 - radius; at < y1 + radius; at++) {
        const whole y = clamped(at, 0, rows - 1), slot = (at - y0 + radius) % count;
        const float *above = row_of(light, most_of(y - 1, 0)), *here = row_of(light, y);
        const float *below = row_of(light, least_of(y + 1, rows - 1));
        float *restrict first = around[0] + slot * columns, *restrict second = around[1] + slot * columns;
        for (whole x = 0; x < columns; x++) {
            float gx, gy;
            scharr(above, here, below, most_of(x - 1, 0), x, least_of(x + 1, columns - 1), &gx, &gy);
            first[x] = (gx - gy) * (gx + gy) + REST_TENSOR_X;
            second[x] = 2.0f * gx * gy + REST_TENSOR_Y;
        }
        const whole done = at - radius; /* whose neighbours are all here now */
        if (done < y0) continue;
        for (whole part = 0; part < 2; part++) {
            for (whole x = 0; x < columns; x++) inner[x] = 0.0f;
            for (whole k = 0; k < count; k++) {
                const float *restrict row = around[part] + (done - y0 + k) % count * columns;
                const float weight = weights->at[k];
                for (whole x = 0; x < columns; x++) inner[x] += weight * row[x];
            }
            smooth_along(line, weights, columns, row_in(tensor, part, done));
        }
    }
}

/* Rows of a plane of cells at the size of the picture, with its margins. scratch: columns of the cells. */
KERNEL(enlarge)(const Floats2 *cells, const Grid *grid, const Floats2 *made, float *scratch, whole y0, whole y1) {
    for (whole y = y0; y < y1; y++)
        between(cells, grid, y - grid->margin, 0, made->columns, scratch, row_of(made, y));
}

/* The weighted mean of the samples on the line through each pixel in its direction, which is found first. scratch:
   columns of the cells and twice those of the directions. */
KERNEL(mean_along)
(const Floats3 *picture, const Floats3 *tensor, const Grid *grid, const Samples *samples, const Bytes2 *directions,
 const Floats3 *made, float *scratch, whole y0, whole y1) {
    const whole stride = picture->columns, margin = grid->margin, count = samples->weights.length;
    const float *weights = samples->weights.at;
    const float *reds = plane_of(picture, 0), *greens = plane_of(picture, 1), *blues = plane_of(picture, 2);
    for (whole y = y0; y < y1; y++) {
        uint8_t *row = directions->at + y * directions->columns;
        find_directions(tensor, grid, y, directions->columns, scratch, row);
        float *restrict into_red = row_in(made, 0, y + margin) + margin;
        float *restrict into_green = row_in(made, 1, y + margin) + margin;
        float *restrict into_blue = row_in(made, 2, y + margin) + margin;
        for (whole x = 0; x < directions->columns; x++) {
            const whole at = (y + margin) * stride + margin + x;
            const int32_t *line = samples->offsets.at + row[x] * samples->offsets.columns;
            float red = weights[0] * reds[at], green = weights[0] * greens[at], blue = weights[0] * blues[at];
            for (whole k = 1; k < count; k++) {
                const whole there = at + line[k], back = at - line[k];
                const float weight = weights[k];
                red += weight * (reds[there] + reds[back]);
                green += weight * (greens[there] + greens[back]);
                blue += weight * (blues[there] + blues[back]);
            }
            into_red[x] = red, into_green[x] = green, into_blue[x] = blue;
        }
    }
}

/* Towards the darkest pixel across the direction where smoothed luma is a valley, towards the lightest where it is a
   ridge. light: that luma, with margins. far: (DIRECTIONS, 1), how far across its second difference reaches. offsets: of
   the samples to one side. */
KERNEL(sharpen)
(const Floats3 *picture, const Bytes2 *directions, const Floats2 *light, const Whole2 *far, const Whole2 *offsets,
 whole margin, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole stride = picture->columns;
    const float *restrict reds = plane_of(picture, 0), *restrict greens = plane_of(picture, 1);
    const float *restrict blues = plane_of(picture, 2);
    float *restrict into_reds = plane_of(made, 0), *restrict into_greens = plane_of(made, 1);
    float *restrict into_blues = plane_of(made, 2);
    for (whole y = y0; y < y1; y++) {
        for (whole x = 0; x < directions->columns; x++) {
            const whole at = (y + margin) * stride + margin + x;
            const whole direction = directions->at[y * directions->columns + x], step = far->at[direction * far->columns];
            const float second = (light->at[at + step] + light->at[at - step] - 2.0f * light->at[at]) * PER_SHARP;
            const float weight = least(most(second, -1.0f), 1.0f), sign = weight > 0.0f ? 1.0f : -1.0f;
            const float own = sign * luma(reds[at], greens[at], blues[at]);
            float best = own;
            whole found = at;
            for (whole k = 0; k < offsets->columns; k++) {
                const whole offset = offsets->at[direction * offsets->columns + k];
                for (int side = 0; side < 2; side++) {
                    const whole there = side ? at - offset : at + offset;
                    const float value = sign * luma(reds[there], greens[there], blues[there]);
                    if (value < best) best = value, found = there;
                }
            }
            const float share = magnitude(weight) * least((own - best) * PER_GRAIN, 1.0f);
            into_reds[at] = reds[at] + share * (reds[found] - reds[at]);
            into_greens[at] = greens[at] + share * (greens[found] - greens[at]);
            into_blues[at] = blues[at] + share * (blues[found] - blues[at]);
        }
    }
}

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

/* Rows of what is left of each cell as it is, 0..1. scratch: columns + 2 radius, and three rows. */
KERNEL(corners)(const Floats3 *tensor, const Floats1 *weights, const Floats2 *left, float *scratch, whole y0, whole y1) {
    const whole columns = tensor->columns, padded = columns + weights->length - 1;
    float *restrict xx = scratch + padded, *restrict xy = xx + columns, *restrict yy = xy + columns;
    for (whole row = y0; row < y1; row++) {
        float *parts[3] = {xx, xy, yy};
        for (whole part = 0; part < 3; part++) {
            const Floats2 plane = part_of(tensor, part);
            smooth_row(&plane, weights, row, scratch, parts[part]);
        }
        float *restrict into = row_of(left, row);
        for (whole column = 0; column < columns; column++) {
            const float a = xx[column], b = xy[column], c = yy[column];
            const float smaller = 0.5f * (a + c - root((a - c) * (a - c) + 4.0f * b * b));
            const float share = between_0_and_1((root(most(smaller, 0.0f)) - LEAST_CORNER) * PER_CORNER);
            into[column] = share * share * (3.0f - 2.0f * share);
        }
    }
}

/* Where the pixels of an axis lie among cells. low, high, share: of each pixel the cells between whose middles it lies,
   and how far it is from the first to the second. */
typedef struct { Whole1 low, high; Floats1 share; } Places;

/* Rows of a brushed picture, with what it was before where cells are left as they are, and so much everywhere. scratch:
   columns of the cells. */
KERNEL(mix)
(const Floats3 *before, float strength, const Floats2 *left, const Places *down, const Places *across, whole margin,
 const Floats3 *picture, float *scratch, whole y0, whole y1) {
    float *restrict cells = scratch;
    const int32_t *restrict low = across->low.at, *restrict high = across->high.at;
    const float *restrict between = across->share.at;
    for (whole y = y0; y < y1; y++) {
        const float *upper = row_of(left, down->low.at[y]), *lower = row_of(left, down->high.at[y]);
        const float share = down->share.at[y];
        for (whole column = 0; column < left->columns; column++)
            cells[column] = upper[column] + share * (lower[column] - upper[column]);
        for (whole channel = 0; channel < 3; channel++) {
            const float *restrict own = row_in(before, channel, margin + y) + margin;
            float *restrict brushed = row_in(picture, channel, margin + y) + margin;
            for (whole x = 0; x < across->low.length; x++) {
                const float first = cells[low[x]];
                const float kept = first + between[x] * (cells[high[x]] - first);
                brushed[x] = own[x] + strength * (1.0f - kept) * (brushed[x] - own[x]);
            }
        }
    }
}
