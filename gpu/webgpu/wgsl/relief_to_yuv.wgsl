// relief_to_yuv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// a433cf02ca46a28f085afde24dad59ac 4552beef0b6c9c0490ef492be53056f3
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
    @align(16) light_0 : vec4<f32>,
    @align(16) half_way_0 : vec4<f32>,
    @align(16) body_most_0 : f32,
    @align(4) thin_0 : f32,
    @align(8) height_0 : f32,
    @align(4) stroke_height_0 : f32,
    @align(16) weave_0 : f32,
    @align(4) cover_0 : f32,
    @align(8) gleam_0 : f32,
    @align(4) gleam_power_0 : f32,
    @align(16) gleam_rest_0 : f32,
    @align(4) pitch_px_0 : f32,
    @align(8) cell_px_0 : u32,
    @align(4) body_luma_0 : f32,
    @align(16) cells_0 : vec2<u32>,
    @align(8) corner_cells_0 : vec2<u32>,
    @align(16) corner_step_0 : vec2<f32>,
    @align(8) brush_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var picture_0 : texture_2d<f32>;

@binding(3) @group(0) var around_0 : texture_2d<f32>;

@binding(4) @group(0) var thickness_0 : texture_2d<f32>;

@binding(5) @group(0) var left_0 : texture_2d<f32>;

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

@id(2) override FULL_Y_0 : i32 = i32(0);

@id(5) override BRUSHED_0 : i32 = i32(0);

var<workgroup> near_0 : array<f32, i32(720)>;

fn ground_of_0( cell_0 : vec2<i32>) -> vec2<f32>
{
    var _S1 : vec3<i32> = vec3<i32>(cell_0, i32(0));
    return vec2<f32>((textureLoad((around_0), ((_S1)).xy, ((_S1)).z).x), (textureLoad((thickness_0), ((_S1)).xy, ((_S1)).z).x));
}

fn ground_at_0( at_0 : vec2<f32>) -> vec2<f32>
{
    var place_0 : vec2<f32> = at_0 / vec2<f32>(f32(Constants_0.cell_px_0)) - vec2<f32>(0.5f);
    var low_0 : vec2<f32> = floor(place_0);
    var share_0 : vec2<f32> = place_0 - low_0;
    var _S2 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.cells_0) - _S2;
    var _S3 : vec2<i32> = vec2<i32>(low_0);
    const _S4 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S3, _S4, last_0);
    var b_0 : vec2<i32> = clamp(_S3 + _S2, _S4, last_0);
    var _S5 : vec2<f32> = vec2<f32>(share_0.x);
    return mix(mix(ground_of_0(a_0), ground_of_0(vec2<i32>(b_0.x, a_0.y)), _S5), mix(ground_of_0(vec2<i32>(a_0.x, b_0.y)), ground_of_0(b_0), _S5), vec2<f32>(share_0.y));
}

fn left_at_0( at_1 : vec2<f32>) -> f32
{
    var spot_0 : vec2<f32> = at_1 * Constants_0.corner_step_0 - vec2<f32>(0.5f);
    var low_1 : vec2<f32> = floor(spot_0);
    var share_1 : vec2<f32> = spot_0 - low_1;
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var last_1 : vec2<i32> = vec2<i32>(Constants_0.corner_cells_0) - _S6;
    var _S7 : vec2<i32> = vec2<i32>(low_1);
    const _S8 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S7, _S8, last_1);
    var b_1 : vec2<i32> = clamp(_S7 + _S6, _S8, last_1);
    var _S9 : vec3<i32> = vec3<i32>(a_1, i32(0));
    var _S10 : vec3<i32> = vec3<i32>(b_1.x, a_1.y, i32(0));
    var _S11 : f32 = share_1.x;
    var _S12 : vec3<i32> = vec3<i32>(a_1.x, b_1.y, i32(0));
    var _S13 : vec3<i32> = vec3<i32>(b_1, i32(0));
    return mix(mix((textureLoad((left_0), ((_S9)).xy, ((_S9)).z).x), (textureLoad((left_0), ((_S10)).xy, ((_S10)).z).x), _S11), mix((textureLoad((left_0), ((_S12)).xy, ((_S12)).z).x), (textureLoad((left_0), ((_S13)).xy, ((_S13)).z).x), _S11), share_1.y);
}

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn woven_0( at_2 : vec2<f32>) -> f32
{
    var whole_0 : vec2<f32> = floor(at_2);
    var part_0 : vec2<f32> = at_2 - whole_0;
    var thread_0 : vec2<f32> = sin(vec2<f32>(3.14159274101257324f) * part_0);
    var _S14 : f32 = whole_0.y;
    var _S15 : f32 = whole_0.x;
    return max(thread_0.x * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.y + (_S14 + _S15) % 2.0f))), thread_0.y * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.x + (_S15 + _S14 + 1.0f) % 2.0f))));
}

