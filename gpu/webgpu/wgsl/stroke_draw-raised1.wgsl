// stroke_draw.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 314372ea1e3bf1892a4747f207b1e0e6 a79f50173dfbb1352082ce559fed7d10
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) levels_0 : array<vec4<u32>, i32(14)>,
    @align(16) tensors_0 : array<vec4<u32>, i32(5)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) film_0 : vec2<u32>,
    @align(8) film_padded_0 : vec2<u32>,
    @align(16) film_step_0 : vec2<f32>,
    @align(8) tiles_0 : vec2<u32>,
    @align(16) corner_cells_0 : vec2<u32>,
    @align(8) corner_step_0 : vec2<f32>,
    @align(16) rest_0 : vec2<f32>,
    @align(8) cells_0 : vec2<u32>,
    @align(16) cell_count_0 : u32,
    @align(4) stroke_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) need_count_0 : u32,
    @align(16) place_0 : u32,
    @align(4) rests_0 : u32,
    @align(8) cell_px_0 : u32,
    @align(4) most_records_0 : u32,
    @align(16) most_pairs_0 : u32,
    @align(4) tensor_level_0 : u32,
    @align(8) near_level_0 : u32,
    @align(4) ground_level_0 : u32,
    @align(16) around_level_0 : u32,
    @align(4) jitter_0 : f32,
    @align(8) edge_0 : f32,
    @align(4) wet_0 : f32,
    @align(16) per_hair_0 : f32,
    @align(4) brush_0 : f32,
    @align(8) detail_0 : f32,
    @align(16) bare_0 : vec4<f32>,
    @align(16) front_0 : f32,
    @align(4) progress_0 : f32,
    @align(8) covers_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> counts_0 : array<u32>;

@binding(3) @group(0) var<storage, read> painted_0 : array<u32>;

@binding(1) @group(0) var<storage, read> lists_0 : array<u32>;

@binding(0) @group(0) var<storage, read> strokes_0 : array<vec4<u32>>;

@binding(5) @group(0) var<storage, read> noise_0 : array<vec2<f32>>;

@binding(4) @group(0) var<storage, read> ground_0 : array<vec4<f32>>;

@binding(6) @group(0) var left_0 : texture_2d<f32>;

@binding(7) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(0) @group(1) var brushed_0 : texture_storage_2d<rgba16float, write>;

@binding(1) @group(1) var<storage, read_write> sums_0 : array<atomic<u32>>;

@id(1) override REVEALED_0 : i32 = i32(0);

@id(0) override MARKED_0 : i32 = i32(0);

fn firstbitlow_0( value_0 : u32) -> u32
{
    var _S1 : u32 = firstTrailingBit(value_0);
    return _S1;
}

@id(2) override PACKED_0 : i32 = i32(0);

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S2 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S2))) == _S2;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

var<workgroup> shared_counts_0 : array<atomic<u32>, i32(2)>;

fn count_within_0( from_0 : u32,  count_0 : u32,  low_0 : u32,  high_0 : u32,  thread_0 : u32) -> u32
{
    if(thread_0 == u32(0))
    {
        atomicStore(&(shared_counts_0[i32(0)]), u32(0));
    }
    workgroupBarrier();
    var k_0 : u32 = thread_0;
    var own_0 : u32 = u32(0);
    for(;;)
    {
        if(k_0 < count_0)
        {
        }
        else
        {
            break;
        }
        var key_0 : u32 = strokes_0[u32(3) * Constants_0.most_records_0 + lists_0[from_0 + k_0]].w;
        var _S3 : bool;
        if(key_0 >= low_0)
        {
            _S3 = key_0 < high_0;
        }
        else
        {
            _S3 = false;
        }
        if(_S3)
        {
            own_0 = own_0 + u32(1);
        }
        k_0 = k_0 + u32(256);
    }
    if(own_0 > u32(0))
    {
        var _S4 : u32 = atomicAdd(&(shared_counts_0[i32(0)]), own_0);
    }
    workgroupBarrier();
    var found_0 : u32 = atomicLoad(&(shared_counts_0[i32(0)]));
    workgroupBarrier();
    return found_0;
}

var<workgroup> keys_0 : array<u32, i32(736)>;

var<workgroup> sorted_0 : array<u32, i32(736)>;

var<workgroup> near_strokes_0 : array<atomic<u32>, i32(8)>;

fn unit_of_0( word_0 : u32) -> f32
{
    return (bitcast<f32>(((word_0 | (u32(127))))));
}

fn from_middle_0( word_1 : u32,  unit_0 : f32) -> vec2<f32>
{
    return vec2<f32>(unit_0) * vec2<f32>((vec2<i32>(i32((word_1 << (u32(16)))), i32(word_1)) >> (vec2<u32>(u32(16)))));
}

fn ends_of_0( word_2 : u32) -> vec2<u32>
{
    return vec2<u32>((word_2 & (u32(7))), (((word_2 >> (u32(3)))) & (u32(15))));
}

var<workgroup> segments_0 : array<vec4<f32>, i32(256)>;

var<workgroup> lengths_0 : array<vec4<f32>, i32(256)>;

var<workgroup> heads_0 : array<vec4<u32>, i32(64)>;

fn paint_colour_0( paint_0 : vec4<u32>) -> vec3<f32>
{
    var _S5 : u32 = paint_0.x;
    return vec3<f32>(-1.0f) + vec3<f32>(0.00006103608757257f) * vec3<f32>(vec3<u32>((_S5 & (u32(65535))), (_S5 >> (u32(16))), ((paint_0.y) & (u32(65535)))));
}

var<workgroup> near_segments_0 : array<u32, i32(256)>;

