/* Small pictures of a frame, motion between two of them, and masks carried along it, for app/subject. */

#include "kernels.h"

#define BLOCK SUBJECT_BLOCK
#define REACH SUBJECT_REACH
#define STEPS (2 * REACH + 1)
#define WINDOW (BLOCK + 2 * REACH)

/* Rows of samples of a plane; samples in a row lie together. */
typedef struct { uint8_t *at; whole rows, columns, row_stride; } ByteRows;
typedef struct { uint16_t *at; whole rows, columns, row_stride; } WordRows;

/* Rows of sums of four samples, of two rows and two columns a place. rows, columns: two a place, of the plane. shift: low
   bits without use. scratch: none. */
#define SAMPLE_SUMS(rows_of_samples)                                                                                      \
    (const rows_of_samples *plane, const Whole1 *rows, const Whole1 *columns, whole shift, const Floats2 *made,           \
     float *scratch, whole y0, whole y1) {                                                                                \
        (void)scratch;                                                                                                    \
        for (whole y = y0; y < y1; y++) {                                                                                 \
            __typeof__(plane->at) upper = plane->at + rows->at[2 * y] * plane->row_stride;                                \
            __typeof__(plane->at) lower = plane->at + rows->at[2 * y + 1] * plane->row_stride;                            \
            for (whole x = 0; x < made->columns; x++) {                                                                   \
                const int32_t left = columns->at[2 * x], right = columns->at[2 * x + 1];                                  \
                const int32_t above = (upper[left] >> shift) + (upper[right] >> shift);                                   \
                row_of(made, y)[x] = (float)(above + (lower[left] >> shift) + (lower[right] >> shift));                   \
            }                                                                                                             \
        }                                                                                                                 \
    }

KERNEL(sample_sums_8) SAMPLE_SUMS(ByteRows)
KERNEL(sample_sums_16) SAMPLE_SUMS(WordRows)

/* Rows of R'G'B', 0..1. sums: four times the codes, (3, H, W). matrix: rows of R', G' and B', three factors of codes and
   what is added. scratch: none. */
KERNEL(sums_to_rgb)
(const Floats3 *sums, const Floats2 *matrix, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        const float *restrict first = row_in(sums, 0, y), *restrict second = row_in(sums, 1, y);
        const float *restrict third = row_in(sums, 2, y);
        for (whole channel = 0; channel < 3; channel++) {
            const float *weights = row_of(matrix, channel);
            const float a = 0.25f * weights[0], b = 0.25f * weights[1], c = 0.25f * weights[2], d = weights[3];
            float *restrict into = row_in(made, channel, y);
            for (whole x = 0; x < made->columns; x++)
                into[x] = between_0_and_1(a * first[x] + b * second[x] + c * third[x] + d);
        }
    }
}

/* Rows of sums of squares of `side` samples a side. scratch: none. */
KERNEL(square_sums)
(const Bytes2 *picture, whole side, const Whole2 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++)
        for (whole x = 0; x < made->columns; x++) {
            int32_t sum = 0;
            for (whole j = 0; j < side; j++)
                for (whole i = 0; i < side; i++) sum += picture->at[(y * side + j) * picture->columns + x * side + i];
            made->at[y * made->columns + x] = sum;
        }
}

/* How far beside the best of an axis' steps the least cost lies, -0.5..0.5. apart: costs from one step to the next. */
static inline float parabola(const int32_t *costs, whole best, whole apart) {
    if (best == 0 || best == STEPS - 1) return 0.0f;
    const int32_t *at = costs + best * apart;
    const int32_t low = at[-apart], middle = at[0], high = at[apart], bend = low + high - 2 * middle;
    if (bend <= 0) return 0.0f;
    const double away = 0.5 * (double)(low - high) / (double)bend;
    return (float)(away < -0.5 ? -0.5 : away > 0.5 ? 0.5 : away);
}

/* Rows of blocks: where each came from, in samples down and across. here, there: pictures of BLOCK samples a block. bias:
   by which the cost in place is less. made: (2, rows, columns) of blocks. scratch: none. */