fn height_of_0( apart_0 : f32,  thick_0 : f32,  woven_1 : f32,  raised_0 : f32,  covered_0 : f32) -> f32
{
    return Constants_0.height_0 * thick_0 * min(max(apart_0, - Constants_0.body_most_0), Constants_0.body_most_0) * (1.0f - covered_0) + Constants_0.stroke_height_0 * raised_0 + Constants_0.weave_0 * (1.0f - Constants_0.cover_0 * thick_0) * woven_1;
}

fn height_at_0( at_3 : vec2<i32>) -> f32
{
    var _S16 : vec3<i32> = vec3<i32>(at_3, i32(0));
    var seen_0 : vec4<f32> = (textureLoad((picture_0), ((_S16)).xy, ((_S16)).z));
    var middle_0 : vec2<f32> = vec2<f32>(at_3) + vec2<f32>(0.5f);
    var both_0 : vec2<f32> = ground_at_0(middle_0);
    var _S17 : vec2<f32> = vec2<f32>(0.0f);
    var strokes_0 : vec2<f32>;
    if(BRUSHED_0 == i32(1))
    {
        strokes_0 = vec2<f32>(2.0f * seen_0.w, Constants_0.brush_0 * (1.0f - left_at_0(middle_0)));
    }
    else
    {
        strokes_0 = _S17;
    }
    var apart_1 : f32 = (luma_of_0(seen_0.xyz) - both_0.x) / Constants_0.body_luma_0;
    var thread_1 : f32;
    if((Constants_0.weave_0) > 0.0f)
    {
        thread_1 = woven_0(middle_0 / vec2<f32>(Constants_0.pitch_px_0));
    }
    else
    {
        thread_1 = 0.0f;
    }
    return height_of_0(apart_1, both_0.y, thread_1, strokes_0.x, strokes_0.y);
}

var<workgroup> shades_0 : array<vec3<f32>, i32(612)>;

fn slope_of_0( a_2 : f32,  b_2 : f32,  c_0 : f32,  past_a_0 : f32,  past_b_0 : f32,  past_c_0 : f32) -> f32
{
    return 0.125f * (past_a_0 - a_2 + 2.0f * (past_b_0 - b_2) + past_c_0 - c_0);
}

fn diffuse_of_0( facing_0 : f32) -> f32
{
    return max(facing_0, 0.0f);
}

fn gleam_of_0( glance_0 : f32) -> f32
{
    return Constants_0.gleam_0 * (pow(max(glance_0, 0.0f), Constants_0.gleam_power_0) - Constants_0.gleam_rest_0);
}

