// stroke_first_level.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// eeb4bcc1e3772377b70a629187c96c18 cbe52ea134332b319dc704e86bb28a99
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
@binding(0) @group(0) var<storage, read> painted_0 : array<u32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(1) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f32>>;

@id(0) override PACKED_0 : i32 = i32(0);

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

fn luma_of_0( v_2 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_2.x + 0.71520000696182251f * v_2.y + 0.07220000028610229f * v_2.z;
}

fn light_at_0( at_0 : vec2<i32>) -> f32
{
    var plane_0 : u32 = Constants_0.film_padded_0.x * Constants_0.film_padded_0.y;
    var i_0 : u32 = u32(at_0.y) * Constants_0.film_padded_0.x + u32(at_0.x);
    return luma_of_0(vec3<f32>(frame_0[i_0], frame_0[i_0 + plane_0], frame_0[i_0 + u32(2) * plane_0]));
}

fn film_at_0( at_1 : vec2<u32>) -> f32
{
    var _S2 : vec2<f32> = vec2<f32>(0.5f);
    var place_1 : vec2<f32> = (vec2<f32>(at_1) + _S2) * Constants_0.film_step_0 - _S2;
    var low_0 : vec2<f32> = floor(place_1);
    var share_0 : vec2<f32> = place_1 - low_0;
    var _S3 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.film_0) - _S3;
    var _S4 : vec2<i32> = vec2<i32>(low_0);
    const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S4, _S5, last_0);
    var b_0 : vec2<i32> = clamp(_S4 + _S3, _S5, last_0);
    var _S6 : f32 = share_0.x;
    return mix(mix(light_at_0(a_0), light_at_0(vec2<i32>(b_0.x, a_0.y)), _S6), mix(light_at_0(vec2<i32>(a_0.x, b_0.y)), light_at_0(b_0), _S6), share_0.y);
}

fn keep_sample_0( value_0 : vec4<f32>,  level_0 : vec4<u32>,  at_2 : vec2<u32>)
{
    var _S7 : bool;
    if((level_0.w) == u32(1))
    {
        _S7 = (at_2.x) < (level_0.y);
    }
    else
    {
        _S7 = false;
    }
    if(_S7)
    {
        _S7 = (at_2.y) < (level_0.z);
    }
    else
    {
        _S7 = false;
    }
    if(_S7)
    {
        made_0[level_0.x + at_2.y * level_0.y + at_2.x] = value_0;
    }
    return;
}

var<workgroup> below_0 : array<vec4<f32>, i32(256)>;

