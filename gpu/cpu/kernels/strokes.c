/* Strokes that ride the film. The reference is gpu.stages.strokes.reference; the constants are those of gpu.stages.strokes. */

#include "blocks.h"

/* Planes of a level of the painting's pyramid: red, green, blue, and the luma of the film. */
#define FILM 3
#define PARTS 4

/* Largest whole number that is not larger; C rounds towards 0. */
static inline whole floor_of(float value) {
    const whole near = (whole)value;
    return near - ((float)near > value);
}

/* What gpu/kernels is written with. */
typedef struct { float r, g, b; } Rgb;
#define uint uint32_t
#define Whole whole
#define RGB(r, g, b) ((Rgb){r, g, b})
#define FIGURES const Figures *figures,
#define FIGURE(name) figures->name
#include "../../kernels/strokes.h"
#include "../../kernels/figures.h"
#include "../../kernels/hairs.h"

/* Where a place lies between two samples of an axis, which is as long as `count` samples and repeats its ends. */
typedef struct { whole low, high; float share; } Between;
static inline Between between_samples(float place, whole count) {
    const whole low = floor_of(place);
    return (Between){clamped(low, 0, count - 1), clamped(low + 1, 0, count - 1), place - (float)low};
}
static inline float bilinear(const float *plane, whole columns, Between y, Between x) {
    const float *upper = plane + y.low * columns, *lower = plane + y.high * columns;
    const float top = upper[x.low] + x.share * (upper[x.high] - upper[x.low]);
    const float bottom = lower[x.low] + x.share * (lower[x.high] - lower[x.low]);
    return top + y.share * (bottom - top);
}

/* Means of 2x2 samples of two rows, the last column repeated. */
static inline void halve(const float *restrict upper, const float *restrict lower, whole columns, float *restrict into) {
    for (whole x = 0; x < columns / 2; x++)
        into[x] = 0.25f * (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]);
    const whole last = columns - 1;
    if (last % 2 == 0) into[last / 2] = 0.25f * (upper[last] + upper[last] + lower[last] + lower[last]);
}

static inline void take_luma(const Planes *frame, whole y, whole columns, float *restrict made) {
    const float *red = frame->at + y * frame->row_stride, *green = red + frame->plane_stride;
    const float *blue = green + frame->plane_stride;
    for (whole x = 0; x < columns; x++) made[x] = luma(red[x], green[x], blue[x]);
}

/* Rows of the first level of the pyramid: means of 2x2 pixels of a painting, and the luma of the film there, which is
   shown in so many columns and rows of `frame`. scratch: two rows of that, and six of the level. */
KERNEL(first_level)
(const Planes *painting, whole width, whole height, const Planes *frame, whole film_columns, whole film_rows,
 const Floats3 *level, float *scratch, whole y0, whole y1) {
    float *restrict above_here = scratch, *restrict below_here = scratch + film_columns;
    const float across = (float)film_columns / (float)width, down = (float)film_rows / (float)height;
    const whole samples = 2 * level->columns;
    int32_t *restrict lefts = (int32_t *)(below_here + film_columns), *restrict rights = lefts + samples;
    float *restrict shares = (float *)(rights + samples);
    for (whole x = 0; x < samples; x++) {
        const Between column = between_samples(((float)x + 0.5f) * across - 0.5f, film_columns);
        lefts[x] = (int32_t)column.low, rights[x] = (int32_t)column.high, shares[x] = column.share;
    }
    for (whole y = y0; y < y1; y++) {
        const whole above = 2 * y, below = least_of(above + 1, height - 1);
        for (whole channel = 0; channel < 3; channel++) {
            const float *plane = painting->at + channel * painting->plane_stride;
            const float *upper = plane + above * painting->row_stride, *lower = plane + below * painting->row_stride;
            halve(upper, lower, width, row_in(level, channel, y));
        }
        float *restrict film = row_in(level, FILM, y);
        for (whole x = 0; x < level->columns; x++) film[x] = 0.0f;
        for (whole j = 0; j < 2; j++) {
            const Between row = between_samples(((float)(2 * y + j) + 0.5f) * down - 0.5f, film_rows);
            take_luma(frame, row.low, film_columns, above_here);
            take_luma(frame, row.high, film_columns, below_here);
            for (whole x = 0; x < level->columns; x++)
                for (whole i = 0; i < 2; i++) {
                    const whole l = lefts[2 * x + i], r = rights[2 * x + i];
                    const float share = shares[2 * x + i];
                    const float top = above_here[l] + share * (above_here[r] - above_here[l]);
                    const float bottom = below_here[l] + share * (below_here[r] - below_here[l]);
                    film[x] += 0.25f * (top + row.share * (bottom - top));
                }
        }
    }
}

/* Rows of the next level of a pyramid: means of 2x2 samples, the last row and column repeated. */
KERNEL(next_level)(const Floats3 *level, const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole plane = 0; plane < level->planes; plane++)
        for (whole y = y0; y < y1; y++) {
            const float *lower = row_in(level, plane, least_of(2 * y + 1, level->rows - 1));
            halve(row_in(level, plane, 2 * y), lower, level->columns, row_in(made, plane, y));
        }
}

/* Rows of what a level says that the one above it does not, as means of 2x2 of its samples. */
KERNEL(stroke_need)
(const Floats3 *fine, const Floats3 *coarse, const Floats2 *need, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        float *restrict into = row_of(need, y);
        for (whole x = 0; x < need->columns; x++) into[x] = 0.0f;
        for (whole j = 0; j < 2; j++) {
            const whole row = least_of(2 * y + j, fine->rows - 1);
            const Between down = between_samples(0.5f * (float)row - 0.25f, coarse->rows);
            for (whole x = 0; x < need->columns; x++)
                for (whole i = 0; i < 2; i++) {
                    const whole column = least_of(2 * x + i, fine->columns - 1);
                    const Between across = between_samples(0.5f * (float)column - 0.25f, coarse->columns);
                    float largest = 0.0f;
                    for (whole part = 0; part < PARTS; part++) {
                        const float broad = bilinear(plane_of(coarse, part), coarse->columns, down, across);
                        const float apart = magnitude(row_in(fine, part, row)[column] - broad);
                        largest = most(largest, part == FILM ? FILM_NEED * apart : apart);
                    }
                    into[x] += 0.25f * largest;
                }
        }
    }
}

/* Rows of the structure tensor of a level, gx² - gy² and 2 gx gy, of the painting and of the film. scratch: six of its
   rows, with one sample to each side. */
KERNEL(stroke_tensor)(const Floats3 *level, const Floats3 *tensor, float *scratch, whole y0, whole y1) {
    const whole columns = level->columns, wide = columns + 2;
    for (whole y = y0; y < y1; y++) {
        for (whole row = 0; row < 3; row++) {
            const whole from = clamped(y + row - 1, 0, level->rows - 1);
            float *restrict painted = scratch + row * wide, *restrict film = scratch + (3 + row) * wide;
            for (whole x = 0; x < wide; x++) {
                const whole at = clamped(x - 1, 0, columns - 1);
                painted[x] = luma(row_in(level, 0, from)[at], row_in(level, 1, from)[at], row_in(level, 2, from)[at]);
                film[x] = row_in(level, FILM, from)[at];
            }
        }
        float *restrict first = row_in(tensor, 0, y), *restrict second = row_in(tensor, 1, y);
        for (whole x = 0; x < columns; x++) first[x] = second[x] = 0.0f;
        for (whole part = 0; part < 2; part++) {
            const float *above = scratch + 3 * part * wide, *here = above + wide, *below = here + wide;
            const float weight = part ? TENSOR_FILM : 1.0f;
            for (whole x = 0; x < columns; x++) {
                const float gx = (3.0f / 32.0f) * (above[x + 2] - above[x] + below[x + 2] - below[x])
                                 + (10.0f / 32.0f) * (here[x + 2] - here[x]);
                const float gy = (3.0f / 32.0f) * (below[x] - above[x] + below[x + 2] - above[x + 2])
                                 + (10.0f / 32.0f) * (below[x + 1] - above[x + 1]);
                first[x] += weight * (gx * gx - gy * gy);
                second[x] += weight * 2.0f * gx * gy;
            }
        }
    }
}

/* Where a place, 0..1 of the frame, lies between the samples of its maps. */
static inline Between in_map(float place) { return between_samples((float)MAP_SIDE * place - 0.5f, MAP_SIDE); }

/* Rows of the structure tensor near each of its samples, and that of wide surroundings; or that of a map of directions.
   down, across: from row to row and from column to column, in heights and widths of the frame. */
KERNEL(stroke_direction)
(const Floats3 *near, const Floats3 *far, const Floats3 *farther, const Floats3 *maps, float down, float across,
 const Floats3 *made, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const Floats3 *levels[2] = {far, farther};
    const float shares[2] = {FAR_SHARE, FARTHER_SHARE}, rest[2] = {REST_TENSOR_X, REST_TENSOR_Y};
    for (whole y = y0; y < y1; y++)
        for (whole x = 0; x < made->columns; x++) {
            float sums[2], map[2];
            const Between row = in_map(((float)y + 0.5f) * down), column = in_map(((float)x + 0.5f) * across);
            for (whole part = 0; part < 2; part++) {
                float sum = row_in(near, part, y)[x] + rest[part], scale = 0.25f;
                for (whole k = 0; k < 2; k++, scale *= 0.25f) {
                    const Floats3 *level = levels[k];
                    const Between rows = between_samples(((float)y + 0.5f) * scale - 0.5f, level->rows);
                    const Between columns = between_samples(((float)x + 0.5f) * scale - 0.5f, level->columns);
                    sum += shares[k] * bilinear(plane_of(level, part), level->columns, rows, columns);
                }
                sums[part] = sum, map[part] = bilinear(plane_of(maps, part + 1), MAP_SIDE, row, column);
            }
            const float share = beside_map(sums[0] * sums[0] + sums[1] * sums[1], map[0] * map[0] + map[1] * map[1]);
            for (whole part = 0; part < 2; part++) row_in(made, part, y)[x] = share * sums[part] + map[part];
        }
}

