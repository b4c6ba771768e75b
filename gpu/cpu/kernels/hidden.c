/* Colours of what can be seen, drawn over what cannot: a pyramid that is built by halves and comes back down. The stage is
   gpu/hidden_colours.py. In each picture the last plane is how far a pixel is seen, 0..1; the others are colours times
   that. */

#include "kernels.h"

/* Rows of a picture at half the size, rounded up. coarse: sums of four pixels, of at most the weight 1. scratch: none. */
KERNEL(halved)(const Floats3 *fine, const Floats3 *coarse, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole weights = fine->planes - 1, pairs = fine->columns / 2;
    for (whole y = y0; y < y1; y++) {
        const int has_lower = 2 * y + 1 < fine->rows;
        for (whole channel = 0; channel <= weights; channel++) {
            const float *restrict upper = row_in(fine, channel, 2 * y);
            const float *restrict lower = row_in(fine, channel, has_lower ? 2 * y + 1 : 2 * y);
            const float share = has_lower ? 1.0f : 0.0f;
            float *restrict into = row_in(coarse, channel, y);
            for (whole x = 0; x < pairs; x++)
                into[x] = upper[2 * x] + upper[2 * x + 1] + share * (lower[2 * x] + lower[2 * x + 1]);
            if (pairs < coarse->columns) into[pairs] = upper[2 * pairs] + share * lower[2 * pairs];
        }
        float *restrict seen = row_in(coarse, weights, y);
        for (whole channel = 0; channel < weights; channel++) {
            float *restrict into = row_in(coarse, channel, y);
            for (whole x = 0; x < coarse->columns; x++) into[x] /= most(seen[x], 1.0f);
        }
        for (whole x = 0; x < coarse->columns; x++) seen[x] = least(seen[x], 1.0f);
    }
}

/* Rows of a picture with the colours of a coarser one, complete, where its own are not seen. scratch: a coarse row with
   its ends repeated. */
KERNEL(filled)(const Floats3 *coarse, const Floats3 *fine, float *scratch, whole y0, whole y1) {
    const whole weights = fine->planes - 1, count = coarse->columns, pairs = fine->columns / 2;
    float *restrict row = scratch + 1;
    for (whole y = y0; y < y1; y++) {
        const whole near = y / 2, far = clamped(y % 2 ? near + 1 : near - 1, 0, coarse->rows - 1);
        const float *restrict seen = row_in(fine, weights, y);
        for (whole channel = 0; channel < weights; channel++) {
            const float *restrict nearer = row_in(coarse, channel, near), *restrict farther = row_in(coarse, channel, far);
            for (whole x = 0; x < count; x++) row[x] = 0.75f * nearer[x] + 0.25f * farther[x];
            row[-1] = row[0], row[count] = row[count - 1];
            float *restrict into = row_in(fine, channel, y);
            for (whole x = 0; x < pairs; x++) {
                into[2 * x] += (1.0f - seen[2 * x]) * (0.25f * row[x - 1] + 0.75f * row[x]);
                into[2 * x + 1] += (1.0f - seen[2 * x + 1]) * (0.75f * row[x] + 0.25f * row[x + 1]);
            }
            if (pairs < count) into[2 * pairs] += (1.0f - seen[2 * pairs]) * (0.25f * row[pairs - 1] + 0.75f * row[pairs]);
        }
    }
}
