// How strokes lie on a picture. Needs `left` of its kernel, what is left of cells of the network's input.
#define HIGHEST 2.0  // of paint: the alpha of 1

float left_at(float2 at) {
  float2 spot = at * corner_step - 0.5, low = floor(spot), share = spot - low;
  int2 last = int2(corner_cells) - 1, a = clamp(int2(low), int2(0, 0), last), b = clamp(int2(low) + 1, int2(0, 0), last);
  float above = lerp(left.Load(int3(a, 0)), left.Load(int3(b.x, a.y, 0)), share.x);
  return lerp(above, lerp(left.Load(int3(a.x, b.y, 0)), left.Load(int3(b, 0)), share.x), share.y);
}
