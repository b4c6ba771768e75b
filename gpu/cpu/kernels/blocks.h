/* Blocks of the film, which motion is found of. The references are gpu.stages.steady and gpu.stages.strokes.advection. */

#include "kernels.h"

#define STEP_PX (BLOCK_PX / SAMPLES)
#define SIDE_OF(reach, step) ((step) * (SAMPLES - 1) + 1 + 2 * (reach))

/* A square of samples, the plane's edge repeated. */
static inline void take_square(const Shorts2 *plane, whole y, whole x, whole side, whole step, int16_t *restrict into) {
    const whole last = (side - 1) * step;
    if (y >= 0 && x >= 0 && y + last < plane->rows && x + last < plane->columns) {
        const int16_t *from = plane->at + y * plane->columns + x;
        for (whole j = 0; j < side; j++, from += step * plane->columns)
            for (whole i = 0; i < side; i++) into[j * side + i] = from[i * step];
        return;
    }
    for (whole j = 0; j < side; j++) {
        const int16_t *row = plane->at + clamped(y + j * step, 0, plane->rows - 1) * plane->columns;
        for (whole i = 0; i < side; i++) into[j * side + i] = row[clamped(x + i * step, 0, plane->columns - 1)];
    }
}
/* The sum of the differences of the samples of a block, and of every `step`-th of an area of a wider plane. */
static inline int32_t apart(const int16_t *restrict own, const int16_t *restrict area, whole columns, whole step) {
    int32_t sum = 0;
    for (whole j = 0; j < SAMPLES; j++)
        for (whole i = 0; i < SAMPLES; i++) {
            const int32_t difference = own[j * SAMPLES + i] - area[j * step * columns + i * step];
            sum += difference < 0 ? -difference : difference;
        }
    return sum;
}
static inline int32_t deviation(const int16_t *area, whole columns, whole step) {
    int32_t sum = 0, off = 0;
    for (whole j = 0; j < SAMPLES; j++)
        for (whole i = 0; i < SAMPLES; i++) sum += area[j * step * columns + i * step];
    const int32_t mean = (sum + SAMPLES * SAMPLES / 2) / (SAMPLES * SAMPLES);
    for (whole j = 0; j < SAMPLES; j++)
        for (whole i = 0; i < SAMPLES; i++) {
            const int32_t difference = area[j * step * columns + i * step] - mean;
            off += difference < 0 ? -difference : difference;
        }
    return off;
}
/* The best place of a block in an area around it, of so many steps in each direction; the first of equals by distance. */
static inline void search(const int16_t *own, const int16_t *area, whole columns, whole reach, whole step, whole *down,
                          whole *over) {
    int32_t best = INT32_MAX, nearest = 0;
    for (whole y = -reach; y <= reach; y++)
        for (whole x = -reach; x <= reach; x++) {
            const int32_t steps = (int32_t)((y < 0 ? -y : y) + (x < 0 ? -x : x));
            const int32_t cost = apart(own, area + (y + reach) * columns + x + reach, columns, step) + STEP_BIAS * steps;
            if (cost < best || (cost == best && steps < nearest)) best = cost, nearest = steps, *down = y, *over = x;
        }
}
/* Of a block, what it costs to be found at a vector of whole pixels. */
static inline int32_t cost_at(const int16_t *own, const Shorts2 *next, whole y, whole x) {
    int16_t there[SAMPLES * SAMPLES];
    take_square(next, y, x, SAMPLES, STEP_PX, there);
    return apart(own, there, SAMPLES, 1);
}