fn mark_at_0( along_0 : f32,  left_1 : f32,  across_0 : f32,  half_0 : f32) -> f32
{
    var length_0 : f32 = along_0 + left_1;
    var _S6 : f32 = min(half_0, length_0 * 0.125f);
    var of_tip_0 : f32 = 32.0f / _S6;
    var _S7 : f32 = 32.0f + (along_0 - _S6) * 192.0f / max(length_0 - 2.0f * _S6, 9.99999971718068537e-10f);
    var column_0 : f32;
    if(left_1 < _S6)
    {
        column_0 = 256.0f - left_1 * of_tip_0;
    }
    else
    {
        column_0 = _S7;
    }
    if(along_0 < _S6)
    {
        column_0 = along_0 * of_tip_0;
    }
    var spot_0 : vec2<f32> = vec2<f32>(column_0, (0.5f + 0.5f * across_0) * 64.0f) - vec2<f32>(0.5f);
    var low_1 : vec2<f32> = floor(spot_0);
    var share_0 : vec2<f32> = spot_0 - low_1;
    var _S8 : f32 = low_1.x;
    if(_S8 < 0.0f)
    {
        share_0[i32(0)] = 0.0f;
    }
    var start_0 : i32 = i32(4096) + clamp(i32(_S8), i32(0), i32(255));
    var _S9 : i32 = i32(low_1.y);
    var above_0 : vec2<f32> = noise_0[start_0 + i32(256) * clamp(_S9, i32(0), i32(63))];
    var below_0 : vec2<f32> = noise_0[start_0 + i32(256) * clamp(_S9 + i32(1), i32(0), i32(63))];
    return mix(mix(above_0.x, above_0.y, share_0.x), mix(below_0.x, below_0.y, share_0.x), share_0.y);
}

fn noise_at_0( place_1 : f32,  seed_0 : u32) -> f32
{
    var low_2 : f32 = floor(place_1);
    var share_1 : f32 = place_1 - low_2;
    var both_0 : vec2<f32> = noise_0[(u32(i32(low_2)) + seed_0) % u32(4096)];
    return mix(both_0.x, both_0.y, share_1 * share_1 * (3.0f - 2.0f * share_1));
}

fn start_of_0( half_width_0 : f32,  hair_0 : f32) -> f32
{
    return - half_width_0 * (0.25f + 0.60000002384185791f * hair_0);
}

fn finish_of_0( half_width_1 : f32,  total_0 : f32,  other_0 : f32) -> f32
{
    return total_0 + half_width_1 * (0.94999998807907104f - 1.10000002384185791f * other_0 * other_0);
}

fn streak_of_0( broad_0 : f32,  fine_1 : f32) -> f32
{
    return 0.64999997615814209f * broad_0 + 0.34999999403953552f * fine_1;
}

fn paint_left_0( passed_0 : f32,  streak_0 : f32) -> f32
{
    return 1.0f - saturate(2.20000004768371582f * (passed_0 - 0.55000001192092896f)) * saturate((0.55000001192092896f - streak_0) * 5.0f);
}

fn body_of_0( half_width_2 : f32,  per_half_0 : f32,  streak_1 : f32,  r_0 : f32,  past_end_0 : f32) -> f32
{
    return 0.44999998807907104f + 0.5f * (streak_1 - 0.5f) + 0.34999999403953552f * max(0.0f, 1.0f - abs(r_0 - 0.81999999284744263f) * 6.0f) + 0.25f * max(0.0f, 1.0f - abs(past_end_0 + 0.40000000596046448f * half_width_2) * (2.0f * per_half_0));
}

fn tone_of_0( streak_2 : f32) -> f32
{
    return 1.0f + 0.15999999642372131f * (streak_2 - 0.5f);
}

struct Pixel_0
{
     colour_0 : vec3<f32>,
     height_0 : f32,
     seen_0 : f32,
};

