/* The filter over time. The reference is gpu.stages.steady.reference. */

#include "blocks.h"

/* R' + 2 G' + B' in codes of 8 bits. */
static inline int16_t level_of(float red, float green, float blue) {
    return (int16_t)(255.0f * (green + green + red + blue) + 0.5f);
}

/* Rows of the working size: what neighbours need of a frame and of its painting (3, >=H * scale, >=W * scale). source: the
   film in sixteenths of a code. clean: the painting within 0..1, and 0 where it is not finite: `finite` becomes 0 then. fine:
   levels of the mean of both. scratch: none. */
KERNEL(keep_painting)
(const Planes *frame, const Planes *styled, whole scale, const Shorts3 *source, const Floats3 *clean, const Shorts2 *fine,
 const Whole1 *finite, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole width = source->columns, area = source->rows * width, middle = scale / 2;
    for (whole y = y0; y < y1; y++) {
        for (whole channel = 0; channel < 3; channel++) {
            const float *restrict film = frame->at + channel * frame->plane_stride + y * frame->row_stride;
            int16_t *restrict codes = source->at + channel * area + y * width;
            for (whole x = 0; x < width; x++) codes[x] = (int16_t)(film[x] * (255.0f * SIXTEENTHS) + 0.5f);
            for (whole row = scale * y; row < scale * (y + 1); row++) {
                const float *restrict painted = styled->at + channel * styled->plane_stride + row * styled->row_stride;
                float *restrict into = row_in(clean, channel, row);
                if (!take_row(painted, clean->columns, into)) finite->at[0] = 0;
            }
        }
        const float *red = frame->at + y * frame->row_stride, *green = red + frame->plane_stride;
        const float *blue = green + frame->plane_stride;
        const float *shown_red = row_in(clean, 0, scale * y + middle) + middle;
        const float *shown_green = row_in(clean, 1, scale * y + middle) + middle;
        const float *shown_blue = row_in(clean, 2, scale * y + middle) + middle;
        int16_t *restrict into = fine->at + y * width;
        for (whole x = 0; x < width; x++) {
            const int16_t film = level_of(red[x], green[x], blue[x]);
            const whole at = scale * x;
            into[x] = (int16_t)((film + level_of(shown_red[at], shown_green[at], shown_blue[at]) + 1) / 2);
        }
    }
}

/* Rows of blocks: where each is found in a neighbour, (2, rows, columns), y and x in pixels. fine, cells: levels, and their
   means over cells. scratch: none. */
KERNEL(steady_motion)
(const Shorts2 *fine, const Shorts2 *cells, const Shorts2 *near_fine, const Shorts2 *near_cells, const Whole3 *vectors,
 float *scratch, whole y0, whole y1) {
    (void)scratch;
    enum { coarse_side = SIDE_OF(COARSE_CELLS, 1), side = SIDE_OF(FINE_PX, STEP_PX) };
    const whole columns = vectors->columns, blocks = vectors->rows * columns;
    int16_t own[SAMPLES * SAMPLES], means[SAMPLES * SAMPLES], around[coarse_side * coarse_side], area[side * side];
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const whole y = row * BLOCK_PX, x = column * BLOCK_PX;
            int32_t *found = vectors->at + row * columns + column;
            found[0] = found[blocks] = 0;
            take_square(fine, y, x, SAMPLES, STEP_PX, own);
            const int32_t resting = cost_at(own, near_fine, y, x);
            if (resting <= REST_BIAS) continue;
            const whole cell_y = (y + BLOCK_PX / 2) / CELL_PX - SAMPLES / 2, cell_x = (x + BLOCK_PX / 2) / CELL_PX - SAMPLES / 2;
            whole down = 0, over = 0, steps_y = 0, steps_x = 0;
            take_square(cells, cell_y, cell_x, SAMPLES, 1, means);
            take_square(near_cells, cell_y - COARSE_CELLS, cell_x - COARSE_CELLS, coarse_side, 1, around);
            search(means, around, coarse_side, COARSE_CELLS, 1, &down, &over);
            down *= CELL_PX, over *= CELL_PX;
            take_square(near_fine, y + down - FINE_PX, x + over - FINE_PX, side, 1, area);
            search(own, area, side, FINE_PX, STEP_PX, &steps_y, &steps_x);
            const int32_t steps = (int32_t)((steps_y < 0 ? -steps_y : steps_y) + (steps_x < 0 ? -steps_x : steps_x));
            const int32_t cost = apart(own, area + (steps_y + FINE_PX) * side + steps_x + FINE_PX, side, STEP_PX);
            if (cost + STEP_BIAS * steps + REST_BIAS < resting)
                found[0] = (int32_t)(down + steps_y), found[blocks] = (int32_t)(over + steps_x);
        }
}

