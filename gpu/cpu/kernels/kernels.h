/* What all kernels of the CPU share. Each file is compiled once for every level of the processor, with the level as a
   suffix of the kernels' names: the same code gives the same bits on all, for no sum is reordered and nothing is
   multiplied and added at once (-ffp-contract=off).

   A kernel works on rows y0 to y1 and takes no memory: its caller, gpu/c_kernels.py, gives it the scratch. Nothing here
   needs a C library, so that it can be compiled for one system on another, and runs on every Linux. */

#include <stdint.h>

#include "constants.h"

#define GLUED(name, level) name##_##level
#define NAMED(name, level) GLUED(name, level)
#ifdef _WIN32
#define KERNEL(name) __declspec(dllexport) void NAMED(name, LEVEL)
#else
#define KERNEL(name) __attribute__((visibility("default"))) void NAMED(name, LEVEL)
#endif

typedef int64_t whole;

/* Arrays without gaps, the last axis lying together. Of (3, H, W): planes, rows, columns. */
typedef struct { float *at; whole length; } Floats1;
typedef struct { float *at; whole rows, columns; } Floats2;
typedef struct { float *at; whole planes, rows, columns; } Floats3;
typedef struct { int32_t *at; whole length; } Whole1;
typedef struct { int32_t *at; whole rows, columns; } Whole2;
typedef struct { int32_t *at; whole planes, rows, columns; } Whole3;
typedef struct { int16_t *at; whole rows, columns; } Shorts2;
typedef struct { int16_t *at; whole planes, rows, columns; } Shorts3;
typedef struct { uint8_t *at; whole rows, columns; } Bytes2;
/* (3, H, W), of which planes and rows may lie anywhere: how far apart, in floats. */
typedef struct { float *at; whole planes, rows, columns, plane_stride, row_stride; } Planes;

/* Planes of a picture of strokes, behind red, green and blue: the height of the paint, and how far strokes cover what is
   below. */
#define HEIGHT 3
#define COVER 4

static inline float least(float a, float b) { return a < b ? a : b; }
static inline float most(float a, float b) { return a > b ? a : b; }
static inline float between_0_and_1(float value) { return least(most(value, 0.0f), 1.0f); }
static inline whole least_of(whole a, whole b) { return a < b ? a : b; }
static inline whole most_of(whole a, whole b) { return a > b ? a : b; }
static inline whole clamped(whole value, whole low, whole high) { return least_of(most_of(value, low), high); }
static inline float magnitude(float value) { return __builtin_fabsf(value); }
static inline float root(float value) { return __builtin_sqrtf(value); }
static inline float luma(float red, float green, float blue) {
    return LUMA_RED * red + LUMA_GREEN * green + LUMA_BLUE * blue;
}

/* What gpu/kernels is written with. */
#define IN_C
#define DEVICE static inline
#define abs(value) magnitude(value)
#define sqrt(value) root(value)
#define min(a, b) least(a, b)
#define max(a, b) most(a, b)
#define saturate(value) between_0_and_1(value)

static inline float *row_of(const Floats2 *plane, whole y) { return plane->at + y * plane->columns; }
static inline float *plane_of(const Floats3 *picture, whole channel) {
    return picture->at + channel * picture->rows * picture->columns;
}
static inline float *row_in(const Floats3 *picture, whole channel, whole y) {
    return plane_of(picture, channel) + y * picture->columns;
}
/* Copies a row of a painting, within 0..1, and 0 where it is not finite; says whether it is finite everywhere. */
static inline int take_row(const float *restrict painted, whole columns, float *restrict into) {
    int32_t others = 0;
    for (whole x = 0; x < columns; x++) {
        const int32_t is_finite = painted[x] - painted[x] == 0.0f;
        into[x] = is_finite ? between_0_and_1(painted[x]) : 0.0f;
        others |= !is_finite;
    }
    return !others;
}
static inline Floats2 part_of(const Floats3 *cells, whole part) {
    return (Floats2){plane_of(cells, part), cells->rows, cells->columns};
}