fn srgb_to_linear_0( v_1 : f32) -> f32
{
    var _S18 : f32;
    if(v_1 <= 0.04044999927282333f)
    {
        _S18 = v_1 / 12.92000007629394531f;
    }
    else
    {
        _S18 = pow((max(v_1, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S18;
}

fn srgb_to_linear_1( v_2 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(srgb_to_linear_0(v_2.x), srgb_to_linear_0(v_2.y), srgb_to_linear_0(v_2.z));
}

fn lit_by_0( linear_light_0 : f32,  diffuse_0 : f32,  gleam_1 : f32) -> f32
{
    return saturate(linear_light_0 * diffuse_0 + gleam_1);
}

fn linear_to_srgb_0( v_3 : f32) -> f32
{
    var _S19 : f32;
    if(v_3 <= 0.00313080498017371f)
    {
        _S19 = v_3 * 12.92000007629394531f;
    }
    else
    {
        _S19 = 1.0549999475479126f * pow(max(v_3, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S19;
}

fn linear_to_srgb_1( v_4 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(linear_to_srgb_0(v_4.x), linear_to_srgb_0(v_4.y), linear_to_srgb_0(v_4.z));
}

fn lit_on_0( at_4 : vec2<i32>,  x_0 : f32,  y_0 : f32) -> vec3<f32>
{
    var normal_0 : vec3<f32> = vec3<f32>(- x_0, - y_0, 1.0f) / vec3<f32>(sqrt(1.0f + x_0 * x_0 + y_0 * y_0));
    var diffuse_1 : f32 = diffuse_of_0(dot(normal_0, Constants_0.light_0.xyz) / Constants_0.light_0.z);
    var bright_0 : f32 = gleam_of_0(dot(normal_0, Constants_0.half_way_0.xyz));
    var _S20 : vec3<i32> = vec3<i32>(at_4, i32(0));
    var v_5 : vec3<f32> = srgb_to_linear_1((textureLoad((picture_0), ((_S20)).xy, ((_S20)).z)).xyz);
    return linear_to_srgb_1(vec3<f32>(lit_by_0(v_5.x, diffuse_1, bright_0), lit_by_0(v_5.y, diffuse_1, bright_0), lit_by_0(v_5.z, diffuse_1, bright_0)));
}

fn painted_at_0( at_5 : vec2<u32>,  corner_0 : vec2<i32>) -> vec3<f32>
{
    var from_0 : vec2<i32> = vec2<i32>(at_5) - corner_0;
    return shades_0[from_0.y * (i32(16) * (i32(2) - FULL_X_0) + i32(2)) + from_0.x];
}

fn not_finite_parts_0( v_6 : vec3<f32>) -> vec3<bool>
{
    var _S21 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_6))) & (_S21))) == _S21;
}

fn cleaned_0( v_7 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_7), vec3<f32>(0.0f), not_finite_parts_0(v_7));
}

fn load_fine_0( at_6 : vec2<u32>) -> f32
{
    var v_8 : f32;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_8 = fine_0[at_6.y * Constants_0.size_0.x + at_6.x];
    }
    else
    {
        v_8 = 0.0f;
    }
    return v_8;
}

fn load_source_0( at_7 : vec2<u32>) -> vec3<f32>
{
    var _S22 : vec3<f32> = vec3<f32>(0.0f);
    var v_9 : vec3<f32>;
    if((Constants_0.shows_source_0) > 0.5f)
    {
        var plane_0 : u32 = Constants_0.source_size_0.x * Constants_0.source_size_0.y;
        var i_0 : u32 = at_7.y * Constants_0.source_size_0.x + at_7.x;
        v_9 = vec3<f32>(source_0[i_0], source_0[i_0 + plane_0], source_0[i_0 + u32(2) * plane_0]);
    }
    else
    {
        v_9 = _S22;
    }
    return v_9;
}

fn hable_curve_0( x_1 : f32) -> f32
{
    var _S23 : f32 = 0.15000000596046448f * x_1;
    return (x_1 * (_S23 + 0.05000000074505806f) + 0.00400000018998981f) / (x_1 * (_S23 + 0.5f) + 0.05999999865889549f) - 0.06666666269302368f;
}

