/* Small pictures of a frame, motion between two of them, and masks carried along it, for app/subject. */

#include "kernels.h"

#define BLOCK SUBJECT_BLOCK
#define REACH SUBJECT_REACH
#define STEPS (2 * REACH + 1)
#define WINDOW (BLOCK + 2 * REACH)

/* Rows of samples of a plane; samples in a row lie together. */
typedef struct { uint8_t *at; whole rows, columns, row_stride; } ByteRows;
typedef struct { uint16_t *at; whole rows, columns, row_stride; } WordRows;

/* A row of sums of four samples, of two rows and two columns a place: first down, which is a vector's work. */
#define ROW_OF_SUMS(name, rows_of_samples, samples)                                                                       \
    static inline void name(const rows_of_samples *plane, const int32_t *rows, const int32_t *columns, int shift,         \
                            whole count, int32_t *restrict down, int32_t *restrict into) {                                \
        const samples *upper = plane->at + rows[0] * plane->row_stride, *lower = plane->at + rows[1] * plane->row_stride; \
        for (whole k = 0; k < plane->columns; k++) down[k] = (upper[k] >> shift) + (lower[k] >> shift);                   \
        for (whole x = 0; x < count; x++) into[x] = down[columns[2 * x]] + down[columns[2 * x + 1]];                      \
    }

ROW_OF_SUMS(sums_8, ByteRows, uint8_t)
ROW_OF_SUMS(sums_16, WordRows, uint16_t)

/* Rows of luma. rows, columns: two a place, of the plane. shift: low bits without use. table: a row of luma by sums of four
   samples; the last one is for all above. scratch: a row of the plane and one of what is made. */
#define SAMPLE_LUMA(rows_of_samples, sums_of)                                                                             \
    (const rows_of_samples *plane, const Whole1 *rows, const Whole1 *columns, whole shift, const Bytes2 *table,           \
     const Bytes2 *made, float *scratch, whole y0, whole y1) {                                                            \
        int32_t *down = (int32_t *)scratch, *sums = down + plane->columns;                                                \
        const int32_t last = (int32_t)table->columns - 1;                                                                 \
        for (whole y = y0; y < y1; y++) {                                                                                 \
            sums_of(plane, rows->at + 2 * y, columns->at, (int)shift, made->columns, down, sums);                         \
            uint8_t *restrict into = made->at + y * made->columns;                                                        \
            for (whole x = 0; x < made->columns; x++) into[x] = table->at[sums[x] < last ? sums[x] : last];               \
        }                                                                                                                 \
    }

KERNEL(sample_luma_8) SAMPLE_LUMA(ByteRows, sums_8)
KERNEL(sample_luma_16) SAMPLE_LUMA(WordRows, sums_16)

/* Rows of R'G'B', 0..1, of three planes. rows, columns: of the first; others: of the second and the third. matrix: rows of
   R', G' and B', three factors of codes and what is added. scratch: a row of the widest plane and three of what is made. */
#define SAMPLE_RGB(rows_of_samples, sums_of)                                                                              \
    (const rows_of_samples *one, const rows_of_samples *two, const rows_of_samples *three, const Whole1 *rows,            \
     const Whole1 *columns, const Whole1 *other_rows, const Whole1 *other_columns, whole shift, const Floats2 *matrix,    \
     const Floats3 *made, float *scratch, whole y0, whole y1) {                                                           \
        const whole count = made->columns;                                                                                \
        int32_t *first = (int32_t *)scratch, *second = first + count, *third = second + count, *down = third + count;     \
        for (whole y = y0; y < y1; y++) {                                                                                 \
            sums_of(one, rows->at + 2 * y, columns->at, (int)shift, count, down, first);                                  \
            sums_of(two, other_rows->at + 2 * y, other_columns->at, (int)shift, count, down, second);                     \
            sums_of(three, other_rows->at + 2 * y, other_columns->at, (int)shift, count, down, third);                    \
            rgb_of_sums(first, second, third, matrix, made, y);                                                           \
        }                                                                                                                 \
    }

