/* Relief and canvas. The reference is gpu.stages.relief.reference. */

#include "cells.h"

/* Of a whole exponent, 0 to 63, without a loop, so that the compiler makes vectors of its callers. */
static inline float power_of(float base, float exponent) {
    const int32_t bits = (int32_t)exponent;
    const float to_2 = base * base, to_4 = to_2 * to_2, to_8 = to_4 * to_4, to_16 = to_8 * to_8, to_32 = to_16 * to_16;
    return (bits & 1 ? base : 1.0f) * (bits & 2 ? to_2 : 1.0f) * (bits & 4 ? to_4 : 1.0f) * (bits & 8 ? to_8 : 1.0f)
           * (bits & 16 ? to_16 : 1.0f) * (bits & 32 ? to_32 : 1.0f);
}

#define pow(base, exponent) power_of(base, exponent)
#define LIGHTING const Lighting *lighting,
#define LIT(name) lighting->name
#include "../../kernels/relief.h"

/* Rows of a painting within 0..1, and 0 where it is not finite: `finite` becomes 0 then. scratch: none. */
KERNEL(take_painting)
(const Planes *painted, const Planes *made, const Whole1 *finite, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole channel = 0; channel < 3; channel++)
        for (whole y = y0; y < y1; y++) {
            const float *restrict from = painted->at + channel * painted->plane_stride + y * painted->row_stride;
            float *restrict into = made->at + channel * made->plane_stride + y * made->row_stride;
            if (!take_row(from, made->columns, into)) finite->at[0] = 0;
        }
}

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

/* How thick paint is in rows of cells, by how far luma lies from its broad mean around each. scratch: columns and
   2 radius. */
KERNEL(thickness)
(const Floats2 *light, const Floats2 *broad, const Floats1 *weights, const Floats1 *relief, const Floats2 *thick,
 float *scratch, whole y0, whole y1) {
    const whole columns = light->columns, radius = weights->length / 2;
    const Lighting *lighting = (const Lighting *)relief->at;
    float *restrict inner = scratch + radius;
    for (whole y = y0; y < y1; y++) {
        for (whole x = 0; x < columns; x++) inner[x] = 0.0f;
        for (whole k = 0; k < weights->length; k++) {
            const whole row = clamped(y + k - radius, 0, light->rows - 1);
            const float *restrict own = row_of(light, row), *restrict mean = row_of(broad, row), weight = weights->at[k];
            for (whole x = 0; x < columns; x++) inner[x] += weight * ((own[x] - mean[x]) * (own[x] - mean[x]));
        }
        float *restrict into = row_of(thick, y);
        smooth_along(scratch, weights, columns, into);
        for (whole x = 0; x < columns; x++) into[x] = thickness_of(lighting, root(into[x]) * PER_THICK_LUMA);
    }
}

/* Heights in pixels, of paint and of the canvas where it is thin. strokes: (5, H, W) as `mix` leaves them; of no rows where
   there are none. warp, weft: threads along x and y. heights: with margins, of which one pixel to each side is filled.
   scratch: columns of the cells and three times the width. */
KERNEL(raise_paint)
(const Floats3 *picture, const Floats3 *strokes, const Floats2 *broad, const Floats2 *thick, const Grid *grid,
 const Floats1 *relief, const Floats2 *warp, const Floats2 *weft, const Floats2 *heights, float *scratch, whole y0,
 whole y1) {
    const whole margin = grid->margin, width = warp->columns;
    const Lighting *lighting = (const Lighting *)relief->at;
    float *restrict around = scratch + broad->columns, *restrict body = around + width, *restrict none = body + width;
    for (whole x = 0; x < width; x++) none[x] = 0.0f;
    for (whole y = y0; y < y1; y++) {
        between(broad, grid, y, margin, width, scratch, around);
        between(thick, grid, y, margin, width, scratch, body);
        const float *restrict red = row_in(picture, 0, y + margin) + margin;
        const float *restrict green = row_in(picture, 1, y + margin) + margin;
        const float *restrict blue = row_in(picture, 2, y + margin) + margin;
        const float *restrict along = row_of(warp, 0), *restrict rise = row_of(warp, 1), *restrict wave = row_of(warp, 2);
        const float weft_0 = row_of(weft, 0)[y], weft_1 = row_of(weft, 1)[y], weft_2 = row_of(weft, 2)[y];
        float *restrict line = row_of(heights, y + margin) + margin;
        const float *restrict raised = strokes->rows ? row_in(strokes, HEIGHT, y) : none;
        const float *restrict covered = strokes->rows ? row_in(strokes, COVER, y) : none;
        for (whole x = 0; x < width; x++) {
            const float woven = most(along[x] + rise[x] * weft_2, weft_0 - weft_1 * wave[x]);
            const float apart = (luma(red[x], green[x], blue[x]) - around[x]) * PER_BODY_LUMA;
            line[x] = height_of(lighting, apart, body[x], woven, raised[x], covered[x]);
        }
        line[-1] = line[0], line[width] = line[width - 1];
    }
}

/* The table's entries nearest to values 0..1. The places are found before anything is fetched, for vectors of places are
   quick where those of fetches are not. */
static inline void look_up(const Floats1 *table, const float *restrict values, whole count, int32_t *restrict index,
                           float *restrict made) {
    const float last = (float)(table->length - 1);
    for (whole x = 0; x < count; x++) index[x] = (int32_t)(values[x] * last + 0.5f);
    for (whole x = 0; x < count; x++) made[x] = table->at[index[x]];
}

/* A picture under the lamp. to_light, from_light: between encoded and linear, 0..1. scratch: four times the width. */
KERNEL(shine)
(const Floats2 *heights, const Floats1 *relief, const Floats1 *to_light, const Floats1 *from_light, whole margin,
 const Floats3 *picture, float *scratch, whole y0, whole y1) {
    const whole height = picture->rows - 2 * margin, width = picture->columns - 2 * margin;
    float *restrict diffuse = scratch, *restrict bright = diffuse + width, *restrict linear = bright + width;
    int32_t *restrict index = (int32_t *)(linear + width);
    const Lighting *lighting = (const Lighting *)relief->at;
    const float *light = lighting->light, *half = lighting->half_way;
    for (whole y = y0; y < y1; y++) {
        const float *above = row_of(heights, most_of(y - 1, 0) + margin) + margin;
        const float *here = row_of(heights, y + margin) + margin;
        const float *below = row_of(heights, least_of(y + 1, height - 1) + margin) + margin;
        for (whole x = 0; x < width; x++) {
            const whole l = x - 1, r = x + 1;
            const float gx = slope_of(above[l], here[l], below[l], above[r], here[r], below[r]);
            const float gy = slope_of(above[l], above[x], above[r], below[l], below[x], below[r]);
            const float length = root(1.0f + gx * gx + gy * gy);
            const float facing = (light[2] - gx * light[0] - gy * light[1]) / (length * light[2]);
            diffuse[x] = diffuse_of(lighting, facing);
            bright[x] = gleam_of(lighting, (half[2] - gx * half[0] - gy * half[1]) / length);
        }
        for (whole channel = 0; channel < 3; channel++) {
            float *restrict row = row_in(picture, channel, y + margin) + margin;
            look_up(to_light, row, width, index, linear);
            for (whole x = 0; x < width; x++) linear[x] = lit_by(linear[x], diffuse[x], bright[x]);
            look_up(from_light, linear, width, index, row);
        }
    }
}
