// HDR: PQ (SMPTE ST 2084), HLG (BT.2100) and what is painted of HDR that is kept (the curve of BT.2446, method C). Reference: gpu.colour.
static const float M1 = 2610.0 / 16384.0, M2 = 2523.0 / 32.0;
static const float C1 = 3424.0 / 4096.0, C2 = 2413.0 / 128.0, C3 = 2392.0 / 128.0;

float3 pq_to_nits(float3 v) {
  float3 p = pow(max(v, 0.0), 1.0 / M2);
  return 10000.0 * pow(max(p - C1, 0.0) / (C2 - C3 * p), 1.0 / M1);
}

float3 nits_to_pq(float3 nits) {
  float3 p = pow(max(nits, 0.0) / 10000.0, M1);
  return pow((C1 + C2 * p) / (1.0 + C3 * p), M2);
}

float3 hlg_to_scene(float3 v) {
  float3 high = (exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
  return v <= 0.5 ? v * v / 3.0 : high;
}

float3 scene_to_hlg(float3 scene) {
  float3 high = 0.17883277 * log(max(12.0 * scene, 1.0) - 0.28466892) + 0.55991073;
  return scene <= 1.0 / 12.0 ? sqrt(3.0 * max(scene, 0.0)) : high;
}

float bt2446c(float nits) {
  float high = 15.09968 * log(max(nits * (0.83802 / 58.5), 1.0) - 0.74204) + 78.99439;
  return nits < 58.5 / 0.83802 ? 0.83802 * nits : high;
}

float bt2446c_inverse(float percent) {
  float high = (exp((percent - 78.99439) / 15.09968) + 0.74204) * (58.5 / 0.83802);
  return percent < 58.5 ? percent / 0.83802 : high;
}

float largest_of(float3 v) {
  return max(max(v.r, v.g), v.b);
}

// Shares of the largest channel to a power, and scaled below the toe.
float3 bent(float3 shares, float power, float toe) {
  float3 high = pow(max(shares, toe), power);
  return shares < toe ? shares * pow(toe, power - 1.0) : high;
}
