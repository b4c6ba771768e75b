// The samples of lines, from `lines`, which threads share: each of four words has a bank of memory for each direction.
groupshared uint words[4 * DIRECTIONS];

void share_lines(uint thread) {
  if (thread >= DIRECTIONS) return;
  uint4 line_ = lines[thread];
  words[thread] = line_.x;
  words[thread + DIRECTIONS] = line_.y;
  words[thread + 2 * DIRECTIONS] = line_.z;
  words[thread + 3 * DIRECTIONS] = line_.w;
}

// The position of a sample: two samples per word, x and y in 8 bits each.
int2 sample_of(uint direction, uint k) {
  uint word = words[k / 2 * DIRECTIONS + direction], behind = 16 * (k % 2);
  return int2(int(word << (24 - behind)) >> 24, int(word << (16 - behind)) >> 24);
}
