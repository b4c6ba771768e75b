// For every language of kernels: PQ (SMPTE ST 2084), HLG (BT.2100) and what is painted of HDR that is kept (the curve of BT.2446, method C). Reference: gpu.colour.
#define M1 (2610.0f / 16384.0f)
#define M2 (2523.0f / 32.0f)
#define C1 (3424.0f / 4096.0f)
#define C2 (2413.0f / 128.0f)
#define C3 (2392.0f / 128.0f)

DEVICE float pq_to_nits(float v) {
  float p = pow(max(v, 0.0f), 1.0f / M2);
  return 10000.0f * pow(max(p - C1, 0.0f) / (C2 - C3 * p), 1.0f / M1);
}
EACH(pq_to_nits)

DEVICE float nits_to_pq(float nits) {
  float p = pow(max(nits, 0.0f) / 10000.0f, M1);
  return pow((C1 + C2 * p) / (1.0f + C3 * p), M2);
}
EACH(nits_to_pq)

DEVICE float hlg_to_scene(float v) {
  return v <= 0.5f ? v * v / 3.0f : (exp((v - 0.55991073f) / 0.17883277f) + 0.28466892f) / 12.0f;
}
EACH(hlg_to_scene)

// What is chosen against is computed, too, by some languages, so each logarithm is of a positive number.
DEVICE float scene_to_hlg(float scene) {
  float high = 0.17883277f * log(max(12.0f * scene, 1.0f) - 0.28466892f) + 0.55991073f;
  return scene <= 1.0f / 12.0f ? sqrt(3.0f * max(scene, 0.0f)) : high;
}
EACH(scene_to_hlg)

DEVICE float bt2446c(float nits) {
  float high = 15.09968f * log(max(nits * (0.83802f / 58.5f), 1.0f) - 0.74204f) + 78.99439f;
  return nits < 58.5f / 0.83802f ? 0.83802f * nits : high;
}

DEVICE float bt2446c_inverse(float percent) {
  return percent < 58.5f ? percent / 0.83802f
                         : (exp((percent - 78.99439f) / 15.09968f) + 0.74204f) * (58.5f / 0.83802f);
}

DEVICE float largest_of(Rgb v) { return max(max(v.r, v.g), v.b); }

// A share of the largest channel to a power, and scaled below the toe.
DEVICE float bent(float share, float power, float toe) {
  return share < toe ? share * pow(toe, power - 1.0f) : pow(max(share, toe), power);
}
DEVICE Rgb bent(Rgb shares, float power, float toe) {
  return RGB(bent(shares.r, power, toe), bent(shares.g, power, toe), bent(shares.b, power, toe));
}