/* Rows of blocks: how much of each is found where its vector leads, 0..1. scratch: none. */
KERNEL(match_confidence)
(const Shorts2 *fine, const Shorts2 *near_fine, const Whole3 *vectors, const Floats2 *sure, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole columns = vectors->columns, blocks = vectors->rows * columns;
    int16_t own[SAMPLES * SAMPLES], there[SAMPLES * SAMPLES];
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const int32_t *vector = vectors->at + row * columns + column;
            take_square(fine, row * BLOCK_PX, column * BLOCK_PX, SAMPLES, STEP_PX, own);
            take_square(near_fine, row * BLOCK_PX + vector[0], column * BLOCK_PX + vector[blocks], SAMPLES, STEP_PX, there);
            const int32_t varied = deviation(own, SAMPLES, 1) + deviation(there, SAMPLES, 1) + SURE_NOISE;
            const double share = 2.0 - (double)apart(own, there, SAMPLES, 1) / (varied * (double)SURE_SHARE);
            row_of(sure, row)[column] = (float)(share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share);
        }
}

/* Rows of blocks: how sure they are, at each column. made: (3, rows, W), in their middle row; and what is added to that to
   the middle row of the one above, and below. scratch: none. As gpu.stages.steady.reference.between_blocks has it. */
KERNEL(sure_between)
(const Floats2 *sure, const Whole3 *vectors, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole columns = vectors->columns, blocks = vectors->rows * columns;
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const int32_t *own = vectors->at + row * columns + column;
            float around[3][3];
            for (whole j = 0; j < 3; j++)
                for (whole i = 0; i < 3; i++) {
                    const whole at = clamped(row + j - 1, 0, vectors->rows - 1) * columns + clamped(column + i - 1, 0, columns - 1);
                    const int32_t down = vectors->at[at] - own[0], over = vectors->at[blocks + at] - own[blocks];
                    const int together = (down < 0 ? -down : down) + (over < 0 ? -over : over) <= TOGETHER_PX;
                    around[j][i] = together ? sure->at[at] : -row_of(sure, row)[column];
                }
            for (whole x = column * BLOCK_PX; x < least_of((column + 1) * BLOCK_PX, made->columns); x++) {
                const float far = ((float)(int32_t)(x % BLOCK_PX) + 0.5f) / (float)BLOCK_PX - 0.5f;
                float here[3];
                for (whole j = 0; j < 3; j++)
                    here[j] = around[j][1] + (around[j][far < 0.0f ? 0 : 2] - around[j][1]) * magnitude(far);
                row_in(made, 0, row)[x] = here[1];
                row_in(made, 1, row)[x] = here[0] - here[1], row_in(made, 2, row)[x] = here[2] - here[1];
            }
        }
}

/* A row of the largest differences of a channel between a frame and a neighbour, moved by the vectors of its blocks; and
   their sums over three of its samples, the ends repeated. */
static inline void find_differences(const Shorts3 *own, const Shorts3 *other, const Whole3 *vectors, whole y,
                                    int32_t *restrict found, int32_t *restrict sums) {
    const whole width = own->columns, height = own->rows, block_row = y / BLOCK_PX, area = width * height;
    const int32_t *down = vectors->at + block_row * vectors->columns, *over = down + vectors->rows * vectors->columns;
    for (whole block = 0; block < vectors->columns; block++) {
        const whole begin = block * BLOCK_PX, end = least_of(begin + BLOCK_PX, width), aside = over[block];
        const int16_t *here = own->at + y * width;
        const int16_t *there = other->at + clamped(y + down[block], 0, height - 1) * width;
        const int inside = begin + aside >= 0 && end + aside <= width;
        int16_t moved[BLOCK_PX];
        for (whole x = begin; x < end; x++) found[x] = 0;
        for (whole channel = 0; channel < 3; channel++, here += area, there += area) {
            const int16_t *beside = there + begin + aside;
            if (!inside) {
                for (whole x = begin; x < end; x++) moved[x - begin] = there[clamped(x + aside, 0, width - 1)];
                beside = moved;
            }
            for (whole x = begin; x < end; x++) {
                const int32_t apart = (int32_t)here[x] - beside[x - begin], size = apart < 0 ? -apart : apart;
                found[x] = size > found[x] ? size : found[x];
            }
        }
    }
    for (whole x = 1; x < width - 1; x++) sums[x] = found[x - 1] + found[x] + found[x + 1];
    sums[0] = found[0] + found[0] + found[least_of(1, width - 1)];
    sums[width - 1] = found[most_of(width - 2, 0)] + found[width - 1] + found[width - 1];
}

