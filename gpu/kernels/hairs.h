// For every language of kernels: how the hairs of a brush paint a pixel of a stroke, and its ends. Reference: gpu.stages.strokes.reference.paint_stroke. FIGURES and FIGURE as in figures.h. u, v: how far along the stroke and aside, in pixels; half_width: in pixels, too; total: its length.

// From where to where along it the hairs at a place across it reach. hair, other: noise across it.
DEVICE float start_of(FIGURES float half_width, float hair) { return -half_width * (0.25f + 0.6f * hair); }
DEVICE float finish_of(FIGURES float half_width, float total, float other) {
  return total + half_width * (0.95f - 1.1f * other * other);
}

// Streaks of paint, 0..1, of broad and of fine noise along it.
DEVICE float streak_of(FIGURES float broad, float fine) { return 0.65f * broad + 0.35f * fine; }

// How much paint is left between the hairs. passed: the share of the stroke that lies behind.
DEVICE float paint_left(FIGURES float passed, float streak) {
  return 1.0f - saturate(2.2f * (passed - 0.55f)) * saturate((0.55f - streak) * 5.0f);
}

// How high the paint lies, and how much lighter its colour is. r: |v| by half the width. past_end: how far behind the finish.
DEVICE float body_of(FIGURES float half_width, float per_half, float streak, float r, float past_end) {
  float ridge = max(0.0f, 1.0f - abs(r - 0.82f) * 6.0f);
  float lip = max(0.0f, 1.0f - abs(past_end + 0.4f * half_width) * (2.0f * per_half));
  return 0.45f + 0.5f * (streak - 0.5f) + 0.35f * ridge + 0.25f * lip;
}
DEVICE float tone_of(FIGURES float streak) { return 1.0f + 0.16f * (streak - 0.5f); }
