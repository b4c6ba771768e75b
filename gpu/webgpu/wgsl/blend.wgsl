// blend.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// c48646621956e208e59e35519341040c 75389f908f3dcc1b4893bf8cf9e04d7a
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) paintings_0 : u32,
    @align(4) fours_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(1) @group(0) var<storage, read> shares_0 : array<f32>;

@binding(0) @group(0) var<storage, read> rows_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> weights_0 : array<vec4<f32>>;

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : u32 = id_0.x;
    if(_S1 >= (Constants_0.fours_0))
    {
        return;
    }
    var sum_0 : vec4<f32> = vec4<f32>(0.0f);
    var k_0 : u32 = u32(0);
    for(;;)
    {
        if(k_0 < (Constants_0.paintings_0))
        {
        }
        else
        {
            break;
        }
        var _S2 : vec4<f32> = fma(vec4<f32>(shares_0[k_0]), rows_0[k_0 * Constants_0.fours_0 + _S1], sum_0);
        var _S3 : u32 = k_0 + u32(1);
        sum_0 = _S2;
        k_0 = _S3;
    }
    weights_0[_S1] = sum_0;
    return;
}

