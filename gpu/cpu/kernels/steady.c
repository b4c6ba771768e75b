/* The filter over time. The reference is gpu.stages.steady.reference. */

#include "kernels.h"

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
   one above and below. per_likeness: what a sample's nearness is multiplied by. total: as painted. weights: of the rows
   from `first` on. scratch: seven rows, and one of the painting. */
KERNEL(add_neighbour)
(const Shorts3 *own, const Shorts3 *other, const Floats3 *painted, const Bytes2 *bad, const Whole3 *vectors,
 const Floats3 *sure, whole scale, float per_likeness, const Floats3 *total, const Floats2 *weights, whole first,
 float *scratch, whole y0, whole y1) {
    const whole width = own->columns, height = own->rows, wide = scale * width, high = scale * height;
    int32_t *found = (int32_t *)scratch, *sums = found + 3 * width;
    float *restrict weight = scratch + 6 * width, *restrict large = weight + width;
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
            for (whole x = 0; x < wide; x++) large[x] = weight[x / scale];
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
            float *restrict sum = row_of(weights, row - scale * first);
            for (whole x = 0; x < wide; x++) sum[x] += large[x];
        }
    }
}
