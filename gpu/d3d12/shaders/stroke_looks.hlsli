// What strokes remember of the painting, in words as gpu/stages/strokes/looks.py has them.
// Red, green, blue and need of a look, in GRADES.
uint4 paint_in(uint2 look) {
  return uint4(look.x & GRADES, (look.x >> 10) & GRADES, (look.x >> 20) & GRADES, look.y & GRADES);
}

// The structure tensor by its length, in GRADES, of which GRADES + 1 are 0.
uint2 tensor_in(uint2 look) {
  return uint2((look.y >> 10) & (2 * GRADES + 1), look.y >> 21);
}

uint2 look_of(uint4 paint, uint2 tensor, uint count) {
  return uint2(paint.x | paint.y << 10 | paint.z << 20 | count << 30, paint.w | tensor.x << 10 | tensor.y << 21);
}

// How many looks it remembers, LOOKS - 1 at most.
uint count_of(uint4 looks) {
  return looks.z >> 30;
}

// How far a frame is on the way from look to look.
float between_looks(uint place) {
  return float(place % LOOK_EVERY + 1) / float(LOOK_EVERY);
}

// Red, green, blue and need as they are remembered.
float4 remembered_paint(uint4 looks, uint place) {
  float4 former = float4(paint_in(looks.xy)), latter = float4(paint_in(looks.zw));
  return (former + between_looks(place) * (latter - former)) / float(GRADES);
}

float2 remembered_tensor(uint4 looks, uint place) {
  float2 former = float2(tensor_in(looks.xy)), latter = float2(tensor_in(looks.zw));
  return (former + between_looks(place) * (latter - former) - float(GRADES + 1)) / float(GRADES);
}
