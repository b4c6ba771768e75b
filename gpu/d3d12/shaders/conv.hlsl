// In: a tensor of pieces of 4 channels (C / 4, H, W), or the frame (3 planes) where STEM; a second tensor of pieces, read where JOINED; biases and weights. Out: a tensor of pieces, or the picture (3 planes) where LAST. Group 128x1. Reference: ONNX's Pad (edge), Conv, Relu, DepthToSpace (CRD) by two, Slice and Concat. Tolerance: of float32 sums, and of the type in which tensors are stored.
// A convolution of SIDE x SIDE by STRIDE. A thread computes PIECES output pieces for LINES pixels of a column; groups in z read the same pixels and compute other pieces. Threads go along a row, then on in the next one, so that reads are contiguous and no group is idle at an edge; each keeps the pixels of a column while it goes down the kernel.
// JOINED: pieces of the second tensor follow the first's, without `crop` rows above and columns on the left. SHUFFLE and LAST: the result is enlarged by two. FILTERED: Winograd's F(2, 3) along columns (Lavin and Gray 2016), four products for two lines in place of six; the weights come transformed. HALF: tensors between layers have 16 bits, rounded here because a driver may truncate. NATIVE, for shader model 6.2: factors and sums have 16 bits, two of which many cards compute at once; the last sums of FILTERED and the stored value have 32.
// The weights of a piece of inputs lie in group-shared memory, from which all lanes read the same at once; those of the next piece are brought meanwhile, and so are the pixels of the next column: few threads run at a time, so nothing else would hide the latency. Threads beyond the last pixel compute it again: a branch would cost more.
#include "portable.hlsli"
CONSTANTS(CONV)

#ifdef NATIVE
#define NUMBER4 half4
#else
#define NUMBER4 float4
#endif
#if defined(HALF) && (defined(WGSL) || defined(NATIVE))  // else views convert
#define STORED half4
#else
#define STORED float4
#endif
#if defined(NATIVE) && !defined(WGSL)  // elements of 16 bits as they are: texture units would read those of typed buffers
#define READS_LAYER(name, place) StructuredBuffer<half4> name : register(t##place)
#define WRITES_LAYER(name, place) RWStructuredBuffer<half4> name : register(u##place)
#else
#define READS_LAYER(name, place) READS(STORED, name, place)
#define WRITES_LAYER(name, place) WRITES(STORED, name, place)
#endif
#ifdef STEM
READS(float, a, 0);
#else
READS_LAYER(a, 0);
#endif
READS_LAYER(b, 1);
READS(float4, weights, 2);  // for each group in z biases, then those of pieces of inputs, rows, columns, channels, outputs
#ifdef LAST
WRITES(float, made, 0);
#else
WRITES_LAYER(made, 0);
#endif

#define THREADS 128
#define SPAN ((LINES - 1) * STRIDE + SIDE)    // pixels of a column that a thread reads
#ifdef FILTERED
#define ROWS 4
#else
#define ROWS SIDE
#endif
#define STEP (ROWS * SIDE * 4 * PIECES)       // weights of a piece of inputs
#define SHARE ((STEP + THREADS - 1) / THREADS)

groupshared NUMBER4 near[2 * STEP];

void store(int x, int y, int piece, float4 value) {
  value = value < lowest ? 0.0 : value;  // which propagates NaN
#if defined(HALF) && !defined(LAST)
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
  uint corner = uint(piece) / corner_pieces, to = uint(piece) % corner_pieces;
  made[(2 * (to * height + y) + corner / 2) * 2 * width + 2 * x + corner % 2] = STORED(value);
#else
  made[(piece * height + y) * width + x] = STORED(value);
#endif
}

// The pixels of a column in one piece of the inputs. rows: of the inputs, not clamped yet.
void fetch(int column, int row, int piece, out NUMBER4 pixel[SPAN]) {
  int2 last = int2(in_size) - 1;
  column = clamp(column, 0, last.x);
  int width = in_size.x, plane = in_size.x * in_size.y, at = piece * plane + column, r;
#ifdef JOINED
  [branch] if (piece >= int(a_pieces)) {
    at = ((piece - int(a_pieces)) * int(b_size.y) + int(crop)) * int(b_size.x) + int(crop) + column;
    UNROLL for (r = 0; r < SPAN; r++) pixel[r] = NUMBER4(b[at + clamp(row + r, 0, last.y) * int(b_size.x)]);
    return;
  }
#endif
  UNROLL for (r = 0; r < SPAN; r++) {
    int here = at + clamp(row + r, 0, last.y) * width;
#ifdef STEM
    pixel[r] = NUMBER4(a[here], a[here + plane], a[here + 2 * plane], 0.0);
#else
    pixel[r] = NUMBER4(a[here]);
#endif
  }
}

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  int width = out_size.x, height = out_size.y, down = int(id.x) / width;
  int x = int(id.x) - down * width, y = min(down * LINES, height - LINES);
  int column = x * STRIDE - int(pad), row = y * STRIDE - int(pad);
  int pieces = a_pieces + b_pieces, piece, dx, dy, r, j, i;
  int from = int(first_weight) + int(id.z) * (PIECES + pieces * STEP);
  NUMBER4 pixel[SPAN], next[SPAN], brought[SHARE];
