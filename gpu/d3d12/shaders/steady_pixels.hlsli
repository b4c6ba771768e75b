// What the temporal filter keeps of a frame: pixels of the source in sixteenths of a code, then those of the painting, row by row, two in three words: red, green and blue of 16 bits. Needs steady.hlsli.
#define FINITE 65534.0   // 1 of the painting
#define NOT_FINITE 65535

uint first_of_source(uint2 at) {
  return 3 * (at.y * ((size.x + 1) / 2) + at.x / 2);
}

uint first_of_painting(uint2 at) {
  return first_of_source(uint2(0, size.y)) + 3 * (at.y * ((scale * size.x + 1) / 2) + at.x / 2);
}

uint3 pixel_of(uint3 words, uint column) {
  uint3 second = uint3(words.y >> 16, words.z & 0xffff, words.z >> 16);
  return column % 2 == 1 ? second : uint3(words.x & 0xffff, words.x >> 16, words.y & 0xffff);
}

// Of a buffer, by its first word.
#define PIXEL(pixels, first, column) pixel_of(uint3(pixels[first], pixels[first + 1], pixels[first + 2]), column)
