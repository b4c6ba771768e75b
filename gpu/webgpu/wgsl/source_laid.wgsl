// source_laid.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// e0c90a639f39d62592a35f678872f5c4 710bba258b173f12c591084f090403ec
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) bare_0 : vec4<f32>,
    @align(16) front_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(1) @group(0) var<storage, read> noise_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<f32>;

@binding(0) @group(0) var<storage, read> source_0 : array<f32>;

fn wash_at_0( front_1 : f32,  x_0 : f32,  y_0 : f32) -> f32
{
    var _S1 : f32 = x_0 * 24.0f;
    var wave_0 : i32 = i32(_S1);
    var from_0 : f32 = noise_0[wave_0];
    var down_0 : f32 = 9.0f * y_0 + 0.30000001192092896f * (from_0 + (_S1 - f32(wave_0)) * (noise_0[wave_0 + i32(1)] - from_0) - 0.5f);
    var _S2 : f32 = min(max(floor(down_0), 0.0f), 8.0f);
    var hair_0 : f32 = noise_0[i32(floor((down_0 + 8.0f) * 40.0f))];
    var along_0 : f32;
    if(((i32(_S2) & (i32(1)))) != i32(0))
    {
        along_0 = 1.0f - x_0;
    }
    else
    {
        along_0 = x_0;
    }
    var opacity_0 : f32 = saturate((front_1 * 1.008888840675354f - (_S2 + 0.75f * along_0 + 0.25f * hair_0) / 9.0f) * 112.5f);
    return opacity_0 * opacity_0 * (3.0f - 2.0f * opacity_0);
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S3 : u32 = id_0.x;
    var _S4 : bool;
    if(_S3 >= (Constants_0.size_0.x))
    {
        _S4 = true;
    }
    else
    {
        _S4 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S4)
    {
        return;
    }
    var place_0 : vec2<f32> = (vec2<f32>(id_0.xy) + vec2<f32>(0.5f)) / vec2<f32>(Constants_0.size_0);
    var _S5 : f32 = wash_at_0(Constants_0.front_0, place_0.x, place_0.y);
    var _S6 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var _S7 : u32 = id_0.y * Constants_0.padded_0.x + _S3;
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
        var _S8 : u32 = _S7 + c_0 * _S6;
        made_0[_S8] = Constants_0.bare_0[c_0] + _S5 * (source_0[_S8] - Constants_0.bare_0[c_0]);
        c_0 = c_0 + u32(1);
    }
    return;
}

