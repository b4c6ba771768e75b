// planes_to_tensor.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// dba9eb6304278addf55bce555f8ea000 9f2f6288bc395aafb670248cb8ffac08
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) to_rgb_0 : array<vec4<f32>, i32(3)>,
    @align(16) to_bt709_0 : array<vec4<f32>, i32(3)>,
    @align(16) luminance_0 : vec4<f32>,
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) chroma_size_0 : vec2<u32>,
    @align(8) chroma_step_0 : vec2<f32>,
    @align(16) chroma_offset_0 : vec2<f32>,
    @align(8) peak_nits_0 : f32,
    @align(4) hable_0 : f32,
    @align(16) eetf_0 : vec4<f32>,
    @align(16) hable_ends_0 : vec4<f32>,
    @align(16) taps_0 : u32,
    @align(4) kept_scale_0 : f32,
    @align(8) saturation_0 : f32,
    @align(4) rolls_from_0 : f32,
    @align(16) roll_rate_0 : f32,
    @align(4) taps_rows_0 : u32,
    @align(8) made_0 : vec2<u32>,
    @align(16) top_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(4) @group(0) var<storage, read> rows_0 : array<f32>;

@binding(3) @group(0) var<storage, read> columns_0 : array<f32>;

@binding(0) @group(0) var<storage, read> plane0_0 : array<u32>;

@binding(2) @group(0) var<storage, read> plane2_0 : array<u32>;

@binding(1) @group(0) var<storage, read> plane1_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> tensor_0 : array<f32>;

@id(3) override KEPT_0 : i32 = i32(0);

@id(1) override TRANSFER_0 : i32 = i32(0);

@id(0) override LAYOUT_0 : i32 = i32(0);

@id(5) override BITS_0 : i32 = i32(0);

@id(4) override FLOATING_0 : i32 = i32(0);

@id(2) override RESIZED_0 : i32 = i32(0);

var<workgroup> near_rows_0 : array<vec3<f32>, i32(256)>;

fn number_0( bits_0 : u32) -> f32
{
    var v_0 : f32;
    if(FLOATING_0 == i32(0))
    {
        var _S1 : f32 = f32(bits_0);
        if(BITS_0 == i32(8))
        {
            v_0 = 255.0f;
        }
        else
        {
            v_0 = 65535.0f;
        }
        return _S1 / v_0;
    }
    if(FLOATING_0 == i32(16))
    {
        v_0 = (unpack2x16float((bits_0)).x);
    }
    else
    {
        v_0 = (bitcast<f32>((bits_0)));
    }
    if((((bitcast<u32>((v_0))) & (u32(2147483647)))) > u32(2139095040))
    {
        v_0 = 0.0f;
    }
    else
    {
        v_0 = saturate(v_0);
    }
    return v_0;
}

fn sample_0( _S2 : u32) -> f32
{
    if(BITS_0 == i32(8))
    {
        return number_0((((plane1_0[_S2 / u32(4)] >> ((u32(8) * (_S2 % u32(4)))))) & (u32(255))));
    }
    if(BITS_0 == i32(16))
    {
        return number_0((((plane1_0[_S2 / u32(2)] >> ((u32(16) * (_S2 % u32(2)))))) & (u32(65535))));
    }
    return number_0(plane1_0[_S2]);
}

fn between_0( _S3 : u32,  _S4 : u32,  _S5 : vec2<u32>,  _S6 : vec2<u32>,  _S7 : vec2<f32>) -> f32
{
    var above_0 : u32 = _S5.y * Constants_0.chroma_size_0.x;
    var below_0 : u32 = _S6.y * Constants_0.chroma_size_0.x;
    var _S8 : u32 = _S5.x;
    var _S9 : u32 = _S6.x;
    var _S10 : f32 = _S7.x;
    return mix(mix(sample_0(_S3 * (above_0 + _S8) + _S4), sample_0(_S3 * (above_0 + _S9) + _S4), _S10), mix(sample_0(_S3 * (below_0 + _S8) + _S4), sample_0(_S3 * (below_0 + _S9) + _S4), _S10), _S7.y);
}