/* Rows of R' + 2 G' + B' in codes of 8 bits. */
KERNEL(film_levels)
(const Planes *frame, const Shorts2 *fine, float *scratch, whole y0, whole y1) {
    (void)scratch;
    for (whole y = y0; y < y1; y++) {
        const float *red = frame->at + y * frame->row_stride, *green = red + frame->plane_stride;
        const float *blue = green + frame->plane_stride;
        int16_t *restrict into = fine->at + y * fine->columns;
        for (whole x = 0; x < fine->columns; x++) {
            const float sum = 255.0f * (green[x] + green[x] + red[x] + blue[x]) + 0.5f;
            into[x] = (int16_t)least(most(sum, 0.0f), 1020.0f);
        }
    }
}

/* Rows of means of levels over cells of so many a side, rounded, the edge repeated. */
KERNEL(film_cells)(const Shorts2 *fine, whole side, const Shorts2 *cells, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const int32_t area = (int32_t)(side * side);
    for (whole y = y0; y < y1; y++)
        for (whole x = 0; x < cells->columns; x++) {
            int32_t sum = area / 2;
            for (whole j = 0; j < side; j++)
                for (whole i = 0; i < side; i++)
                    sum += fine->at[least_of(y * side + j, fine->rows - 1) * fine->columns
                                    + least_of(x * side + i, fine->columns - 1)];
            cells->at[y * cells->columns + x] = (int16_t)(sum / area);
        }
}

/* How far the least cost lies from the middle of three, in UNITS: where two lines of one slope through them meet, but no
   farther than such a line has come to what the middle costs. */
static inline int32_t between_pixels(int32_t before, int32_t here, int32_t after) {
    const int32_t rise = (before > after ? before : after) - here;
    if (rise <= 0) return 0;
    const int32_t most = UNITS * here / rise, fit = (UNITS / 2) * (before - after) / rise;
    return fit < -most ? -most : fit > most ? most : fit;
}

#define CORNER ((SAMPLES * CELL_PX - BLOCK_PX) / 2)
#define FAR_CORNER ((2 * SAMPLES * CELL_PX - BLOCK_PX) / 2)

/* Where a block is found best in the next frame: coarsely in means over cells, in so many steps of `unit` pixels around a
   vector, which it changes. */
static inline void look_around(const Shorts2 *cells, const Shorts2 *next, whole y, whole x, whole corner, whole unit,
                               whole reach, whole *down, whole *over) {
    int16_t own[SAMPLES * SAMPLES], area[SIDE_OF(COARSE_CELLS, 1) * SIDE_OF(COARSE_CELLS, 1)];
    const whole row = divided(y - corner, unit), column = divided(x - corner, unit), side = SAMPLES + 2 * reach;
    const whole from_y = *down / unit, from_x = *over / unit;
    whole steps_y = 0, steps_x = 0;
    take_square(cells, row, column, SAMPLES, 1, own);
    take_square(next, row + from_y - reach, column + from_x - reach, side, 1, area);
    search(own, area, side, reach, 1, &steps_y, &steps_x);
    *down = (from_y + steps_y) * unit, *over = (from_x + steps_x) * unit;
}

/* Rows of blocks, as they are found in the next frame. found: (4, rows, columns), y and x in UNITS; what that costs; and
   whether a block is DISTINCT, and whether it MOVES, or is LOST. As gpu.stages.strokes.advection.found has it. */
KERNEL(film_motion)
(const Shorts2 *fine, const Shorts2 *cells, const Shorts2 *far_cells, const Shorts2 *next_fine, const Shorts2 *next_cells,
 const Shorts2 *next_far_cells, const Whole3 *found, float *scratch, whole y0, whole y1) {
    (void)scratch;
    enum { side = SIDE_OF(FINE_PX, STEP_PX) };
    const whole columns = found->columns, blocks = found->rows * columns;
    int16_t own[SAMPLES * SAMPLES], there[SAMPLES * SAMPLES], area[side * side];
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const whole y = row * BLOCK_PX, x = column * BLOCK_PX, at = row * columns + column;
            take_square(fine, y, x, SAMPLES, STEP_PX, own);
            const int32_t resting = cost_at(own, next_fine, y, x);
            int32_t cost = resting;
            whole best_y = 0, best_x = 0;
            if (resting > REST_BIAS) {
                int32_t least_cost = resting - REST_BIAS;
                for (whole way = 0; way < 2; way++) {
                    whole down = 0, over = 0, steps_y = 0, steps_x = 0;
                    if (way == 0) {
                        look_around(cells, next_cells, y, x, CORNER, CELL_PX, COARSE_CELLS, &down, &over);
                    } else {
                        look_around(far_cells, next_far_cells, y, x, FAR_CORNER, 2 * CELL_PX, COARSE_CELLS, &down, &over);
                        look_around(cells, next_cells, y, x, CORNER, CELL_PX, 1, &down, &over);
                    }
                    take_square(next_fine, y + down - FINE_PX, x + over - FINE_PX, side, 1, area);
                    search(own, area, side, FINE_PX, STEP_PX, &steps_y, &steps_x);
                    const int32_t here = apart(own, area + (steps_y + FINE_PX) * side + steps_x + FINE_PX, side, STEP_PX);
                    if (here < least_cost)
                        least_cost = cost = here, best_y = down + steps_y, best_x = over + steps_x;
                }
            }
            const whole to_y = y + best_y, to_x = x + best_x;
            const int32_t fit_y = between_pixels(cost_at(own, next_fine, to_y - 1, to_x), cost,
                                                 cost_at(own, next_fine, to_y + 1, to_x));
            const int32_t fit_x = between_pixels(cost_at(own, next_fine, to_y, to_x - 1), cost,
                                                 cost_at(own, next_fine, to_y, to_x + 1));
            int32_t around = INT32_MAX;
            for (whole k = 0; k < 4; k++) {
                const whole away = k % 2 ? DISTINCT_PX : -DISTINCT_PX;
                const int32_t beside = cost_at(own, next_fine, to_y + (k < 2 ? away : 0), to_x + (k < 2 ? 0 : away));
                around = beside < around ? beside : around;
            }
            take_square(next_fine, to_y, to_x, SAMPLES, STEP_PX, there);
            const int32_t varied = SURE_NOISE + deviation(own, SAMPLES, 1) + deviation(there, SAMPLES, 1);
            int32_t kind = around - cost >= DISTINCT_COST ? DISTINCT : 0;
            if (best_y || best_x) kind |= MOVES;
            if (8 * cost >= UNSURE_EIGHTHS * varied) kind |= LOST;
            found->at[at] = (int32_t)best_y * UNITS + fit_y;
            found->at[blocks + at] = (int32_t)best_x * UNITS + fit_x;
            found->at[2 * blocks + at] = cost;
            found->at[3 * blocks + at] = kind;
        }
}

/* Rows of blocks: where each goes in the next frame, (2, rows, columns), y and x in UNITS. camera_y, camera_x: where most
   blocks go that are distinct. As gpu.stages.strokes.advection.settled has it. */
KERNEL(settle_motion)
(const Shorts2 *fine, const Shorts2 *next_fine, const Whole3 *found, whole camera_y, whole camera_x,
 const Whole3 *vectors, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole columns = found->columns, blocks = found->rows * columns;
    const whole whole_y = divided(camera_y + UNITS / 2, UNITS), whole_x = divided(camera_x + UNITS / 2, UNITS);
    int16_t own[SAMPLES * SAMPLES];
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const whole at = row * columns + column;
            const int32_t own_y = found->at[at], own_x = found->at[blocks + at], kind = found->at[3 * blocks + at];
            const whole apart_y = own_y - camera_y, apart_x = own_x - camera_x;
            int follows = 0;
            if (kind == DISTINCT)
                follows = (apart_y < 0 ? -apart_y : apart_y) + (apart_x < 0 ? -apart_x : apart_x) <= UNITS / 2;
            if (kind & LOST || !(kind & DISTINCT)) {
                const whole y = row * BLOCK_PX, x = column * BLOCK_PX;
                take_square(fine, y, x, SAMPLES, STEP_PX, own);
                follows = cost_at(own, next_fine, y + whole_y, x + whole_x) <= found->at[2 * blocks + at] + CAMERA_BIAS;
            }
            vectors->at[at] = follows ? (int32_t)camera_y : kind & MOVES ? own_y : 0;
            vectors->at[blocks + at] = follows ? (int32_t)camera_x : kind & MOVES ? own_x : 0;
        }
}

/* Of a block, what it costs to be found between pixels, at a vector in UNITS. */
static inline int32_t cost_between(const int16_t *restrict own, const Shorts2 *next, whole y, whole x, int32_t down,
                                   int32_t over) {
    enum { side = STEP_PX * (SAMPLES - 1) + 2 };
    int16_t area[side * side];
    const whole row = divided(down, UNITS), column = divided(over, UNITS);
    const int32_t lower = down - (int32_t)row * UNITS, right = over - (int32_t)column * UNITS;
    const int32_t upper = UNITS - lower, left = UNITS - right;
    take_square(next, y + row, x + column, side, 1, area);
    int32_t sum = 0;
    for (whole j = 0; j < SAMPLES; j++)
        for (whole i = 0; i < SAMPLES; i++) {
            const int16_t *at = area + j * STEP_PX * side + i * STEP_PX;
            const int32_t shown = (upper * (left * at[0] + right * at[1]) + lower * (left * at[side] + right * at[side + 1])
                                   + UNITS * UNITS / 2) / (UNITS * UNITS);
            const int32_t difference = own[j * SAMPLES + i] - shown;
            sum += difference < 0 ? -difference : difference;
        }
    return sum;
}

/* Rows of blocks: where each goes that agrees better with those beside it, by so many UNITS more or less. vectors, agreed:
   (2, rows, columns). As gpu.stages.strokes.advection.agreed has it. */
