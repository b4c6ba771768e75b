/* Masks of a frame at its pixels, and the film that comes into a painting by them. The reference is gpu.stages.masks. */

#include "kernels.h"

#undef abs
#define abs magnitude
#include "../../kernels/corners.h"
#include "../../kernels/masks.h"
#undef abs

#define REACH 4
#define SIDE MASK_SIDE

/* Four samples of an axis around a pixel, repeated at the ends, and how near they are. */
static inline void around(whole pixel, float per_pixel, whole *restrict numbers, float *restrict nearness) {
    const float place = ((float)pixel + 0.5f) * per_pixel - 0.5f;
    whole low = (whole)(place + 1.0f) - 1;
    for (whole k = 0; k < REACH; k++) {
        numbers[k] = clamped(low - 1 + k, 0, SIDE - 1);
        nearness[k] = spline((float)(low - 1 + k) - place);
    }
}

/* What a row of pixels is computed with, in the scratch. numbers, nearness: of each pixel the samples around it, REACH
   rows of columns. spread: samples of REACH rows of the masks at the pixels, as numbers says: [row % REACH][plane][REACH]
   rows of columns. sums: of faces, area and weights. */
typedef struct { float *lowest, *highest, *light, *nearness, *sums, *spread; int32_t *numbers; } Row;

static inline Row row_in_scratch(float *scratch, whole columns) {
    Row row = {.lowest = scratch, .highest = scratch + SIDE, .light = scratch + 2 * SIDE};
    row.nearness = row.light + columns, row.sums = row.nearness + REACH * columns;
    row.spread = row.sums + 3 * columns;
    row.numbers = (int32_t *)(row.spread + REACH * 3 * REACH * columns);
    return row;
}

/* The least and the largest share of the film of each column of samples, of rows first to last. */
static inline void extremes(const Floats3 *samples, float faces, float inside, float outside, whole first, whole last,
                            const Row *made) {
    float *restrict lowest = made->lowest, *restrict highest = made->highest;
    for (whole x = 0; x < SIDE; x++) lowest[x] = 1.0f, highest[x] = 0.0f;
    for (whole row = first; row <= last; row++) {
        const float *restrict face = plane_of(samples, 0) + row * SIDE, *restrict area = plane_of(samples, 1) + row * SIDE;
        for (whole x = 0; x < SIDE; x++) {
            const float in_face = faces * face[x], value = most(in_face, inside * area[x] + outside * (1.0f - area[x]));
            lowest[x] = least(lowest[x], value), highest[x] = most(highest[x], value);
        }
    }
}

/* Whether all samples around a pixel say the same. */
static inline int alike_around(const Row *row, whole columns, whole x) {
    float low = 1.0f, high = 0.0f;
    for (whole i = 0; i < REACH; i++) {
        const int32_t at = row->numbers[i * columns + x];
        low = least(low, row->lowest[at]), high = most(high, row->highest[at]);
    }
    return low == high;
}

/* Add the samples of one place around pixels first to last, weighed by how near and how like they are. */
static void weigh(whole first, whole last, float near_row, const float *restrict nearness, const float *restrict light,
                  const float *restrict face, const float *restrict area, const float *restrict guide,
                  float *restrict in_face, float *restrict in_area, float *restrict total) {
    const float per_luma = 1.0f / ALIKE_LUMA;
    for (whole x = first; x < last; x++) {
        const float weight = near_row * nearness[x] * likeness((guide[x] - light[x]) * per_luma);
        in_face[x] += weight * face[x], in_area[x] += weight * area[x], total[x] += weight;
    }
}

/* Rows of how much of a film is mixed in. samples: planes of faces, area and luma. made: as large as the film's picture.
   scratch: twice SIDE, and 60 times the columns. */
