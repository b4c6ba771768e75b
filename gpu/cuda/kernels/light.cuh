// HDR: PQ (SMPTE ST 2084), HLG (BT.2100) and what is painted of HDR that is kept (the curve of BT.2446, method C). Reference: gpu.colour.
#define M1 (2610.0f / 16384.0f)
#define M2 (2523.0f / 32.0f)
#define C1 (3424.0f / 4096.0f)
#define C2 (2413.0f / 128.0f)
#define C3 (2392.0f / 128.0f)

DEVICE float pq_to_nits(float v) {
  float p = powf(maximum(v, 0.0f), 1.0f / M2);
  return 10000.0f * powf(maximum(p - C1, 0.0f) / (C2 - C3 * p), 1.0f / M1);
}

DEVICE float nits_to_pq(float nits) {
  float p = powf(maximum(nits, 0.0f) / 10000.0f, M1);
  return powf((C1 + C2 * p) / (1.0f + C3 * p), M2);
}

DEVICE float hlg_to_scene(float v) {
  return v <= 0.5f ? v * v / 3.0f : (expf((v - 0.55991073f) / 0.17883277f) + 0.28466892f) / 12.0f;
}

DEVICE float scene_to_hlg(float scene) {
  return scene <= 1.0f / 12.0f ? sqrtf(3.0f * maximum(scene, 0.0f))
                               : 0.17883277f * logf(12.0f * scene - 0.28466892f) + 0.55991073f;
}

DEVICE float bt2446c(float nits) {
  return nits < 58.5f / 0.83802f ? 0.83802f * nits
                                 : 15.09968f * logf(nits * (0.83802f / 58.5f) - 0.74204f) + 78.99439f;
}

DEVICE float bt2446c_inverse(float percent) {
  return percent < 58.5f ? percent / 0.83802f
                         : (expf((percent - 78.99439f) / 15.09968f) + 0.74204f) * (58.5f / 0.83802f);
}

DEVICE float largest_of(Rgb v) { return maximum(maximum(v.r, v.g), v.b); }

// A share of the largest channel to a power, and scaled below the toe.
DEVICE float bent(float share, float power, float toe) {
  return share < toe ? share * powf(toe, power - 1.0f) : powf(share, power);
}
DEVICE Rgb bent(Rgb shares, float power, float toe) {
  return {bent(shares.r, power, toe), bent(shares.g, power, toe), bent(shares.b, power, toe)};
}