KERNEL(agree_motion)
(const Shorts2 *fine, const Shorts2 *next_fine, const Whole3 *vectors, whole step, const Whole3 *agreed, float *scratch,
 whole y0, whole y1) {
    (void)scratch;
    enum { beside = 4, ways = 1 + 2 * beside };
    static const int8_t sides[beside][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}}, steps[beside][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const whole columns = vectors->columns, blocks = vectors->rows * columns;
    int16_t own[SAMPLES * SAMPLES];
    for (whole row = y0; row < y1; row++)
        for (whole column = 0; column < columns; column++) {
            const whole at = row * columns + column;
            int32_t down[ways], over[ways], best_y = vectors->at[at], best_x = vectors->at[blocks + at];
            int32_t moves = best_y | best_x;
            down[0] = best_y, over[0] = best_x;
            for (whole k = 0; k < beside; k++) {
                const whole other = clamped(row + sides[k][0], 0, vectors->rows - 1) * columns
                                    + clamped(column + sides[k][1], 0, columns - 1);
                down[1 + k] = vectors->at[other], over[1 + k] = vectors->at[blocks + other];
                down[1 + beside + k] = best_y + (int32_t)step * steps[k][0];
                over[1 + beside + k] = best_x + (int32_t)step * steps[k][1];
                moves |= down[1 + k] | over[1 + k];
            }
            if (moves) {
                int32_t least_cost = INT32_MAX;
                take_square(fine, row * BLOCK_PX, column * BLOCK_PX, SAMPLES, STEP_PX, own);
                for (whole k = 0; k < ways; k++) {
                    whole known = 0;
                    while (down[known] != down[k] || over[known] != over[k]) known++;
                    if (known < k) continue;
                    int32_t alone = 0;
                    for (whole n = 1; n <= beside; n++) {
                        const int32_t apart_y = down[k] - down[n], apart_x = over[k] - over[n];
                        alone += (apart_y < 0 ? -apart_y : apart_y) + (apart_x < 0 ? -apart_x : apart_x);
                    }
                    int32_t cost = AGREEMENT * alone - (down[k] || over[k] ? 0 : AGREEMENT_REST);
                    if (cost >= least_cost) continue;
                    cost += cost_between(own, next_fine, row * BLOCK_PX, column * BLOCK_PX, down[k], over[k]);
                    if (cost < least_cost) least_cost = cost, best_y = down[k], best_x = over[k];
                }
            }
            agreed->at[at] = best_y, agreed->at[blocks + at] = best_x;
        }
}

/* What a stroke remembers of the painting, in words as in gpu.stages.strokes.stroke_samples: of two looks the values. */
enum { LOOK_WORDS = 4, SEEN = 7 };
static const int32_t grades_of[SEEN] = {GRADES, GRADES, GRADES, FEW_GRADES, FEW_GRADES, FEW_GRADES, AROUND_GRADES};
static inline void unpack_look(const int32_t *words, int32_t *seen) {
    const uint32_t colour = (uint32_t)words[0], rest = (uint32_t)words[1];
    for (whole k = 0; k < 3; k++) seen[k] = (int32_t)(colour >> 10 * k & GRADES);
    seen[3] = (int32_t)(rest & FEW_GRADES);
    seen[4] = (int32_t)(rest >> 7 & (2 * FEW_GRADES + 1));
    seen[5] = (int32_t)(rest >> 15 & (2 * FEW_GRADES + 1));
    seen[6] = (int32_t)(rest >> 23);
}
static inline void pack_look(const int32_t *seen, uint32_t count, int32_t *words) {
    const uint32_t colour = (uint32_t)seen[0] | (uint32_t)seen[1] << 10 | (uint32_t)seen[2] << 20;
    words[0] = (int32_t)(colour | count << 30);
    words[1] = (int32_t)((uint32_t)seen[3] | (uint32_t)seen[4] << 7 | (uint32_t)seen[5] << 15 | (uint32_t)seen[6] << 23);
}
static inline uint32_t looks_of(const int32_t *look) { return (uint32_t)look[2] >> 30; }

/* What it remembers now, gliding from look to look, if it has looked; whether it has. */
static inline int remember(const int32_t *look, whole place, float *known) {
    int32_t former[SEEN], latter[SEEN];
    unpack_look(look, former);
    unpack_look(look + 2, latter);
    const float share = (float)(int32_t)(place % LOOK_EVERY + 1) / (float)LOOK_EVERY;
    for (whole k = 0; k < SEEN; k++) {
        const float value = (float)former[k] + share * (float)(latter[k] - former[k]);
        known[k] = (value - (float)(k == 4 || k == 5 ? FEW_GRADES + 1 : 0)) / (float)grades_of[k];
    }
    return looks_of(look) != 0;
}

/* Sizes that strokes are carried in, in pixels; cell: side of a cell, in UNITS. */
typedef struct { whole width, height, working_width, working_height, cell; } Carried;

/* So many of `of` in as many of `by`, rounded down; mostly both are the same, and dividing takes long. */
static inline whole scaled(whole value, whole by, whole of) { return by == of ? value : divided(value * by, of); }

/* How far the film carries a place of the target along an axis, in UNITS of the target: bilinear between blocks. */
static inline int32_t carried(const Whole3 *motion, whole axis, whole row, whole down, whole column, whole over,
                              whole target, whole working) {
    const int32_t *plane = motion->at + axis * motion->rows * motion->columns;
    const int32_t *upper = plane + clamped(row, 0, motion->rows - 1) * motion->columns;
    const int32_t *lower = plane + clamped(row + 1, 0, motion->rows - 1) * motion->columns;
    const whole left = clamped(column, 0, motion->columns - 1), right = clamped(column + 1, 0, motion->columns - 1);
    const whole side = BLOCK_PX * UNITS;
    const whole sum = (side - down) * ((side - over) * upper[left] + over * upper[right])
                      + down * ((side - over) * lower[left] + over * lower[right]);
    const whole vector = divided(sum + side * side / 2, side * side);
    return (int32_t)(target == working ? vector : divided(2 * vector * target + working, 2 * working));
}

/* How large it is by its age, 0..1. */
static inline float size_of(whole age, whole slot) {
    if (slot < 2) return least(1.0f, (float)least_of(age, LIFE - age) / (float)GROWTH);
    return least(1.0f, least((float)(age + 1) / (float)FILL_GROWTH, (float)(FILL_LIFE - age) / (float)FILL_SHRINK));
}

/* Cells of a layer: where the film has carried their two strokes, and which cells are covered by one. fresh: whether all
   begin anew. before, after: (cells, slots, 2), how far strokes are from home; those of fills wait for `fill_gaps`.
   remembered, looks: (cells, slots, 4), what strokes remember, which those that are born do not. */
KERNEL(carry_strokes)
(const Whole2 *homes, const Whole3 *motion, const Carried *sizes, whole place, whole fresh, const Shorts3 *before,
 const Shorts3 *after, const Whole3 *remembered, const Whole3 *looks, const Bytes2 *covered, float *scratch, whole y0,
 whole y1) {
    (void)scratch;
    const whole slots = after->rows, side = BLOCK_PX * UNITS, cell = sizes->cell;
    for (whole index = y0; index < y1; index++) {
        const int32_t *home = homes->at + 4 * index;
        const uint32_t seed = (uint32_t)home[2];
        for (whole slot = 0; slot < slots; slot++) {
            const int16_t *from = before->at + (index * slots + slot) * 2;
            int16_t *into = after->at + (index * slots + slot) * 2;
            const int32_t *known = remembered->at + (index * slots + slot) * LOOK_WORDS;
            int32_t *look = looks->at + (index * slots + slot) * LOOK_WORDS;
            const whole age = age_of(seed, slot, place);
            if (fresh || age == 0) {
                into[0] = into[1] = slot < 2 ? 0 : NONE;
            } else if (from[0] == NONE) {
                into[0] = into[1] = NONE;
            } else {
                const whole y = home[0] + from[0], x = home[1] + from[1];
                const whole v = scaled(y, sizes->working_height, sizes->height) - side / 2;
                const whole u = scaled(x, sizes->working_width, sizes->width) - side / 2;
                const whole row = divided(v, side), column = divided(u, side);
                const whole down = v - row * side, over = u - column * side;
                const whole far_y = from[0]
                    + carried(motion, 0, row, down, column, over, sizes->height, sizes->working_height);
                const whole far_x = from[1]
                    + carried(motion, 1, row, down, column, over, sizes->width, sizes->working_width);
                const int gone = far_y < -MOST_OFFSET || far_y > MOST_OFFSET || far_x < -MOST_OFFSET || far_x > MOST_OFFSET;
                into[0] = gone ? NONE : (int16_t)far_y;
                into[1] = gone ? NONE : (int16_t)far_x;
            }
            const int keeps = !fresh && age != 0 && into[0] != NONE;
            for (whole k = 0; k < LOOK_WORDS; k++) look[k] = keeps ? known[k] : 0;
            if (slots > 2 && slot < 2 && into[0] != NONE && size_of(age, slot) >= COVERING) {
                const whole row = divided(home[0] + into[0] - cell / 2, cell) + FIRST_CELLS;
                const whole column = divided(home[1] + into[1] - cell / 2, cell) + FIRST_CELLS;
                for (whole j = most_of(row, 0); j <= least_of(row + 1, covered->rows - 1); j++)
                    for (whole i = most_of(column, 0); i <= least_of(column + 1, covered->columns - 1); i++)
                        covered->at[j * covered->columns + i] = 1;
            }
        }
    }
}

/* Cells of a layer whose gaps are filled: a stroke is born where a cell is bare when it looks. cell: a side, in UNITS. */
KERNEL(fill_gaps)
(const Whole2 *homes, whole place, whole cell, const Bytes2 *covered, const Shorts3 *after, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole slots = after->rows;
    for (whole index = y0; index < y1; index++) {
        const int32_t *home = homes->at + 4 * index;
        const whole row = divided(home[0], cell) + FIRST_CELLS, column = divided(home[1], cell) + FIRST_CELLS;
        if (covered->at[row * covered->columns + column]) continue;
        for (whole slot = 2; slot < slots; slot++)
            if (age_of((uint32_t)home[2], slot, place) == 0) {
                int16_t *into = after->at + (index * slots + slot) * 2;
                into[0] = into[1] = 0;
            }
    }
}

