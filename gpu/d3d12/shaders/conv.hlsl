// In: one or two tensors of pieces of 4 channels (C / 4, H, W), or the frame (3 planes) where STEM; biases and weights. Out: a tensor of pieces, or the picture (3 planes) where LAST. Group 32x2. Reference: ONNX's Pad (edge), Conv, Relu, DepthToSpace (CRD) of two, Slice and Concat. Tolerance: that of float32 sums, and of what the tensors are stored in.
// A convolution. PIECES: output pieces per dispatch, all of which a thread computes for LINES pixels in a column: each weight that it reads serves LINES sums, each pixel 4 * PIECES. Lanes run along a row, so that their reads are contiguous. SHUFFLE: the result is enlarged by two. HALF: it is stored in 16 bits, and rounded here because a driver may truncate instead.
// Weights are constants, which need no registers and no separate loads on most GPUs. The pixels for the next position are read while the current sums are computed: few threads run at a time, so nothing else would hide the latency. Threads beyond the edge compute the last pixels again: a branch would cost more. No loop has a constant bound: the compiler would simulate it, which takes a minute.
CONSTANTS(CONV)

#ifdef STEM
Buffer<float> a : register(t0);
#else
Buffer<float4> a : register(t0);
#endif
Buffer<float4> b : register(t1);
#ifdef LAST
RWBuffer<float> made : register(u0);
#else
RWBuffer<float4> made : register(u0);
#endif

cbuffer Weights : register(b1) {
  float4 biases[PIECES];
  float4 weights[4096 - PIECES];  // of pieces of inputs, rows, columns, channels, outputs
};

void store(int x, int y, int piece, float4 value) {
  value = value < lowest ? 0.0 : value;  // which propagates NaN
#ifdef HALF
  uint4 bits = asuint(value);
  value = asfloat((bits + 0xfff + ((bits >> 13) & 1)) & 0xffffe000);
#endif
  int width = out_size.x, height = out_size.y;
#if defined(LAST)  // four pixels of one colour
  int at = 2 * (piece * height + y) * 2 * width + 2 * x;
  made[at] = value.x;
  made[at + 1] = value.y;
  made[at + 2 * width] = value.z;
  made[at + 2 * width + 1] = value.w;
#elif defined(SHUFFLE)  // the pieces of each of the four pixels are consecutive
  uint all = first_piece + piece, corner = all / corner_pieces, to = all % corner_pieces;
  made[(2 * (to * height + y) + corner / 2) * 2 * width + 2 * x + corner % 2] = value;
#else
  made[((first_piece + piece) * height + y) * width + x] = value;
#endif
}

// The pixels at one position of the kernel, in one piece of the inputs.
void fetch(int x, int y, int piece, int2 place, out float4 pixel[LINES]) {
  int2 inside = int2(in_size) - 1;
  int column = clamp(x * int(stride) - int(pad) + place.x, 0, inside.x), row[LINES], r;
  [unroll] for (r = 0; r < LINES; r++) row[r] = clamp((y + r) * int(stride) - int(pad) + place.y, 0, inside.y);
#ifdef JOINED
  [branch] if (piece >= int(a_pieces)) {
    int at = ((piece - int(a_pieces)) * int(b_size.y) + int(crop)) * int(b_size.x) + int(crop) + column;
    [unroll] for (r = 0; r < LINES; r++) pixel[r] = b[at + row[r] * int(b_size.x)];
    return;
  }
#endif
  int plane = in_size.x * in_size.y, at = piece * plane + column;
  [unroll] for (r = 0; r < LINES; r++) {
    int here = at + row[r] * int(in_size.x);
#ifdef STEM
    pixel[r] = float4(a[here], a[here + plane], a[here + 2 * plane], 0.0);
#else
    pixel[r] = a[here];
#endif
  }
}

[numthreads(32, 2, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = min(int(id.x), int(out_size.x) - 1), y = min(int(id.y) * LINES, int(out_size.y) - LINES);
  int w = 0, piece = 0, pieces = a_pieces + b_pieces, r, j;
  int2 place = 0;
  float4 sum[LINES][PIECES], pixel[LINES], next[LINES];
  [unroll] for (r = 0; r < LINES; r++) {
    [unroll] for (j = 0; j < PIECES; j++) sum[r][j] = biases[j];
  }
  fetch(x, y, piece, place, next);
  [loop] while (piece < pieces) {
    [unroll] for (r = 0; r < LINES; r++) pixel[r] = next[r];
    place.x++;
    place = place.x < int(side) ? place : int2(0, place.y + 1);
    piece = place.y < int(side) ? piece : piece + 1;
    place = place.y < int(side) ? place : int2(0, 0);
    fetch(x, y, min(piece, pieces - 1), place, next);  // while the sums are computed
    [unroll] for (j = 0; j < PIECES; j++) {
      float4 w0 = weights[w + j], w1 = weights[w + PIECES + j];
      float4 w2 = weights[w + 2 * PIECES + j], w3 = weights[w + 3 * PIECES + j];
      [unroll] for (r = 0; r < LINES; r++) {
        float4 v = pixel[r];
        sum[r][j] = mad(v.w, w3, mad(v.z, w2, mad(v.y, w1, mad(v.x, w0, sum[r][j]))));
      }
    }
    w += 4 * PIECES;
  }
  [unroll] for (r = 0; r < LINES; r++) {
    [unroll] for (j = 0; j < PIECES; j++) store(x, y + r, j, sum[r][j]);
  }
}