/* Rows of the working size: a neighbour's painting, and its weight, are added to what is there. own, other: the film in
   sixteenths of a code. painted: (3, H * scale, W * scale). bad: where that counts for nothing, or of no rows. vectors: of
   blocks, in pixels. sure: (3, rows of blocks, W), how sure a block's middle row is, and what is added to the middle row of the
   one above and below. per_likeness: what a sample's nearness is multiplied by. total, weights: as painted. scratch:
   seven rows, and one of the painting. */
KERNEL(add_neighbour)
(const Shorts3 *own, const Shorts3 *other, const Floats3 *painted, const Bytes2 *bad, const Whole3 *vectors,
 const Floats3 *sure, whole scale, float per_likeness, const Floats3 *total, const Floats2 *weights, float *scratch, whole y0,
 whole y1) {
    const whole width = own->columns, height = own->rows, wide = scale * width, high = scale * height;
    int32_t *found = (int32_t *)scratch, *sums = found + 3 * width;
    float *weight = scratch + 6 * width, *large = scale == 1 ? weight : weight + width;
    whole known = most_of(y0 - 1, 0);  /* rows before it have their differences */
    for (whole y = y0; y < y1; y++) {
        for (; known <= least_of(y + 1, height - 1); known++)
            find_differences(own, other, vectors, known, found + known % 3 * width, sums + known % 3 * width);
        const whole block_row = y / BLOCK_PX;
        const float far = ((float)(int32_t)(y % BLOCK_PX) + 0.5f) / (float)BLOCK_PX - 0.5f, away = magnitude(far);
        const float *restrict middle = row_in(sure, 0, block_row), *restrict step = row_in(sure, far > 0.0f ? 2 : 1, block_row);
        const int32_t *restrict above = sums + most_of(y - 1, 0) % 3 * width, *restrict here = sums + y % 3 * width;
        const int32_t *restrict below = sums + least_of(y + 1, height - 1) % 3 * width;
        const int32_t *restrict own_row = found + y % 3 * width;
        for (whole x = 0; x < width; x++) {
            const int32_t around = above[x] + here[x] + below[x], alone = 9 * own_row[x] / 2;
            const float nearness = (float)(around > alone ? around : alone);
            weight[x] = between_0_and_1(nearness * per_likeness + 2.0f) * most(step[x] * away + middle[x], 0.0f);
        }
        const int32_t *down = vectors->at + block_row * vectors->columns, *over = down + vectors->rows * vectors->columns;
        for (whole row = scale * y; row < scale * (y + 1); row++) {
            for (whole x = 0; x < width && scale > 1; x++)
                for (whole i = 0; i < scale; i++) large[scale * x + i] = weight[x];
            for (whole block = 0; block < vectors->columns; block++) {
                const whole begin = scale * block * BLOCK_PX, end = least_of(begin + scale * BLOCK_PX, wide);
                const whole aside = scale * over[block], from = clamped(row + scale * down[block], 0, high - 1);
                const int inside = begin + aside >= 0 && end + aside <= wide;
                if (bad->rows)
                    for (whole x = begin; x < end; x++)
                        if (bad->at[from * wide + clamped(x + aside, 0, wide - 1)]) large[x] = 0.0f;
                for (whole channel = 0; channel < 3; channel++) {
                    const float *restrict there = row_in(painted, channel, from);
                    float *restrict into = row_in(total, channel, row);
                    if (inside)
                        for (whole x = begin; x < end; x++) into[x] += there[x + aside] * large[x];
                    else
                        for (whole x = begin; x < end; x++) into[x] += there[clamped(x + aside, 0, wide - 1)] * large[x];
                }
            }
            float *restrict sum = row_of(weights, row);
            for (whole x = 0; x < wide; x++) sum[x] += large[x];
        }
    }
}
