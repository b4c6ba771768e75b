// Cells of luma: reading planes of them with the edge repeated, and linearly between their centres. Reference: gpu.reference.brush.between.
SamplerState edge : register(s0);

// The four cells around a pixel, which may lie outside: the position for Gather, and the weights of the right and lower ones.
struct Around {
  float2 middle;
  float2 part;
};

Around around(int2 at, uint cell_px_, uint2 planes) {
  Around found;
  float2 position = (float2(at) + 0.5) / float(cell_px_) - 0.5;
  float2 low = floor(position);
  found.part = position - low;
  found.middle = (low + 1.0) / float2(planes);
  return found;
}

// four: in Gather's order.
float between(float4 four, float2 part) {
  return lerp(lerp(four.w, four.z, part.x), lerp(four.x, four.y, part.x), part.y);
}

float luma_of(float3 rgb) {
  return dot(float3(0.2126, 0.7152, 0.0722), rgb);
}