/* A layer's numbers. index, half_steps: as gpu.stages.strokes.Layer has them. up: levels from the pyramid's one that
   colours are read from, from the need's, and from the directions', to pixels. first: whether strokes are drawn
   everywhere. last: index of the finest layer. width, height: of the target. */
typedef struct {
    whole half_steps, colour_level, around_level, need_level, direction_level, first, last, width, height;
} Steps;

/* A layer's strokes in a frame of this number, and their looks at the painting. offsets: (cells, slots, 2) in UNITS. looks:
   (cells, slots, 4). */
typedef struct { Whole2 homes; Shorts3 offsets; Whole3 looks; whole place; } LayerStrokes;

/* What a layer's strokes go by: need of finer ones, levels of the painting for its colours and for what is around, and
   directions. */
typedef struct { Floats2 need; Floats3 level, around, direction; } LayerGuides;

/* In a level of a pyramid the place of a pixel of the target. */
static inline float in_level(float place, whole level) { return place / (float)(1 << level) - 0.5f; }

/* How much of a stroke is seen: 0 where the coarser layers say as much. */
static inline float need_of(float need, float per_need) { return between_0_and_1(2.0f * per_need * need - 1.0f); }
static inline float needed(const Floats2 *need, whole level, float per_need, float y, float x) {
    const Between down = between_samples(in_level(y, level), need->rows);
    const Between across = between_samples(in_level(x, level), need->columns);
    return need_of(bilinear(need->at, need->columns, down, across), per_need);
}

/* Strokes, columns and pixels that are computed together. */
#define EIGHT 8
typedef float Eight __attribute__((vector_size(4 * EIGHT), aligned(4)));
typedef int32_t EightWhole __attribute__((vector_size(4 * EIGHT), aligned(4)));

/* The values of a table at eight places. */
#define AT_PLACES(table, at) \
    ((Eight){(table)[(at)[0]], (table)[(at)[1]], (table)[(at)[2]], (table)[(at)[3]], \
             (table)[(at)[4]], (table)[(at)[5]], (table)[(at)[6]], (table)[(at)[7]]})

/* Where eight places lie between samples of a plane, of which a unit has so many: the four around each, and how far it is
   from the first ones. */
typedef struct { EightWhole corners[4]; float down[EIGHT], across[EIGHT]; } Samples;

static inline void find_samples(whole rows, whole all_columns, float ratio, const float *y, const float *x,
                                Samples *restrict made) {
    const int32_t columns = (int32_t)all_columns, last_row = (int32_t)rows - 1, last_column = columns - 1;
    int32_t *upper_left = (int32_t *)made->corners, *upper_right = upper_left + EIGHT;
    int32_t *lower_left = upper_right + EIGHT, *lower_right = lower_left + EIGHT;
    for (int32_t i = 0; i < EIGHT; i++) {
        const float down = y[i] * ratio - 0.5f, across = x[i] * ratio - 0.5f;
        const int32_t row = (int32_t)down - ((float)(int32_t)down > down);
        const int32_t column = (int32_t)across - ((float)(int32_t)across > across);
        const int32_t above = row < 0 ? 0 : row > last_row ? last_row : row;
        const int32_t below = row < -1 ? 0 : row + 1 > last_row ? last_row : row + 1;
        const int32_t left = column < 0 ? 0 : column > last_column ? last_column : column;
        const int32_t right = column < -1 ? 0 : column + 1 > last_column ? last_column : column + 1;
        upper_left[i] = above * columns + left, upper_right[i] = above * columns + right;
        lower_left[i] = below * columns + left, lower_right[i] = below * columns + right;
        made->down[i] = down - (float)row, made->across[i] = across - (float)column;
    }
}

static inline void take_samples(const float *plane, const Samples *at, float *restrict made) {
    const Eight across = *(const Eight *)at->across, down = *(const Eight *)at->down;
    const Eight upper = AT_PLACES(plane, at->corners[0]), lower = AT_PLACES(plane, at->corners[2]);
    const Eight top = upper + across * (AT_PLACES(plane, at->corners[1]) - upper);
    const Eight bottom = lower + across * (AT_PLACES(plane, at->corners[3]) - lower);
    *(Eight *)made = top + down * (bottom - top);
}

static inline void find_in_level(const Floats3 *plane, whole level, const float *y, const float *x, Samples *restrict made) {
    find_samples(plane->rows, plane->columns, 1.0f / (float)(1 << level), y, x, made);
}

/* Strokes of a layer that wait until there are eight: where they are, in pixels and as shares of the frame their homes; their
   layers, sizes by age, and what they remember; their cells and slots. */
typedef struct {
    float y[EIGHT], x[EIGHT], home_y[EIGHT], home_x[EIGHT], layer[EIGHT], size[EIGHT];
    int32_t look[LOOK_WORDS][EIGHT], cell[EIGHT], slot[EIGHT];
} Waiting;

/* How much of eight strokes is seen: what is needed now, eased by what is remembered as far as that is not too far from it,
   and within what a map of sizes leaves of it where their cells have their homes. */
static inline void find_seen(const Waiting *strokes, const Floats3 *maps, const Floats2 *need, const Steps *steps, float per_need,
                             whole place, float *restrict seen) {
    Samples samples;
    float needs[EIGHT], broader[EIGHT];
    find_samples(need->rows, need->columns, 1.0f / (float)(1 << steps->need_level), strokes->y, strokes->x, &samples);
    take_samples(need->at, &samples, needs);
    find_samples(MAP_SIDE, MAP_SIDE, (float)MAP_SIDE, strokes->home_y, strokes->home_x, &samples);
    take_samples(plane_of(maps, 0), &samples, broader);
    for (int32_t i = 0; i < EIGHT; i++) {
        int32_t look[LOOK_WORDS];
        float known[SEEN];
        for (whole k = 0; k < LOOK_WORDS; k++) look[k] = strokes->look[k][i];
        const int knows = remember(look, place, known);
        const float now = need_of(needs[i], per_need);
        const float eased = now + most(least(known[3] - now, NEED_ALIKE), -NEED_ALIKE);
        seen[i] = strokes->size[i] * limited(knows ? eased : now, broader[i], strokes->layer[i], (float)steps->last);
    }
}

/* Of so many strokes that wait, set the bits of those that are drawn, and keep how much of them is seen. */
static inline void pick(const Waiting *strokes, whole count, whole slots, const float *seen, const Whole1 *picked,
                        const Floats1 *shown) {
    for (whole lane = 0; lane < count; lane++) {
        if (seen[lane] < LEAST_SEEN) continue;
        const int32_t cell = strokes->cell[lane], slot = strokes->slot[lane];
        picked->at[cell] |= 1 << (strokes->size[lane] < 1.0f ? slot : slot + (int32_t)slots);
        shown->at[cell * slots + slot] = seen[lane];
    }
}

/* Cells of a layer: which of their strokes are drawn, a bit for each: those that grow or shrink, then those that are
   fully grown; and how much of those is seen. picked: (cells). shown: (cells * slots) at least. */
KERNEL(pick_strokes)
(const LayerStrokes *strokes, const Floats3 *maps, const Floats2 *need, const Steps *steps, float per_need, float reach,
 whole width, whole height, const Whole1 *picked, const Floats1 *shown, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole place = strokes->place, slots = strokes->offsets.rows;
    const float down = (float)(UNITS * steps->height), across = (float)(UNITS * steps->width);
    Waiting waiting = {0};
    float seen[EIGHT];
    whole count = 0;
    for (whole index = y0; index < y1; index++) {
        const int32_t *home = strokes->homes.at + 4 * index;
        const uint32_t seed = (uint32_t)home[2];
        const int16_t *first = strokes->offsets.at + index * slots * 2, *second = first + 2;
        whole hidden = -1;
        picked->at[index] = 0;
        const whole apart_y = first[0] - second[0], apart_x = first[1] - second[1];
        if (first[0] != NONE && second[0] != NONE
            && (apart_y < 0 ? -apart_y : apart_y) + (apart_x < 0 ? -apart_x : apart_x) < TWINS)
            hidden = size_of(age_of(seed, 0, place), 0) >= size_of(age_of(seed, 1, place), 1) ? 1 : 0;
        for (whole slot = 0; slot < slots; slot++) {
            const int16_t *offset = first + 2 * slot;
            if (offset[0] == NONE || slot == hidden) continue;
            const float y = (float)(home[0] + offset[0]) / UNITS, x = (float)(home[1] + offset[1]) / UNITS;
            if (y < -reach || x < -reach || y > (float)height + reach || x > (float)width + reach) continue;
            waiting.y[count] = y, waiting.x[count] = x, waiting.size[count] = size_of(age_of(seed, slot, place), slot);
            waiting.home_y[count] = (float)home[0] / down, waiting.home_x[count] = (float)home[1] / across;
            waiting.layer[count] = (float)home[3], waiting.cell[count] = (int32_t)index, waiting.slot[count] = (int32_t)slot;
            const int32_t *look = strokes->looks.at + (index * slots + slot) * LOOK_WORDS;
            for (whole k = 0; k < LOOK_WORDS; k++) waiting.look[k][count] = look[k];
            if (++count < EIGHT) continue;
            if (!steps->first) find_seen(&waiting, maps, need, steps, per_need, place, seen);
            pick(&waiting, count, slots, steps->first ? waiting.size : seen, picked, shown);
            count = 0;
        }
    }
    if (!steps->first) find_seen(&waiting, maps, need, steps, per_need, place, seen);
    pick(&waiting, count, slots, steps->first ? waiting.size : seen, picked, shown);
}

