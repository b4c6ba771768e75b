// For every language of kernels: what the figures of a brush, FIGURES of gpu/stages/strokes, make of a stroke. FIGURES is what a function is given to have them, and FIGURE(name) is one. Reference: gpu.stages.strokes.reference.trace_stroke.
#ifdef IN_C  // which takes them as floats
typedef struct { float jitter, edge, wet; } Figures;
#endif

// The width of a stroke of a layer whose full ones have another, and its length. grown: its size, 0..1.
DEVICE float width_of(FIGURES float full, float grown, uint seed) {
  return full * grown * (0.8f + 0.4f * abs(chance(seed, 3)));
}
DEVICE float length_of(FIGURES float full, float grown, uint seed) {
  return full * grown * (1.0f + 0.3f * chance(seed, 6));
}

// Its colour, which lies beside that of its place.
DEVICE Rgb colour_of(FIGURES Rgb own, uint seed) {
  float red = 0.8f * FIGURE(jitter) * chance(seed, 4), blue = 0.8f * FIGURE(jitter) * chance(seed, 5);
  float light = 1.0f + 1.2f * FIGURE(jitter) * chance(seed, 3);
  return RGB(own.r * light + red, own.g * light - 0.3f * (red + blue), own.b * light + blue);
}