fn sample_1( _S11 : u32) -> f32
{
    if(BITS_0 == i32(8))
    {
        return number_0((((plane2_0[_S11 / u32(4)] >> ((u32(8) * (_S11 % u32(4)))))) & (u32(255))));
    }
    if(BITS_0 == i32(16))
    {
        return number_0((((plane2_0[_S11 / u32(2)] >> ((u32(16) * (_S11 % u32(2)))))) & (u32(65535))));
    }
    return number_0(plane2_0[_S11]);
}

fn between_1( _S12 : u32,  _S13 : u32,  _S14 : vec2<u32>,  _S15 : vec2<u32>,  _S16 : vec2<f32>) -> f32
{
    var above_1 : u32 = _S14.y * Constants_0.chroma_size_0.x;
    var below_1 : u32 = _S15.y * Constants_0.chroma_size_0.x;
    var _S17 : u32 = _S14.x;
    var _S18 : u32 = _S15.x;
    var _S19 : f32 = _S16.x;
    return mix(mix(sample_1(_S12 * (above_1 + _S17) + _S13), sample_1(_S12 * (above_1 + _S18) + _S13), _S19), mix(sample_1(_S12 * (below_1 + _S17) + _S13), sample_1(_S12 * (below_1 + _S18) + _S13), _S19), _S16.y);
}

fn chroma_at_0( at_0 : vec2<u32>) -> vec2<f32>
{
    var position_0 : vec2<f32> = vec2<f32>(at_0) * Constants_0.chroma_step_0 + Constants_0.chroma_offset_0;
    var low_0 : vec2<f32> = floor(position_0);
    var w_0 : vec2<f32> = position_0 - low_0;
    var _S20 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.chroma_size_0) - _S20;
    var _S21 : vec2<i32> = vec2<i32>(low_0);
    const _S22 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S23 : vec2<u32> = vec2<u32>(clamp(_S21, _S22, last_0));
    var _S24 : vec2<u32> = vec2<u32>(clamp(_S21 + _S20, _S22, last_0));
    if(LAYOUT_0 == i32(1))
    {
        return vec2<f32>(between_0(u32(1), u32(0), _S23, _S24, w_0), between_1(u32(1), u32(0), _S23, _S24, w_0));
    }
    return vec2<f32>(between_0(u32(2), u32(0), _S23, _S24, w_0), between_0(u32(2), u32(1), _S23, _S24, w_0));
}

fn sample_2( _S25 : u32) -> f32
{
    if(BITS_0 == i32(8))
    {
        return number_0((((plane0_0[_S25 / u32(4)] >> ((u32(8) * (_S25 % u32(4)))))) & (u32(255))));
    }
    if(BITS_0 == i32(16))
    {
        return number_0((((plane0_0[_S25 / u32(2)] >> ((u32(16) * (_S25 % u32(2)))))) & (u32(65535))));
    }
    return number_0(plane0_0[_S25]);
}

fn samples_0( at_1 : vec2<u32>) -> vec3<f32>
{
    var i_0 : u32 = at_1.y * Constants_0.size_0.x + at_1.x;
    if(LAYOUT_0 == i32(0))
    {
        return vec3<f32>(sample_2(i_0), 0.0f, 0.0f);
    }
    if(LAYOUT_0 == i32(3))
    {
        return vec3<f32>(sample_1(i_0), sample_2(i_0), sample_0(i_0));
    }
    if(LAYOUT_0 == i32(4))
    {
        var _S26 : u32 = u32(4) * i_0;
        return vec3<f32>(sample_2(_S26), sample_2(_S26 + u32(1)), sample_2(_S26 + u32(2)));
    }
    return vec3<f32>(sample_2(i_0), chroma_at_0(at_1));
}

fn affine_0( row_0 : vec4<f32>,  v_1 : vec3<f32>) -> f32
{
    return dot(row_0, vec4<f32>(v_1, 1.0f));
}