/* Of picked strokes, in order: the cell of each, and its slot. listed: as many pairs as fit, behind how many there are. */
KERNEL(list_strokes)(const Whole1 *picked, whole slots, const Whole1 *listed, float *scratch, whole y0, whole y1) {
    (void)scratch;
    int32_t count = 0;
    const whole most_listed = (listed->length - 1) / 2;
    for (whole index = y0; index < y1; index++)
        for (uint32_t bits = (uint32_t)picked->at[index]; bits; bits &= bits - 1) {
            if (count < most_listed) {
                listed->at[1 + 2 * count] = (int32_t)index;
                listed->at[2 + 2 * count] = (int32_t)(__builtin_ctz(bits) % slots);
            }
            count++;
        }
    listed->at[0] = count;
}

/* A stroke as it is drawn. */
typedef struct {
    float top, bottom, half_width;
    Rgb colour;
    float opacity, length;
    int32_t count;
    uint32_t seed;
    float y[POINTS], x[POINTS];
} Drawn;

static inline void tensor_at(const Floats3 *direction, whole level, float y, float x, float *first, float *second) {
    const Between rows = between_samples(in_level(y, level), direction->rows);
    const Between columns = between_samples(in_level(x, level), direction->columns);
    *first = bilinear(plane_of(direction, 0), direction->columns, rows, columns);
    *second = bilinear(plane_of(direction, 1), direction->columns, rows, columns);
}

/* Along the smaller eigenvector of a structure tensor, to the right, of length 1. */
static inline void along_tensor(float first, float second, float *down, float *over) {
    const float length = root(first * first + second * second) + TINY;
    *over = root(most(0.5f - 0.5f * first / length, 0.0f));
    const float rise = root(most(0.5f + 0.5f * first / length, 0.0f));
    *down = second > 0.0f ? -rise : rise;
}

static inline void colour_at(const Floats3 *level, whole up, float y, float x, float *colour) {
    const Between rows = between_samples(in_level(y, up), level->rows);
    const Between columns = between_samples(in_level(x, up), level->columns);
    for (whole channel = 0; channel < 3; channel++)
        colour[channel] = bilinear(plane_of(level, channel), level->columns, rows, columns);
}

static inline int32_t graded(float value, int32_t grades) { return (int32_t)floor_of((float)grades * value + 0.5f); }

/* How light it is around a place. */
static inline float light_around(const Floats3 *around, whole level, float y, float x) {
    float colour[3];
    colour_at(around, level, y, x, colour);
    return LUMA_RED * colour[0] + LUMA_GREEN * colour[1] + LUMA_BLUE * colour[2];
}

/* Cells of a layer: their strokes look at the painting, and remember the mean of their looks. first: whether they are
   drawn everywhere. looks: (cells, slots, 4). As gpu.stages.strokes.stroke_samples.taken has it. */
KERNEL(look_at_painting)
(const Whole2 *homes, const Shorts3 *offsets, const LayerGuides *guides, const Steps *steps, float per_need,
 const Whole3 *looks, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const Floats2 *need = &guides->need;
    const Floats3 *level = &guides->level, *around = &guides->around, *direction = &guides->direction;
    const whole slots = offsets->rows;
    for (whole index = y0; index < y1; index++)
        for (whole slot = 0; slot < slots; slot++) {
            const int16_t *offset = offsets->at + (index * slots + slot) * 2;
            if (offset[0] == NONE) continue;
            int32_t *look = looks->at + (index * slots + slot) * LOOK_WORDS;
            const float y = (float)(homes->at[4 * index] + offset[0]) / UNITS;
            const float x = (float)(homes->at[4 * index + 1] + offset[1]) / UNITS;
            float own[3], first, second;
            colour_at(level, steps->colour_level, y, x, own);
            tensor_at(direction, steps->direction_level, y, x, &first, &second);
            const float length = root(first * first + second * second) + TINY;
            int32_t seen[SEEN], former[SEEN];
            for (whole k = 0; k < 3; k++) seen[k] = graded(between_0_and_1(own[k]), GRADES);
            seen[3] = steps->first ? FEW_GRADES : graded(needed(need, steps->need_level, per_need, y, x), FEW_GRADES);
            seen[4] = graded(first / length, FEW_GRADES) + FEW_GRADES + 1;
            seen[5] = graded(second / length, FEW_GRADES) + FEW_GRADES + 1;
            seen[6] = graded(between_0_and_1(light_around(around, steps->around_level, y, x)), AROUND_GRADES);
            uint32_t count = looks_of(look);
            unpack_look(look + 2, former);
            for (whole k = 0; k < 3; k++)
                if (seen[k] - former[k] > FORGOTTEN || former[k] - seen[k] > FORGOTTEN) count = 0;
            if (count == 0) {
                pack_look(seen, 1, look);
            } else {
                look[0] = look[2], look[1] = look[3];
                const int32_t of = (int32_t)count + 1;
                for (whole k = 0; k < SEEN; k++) seen[k] = ((of - 1) * former[k] + seen[k] + of / 2) / of;
            }
            pack_look(seen, count + 1 < LOOKS ? count + 1 : LOOKS - 1, look + 2);
        }
}

/* Ends of eight paths that grow one way: where they are, which way they came, how far their colours are from the strokes'
   own, whether they grow on, and by how many steps they have grown. */
typedef struct { float y[EIGHT], x[EIGHT], down[EIGHT], over[EIGHT], apart[EIGHT]; int32_t grows[EIGHT], steps[EIGHT]; } Ends;

/* Eight strokes of a layer: where they are, their seeds, what they remember and how much of them is seen. */
typedef struct { float y[EIGHT], x[EIGHT], seen[EIGHT]; uint32_t seed[EIGHT]; int32_t look[LOOK_WORDS][EIGHT]; } Listed;

/* What paths of eight strokes go by: the strokes' colours, the angles from the directions that are seen to theirs, a step's
   length and their widths. */
typedef struct { float own[3][EIGHT], cosine[EIGHT], sine[EIGHT], step[EIGHT], wide[EIGHT]; } Guided;

static inline void guide(const Listed *strokes, const LayerGuides *guides, const Steps *steps, whole place, const Figures *brush,
                         float width, float length, Guided *restrict made) {
    const Floats3 *level = &guides->level, *around = &guides->around, *direction = &guides->direction;
    const Figures of_brush = *brush, *figures = &of_brush;
    const float both_steps = (float)(2 * steps->half_steps);
    Samples samples;
    float seen_own[3][EIGHT], light[3][EIGHT], firsts[EIGHT], seconds[EIGHT];
    find_in_level(level, steps->colour_level, strokes->y, strokes->x, &samples);
    for (whole channel = 0; channel < 3; channel++) take_samples(plane_of(level, channel), &samples, seen_own[channel]);
    find_in_level(around, steps->around_level, strokes->y, strokes->x, &samples);
    for (whole channel = 0; channel < 3; channel++) take_samples(plane_of(around, channel), &samples, light[channel]);
    find_in_level(direction, steps->direction_level, strokes->y, strokes->x, &samples);
    take_samples(plane_of(direction, 0), &samples, firsts);
    take_samples(plane_of(direction, 1), &samples, seconds);
    for (int32_t i = 0; i < EIGHT; i++) {
        const uint32_t seed = strokes->seed[i];
        const float grown = LEAST_GROWN + (1.0f - LEAST_GROWN) * strokes->seen[i];
        made->wide[i] = width_of(figures, width, grown, seed);
        made->step[i] = length_of(figures, length, grown, seed) / both_steps;
        int32_t look[LOOK_WORDS];
        float known[SEEN], own[3], apart = 0.0f, down, over, then_down, then_over;
        for (whole k = 0; k < LOOK_WORDS; k++) look[k] = strokes->look[k][i];
        const int knows = remember(look, place, known);
        const float lighter = luma(light[0][i], light[1][i], light[2][i]) - known[6];
        const float followed = lighter - most(least(lighter, UNFOLLOWED), -UNFOLLOWED);
        const float left = followed < 0.0f ? 1.0f + followed / known[6] : 1.0f;
        for (whole channel = 0; channel < 3; channel++) {
            own[channel] = seen_own[channel][i];
            known[channel] = left * known[channel] + most(followed, 0.0f) - own[channel];
            apart = most(apart, magnitude(known[channel]));
        }
        const float trusted = between_0_and_1(2.0f - apart / (left * ALIKE));
        for (whole channel = 0; channel < 3; channel++)
            made->own[channel][i] = knows ? own[channel] + trusted * known[channel] : own[channel];
        const float norm = root(firsts[i] * firsts[i] + seconds[i] * seconds[i]) + TINY;
        along_tensor(firsts[i], seconds[i], &down, &over);
        const float first = firsts[i] / norm, second = seconds[i] / norm;
        along_tensor(first + trusted * (known[4] - first), second + trusted * (known[5] - second), &then_down, &then_over);
        made->cosine[i] = knows ? down * then_down + over * then_over : 1.0f;
        made->sine[i] = knows ? over * then_down - down * then_over : 0.0f;
    }
}