fn add_stroke_0( pixel_0 : ptr<function, Pixel_0>,  stroke_0 : u32,  part_0 : u32,  at_0 : vec2<f32>,  own_1 : vec3<f32>)
{
    var t_0 : f32;
    var far_0 : f32;
    var _S10 : u32 = u32(2) * stroke_0;
    var size_1 : vec4<u32> = heads_0[_S10];
    var more_0 : vec4<u32> = heads_0[_S10 + u32(1)];
    var half_1 : f32 = (bitcast<f32>((heads_0[_S10].x)));
    var _S11 : u32 = heads_0[_S10 + u32(1)].z;
    var _S12 : u32 = (_S11 & (u32(7)));
    var _S13 : u32 = ((((_S11 >> (u32(3)))) & (u32(15)))) - u32(1);
    var _S14 : u32 = stroke_0 * u32(8);
    var nearest_0 : f32 = 1.0e+09f;
    var found_1 : u32 = u32(0);
    var place_on_it_0 : f32 = 0.0f;
    var near_0 : u32 = near_segments_0[_S14 + part_0];
    for(;;)
    {
        if(near_0 != u32(0))
        {
        }
        else
        {
            break;
        }
        var k_1 : u32 = firstbitlow_0(near_0);
        var near_1 : u32 = (near_0 & ((near_0 - u32(1))));
        var _S15 : u32 = _S14 + k_1;
        var from_1 : vec2<f32> = at_0 - segments_0[_S15].xy;
        var _S16 : vec2<f32> = segments_0[_S15].zw;
        var t_1 : f32 = dot(from_1, _S16) * lengths_0[_S15].x;
        var _S17 : bool;
        if(t_1 < 0.0f)
        {
            _S17 = k_1 == _S12;
        }
        else
        {
            _S17 = false;
        }
        var beyond_0 : bool;
        if(_S17)
        {
            beyond_0 = true;
        }
        else
        {
            if(t_1 > 1.0f)
            {
                beyond_0 = k_1 == _S13;
            }
            else
            {
                beyond_0 = false;
            }
        }
        if(!beyond_0)
        {
            t_0 = saturate(t_1);
        }
        else
        {
            t_0 = t_1;
        }
        var apart_0 : vec2<f32> = from_1 - vec2<f32>(t_0) * _S16;
        var _S18 : vec2<f32> = vec2<f32>(0.5f);
        var off_0 : vec2<f32> = abs(from_1 - _S18 * _S16) - _S18 * abs(_S16);
        var _S19 : f32 = dot(apart_0, apart_0);
        var _S20 : bool;
        if(beyond_0)
        {
            _S20 = (max(off_0.x, off_0.y)) > half_1;
        }
        else
        {
            _S20 = false;
        }
        if(_S20)
        {
            far_0 = 1.0e+09f;
        }
        else
        {
            far_0 = _S19;
        }
        if(far_0 < nearest_0)
        {
            nearest_0 = far_0;
            found_1 = k_1;
            place_on_it_0 = t_0;
        }
        near_0 = near_1;
    }
    if(nearest_0 > (half_1 * half_1))
    {
        return;
    }
    var _S21 : u32 = _S14 + found_1;
    var from_2 : vec2<f32> = at_0 - segments_0[_S21].xy;
    var _S22 : f32 = lengths_0[_S21].z;
    var u_0 : f32 = lengths_0[_S21].y + place_on_it_0 * _S22;
    var v_2 : f32 = (segments_0[_S21].z * from_2.y - segments_0[_S21].w * from_2.x) / _S22;
    var _S23 : f32 = lengths_0[_S21].w;
    var r_1 : f32 = abs(v_2) * _S23;
    var seed_1 : u32 = more_0.w;
    var opacity_0 : f32 = (bitcast<f32>((more_0.x)));
    var total_1 : f32 = (bitcast<f32>((more_0.y)));
    var rim_0 : f32 = saturate((1.0f - r_1) * half_1 * Constants_0.per_hair_0 / 1.20000004768371582f);
    var share_2 : f32;
    if(MARKED_0 == i32(1))
    {
        var _S24 : f32 = u_0 - -0.5f * half_1;
        var _S25 : f32 = total_1 + 0.5f * half_1 - u_0;
        var inside_0 : f32 = min(_S24, _S25) * Constants_0.per_hair_0 / 1.5f;
        if(inside_0 <= 0.0f)
        {
            return;
        }
        if(((seed_1 & (u32(1)))) != u32(0))
        {
            nearest_0 = - v_2;
        }
        else
        {
            nearest_0 = v_2;
        }
        var body_0 : f32 = mark_at_0(_S24, _S25, nearest_0 * _S23, half_1);
        var _S26 : f32 = min(1.0f, body_0 / 0.5f) * min(1.0f, inside_0) * rim_0 * opacity_0;
        t_0 = 1.0f;
        far_0 = body_0;
        share_2 = _S26;
    }
    else
    {
        var hairs_0 : f32 = v_2 * Constants_0.per_hair_0;
        var finish_0 : f32 = finish_of_0(half_1, total_1, noise_at_0(hairs_0 / 2.09999990463256836f + 300.0f, seed_1 + u32(1)));
        var _S27 : f32 = u_0 - start_of_0(half_1, noise_at_0(hairs_0 / 1.29999995231628418f + 100.0f, seed_1));
        var inside_1 : f32 = min(_S27, finish_0 - u_0) * Constants_0.per_hair_0 / 1.5f;
        if(inside_1 <= 0.0f)
        {
            return;
        }
        var streak_3 : f32 = streak_of_0(noise_at_0((v_2 / 1.60000002384185791f + 0.01600000075995922f * u_0) * Constants_0.per_hair_0 + 50.0f, seed_1 + u32(2)), noise_at_0((v_2 / 0.89999997615814209f + 0.01999999955296516f * u_0) * Constants_0.per_hair_0 + 700.0f, seed_1 + u32(3)));
        var _S28 : f32 = min(1.0f, inside_1) * rim_0 * opacity_0 * paint_left_0(_S27 / (total_1 + 2.0f * half_1), streak_3);
        var _S29 : f32 = body_of_0(half_1, _S23, streak_3, r_1, u_0 - finish_0);
        t_0 = tone_of_0(streak_3);
        far_0 = _S29;
        share_2 = _S28;
    }
    var body_1 : f32 = far_0 * (0.5f + 0.5f * min(1.0f, half_1 * Constants_0.per_hair_0 / 5.0f));
    var colour_1 : vec3<f32> = (bitcast<vec3<f32>>((size_1.yzw)));
    var share_3 : f32 = share_2 * (*pixel_0).seen_0;
    (*pixel_0).colour_0 = (*pixel_0).colour_0 + vec3<f32>(share_3) * (colour_1 * vec3<f32>(t_0) + vec3<f32>(Constants_0.wet_0) * (own_1 - colour_1));
    (*pixel_0).height_0 = (*pixel_0).height_0 + share_3 * body_1;
    (*pixel_0).seen_0 = (*pixel_0).seen_0 - share_3;
    return;
}

fn in_level_0( place_2 : vec2<f32>,  level_0 : u32) -> vec2<f32>
{
    return place_2 / vec2<f32>(f32((u32(1) << (level_0)))) - vec2<f32>(0.5f);
}

struct Between_0
{
     at_1 : vec4<u32>,
     share_4 : vec2<f32>,
};

fn between_samples_0( place_3 : vec2<f32>,  level_1 : vec4<u32>) -> Between_0
{
    var low_3 : vec2<f32> = floor(place_3);
    var _S30 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(level_1.yz) - _S30;
    var _S31 : vec2<i32> = vec2<i32>(low_3);
    const _S32 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S31, _S32, last_0);
    var b_0 : vec2<i32> = clamp(_S31 + _S30, _S32, last_0);
    var found_2 : Between_0;
    var _S33 : i32 = i32(level_1.y);
    var _S34 : vec2<i32> = vec2<i32>(a_0.x, b_0.x);
    found_2.at_1 = vec4<u32>(level_1.x) + vec4<u32>(vec2<u32>(vec2<i32>((a_0.y * _S33)) + _S34), vec2<u32>(vec2<i32>((b_0.y * _S33)) + _S34));
    found_2.share_4 = place_3 - low_3;
    return found_2;
}

fn wash_at_0( front_1 : f32,  x_0 : f32,  y_0 : f32) -> f32
{
    var _S35 : f32 = x_0 * 24.0f;
    var wave_0 : i32 = i32(_S35);
    var from_3 : f32 = noise_0[wave_0].x;
    var down_0 : f32 = 9.0f * y_0 + 0.30000001192092896f * (from_3 + (_S35 - f32(wave_0)) * (noise_0[wave_0 + i32(1)].x - from_3) - 0.5f);
    var _S36 : f32 = min(max(floor(down_0), 0.0f), 8.0f);
    var hair_1 : f32 = noise_0[i32(floor((down_0 + 8.0f) * 40.0f))].x;
    var along_1 : f32;
    if(((i32(_S36) & (i32(1)))) != i32(0))
    {
        along_1 = 1.0f - x_0;
    }
    else
    {
        along_1 = x_0;
    }
    var opacity_1 : f32 = saturate((front_1 * 1.008888840675354f - (_S36 + 0.75f * along_1 + 0.25f * hair_1) / 9.0f) * 112.5f);
    return opacity_1 * opacity_1 * (3.0f - 2.0f * opacity_1);
}

