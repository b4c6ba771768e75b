// Levels of a picture: two of a row in a word, the left one lower. Needs `size` of its kernel, of the picture. at: beyond the edge it is repeated.
int2 held(int2 at) { return clamp(at, int2(0, 0), int2(size) - 1); }

uint word_of(int2 at) { return uint(at.y) * ((size.x + 1) / 2) + uint(at.x) / 2; }

int half_of(uint word, int2 at) { return int((word >> (16 * (uint(at.x) % 2))) & 0xffff); }

#define LEVEL(levels, at) half_of(levels[word_of(held(at))], held(at))
