// film_mixed.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 1c95ab333ee30aca96a4f3afdf18bb32 c813537e18296ef5b84dcea2720499b4
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) output_0 : vec2<u32>,
    @align(8) styled_size_0 : vec2<u32>,
    @align(16) faces_0 : f32,
    @align(4) inside_0 : f32,
    @align(8) outside_0 : f32,
    @align(4) per_luma_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(1) @group(0) var<storage, read> film_0 : array<f32>;

@binding(2) @group(0) var share_0 : texture_2d<f32>;

@binding(0) @group(0) var<storage, read> styled_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<f32>;

fn film_at_0( at_0 : vec2<i32>) -> vec4<f32>
{
    var _S1 : vec2<u32> = vec2<u32>(clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1))));
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_0 : u32 = _S1.y * Constants_0.padded_0.x + _S1.x;
    var _S2 : vec3<i32> = vec3<i32>(vec2<i32>(_S1), i32(0));
    return vec4<f32>(film_0[i_0], film_0[i_0 + plane_0], film_0[i_0 + u32(2) * plane_0], (textureLoad((share_0), ((_S2)).xy, ((_S2)).z).x));
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S3 : u32 = id_0.x;
    var _S4 : bool;
    if(_S3 >= (Constants_0.output_0.x))
    {
        _S4 = true;
    }
    else
    {
        _S4 = (id_0.y) >= (Constants_0.output_0.y);
    }
    if(_S4)
    {
        return;
    }
    var _S5 : vec2<f32> = vec2<f32>(0.5f);
    var place_0 : vec2<f32> = (vec2<f32>(id_0.xy) + _S5) * vec2<f32>(Constants_0.size_0) / vec2<f32>(Constants_0.output_0) - _S5;
    var low_0 : vec2<f32> = floor(place_0);
    var between_0 : vec2<f32> = place_0 - low_0;
    var _S6 : vec2<i32> = vec2<i32>(low_0);
    var _S7 : vec4<f32> = vec4<f32>(between_0.x);
    var _S8 : vec4<f32> = mix(mix(film_at_0(_S6), film_at_0(_S6 + vec2<i32>(i32(1), i32(0))), _S7), mix(film_at_0(_S6 + vec2<i32>(i32(0), i32(1))), film_at_0(_S6 + vec2<i32>(i32(1), i32(1))), _S7), vec4<f32>(between_0.y));
    var _S9 : u32 = Constants_0.styled_size_0.x * Constants_0.styled_size_0.y;
    var _S10 : u32 = id_0.y * Constants_0.styled_size_0.x + _S3;
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
        var _S11 : u32 = _S10 + c_0 * _S9;
        var own_0 : f32 = styled_0[_S11];
        made_0[_S11] = own_0 + _S8.w * (_S8[c_0] - own_0);
        c_0 = c_0 + u32(1);
    }
    return;
}

