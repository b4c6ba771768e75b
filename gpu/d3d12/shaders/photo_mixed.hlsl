// In: painted t0, source t1 (tensors of R'G'B'), fine t2, how much of the source is left t3, b0. Out: the mixture u0 (a tensor of the picture's size). Group 16x16. Reference: gpu.stages.tensor_to_planes.look. Tolerance: 1e-5, float32 arithmetic. What is not finite stays, for the output to tell.
#include "portable.hlsli"
OPTION(0, PACKED)
#define TRANSFER 0
#include "painted.hlsli"

READS_PICTURE(float, share, 3);
WRITES(float, made, 0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= size.x || id.y >= size.y) return;
  float3 styled = load_painted(id.xy), shown = styled;
  if (!any(not_finite_parts(styled))) {
    float3 detailed = saturate(saturate(styled) + detail * load_fine(id.xy));
    shown = lerp(detailed, load_source(id.xy), share.Load(int3(id.xy, 0)));
  }
  uint plane = size.x * size.y, i = id.y * size.x + id.x;
  made[i] = shown.r;
  made[i + plane] = shown.g;
  made[i + 2 * plane] = shown.b;
}
