// Where to read a map of the brush of a frame, MAP_SIDE rows of as many samples over all of it. place: 0..1 of the frame.
Between in_map(float2 place) {
  return between_samples(float(MAP_SIDE) * place - 0.5, uint4(0, MAP_SIDE, MAP_SIDE, 0));
}
