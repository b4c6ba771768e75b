// A weighted mean along one axis of a plane of cells: AXIS 0 rows, 1 columns. A thread computes four cells, so that it reads each only once. Needs VALUE, value_at, finished and made; with FOUR also four_at.
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
#if AXIS == 0
  int2 first = int2(4 * id.x, id.y), way = int2(1, 0);
#else
  int2 first = int2(id.x, 4 * id.y), way = int2(0, 1);
#endif
  int2 last = int2(cells) - 1;
  if (first.x > last.x || first.y > last.y) return;
  int2 from = first - int(radius) * way;
  uint steps = (2 * radius + 7) / 4;
  float4 before = 0.0;
  VALUE a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  for (uint k = 0; k < steps; k++) {
    float4 here = gauss[min(k, 8)];
    if (k > 8) here = 0.0;
    int2 at = from + int(4 * k) * way;
    VALUE p, q, r, s;
#ifdef FOUR
    if (at.x >= 0 && at.x + 3 <= last.x) {
      four_at(at, p, q, r, s);
    } else
#endif
    {
      p = value_at(clamp(at, int2(0, 0), last));
      q = value_at(clamp(at + way, int2(0, 0), last));
      r = value_at(clamp(at + 2 * way, int2(0, 0), last));
      s = value_at(clamp(at + 3 * way, int2(0, 0), last));
    }
    a += here.x * p + here.y * q + here.z * r + here.w * s;
    b += before.w * p + here.x * q + here.y * r + here.z * s;
    c += before.z * p + before.w * q + here.x * r + here.y * s;
    d += before.y * p + before.z * q + before.w * r + here.x * s;
    before = here;
  }
  made[first] = finished(a);
  int2 at_b = first + way, at_c = first + 2 * way, at_d = first + 3 * way;
  if (at_b.x <= last.x && at_b.y <= last.y) made[at_b] = finished(b);
  if (at_c.x <= last.x && at_c.y <= last.y) made[at_c] = finished(c);
  if (at_d.x <= last.x && at_d.y <= last.y) made[at_d] = finished(d);
}
