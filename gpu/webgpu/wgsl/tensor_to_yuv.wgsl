// tensor_to_yuv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// d107c6e5a2b6eca3c272fb44d48e8ef5 cbde5cd7e75fef576ea47cee4c414393
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

@binding(0) @group(1) var<storage, read_write> luma_0 : array<atomic<u32>>;

@binding(1) @group(1) var<storage, read_write> blue_0 : array<atomic<u32>>;

@binding(2) @group(1) var<storage, read_write> red_0 : array<atomic<u32>>;

@binding(3) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@id(0) override PLANAR_0 : i32 = i32(0);

@id(1) override FULL_X_0 : i32 = i32(0);

@id(4) override FLOATING_0 : i32 = i32(0);

@id(3) override TRANSFER_0 : i32 = i32(0);

@id(5) override PACKED_0 : i32 = i32(0);

@id(2) override FULL_Y_0 : i32 = i32(0);

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

fn painted_at_0( at_1 : vec2<u32>,  corner_0 : vec2<i32>) -> vec3<f32>
{
    return load_painted_0(at_1);
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

fn load_fine_0( at_2 : vec2<u32>) -> f32
{
    var v_2 : f32;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_2 = fine_0[at_2.y * Constants_0.size_0.x + at_2.x];
    }
    else
    {
        v_2 = 0.0f;
    }
    return v_2;
}

fn load_source_0( at_3 : vec2<u32>) -> vec3<f32>
{
    var _S6 : vec3<f32> = vec3<f32>(0.0f);
    var v_3 : vec3<f32>;
    if((Constants_0.shows_source_0) > 0.5f)
    {
        var plane_0 : u32 = Constants_0.source_size_0.x * Constants_0.source_size_0.y;
        var i_0 : u32 = at_3.y * Constants_0.source_size_0.x + at_3.x;
        v_3 = vec3<f32>(source_0[i_0], source_0[i_0 + plane_0], source_0[i_0 + u32(2) * plane_0]);
    }
    else
    {
        v_3 = _S6;
    }
    return v_3;
}

fn luma_of_0( v_4 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_4.x + 0.71520000696182251f * v_4.y + 0.07220000028610229f * v_4.z;
}

