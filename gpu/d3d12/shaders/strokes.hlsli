// What the kernels of strokes share. Rule and constants: gpu/stages/strokes; the exact text of the arithmetic: gpu/cpu/kernels/strokes.c.
#include "portable.hlsli"
#include "stroke_constants.hlsli"
#define MOST_LAYERS 16  // as gpu/stages/strokes/passes.py has it
// Counts: of strokes of each layer, of all that are traced; then where each tile's list begins, then where it ends.
#define FIRST_BOUND (MOST_LAYERS + 1)

#ifdef WGSL
// Adds to a count of a buffer or of a group, and tells what it was before.
#define TAKE_COUNT(name, index, more, before) before = name[index].add(more)
#define SET_COUNT(name, index, value) name[index].store(value)
#else
#define TAKE_COUNT(name, index, more, before) InterlockedAdd(name[index], more, before)
#define SET_COUNT(name, index, value) name[index] = value
#endif

#define Whole int
#define FIGURES
#define FIGURE(name) name
#include "strokes.h"

// How large it is by its age, as a share: x of y.
uint2 size_of(uint age, uint slot) {
  uint2 size = uint2(min(min(age, LIFE - age), GROWTH), GROWTH);
  if (slot >= 2) {
    // The smaller of two shares: of those that grow and of those that shrink.
    uint grows = min(age + 1, FILL_GROWTH), shrinks = min(FILL_LIFE - age, FILL_SHRINK);
    size = grows * FILL_SHRINK < shrinks * FILL_GROWTH ? uint2(grows, FILL_GROWTH) : uint2(shrinks, FILL_SHRINK);
  }
  return size;
}

// Two whole numbers of 16 bits in a word: y and x of an offset from home.
int2 unpacked(uint word) {
  return int2(int(word << 16) >> 16, int(word) >> 16);
}

uint packed_word(int2 offset) {
  return (uint(offset.x) & 0xffff) | (uint(offset.y) << 16);
}
