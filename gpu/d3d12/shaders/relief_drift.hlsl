// In: vectors t0 from the blocks of a frame to the previous one, its displacements t1, b0. Out: displacements u0 of the frame's bristles: for each block x and y of both in pixels of the working size, then the same in pixels of the picture. Group 8x8, one thread per block. Reference: gpu.reference.relief.Drift. Tolerance: 0.
// FIRST 1: there is no previous frame.
#include "relief.hlsli"

Buffer<int> vectors : register(t0);
Buffer<int4> before : register(t1);
RWBuffer<int4> ways : register(u0);

// Rounds half up. A displacement is always less than the offset that makes it positive.
int2 in_picture(int2 way) {
  int2 from = int2(working), far = 8192;
  return (2 * int2(size) * way + from + 2 * from * far) / (2 * from) - far;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= blocks.x || id.y >= blocks.y) return;
  uint o = id.y * blocks.x + id.x;
  int4 both = int4(0, 0, 0, 0);
#if !FIRST
  int2 moved = int2(vectors[2 * o], vectors[2 * o + 1]);
  int2 corner = int2(id.xy) * int(block_px);
  int2 middle = clamp(corner + int(block_px / 2) + moved, int2(0, 0), int2(blocks * block_px) - 1);
  int4 last = before[2 * (uint(middle.y) / block_px * blocks.x + uint(middle.x) / block_px)];
  // A displacement with zero weight restarts.
  if (first_way > 0.0) both.xy = moved + last.xy;
  if (first_way < 1.0) both.zw = moved + last.zw;
#endif
  ways[2 * o] = both;
  ways[2 * o + 1] = int4(in_picture(both.xy), in_picture(both.zw));
}
