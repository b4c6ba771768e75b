/* Colours to codes of planes and back, in the order of sums of gpu.cpu.stages.tensor_to_planes and planes_to_tensor. */

#include "kernels.h"

/* Rows of thresholds, which repeat. */
#define THRESHOLDS 8

/* A row of codes, before they are cut to whole numbers: the weighted sum of red, green and blue, the fourth weight and a
   threshold, not above `top`. */
static inline void codes_of(const float *restrict red, const float *restrict green, const float *restrict blue,
                            const float *weights, const float *restrict thresholds, float top, whole columns,
                            float *restrict into) {
    const float of_red = weights[0], of_green = weights[1], of_blue = weights[2], offset = weights[3];
    for (whole x = 0; x < columns; x++)
        into[x] = least(red[x] * of_red + green[x] * of_green + blue[x] * of_blue + (thresholds[x] + offset), top);
}

/* Codes of rows of a plane. scratch: none. */
KERNEL(plane_codes)
(const Planes *shown, const Floats1 *weights, const Floats2 *thresholds, float top, const Floats2 *codes, float *scratch,
 whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        const float *red = shown->at + y * shown->row_stride, *green = red + shown->plane_stride;
        const float *blue = green + shown->plane_stride, *steps = row_of(thresholds, y % THRESHOLDS);
        codes_of(red, green, blue, weights->at, steps, top, codes->columns, row_of(codes, y));
    }
}

/* Rows that a row of chroma is the sum of: `rows` of them from `first` on, the second twice if there are three; the next row of
   chroma is `step` further. wide: whether columns are [1 2 1], else [1 1]. */
typedef struct { whole first, rows, step, wide; } ChromaTaps;

/* Codes of rows of Cb and Cr, from sums of pixels. weights: of the sums, a row for each. scratch: a row of one colour with two
   more columns, and a row of sums for each colour. */
KERNEL(chroma_codes)
(const Planes *shown, const ChromaTaps *taps, const Floats2 *weights, const Floats2 *thresholds, float top,
 const Planes *codes, float *scratch, whole y0, whole y1) {
    const whole width = shown->columns, columns = codes->columns, length = 2 * columns + 2;
    float *restrict half = scratch, *restrict sums = scratch + length;
    for (whole y = y0; y < y1; y++) {
        for (whole channel = 0; channel < 3; channel++) {
            const float *restrict low = shown->at + channel * shown->plane_stride + (taps->first + y * taps->step) * shown->row_stride;
            const float *restrict high = low + (taps->rows - 1) * shown->row_stride, *restrict middle = low + shown->row_stride;
            if (taps->rows == 1)
                for (whole x = 0; x < width; x++) half[x + 1] = low[x];
            else if (taps->rows == 2)
                for (whole x = 0; x < width; x++) half[x + 1] = low[x] + high[x];
            else
                for (whole x = 0; x < width; x++) half[x + 1] = low[x] + high[x] + middle[x] + middle[x];
            half[0] = half[1];
            for (whole x = 1 + width; x < length; x++) half[x] = half[width];
            float *restrict sum = sums + channel * columns;
            if (taps->wide)
                for (whole x = 0; x < columns; x++)
                    sum[x] = (half[2 * x] + half[2 * x + 1]) + (half[2 * x + 1] + half[2 * x + 2]);
            else
                for (whole x = 0; x < columns; x++) sum[x] = half[2 * x + 1] + half[2 * x + 2];
        }
        for (whole part = 0; part < 2; part++) {
            float *into = codes->at + part * codes->plane_stride + y * codes->row_stride;
            const float *steps = row_of(thresholds, y % THRESHOLDS), *weight = row_of(weights, part);
            codes_of(sums, sums + columns, sums + 2 * columns, weight, steps, top, columns, into);
        }
    }
}

/* Interpolation by a factor along an axis: each of the pixels of a sample lies so many samples behind it, and takes so much
   of the next one; `own` is the rest. */
typedef struct { whole factor; Whole1 reach; Floats1 own, next; } Phases;

/* Colours of a row of chroma samples, one more on each side. matrix: of Y', Cb, Cr and 1, rows of red, green and blue. */
static inline void colour_chroma(const Planes *chroma, whole row, const Floats2 *matrix, float *restrict made) {
    const whole columns = chroma->columns, length = columns + 2;
    const float *restrict cb = chroma->at + row * chroma->row_stride, *restrict cr = cb + chroma->plane_stride;
    const float *red = row_of(matrix, 0), *green = row_of(matrix, 1), *blue = row_of(matrix, 2);
    const float red_cb = red[1], red_cr = red[2], green_cb = green[1], green_cr = green[2], blue_cb = blue[1], blue_cr = blue[2];
    const float plus_red = red[3], plus_green = green[3], plus_blue = blue[3];
    float *restrict reds = made + 1, *restrict greens = reds + length, *restrict blues = greens + length;
    for (whole x = 0; x < columns; x++) {
        reds[x] = cr[x] * red_cr + cb[x] * red_cb + plus_red;
        greens[x] = cb[x] * green_cb + cr[x] * green_cr + plus_green;
        blues[x] = cb[x] * blue_cb + cr[x] * blue_cr + plus_blue;
    }
    for (whole channel = 0; channel < 3; channel++) {
        float *line = made + channel * length;
        line[0] = line[1];
        line[length - 1] = line[length - 2];
    }
}

/* Colours of rows of a film of luma and chroma, not clipped. first: row of `chroma` that the first row of luma lies in.
   scratch: two rows of three colours of chroma samples, with two more columns. */
KERNEL(film_colours)
(const Floats2 *luma, const Planes *chroma, whole first, const Floats2 *matrix, const Phases *down, const Phases *across,
 const Planes *colours, float *scratch, whole y0, whole y1) {
    const whole width = luma->columns, length = chroma->columns + 2, last = chroma->rows - 1;
    const float of_luma = row_of(matrix, 0)[0];
    float *restrict upper = scratch, *restrict lower = scratch + 3 * length;
    for (whole y = y0; y < y1; y++) {
        const whole phase = y % down->factor, row = first + y / down->factor + down->reach.at[phase];
        const float own = down->own.at[phase], next = down->next.at[phase];
        colour_chroma(chroma, clamped(row, 0, last), matrix, upper);
        if (next != 0.0f) {
            colour_chroma(chroma, clamped(row + 1, 0, last), matrix, lower);
            for (whole x = 0; x < 3 * length; x++) upper[x] = own * upper[x] + next * lower[x];
        }
        const float *restrict lights = row_of(luma, y);
        for (whole channel = 0; channel < 3; channel++) {
            const float *restrict line = upper + channel * length;
            float *restrict into = colours->at + channel * colours->plane_stride + y * colours->row_stride;
            for (whole side = 0; side < across->factor; side++) {
                const float *restrict from = line + 1 + across->reach.at[side];
                const float here = across->own.at[side], there = across->next.at[side];
                const whole factor = across->factor, count = (width - side + factor - 1) / factor;
                if (there != 0.0f)
                    for (whole x = 0; x < count; x++)
                        into[factor * x + side] = here * from[x] + there * from[x + 1] + lights[factor * x + side] * of_luma;
                else
                    for (whole x = 0; x < count; x++) into[factor * x + side] = from[x] + lights[factor * x + side] * of_luma;
            }
        }
    }
}