/* The k-th step of eight paths, the first of them to one side by `sign`. Returns whether any of them grows on. */
static inline int grow(const LayerGuides *guides, const Steps *steps, const Guided *strokes, float edge, int32_t k, float sign,
                       Ends *restrict ends) {
    const Floats3 *level = &guides->level, *direction = &guides->direction;
    Samples samples;
    float first[EIGHT], second[EIGHT], down[EIGHT], over[EIGHT], y[EIGHT], x[EIGHT], there[3][EIGHT];
    find_in_level(direction, steps->direction_level, ends->y, ends->x, &samples);
    take_samples(plane_of(direction, 0), &samples, first);
    take_samples(plane_of(direction, 1), &samples, second);
    for (int32_t i = 0; i < EIGHT; i++) {
        float seen_down, seen_over;
        along_tensor(first[i], second[i], &seen_down, &seen_over);
        const float new_down = strokes->cosine[i] * seen_down + strokes->sine[i] * seen_over;
        const float new_over = strokes->cosine[i] * seen_over - strokes->sine[i] * seen_down;
        const float was_down = ends->down[i], was_over = ends->over[i];
        const float turn = new_down * was_down + new_over * was_over < 0.0f ? -TURN : TURN;
        const float to_down = turn * new_down + (1.0f - TURN) * was_down, to_over = turn * new_over + (1.0f - TURN) * was_over;
        const float norm = root(to_down * to_down + to_over * to_over) + TINY;
        down[i] = k == 1 ? new_down * sign : to_down / norm, over[i] = k == 1 ? new_over * sign : to_over / norm;
        y[i] = ends->y[i] + down[i] * strokes->step[i], x[i] = ends->x[i] + over[i] * strokes->step[i];
    }
    find_in_level(level, steps->colour_level, y, x, &samples);
    for (whole channel = 0; channel < 3; channel++) take_samples(plane_of(level, channel), &samples, there[channel]);
    int32_t any = 0;
    for (int32_t i = 0; i < EIGHT; i++) {
        float far = 0.0f;
        for (whole channel = 0; channel < 3; channel++)
            far += (there[channel][i] - strokes->own[channel][i]) * (there[channel][i] - strokes->own[channel][i]);
        const float apart = root(far), step = strokes->step[i];
        const float part = step * most((edge - ends->apart[i]) / (apart - ends->apart[i]), 0.0f);
        const float reach = apart > edge ? part : step, least_reach = k == 1 ? 0.5f * LEAST_LENGTH * strokes->wide[i] : 0.0f;
        const float gone = most(reach, least_reach);
        const int32_t grows = ends->grows[i];
        ends->y[i] = ends->y[i] + down[i] * gone, ends->x[i] = ends->x[i] + over[i] * gone;
        ends->down[i] = down[i], ends->over[i] = over[i], ends->apart[i] = apart;
        ends->steps[i] += grows;
        ends->grows[i] = apart > edge ? 0 : grows;
        any |= ends->grows[i];
    }
    return any;
}

/* Write the path of one of eight strokes, of so many steps to the left and to the right, and where it reaches. */
static inline void write_path(const float (*ys)[EIGHT], const float (*xs)[EIGHT], whole left, whole right, whole lane,
                              Drawn *made) {
    const whole low = POINTS / 2 - left, high = POINTS / 2 + right;
    float least_y = ys[low][lane], most_y = least_y, total = 0.0f;
    for (whole k = low; k <= high; k++) {
        const float y = ys[k][lane], x = xs[k][lane];
        made->y[k - low] = y, made->x[k - low] = x;
        least_y = least(least_y, y), most_y = most(most_y, y);
        if (k == low) continue;
        const float down = y - ys[k - 1][lane], over = x - xs[k - 1][lane];
        total += root(down * down + over * over);
    }
    made->count = (int32_t)(high - low + 1);
    made->length = total;
    made->top = least_y - made->half_width, made->bottom = most_y + made->half_width;
}

/* Listed strokes of a layer, from one on to another: their paths, colours and sizes. shown: how much of each is seen, as
   `pick_strokes` leaves it. drawn: (strokes, 32), of which those from `from` on are this layer's. */
KERNEL(trace_strokes)
(const LayerStrokes *strokes, const LayerGuides *guides, const Steps *steps, const Floats1 *shown, const Floats1 *brush,
 float width, float length, const Whole1 *listed, whole from, const Floats2 *drawn, float *scratch, whole y0, whole y1) {
    (void)scratch;
    const whole slots = strokes->offsets.rows;
    const Figures *figures = (const Figures *)brush->at;
    for (whole number = y0; number < y1; number += EIGHT) {
        const whole count = least_of(y1 - number, EIGHT);
        Listed eight;
        Guided guided;
        Ends ends[2] = {0};
        for (whole lane = 0; lane < EIGHT; lane++) {
            const int32_t *one = listed->at + 1 + 2 * (number + least_of(lane, count - 1));
            const int32_t *home = strokes->homes.at + 4 * one[0];
            const whole at = one[0] * slots + one[1];
            const int16_t *offset = strokes->offsets.at + 2 * at;
            eight.y[lane] = (float)(home[0] + offset[0]) / UNITS, eight.x[lane] = (float)(home[1] + offset[1]) / UNITS;
            eight.seed[lane] = (uint32_t)home[2], eight.seen[lane] = shown->at[at];
            for (whole k = 0; k < LOOK_WORDS; k++) eight.look[k][lane] = strokes->looks.at[LOOK_WORDS * at + k];
        }
        guide(&eight, guides, steps, strokes->place, figures, width, length, &guided);
        float ys[POINTS][EIGHT], xs[POINTS][EIGHT];
        const whole middle = POINTS / 2;
        for (whole lane = 0; lane < EIGHT; lane++) {
            for (whole way = 0; way < 2; way++)
                ends[way].y[lane] = eight.y[lane], ends[way].x[lane] = eight.x[lane], ends[way].grows[lane] = 1;
            ys[middle][lane] = eight.y[lane], xs[middle][lane] = eight.x[lane];
        }
        int32_t growing = 3;  // a bit for each way
        for (int32_t k = 1; k <= (int32_t)steps->half_steps; k++)
            for (int32_t way = 0; way < 2; way++) {
                if (!(growing & 1 << way)) continue;
                const int32_t sign = 2 * way - 1, point = (int32_t)middle + sign * k;
                if (!grow(guides, steps, &guided, figures->edge, k, (float)sign, &ends[way])) growing &= ~(1 << way);
                for (whole lane = 0; lane < EIGHT; lane++)
                    ys[point][lane] = ends[way].y[lane], xs[point][lane] = ends[way].x[lane];
            }
        for (whole lane = 0; lane < count; lane++) {
            Drawn *made = (Drawn *)(drawn->at + (from + number + lane) * drawn->columns);
            const Rgb own = {guided.own[0][lane], guided.own[1][lane], guided.own[2][lane]};
            made->colour = colour_of(figures, own, eight.seed[lane]);
            made->half_width = 0.5f * guided.wide[lane];
            made->opacity = least(1.0f, 1.5f * eight.seen[lane]);
            made->seed = eight.seed[lane];
            write_path(ys, xs, ends[0].steps[lane], ends[1].steps[lane], lane, made);
        }
    }
}

/* Smooth noise of a line, 0..1, at many places, of which there are a multiple of eight: each is so much of v and of u, and an
   offset. noise: its first value repeated behind the last. */
static inline void noise_along(const float *restrict noise, uint32_t seed, const float *restrict v,
                               const float *restrict u, whole count, float of_v, float of_u, float offset,
                               float *restrict into) {
    for (whole k = 0; k < count; k += EIGHT) {
        const Eight place = *(const Eight *)(v + k) * of_v + *(const Eight *)(u + k) * of_u + offset;
        const EightWhole low = __builtin_convertvector(place, EightWhole) + (place < 0.0f);
        const Eight rest = place - __builtin_convertvector(low, Eight), share = rest * rest * (3.0f - 2.0f * rest);
        const EightWhole at = (low + (int32_t)(seed % NOISE_SIZE)) & (NOISE_SIZE - 1);
        const Eight left = AT_PLACES(noise, at), right = AT_PLACES(noise + 1, at);
        *(Eight *)(into + k) = left + share * (right - left);
    }
}

/* The pieces of a path, each from (y, x) on by (by, bx). per: one over the square of its length. passed: the length before it.
   low, high, left, right: the rows and columns that it reaches, if it is one of the stroke's. slope, spread: how far it comes
   to the side a row, and reaches in one. */
typedef struct {
    float y[EIGHT], x[EIGHT], by[EIGHT], bx[EIGHT], per[EIGHT], norm[EIGHT], per_norm[EIGHT], passed[EIGHT];
    float low[EIGHT], high[EIGHT], left[EIGHT], right[EIGHT], slope[EIGHT], spread[EIGHT];
} Pieces;
_Static_assert(POINTS == EIGHT + 1, "pieces of a stroke are computed together");

#define STEEP 0.01f
/* More than what a span of a row misses by rounding, in pixels. */
#define SPAN_SLACK 0.0625f

static inline void take_pieces(const Drawn *stroke, Pieces *restrict pieces) {
    const float half = stroke->half_width;
    const int32_t count = stroke->count - 1;
    for (int32_t k = 0; k < EIGHT; k++) {
        const float y = stroke->y[k], x = stroke->x[k], by = stroke->y[k + 1] - y, bx = stroke->x[k + 1] - x;
        const float square = bx * bx + by * by + TINY, norm = root(square), rise = magnitude(by);
        const float slope = bx / by, spread = half * norm / rise;
        pieces->y[k] = y, pieces->x[k] = x, pieces->by[k] = by, pieces->bx[k] = bx;
        pieces->per[k] = 1.0f / square, pieces->norm[k] = norm, pieces->per_norm[k] = 1.0f / norm;
        pieces->low[k] = k < count ? least(y, y + by) - half : 1e9f, pieces->high[k] = most(y, y + by) + half;
        pieces->left[k] = least(x, x + bx) - half, pieces->right[k] = most(x, x + bx) + half;
        pieces->slope[k] = rise > STEEP ? slope : 0.0f, pieces->spread[k] = rise > STEEP ? spread : 1e9f;
    }
    float passed = 0.0f;
    for (int32_t k = 0; k < EIGHT; k++) pieces->passed[k] = passed, passed += pieces->norm[k];
}

#define PIXELS 2048
#define PIXEL_FLOATS (9 * PIXELS)

/* Pixels of a stroke that are drawn together: how far along it and aside they lie, where in the band; and what is found
   of them. */
typedef struct {
    float u[PIXELS], v[PIXELS], hair[PIXELS], other[PIXELS], streak[PIXELS], fine[PIXELS], share[PIXELS], body[PIXELS];
    int32_t at[PIXELS];
} Pixels;
_Static_assert(sizeof(Pixels) == PIXEL_FLOATS * sizeof(float), "draw_strokes takes this much scratch");

/* Rows are drawn in bands of about so many pixels, so that what lies on them takes little memory. */
#define BAND_PIXELS 262144

/* A pixel of a band, whose parts lie together for the cache: red, green, blue and height of the paint on it; the painting
   below, and how much of that is seen. */
typedef float Four __attribute__((vector_size(16), aligned(4)));
typedef struct { Four paint, below; } Laid;
#define SEEN 3

