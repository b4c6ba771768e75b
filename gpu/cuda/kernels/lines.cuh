// Lines of samples through a pixel, in one of DIRECTIONS. A group of 32x8 pixels that needs no samples outside the picture reads
// them without bounds checks.
#define SLOTS (SAMPLES | 1)  // per direction; odd, so that adjacent directions are in different banks

DEVICE bool inside(const uint size[2], int margin) {
  int x = blockIdx.x * 32, y = blockIdx.y * 8;
  return x >= margin && y >= margin && x + 32 + margin <= (int)size[0] && y + 8 + margin <= (int)size[1];
}

// Offsets are y and x of each sample, SAMPLES per direction; both are packed into one number.
DEVICE void load_lines(const int* __restrict__ offsets, int* lines) {
  for (int i = threadIdx.y * 32 + threadIdx.x; i < DIRECTIONS * SAMPLES; i += 256) {
    lines[i / SAMPLES * SLOTS + i % SAMPLES] = offsets[2 * i] * 65536 + (offsets[2 * i + 1] & 65535);
  }
  __syncthreads();
}

DEVICE int down_of(int offset) { return offset >> 16; }
DEVICE int across_of(int offset) { return (short)offset; }

template <bool INSIDE>
DEVICE Rgb sample(const Pixel* __restrict__ picture, const uint size[2], int x, int y, int down, int across) {
  const int width = size[0];
  if (INSIDE) return rgb_of(picture[(y * width + x) + (down * width + across)]);
  return rgb_of(picture[clamped(y + down, 0, (int)size[1] - 1) * width + clamped(x + across, 0, width - 1)]);
}
