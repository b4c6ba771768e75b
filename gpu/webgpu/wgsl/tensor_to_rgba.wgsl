// tensor_to_rgba.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// c8996bb73506ac269d7aa923baa10d54 562a6bcfedff4f6bb2787f2d08540601
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

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(2) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> source_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> picture_0 : array<u32>;

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

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

fn painted_between_0( a_0 : vec2<u32>,  b_0 : vec2<u32>,  w_0 : vec2<f32>) -> vec3<f32>
{
    var p_0 : vec3<f32> = load_painted_0(a_0);
    var q_0 : vec3<f32> = load_painted_0(vec2<u32>(b_0.x, a_0.y));
    var r_0 : vec3<f32> = load_painted_0(vec2<u32>(a_0.x, b_0.y));
    var s_0 : vec3<f32> = load_painted_0(b_0);
    if((any((not_finite_parts_0(p_0)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var _S6 : vec3<f32> = vec3<f32>(w_0.x);
    return mix(mix(cleaned_0(p_0), cleaned_0(q_0), _S6), mix(cleaned_0(r_0), cleaned_0(s_0), _S6), vec3<f32>(w_0.y));
}

fn load_fine_0( at_1 : vec2<u32>) -> f32
{
    var v_2 : f32;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_2 = fine_0[at_1.y * Constants_0.size_0.x + at_1.x];
    }
    else
    {
        v_2 = 0.0f;
    }
    return v_2;
}

fn fine_between_0( a_1 : vec2<u32>,  b_1 : vec2<u32>,  w_1 : vec2<f32>) -> f32
{
    var _S7 : f32 = w_1.x;
    return mix(mix(load_fine_0(a_1), load_fine_0(vec2<u32>(b_1.x, a_1.y)), _S7), mix(load_fine_0(vec2<u32>(a_1.x, b_1.y)), load_fine_0(b_1), _S7), w_1.y);
}

fn load_source_0( at_2 : vec2<u32>) -> vec3<f32>
{
    var _S8 : vec3<f32> = vec3<f32>(0.0f);
    var v_3 : vec3<f32>;
    if((Constants_0.shows_source_0) > 0.5f)
    {
        var plane_0 : u32 = Constants_0.source_size_0.x * Constants_0.source_size_0.y;
        var i_0 : u32 = at_2.y * Constants_0.source_size_0.x + at_2.x;
        v_3 = vec3<f32>(source_0[i_0], source_0[i_0 + plane_0], source_0[i_0 + u32(2) * plane_0]);
    }
    else
    {
        v_3 = _S8;
    }
    return v_3;
}

fn source_between_0( a_2 : vec2<u32>,  b_2 : vec2<u32>,  w_2 : vec2<f32>) -> vec3<f32>
{
    var _S9 : vec3<f32> = vec3<f32>(w_2.x);
    return mix(mix(load_source_0(a_2), load_source_0(vec2<u32>(b_2.x, a_2.y)), _S9), mix(load_source_0(vec2<u32>(a_2.x, b_2.y)), load_source_0(b_2), _S9), vec3<f32>(w_2.y));
}

fn luma_of_0( v_4 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_4.x + 0.71520000696182251f * v_4.y + 0.07220000028610229f * v_4.z;
}

fn srgb_to_linear_0( v_5 : f32) -> f32
{
    var _S10 : f32;
    if(v_5 <= 0.04044999927282333f)
    {
        _S10 = v_5 / 12.92000007629394531f;
    }
    else
    {
        _S10 = pow((max(v_5, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S10;
}

fn hable_curve_0( x_0 : f32) -> f32
{
    var _S11 : f32 = 0.15000000596046448f * x_0;
    return (x_0 * (_S11 + 0.05000000074505806f) + 0.00400000018998981f) / (x_0 * (_S11 + 0.5f) + 0.05999999865889549f) - 0.06666666269302368f;
}

fn linear_to_srgb_0( v_6 : f32) -> f32
{
    var _S12 : f32;
    if(v_6 <= 0.00313080498017371f)
    {
        _S12 = v_6 * 12.92000007629394531f;
    }
    else
    {
        _S12 = 1.0549999475479126f * pow(max(v_6, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S12;
}

fn exposed_0( encoded_0 : f32) -> f32
{
    var light_0 : f32 = srgb_to_linear_0(encoded_0) * Constants_0.gain_0;
    var light_1 : f32;
    if((Constants_0.curve_0) < 1.5f)
    {
        light_1 = min(light_0, 1.0f);
    }
    else
    {
        if((Constants_0.curve_0) < 2.5f)
        {
            light_1 = light_0 * (1.0f + light_0 / (Constants_0.curve_peak_0 * Constants_0.curve_peak_0)) / (1.0f + light_0);
        }
        else
        {
            light_1 = hable_curve_0(light_0) * Constants_0.curve_scale_0;
        }
    }
    return linear_to_srgb_0(light_1);
}

fn look_0( styled_0 : vec3<f32>,  luma_0 : f32,  original_0 : vec3<f32>,  column_0 : u32) -> vec3<f32>
{
    var shown_0 : vec3<f32>;
    if(column_0 >= (Constants_0.split_column_0))
    {
        var shown_1 : vec3<f32> = saturate(styled_0 + vec3<f32>((Constants_0.detail_0 * luma_0)));
        if((Constants_0.strength_0) < 1.0f)
        {
            shown_0 = original_0 + vec3<f32>(Constants_0.strength_0) * (shown_1 - original_0);
        }
        else
        {
            shown_0 = shown_1;
        }
        if((Constants_0.keep_colours_0) > 0.5f)
        {
            shown_0 = saturate(original_0 + vec3<f32>(luma_of_0(shown_0 - original_0)));
        }
        if((Constants_0.colourfulness_0) != 1.0f)
        {
            shown_0 = saturate(vec3<f32>(Constants_0.colourfulness_0) * shown_0 + vec3<f32>(((1.0f - Constants_0.colourfulness_0) * luma_of_0(shown_0))));
        }
        if((Constants_0.curve_0) > 0.5f)
        {
            shown_0 = vec3<f32>(exposed_0(shown_0.x), exposed_0(shown_0.y), exposed_0(shown_0.z));
        }
    }
    else
    {
        shown_0 = original_0;
    }
    return shown_0;
}

fn affine_0( row_1 : vec4<f32>,  v_7 : vec3<f32>) -> f32
{
    return dot(row_1, vec4<f32>(v_7, 1.0f));
}

fn to_codes_0( rgb_0 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(affine_0(Constants_0.codes_0[i32(0)], rgb_0), affine_0(Constants_0.codes_0[i32(1)], rgb_0), affine_0(Constants_0.codes_0[i32(2)], rgb_0));
}

fn bayer_index_0( x_1 : u32,  y_0 : u32) -> u32
{
    var m_0 : u32 = (x_1 ^ (y_0));
    return (((((((((((((m_0 & (u32(1)))) << (u32(5)))) | (((((y_0 & (u32(1)))) << (u32(4))))))) | (((((m_0 & (u32(2)))) << (u32(2))))))) | (((((y_0 & (u32(2)))) << (u32(1))))))) | (((((m_0 & (u32(4)))) >> (u32(1))))))) | (((((y_0 & (u32(4)))) >> (u32(2))))));
}

fn rounded_0( exact_0 : vec3<f32>,  at_3 : vec2<u32>) -> vec3<u32>
{
    var threshold_0 : f32;
    if((Constants_0.dither_0) > 0.5f)
    {
        threshold_0 = (f32(bayer_index_0(at_3.x, at_3.y)) + 0.5f) / 64.0f;
    }
    else
    {
        threshold_0 = 0.5f;
    }
    return vec3<u32>(clamp(floor(exact_0 + vec3<f32>(threshold_0)), vec3<f32>(0.0f), vec3<f32>(f32(Constants_0.top_0))));
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S13 : u32 = id_0.x;
    var right_0 : bool;
    if(_S13 >= (Constants_0.output_size_0.x))
    {
        right_0 = true;
    }
    else
    {
        right_0 = (id_0.y) >= (Constants_0.output_size_0.y);
    }
    if(right_0)
    {
        return;
    }
    var _S14 : vec2<u32> = id_0.xy;
    var at_4 : vec2<u32> = _S14;
    if((Constants_0.pane_0) > u32(0))
    {
        right_0 = (at_4.x) >= (Constants_0.pane_0);
    }
    else
    {
        right_0 = false;
    }
    if(right_0)
    {
        at_4[i32(0)] = at_4[i32(0)] - Constants_0.pane_0;
    }
    var _S15 : vec2<f32> = vec2<f32>(0.5f);
    var away_0 : vec2<f32> = vec2<f32>(at_4) + _S15 - Constants_0.loupe_0;
    var gap_0 : f32 = length(away_0);
    var _S16 : vec2<f32> = vec2<f32>(at_4) - Constants_0.origin_0;
    var inside_0 : vec2<f32>;
    if(gap_0 < (Constants_0.loupe_radius_0))
    {
        inside_0 = Constants_0.loupe_0 - Constants_0.origin_0 + away_0 * vec2<f32>(Constants_0.loupe_scale_0) - _S15;
    }
    else
    {
        inside_0 = _S16;
    }
    var _S17 : vec3<f32> = vec3<f32>(0.0f);
    var _S18 : bool;
    if((Constants_0.pane_0) == u32(0))
    {
        _S18 = true;
    }
    else
    {
        _S18 = (at_4.x) < (Constants_0.pane_0);
    }
    if(_S18)
    {
        _S18 = (inside_0.x) >= 0.0f;
    }
    else
    {
        _S18 = false;
    }
    if(_S18)
    {
        _S18 = (inside_0.y) >= 0.0f;
    }
    else
    {
        _S18 = false;
    }
    if(_S18)
    {
        _S18 = (inside_0.x) < f32(Constants_0.shown_size_0.x);
    }
    else
    {
        _S18 = false;
    }
    if(_S18)
    {
        _S18 = (inside_0.y) < f32(Constants_0.shown_size_0.y);
    }
    else
    {
        _S18 = false;
    }
    var rgb_1 : vec3<f32>;
    if(_S18)
    {
        var place_0 : vec3<f32> = vec3<f32>(inside_0 + _S15, 1.0f);
        var _S19 : f32 = dot(Constants_0.turn_0[i32(0)].xyz, place_0);
        var position_0 : vec2<f32> = vec2<f32>(_S19, dot(Constants_0.turn_0[i32(1)].xyz, place_0)) - _S15;
        var low_0 : vec2<f32> = floor(position_0);
        var _S20 : vec2<i32> = vec2<i32>(i32(1));
        var last_0 : vec2<i32> = vec2<i32>(Constants_0.size_0) - _S20;
        var _S21 : vec2<i32> = vec2<i32>(low_0);
        var _S22 : vec2<i32> = vec2<i32>(i32(0));
        var _S23 : vec2<u32> = vec2<u32>(clamp(_S21, _S22, last_0));
        var _S24 : vec2<u32> = vec2<u32>(clamp(_S21 + _S20, _S22, last_0));
        var w_3 : vec2<f32> = position_0 - low_0;
        var w_4 : vec2<f32>;
        if((Constants_0.smooth_0) < 0.5f)
        {
            w_4 = floor(w_3 + _S15);
        }
        else
        {
            w_4 = w_3;
        }
        var column_1 : u32;
        if((Constants_0.pane_0) == u32(0))
        {
            column_1 = u32(_S19);
        }
        else
        {
            if(right_0)
            {
                column_1 = Constants_0.size_0.x;
            }
            else
            {
                column_1 = u32(0);
            }
        }
        var _S25 : vec3<f32> = painted_between_0(_S23, _S24, w_4);
        var _S26 : vec3<f32> = look_0(_S25, fine_between_0(_S23, _S24, w_4), source_between_0(_S23, _S24, w_4), column_1);
        if((abs(_S19 - f32(Constants_0.split_column_0))) < (Constants_0.divider_0 * length(Constants_0.turn_0[i32(0)].xy)))
        {
            rgb_1 = vec3<f32>(0.92000001668930054f, 0.92000001668930054f, 0.92000001668930054f);
        }
        else
        {
            rgb_1 = _S26;
        }
    }
    else
    {
        rgb_1 = _S17;
    }
    if((abs(gap_0 - Constants_0.loupe_radius_0)) < 1.0f)
    {
        right_0 = (Constants_0.loupe_radius_0) > 0.0f;
    }
    else
    {
        right_0 = false;
    }
    if(right_0)
    {
        rgb_1 = vec3<f32>(0.92000001668930054f, 0.92000001668930054f, 0.92000001668930054f);
    }
    var made_0 : vec3<u32> = rounded_0(to_codes_0(rgb_1), _S14);
    var _S27 : i32;
    if((Constants_0.top_0) > u32(255))
    {
        _S27 = i32(10);
    }
    else
    {
        _S27 = i32(8);
    }
    var bits_0 : u32 = u32(_S27);
    picture_0[id_0.y * Constants_0.output_size_0.x + _S13] = ((((((made_0.x) | ((((made_0.y) << (bits_0)))))) | ((((made_0.z) << ((u32(2) * bits_0))))))) | ((((Constants_0.top_0) << ((u32(3) * bits_0))))));
    return;
}

