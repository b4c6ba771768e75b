// photo_mixed.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 822a6ade3a8b6bd9879cfe3df2e3b67d e44d83d4bdffc32bce88598b398bc567
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) source_size_0 : vec2<u32>,
    @align(8) strength_0 : f32,
    @align(4) keep_colours_0 : f32,
    @align(16) gain_0 : f32,
    @align(4) curve_0 : f32,
    @align(8) curve_peak_0 : f32,
    @align(4) curve_scale_0 : f32,
    @align(16) split_column_0 : u32,
    @align(4) dither_0 : f32,
    @align(8) shows_source_0 : f32,
    @align(4) top_0 : u32,
    @align(16) codes_0 : array<vec4<f32>, i32(3)>,
    @align(16) output_size_0 : vec2<u32>,
    @align(8) shift_0 : u32,
    @align(4) divider_0 : f32,
    @align(16) taps_x_0 : vec4<f32>,
    @align(16) taps_y_0 : vec4<f32>,
    @align(16) origin_0 : vec2<f32>,
    @align(8) shown_size_0 : vec2<u32>,
    @align(16) turn_0 : array<vec4<f32>, i32(2)>,
    @align(16) loupe_0 : vec2<f32>,
    @align(8) loupe_radius_0 : f32,
    @align(4) loupe_scale_0 : f32,
    @align(16) pane_0 : u32,
    @align(4) smooth_0 : f32,
    @align(8) detail_0 : f32,
    @align(4) kept_white_0 : f32,
    @align(16) saturation_0 : f32,
    @align(16) luminance_0 : vec4<f32>,
    @align(16) inverse_gamma_0 : f32,
    @align(4) colourfulness_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> painted_0 : array<u32>;

@binding(2) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> source_0 : array<f32>;

@binding(3) @group(0) var share_0 : texture_2d<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<f32>;

@id(0) override PACKED_0 : i32 = i32(0);

fn painting_number_0( _S1 : vec2<u32>,  _S2 : u32,  _S3 : vec2<u32>) -> f32
{
    var row_0 : u32 = _S2 * _S3.y + _S1.y;
    if(PACKED_0 == i32(0))
    {
        return (bitcast<f32>((painted_0[row_0 * _S3.x + _S1.x])));
    }
    var _S4 : u32 = _S1.x;
    return f32((((painted_0[row_0 * ((_S3.x + u32(1)) / u32(2)) + _S4 / u32(2)] >> ((u32(16) * (_S4 % u32(2)))))) & (u32(65535)))) / 65535.0f;
}

fn load_painted_0( at_0 : vec2<u32>) -> vec3<f32>
{
    return vec3<f32>(painting_number_0(at_0, u32(0), Constants_0.painted_size_0), painting_number_0(at_0, u32(1), Constants_0.painted_size_0), painting_number_0(at_0, u32(2), Constants_0.painted_size_0));
}

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S5 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S5))) == _S5;
}

fn load_fine_0( at_1 : vec2<u32>) -> f32
{
    var v_1 : f32;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_1 = fine_0[at_1.y * Constants_0.size_0.x + at_1.x];
    }
    else
    {
        v_1 = 0.0f;
    }
    return v_1;
}

fn load_source_0( at_2 : vec2<u32>) -> vec3<f32>
{
    var _S6 : vec3<f32> = vec3<f32>(0.0f);
    var v_2 : vec3<f32>;
    if((Constants_0.shows_source_0) > 0.5f)
    {
        var plane_0 : u32 = Constants_0.source_size_0.x * Constants_0.source_size_0.y;
        var i_0 : u32 = at_2.y * Constants_0.source_size_0.x + at_2.x;
        v_2 = vec3<f32>(source_0[i_0], source_0[i_0 + plane_0], source_0[i_0 + u32(2) * plane_0]);
    }
    else
    {
        v_2 = _S6;
    }
    return v_2;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S7 : u32 = id_0.x;
    var _S8 : bool;
    if(_S7 >= (Constants_0.size_0.x))
    {
        _S8 = true;
    }
    else
    {
        _S8 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S8)
    {
        return;
    }
    var _S9 : vec2<u32> = id_0.xy;
    var styled_0 : vec3<f32> = load_painted_0(_S9);
    var shown_0 : vec3<f32>;
    if(!(any((not_finite_parts_0(styled_0)))))
    {
        var _S10 : vec3<i32> = vec3<i32>(vec2<i32>(_S9), i32(0));
        shown_0 = mix(saturate(saturate(styled_0) + vec3<f32>((Constants_0.detail_0 * load_fine_0(_S9)))), load_source_0(_S9), vec3<f32>((textureLoad((share_0), ((_S10)).xy, ((_S10)).z).x)));
    }
    else
    {
        shown_0 = styled_0;
    }
    var plane_1 : u32 = Constants_0.size_0.x * Constants_0.size_0.y;
    var i_1 : u32 = id_0.y * Constants_0.size_0.x + _S7;
    made_0[i_1] = shown_0.x;
    made_0[i_1 + plane_1] = shown_0.y;
    made_0[i_1 + u32(2) * plane_1] = shown_0.z;
    return;
}

