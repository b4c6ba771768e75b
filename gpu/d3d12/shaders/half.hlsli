// Floats of 16 bits (IEEE 754 binary16), rounded to nearest, ties to even: a driver's own conversion may cut instead.

// v: 0..1.
uint3 half_bits(float3 v) {
  uint3 bits = asuint(v);
  uint3 normal = (bits + 0xfff + ((bits >> 13) & 1) - ((127 - 15) << 23)) >> 13;
  return v < exp2(-14.0) ? uint3(round(v * exp2(24.0))) : normal;
}
