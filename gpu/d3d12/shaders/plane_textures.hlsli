// Planes of a frame as textures, whose formats make numbers of their samples.
#if LAYOUT == 4
READS_PICTURE(float4, plane0, 0);
#else
READS_PICTURE(float, plane0, 0);
#endif
#if LAYOUT == 2
READS_PICTURE(float2, plane1, 1);
#elif LAYOUT == 1 || LAYOUT == 3
READS_PICTURE(float, plane1, 1);
READS_PICTURE(float, plane2, 2);
#endif

#if LAYOUT == 1 || LAYOUT == 2
SamplerState edge : register(s0);

// four: in Gather's order.
float between(float4 four, float2 w) {
  return lerp(lerp(four.w, four.z, w.x), lerp(four.x, four.y, w.x), w.y);
}

float2 chroma_at(uint2 at) {
  float2 position = at * chroma_step + chroma_offset;
  float2 low = floor(position), w = position - low, middle = (low + 1.0) / float2(chroma_size);
#if LAYOUT == 1
  return float2(between(plane1.Gather(edge, middle), w), between(plane2.Gather(edge, middle), w));
#else
  return float2(between(plane1.GatherRed(edge, middle), w), between(plane1.GatherGreen(edge, middle), w));
#endif
}
#endif

float3 samples(uint2 at) {
#if LAYOUT == 0
  return float3(plane0.Load(int3(at, 0)), 0.0, 0.0);
#elif LAYOUT == 3
  float3 rgb = float3(plane2.Load(int3(at, 0)), plane0.Load(int3(at, 0)), plane1.Load(int3(at, 0)));
#if FLOATING
  rgb = saturate(rgb);  // ahead of the matrix: NaN is 0, and infinity 1
#endif
  return rgb;
#elif LAYOUT == 4
  return plane0.Load(int3(at, 0)).rgb;
#else
  return float3(plane0.Load(int3(at, 0)), chroma_at(at));
#endif
}
