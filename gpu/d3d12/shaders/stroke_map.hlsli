// The maps of the brush of a frame, MAP_SIDE rows of as many samples over all of it. Needs `maps` of its kernel.
// What they say at a place, 0..1 of the frame: how much broader strokes are than needed, -1..1, and the structure tensor.
float3 map_at(float2 place) {
  Between around = between_samples(float(MAP_SIDE) * place - 0.5, uint4(0, MAP_SIDE, MAP_SIDE, 0));
  return BILINEAR(maps, around).xyz;
}