fn pq_to_nits_0( v_2 : f32) -> f32
{
    var p_0 : f32 = pow(max(v_2, 0.0f), 0.01268331333994865f);
    return 10000.0f * pow(max(p_0 - 0.8359375f, 0.0f) / (18.8515625f - 18.6875f * p_0), 6.27739477157592773f);
}

fn pq_to_nits_1( v_3 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(pq_to_nits_0(v_3.x), pq_to_nits_0(v_3.y), pq_to_nits_0(v_3.z));
}

fn hlg_to_scene_0( v_4 : f32) -> f32
{
    var _S27 : f32;
    if(v_4 <= 0.5f)
    {
        _S27 = v_4 * v_4 / 3.0f;
    }
    else
    {
        _S27 = (exp((v_4 - 0.55991071462631226f) / 0.1788327693939209f) + 0.28466892242431641f) / 12.0f;
    }
    return _S27;
}

fn hlg_to_scene_1( v_5 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(hlg_to_scene_0(v_5.x), hlg_to_scene_0(v_5.y), hlg_to_scene_0(v_5.z));
}

fn weighted_0( row_1 : vec4<f32>,  v_6 : vec3<f32>) -> f32
{
    return dot(row_1.xyz, v_6);
}

fn to_nits_0( v_7 : vec3<f32>) -> vec3<f32>
{
    if(TRANSFER_0 == i32(1))
    {
        return pq_to_nits_1(v_7);
    }
    var scene_0 : vec3<f32> = hlg_to_scene_1(v_7);
    return vec3<f32>((Constants_0.hable_ends_0[i32(2)] * pow(max(weighted_0(Constants_0.luminance_0, scene_0), 9.999999960041972e-13f), Constants_0.hable_ends_0[i32(3)]))) * scene_0;
}

fn largest_of_0( v_8 : vec3<f32>) -> f32
{
    return max(max(v_8.x, v_8.y), v_8.z);
}

fn bt2446c_0( nits_0 : f32) -> f32
{
    var high_0 : f32 = 15.09967994689941406f * log(max(nits_0 * 0.01432512886822224f, 1.0f) - 0.74203997850418091f) + 78.99439239501953125f;
    var _S28 : f32;
    if(nits_0 < 69.807403564453125f)
    {
        _S28 = 0.83802002668380737f * nits_0;
    }
    else
    {
        _S28 = high_0;
    }
    return _S28;
}

fn bent_0( share_0 : f32,  power_0 : f32,  toe_0 : f32) -> f32
{
    var _S29 : f32;
    if(share_0 < toe_0)
    {
        _S29 = share_0 * pow(toe_0, power_0 - 1.0f);
    }
    else
    {
        _S29 = pow(max(share_0, toe_0), power_0);
    }
    return _S29;
}

fn bent_1( shares_0 : vec3<f32>,  power_1 : f32,  toe_1 : f32) -> vec3<f32>
{
    return vec3<f32>(bent_0(shares_0.x, power_1, toe_1), bent_0(shares_0.y, power_1, toe_1), bent_0(shares_0.z, power_1, toe_1));
}

