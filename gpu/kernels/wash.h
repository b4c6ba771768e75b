// For every language of kernels: the underpainting that is laid on a bare canvas. WASH is what a function is given to have the noise, and NOISE(k) is its k-th value. Reference: gpu.stages.strokes.laying.wash.

// Its opacity at a place, 0..1 of the picture. front: the share of it that is laid.
DEVICE float wash_at(WASH float front, float x, float y) {
  int wave = (int)(x * 24.0f);
  float from = NOISE(wave), wavy = from + (x * 24.0f - (float)wave) * (NOISE(wave + 1) - from);
  float down = 9.0f * y + 0.3f * (wavy - 0.5f), row = min(max(floor(down), 0.0f), 8.0f);
  float hair = NOISE((int)floor((down + 8.0f) * 40.0f));
  float along = ((int)row & 1) != 0 ? 1.0f - x : x;
  float place = (row + 0.75f * along + 0.25f * hair) / 9.0f;
  float opacity = saturate((front * (1.0f + 0.08f / 9.0f) - place) * (9.0f / 0.08f));
  return opacity * opacity * (3.0f - 2.0f * opacity);
}