static inline void rgb_of_sums(const int32_t *restrict first, const int32_t *restrict second, const int32_t *restrict third,
                               const Floats2 *matrix, const Floats3 *made, whole y) {
    for (whole channel = 0; channel < 3; channel++) {
        const float *weights = row_of(matrix, channel);
        const float a = 0.25f * weights[0], b = 0.25f * weights[1], c = 0.25f * weights[2], d = weights[3];
        float *restrict into = row_in(made, channel, y);
        for (whole x = 0; x < made->columns; x++)
            into[x] = between_0_and_1(a * (float)first[x] + b * (float)second[x] + c * (float)third[x] + d);
    }
}

KERNEL(sample_rgb_8) SAMPLE_RGB(ByteRows, sums_8)
KERNEL(sample_rgb_16) SAMPLE_RGB(WordRows, sums_16)

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

/* Rows of a picture of half the side: the means of four samples, rounded. scratch: none. */
KERNEL(halved_bytes)
(const Bytes2 *picture, const Bytes2 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        const uint8_t *restrict upper = picture->at + 2 * y * picture->columns, *restrict lower = upper + picture->columns;
        uint8_t *restrict into = made->at + y * made->columns;
        for (whole x = 0; x < made->columns; x++) {
            const uint16_t sum = upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
            into[x] = (uint8_t)((uint16_t)(sum + 2) >> 2);
        }
    }
}

/* The sum of the differences of two blocks, in pictures of so many columns. */
static inline int32_t sum_apart(const uint8_t *one, whole columns, const uint8_t *other, whole other_columns) {
    int32_t sum = 0;
    for (whole y = 0; y < BLOCK; y++)
        for (whole x = 0; x < BLOCK; x++) {
            const int32_t apart = one[y * columns + x] - other[y * other_columns + x];
            sum += apart < 0 ? -apart : apart;
        }
    return sum;
}
/* Samples of a picture around a block, the picture's edge repeated. */
static inline void take_area(const Bytes2 *picture, whole top, whole left, whole rows, whole columns, uint8_t *restrict into) {
    for (whole y = 0; y < rows; y++) {
        const uint8_t *from = picture->at + clamped(top + y, 0, picture->rows - 1) * picture->columns;
        for (whole x = 0; x < columns; x++) into[y * columns + x] = from[clamped(left + x, 0, picture->columns - 1)];
    }
}

/* Rows of blocks: where each came from, in whole samples down and across. here, there: pictures of BLOCK samples a block.
   bias: by which the cost in place is less. made: (2, rows, columns) of blocks. scratch: none. */
KERNEL(block_motion)
(const Bytes2 *here, const Bytes2 *there, whole bias, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < made->columns; column++) {
            const whole first = row * BLOCK * here->columns + column * BLOCK;
            const int32_t in_place = sum_apart(here->at + first, here->columns, there->at + first, there->columns);
            if (in_place < bias) { /* no other cost is below 0 */
                plane_of(made, 0)[row * made->columns + column] = 0.0f;
                plane_of(made, 1)[row * made->columns + column] = 0.0f;
                continue;
            }
            uint8_t window[WINDOW][WINDOW + 1];
            take_area(there, row * BLOCK - REACH, column * BLOCK - REACH, WINDOW, WINDOW + 1, window[0]);
            int32_t costs[STEPS * STEPS];
            for (whole down = 0; down < STEPS; down++) {
                uint16_t sums[STEPS + 1] = {0}; /* one more than there are steps: a vector */
                for (whole y = 0; y < BLOCK; y++) {
                    const uint8_t *own = here->at + (row * BLOCK + y) * here->columns + column * BLOCK;
                    const uint8_t *other = window[down + y];
                    for (whole x = 0; x < BLOCK; x++)
                        for (whole k = 0; k <= STEPS; k++)
                            sums[k] += (uint16_t)(own[x] > other[x + k] ? own[x] - other[x + k] : other[x + k] - own[x]);
                }
                for (whole k = 0; k < STEPS; k++) costs[down * STEPS + k] = sums[k];
            }
            costs[REACH * STEPS + REACH] -= (int32_t)bias;
            whole best = 0;
            for (whole k = 1; k < STEPS * STEPS; k++)
                if (costs[k] < costs[best]) best = k;
            plane_of(made, 0)[row * made->columns + column] = (float)(best / STEPS - REACH);
            plane_of(made, 1)[row * made->columns + column] = (float)(best % STEPS - REACH);
        }
}

