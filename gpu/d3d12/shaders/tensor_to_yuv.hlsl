// In: painted t0, source t1 (tensors of R'G'B'), fine t2, b0. Out: Y u0, CbCr u1, or Cb u1 and Cr u2 where PLANAR; G, B and R likewise (UINT codes, or the bits of floats), flag u3. Group 16x8, one thread per chroma sample. Reference: gpu.stages.tensor_to_planes.look + rgb_to_output. Tolerance: 1 code, floats 1e-5 or half a step of float16.
#include "portable.hlsli"
OPTION(0, PLANAR)
OPTION(1, FULL_X)
OPTION(2, FULL_Y)
OPTION(3, TRANSFER)
OPTION(4, FLOATING)
OPTION(5, PACKED)
#include "painted.hlsli"

float3 painted_at(uint2 at, int2 corner) { return load_painted(at); }
#include "yuv.hlsli"

[numthreads(16, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  make_samples(id.xy, int2(0, 0));
}
