// Planes of a frame in words, for WGSL, which has no formats of 16 bits: samples of BITS bits, the first one lowest, without gaps between rows.
OPTION(5, BITS)
READS(uint, plane0, 0);
READS(uint, plane1, 1);
READS(uint, plane2, 2);

// As a format makes numbers of samples; but NaN is 0 and infinity 1.
float number(uint bits) {
  if (FLOATING == 0) return float(bits) / (BITS == 8 ? 255.0 : 65535.0);
  float v = FLOATING == 16 ? f16tof32(bits) : asfloat(bits);
  return (asuint(v) & 0x7fffffff) > 0x7f800000 ? 0.0 : saturate(v);
}

float sample(StructuredBuffer<uint> plane, uint i) {
  if (BITS == 8) return number(plane[i / 4] >> 8 * (i % 4) & 0xff);
  if (BITS == 16) return number(plane[i / 2] >> 16 * (i % 2) & 0xffff);
  return number(plane[i]);
}

// Linear between the samples of one component among `step` in columns a.x and b.x and rows a.y and b.y.
float between(StructuredBuffer<uint> plane, uint step, uint component, uint2 a, uint2 b, float2 w) {
  uint above = a.y * chroma_size.x, below = b.y * chroma_size.x;
  float top = lerp(sample(plane, step * (above + a.x) + component), sample(plane, step * (above + b.x) + component), w.x);
  return lerp(top, lerp(sample(plane, step * (below + a.x) + component), sample(plane, step * (below + b.x) + component), w.x), w.y);
}

float2 chroma_at(uint2 at) {
  float2 position = float2(at) * chroma_step + chroma_offset, low = floor(position), w = position - low;
  int2 last = int2(chroma_size) - 1;
  uint2 a = uint2(clamp(int2(low), int2(0, 0), last)), b = uint2(clamp(int2(low) + 1, int2(0, 0), last));
  if (LAYOUT == 1) return float2(between(plane1, 1, 0, a, b, w), between(plane2, 1, 0, a, b, w));
  return float2(between(plane1, 2, 0, a, b, w), between(plane1, 2, 1, a, b, w));
}

float3 samples(uint2 at) {
  uint i = at.y * size.x + at.x;
  if (LAYOUT == 0) return float3(sample(plane0, i), 0.0, 0.0);
  if (LAYOUT == 3) return float3(sample(plane2, i), sample(plane0, i), sample(plane1, i));
  if (LAYOUT == 4) return float3(sample(plane0, 4 * i), sample(plane0, 4 * i + 1), sample(plane0, 4 * i + 2));
  return float3(sample(plane0, i), chroma_at(at));
}