fn make_levels_0( value_1 : vec4<f32>,  number_0 : u32,  group_0 : vec2<u32>,  thread_0 : u32)
{
    below_0[thread_0] = value_1;
    workgroupBarrier();
    var _S8 : vec4<f32>;
    if(thread_0 < u32(64))
    {
        var within_0 : vec2<u32> = vec2<u32>(thread_0 % u32(8), thread_0 / u32(8));
        var _S9 : u32 = number_0 + u32(1);
        var _S10 : vec2<i32> = vec2<i32>(i32(1));
        var _S11 : vec2<i32> = vec2<i32>(vec2<u32>(u32(2)) * within_0);
        var _S12 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S9 - u32(1)].yz) - _S10 - vec2<i32>(group_0 * vec2<u32>(u32(16))), vec2<i32>(i32(0)));
        var a_1 : vec2<i32> = min(_S11, _S12);
        var b_1 : vec2<i32> = min(_S11 + _S10, _S12);
        var _S13 : i32 = a_1.y * i32(16);
        var _S14 : i32 = a_1.x;
        var _S15 : i32 = b_1.x;
        var _S16 : i32 = b_1.y * i32(16);
        var _S17 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S13 + _S14] + below_0[_S13 + _S15] + below_0[_S16 + _S14] + below_0[_S16 + _S15]);
        keep_sample_0(_S17, Constants_0.levels_0[_S9], group_0 * vec2<u32>(u32(8)) + within_0);
        _S8 = _S17;
    }
    else
    {
        _S8 = value_1;
    }
    workgroupBarrier();
    below_0[thread_0] = _S8;
    workgroupBarrier();
    if(thread_0 < u32(16))
    {
        var within_1 : vec2<u32> = vec2<u32>(thread_0 % u32(4), thread_0 / u32(4));
        var _S18 : u32 = number_0 + u32(2);
        var _S19 : vec2<i32> = vec2<i32>(i32(1));
        var _S20 : vec2<i32> = vec2<i32>(vec2<u32>(u32(2)) * within_1);
        var _S21 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S18 - u32(1)].yz) - _S19 - vec2<i32>(group_0 * vec2<u32>(u32(8))), vec2<i32>(i32(0)));
        var a_2 : vec2<i32> = min(_S20, _S21);
        var b_2 : vec2<i32> = min(_S20 + _S19, _S21);
        var _S22 : i32 = a_2.y * i32(8);
        var _S23 : i32 = a_2.x;
        var _S24 : i32 = b_2.x;
        var _S25 : i32 = b_2.y * i32(8);
        var _S26 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S22 + _S23] + below_0[_S22 + _S24] + below_0[_S25 + _S23] + below_0[_S25 + _S24]);
        keep_sample_0(_S26, Constants_0.levels_0[_S18], group_0 * vec2<u32>(u32(4)) + within_1);
        _S8 = _S26;
    }
    workgroupBarrier();
    below_0[thread_0] = _S8;
    workgroupBarrier();
    if(thread_0 < u32(4))
    {
        var within_2 : vec2<u32> = vec2<u32>(thread_0 % u32(2), thread_0 / u32(2));
        var _S27 : u32 = number_0 + u32(3);
        var _S28 : vec2<i32> = vec2<i32>(i32(1));
        var _S29 : vec2<u32> = vec2<u32>(u32(2));
        var _S30 : vec2<i32> = vec2<i32>(_S29 * within_2);
        var _S31 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S27 - u32(1)].yz) - _S28 - vec2<i32>(group_0 * vec2<u32>(u32(4))), vec2<i32>(i32(0)));
        var a_3 : vec2<i32> = min(_S30, _S31);
        var b_3 : vec2<i32> = min(_S30 + _S28, _S31);
        var _S32 : i32 = a_3.y * i32(4);
        var _S33 : i32 = a_3.x;
        var _S34 : i32 = b_3.x;
        var _S35 : i32 = b_3.y * i32(4);
        var _S36 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S32 + _S33] + below_0[_S32 + _S34] + below_0[_S35 + _S33] + below_0[_S35 + _S34]);
        keep_sample_0(_S36, Constants_0.levels_0[_S27], group_0 * _S29 + within_2);
        _S8 = _S36;
    }
    workgroupBarrier();
    below_0[thread_0] = _S8;
    workgroupBarrier();
    if(thread_0 < u32(1))
    {
        var within_3 : vec2<u32> = vec2<u32>(thread_0 % u32(1), thread_0);
        var _S37 : u32 = number_0 + u32(4);
        var _S38 : vec2<i32> = vec2<i32>(i32(1));
        var _S39 : vec2<u32> = vec2<u32>(u32(2));
        var _S40 : vec2<i32> = vec2<i32>(_S39 * within_3);
        var _S41 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S37 - u32(1)].yz) - _S38 - vec2<i32>(group_0 * _S39), vec2<i32>(i32(0)));
        var a_4 : vec2<i32> = min(_S40, _S41);
        var b_4 : vec2<i32> = min(_S40 + _S38, _S41);
        var _S42 : i32 = a_4.y * i32(2);
        var _S43 : i32 = a_4.x;
        var _S44 : i32 = b_4.x;
        var _S45 : i32 = b_4.y * i32(2);
        keep_sample_0(vec4<f32>(0.25f) * (below_0[_S42 + _S43] + below_0[_S42 + _S44] + below_0[_S45 + _S43] + below_0[_S45 + _S44]), Constants_0.levels_0[_S37], group_0 + within_3);
    }
    workgroupBarrier();
    return;
}

