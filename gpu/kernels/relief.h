// For every language of kernels: how high paint and canvas lie, and what a lamp makes of that. Reference: gpu.stages.relief.reference. LIGHTING is what a function is given to have the fields of that name in gpu/stages/relief, and LIT(name) is one.
#ifdef IN_C  // which takes the record as floats
typedef struct {
  float light[4], half_way[4];
  float body_most, thin, height, stroke_height, weave, cover, gleam, gleam_power, gleam_rest;
} Lighting;
#endif

// 0..1. deviation: of luma around a place, of which one is thick.
DEVICE float thickness_of(LIGHTING float deviation) { return min(max(deviation, LIT(thin)), 1.0f); }

// In pixels. apart: how far luma lies from that around it, of which one is a whole body. woven: the weave, 0..1. raised, covered: the height of strokes, and how much of the picture they cover.
DEVICE float height_of(LIGHTING float apart, float thick, float woven, float raised, float covered) {
  float body = min(max(apart, -LIT(body_most)), LIT(body_most));
  float paint = LIT(height) * thick * body * (1.0f - covered) + LIT(stroke_height) * raised;
  return paint + LIT(weave) * (1.0f - LIT(cover) * thick) * woven;
}

// From one side of a pixel to the other: Sobel's, of three heights on each.
DEVICE float slope_of(float a, float b, float c, float past_a, float past_b, float past_c) {
  return 0.125f * (past_a - a + 2.0f * (past_b - b) + past_c - c);
}

// facing: the lamp, against what is level. glance: facing half-way between the lamp and the eye.
DEVICE float diffuse_of(LIGHTING float facing) { return max(facing, 0.0f); }
DEVICE float gleam_of(LIGHTING float glance) {
  return LIT(gleam) * (pow(max(glance, 0.0f), LIT(gleam_power)) - LIT(gleam_rest));
}
DEVICE float lit_by(float linear_light, float diffuse, float gleam) { return saturate(linear_light * diffuse + gleam); }