fn exposed_0( encoded_0 : f32) -> f32
{
    var light_1 : f32 = srgb_to_linear_0(encoded_0) * Constants_0.gain_0;
    var light_2 : f32;
    if((Constants_0.curve_0) < 1.5f)
    {
        light_2 = min(light_1, 1.0f);
    }
    else
    {
        if((Constants_0.curve_0) < 2.5f)
        {
            light_2 = light_1 * (1.0f + light_1 / (Constants_0.curve_peak_0 * Constants_0.curve_peak_0)) / (1.0f + light_1);
        }
        else
        {
            light_2 = hable_curve_0(light_1) * Constants_0.curve_scale_0;
        }
    }
    return linear_to_srgb_0(light_2);
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

fn largest_of_0( v_10 : vec3<f32>) -> f32
{
    return max(max(v_10.x, v_10.y), v_10.z);
}

fn bt2446c_inverse_0( percent_0 : f32) -> f32
{
    var _S24 : f32;
    if(percent_0 < 58.5f)
    {
        _S24 = percent_0 / 0.83802002668380737f;
    }
    else
    {
        _S24 = (exp((percent_0 - 78.99439239501953125f) / 15.09967994689941406f) + 0.74203997850418091f) * 69.807403564453125f;
    }
    return _S24;
}

fn bent_0( share_2 : f32,  power_0 : f32,  toe_0 : f32) -> f32
{
    var _S25 : f32;
    if(share_2 < toe_0)
    {
        _S25 = share_2 * pow(toe_0, power_0 - 1.0f);
    }
    else
    {
        _S25 = pow(max(share_2, toe_0), power_0);
    }
    return _S25;
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

fn nits_to_pq_1( v_11 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(nits_to_pq_0(v_11.x), nits_to_pq_0(v_11.y), nits_to_pq_0(v_11.z));
}

fn weighted_0( row_0 : vec4<f32>,  v_12 : vec3<f32>) -> f32
{
    return dot(row_0.xyz, v_12);
}

fn scene_to_hlg_0( scene_0 : f32) -> f32
{
    var high_0 : f32 = 0.1788327693939209f * log(max(12.0f * scene_0, 1.0f) - 0.28466892242431641f) + 0.55991071462631226f;
    var _S26 : f32;
    if(scene_0 <= 0.0833333358168602f)
    {
        _S26 = sqrt(3.0f * max(scene_0, 0.0f));
    }
    else
    {
        _S26 = high_0;
    }
    return _S26;
}

fn scene_to_hlg_1( v_13 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(scene_to_hlg_0(v_13.x), scene_to_hlg_0(v_13.y), scene_to_hlg_0(v_13.z));
}

fn in_output_0( kept_0 : vec3<f32>) -> vec3<f32>
{
    if(TRANSFER_0 == i32(0))
    {
        return kept_0;
    }
    var painting_0 : vec3<f32> = srgb_to_linear_1(kept_0);
    var _S27 : f32 = max(largest_of_0(painting_0), 1.00000001335143196e-10f);
    var nits_1 : vec3<f32> = vec3<f32>(bt2446c_inverse_0(_S27 * Constants_0.kept_white_0)) * bent_1(vec3<f32>((1.0f / _S27)) * painting_0, Constants_0.saturation_0, pow(0.05000000074505806f, 1.0f / Constants_0.saturation_0));
    if(TRANSFER_0 == i32(1))
    {
        return saturate(nits_to_pq_1(nits_1));
    }
    var light_3 : vec3<f32> = vec3<f32>(Constants_0.luminance_0[i32(3)]) * nits_1;
    return saturate(scene_to_hlg_1(vec3<f32>(pow(max(weighted_0(Constants_0.luminance_0, light_3), 9.999999960041972e-13f), Constants_0.inverse_gamma_0)) * light_3));
}

fn bayer_index_0( x_2 : u32,  y_1 : u32) -> u32
{
    var m_0 : u32 = (x_2 ^ (y_1));
    return (((((((((((((m_0 & (u32(1)))) << (u32(5)))) | (((((y_1 & (u32(1)))) << (u32(4))))))) | (((((m_0 & (u32(2)))) << (u32(2))))))) | (((((y_1 & (u32(2)))) << (u32(1))))))) | (((((m_0 & (u32(4)))) >> (u32(1))))))) | (((((y_1 & (u32(4)))) >> (u32(2))))));
}

fn rounded_0( exact_0 : vec3<f32>,  at_8 : vec2<u32>) -> vec3<u32>
{
    var threshold_0 : f32;
    if((Constants_0.dither_0) > 0.5f)
    {
        threshold_0 = (f32(bayer_index_0(at_8.x, at_8.y)) + 0.5f) / 64.0f;
    }
    else
    {
        threshold_0 = 0.5f;
    }
    return vec3<u32>(clamp(floor(exact_0 + vec3<f32>(threshold_0)), vec3<f32>(0.0f), vec3<f32>(f32(Constants_0.top_0))));
}

fn half_bits_0( v_14 : vec3<f32>) -> vec3<u32>
{
    var bits_0 : vec3<u32> = (bitcast<vec3<u32>>((v_14)));
    var _S28 : vec3<u32> = vec3<u32>(u32(13));
    return select(((bits_0 + vec3<u32>(u32(4095)) + ((((bits_0 >> (_S28))) & (vec3<u32>(u32(1))))) - vec3<u32>(u32(939524096))) >> (_S28)), vec3<u32>(round(v_14 * vec3<f32>(exp2(24.0f)))), v_14 < vec3<f32>(exp2(-14.0f)));
}

fn samples_of_0( exact_1 : vec3<f32>,  at_9 : vec2<u32>) -> vec3<u32>
{
    if(FLOATING_0 == i32(0))
    {
        return ((rounded_0(exact_1, at_9)) << (vec3<u32>(Constants_0.shift_0)));
    }
    if(FLOATING_0 == i32(32))
    {
        return (bitcast<vec3<u32>>((saturate(exact_1))));
    }
    return half_bits_0(saturate(exact_1));
}

fn put_0( _S29 : u32,  _S30 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(luma_0[_S29]), _S30);
    }
    else
    {
        var _S31 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S31 = true;
        }
        else
        {
            _S31 = (Constants_0.top_0) > u32(255);
        }
        if(_S31)
        {
            var _S32 : u32 = atomicOr(&(luma_0[_S29 / u32(2)]), (_S30 << ((u32(16) * (_S29 % u32(2))))));
        }
        else
        {
            var _S33 : u32 = atomicOr(&(luma_0[_S29 / u32(4)]), (_S30 << ((u32(8) * (_S29 % u32(4))))));
        }
    }
    return;
}

