// copy_window.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 85c9431b00f20e3f2a1a23cf7e5ef2c2 59358c0088ab5c0b858d9d48b2317997
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) from_size_0 : vec2<u32>,
    @align(8) from_origin_0 : vec2<u32>,
    @align(16) to_size_0 : vec2<u32>,
    @align(8) to_origin_0 : vec2<u32>,
    @align(16) window_0 : vec2<u32>,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(1) var<storage, read_write> to_0 : array<f32>;

@binding(0) @group(0) var<storage, read> from_0 : array<f32>;

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : bool;
    if((id_0.x) >= (Constants_0.window_0.x))
    {
        _S1 = true;
    }
    else
    {
        _S1 = (id_0.y) >= (Constants_0.window_0.y);
    }
    if(_S1)
    {
        return;
    }
    var _S2 : vec2<u32> = id_0.xy;
    var f_0 : vec2<u32> = Constants_0.from_origin_0 + _S2;
    var t_0 : vec2<u32> = Constants_0.to_origin_0 + _S2;
    var _S3 : u32 = f_0.y * Constants_0.from_size_0.x + f_0.x;
    var _S4 : u32 = t_0.y * Constants_0.to_size_0.x + t_0.x;
    var c_0 : u32 = u32(0);
    for(;;)
    {
        if(c_0 < u32(3))
        {
        }
        else
        {
            break;
        }
        to_0[_S4 + c_0 * Constants_0.to_size_0.x * Constants_0.to_size_0.y] = from_0[_S3 + c_0 * Constants_0.from_size_0.x * Constants_0.from_size_0.y];
        c_0 = c_0 + u32(1);
    }
    return;
}