/* The surroundings of a block in the frame before, (AREA, AREA), and costs of its places there, UNKNOWN before they are
   asked for. A block that moves as far as it can is refined by one sample, and its neighbours are looked at. */
#define FARTHEST (2 * REACH + 2)
#define PLACES (2 * FARTHEST + 1)
#define AREA (BLOCK + 2 * FARTHEST)
#define UNKNOWN -1
typedef struct {
    const uint8_t *own, *around;
    whole own_columns, columns;
    int32_t costs[PLACES * PLACES];
} Block;
static inline int32_t cost_at(Block *block, whole down, whole across) {
    int32_t *cost = block->costs + (down + FARTHEST) * PLACES + across + FARTHEST;
    if (*cost == UNKNOWN) {
        const uint8_t *other = block->around + (down + FARTHEST) * block->columns + across + FARTHEST;
        *cost = sum_apart(block->own, block->own_columns, other, block->columns);
    }
    return *cost;
}
/* How far beside the best place of an axis the least cost lies, -0.5..0.5; 0 for costs that bend less than `flat`. */
static inline float parabola(int32_t low, int32_t middle, int32_t high, int32_t flat) {
    const int32_t bend = low + high - 2 * middle;
    if (bend <= flat) return 0.0f;
    const double away = 0.5 * (double)(low - high) / (double)bend;
    return (float)(away < -0.5 ? -0.5 : away > 0.5 ? 0.5 : away);
}

/* Rows of blocks of half the side: where each came from, in samples and parts of samples down and across. A block is looked
   for in place, and where the four nearest blocks of half the resolution came from. here, there: pictures of BLOCK samples a
   block. coarse: (2, rows / 2, columns / 2), of `block_motion`. bias: as there. flat: as `parabola`. made: (2, rows,
   columns) of blocks. scratch: none. */