fn put_luma_0( exact_2 : vec3<f32>,  at_10 : vec2<u32>)
{
    put_0(at_10.y * Constants_0.size_0.x + at_10.x, samples_of_0(exact_2, at_10).x);
    return;
}

fn put_1( _S34 : u32,  _S35 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(blue_0[_S34]), _S35);
    }
    else
    {
        var _S36 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S36 = true;
        }
        else
        {
            _S36 = (Constants_0.top_0) > u32(255);
        }
        if(_S36)
        {
            var _S37 : u32 = atomicOr(&(blue_0[_S34 / u32(2)]), (_S35 << ((u32(16) * (_S34 % u32(2))))));
        }
        else
        {
            var _S38 : u32 = atomicOr(&(blue_0[_S34 / u32(4)]), (_S35 << ((u32(8) * (_S34 % u32(4))))));
        }
    }
    return;
}

fn put_2( _S39 : u32,  _S40 : u32)
{
    if(FLOATING_0 == i32(32))
    {
        atomicStore(&(red_0[_S39]), _S40);
    }
    else
    {
        var _S41 : bool;
        if(FLOATING_0 == i32(16))
        {
            _S41 = true;
        }
        else
        {
            _S41 = (Constants_0.top_0) > u32(255);
        }
        if(_S41)
        {
            var _S42 : u32 = atomicOr(&(red_0[_S39 / u32(2)]), (_S40 << ((u32(16) * (_S39 % u32(2))))));
        }
        else
        {
            var _S43 : u32 = atomicOr(&(red_0[_S39 / u32(4)]), (_S40 << ((u32(8) * (_S39 % u32(4))))));
        }
    }
    return;
}

