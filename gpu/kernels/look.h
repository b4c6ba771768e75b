// For every language of kernels: what is shown of a painting and its source. Reference: gpu.stages.tensor_to_planes.look. The names that nothing here declares are fields of OUTPUT. TRANSFER 0 SDR, 1 PQ, 2 HLG.
METHOD float exposed(float encoded) {
  float light = srgb_to_linear(encoded) * gain;
  if (curve < 1.5f) light = min(light, 1.0f);
  else if (curve < 2.5f) light = light * (1.0f + light / (curve_peak * curve_peak)) / (1.0f + light);
  else light = hable_curve(light) * curve_scale;
  return linear_to_srgb(light);
}

// styled: of the painting, within 0..1. luma: fine luma. original: of the source. column: position in the picture.
METHOD Rgb look(Rgb styled, float luma, Rgb original, uint column) {
  Rgb shown = original;
  if (column >= split_column) {
    shown = saturate(styled + detail * luma);
    if (strength < 1.0f) shown = original + strength * (shown - original);
    if (keep_colours > 0.5f) shown = saturate(original + luma_of(shown - original));
    if (colourfulness != 1.0f) shown = saturate(colourfulness * shown + (1.0f - colourfulness) * luma_of(shown));
    if (curve > 0.5f) shown = RGB(exposed(shown.r), exposed(shown.g), exposed(shown.b));
  }
  return shown;
}

// What is painted of HDR, back to HDR.
METHOD Rgb in_output(Rgb kept) {
  if (TRANSFER == 0) return kept;
  Rgb painting = srgb_to_linear(kept);
  float largest = max(largest_of(painting), 1e-10f), toe = pow(0.05f, 1.0f / saturation);
  Rgb nits = bt2446c_inverse(largest * kept_white) * bent((1.0f / largest) * painting, saturation, toe);
  if (TRANSFER == 1) return saturate(nits_to_pq(nits));
  Rgb light = luminance[3] * nits;
  return saturate(scene_to_hlg(pow(max(weighted(luminance, light), 1e-12f), inverse_gamma) * light));
}
