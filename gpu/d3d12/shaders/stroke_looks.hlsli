// What strokes remember of the painting, in words as gpu/stages/strokes/looks.py has them.
// Red, green and blue of a look, in GRADES.
uint3 colour_in(uint2 look) {
  return uint3(look.x & GRADES, (look.x >> 10) & GRADES, (look.x >> 20) & GRADES);
}

// Need and the structure tensor by its length, in FEW_GRADES, of which FEW_GRADES + 1 are 0 in the tensor; and the light around, in
// AROUND_GRADES.
uint4 rest_in(uint2 look) {
  return uint4(look.y & FEW_GRADES, (look.y >> 7) & (2 * FEW_GRADES + 1), (look.y >> 15) & (2 * FEW_GRADES + 1), look.y >> 23);
}

uint2 look_of(uint3 colour, uint4 rest, uint count) {
  return uint2(colour.x | colour.y << 10 | colour.z << 20 | count << 30, rest.x | rest.y << 7 | rest.z << 15 | rest.w << 23);
}

// How many looks it remembers, LOOKS - 1 at most.
uint count_of(uint4 looks) {
  return looks.z >> 30;
}

// How far a frame is on the way from look to look.
float between_looks(uint place) {
  return float(place % LOOK_EVERY + 1) / float(LOOK_EVERY);
}

// The colour as it is remembered.
float3 remembered_colour(uint4 looks, uint place) {
  float3 former = float3(colour_in(looks.xy)), latter = float3(colour_in(looks.zw));
  return (former + between_looks(place) * (latter - former)) / float(GRADES);
}

// Need, both parts of the structure tensor, and the light around.
float4 remembered_rest(uint4 looks, uint place) {
  float4 former = float4(rest_in(looks.xy)), latter = float4(rest_in(looks.zw));
  float zero = float(FEW_GRADES + 1), few = float(FEW_GRADES);
  float4 zeros = float4(0.0, zero, zero, 0.0), grades = float4(few, few, few, float(AROUND_GRADES));
  return (former + between_looks(place) * (latter - former) - zeros) / grades;
}
