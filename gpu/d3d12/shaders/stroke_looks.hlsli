// What strokes remember of the painting, in words as gpu/stages/strokes/stroke_samples.py has them, of two looks each: colours, and from `rests` on the rest, which is 0 only where nothing is remembered.
// Red, green and blue of a look, in GRADES.
uint3 colour_in(uint word) {
  return uint3(word & GRADES, (word >> 10) & GRADES, (word >> 20) & GRADES);
}

// Need and the structure tensor by its length, in FEW_GRADES, of which FEW_GRADES + 1 are 0 in the tensor; and the light around, in
// AROUND_GRADES.
uint4 rest_in(uint word) {
  return uint4(word & FEW_GRADES, (word >> 7) & (2 * FEW_GRADES + 1), (word >> 15) & (2 * FEW_GRADES + 1), word >> 23);
}

uint2 look_of(uint3 colour, uint4 rest, uint count) {
  return uint2(colour.x | colour.y << 10 | colour.z << 20 | count << 30, rest.x | rest.y << 7 | rest.z << 15 | rest.w << 23);
}

// How many looks it remembers, LOOKS - 1 at most. colours: of both looks.
uint count_of(uint2 colours) {
  return colours.y >> 30;
}

// How far a frame is on the way from look to look.
float between_looks(uint place) {
  return float(place % LOOK_EVERY + 1) / float(LOOK_EVERY);
}

// The colour as it is remembered.
float3 remembered_colour(uint2 colours, uint place) {
  float3 former = float3(colour_in(colours.x)), latter = float3(colour_in(colours.y));
  return (former + between_looks(place) * (latter - former)) / float(GRADES);
}

// Need, both parts of the structure tensor, and the light around.
float4 remembered_rest(uint2 rests, uint place) {
  float4 former = float4(rest_in(rests.x)), latter = float4(rest_in(rests.y));
  float zero = float(FEW_GRADES + 1), few = float(FEW_GRADES);
  float4 zeros = float4(0.0, zero, zero, 0.0), grades = float4(few, few, few, float(AROUND_GRADES));
  return (former + between_looks(place) * (latter - former) - zeros) / grades;
}