KERNEL(block_motion)
(const Bytes2 *here, const Bytes2 *there, whole bias, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < made->columns; column++) {
            uint8_t window[WINDOW][WINDOW + 1];
            for (whole y = 0; y < WINDOW; y++) {
                const uint8_t *from = there->at + clamped(row * BLOCK + y - REACH, 0, there->rows - 1) * there->columns;
                for (whole x = 0; x <= WINDOW; x++)
                    window[y][x] = from[clamped(column * BLOCK + x - REACH, 0, there->columns - 1)];
            }
            int32_t costs[STEPS * STEPS];
            for (whole down = 0; down < STEPS; down++) {
                uint16_t sums[STEPS + 1] = {0}; /* one more than there are steps: a vector */
                for (whole y = 0; y < BLOCK; y++)
                    for (whole x = 0; x < BLOCK; x++) {
                        const uint8_t own = here->at[(row * BLOCK + y) * here->columns + column * BLOCK + x];
                        const uint8_t *other = window[down + y] + x;
                        for (whole k = 0; k <= STEPS; k++)
                            sums[k] += (uint16_t)(own > other[k] ? own - other[k] : other[k] - own);
                    }
                for (whole k = 0; k < STEPS; k++) costs[down * STEPS + k] = sums[k];
            }
            costs[REACH * STEPS + REACH] -= (int32_t)bias;
            whole best = 0;
            for (whole k = 1; k < STEPS * STEPS; k++)
                if (costs[k] < costs[best]) best = k;
            const whole down = best / STEPS, across = best % STEPS;
            float found_down = 0.0f, found_across = 0.0f;
            if (down != REACH || across != REACH) {
                found_down = (float)(down - REACH) + parabola(costs + across, down, STEPS);
                found_across = (float)(across - REACH) + parabola(costs + down * STEPS, across, 1);
            }
            plane_of(made, 0)[row * made->columns + column] = found_down;
            plane_of(made, 1)[row * made->columns + column] = found_across;
        }
}

/* Between the middles of blocks in a row: the block before a sample, and how far it is from that to the next. */
static inline whole block_before(whole sample, whole blocks, whole samples, float *share) {
    const float place = ((float)sample + 0.5f) * (float)blocks / (float)samples - 0.5f;
    const float within = least(most(place, 0.0f), (float)(blocks - 1));
    const whole low = least_of((whole)within, blocks - 2);
    *share = within - (float)low;
    return low;
}

/* A place moved along an axis, within the picture: the sample before it, and how far it is from that to the next. */
static inline whole moved_to(whole from, float by, whole count, float *share) {
    const float place = least(most((float)from + by, 0.0f), (float)(count - 1));
    const whole low = least_of((whole)place, count - 2);
    *share = place - (float)low;
    return low;
}

static inline float linear(float first, float second, float share) { return first + share * (second - first); }

/* Masks y0 to y1, each linear between its samples at the places that the samples of the frame came from. way: of blocks,
   how far down and across those are. reach: samples that anything is carried at most. made: zeros. scratch: three times
   the columns. */
KERNEL(masks_carried)
(const Floats3 *masks, const Floats3 *way, whole reach, const Floats3 *made, float *scratch, whole y0, whole y1) {
    const whole rows = masks->rows, columns = masks->columns, blocks = way->columns;
    float *restrict most_of_column = scratch, *restrict down = scratch + columns, *restrict across = scratch + 2 * columns;
    for (whole n = y0; n < y1; n++) {
        const Floats2 mask = part_of(masks, n), into = part_of(made, n);
        whole top = rows, bottom = 0, first = columns, last = 0;
        for (whole x = 0; x < columns; x++) most_of_column[x] = 0.0f;
        for (whole y = 0; y < rows; y++) {
            const float *restrict row = row_of(&mask, y);
            int32_t any = 0;
            for (whole x = 0; x < columns; x++) most_of_column[x] = most(most_of_column[x], row[x]), any |= row[x] > 0.0f;
            if (any) top = least_of(top, y), bottom = y + 1;
        }
        for (whole x = 0; x < columns; x++)
            if (most_of_column[x] > 0.0f) first = least_of(first, x), last = x + 1;
        if (!bottom) continue;
        first = most_of(first - reach, 0), last = least_of(last + reach, columns);
        for (whole y = most_of(top - reach, 0); y < least_of(bottom + reach, rows); y++) {
            float between, below, beside;
            const whole upper = block_before(y, way->rows, rows, &between);
            for (whole k = 0; k < blocks; k++) {
                down[k] = linear(row_in(way, 0, upper)[k], row_in(way, 0, upper + 1)[k], between);
                across[k] = linear(row_in(way, 1, upper)[k], row_in(way, 1, upper + 1)[k], between);
            }
            for (whole x = first; x < last; x++) {
                const whole block = block_before(x, blocks, columns, &between);
                const whole row = moved_to(y, linear(down[block], down[block + 1], between), rows, &below);
                const whole left = moved_to(x, linear(across[block], across[block + 1], between), columns, &beside);
                const float *above = row_of(&mask, row) + left, *under = above + columns;
                row_of(&into, y)[x] = linear(linear(above[0], above[1], beside), linear(under[0], under[1], beside), below);
            }
        }
    }
}

/* Rows of a mask that glides from one to another, as codes 0..255. share: how far it is. scratch: none. */
KERNEL(mask_glided)
(const Floats2 *before, const Floats2 *after, float share, const Bytes2 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        const float *restrict from = row_of(before, y), *restrict to = row_of(after, y);
        uint8_t *restrict into = made->at + y * made->columns;
        for (whole x = 0; x < made->columns; x++)
            into[x] = (uint8_t)(int32_t)(between_0_and_1(linear(from[x], to[x], share)) * 255.0f + 0.5f);
    }
}
