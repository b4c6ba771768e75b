/* Relief and canvas. The reference is gpu.reference.relief. */

#include "cells.h"

/* How thick paint is in rows of cells, by how far luma lies from its broad mean around each. scratch: columns and
   2 radius. */
KERNEL(thickness)
(const Floats2 *light, const Floats2 *broad, const Floats1 *weights, const Floats2 *thick, float *scratch, whole y0,
 whole y1) {
    const whole columns = light->columns, radius = weights->length / 2;
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
        for (whole x = 0; x < columns; x++) into[x] = least(most(root(into[x]) * PER_THICK_LUMA, THIN), 1.0f);
    }
}

/* Where bristles look up their noise. far: (2, 2, rows, columns), how far away, for both ways y and x, at the middle of a
   block. down, over: (3, H) and (3, W), for each pixel the two blocks that it lies between, and its share of the second,
   in BLOCK_PX. rows, columns: in the noise, for y and x plus how far away. */
typedef struct { Whole4 far; Whole2 down, over; Whole1 rows, columns; } Ways;

/* The mean of noise along a line. */
static inline float hair(const float *noise, whole middle, const int32_t *line, const Floats1 *weights) {
    float total = weights->at[0] * noise[middle];
    for (whole k = 1; k < weights->length; k++)
        total += weights->at[k] * (noise[middle + line[k]] + noise[middle - line[k]]);
    return total;
}

/* Noise averaged along the strokes, looked up where both ways lead. first: the weight of the first one. made: with
   margins. scratch: columns of the cells and twice the width, two rows of blocks, both places of each pixel, and its
   direction. */
KERNEL(bristles)
(const Floats3 *tensor, const Grid *grid, const Floats1 *noise, const Samples *samples, const Ways *ways, float first,
 const Floats2 *made, float *scratch, whole y0, whole y1) {
    const whole width = ways->over.columns, block = BLOCK_PX * BLOCK_PX, across = ways->far.columns;
    int32_t *restrict mixed = (int32_t *)(scratch + tensor->columns + 2 * width);
    int32_t *restrict places = mixed + 2 * across;
    uint8_t *restrict directions = (uint8_t *)(places + 2 * width);
    const int32_t *down = ways->down.at, *over = ways->over.at;
    for (whole y = y0; y < y1; y++) {
        find_directions(tensor, grid, y, width, scratch, directions);
        const int32_t beyond = down[2 * ways->down.columns + y];
        for (whole way = 0; way < 2; way++) {
            for (whole axis = 0; axis < 2; axis++) {
                const int32_t *far = ways->far.at + (way * 2 + axis) * ways->far.rows * across;
                const int32_t *above = far + down[y] * across, *below = far + down[ways->down.columns + y] * across;
                for (whole column = 0; column < across; column++)
                    mixed[axis * across + column] = (BLOCK_PX - beyond) * above[column] + beyond * below[column];
            }
            for (whole x = 0; x < width; x++) {
                const int32_t left = over[x], right = over[width + x], share = over[2 * width + x];
                const int32_t far_y = (BLOCK_PX - share) * mixed[left] + share * mixed[right];
                const int32_t far_x = (BLOCK_PX - share) * mixed[across + left] + share * mixed[across + right];
                const int32_t row = ways->rows.at[y + (far_y + block / 2) / block];
                places[way * width + x] = row + ways->columns.at[x + (far_x + block / 2) / block];
            }
        }
        float *restrict into = row_of(made, y + grid->margin) + grid->margin;
        for (whole x = 0; x < width; x++) {
            const int32_t *line = samples->offsets.at + directions[x] * samples->offsets.columns;
            const int32_t here = places[x], there = places[width + x];
            float found = hair(noise->at, here + line[0], line, &samples->weights);
            if (here != there) {
                const float other = hair(noise->at, there + line[0], line, &samples->weights);
                found = other + first * (found - other);
            }
            into[x] = found;
        }
    }
}

/* Heights in pixels, of paint with the bristles that they are before, and of the canvas where paint is thin. warp, weft:
   threads along x and y. heights: with margins, of which one pixel to each side is filled. scratch: columns of the cells
   and twice the width. */