fn linear_to_srgb_0( v_9 : f32) -> f32
{
    var _S30 : f32;
    if(v_9 <= 0.00313080498017371f)
    {
        _S30 = v_9 * 12.92000007629394531f;
    }
    else
    {
        _S30 = 1.0549999475479126f * pow(max(v_9, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S30;
}

fn linear_to_srgb_1( v_10 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(linear_to_srgb_0(v_10.x), linear_to_srgb_0(v_10.y), linear_to_srgb_0(v_10.z));
}

fn rolled_off_0( v_11 : vec3<f32>) -> vec3<f32>
{
    var largest_0 : f32 = largest_of_0(v_11);
    var above_2 : f32 = largest_0 - Constants_0.rolls_from_0;
    var _S31 : vec3<f32>;
    if(above_2 > 0.0f)
    {
        _S31 = vec3<f32>(((Constants_0.rolls_from_0 + above_2 / (1.0f + Constants_0.roll_rate_0 * above_2)) / largest_0)) * v_11;
    }
    else
    {
        _S31 = v_11;
    }
    return _S31;
}

fn hable_curve_0( x_0 : f32) -> f32
{
    var _S32 : f32 = 0.15000000596046448f * x_0;
    return (x_0 * (_S32 + 0.05000000074505806f) + 0.00400000018998981f) / (x_0 * (_S32 + 0.5f) + 0.05999999865889549f) - 0.06666666269302368f;
}

fn nits_to_pq_0( nits_1 : f32) -> f32
{
    var p_1 : f32 = pow(max(nits_1, 0.0f) / 10000.0f, 0.1593017578125f);
    return pow((0.8359375f + 18.8515625f * p_1) / (1.0f + 18.6875f * p_1), 78.84375f);
}

fn tone_map_0( luminance_nits_0 : f32) -> f32
{
    var _S33 : f32 = min(luminance_nits_0, Constants_0.peak_nits_0);
    if((Constants_0.hable_0) > 0.5f)
    {
        return hable_curve_0(_S33 / Constants_0.hable_ends_0[i32(0)]) * Constants_0.hable_ends_0[i32(1)];
    }
    var lowest_0 : f32 = Constants_0.eetf_0[i32(1)];
    var max_lum_0 : f32 = Constants_0.eetf_0[i32(2)];
    var knee_0 : f32 = Constants_0.eetf_0[i32(3)];
    var _S34 : f32 = Constants_0.eetf_0[i32(0)] - Constants_0.eetf_0[i32(1)];
    var _S35 : f32 = min((nits_to_pq_0(_S33) - Constants_0.eetf_0[i32(1)]) / _S34, 1.0f);
    var _S36 : bool;
    if(_S35 >= (Constants_0.eetf_0[i32(3)]))
    {
        _S36 = knee_0 < 1.0f;
    }
    else
    {
        _S36 = false;
    }
    var e_0 : f32;
    if(_S36)
    {
        var _S37 : f32 = 1.0f - knee_0;
        var t_0 : f32 = (_S35 - knee_0) / _S37;
        var t2_0 : f32 = t_0 * t_0;
        var t3_0 : f32 = t2_0 * t_0;
        var _S38 : f32 = 2.0f * t3_0;
        var _S39 : f32 = 3.0f * t2_0;
        e_0 = (_S38 - _S39 + 1.0f) * knee_0 + (t3_0 - 2.0f * t2_0 + t_0) * _S37 + (_S39 - _S38) * max_lum_0;
    }
    else
    {
        e_0 = _S35;
    }
    return pq_to_nits_0(e_0 * _S34 + lowest_0) / Constants_0.hable_ends_0[i32(0)];
}

fn converted_0( samples_1 : vec3<f32>) -> vec3<f32>
{
    var rgb_0 : vec3<f32> = saturate(vec3<f32>(affine_0(Constants_0.to_rgb_0[i32(0)], samples_1), affine_0(Constants_0.to_rgb_0[i32(1)], samples_1), affine_0(Constants_0.to_rgb_0[i32(2)], samples_1)));
    if(TRANSFER_0 == i32(0))
    {
        return rgb_0;
    }
    var nits_2 : vec3<f32> = to_nits_0(rgb_0);
    if(KEPT_0 == i32(1))
    {
        var _S40 : f32 = max(largest_of_0(nits_2), 9.99999997475242708e-07f);
        return rolled_off_0(linear_to_srgb_1(vec3<f32>((bt2446c_0(_S40) * Constants_0.kept_scale_0)) * bent_1(vec3<f32>((1.0f / _S40)) * nits_2, Constants_0.saturation_0, 0.05000000074505806f)));
    }
    var y_0 : f32 = weighted_0(Constants_0.luminance_0, nits_2);
    var light_0 : vec3<f32> = vec3<f32>((tone_map_0(y_0) / max(y_0, 9.999999960041972e-13f))) * nits_2;
    return linear_to_srgb_1(saturate(vec3<f32>(weighted_0(Constants_0.to_bt709_0[i32(0)], light_0), weighted_0(Constants_0.to_bt709_0[i32(1)], light_0), weighted_0(Constants_0.to_bt709_0[i32(2)], light_0))));
}

fn rgb_at_0( at_2 : vec2<u32>) -> vec3<f32>
{
    return converted_0(samples_0(at_2));
}

fn along_row_0( column_0 : u32,  y_1 : u32) -> vec3<f32>
{
    var row_2 : u32 = column_0 * (Constants_0.taps_0 + u32(1));
    var _S41 : u32 = u32(columns_0[row_2]);
    var _S42 : u32 = row_2 + u32(1);
    var _S43 : vec3<f32> = vec3<f32>(0.0f);
    var k_0 : u32 = u32(0);
    var sum_0 : vec3<f32> = _S43;
    for(;;)
    {
        if(k_0 < (Constants_0.taps_0))
        {
        }
        else
        {
            break;
        }
        var sum_1 : vec3<f32> = sum_0 + vec3<f32>(columns_0[_S42 + k_0]) * rgb_at_0(vec2<u32>(_S41 + k_0, y_1));
        k_0 = k_0 + u32(1);
        sum_0 = sum_1;
    }
    return sum_0;
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>)
{
    var _S44 : vec3<f32> = vec3<f32>(0.0f);
    var rgb_1 : vec3<f32>;
    if(RESIZED_0 == i32(1))
    {
        var at_3 : vec2<u32> = min(id_0.xy, Constants_0.made_0 - vec2<u32>(u32(1)));
        var row_3 : u32 = at_3.y * (Constants_0.taps_rows_0 + u32(1));
        var _S45 : u32 = u32(rows_0[row_3]);
        var _S46 : u32 = row_3 + u32(1);
        var _S47 : u32 = group_0.y * u32(8);
        var _S48 : u32 = min(_S47, Constants_0.made_0.y - u32(1));
        var _S49 : u32 = u32(rows_0[max(min(_S47 + u32(8), Constants_0.made_0.y) - u32(1), _S48) * (Constants_0.taps_rows_0 + u32(1))]) + Constants_0.taps_rows_0;
        var start_0 : u32 = u32(rows_0[_S48 * (Constants_0.taps_rows_0 + u32(1))]);
        rgb_1 = _S44;
        for(;;)
        {
            if(start_0 < _S49)
            {
            }
            else
            {
                break;
            }
            var _S50 : u32 = within_0.y;
            var y_2 : u32 = start_0 + _S50;
            if(y_2 < _S49)
            {
                near_rows_0[_S50 * u32(32) + within_0.x] = along_row_0(at_3.x, y_2);
            }
            workgroupBarrier();
            var _S51 : u32 = start_0 + u32(8);
            var _S52 : u32 = min(_S45 + Constants_0.taps_rows_0, _S51);
            var k_1 : u32 = max(_S45, start_0);
            for(;;)
            {
                if(k_1 < _S52)
                {
                }
                else
                {
                    break;
                }
                var rgb_2 : vec3<f32> = rgb_1 + vec3<f32>(rows_0[_S46 + (k_1 - _S45)]) * near_rows_0[(k_1 - start_0) * u32(32) + within_0.x];
                k_1 = k_1 + u32(1);
                rgb_1 = rgb_2;
            }
            workgroupBarrier();
            start_0 = _S51;
        }
        rgb_1 = clamp(rgb_1, _S44, vec3<f32>(Constants_0.top_0));
    }
    else
    {
        rgb_1 = rgb_at_0(min(id_0.xy, Constants_0.size_0 - vec2<u32>(u32(1))));
    }
    var _S53 : u32 = id_0.x;
    var _S54 : bool;
    if(_S53 >= (Constants_0.padded_0.x))
    {
        _S54 = true;
    }
    else
    {
        _S54 = (id_0.y) >= (Constants_0.padded_0.y);
    }
    if(_S54)
    {
        return;
    }
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_1 : u32 = id_0.y * Constants_0.padded_0.x + _S53;
    tensor_0[i_1] = rgb_1.x;
    tensor_0[i_1 + plane_0] = rgb_1.y;
    tensor_0[i_1 + u32(2) * plane_0] = rgb_1.z;
    return;
}

