// For every language of kernels: samples as the network sees them. Reference: gpu.stages.planes_to_tensor.planes_to_rgb. The names that nothing here declares are fields of CONVERT. TRANSFER 0 SDR, 1 PQ, 2 HLG. KEPT 1: the result is HDR again.
METHOD Rgb to_nits(Rgb v) {
  if (TRANSFER == 1) return pq_to_nits(v);
  Rgb scene = hlg_to_scene(v);
  return hable_ends[2] * pow(max(weighted(luminance, scene), 1e-12f), hable_ends[3]) * scene;
}

// Luminance in nits to linear SDR, where 1 is reference white.
METHOD float tone_map(float luminance_nits) {
  float nits = min(luminance_nits, peak_nits);
  if (hable > 0.5f) return hable_curve(nits / hable_ends[0]) * hable_ends[1];
  float highest = eetf[0], lowest = eetf[1], max_lum = eetf[2], knee = eetf[3];
  float e = min((nits_to_pq(nits) - lowest) / (highest - lowest), 1.0f);
  if (e >= knee && knee < 1.0f) {
    float t = (e - knee) / (1.0f - knee), t2 = t * t, t3 = t2 * t;
    e = (2.0f * t3 - 3.0f * t2 + 1.0f) * knee + (t3 - 2.0f * t2 + t) * (1.0f - knee) + (3.0f * t2 - 2.0f * t3) * max_lum;
  }
  return pq_to_nits(e * (highest - lowest) + lowest) / hable_ends[0];
}

// Light of HDR that is kept above 1, for the network. Reference: gpu.colour.rolled_off.
METHOD Rgb rolled_off(Rgb v) {
  float largest = largest_of(v), above = largest - rolls_from;
  return above > 0.0f ? ((rolls_from + above / (1.0f + roll_rate * above)) / largest) * v : v;
}

METHOD Rgb converted(Rgb samples) {
  Rgb rgb = saturate(RGB(affine(to_rgb[0], samples), affine(to_rgb[1], samples), affine(to_rgb[2], samples)));
  if (TRANSFER == 0) return rgb;
  Rgb nits = to_nits(rgb);
  if (KEPT == 1) {
    float largest = max(largest_of(nits), 1e-6f);
    return rolled_off(linear_to_srgb(bt2446c(largest) * kept_scale * bent((1.0f / largest) * nits, saturation, 0.05f)));
  }
  float y = weighted(luminance, nits);
  Rgb light = (tone_map(y) / max(y, 1e-12f)) * nits;
  light = RGB(weighted(to_bt709[0], light), weighted(to_bt709[1], light), weighted(to_bt709[2], light));
  return linear_to_srgb(saturate(light));
}
