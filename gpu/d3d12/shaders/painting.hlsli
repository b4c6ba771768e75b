// A painting in planes of R'G'B'. In WGSL, which has no formats of 16 bits, with PACKED two of a row in a word, the left one lower, and 65535 for 1. at: a pixel. size: of the planes.
#ifdef WGSL
#define READS_PAINTING(name, place) READS(uint, name, place)

float painting_number(StructuredBuffer<uint> planes, uint2 at, uint plane, uint2 size) {
  uint row = plane * size.y + at.y;
  if (PACKED == 0) return asfloat(planes[row * size.x + at.x]);
  return float(planes[row * ((size.x + 1) / 2) + at.x / 2] >> 16 * (at.x % 2) & 0xffff) / 65535.0;
}
#define PAINTING(planes, at, size) float3(painting_number(planes, at, 0, size), painting_number(planes, at, 1, size), painting_number(planes, at, 2, size))
#else
#define READS_PAINTING(name, place) READS(float, name, place)
#define PAINTING_PLACE(at, plane, size) ((plane * size.y + at.y) * size.x + at.x)
#define PAINTING(planes, at, size) float3(planes[PAINTING_PLACE(at, 0, size)], planes[PAINTING_PLACE(at, 1, size)], planes[PAINTING_PLACE(at, 2, size)])
#endif