KERNEL(raise_paint)
(const Floats3 *picture, const Floats2 *broad, const Floats2 *thick, const Grid *grid, float height, float ground,
 const Floats2 *warp, const Floats2 *weft, const Floats2 *heights, float *scratch, whole y0, whole y1) {
    const whole margin = grid->margin, width = warp->columns;
    float *restrict around = scratch + broad->columns, *restrict body = around + width;
    for (whole y = y0; y < y1; y++) {
        between(broad, grid, y, margin, width, scratch, around);
        between(thick, grid, y, margin, width, scratch, body);
        const float *restrict red = row_in(picture, 0, y + margin) + margin;
        const float *restrict green = row_in(picture, 1, y + margin) + margin;
        const float *restrict blue = row_in(picture, 2, y + margin) + margin;
        const float *restrict along = row_of(warp, 0), *restrict rise = row_of(warp, 1), *restrict wave = row_of(warp, 2);
        const float weft_0 = row_of(weft, 0)[y], weft_1 = row_of(weft, 1)[y], weft_2 = row_of(weft, 2)[y];
        float *restrict line = row_of(heights, y + margin) + margin;
        for (whole x = 0; x < width; x++) {
            float own = luma(red[x], green[x], blue[x]) - around[x];
            own = least(most(own * PER_BODY_LUMA, -BODY_MOST), BODY_MOST);
            const float over = along[x] + rise[x] * weft_2, under = weft_0 - weft_1 * wave[x];
            const float canvas = ground * (1.0f - WEAVE_COVER * body[x]) * most(over, under);
            line[x] = height * body[x] * (BODY_SHARE * own + BRISTLE_SHARE * line[x]) + canvas;
        }
        line[-1] = line[0], line[width] = line[width - 1];
    }
}

_Static_assert(GLEAM_POWER == 60, "gleam_of has no other power");

/* The sixtieth power, without a loop, so that the compiler makes vectors of its callers. */
static inline float gleam_of(float glance) {
    const float to_4 = glance * glance * (glance * glance), to_8 = to_4 * to_4, to_16 = to_8 * to_8;
    return to_4 * to_8 * to_16 * (to_16 * to_16);
}

/* The table's entries nearest to values 0..1. The places are found before anything is fetched, for vectors of places are
   quick where those of fetches are not. */
static inline void look_up(const Floats1 *table, const float *restrict values, whole count, int32_t *restrict index,
                           float *restrict made) {
    const float last = (float)(table->length - 1);
    for (whole x = 0; x < count; x++) index[x] = (int32_t)(values[x] * last + 0.5f);
    for (whole x = 0; x < count; x++) made[x] = table->at[index[x]];
}

#define SOBEL (1.0f / 8.0f)

/* A picture under the lamp. lamp: (2, 3), the directions to it and half-way between it and the eye. gleam: its
   brightness. rest: what it is where the picture is level. to_light, from_light: between encoded and linear, 0..1.
   scratch: four times the width. */
KERNEL(shine)
(const Floats2 *heights, const Floats2 *lamp, float gleam, float rest, const Floats1 *to_light, const Floats1 *from_light,
 whole margin, const Floats3 *picture, float *scratch, whole y0, whole y1) {
    const whole height = picture->rows - 2 * margin, width = picture->columns - 2 * margin;
    float *restrict diffuse = scratch, *restrict bright = diffuse + width, *restrict linear = bright + width;
    int32_t *restrict index = (int32_t *)(linear + width);
    const float *light = row_of(lamp, 0), *half = row_of(lamp, 1);
    for (whole y = y0; y < y1; y++) {
        const float *above = row_of(heights, most_of(y - 1, 0) + margin) + margin;
        const float *here = row_of(heights, y + margin) + margin;
        const float *below = row_of(heights, least_of(y + 1, height - 1) + margin) + margin;
        for (whole x = 0; x < width; x++) {
            const whole l = x - 1, r = x + 1;
            const float gx = SOBEL * (above[r] - above[l] + 2.0f * (here[r] - here[l]) + below[r] - below[l]);
            const float gy = SOBEL * (below[l] - above[l] + 2.0f * (below[x] - above[x]) + below[r] - above[r]);
            const float length = root(1.0f + gx * gx + gy * gy);
            const float facing = (light[2] - gx * light[0] - gy * light[1]) / (length * light[2]);
            const float glance = most((half[2] - gx * half[0] - gy * half[1]) / length, 0.0f);
            diffuse[x] = most(facing, 0.0f);
            bright[x] = gleam * (gleam_of(glance) - rest);
        }
        for (whole channel = 0; channel < 3; channel++) {
            float *restrict row = row_in(picture, channel, y + margin) + margin;
            look_up(to_light, row, width, index, linear);
            for (whole x = 0; x < width; x++) linear[x] = between_0_and_1(linear[x] * diffuse[x] + bright[x]);
            look_up(from_light, linear, width, index, row);
        }
    }
}
