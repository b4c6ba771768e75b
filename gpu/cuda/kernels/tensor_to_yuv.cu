// In: painted, source (tensors of R'G'B'), fine luma, Output. Out: planes of SAMPLE (Y and CbCr, or Y, Cb and Cr where PLANAR, 4:2:0), flag. Group 32x4, a thread a chroma sample. Reference: gpu.reference.kernels.look + rgb_to_output. Tolerance: 1 code.
#include "look.cuh"

extern "C" __global__ void tensor_to_yuv(
    const Painted* painted, const Element* source, const float* fine, SAMPLE* luma, SAMPLE* blue, SAMPLE* red,
    uint* flag, Output c) {
  uint cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y * blockDim.y + threadIdx.y;
  int last_x = (int)c.size[0] - 1, last_y = (int)c.size[1] - 1, first_x = 2 * (int)cx, first_y = 2 * (int)cy;
  if (first_x > last_x || first_y > last_y) return;
  Rgb mean = {0.0f, 0.0f, 0.0f};  // the weights sum to 1, so the matrix may come after it
  bool bad = false;
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 4; i++) {
      float weight = c.taps_x[i] * c.taps_y[j];
      bool own = i >= 1 && i <= 2 && j >= 1 && j <= 2;  // one of the four luma samples of this thread
      if (weight == 0.0f && !own) continue;
      int place_x = first_x + i - 1, place_y = first_y + j - 1;
      uint x = clamped(place_x, 0, last_x), y = clamped(place_y, 0, last_y);
      Rgb styled = load_painted(painted, c, x, y);
      Rgb shown = look(c, cleaned(styled), load_fine(fine, c, x, y), load_source(source, c, x, y), x);
      mean = mean + weight * shown;
      bad = bad || not_finite(styled);
      if (own && place_x <= last_x && place_y <= last_y) {
        luma[(size_t)y * c.size[0] + x] = (SAMPLE)(rounded(c, affine(c.codes[0], shown), x, y) << c.shift);
      }
    }
  }
  SAMPLE u = (SAMPLE)(rounded(c, affine(c.codes[1], mean), cx, cy) << c.shift);
  SAMPLE v = (SAMPLE)(rounded(c, affine(c.codes[2], mean), cx, cy) << c.shift);
  size_t chroma = (size_t)cy * ((c.size[0] + 1) / 2) + cx;
#ifdef PLANAR
  blue[chroma] = u;
  red[chroma] = v;
#else
  blue[2 * chroma] = u;
  blue[2 * chroma + 1] = v;
#endif
  if (bad) *flag = 1;
}