fn left_at_0( at_2 : vec2<f32>) -> f32
{
    var spot_1 : vec2<f32> = at_2 * Constants_0.corner_step_0 - vec2<f32>(0.5f);
    var low_4 : vec2<f32> = floor(spot_1);
    var share_5 : vec2<f32> = spot_1 - low_4;
    var _S37 : vec2<i32> = vec2<i32>(i32(1));
    var last_1 : vec2<i32> = vec2<i32>(Constants_0.corner_cells_0) - _S37;
    var _S38 : vec2<i32> = vec2<i32>(low_4);
    const _S39 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S38, _S39, last_1);
    var b_1 : vec2<i32> = clamp(_S38 + _S37, _S39, last_1);
    var _S40 : vec3<i32> = vec3<i32>(a_1, i32(0));
    var _S41 : vec3<i32> = vec3<i32>(b_1.x, a_1.y, i32(0));
    var _S42 : f32 = share_5.x;
    var _S43 : vec3<i32> = vec3<i32>(a_1.x, b_1.y, i32(0));
    var _S44 : vec3<i32> = vec3<i32>(b_1, i32(0));
    return mix(mix((textureLoad((left_0), ((_S40)).xy, ((_S40)).z).x), (textureLoad((left_0), ((_S41)).xy, ((_S41)).z).x), _S42), mix((textureLoad((left_0), ((_S43)).xy, ((_S43)).z).x), (textureLoad((left_0), ((_S44)).xy, ((_S44)).z).x), _S42), share_5.y);
}

fn luma_of_0( v_3 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_3.x + 0.71520000696182251f * v_3.y + 0.07220000028610229f * v_3.z;
}

fn shade_of_0( luma_0 : f32,  at_3 : vec2<u32>) -> u32
{
    var more_1 : vec2<u32> = Constants_0.cells_0 * vec2<u32>(Constants_0.cell_px_0) - Constants_0.size_0;
    var _S45 : u32;
    if((at_3.x) == (Constants_0.size_0.x - u32(1)))
    {
        _S45 = u32(1) + more_1.x;
    }
    else
    {
        _S45 = u32(1);
    }
    var _S46 : u32;
    if((at_3.y) == (Constants_0.size_0.y - u32(1)))
    {
        _S46 = u32(1) + more_1.y;
    }
    else
    {
        _S46 = u32(1);
    }
    var times_0 : u32 = _S45 * _S46;
    if((any((at_3 >= (Constants_0.size_0)))))
    {
        _S45 = u32(0);
    }
    else
    {
        _S45 = times_0 * u32(8.388608e+06f * luma_0 + 0.5f);
    }
    return _S45;
}

