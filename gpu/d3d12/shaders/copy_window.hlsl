// In: tensor t0, b0. Out: tensor u0. Group 32x8. Copies a rectangle of 3 planes, the edge of t0 repeated outside it. Twin: numpy indexing. Tolerance: 0.
Buffer<float> from : register(t0);
RWBuffer<float> to : register(u0);

cbuffer Constants : register(b0) {
  int2 from_size;
  int2 from_origin;  // may lie outside
  int2 to_size;
  int2 to_origin;
  int2 window;
};

[numthreads(32, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 at = int2(id.xy);
  if (at.x >= window.x || at.y >= window.y) return;
  int2 f = clamp(from_origin + at, 0, from_size - 1), t = to_origin + at;
  int i = f.y * from_size.x + f.x, o = t.y * to_size.x + t.x;
  for (int c = 0; c < 3; c++) to[o + c * to_size.x * to_size.y] = from[i + c * from_size.x * from_size.y];
}