/* Pixels of a band in its scratch, two in each line of the cache. */
static inline Laid *laid_in(float *scratch) {
    return (Laid *)(((uintptr_t)(scratch + PIXEL_FLOATS) + 63) & ~(uintptr_t)63);
}

/* Brush and band of strokes. mark: of no rows where strokes have hairs. open: a bit for each pixel of the band that is not
   covered. numbers: rows of `width`, for stroke_numbers only. */
typedef struct {
    const float *noise;
    const Floats2 *mark;
    const Figures *figures;
    float hair_px;
    Laid *laid;
    uint8_t *open;
    int32_t *numbers;
    whole width;
} Paint;

/* Lays so many pixels of a stroke, which has this number. */
typedef void LayPixels(const Drawn *stroke, whole number, const Paint *paint, Pixels *pixels, whole count);

/* Of pixels of a stroke that has hairs, how much it covers, how high its paint lies, and in `streak` how much lighter its
   colour is. */
static inline void draw_hairs(const Drawn *stroke, const Paint *paint, Pixels *pixels, whole count) {
    const float half = stroke->half_width, total = stroke->length, hair_px = paint->hair_px, per_hair = 1.0f / hair_px;
    const float per_half = 1.0f / half, soft = 1.0f / (1.5f * hair_px), rim = half / (1.2f * hair_px);
    const float low_body = 0.5f + 0.5f * least(1.0f, half / (5.0f * hair_px)), per_total = 1.0f / (total + 2.0f * half);
    float *restrict u = pixels->u, *restrict v = pixels->v;
    const Figures *figures = paint->figures;
    for (whole i = 0; i < EIGHT; i++) u[count + i] = v[count + i] = 0.0f;
    count = (count + EIGHT - 1) / EIGHT * EIGHT;
    noise_along(paint->noise, stroke->seed, v, u, count, per_hair / 1.3f, 0.0f, 100.0f, pixels->hair);
    noise_along(paint->noise, stroke->seed + 1, v, u, count, per_hair / 2.1f, 0.0f, 300.0f, pixels->other);
    noise_along(paint->noise, stroke->seed + 2, v, u, count, per_hair / 1.6f, 0.016f * per_hair, 50.0f, pixels->streak);
    noise_along(paint->noise, stroke->seed + 3, v, u, count, per_hair / 0.9f, 0.02f * per_hair, 700.0f, pixels->fine);
    float *restrict share = pixels->share, *restrict body = pixels->body, *restrict streaks = pixels->streak;
    for (whole k = 0; k < count; k++) {
        const float r = magnitude(v[k]) * per_half, other = pixels->other[k];
        const float start = start_of(figures, half, pixels->hair[k]), finish = finish_of(figures, half, total, other);
        const float inside = least(u[k] - start, finish - u[k]) * soft;
        const float streak = streak_of(figures, streaks[k], pixels->fine[k]);
        share[k] = between_0_and_1(inside) * between_0_and_1((1.0f - r) * rim) * stroke->opacity
                   * paint_left(figures, (u[k] - start) * per_total, streak);
        body[k] = body_of(figures, half, per_half, streak, r, u[k] - finish) * low_body;
        streaks[k] = tone_of(figures, streak);
    }
}

/* The same of one that leaves a mark of one's own. */
static inline void draw_mark(const Drawn *stroke, const Paint *paint, Pixels *pixels, whole count) {
    const float half = stroke->half_width, hair_px = paint->hair_px, per_half = 1.0f / half, soft = 1.0f / (1.5f * hair_px);
    const float rim = half / (1.2f * hair_px), low_body = 0.5f + 0.5f * least(1.0f, half / (5.0f * hair_px));
    const float start = -MARK_END * half, length = stroke->length + 2.0f * MARK_END * half;
    const float tip = least(half, length * ((float)MARK_TIP / (float)MARK_COLUMNS)), of_tip = (float)MARK_TIP / tip;
    const float of_rest = (float)(MARK_COLUMNS - 2 * MARK_TIP) / most(length - 2.0f * tip, TINY);
    const float side = stroke->seed & 1 ? -0.5f * per_half : 0.5f * per_half;
    const float *restrict u = pixels->u, *restrict v = pixels->v;
    for (whole k = 0; k < count; k++) {
        const float along = u[k] - start, left = length - along, r = magnitude(v[k]) * per_half;
        const float column = along < tip ? along * of_tip
                             : left < tip ? (float)MARK_COLUMNS - left * of_tip
                                          : (float)MARK_TIP + (along - tip) * of_rest;
        const Between down = between_samples((0.5f + side * v[k]) * (float)MARK_ROWS - 0.5f, MARK_ROWS);
        const Between over = between_samples(column - 0.5f, MARK_COLUMNS);
        const float height = bilinear(paint->mark->at, MARK_COLUMNS, down, over);
        const float inside = between_0_and_1(least(along, left) * soft) * between_0_and_1((1.0f - r) * rim);
        pixels->share[k] = least(1.0f, height * (1.0f / MARK_FULL)) * inside * stroke->opacity;
        pixels->body[k] = height * low_body;
        pixels->streak[k] = 1.0f;
    }
}

static inline void draw_brush(const Drawn *stroke, const Paint *paint, Pixels *pixels, whole count) {
    if (paint->mark->rows) draw_mark(stroke, paint, pixels, count);
    else draw_hairs(stroke, paint, pixels, count);
}

/* Mix the paint of a stroke over a band. Takes no number: see LayPixels. */
static inline void draw_pixels(const Drawn *stroke, whole number, const Paint *paint, Pixels *pixels, whole count) {
    (void)number;
    draw_brush(stroke, paint, pixels, count);
    const Four own = {stroke->colour.r, stroke->colour.g, stroke->colour.b, 0.0f};
    const float wetness = paint->figures->wet;
    const Four wet = {wetness, wetness, wetness, 0.0f};
    for (whole k = 0; k < count; k++) {
        const float share = pixels->share[k], tone = pixels->streak[k];
        const uint32_t at = (uint32_t)pixels->at[k];
        Laid *laid = paint->laid + at;
        const Four lighter = {tone, tone, tone, 0.0f}, body = {0.0f, 0.0f, 0.0f, pixels->body[k]};
        const float taken = share * laid->below[SEEN];
        const Four all = {taken, taken, taken, taken};
        laid->paint += all * (own * lighter + wet * (laid->below - own) + body);
        laid->below[SEEN] -= taken;
        paint->open[at / EIGHT] &= (uint8_t)~((uint32_t)(laid->below[SEEN] < COVERED) << at % EIGHT);
    }
}

/* A bit for each of eight that is all ones. */
static inline uint32_t as_bits(const EightWhole *mask) {
#ifdef __AVX__
    return (uint32_t)__builtin_ia32_movmskps256((Eight)*mask);
#else
    uint32_t bits = 0;
    for (int32_t i = 0; i < EIGHT; i++) bits |= (uint32_t)(*mask)[i] & 1u << i;
    return bits;
#endif
}

/* Eight columns of a row from x on, the first at `at` in the band: those of `open` that are within a stroke are added to its
   pixels, which are `taken` before. Returns how many they are then. reached: a bit for each piece that reaches the row.
   last: number of the last piece. Places are summed from the last multiple of eight. */
static inline whole take_columns(const Pieces *pieces, uint32_t reached, int32_t last, float within, float at_y, int32_t x,
                                 uint32_t open, int32_t at, const Paint *paint, Pixels *pixels, whole taken) {
    float nearest[EIGHT], along[2 * EIGHT] = {0.0f}, aside[2 * EIGHT] = {0.0f}, start[EIGHT], step[EIGHT];
    for (int32_t i = 0; i < EIGHT; i++) {
        nearest[i] = 1e9f;
        start[i] = (float)((x + i) & -EIGHT) + 0.5f, step[i] = (float)((x + i) & (EIGHT - 1));
    }
    for (; reached; reached &= reached - 1) {
        const int32_t k = __builtin_ctz(reached);
        const float qy = at_y - pieces->y[k], from_x = pieces->x[k], bx = pieces->bx[k], by = pieces->by[k];
        const float per = pieces->per[k], left = pieces->left[k], right = pieces->right[k];
        const float least_t = k ? 0.0f : -1e9f, most_t = k < last ? 1.0f : 1e9f;
        const float passed = pieces->passed[k], norm = pieces->norm[k], per_norm = pieces->per_norm[k];
        for (int32_t i = 0; i < EIGHT; i++) {
            const float qx = step[i] + (start[i] - from_x), column = step[i] + start[i];
            const float t = least(most((qx * bx + qy * by) * per, least_t), most_t);
            const float rx = qx - t * bx, ry = qy - t * by, far = rx * rx + ry * ry;
            const int nearer = (far < nearest[i]) & (column > left) & (column <= right);
            nearest[i] = nearer ? far : nearest[i];
            along[i] = nearer ? passed + t * norm : along[i];
            aside[i] = nearer ? (bx * qy - by * qx) * per_norm : aside[i];
        }
    }
    const EightWhole inside = *(const Eight *)nearest <= within;
    const uint32_t bits = as_bits(&inside) & open;
    if (!bits) return taken;
    const int32_t first = __builtin_ctz(bits);
    const uint32_t run = bits >> first;
    for (int32_t i = 0; i < EIGHT; i += 2) __builtin_prefetch(paint->laid + at + first + i, 1);
    if (!(run & (run + 1))) {  /* without gaps, as nearly always: all at once, and what lies beyond counts for nothing */
        for (int32_t i = 0; i < EIGHT; i++) pixels->u[taken + i] = along[first + i];
        for (int32_t i = 0; i < EIGHT; i++) pixels->v[taken + i] = aside[first + i];
        for (int32_t i = 0; i < EIGHT; i++) pixels->at[taken + i] = at + first + i;
        return taken + 32 - __builtin_clz(run);
    }
    for (uint32_t left = bits; left; left &= left - 1, taken++) {
        const int32_t i = __builtin_ctz(left);
        pixels->u[taken] = along[i], pixels->v[taken] = aside[i], pixels->at[taken] = at + i;
    }
    return taken;
}