#ifdef FILTERED  // sums of the four products of each two lines; the second belongs to both
  NUMBER4 sum[2 * LINES][PIECES];
  UNROLL for (j = 0; j < PIECES; j++) {
    NUMBER4 bias = NUMBER4(weights[from + j]);
    UNROLL for (r = 0; r < 2 * LINES; r++) sum[r][j] = r % 4 == 1 ? bias : NUMBER4(float4(0.0, 0.0, 0.0, 0.0));
  }
#else
  NUMBER4 sum[LINES][PIECES];
  UNROLL for (j = 0; j < PIECES; j++) {
    NUMBER4 bias = NUMBER4(weights[from + j]);
    UNROLL for (r = 0; r < LINES; r++) sum[r][j] = bias;
  }
#endif
  from += PIECES + int(thread);
  UNROLL for (i = 0; i < SHARE; i++) {
    int at = i * THREADS + int(thread);
    if (at < STEP) near[at] = NUMBER4(weights[from + i * THREADS]);
  }
  fetch(column, row, 0, next);
  [loop] for (piece = 0; piece < pieces; piece++) {
    GroupMemoryBarrierWithGroupSync();
    int following = min(piece + 1, pieces - 1), front = (piece & 1) * STEP;
    UNROLL for (i = 0; i < SHARE; i++) brought[i] = NUMBER4(weights[from + following * STEP + min(i * THREADS, STEP - 1 - int(thread))]);
    [loop] for (dx = 0; dx < int(side); dx++) {
      UNROLL for (r = 0; r < SPAN; r++) pixel[r] = next[r];
      bool more = dx + 1 < int(side);
      fetch(column + (more ? dx + 1 : 0), row, more ? piece : following, next);  // while the sums are computed
#ifdef FILTERED
      UNROLL for (dy = 0; dy < 4; dy++) {
        int w = front + (dy * SIDE + dx) * 4 * PIECES;
        NUMBER4 v[LINES / 2];
        UNROLL for (r = 0; r < LINES / 2; r++) {
          if (dy == 0) v[r] = pixel[2 * r] - pixel[2 * r + 2];
          if (dy == 1) v[r] = pixel[2 * r + 1] + pixel[2 * r + 2];
          if (dy == 2) v[r] = pixel[2 * r + 2] - pixel[2 * r + 1];
          if (dy == 3) v[r] = pixel[2 * r + 1] - pixel[2 * r + 3];
        }
        UNROLL for (j = 0; j < PIECES; j++) {
          NUMBER4 w0 = near[w + j], w1 = near[w + PIECES + j], w2 = near[w + 2 * PIECES + j], w3 = near[w + 3 * PIECES + j];
          UNROLL for (r = 0; r < LINES / 2; r++) {
            NUMBER4 made = sum[4 * r + dy][j];
            sum[4 * r + dy][j] = mad(v[r].w, w3, mad(v[r].z, w2, mad(v[r].y, w1, mad(v[r].x, w0, made))));
          }
        }
      }
#else
      UNROLL for (dy = 0; dy < SIDE; dy++) {
        int w = front + (dy * SIDE + dx) * 4 * PIECES;
        UNROLL for (j = 0; j < PIECES; j++) {
          NUMBER4 w0 = near[w + j], w1 = near[w + PIECES + j], w2 = near[w + 2 * PIECES + j], w3 = near[w + 3 * PIECES + j];
          UNROLL for (r = 0; r < LINES; r++) {
            NUMBER4 v = pixel[r * STRIDE + dy];
            sum[r][j] = mad(v.w, w3, mad(v.z, w2, mad(v.y, w1, mad(v.x, w0, sum[r][j]))));
          }
        }
      }
#endif
    }
    UNROLL for (i = 0; i < SHARE; i++) {
      int at = i * THREADS + int(thread);
      if (at < STEP) near[STEP - front + at] = brought[i];
    }
  }
  UNROLL for (j = 0; j < PIECES; j++) {
    int to = int(id.z) * PIECES + j;
#ifdef FILTERED
    UNROLL for (r = 0; r < LINES; r += 2) {
      store(x, y + r, to, float4(sum[2 * r][j]) + float4(sum[2 * r + 1][j]) + float4(sum[2 * r + 2][j]));
      store(x, y + r + 1, to, float4(sum[2 * r + 1][j]) - float4(sum[2 * r + 2][j]) - float4(sum[2 * r + 3][j]));
    }
#else
    UNROLL for (r = 0; r < LINES; r++) store(x, y + r, to, float4(sum[r][j]));
#endif
  }
}