fn painting_number_0( _S46 : vec2<u32>,  _S47 : u32,  _S48 : vec2<u32>) -> f32
{
    var row_0 : u32 = _S47 * _S48.y + _S46.y;
    if(PACKED_0 == i32(0))
    {
        return (bitcast<f32>((painted_0[row_0 * _S48.x + _S46.x])));
    }
    var _S49 : u32 = _S46.x;
    return f32((((painted_0[row_0 * ((_S48.x + u32(1)) / u32(2)) + _S49 / u32(2)] >> ((u32(16) * (_S49 % u32(2)))))) & (u32(65535)))) / 65535.0f;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_1 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var _S50 : vec2<u32> = id_0.xy;
    var _S51 : vec2<u32> = vec2<u32>(u32(2)) * _S50;
    var _S52 : vec2<u32> = vec2<u32>(u32(1));
    var inside_0 : vec2<u32> = min(_S51, Constants_0.size_0 - _S52);
    var v_3 : vec3<f32> = vec3<f32>(painting_number_0(inside_0, u32(0), Constants_0.painted_size_0), painting_number_0(inside_0, u32(1), Constants_0.painted_size_0), painting_number_0(inside_0, u32(2), Constants_0.painted_size_0));
    if((any((not_finite_parts_0(v_3)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var _S53 : vec4<f32> = vec4<f32>(cleaned_0(v_3), film_at_0(_S51));
    var at_3 : vec2<u32> = _S51 + vec2<u32>(u32(1), u32(0));
    var inside_1 : vec2<u32> = min(at_3, Constants_0.size_0 - _S52);
    var v_4 : vec3<f32> = vec3<f32>(painting_number_0(inside_1, u32(0), Constants_0.painted_size_0), painting_number_0(inside_1, u32(1), Constants_0.painted_size_0), painting_number_0(inside_1, u32(2), Constants_0.painted_size_0));
    if((any((not_finite_parts_0(v_4)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var sum_0 : vec4<f32> = _S53 + vec4<f32>(cleaned_0(v_4), film_at_0(at_3));
    var at_4 : vec2<u32> = _S51 + vec2<u32>(u32(0), u32(1));
    var inside_2 : vec2<u32> = min(at_4, Constants_0.size_0 - _S52);
    var v_5 : vec3<f32> = vec3<f32>(painting_number_0(inside_2, u32(0), Constants_0.painted_size_0), painting_number_0(inside_2, u32(1), Constants_0.painted_size_0), painting_number_0(inside_2, u32(2), Constants_0.painted_size_0));
    if((any((not_finite_parts_0(v_5)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var sum_1 : vec4<f32> = sum_0 + vec4<f32>(cleaned_0(v_5), film_at_0(at_4));
    var at_5 : vec2<u32> = _S51 + vec2<u32>(u32(1), u32(1));
    var inside_3 : vec2<u32> = min(at_5, Constants_0.size_0 - _S52);
    var v_6 : vec3<f32> = vec3<f32>(painting_number_0(inside_3, u32(0), Constants_0.painted_size_0), painting_number_0(inside_3, u32(1), Constants_0.painted_size_0), painting_number_0(inside_3, u32(2), Constants_0.painted_size_0));
    if((any((not_finite_parts_0(v_6)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var sum_2 : vec4<f32> = sum_1 + vec4<f32>(cleaned_0(v_6), film_at_0(at_5));
    var value_2 : vec4<f32> = vec4<f32>(0.25f) * sum_2;
    keep_sample_0(value_2, Constants_0.levels_0[i32(1)], _S50);
    make_levels_0(value_2, u32(1), group_1.xy, thread_1);
    return;
}