fn put_chroma_0( exact_3 : vec3<f32>,  at_11 : vec2<u32>)
{
    var _S44 : u32 = at_11.y;
    var _S45 : u32 = (Constants_0.size_0.x + u32(i32(2) - FULL_X_0) - u32(1)) / u32(i32(2) - FULL_X_0);
    var i_1 : u32 = _S44 * _S45 + at_11.x;
    var made_0 : vec3<u32> = samples_of_0(exact_3, at_11);
    if(PLANAR_0 == i32(1))
    {
        put_1(i_1, made_0.y);
        put_2(i_1, made_0.z);
    }
    else
    {
        var _S46 : u32 = u32(2) * i_1;
        put_1(_S46, made_0.y);
        put_1(_S46 + u32(1), made_0.z);
    }
    return;
}

fn make_samples_0( id_0 : vec2<u32>,  corner_1 : vec2<i32>)
{
    var first_0 : vec2<i32> = vec2<i32>(i32(2) - FULL_X_0, i32(2) - FULL_Y_0) * vec2<i32>(id_0);
    var _S47 : vec2<i32> = vec2<i32>(i32(1));
    var last_2 : vec2<i32> = vec2<i32>(Constants_0.size_0) - _S47;
    var _S48 : i32 = last_2.x;
    var bad_0 : bool;
    if((first_0.x) > _S48)
    {
        bad_0 = true;
    }
    else
    {
        bad_0 = (first_0.y) > (last_2.y);
    }
    if(bad_0)
    {
        return;
    }
    var v_15 : vec4<f32> = vec4<f32>(0.0f, 0.0f, 0.0f, 1.0f);
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
            var _S49 : bool;
            if(i_2 >= i32(1))
            {
                _S49 = i_2 <= (i32(2) - FULL_X_0);
            }
            else
            {
                _S49 = false;
            }
            var _S50 : bool;
            if(_S49)
            {
                _S50 = j_0 >= i32(1);
            }
            else
            {
                _S50 = false;
            }
            var own_0 : bool;
            if(_S50)
            {
                own_0 = j_0 <= (i32(2) - FULL_Y_0);
            }
            else
            {
                own_0 = false;
            }
            var _S51 : bool;
            if(weight_0 != 0.0f)
            {
                _S51 = true;
            }
            else
            {
                _S51 = own_0;
            }
            if(_S51)
            {
                var place_1 : vec2<i32> = first_0 + vec2<i32>(i_2, j_0) - _S47;
                var _S52 : vec2<u32> = vec2<u32>(clamp(place_1, vec2<i32>(i32(0)), last_2));
                var styled_1 : vec3<f32> = painted_at_0(_S52, corner_1);
                var shown_2 : vec3<f32> = in_output_0(look_0(cleaned_0(styled_1), load_fine_0(_S52), load_source_0(_S52), _S52.x));
                var _S53 : vec3<f32> = v_15.xyz + vec3<f32>(weight_0) * shown_2;
                v_15.x = _S53.x;
                v_15.y = _S53.y;
                v_15.z = _S53.z;
                var _S54 : bool;
                if(bad_1)
                {
                    _S54 = true;
                }
                else
                {
                    _S54 = (any((not_finite_parts_0(styled_1))));
                }
                var _S55 : bool;
                if(own_0)
                {
                    _S55 = (place_1.x) <= _S48;
                }
                else
                {
                    _S55 = false;
                }
                var _S56 : bool;
                if(_S55)
                {
                    _S56 = (place_1.y) <= (last_2.y);
                }
                else
                {
                    _S56 = false;
                }
                if(_S56)
                {
                    put_luma_0(vec3<f32>(dot(Constants_0.codes_0[i32(0)], vec4<f32>(shown_2, 1.0f))), _S52);
                }
                bad_1 = _S54;
            }
            i_2 = i_2 + i32(1);
        }
        var _S57 : i32 = j_0 + i32(1);
        bad_0 = bad_1;
        j_0 = _S57;
    }
    put_chroma_0(vec3<f32>(0.0f, dot(Constants_0.codes_0[i32(1)], v_15), dot(Constants_0.codes_0[i32(2)], v_15)), id_0);
    if(bad_0)
    {
        not_finite_0[i32(0)] = u32(1);
    }
    return;
}