fn painting_number_0( _S47 : vec2<u32>,  _S48 : u32,  _S49 : vec2<u32>) -> f32
{
    var row_0 : u32 = _S48 * _S49.y + _S47.y;
    if(PACKED_0 == i32(0))
    {
        return (bitcast<f32>((painted_0[row_0 * _S49.x + _S47.x])));
    }
    var _S50 : u32 = _S47.x;
    return f32((((painted_0[row_0 * ((_S49.x + u32(1)) / u32(2)) + _S50 / u32(2)] >> ((u32(16) * (_S50 % u32(2)))))) & (u32(65535)))) / 65535.0f;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var k_2 : u32;
    var low_5 : u32;
    var begin_0 : u32;
    var bits_0 : u32;
    var open_0 : bool;
    var tile_0 : u32 = u32(17) + group_0.y * Constants_0.tiles_0.x + group_0.x;
    var from_4 : u32 = counts_0[tile_0];
    var _S51 : u32 = counts_0[Constants_0.tiles_0.x * Constants_0.tiles_0.y + tile_0] - from_4;
    var corner_0 : vec2<u32> = vec2<u32>(u32(16)) * group_0.xy;
    var part_1 : u32 = thread_1 / u32(32);
    var _S52 : u32 = thread_1 % u32(8);
    var at_4 : vec2<u32> = corner_0 + vec2<u32>(u32(8) * (part_1 % u32(2)) + _S52, u32(4) * (part_1 / u32(2)) + thread_1 % u32(32) / u32(8));
    var shown_0 : bool = (all((at_4 < (Constants_0.size_0))));
    var _S53 : vec2<u32> = vec2<u32>(u32(1));
    var inside_2 : vec2<u32> = min(at_4, Constants_0.size_0 - _S53);
    var middle_0 : vec2<f32> = vec2<f32>(at_4) + vec2<f32>(0.5f);
    var own_2 : vec3<f32> = cleaned_0(vec3<f32>(painting_number_0(inside_2, u32(0), Constants_0.painted_size_0), painting_number_0(inside_2, u32(1), Constants_0.painted_size_0), painting_number_0(inside_2, u32(2), Constants_0.painted_size_0)));
    var pixel_1 : Pixel_0;
    pixel_1.colour_0 = vec3<f32>(0.0f);
    pixel_1.height_0 = 0.0f;
    var passed_1 : f32;
    if(shown_0)
    {
        passed_1 = 1.0f;
    }
    else
    {
        passed_1 = 0.0f;
    }
    pixel_1.seen_0 = passed_1;
    var open_1 : bool = true;
    var high_1 : u32 = u32(4294967295);
    for(;;)
    {
        var _S54 : bool;
        if(open_1)
        {
            _S54 = high_1 > u32(0);
        }
        else
        {
            _S54 = false;
        }
        if(_S54)
        {
        }
        else
        {
            break;
        }
        if(_S51 > u32(736))
        {
            var _S55 : u32 = count_within_0(from_4, _S51, u32(0), high_1, thread_1);
            var fits_0 : bool = _S55 <= u32(736);
            k_2 = u32(2147483648);
            low_5 = u32(0);
            for(;;)
            {
                if(k_2 > u32(0))
                {
                }
                else
                {
                    break;
                }
                var _S56 : u32 = (low_5 | (k_2));
                var found_3 : u32 = count_within_0(from_4, _S51, _S56, high_1, thread_1);
                if(found_3 > u32(736))
                {
                    low_5 = _S56;
                }
                k_2 = (k_2 >> (u32(1)));
            }
            if(fits_0)
            {
                begin_0 = u32(0);
            }
            else
            {
                begin_0 = low_5 + u32(1);
            }
            low_5 = begin_0;
        }
        else
        {
            low_5 = u32(0);
        }
        var _S57 : bool = thread_1 == u32(0);
        if(_S57)
        {
            atomicStore(&(shared_counts_0[i32(1)]), u32(0));
        }
        workgroupBarrier();
        k_2 = thread_1;
        for(;;)
        {
            if(k_2 < _S51)
            {
            }
            else
            {
                break;
            }
            var number_0 : u32 = lists_0[from_4 + k_2];
            var key_1 : u32 = strokes_0[u32(3) * Constants_0.most_records_0 + number_0].w;
            if(key_1 >= low_5)
            {
                open_0 = key_1 < high_1;
            }
            else
            {
                open_0 = false;
            }
            if(open_0)
            {
                var into_0 : u32 = atomicAdd(&(shared_counts_0[i32(1)]), u32(1));
                keys_0[into_0] = key_1;
                sorted_0[into_0] = number_0;
            }
            k_2 = k_2 + u32(256);
        }
        workgroupBarrier();
        var _S58 : u32 = atomicLoad(&(shared_counts_0[i32(1)]));
        var numbers_0 : array<u32, i32(3)>;
        numbers_0[u32(0)] = sorted_0[min(thread_1, u32(735))];
        var _S59 : u32 = thread_1 + u32(256);
        numbers_0[u32(1)] = sorted_0[min(_S59, u32(735))];
        var _S60 : u32 = thread_1 + u32(512);
        numbers_0[u32(2)] = sorted_0[min(_S60, u32(735))];
        workgroupBarrier();
        var _S61 : i32;
        if(thread_1 < _S58)
        {
            begin_0 = u32(0);
            bits_0 = u32(0);
            for(;;)
            {
                if(begin_0 < _S58)
                {
                }
                else
                {
                    break;
                }
                if((keys_0[begin_0]) > (keys_0[thread_1]))
                {
                    _S61 = i32(1);
                }
                else
                {
                    _S61 = i32(0);
                }
                var rank_0 : u32 = bits_0 + u32(_S61);
                begin_0 = begin_0 + u32(1);
                bits_0 = rank_0;
            }
            sorted_0[bits_0] = numbers_0[u32(0)];
        }
        if(_S59 < _S58)
        {
            begin_0 = u32(0);
            bits_0 = u32(0);
            for(;;)
            {
                if(begin_0 < _S58)
                {
                }
                else
                {
                    break;
                }
                if((keys_0[begin_0]) > (keys_0[_S59]))
                {
                    _S61 = i32(1);
                }
                else
                {
                    _S61 = i32(0);
                }
                var rank_1 : u32 = bits_0 + u32(_S61);
                begin_0 = begin_0 + u32(1);
                bits_0 = rank_1;
            }
            sorted_0[bits_0] = numbers_0[u32(1)];
        }
        if(_S60 < _S58)
        {
            begin_0 = u32(0);
            bits_0 = u32(0);
            for(;;)
            {
                if(begin_0 < _S58)
                {
                }
                else
                {
                    break;
                }
                if((keys_0[begin_0]) > (keys_0[_S60]))
                {
                    _S61 = i32(1);
                }
                else
                {
                    _S61 = i32(0);
                }
                var rank_2 : u32 = bits_0 + u32(_S61);
                begin_0 = begin_0 + u32(1);
                bits_0 = rank_2;
            }
            sorted_0[bits_0] = numbers_0[u32(2)];
        }
        workgroupBarrier();
        begin_0 = u32(0);
        open_0 = open_1;
        for(;;)
        {
            var _S62 : bool;
            if(begin_0 < _S58)
            {
                _S62 = open_0;
            }
            else
            {
                _S62 = false;
            }
            if(_S62)
            {
            }
            else
            {
                break;
            }
            var _S63 : u32 = min(u32(32), _S58 - begin_0);
            if(thread_1 < u32(8))
            {
                atomicStore(&(near_strokes_0[thread_1]), u32(0));
            }
            if(_S57)
            {
                atomicStore(&(shared_counts_0[i32(0)]), u32(0));
            }
            workgroupBarrier();
            var stroke_1 : u32 = thread_1 / u32(8);
            var _S64 : bool;
            if(stroke_1 < _S63)
            {
                var row_1 : u32 = u32(3) * sorted_0[begin_0 + stroke_1];
                var head_0 : vec4<u32> = strokes_0[row_1];
                var paint_1 : vec4<u32> = strokes_0[u32(3) * Constants_0.most_records_0 + sorted_0[begin_0 + stroke_1]];
                var path_0 : array<vec2<f32>, i32(9)>;
                var _S65 : vec2<f32> = (bitcast<vec2<f32>>((head_0.xy)));
                path_0[i32(4)] = _S65;
                var _S66 : u32 = row_1 + u32(1);
                var _S67 : vec4<u32> = strokes_0[_S66];
                var _S68 : u32 = head_0.w;
                var _S69 : f32 = unit_of_0(_S68);
                var _S70 : vec2<f32> = _S65 + from_middle_0(_S67[u32(0)], _S69);
                path_0[u32(0)] = _S70;
                var _S71 : vec2<f32> = _S65 + from_middle_0(_S67[u32(1)], _S69);
                path_0[u32(1)] = _S71;
                path_0[u32(2)] = _S65 + from_middle_0(_S67[u32(2)], _S69);
                path_0[u32(3)] = _S65 + from_middle_0(_S67[u32(3)], _S69);
                var _S72 : vec4<u32> = strokes_0[_S66 + u32(1)];
                path_0[u32(5)] = _S65 + from_middle_0(_S72[u32(0)], _S69);
                path_0[u32(6)] = _S65 + from_middle_0(_S72[u32(1)], _S69);
                path_0[u32(7)] = _S65 + from_middle_0(_S72[u32(2)], _S69);
                path_0[u32(8)] = _S65 + from_middle_0(_S72[u32(3)], _S69);
                var half_2 : f32 = (bitcast<f32>((head_0.z)));
                var _S73 : vec2<f32> = vec2<f32>(corner_0) + vec2<f32>(f32(u32(8) * (_S52 % u32(2)) + u32(4)), f32(u32(4) * (_S52 / u32(2)) + u32(2)));
                var _S74 : vec2<u32> = ends_of_0(_S68);
                var _S75 : u32 = _S74.x;
                var _S76 : u32 = _S74.y - u32(1);
                var along_2 : vec2<f32> = _S71 - _S70;
                var away_0 : vec2<f32> = _S73 - _S70;
                var square_0 : f32 = dot(along_2, along_2) + 9.99999971718068537e-10f;
                var norm_0 : f32 = sqrt(square_0);
                if(u32(0) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(0)], along_2);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_0, 0.0f, norm_0, 1.0f / half_2);
                }
                if(u32(0) >= _S75)
                {
                    _S64 = u32(0) <= _S76;
                }
                else
                {
                    _S64 = false;
                }
                var _S77 : bool;
                if(_S64)
                {
                    var apart_1 : vec2<f32> = away_0 - vec2<f32>(saturate(dot(away_0, along_2) / square_0)) * along_2;
                    if(u32(0) == _S75)
                    {
                        _S77 = true;
                    }
                    else
                    {
                        _S77 = u32(0) == _S76;
                    }
                    if(_S77)
                    {
                        passed_1 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_1 = 1.0f;
                    }
                    var reach_0 : f32 = passed_1 * half_2 + 3.84999990463256836f;
                    if((dot(apart_1, apart_1)) <= (reach_0 * reach_0))
                    {
                        bits_0 = u32(1);
                    }
                    else
                    {
                        bits_0 = u32(0);
                    }
                    passed_1 = norm_0;
                }
                else
                {
                    passed_1 = 0.0f;
                    bits_0 = u32(0);
                }
                var along_3 : vec2<f32> = path_0[u32(2)] - path_0[u32(1)];
                var away_1 : vec2<f32> = _S73 - path_0[u32(1)];
                var square_1 : f32 = dot(along_3, along_3) + 9.99999971718068537e-10f;
                var norm_1 : f32 = sqrt(square_1);
                if(u32(1) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(1)], along_3);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_1, passed_1, norm_1, 1.0f / half_2);
                }
                if(u32(1) >= _S75)
                {
                    _S77 = u32(1) <= _S76;
                }
                else
                {
                    _S77 = false;
                }
                var passed_2 : f32;
                var _S78 : bool;
                var near_2 : u32;
                if(_S77)
                {
                    var apart_2 : vec2<f32> = away_1 - vec2<f32>(saturate(dot(away_1, along_3) / square_1)) * along_3;
                    if(u32(1) == _S75)
                    {
                        _S78 = true;
                    }
                    else
                    {
                        _S78 = u32(1) == _S76;
                    }
                    if(_S78)
                    {
                        passed_2 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_2 = 1.0f;
                    }
                    var reach_1 : f32 = passed_2 * half_2 + 3.84999990463256836f;
                    if((dot(apart_2, apart_2)) <= (reach_1 * reach_1))
                    {
                        near_2 = (bits_0 | (u32(2)));
                    }
                    else
                    {
                        near_2 = bits_0;
                    }
                    passed_2 = passed_1 + norm_1;
                }
                else
                {
                    passed_2 = passed_1;
                    near_2 = bits_0;
                }
                var along_4 : vec2<f32> = path_0[u32(3)] - path_0[u32(2)];
                var away_2 : vec2<f32> = _S73 - path_0[u32(2)];
                var square_2 : f32 = dot(along_4, along_4) + 9.99999971718068537e-10f;
                var norm_2 : f32 = sqrt(square_2);
                if(u32(2) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(2)], along_4);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_2, passed_2, norm_2, 1.0f / half_2);
                }
                if(u32(2) >= _S75)
                {
                    _S78 = u32(2) <= _S76;
                }
                else
                {
                    _S78 = false;
                }
                var passed_3 : f32;
                var _S79 : bool;
                var near_3 : u32;
                if(_S78)
                {
                    var apart_3 : vec2<f32> = away_2 - vec2<f32>(saturate(dot(away_2, along_4) / square_2)) * along_4;
                    if(u32(2) == _S75)
                    {
                        _S79 = true;
                    }
                    else
                    {
                        _S79 = u32(2) == _S76;
                    }
                    if(_S79)
                    {
                        passed_3 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_3 = 1.0f;
                    }
                    var reach_2 : f32 = passed_3 * half_2 + 3.84999990463256836f;
                    if((dot(apart_3, apart_3)) <= (reach_2 * reach_2))
                    {
                        near_3 = (near_2 | (u32(4)));
                    }
                    else
                    {
                        near_3 = near_2;
                    }
                    passed_3 = passed_2 + norm_2;
                }
                else
                {
                    passed_3 = passed_2;
                    near_3 = near_2;
                }
                var along_5 : vec2<f32> = path_0[u32(4)] - path_0[u32(3)];
                var away_3 : vec2<f32> = _S73 - path_0[u32(3)];
                var square_3 : f32 = dot(along_5, along_5) + 9.99999971718068537e-10f;
                var norm_3 : f32 = sqrt(square_3);
                if(u32(3) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(3)], along_5);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_3, passed_3, norm_3, 1.0f / half_2);
                }
                if(u32(3) >= _S75)
                {
                    _S79 = u32(3) <= _S76;
                }
                else
                {
                    _S79 = false;
                }
                var passed_4 : f32;
                var _S80 : bool;
                var near_4 : u32;
                if(_S79)
                {
                    var apart_4 : vec2<f32> = away_3 - vec2<f32>(saturate(dot(away_3, along_5) / square_3)) * along_5;
                    if(u32(3) == _S75)
                    {
                        _S80 = true;
                    }
                    else
                    {
                        _S80 = u32(3) == _S76;
                    }
                    if(_S80)
                    {
                        passed_4 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_4 = 1.0f;
                    }
                    var reach_3 : f32 = passed_4 * half_2 + 3.84999990463256836f;
                    if((dot(apart_4, apart_4)) <= (reach_3 * reach_3))
                    {
                        near_4 = (near_3 | (u32(8)));
                    }
                    else
                    {
                        near_4 = near_3;
                    }
                    passed_4 = passed_3 + norm_3;
                }
                else
                {
                    passed_4 = passed_3;
                    near_4 = near_3;
                }
                var along_6 : vec2<f32> = path_0[u32(5)] - path_0[u32(4)];
                var away_4 : vec2<f32> = _S73 - path_0[u32(4)];
                var square_4 : f32 = dot(along_6, along_6) + 9.99999971718068537e-10f;
                var norm_4 : f32 = sqrt(square_4);
                if(u32(4) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(4)], along_6);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_4, passed_4, norm_4, 1.0f / half_2);
                }
                if(u32(4) >= _S75)
                {
                    _S80 = u32(4) <= _S76;
                }
                else
                {
                    _S80 = false;
                }
                var passed_5 : f32;
                var _S81 : bool;
                var near_5 : u32;
                if(_S80)
                {
                    var apart_5 : vec2<f32> = away_4 - vec2<f32>(saturate(dot(away_4, along_6) / square_4)) * along_6;
                    if(u32(4) == _S75)
                    {
                        _S81 = true;
                    }
                    else
                    {
                        _S81 = u32(4) == _S76;
                    }
                    if(_S81)
                    {
                        passed_5 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_5 = 1.0f;
                    }
                    var reach_4 : f32 = passed_5 * half_2 + 3.84999990463256836f;
                    if((dot(apart_5, apart_5)) <= (reach_4 * reach_4))
                    {
                        near_5 = (near_4 | (u32(16)));
                    }
                    else
                    {
                        near_5 = near_4;
                    }
                    passed_5 = passed_4 + norm_4;
                }
                else
                {
                    passed_5 = passed_4;
                    near_5 = near_4;
                }
                var along_7 : vec2<f32> = path_0[u32(6)] - path_0[u32(5)];
                var away_5 : vec2<f32> = _S73 - path_0[u32(5)];
                var square_5 : f32 = dot(along_7, along_7) + 9.99999971718068537e-10f;
                var norm_5 : f32 = sqrt(square_5);
                if(u32(5) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(5)], along_7);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_5, passed_5, norm_5, 1.0f / half_2);
                }
                if(u32(5) >= _S75)
                {
                    _S81 = u32(5) <= _S76;
                }
                else
                {
                    _S81 = false;
                }
                var passed_6 : f32;
                var _S82 : bool;
                var near_6 : u32;
                if(_S81)
                {
                    var apart_6 : vec2<f32> = away_5 - vec2<f32>(saturate(dot(away_5, along_7) / square_5)) * along_7;
                    if(u32(5) == _S75)
                    {
                        _S82 = true;
                    }
                    else
                    {
                        _S82 = u32(5) == _S76;
                    }
                    if(_S82)
                    {
                        passed_6 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_6 = 1.0f;
                    }
                    var reach_5 : f32 = passed_6 * half_2 + 3.84999990463256836f;
                    if((dot(apart_6, apart_6)) <= (reach_5 * reach_5))
                    {
                        near_6 = (near_5 | (u32(32)));
                    }
                    else
                    {
                        near_6 = near_5;
                    }
                    passed_6 = passed_5 + norm_5;
                }
                else
                {
                    passed_6 = passed_5;
                    near_6 = near_5;
                }
                var along_8 : vec2<f32> = path_0[u32(7)] - path_0[u32(6)];
                var away_6 : vec2<f32> = _S73 - path_0[u32(6)];
                var square_6 : f32 = dot(along_8, along_8) + 9.99999971718068537e-10f;
                var norm_6 : f32 = sqrt(square_6);
                if(u32(6) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(6)], along_8);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_6, passed_6, norm_6, 1.0f / half_2);
                }
                if(u32(6) >= _S75)
                {
                    _S82 = u32(6) <= _S76;
                }
                else
                {
                    _S82 = false;
                }
                var passed_7 : f32;
                var _S83 : bool;
                var near_7 : u32;
                if(_S82)
                {
                    var apart_7 : vec2<f32> = away_6 - vec2<f32>(saturate(dot(away_6, along_8) / square_6)) * along_8;
                    if(u32(6) == _S75)
                    {
                        _S83 = true;
                    }
                    else
                    {
                        _S83 = u32(6) == _S76;
                    }
                    if(_S83)
                    {
                        passed_7 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_7 = 1.0f;
                    }
                    var reach_6 : f32 = passed_7 * half_2 + 3.84999990463256836f;
                    if((dot(apart_7, apart_7)) <= (reach_6 * reach_6))
                    {
                        near_7 = (near_6 | (u32(64)));
                    }
                    else
                    {
                        near_7 = near_6;
                    }
                    passed_7 = passed_6 + norm_6;
                }
                else
                {
                    passed_7 = passed_6;
                    near_7 = near_6;
                }
                var along_9 : vec2<f32> = path_0[u32(8)] - path_0[u32(7)];
                var away_7 : vec2<f32> = _S73 - path_0[u32(7)];
                var square_7 : f32 = dot(along_9, along_9) + 9.99999971718068537e-10f;
                var norm_7 : f32 = sqrt(square_7);
                if(u32(7) == _S52)
                {
                    segments_0[thread_1] = vec4<f32>(path_0[u32(7)], along_9);
                    lengths_0[thread_1] = vec4<f32>(1.0f / square_7, passed_7, norm_7, 1.0f / half_2);
                }
                if(u32(7) >= _S75)
                {
                    _S83 = u32(7) <= _S76;
                }
                else
                {
                    _S83 = false;
                }
                var passed_8 : f32;
                var near_8 : u32;
                if(_S83)
                {
                    var apart_8 : vec2<f32> = away_7 - vec2<f32>(saturate(dot(away_7, along_9) / square_7)) * along_9;
                    var _S84 : bool;
                    if(u32(7) == _S75)
                    {
                        _S84 = true;
                    }
                    else
                    {
                        _S84 = u32(7) == _S76;
                    }
                    if(_S84)
                    {
                        passed_8 = 1.39999997615814209f;
                    }
                    else
                    {
                        passed_8 = 1.0f;
                    }
                    var reach_7 : f32 = passed_8 * half_2 + 3.84999990463256836f;
                    if((dot(apart_8, apart_8)) <= (reach_7 * reach_7))
                    {
                        near_8 = (near_7 | (u32(128)));
                    }
                    else
                    {
                        near_8 = near_7;
                    }
                    passed_8 = passed_7 + norm_7;
                }
                else
                {
                    passed_8 = passed_7;
                    near_8 = near_7;
                }
                var _S85 : f32 = min(1.0f, 1.5f * f32(((paint_1.y) >> (u32(16)))) / 4095.0f);
                if(_S52 == u32(0))
                {
                    heads_0[u32(2) * stroke_1] = vec4<u32>((bitcast<u32>((half_2))), (bitcast<vec3<u32>>((paint_colour_0(paint_1)))));
                }
                if(_S52 == u32(1))
                {
                    heads_0[u32(2) * stroke_1 + u32(1)] = vec4<u32>((bitcast<u32>((_S85))), (bitcast<u32>((passed_8))), _S68, paint_1.z);
                }
                near_segments_0[stroke_1 * u32(8) + _S52] = near_8;
                if(near_8 != u32(0))
                {
                    var _S86 : u32 = atomicAdd(&(near_strokes_0[_S52]), (u32(1) << (stroke_1)));
                }
            }
            workgroupBarrier();
            var _S87 : u32 = atomicLoad(&(near_strokes_0[part_1]));
            bits_0 = _S87;
            for(;;)
            {
                if(bits_0 != u32(0))
                {
                    _S64 = (pixel_1.seen_0) >= 0.02999999932944775f;
                }
                else
                {
                    _S64 = false;
                }
                if(_S64)
                {
                }
                else
                {
                    break;
                }
                var bits_1 : u32 = (bits_0 & ((bits_0 - u32(1))));
                add_stroke_0(&(pixel_1), firstbitlow_0(bits_0), part_1, middle_0, own_2);
                bits_0 = bits_1;
            }
            if((pixel_1.seen_0) >= 0.02999999932944775f)
            {
                var _S88 : u32 = atomicAdd(&(shared_counts_0[i32(0)]), u32(1));
            }
            workgroupBarrier();
            var _S89 : u32 = atomicLoad(&(shared_counts_0[i32(0)]));
            var _S90 : bool = _S89 > u32(0);
            workgroupBarrier();
            begin_0 = begin_0 + u32(32);
            open_0 = _S90;
        }
        open_1 = open_0;
        high_1 = low_5;
    }
    var near_9 : Between_0 = between_samples_0(in_level_0(middle_0, Constants_0.ground_level_0), vec4<u32>(u32(0), Constants_0.levels_0[Constants_0.ground_level_0].yzw));
    var _S91 : vec4<f32> = vec4<f32>(near_9.share_4.x);
    var _S92 : vec3<f32> = mix(mix(ground_0[near_9.at_1.x], ground_0[near_9.at_1.y], _S91), mix(ground_0[near_9.at_1.z], ground_0[near_9.at_1.w], _S91), vec4<f32>(near_9.share_4.y)).xyz;
    var under_0 : vec3<f32>;
    if(REVEALED_0 == i32(1))
    {
        var spot_2 : vec2<f32> = middle_0 / vec2<f32>(Constants_0.size_0);
        if((Constants_0.covers_0) == u32(1))
        {
            pixel_1.colour_0 = vec3<f32>((1.0f - pixel_1.seen_0));
            under_0 = vec3<f32>(1.0f);
        }
        else
        {
            under_0 = _S92;
        }
        under_0 = Constants_0.bare_0.xyz + vec3<f32>(wash_at_0(Constants_0.front_0, spot_2.x, spot_2.y)) * (under_0 - Constants_0.bare_0.xyz);
    }
    else
    {
        under_0 = _S92;
    }
    var _S93 : vec3<f32> = pixel_1.colour_0 + vec3<f32>(pixel_1.seen_0) * under_0;
    pixel_1.colour_0 = _S93;
    pixel_1.height_0 = pixel_1.height_0 + pixel_1.seen_0 * 0.15000000596046448f;
    var cover_0 : f32 = Constants_0.brush_0 * (1.0f - left_at_0(middle_0));
    var made_0 : vec3<f32> = saturate(own_2 + vec3<f32>(cover_0) * (_S93 - own_2));
    var o_0 : u32 = inside_2.y * Constants_0.size_0.x + inside_2.x;
    var made_1 : vec3<f32>;
    if((Constants_0.detail_0) > 0.0f)
    {
        made_1 = saturate(made_0 + vec3<f32>((Constants_0.detail_0 * fine_0[o_0])));
    }
    else
    {
        made_1 = made_0;
    }
    if(shown_0)
    {
        textureStore((brushed_0), (at_4), (vec4<f32>(made_1, cover_0 * pixel_1.height_0 / 2.0f)));
    }
    var _S94 : u32 = corner_0.y;
    var _S95 : u32 = corner_0.x;
    keys_0[u32(16) * (at_4.y - _S94) + at_4.x - _S95] = shade_of_0(luma_of_0(made_1), at_4);
    workgroupBarrier();
    var first_cell_0 : vec2<u32> = corner_0 / vec2<u32>(Constants_0.cell_px_0);
    var most_0 : vec2<u32> = min(corner_0 + vec2<u32>(u32(16), u32(16)), Constants_0.size_0);
    var _S96 : vec2<u32> = (most_0 - _S53) / vec2<u32>(Constants_0.cell_px_0);
    var _S97 : vec2<u32> = _S96 - first_cell_0 + _S53;
    k_2 = thread_1;
    for(;;)
    {
        var _S98 : u32 = _S97.x;
        if(k_2 < (_S98 * _S97.y))
        {
        }
        else
        {
            break;
        }
        var _S99 : u32 = k_2 % _S98;
        var _S100 : u32 = k_2 / _S98;
        var cell_0 : vec2<u32> = first_cell_0 + vec2<u32>(_S99, _S100);
        var low_6 : vec2<u32> = max(cell_0 * vec2<u32>(Constants_0.cell_px_0), corner_0);
        var _S101 : vec2<u32> = min((cell_0 + _S53) * vec2<u32>(Constants_0.cell_px_0), most_0);
        low_5 = low_6.y;
        begin_0 = u32(0);
        for(;;)
        {
            if(low_5 < (_S101.y))
            {
            }
            else
            {
                break;
            }
            bits_0 = low_6.x;
            for(;;)
            {
                if(bits_0 < (_S101.x))
                {
                }
                else
                {
                    break;
                }
                var sum_0 : u32 = begin_0 + keys_0[(low_5 - _S94) * u32(16) + bits_0 - _S95];
                bits_0 = bits_0 + u32(1);
                begin_0 = sum_0;
            }
            low_5 = low_5 + u32(1);
        }
        var _S102 : u32 = atomicAdd(&(sums_0[cell_0.y * Constants_0.cells_0.x + cell_0.x]), begin_0);
        k_2 = k_2 + u32(256);
    }
    return;
}