KERNEL(mask_share)
(const Planes *film, const Floats3 *samples, float faces, float inside, float outside, const Floats2 *made, float *scratch,
 whole y0, whole y1) {
    const whole columns = made->columns;
    const float per_column = (float)SIDE / (float)columns, per_row = (float)SIDE / (float)made->rows;
    const Row row = row_in_scratch(scratch, columns);
    whole rows[REACH], numbers[REACH], spread_row[REACH] = {-1, -1, -1, -1};
    float down[REACH], across[REACH];
    for (whole x = 0; x < columns; x++) {
        around(x, per_column, numbers, across);
        for (whole i = 0; i < REACH; i++)
            row.numbers[i * columns + x] = (int32_t)numbers[i], row.nearness[i * columns + x] = across[i];
    }
    /* Where all samples around say the same, no mean is needed: most of a frame. */
    around(y0, per_row, rows, down);
    const whole top = rows[0];
    around(y1 - 1, per_row, rows, down);
    extremes(samples, faces, inside, outside, top, rows[REACH - 1], &row);
    whole left = 0, right = columns;
    while (left < right && alike_around(&row, columns, left)) left++;
    while (right > left && alike_around(&row, columns, right - 1)) right--;
    for (whole y = y0; y < y1; y++) {
        around(y, per_row, rows, down);
        float *restrict into = row_of(made, y);
        extremes(samples, faces, inside, outside, rows[0], rows[REACH - 1], &row);
        for (whole x = 0; x < columns; x++) into[x] = row.lowest[row.numbers[x]];
        whole first = left, last = right;
        while (first < last && alike_around(&row, columns, first)) first++;
        while (last > first && alike_around(&row, columns, last - 1)) last--;
        if (first == last) continue;
        for (whole j = 0; j < REACH; j++) {
            const whole slot = rows[j] % REACH;
            if (spread_row[slot] == rows[j]) continue;
            spread_row[slot] = rows[j];
            for (whole plane = 0; plane < 3; plane++)
                for (whole i = 0; i < REACH; i++) {
                    const float *restrict from = plane_of(samples, plane) + rows[j] * SIDE;
                    const int32_t *restrict at = row.numbers + i * columns;
                    float *restrict to = row.spread + ((slot * 3 + plane) * REACH + i) * columns;
                    for (whole x = left; x < right; x++) to[x] = from[at[x]];
                }
        }
        const float *red = film->at + y * film->row_stride;
        const float *green = red + film->plane_stride, *blue = green + film->plane_stride;
        float *restrict light = row.light;
        float *in_face = row.sums, *in_area = in_face + columns, *total = in_area + columns;
        for (whole x = first; x < last; x++) {
            light[x] = luma(red[x], green[x], blue[x]);
            in_face[x] = 0.0f, in_area[x] = 0.0f, total[x] = 0.0f;
        }
        for (whole j = 0; j < REACH; j++)
            for (whole i = 0; i < REACH; i++) {
                const float *face = row.spread + (rows[j] % REACH * 3 * REACH + i) * columns;
                weigh(first, last, down[j], row.nearness + i * columns, row.light, face, face + REACH * columns,
                      face + 2 * REACH * columns, in_face, in_area, total);
            }
        for (whole x = first; x < last; x++) {
            if (alike_around(&row, columns, x)) continue;
            const float here = in_area[x] / total[x];
            into[x] = most(faces * (in_face[x] / total[x]), inside * here + outside * (1.0f - here));
        }
    }
}

/* Between the samples of an axis of so many, enlarged: the two around a pixel, and how far it is between them. */
static inline float between_two(whole pixel, whole scale, whole count, whole *low, whole *high) {
    const whole halves = 2 * pixel + 1 - scale, step = 2 * scale;
    const whole first = (halves + step) / step - 1;
    *low = clamped(first, 0, count - 1), *high = clamped(first + 1, 0, count - 1);
    return (float)(halves - first * step) / (float)step;
}

/* Rows of a network's picture with the film in it. film: what the network got. share: of its picture. scale: how much
   the network enlarges. scratch: none. */
KERNEL(film_mixed)
(const Planes *film, const Floats2 *share, whole scale, const Planes *styled, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        whole top, bottom, left, right;
        const float down = between_two(y, scale, share->rows, &top, &bottom);
        const float *restrict upper = row_of(share, top), *restrict lower = row_of(share, bottom);
        for (whole channel = 0; channel < 3; channel++) {
            const float *plane = film->at + channel * film->plane_stride;
            const float *restrict above = plane + top * film->row_stride, *restrict below = plane + bottom * film->row_stride;
            float *restrict into = styled->at + channel * styled->plane_stride + y * styled->row_stride;
            if (scale == 1) {
                for (whole x = 0; x < share->columns; x++) into[x] += upper[x] * (above[x] - into[x]);
                continue;
            }
            for (whole x = 0; x < scale * share->columns; x++) {
                const float over = between_two(x, scale, share->columns, &left, &right);
                const float first = upper[left] + down * (lower[left] - upper[left]);
                const float second = upper[right] + down * (lower[right] - upper[right]);
                const float one = above[left] + down * (below[left] - above[left]);
                const float two = above[right] + down * (below[right] - above[right]);
                into[x] += (first + over * (second - first)) * (one + over * (two - one) - into[x]);
            }
        }
    }
}