KERNEL(finer_motion)
(const Bytes2 *here, const Bytes2 *there, const Floats3 *coarse, whole bias, whole flat, const Floats3 *made, float *scratch,
 whole y0, whole y1) {
    (void)scratch;
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < made->columns; column++) {
            const whole top = row * BLOCK - FARTHEST, left = column * BLOCK - FARTHEST, at = row * made->columns + column;
            float *down = plane_of(made, 0) + at, *across = plane_of(made, 1) + at;
            const whole first = row * BLOCK * here->columns + column * BLOCK;
            *down = *across = 0.0f;
            const int32_t in_place = sum_apart(here->at + first, here->columns, there->at + first, there->columns);
            if (in_place < bias) continue;
            uint8_t area[AREA * AREA];
            Block block;
            block.own = here->at + first, block.own_columns = here->columns;
            block.around = there->at + top * there->columns + left, block.columns = there->columns;
            if (top < 0 || left < 0 || top + AREA > there->rows || left + AREA > there->columns) {
                take_area(there, top, left, AREA, AREA, area);
                block.around = area, block.columns = AREA;
            }
            for (whole k = 0; k < PLACES * PLACES; k++) block.costs[k] = UNKNOWN;
            const whole rows[2] = {row / 2, clamped(row / 2 + (row % 2 ? 1 : -1), 0, coarse->rows - 1)};
            const whole columns[2] = {column / 2, clamped(column / 2 + (column % 2 ? 1 : -1), 0, coarse->columns - 1)};
            int32_t least = in_place - (int32_t)bias;
            whole best_down = 0, best_across = 0;
            for (whole n = 0; n < 5; n++) {
                whole middle_down = 0, middle_across = 0;
                if (n) {
                    const whole from = rows[(n - 1) / 2] * coarse->columns + columns[(n - 1) % 2];
                    middle_down = 2 * (whole)plane_of(coarse, 0)[from], middle_across = 2 * (whole)plane_of(coarse, 1)[from];
                }
                for (whole k = 0; k < 9; k++) {
                    const whole y = middle_down + k / 3 - 1, x = middle_across + k % 3 - 1;
                    const int32_t cost = cost_at(&block, y, x) - (y || x ? 0 : (int32_t)bias);
                    if (cost < least) least = cost, best_down = y, best_across = x;
                }
            }
            const int32_t middle = cost_at(&block, best_down, best_across);
            const int32_t above = cost_at(&block, best_down - 1, best_across);
            const int32_t below = cost_at(&block, best_down + 1, best_across);
            const int32_t before = cost_at(&block, best_down, best_across - 1);
            const int32_t after = cost_at(&block, best_down, best_across + 1);
            *down = (float)best_down + parabola(above, middle, below, (int32_t)flat);
            *across = (float)best_across + parabola(before, middle, after, (int32_t)flat);
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
static inline int32_t moved_to(float from, float by, int32_t count, float *share) {
    const float place = least(most(from + by, 0.0f), (float)(count - 1));
    const int32_t whole_part = (int32_t)place, low = whole_part < count - 2 ? whole_part : count - 2;
    *share = place - (float)low;
    return low;
}

static inline float linear(float first, float second, float share) { return first + share * (second - first); }

/* Rows of masks, each linear between its samples at the places that the samples of the frame came from. way: of blocks,
   how far down and across those are. reach: samples that anything is carried at most. boxes: of each mask, rows and columns
   beyond which it is empty: first row, row after the last, first column, column after the last. found: the same of made,
   given as the smallest box of all (rows, 0, columns, 0). scratch: seven rows, one more a mask, and two of blocks. */
KERNEL(masks_carried)
(const Floats3 *masks, const Floats3 *way, whole reach, const Whole2 *boxes, const Floats3 *made, const Whole2 *found,
 float *scratch, whole y0, whole y1) {
    const whole rows = masks->rows, columns = masks->columns, blocks = way->columns;
    float *restrict down = scratch, *restrict across = down + columns, *restrict share = across + columns;
    float *restrict beside = share + columns, *restrict below = beside + columns;
    int32_t *restrict block = (int32_t *)(below + columns), *restrict place = block + columns;
    float *restrict most_of_column = (float *)(place + columns);
    for (whole x = 0; x < columns; x++) block[x] = (int32_t)block_before(x, blocks, columns, share + x);
    for (whole n = 0; n < masks->planes; n++)
        for (whole x = 0; x < columns; x++) most_of_column[n * columns + x] = 0.0f;
    for (whole y = y0; y < y1; y++) {
        whole first = columns, last = 0;
        for (whole n = 0; n < masks->planes; n++) {
            const int32_t *box = boxes->at + 4 * n;
            float *restrict into = row_in(made, n, y);
            for (whole x = 0; x < columns; x++) into[x] = 0.0f;
            if (y < box[0] - reach || y >= box[1] + reach) continue;
            first = least_of(first, most_of(box[2] - reach, 0)), last = most_of(last, least_of(box[3] + reach, columns));
        }
        if (first >= last) continue;
        float between;
        const whole upper = block_before(y, way->rows, rows, &between);
        float *restrict ways_down = most_of_column + masks->planes * columns, *restrict ways_across = ways_down + blocks;
        for (whole k = 0; k < blocks; k++) {
            ways_down[k] = linear(row_in(way, 0, upper)[k], row_in(way, 0, upper + 1)[k], between);
            ways_across[k] = linear(row_in(way, 1, upper)[k], row_in(way, 1, upper + 1)[k], between);
        }
        for (whole x = first; x < last; x++) {
            down[x] = linear(ways_down[block[x]], ways_down[block[x] + 1], share[x]);
            across[x] = linear(ways_across[block[x]], ways_across[block[x] + 1], share[x]);
        }
        for (whole x = first; x < last; x++) {
            const int32_t row = moved_to((float)y, down[x], (int32_t)rows, below + x);
            place[x] = row * (int32_t)columns + moved_to((float)(int32_t)x, across[x], (int32_t)columns, beside + x);
        }
        for (whole n = 0; n < masks->planes; n++) {
            const int32_t *box = boxes->at + 4 * n;
            if (y < box[0] - reach || y >= box[1] + reach) continue;
            const whole left = most_of(box[2] - reach, 0), right = least_of(box[3] + reach, columns);
            const float *mask = plane_of(masks, n);
            float *restrict into = row_in(made, n, y), *restrict column = most_of_column + n * columns;
            int32_t any = 0;
            for (whole x = left; x < right; x++) {
                const float *above = mask + place[x], *under = above + columns;
                into[x] = linear(linear(above[0], above[1], beside[x]), linear(under[0], under[1], beside[x]), below[x]);
            }
            for (whole x = left; x < right; x++) column[x] = most(column[x], into[x]), any |= into[x] > 0.0f;
            int32_t *bounds = found->at + 4 * n;
            if (any) bounds[0] = bounds[0] < y ? bounds[0] : (int32_t)y, bounds[1] = (int32_t)y + 1;
        }
    }
    for (whole n = 0; n < masks->planes; n++)
        for (whole x = 0; x < columns; x++)
            if (most_of_column[n * columns + x] > 0.0f) {
                int32_t *bounds = found->at + 4 * n;
                bounds[2] = bounds[2] < x ? bounds[2] : (int32_t)x;
                bounds[3] = bounds[3] > x ? bounds[3] : (int32_t)x + 1;
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

/* Rows of a mask enlarged, linear between its samples, first across and then down, rounded after each. low: of each place of
   made, the sample before it. weights: of that and of the next, of 1 << WEIGHT_BITS. scratch: two rows of what is made. */
#define WEIGHT_BITS 22
static inline uint8_t weighed(int32_t first, int32_t second, int32_t share, int32_t other_share) {
    return (uint8_t)((first * share + second * other_share + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS);
}
KERNEL(mask_enlarged)
(const Bytes2 *mask, const Whole1 *low, const Whole2 *weights, const Bytes2 *made, float *scratch, whole y0, whole y1) {
    const whole side = mask->columns, count = made->columns;
    const int32_t *lows = low->at, *shares = weights->at;
    int32_t *restrict upper = (int32_t *)scratch, *restrict lower = upper + count;
    whole known = -1;
    int32_t any = 0;
    for (whole y = y0; y < y1; y++) {
        uint8_t *restrict into = made->at + y * count;
        if (lows[y] != known) {
            known = lows[y], any = 0;
            const uint8_t *above = mask->at + known * side, *below = above + side;
            for (whole x = 0; x < side; x++) any |= above[x] | below[x];
            for (whole x = 0; any && x < count; x++) {
                const whole at = lows[x];
                upper[x] = weighed(above[at], above[at + 1], shares[2 * x], shares[2 * x + 1]);
                lower[x] = weighed(below[at], below[at + 1], shares[2 * x], shares[2 * x + 1]);
            }
        }
        const int32_t share = shares[2 * y], other_share = shares[2 * y + 1];
        if (any)
            for (whole x = 0; x < count; x++) into[x] = weighed(upper[x], lower[x], share, other_share);
        else
            for (whole x = 0; x < count; x++) into[x] = 0;
    }
}

/* Rows of sizes of strokes: the sum of what a face and a subject ask for, by their codes. scratch: none. */
KERNEL(sizes_asked)
(const Bytes2 *face, const Bytes2 *subject, const Whole1 *of_face, const Whole1 *of_subject, const Bytes2 *made, float *scratch,
 whole y0, whole y1) {
    (void)scratch;
    const uint8_t *faces = face->at, *subjects = subject->at;
    const int32_t *by_face = of_face->at, *by_subject = of_subject->at;
    uint8_t *restrict into = made->at;
    for (whole k = y0 * made->columns; k < y1 * made->columns; k++) {
        const int32_t asked = by_face[faces[k]] + by_subject[subjects[k]];
        into[k] = (uint8_t)(asked < 0 ? 0 : asked > 255 ? 255 : asked);
    }
}
