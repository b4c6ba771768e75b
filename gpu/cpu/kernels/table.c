/* Tables of colours. What a table does: models.colours.colour_table. */

#include "kernels.h"

/* Where values lie on their axis of the grid, 0..1. */
static inline void on_axis(const float *restrict values, float low, float scale, const float *curve, whole entries,
                           whole width, float *restrict places) {
    for (whole x = 0; x < width; x++) places[x] = between_0_and_1((values[x] - low) * scale);
    const whole steps = entries - 1;
    if (steps <= 0) return;
    for (whole x = 0; x < width; x++) {
        const float along = places[x] * (float)steps;
        const whole before = clamped((whole)along, 0, steps - 1);
        const float share = along - (float)before;
        places[x] = between_0_and_1(curve[before] + share * (curve[before + 1] - curve[before]));
    }
}

/* A colour lies within a tetrahedron whose corners are its cell's darkest and lightest points, and the two on the way
   that goes along the largest part of the colour first and along the smallest one last. at: (3, W), where the first three
   are among the values of the points. shares: (4, W), of all four. Without branches and with numbers of 32 bits alone, so
   that the compiler makes vectors of it. */
static inline void corners_of(const float *restrict places, int32_t size, whole width, int32_t *restrict at,
                              float *restrict shares) {
    const float end = (float)(size - 1);
    const int32_t last = size - 2, red_step = 4 * size * size, green_step = 4 * size, blue_step = 4;
    const int32_t all = red_step + green_step + blue_step;
    for (whole x = 0; x < width; x++) {
        float red = places[x] * end, green = places[width + x] * end, blue = places[2 * width + x] * end;
        int32_t r = (int32_t)red, g = (int32_t)green, b = (int32_t)blue;
        r = r < last ? r : last, g = g < last ? g : last, b = b < last ? b : last;
        red -= (float)r, green -= (float)g, blue -= (float)b;
        const int32_t corner = r * red_step + g * green_step + b * blue_step;
        const float large = most(red, most(green, blue)), small = least(red, least(green, blue));
        const float middle = most(least(red, green), least(most(red, green), blue));
        const int32_t first = red == large ? red_step : green == large ? green_step : blue_step;
        const int32_t left_out = blue == small ? blue_step : green == small ? green_step : red_step;
        at[x] = corner, at[width + x] = corner + first, at[2 * width + x] = corner + all - left_out;
        shares[x] = 1.0f - large, shares[width + x] = large - middle;
        shares[2 * width + x] = middle - small, shares[3 * width + x] = small;
    }
}

/* One channel of the colours between four points. */
static inline void mix_of(const float *points, int32_t size, int32_t channel, whole width, const int32_t *restrict at,
                          const float *restrict shares, float *restrict made) {
    const int32_t opposite = 4 * (size * size + size + 1) + channel;
    for (whole x = 0; x < width; x++) {
        const int32_t corner = at[x], one = at[width + x], two = at[2 * width + x];
        float value = points[corner + channel] * shares[x] + points[one + channel] * shares[width + x];
        value += points[two + channel] * shares[2 * width + x] + points[corner + opposite] * shares[3 * width + x];
        made[x] = between_0_and_1(value);
    }
}

/* Rows of a picture, each in the processor's cache between the steps. points: of four values, so that none lies across two
   cache lines. made may be the picture. scratch: ten times the width. */
KERNEL(through_table)
(const Planes *picture, const Floats1 *points, whole size, const Floats1 *low, const Floats1 *scale,
 const Floats2 *curves, const Planes *made, float *scratch, whole y0, whole y1) {
    const whole width = picture->columns;
    float *places = scratch, *shares = scratch + 3 * width;
    int32_t *at = (int32_t *)(scratch + 7 * width);
    for (whole y = y0; y < y1; y++) {
        for (whole channel = 0; channel < 3; channel++) {
            const float *row = picture->at + channel * picture->plane_stride + y * picture->row_stride;
            on_axis(row, low->at[channel], scale->at[channel], row_of(curves, channel), curves->columns, width,
                    places + channel * width);
        }
        corners_of(places, (int32_t)size, width, at, shares);
        for (whole channel = 0; channel < 3; channel++) {
            float *row = made->at + channel * made->plane_stride + y * made->row_stride;
            mix_of(points->at, (int32_t)size, (int32_t)channel, width, at, shares, row);
        }
    }
}
