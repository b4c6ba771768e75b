// detail_moments.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 11d2e929d7cda5610da03647276a2819 5e07e9f3c4c1984c99a107a27fc2e77c
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) input_size_0 : vec2<u32>,
    @align(8) size_0 : vec2<u32>,
    @align(16) padded_0 : vec2<u32>,
    @align(8) taps_0 : u32,
    @align(4) top_0 : f32,
    @align(16) taps_rows_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(1) @group(0) var<storage, read> filter_0 : array<f32>;

@binding(0) @group(0) var<storage, read> source_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> tensor_0 : array<f32>;

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : u32 = id_0.x;
    var _S2 : bool;
    if(_S1 >= (Constants_0.size_0.x))
    {
        _S2 = true;
    }
    else
    {
        _S2 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S2)
    {
        return;
    }
    var _S3 : u32 = Constants_0.input_size_0.x * Constants_0.input_size_0.y;
    var to_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var row_0 : u32 = _S1 * (Constants_0.taps_0 + u32(1));
    var _S4 : u32 = id_0.y;
    var _S5 : u32 = _S4 * Constants_0.input_size_0.x + u32(filter_0[row_0]);
    var _S6 : u32 = row_0 + u32(1);
    var _S7 : vec2<f32> = vec2<f32>(0.0f);
    var k_0 : u32 = u32(0);
    var sum_0 : vec2<f32> = _S7;
    for(;;)
    {
        if(k_0 < (Constants_0.taps_0))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = _S5 + k_0;
        var luma_0 : f32 = dot(vec3<f32>(0.2125999927520752f, 0.71520000696182251f, 0.07220000028610229f), vec3<f32>(source_0[i_0], source_0[i_0 + _S3], source_0[i_0 + u32(2) * _S3]));
        var sum_1 : vec2<f32> = sum_0 + vec2<f32>(filter_0[_S6 + k_0]) * vec2<f32>(luma_0, luma_0 * luma_0);
        k_0 = k_0 + u32(1);
        sum_0 = sum_1;
    }
    var o_0 : u32 = _S4 * Constants_0.padded_0.x + _S1;
    tensor_0[o_0] = sum_0.x;
    tensor_0[o_0 + to_0] = sum_0.y;
    tensor_0[o_0 + u32(2) * to_0] = 0.0f;
    return;
}