@compute
@workgroup_size(16, 8, 1)
fn main(@builtin(global_invocation_id) id_1 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_2 : u32)
{
    var _S58 : vec2<i32> = vec2<i32>(i32(1));
    var corner_2 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(16) * (i32(2) - FULL_X_0) + i32(2) - i32(2), i32(8) * (i32(2) - FULL_Y_0) + i32(2) - i32(2)) - _S58;
    var k_0 : u32 = thread_2;
    for(;;)
    {
        if(k_0 < u32((i32(16) * (i32(2) - FULL_X_0) + i32(2) + i32(2)) * (i32(8) * (i32(2) - FULL_Y_0) + i32(2) + i32(2))))
        {
        }
        else
        {
            break;
        }
        var _S59 : vec2<i32> = corner_2 - _S58;
        var _S60 : u32 = k_0 % u32(i32(16) * (i32(2) - FULL_X_0) + i32(2) + i32(2));
        var _S61 : i32 = i32(_S60);
        var _S62 : u32 = k_0 / u32(i32(16) * (i32(2) - FULL_X_0) + i32(2) + i32(2));
        near_0[k_0] = height_at_0(clamp(_S59 + vec2<i32>(_S61, i32(_S62)), vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - _S58));
        k_0 = k_0 + u32(128);
    }
    workgroupBarrier();
    var n_0 : u32 = thread_2;
    for(;;)
    {
        if(n_0 < u32((i32(16) * (i32(2) - FULL_X_0) + i32(2)) * (i32(8) * (i32(2) - FULL_Y_0) + i32(2))))
        {
        }
        else
        {
            break;
        }
        var _S63 : u32 = n_0 % u32(i32(16) * (i32(2) - FULL_X_0) + i32(2));
        var _S64 : u32 = n_0 / u32(i32(16) * (i32(2) - FULL_X_0) + i32(2));
        var _S65 : u32 = _S64 * u32(i32(16) * (i32(2) - FULL_X_0) + i32(2) + i32(2)) + _S63;
        var _S66 : u32 = _S65 + u32(i32(16) * (i32(2) - FULL_X_0) + i32(2)) + u32(2);
        var _S67 : u32 = _S65 + u32(i32(2) * (i32(16) * (i32(2) - FULL_X_0) + i32(2) + i32(2)));
        shades_0[n_0] = lit_on_0(clamp(corner_2 + vec2<i32>(vec2<u32>(_S63, _S64)), vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - _S58), slope_of_0(near_0[_S65], near_0[_S66], near_0[_S67], near_0[_S65 + u32(2)], near_0[_S66 + u32(2)], near_0[_S67 + u32(2)]), slope_of_0(near_0[_S65], near_0[_S65 + u32(1)], near_0[_S65 + u32(2)], near_0[_S67], near_0[_S67 + u32(1)], near_0[_S67 + u32(2)]));
        n_0 = n_0 + u32(128);
    }
    workgroupBarrier();
    make_samples_0(id_1.xy, corner_2);
    return;
}

