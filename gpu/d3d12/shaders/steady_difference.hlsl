// In: tensors of a frame t0 and its neighbour t1, vectors t2, b0. Out: the difference of each pixel u0, in sixteenths of a code. Group 32x8. Reference: in gpu.stages.steady.reference.weights. Tolerance: 1 sixteenth, 0 for 8 bits.
#include "portable.hlsli"
#include "steady.hlsli"

READS(float, frame, 0);
READS(float, near_frame, 1);
READS(int, vectors, 2);
WRITES(float, differences, 0);

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  uint2 block = id.xy / block_px;
  uint v = 2 * (block.y * grid.x + block.x);
  int2 there = clamp(int2(id.xy) + int2(vectors[v], vectors[v + 1]), int2(0, 0), int2(size) - 1);
  uint plane = padded.x * padded.y, i = id.y * padded.x + id.x, k = uint(there.y) * padded.x + uint(there.x);
  float red = abs(sixteenths(frame[i]) - sixteenths(near_frame[k]));
  float green = abs(sixteenths(frame[i + plane]) - sixteenths(near_frame[k + plane]));
  float blue = abs(sixteenths(frame[i + 2 * plane]) - sixteenths(near_frame[k + 2 * plane]));
  differences[id.y * size.x + id.x] = max(red, max(green, blue));
}
