/* Constants of the stages, as gpu/stages has them: tests/gpu/test_native.py compares them by name. */

#define LUMA_RED 0.2126f
#define LUMA_GREEN 0.7152f
#define LUMA_BLUE 0.0722f

#define REST_TENSOR_X -3.4202014e-06f
#define REST_TENSOR_Y 9.3969265e-06f

#define CELL_PX 4
#define LEAST_CORNER 0.025f
#define PER_CORNER 22.222221f
#define FLAT 0.02f
#define PER_BUSY 33.333332f
#define KEPT_LEAST 0.012f
#define PER_KEPT 33.333332f
#define BLOCK_CELLS 16
#define SPARSE 0.475f
#define PER_DENSE 8.0f

#define MASK_SIDE 160
#define ALIKE_LUMA 0.06f

#define PER_BODY_LUMA 8.333333f
#define PER_THICK_LUMA 16.666666f

#define BLOCK_PX 16
#define SAMPLES 8
#define COARSE_CELLS 4
#define FINE_PX 2
#define STEP_BIAS 64
#define REST_BIAS 512
#define SURE_NOISE 384
#define SURE_SHARE 0.25f
#define TOGETHER_PX 2
#define SIXTEENTHS 16

#define UNITS 16
#define NONE -32768
#define MOST_OFFSET 32000
#define LIFE 48
#define GROWTH 12
#define FILL_EVERY 3
#define FILL_LIFE 15
#define FILL_GROWTH 2
#define FILL_SHRINK 4
#define COVERING 0.5f
#define TWINS 12
#define LOOK_EVERY 4
#define LOOKS 4
#define GRADES 1023
#define FEW_GRADES 127
#define AROUND_GRADES 511
#define ALIKE 0.171875f
#define FORGOTTEN 352
#define UNFOLLOWED 0.0234375f
#define NEED_ALIKE 0.5f
#define UNSURE_EIGHTHS 3
#define DISTINCT_PX 2
#define DISTINCT_COST 256
#define AGREEMENT 8
#define AGREEMENT_REST 64
#define CAMERA_BIAS 64
#define DISTINCT 1
#define MOVES 2
#define LOST 4
#define FIRST_CELLS 1
#define POINTS 9
#define NOISE_SIZE 4096
#define PROPERTY 2654435761u
#define TENSOR_FILM 1.5f
#define FAR_SHARE 0.15f
#define FARTHER_SHARE 0.05f
#define FILM_NEED 1.2f
#define LEAST_SEEN 0.05f
#define LEAST_GROWN 0.45f
#define LEAST_LENGTH 0.5f
#define TURN 0.6f
#define COVERED 0.03f
#define GROUND_HEIGHT 0.15f
#define MAP_SIDE 256
#define MARK_ROWS 64
#define MARK_COLUMNS 256
#define MARK_END 0.5f
#define MARK_TIP 32
#define MARK_FULL 0.5f
#define TINY 1e-9f
