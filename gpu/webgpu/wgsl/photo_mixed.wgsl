// photo_mixed.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 563aac95408a5639ddc7040cf30c46a1 c7b02668a38eb4653fb830e44ec26c85
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
@binding(0) @group(0) var<storage, read> painted_0 : array<f32>;

@binding(2) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> source_0 : array<f32>;

@binding(3) @group(0) var share_0 : texture_2d<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<f32>;

fn load_painted_0( at_0 : vec2<u32>) -> vec3<f32>
{
    var plane_0 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    var i_0 : u32 = at_0.y * Constants_0.painted_size_0.x + at_0.x;
    return vec3<f32>(painted_0[i_0], painted_0[i_0 + plane_0], painted_0[i_0 + u32(2) * plane_0]);
}

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
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
    var _S2 : vec3<f32> = vec3<f32>(0.0f);
    var v_2 : vec3<f32>;
    if((Constants_0.shows_source_0) > 0.5f)
    {
        var plane_1 : u32 = Constants_0.source_size_0.x * Constants_0.source_size_0.y;
        var i_1 : u32 = at_2.y * Constants_0.source_size_0.x + at_2.x;
        v_2 = vec3<f32>(source_0[i_1], source_0[i_1 + plane_1], source_0[i_1 + u32(2) * plane_1]);
    }
    else
    {
        v_2 = _S2;
    }
    return v_2;
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
    var _S5 : vec2<u32> = id_0.xy;
    var styled_0 : vec3<f32> = load_painted_0(_S5);
    var shown_0 : vec3<f32>;
    if(!(any((not_finite_parts_0(styled_0)))))
    {
        var _S6 : vec3<i32> = vec3<i32>(vec2<i32>(_S5), i32(0));
        shown_0 = mix(saturate(saturate(styled_0) + vec3<f32>((Constants_0.detail_0 * load_fine_0(_S5)))), load_source_0(_S5), vec3<f32>((textureLoad((share_0), ((_S6)).xy, ((_S6)).z).x)));
    }
    else
    {
        shown_0 = styled_0;
    }
    var plane_2 : u32 = Constants_0.size_0.x * Constants_0.size_0.y;
    var i_2 : u32 = id_0.y * Constants_0.size_0.x + _S3;
    made_0[i_2] = shown_0.x;
    made_0[i_2 + plane_2] = shown_0.y;
    made_0[i_2 + u32(2) * plane_2] = shown_0.z;
    return;
}

