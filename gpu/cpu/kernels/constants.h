/* Constants of the stages, as gpu/stages has them: tests/gpu/test_native.py compares them by name. */

#define LUMA_RED 0.2126f
#define LUMA_GREEN 0.7152f
#define LUMA_BLUE 0.0722f

#define DIRECTIONS 32
#define REST_TENSOR_X -3.4202014e-06f
#define REST_TENSOR_Y 9.3969265e-06f
#define PER_SHARP 100.0f
#define PER_GRAIN 20.0f

#define CELL_PX 4
#define LEAST_CORNER 0.025f
#define PER_CORNER 22.222221f

#define BODY_MOST 2.5f
#define BODY_SHARE 0.6f
#define BRISTLE_SHARE 0.6f
#define GLEAM_POWER 60
#define PER_BODY_LUMA 8.333333f
#define PER_THICK_LUMA 16.666666f
#define THIN 0.25f
#define WEAVE_COVER 0.8f

#define BLOCK_PX 16