fn srgb_to_linear_0( v_5 : f32) -> f32
{
    var _S7 : f32;
    if(v_5 <= 0.04044999927282333f)
    {
        _S7 = v_5 / 12.92000007629394531f;
    }
    else
    {
        _S7 = pow((max(v_5, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S7;
}

fn hable_curve_0( x_0 : f32) -> f32
{
    var _S8 : f32 = 0.15000000596046448f * x_0;
    return (x_0 * (_S8 + 0.05000000074505806f) + 0.00400000018998981f) / (x_0 * (_S8 + 0.5f) + 0.05999999865889549f) - 0.06666666269302368f;
}

fn linear_to_srgb_0( v_6 : f32) -> f32
{
    var _S9 : f32;
    if(v_6 <= 0.00313080498017371f)
    {
        _S9 = v_6 * 12.92000007629394531f;
    }
    else
    {
        _S9 = 1.0549999475479126f * pow(max(v_6, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S9;
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

fn look_0( styled_0 : vec3<f32>,  luma_1 : f32,  original_0 : vec3<f32>,  column_0 : u32) -> vec3<f32>
{
    var shown_0 : vec3<f32>;
    if(column_0 >= (Constants_0.split_column_0))
    {
        var shown_1 : vec3<f32> = saturate(styled_0 + vec3<f32>((Constants_0.detail_0 * luma_1)));
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

fn srgb_to_linear_1( v_7 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(srgb_to_linear_0(v_7.x), srgb_to_linear_0(v_7.y), srgb_to_linear_0(v_7.z));
}

fn largest_of_0( v_8 : vec3<f32>) -> f32
{
    return max(max(v_8.x, v_8.y), v_8.z);
}

fn bt2446c_inverse_0( percent_0 : f32) -> f32
{
    var _S10 : f32;
    if(percent_0 < 58.5f)
    {
        _S10 = percent_0 / 0.83802002668380737f;
    }
    else
    {
        _S10 = (exp((percent_0 - 78.99439239501953125f) / 15.09967994689941406f) + 0.74203997850418091f) * 69.807403564453125f;
    }
    return _S10;
}

fn bent_0( share_0 : f32,  power_0 : f32,  toe_0 : f32) -> f32
{
    var _S11 : f32;
    if(share_0 < toe_0)
    {
        _S11 = share_0 * pow(toe_0, power_0 - 1.0f);
    }
    else
    {
        _S11 = pow(max(share_0, toe_0), power_0);
    }
    return _S11;
}

fn bent_1( shares_0 : vec3<f32>,  power_1 : f32,  toe_1 : f32) -> vec3<f32>
{
    return vec3<f32>(bent_0(shares_0.x, power_1, toe_1), bent_0(shares_0.y, power_1, toe_1), bent_0(shares_0.z, power_1, toe_1));
}

fn nits_to_pq_0( nits_0 : f32) -> f32
{
    var p_0 : f32 = pow(max(nits_0, 0.0f) / 10000.0f, 0.1593017578125f);
    return pow((0.8359375f + 18.8515625f * p_0) / (1.0f + 18.6875f * p_0), 78.84375f);
}

fn nits_to_pq_1( v_9 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(nits_to_pq_0(v_9.x), nits_to_pq_0(v_9.y), nits_to_pq_0(v_9.z));
}

fn weighted_0( row_1 : vec4<f32>,  v_10 : vec3<f32>) -> f32
{
    return dot(row_1.xyz, v_10);
}

fn scene_to_hlg_0( scene_0 : f32) -> f32
{
    var high_0 : f32 = 0.1788327693939209f * log(max(12.0f * scene_0, 1.0f) - 0.28466892242431641f) + 0.55991071462631226f;
    var _S12 : f32;
    if(scene_0 <= 0.0833333358168602f)
    {
        _S12 = sqrt(3.0f * max(scene_0, 0.0f));
    }
    else
    {
        _S12 = high_0;
    }
    return _S12;
}

fn scene_to_hlg_1( v_11 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(scene_to_hlg_0(v_11.x), scene_to_hlg_0(v_11.y), scene_to_hlg_0(v_11.z));
}

fn in_output_0( kept_0 : vec3<f32>) -> vec3<f32>
{
    if(TRANSFER_0 == i32(0))
    {
        return kept_0;
    }
    var painting_0 : vec3<f32> = srgb_to_linear_1(kept_0);
    var _S13 : f32 = max(largest_of_0(painting_0), 1.00000001335143196e-10f);
    var nits_1 : vec3<f32> = vec3<f32>(bt2446c_inverse_0(_S13 * Constants_0.kept_white_0)) * bent_1(vec3<f32>((1.0f / _S13)) * painting_0, Constants_0.saturation_0, pow(0.05000000074505806f, 1.0f / Constants_0.saturation_0));
    if(TRANSFER_0 == i32(1))
    {
        return saturate(nits_to_pq_1(nits_1));
    }
    var light_2 : vec3<f32> = vec3<f32>(Constants_0.luminance_0[i32(3)]) * nits_1;
    return saturate(scene_to_hlg_1(vec3<f32>(pow(max(weighted_0(Constants_0.luminance_0, light_2), 9.999999960041972e-13f), Constants_0.inverse_gamma_0)) * light_2));
}

fn bayer_index_0( x_1 : u32,  y_0 : u32) -> u32
{
    var m_0 : u32 = (x_1 ^ (y_0));
    return (((((((((((((m_0 & (u32(1)))) << (u32(5)))) | (((((y_0 & (u32(1)))) << (u32(4))))))) | (((((m_0 & (u32(2)))) << (u32(2))))))) | (((((y_0 & (u32(2)))) << (u32(1))))))) | (((((m_0 & (u32(4)))) >> (u32(1))))))) | (((((y_0 & (u32(4)))) >> (u32(2))))));
}

fn rounded_0( exact_0 : vec3<f32>,  at_4 : vec2<u32>) -> vec3<u32>
{
    var threshold_0 : f32;
    if((Constants_0.dither_0) > 0.5f)
    {
        threshold_0 = (f32(bayer_index_0(at_4.x, at_4.y)) + 0.5f) / 64.0f;
    }
    else
    {
        threshold_0 = 0.5f;
    }
    return vec3<u32>(clamp(floor(exact_0 + vec3<f32>(threshold_0)), vec3<f32>(0.0f), vec3<f32>(f32(Constants_0.top_0))));
}

fn half_bits_0( v_12 : vec3<f32>) -> vec3<u32>
{
    var bits_0 : vec3<u32> = (bitcast<vec3<u32>>((v_12)));
    var _S14 : vec3<u32> = vec3<u32>(u32(13));
    return select(((bits_0 + vec3<u32>(u32(4095)) + ((((bits_0 >> (_S14))) & (vec3<u32>(u32(1))))) - vec3<u32>(u32(939524096))) >> (_S14)), vec3<u32>(round(v_12 * vec3<f32>(exp2(24.0f)))), v_12 < vec3<f32>(exp2(-14.0f)));
}

fn samples_of_0( exact_1 : vec3<f32>,  at_5 : vec2<u32>) -> vec3<u32>
{
    if(FLOATING_0 == i32(0))
    {
        return ((rounded_0(exact_1, at_5)) << (vec3<u32>(Constants_0.shift_0)));
    }
    if(FLOATING_0 == i32(32))
    {
        return (bitcast<vec3<u32>>((saturate(exact_1))));
    }
    return half_bits_0(saturate(exact_1));
}

fn put_0( _S15 : u32,  _S16 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(luma_0[_S15]), _S16);
    }
    else
    {
        var _S17 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S17 = true;
        }
        else
        {
            _S17 = (Constants_0.top_0) > u32(255);
        }
        if(_S17)
        {
            var _S18 : u32 = atomicOr(&(luma_0[_S15 / u32(2)]), (_S16 << ((u32(16) * (_S15 % u32(2))))));
        }
        else
        {
            var _S19 : u32 = atomicOr(&(luma_0[_S15 / u32(4)]), (_S16 << ((u32(8) * (_S15 % u32(4))))));
        }
    }
    return;
}

fn put_luma_0( exact_2 : vec3<f32>,  at_6 : vec2<u32>)
{
    put_0(at_6.y * Constants_0.size_0.x + at_6.x, samples_of_0(exact_2, at_6).x);
    return;
}

fn put_1( _S20 : u32,  _S21 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(blue_0[_S20]), _S21);
    }
    else
    {
        var _S22 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S22 = true;
        }
        else
        {
            _S22 = (Constants_0.top_0) > u32(255);
        }
        if(_S22)
        {
            var _S23 : u32 = atomicOr(&(blue_0[_S20 / u32(2)]), (_S21 << ((u32(16) * (_S20 % u32(2))))));
        }
        else
        {
            var _S24 : u32 = atomicOr(&(blue_0[_S20 / u32(4)]), (_S21 << ((u32(8) * (_S20 % u32(4))))));
        }
    }
    return;
}

fn put_2( _S25 : u32,  _S26 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(red_0[_S25]), _S26);
    }
    else
    {
        var _S27 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S27 = true;
        }
        else
        {
            _S27 = (Constants_0.top_0) > u32(255);
        }
        if(_S27)
        {
            var _S28 : u32 = atomicOr(&(red_0[_S25 / u32(2)]), (_S26 << ((u32(16) * (_S25 % u32(2))))));
        }
        else
        {
            var _S29 : u32 = atomicOr(&(red_0[_S25 / u32(4)]), (_S26 << ((u32(8) * (_S25 % u32(4))))));
        }
    }
    return;
}

fn put_chroma_0( exact_3 : vec3<f32>,  at_7 : vec2<u32>)
{
    var _S30 : u32 = at_7.y;
    var _S31 : u32 = (Constants_0.size_0.x + u32(i32(2) - FULL_X_0) - u32(1)) / u32(i32(2) - FULL_X_0);
    var i_1 : u32 = _S30 * _S31 + at_7.x;
    var made_0 : vec3<u32> = samples_of_0(exact_3, at_7);
    if(PLANAR_0 == i32(1))
    {
        put_1(i_1, made_0.y);
        put_2(i_1, made_0.z);
    }
    else
    {
        var _S32 : u32 = u32(2) * i_1;
        put_1(_S32, made_0.y);
        put_1(_S32 + u32(1), made_0.z);
    }
    return;
}

fn make_samples_0( id_0 : vec2<u32>,  corner_1 : vec2<i32>)
{
    var first_0 : vec2<i32> = vec2<i32>(i32(2) - FULL_X_0, i32(2) - FULL_Y_0) * vec2<i32>(id_0);
    var _S33 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.size_0) - _S33;
    var _S34 : i32 = last_0.x;
    var bad_0 : bool;
    if((first_0.x) > _S34)
    {
        bad_0 = true;
    }
    else
    {
        bad_0 = (first_0.y) > (last_0.y);
    }
    if(bad_0)
    {
        return;
    }
    var v_13 : vec4<f32> = vec4<f32>(0.0f, 0.0f, 0.0f, 1.0f);
    bad_0 = false;
    var j_0 : i32 = i32(0);
    for(;;)
    {
        if(j_0 < i32(4))
        {
        }
        else
        {
            break;
        }
        var bad_1 : bool = bad_0;
        var i_2 : i32 = i32(0);
        for(;;)
        {
            if(i_2 < i32(4))
            {
            }
            else
            {
                break;
            }
            var weight_0 : f32 = Constants_0.taps_x_0[i_2] * Constants_0.taps_y_0[j_0];
            var _S35 : bool;
            if(i_2 >= i32(1))
            {
                _S35 = i_2 <= (i32(2) - FULL_X_0);
            }
            else
            {
                _S35 = false;
            }
            var _S36 : bool;
            if(_S35)
            {
                _S36 = j_0 >= i32(1);
            }
            else
            {
                _S36 = false;
            }
            var own_0 : bool;
            if(_S36)
            {
                own_0 = j_0 <= (i32(2) - FULL_Y_0);
            }
            else
            {
                own_0 = false;
            }
            var _S37 : bool;
            if(weight_0 != 0.0f)
            {
                _S37 = true;
            }
            else
            {
                _S37 = own_0;
            }
            if(_S37)
            {
                var place_0 : vec2<i32> = first_0 + vec2<i32>(i_2, j_0) - _S33;
                var _S38 : vec2<u32> = vec2<u32>(clamp(place_0, vec2<i32>(i32(0)), last_0));
                var styled_1 : vec3<f32> = painted_at_0(_S38, corner_1);
                var shown_2 : vec3<f32> = in_output_0(look_0(cleaned_0(styled_1), load_fine_0(_S38), load_source_0(_S38), _S38.x));
                var _S39 : vec3<f32> = v_13.xyz + vec3<f32>(weight_0) * shown_2;
                v_13.x = _S39.x;
                v_13.y = _S39.y;
                v_13.z = _S39.z;
                var _S40 : bool;
                if(bad_1)
                {
                    _S40 = true;
                }
                else
                {
                    _S40 = (any((not_finite_parts_0(styled_1))));
                }
                var _S41 : bool;
                if(own_0)
                {
                    _S41 = (place_0.x) <= _S34;
                }
                else
                {
                    _S41 = false;
                }
                var _S42 : bool;
                if(_S41)
                {
                    _S42 = (place_0.y) <= (last_0.y);
                }
                else
                {
                    _S42 = false;
                }
                if(_S42)
                {
                    put_luma_0(vec3<f32>(dot(Constants_0.codes_0[i32(0)], vec4<f32>(shown_2, 1.0f))), _S38);
                }
                bad_1 = _S40;
            }
            i_2 = i_2 + i32(1);
        }
        var _S43 : i32 = j_0 + i32(1);
        bad_0 = bad_1;
        j_0 = _S43;
    }
    put_chroma_0(vec3<f32>(0.0f, dot(Constants_0.codes_0[i32(1)], v_13), dot(Constants_0.codes_0[i32(2)], v_13)), id_0);
    if(bad_0)
    {
        not_finite_0[i32(0)] = u32(1);
    }
    return;
}

@compute
@workgroup_size(16, 8, 1)
fn main(@builtin(global_invocation_id) id_1 : vec3<u32>)
{
    make_samples_0(id_1.xy, vec2<i32>(i32(0), i32(0)));
    return;
}

