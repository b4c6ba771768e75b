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

/* Rows of how much of a film is mixed in. samples: planes of faces, area and luma. made: as large as the film's picture.
   scratch: twice SIDE, the least and the largest samples of each column of those around a row. */
KERNEL(mask_share)
(const Planes *film, const Floats3 *samples, float faces, float inside, float outside, const Floats2 *made, float *scratch,
 whole y0, whole y1) {
    const float per_column = (float)SIDE / (float)made->columns, per_row = (float)SIDE / (float)made->rows;
    const float per_luma = 1.0f / ALIKE_LUMA;
    const float *face = plane_of(samples, 0), *area = plane_of(samples, 1), *guide = plane_of(samples, 2);
    float *restrict lowest = scratch, *restrict highest = scratch + SIDE;
    for (whole y = y0; y < y1; y++) {
        whole rows[REACH], columns[REACH];
        float down[REACH], across[REACH];
        around(y, per_row, rows, down);
        const float *red = film->at + y * film->row_stride;
        const float *green = red + film->plane_stride, *blue = green + film->plane_stride;
        float *restrict into = row_of(made, y);
        /* Where all samples around say the same, no mean is needed: most of a frame. */
        for (whole x = 0; x < SIDE; x++) lowest[x] = 1.0f, highest[x] = 0.0f;
        for (whole j = 0; j < REACH; j++)
            for (whole x = 0; x < SIDE; x++) {
                const float in_face = faces * face[rows[j] * SIDE + x], here = area[rows[j] * SIDE + x];
                const float value = most(in_face, inside * here + outside * (1.0f - here));
                lowest[x] = least(lowest[x], value), highest[x] = most(highest[x], value);
            }
        for (whole x = 0; x < made->columns; x++) {
            around(x, per_column, columns, across);
            float low = 1.0f, high = 0.0f;
            for (whole i = 0; i < REACH; i++) low = least(low, lowest[columns[i]]), high = most(high, highest[columns[i]]);
            if (low == high) {
                into[x] = low;
                continue;
            }
            const float light = luma(red[x], green[x], blue[x]);
            float in_face = 0.0f, in_area = 0.0f, total = 0.0f;
            for (whole j = 0; j < REACH; j++)
                for (whole i = 0; i < REACH; i++) {
                    const whole at = rows[j] * SIDE + columns[i];
                    const float weight = down[j] * across[i] * likeness((guide[at] - light) * per_luma);
                    in_face += weight * face[at], in_area += weight * area[at], total += weight;
                }
            in_face /= total, in_area /= total;
            into[x] = most(faces * in_face, inside * in_area + outside * (1.0f - in_area));
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