/* The open columns of a row from `first` on, a bit each: OPEN_BITS at most, and none from `end` on. */
#define OPEN_BITS 56
static inline uint64_t open_columns(const uint8_t *row, whole first, whole end) {
    uint64_t bits;
    __builtin_memcpy(&bits, row + first / EIGHT, sizeof bits);
    bits >>= first % EIGHT;
    return bits & (((uint64_t)1 << least_of(end - first, OPEN_BITS)) - 1);
}

/* Whether a row may have open columns from `first` to `end`. */
static inline int is_open(const uint8_t *row, whole first, whole end) {
    return end - first > OPEN_BITS || open_columns(row, first, end);
}

/* The first column whose middle lies to the right of a place. */
static inline whole column_after(float place) { return floor_of(place - 0.5f) + 1; }

/* Lay strokes on the rows from `top` to `bottom` of a band of so many columns, from the uppermost stroke down. */
static inline void lay_strokes(const Floats2 *drawn, whole count, whole top, whole bottom, whole columns, const Paint *paint,
                               Pixels *pixels, LayPixels *lay) {
    const whole blocks = columns / EIGHT;
    for (whole number = count - 1; number >= 0; number--) {
        const Drawn *stroke = (const Drawn *)(drawn->at + number * drawn->columns);
        whole y = most_of(column_after(stroke->top), top);
        const whole end = least_of(column_after(stroke->bottom), bottom);
        if (y >= end) continue;
        const float beside = stroke->half_width + SPAN_SLACK;
        float leftmost = stroke->x[0], rightmost = leftmost;
        for (whole k = 1; k < stroke->count; k++)
            leftmost = least(leftmost, stroke->x[k]), rightmost = most(rightmost, stroke->x[k]);
        const whole begin = most_of(column_after(leftmost - beside), 0);
        const whole stop = least_of(column_after(rightmost + beside), columns);
        if (begin >= stop) continue;
        const uint8_t *row = paint->open + (y - top) * blocks;
        for (; y < end && !is_open(row, begin, stop); y++) row += blocks;
        if (y == end) continue;
        Pieces pieces;
        take_pieces(stroke, &pieces);
        const float within = stroke->half_width * stroke->half_width;
        whole taken = 0;
        for (; y < end; y++, row += blocks) {
            if (!is_open(row, begin, stop)) continue;
            const float at_y = (float)(int32_t)y + 0.5f;
            const EightWhole reaches = (at_y >= *(const Eight *)pieces.low) & (at_y <= *(const Eight *)pieces.high);
            const uint32_t reached = as_bits(&reaches);
            float left = 1e6f, right = -1e6f;
            for (uint32_t bits = reached; bits; bits &= bits - 1) {
                const int32_t k = __builtin_ctz(bits);
                const float middle = pieces.x[k] + (at_y - pieces.y[k]) * pieces.slope[k];
                left = least(left, most(pieces.left[k], middle - pieces.spread[k]));
                right = most(right, least(pieces.right[k], middle + pieces.spread[k]));
            }
            const whole past = least_of(column_after(right + SPAN_SLACK), columns);
            for (whole x = most_of(column_after(left - SPAN_SLACK), 0); x < past; x += OPEN_BITS)
                for (uint64_t open = open_columns(row, x, past); open;) {
                    const int32_t next = __builtin_ctzll(open);
                    const int32_t at = (int32_t)((y - top) * columns + x + next);
                    taken = take_columns(&pieces, reached, stroke->count - 2, within, at_y, (int32_t)x + next,
                                         (uint32_t)(open >> next), at, paint, pixels, taken);
                    open &= ~((uint64_t)255 << next);
                    if (taken > PIXELS - 2 * EIGHT) lay(stroke, number, paint, pixels, taken), taken = 0;
                }
        }
        lay(stroke, number, paint, pixels, taken);
    }
}

/* Mark every pixel of the rows of a band of so many blocks as open, but none beyond the width. */
static inline void open_rows(uint8_t *open, whole rows, whole blocks, whole width) {
    for (whole row = 0; row < rows; row++, open += blocks) {
        for (whole block = 0; block < blocks; block++) open[block] = 255;
        open[blocks - 1] = (uint8_t)(255 >> (blocks * EIGHT - width));
    }
}

/* Two rows of the ground, at the columns of a picture: of each channel the upper, then the lower. */
static inline void stretch_ground(const Floats3 *ground, whole level, Between rows, whole width, float *restrict made) {
    for (whole x = 0; x < width; x++) {
        const Between place = between_samples(in_level((float)x + 0.5f, level), ground->columns);
        for (whole channel = 0; channel < 3; channel++) {
            const float *upper = row_in(ground, channel, rows.low), *lower = row_in(ground, channel, rows.high);
            made[2 * channel * width + x] = upper[place.low] + place.share * (upper[place.high] - upper[place.low]);
            made[(2 * channel + 1) * width + x] = lower[place.low] + place.share * (lower[place.high] - lower[place.low]);
        }
    }
}

/* Rows of a picture of strokes over what lies under them, and of their height: from the uppermost down, until a pixel is
   covered. ground: the level that lies under. mark: of MARK_ROWS and MARK_COLUMNS, or of no rows. made: (5, H, W), red,
   green, blue, height and what is seen of the ground. scratch: Pixels; six rows; and of a pixel of a band 8 floats
   and a bit. */
KERNEL(draw_strokes)
(const Floats2 *drawn, whole count, const Planes *painting, const Floats3 *ground, whole ground_level, const Floats1 *brush,
 float hair_px, const Floats1 *noise, const Floats2 *mark, const Floats3 *made, float *scratch, whole y0, whole y1) {
    const whole width = made->columns, blocks = (width + EIGHT - 1) / EIGHT, columns = blocks * EIGHT;
    const whole band = least_of(most_of(BAND_PIXELS / columns, 1), y1 - y0);
    Pixels *pixels = (Pixels *)scratch;
    Laid *laid = laid_in(scratch);
    float *beside = (float *)(laid + band * columns);
    uint8_t *open = (uint8_t *)(beside + 6 * columns);
    const Paint paint = {noise->at, mark, (const Figures *)brush->at, hair_px, laid, open, 0, width};
    for (whole top = y0; top < y1; top += band) {
        const whole bottom = least_of(top + band, y1);
        open_rows(open, bottom - top, blocks, width);
        for (whole y = top; y < bottom; y++) {
            Laid *line = laid + (y - top) * columns;
            const float *red = painting->at + y * painting->row_stride, *green = red + painting->plane_stride;
            const float *blue = green + painting->plane_stride;
            for (whole x = 0; x < width; x++)
                line[x] = (Laid){{0.0f, 0.0f, 0.0f, 0.0f}, {red[x], green[x], blue[x], 1.0f}};
        }
        lay_strokes(drawn, count, top, bottom, columns, &paint, pixels, draw_pixels);
        whole known = -1;  /* the rows of the ground that are stretched, as the sum of their numbers */
        for (whole y = top; y < bottom; y++) {
            const Between rows = between_samples(in_level((float)y + 0.5f, ground_level), ground->rows);
            if (rows.low + rows.high != known) stretch_ground(ground, ground_level, rows, width, beside);
            known = rows.low + rows.high;
            const Laid *line = laid + (y - top) * columns;
            for (whole channel = 0; channel < 3; channel++) {
                const float *restrict upper = beside + 2 * channel * width, *restrict lower = upper + width;
                float *restrict into = row_in(made, channel, y);
                for (whole x = 0; x < width; x++)
                    into[x] = line[x].paint[channel] + line[x].below[SEEN] * (upper[x] + rows.share * (lower[x] - upper[x]));
            }
            float *restrict height = row_in(made, HEIGHT, y), *restrict cover = row_in(made, COVER, y);
            for (whole x = 0; x < width; x++) {
                height[x] = line[x].paint[HEIGHT] + line[x].below[SEEN] * GROUND_HEIGHT;
                cover[x] = line[x].below[SEEN];
            }
        }
    }
}

#define HALF_COVERED 0.5f

/* Write a stroke's number, from 1 on, to each pixel that the stroke covers by at least half. */
static inline void number_pixels(const Drawn *stroke, whole number, const Paint *paint, Pixels *pixels, whole count) {
    const int32_t columns = (int32_t)((paint->width + EIGHT - 1) / EIGHT * EIGHT);
    draw_brush(stroke, paint, pixels, count);
    for (whole k = 0; k < count; k++) {
        if (pixels->share[k] < HALF_COVERED) continue;
        const int32_t at = pixels->at[k];
        paint->numbers[at / columns * paint->width + at % columns] = (int32_t)(number + 1);
        paint->open[at / EIGHT] &= (uint8_t)~(1u << at % EIGHT);
    }
}

/* Rows of the uppermost stroke that covers at least half of each pixel: its number from 1 on, or 0 for none. ids: (H, W).
   Arguments and scratch as for draw_strokes. */
KERNEL(stroke_numbers)
(const Floats2 *drawn, whole count, const Floats1 *brush, float hair_px, const Floats1 *noise, const Floats2 *mark,
 const Whole2 *ids, float *scratch, whole y0, whole y1) {
    const whole width = ids->columns, blocks = (width + EIGHT - 1) / EIGHT, columns = blocks * EIGHT;
    const whole band = least_of(most_of(BAND_PIXELS / columns, 1), y1 - y0);
    Pixels *pixels = (Pixels *)scratch;
    Laid *laid = laid_in(scratch);  /* only prefetched */
    uint8_t *open = (uint8_t *)(laid + band * columns);
    for (whole top = y0; top < y1; top += band) {
        const whole bottom = least_of(top + band, y1);
        open_rows(open, bottom - top, blocks, width);
        int32_t *numbers = ids->at + top * width;
        for (whole pixel = 0; pixel < (bottom - top) * width; pixel++) numbers[pixel] = 0;
        const Paint paint = {noise->at, mark, (const Figures *)brush->at, hair_px, laid, open, numbers, width};
        lay_strokes(drawn, count, top, bottom, columns, &paint, pixels, number_pixels);
    }
}
