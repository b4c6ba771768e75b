// stroke_tensor.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 15e86f77a7e6606445718b5469fdd972 af0807b3a474d062d84e234afa52e79b
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
@binding(0) @group(0) var<storage, read> lower_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec2<f32>>;

var<workgroup> lights_0 : array<vec2<f32>, i32(324)>;

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn keep_sample_0( value_0 : vec2<f32>,  level_0 : vec4<u32>,  at_0 : vec2<u32>)
{
    var _S1 : bool;
    if((level_0.w) == u32(1))
    {
        _S1 = (at_0.x) < (level_0.y);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        _S1 = (at_0.y) < (level_0.z);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        made_0[level_0.x + at_0.y * level_0.y + at_0.x] = value_0;
    }
    return;
}

var<workgroup> below_0 : array<vec2<f32>, i32(256)>;

fn make_levels_0( value_1 : vec2<f32>,  number_0 : u32,  group_0 : vec2<u32>,  thread_0 : u32)
{
    below_0[thread_0] = value_1;
    workgroupBarrier();
    var _S2 : vec2<f32>;
    if(thread_0 < u32(64))
    {
        var within_0 : vec2<u32> = vec2<u32>(thread_0 % u32(8), thread_0 / u32(8));
        var _S3 : u32 = number_0 + u32(1);
        var _S4 : vec2<i32> = vec2<i32>(i32(1));
        var _S5 : vec2<i32> = vec2<i32>(vec2<u32>(u32(2)) * within_0);
        var _S6 : vec2<i32> = max(vec2<i32>(Constants_0.tensors_0[_S3 - u32(1)].yz) - _S4 - vec2<i32>(group_0 * vec2<u32>(u32(16))), vec2<i32>(i32(0)));
        var a_0 : vec2<i32> = min(_S5, _S6);
        var b_0 : vec2<i32> = min(_S5 + _S4, _S6);
        var _S7 : i32 = a_0.y * i32(16);
        var _S8 : i32 = a_0.x;
        var _S9 : i32 = b_0.x;
        var _S10 : i32 = b_0.y * i32(16);
        var _S11 : vec2<f32> = vec2<f32>(0.25f) * (below_0[_S7 + _S8] + below_0[_S7 + _S9] + below_0[_S10 + _S8] + below_0[_S10 + _S9]);
        keep_sample_0(_S11, Constants_0.tensors_0[_S3], group_0 * vec2<u32>(u32(8)) + within_0);
        _S2 = _S11;
    }
    else
    {
        _S2 = value_1;
    }
    workgroupBarrier();
    below_0[thread_0] = _S2;
    workgroupBarrier();
    if(thread_0 < u32(16))
    {
        var within_1 : vec2<u32> = vec2<u32>(thread_0 % u32(4), thread_0 / u32(4));
        var _S12 : u32 = number_0 + u32(2);
        var _S13 : vec2<i32> = vec2<i32>(i32(1));
        var _S14 : vec2<i32> = vec2<i32>(vec2<u32>(u32(2)) * within_1);
        var _S15 : vec2<i32> = max(vec2<i32>(Constants_0.tensors_0[_S12 - u32(1)].yz) - _S13 - vec2<i32>(group_0 * vec2<u32>(u32(8))), vec2<i32>(i32(0)));
        var a_1 : vec2<i32> = min(_S14, _S15);
        var b_1 : vec2<i32> = min(_S14 + _S13, _S15);
        var _S16 : i32 = a_1.y * i32(8);
        var _S17 : i32 = a_1.x;
        var _S18 : i32 = b_1.x;
        var _S19 : i32 = b_1.y * i32(8);
        var _S20 : vec2<f32> = vec2<f32>(0.25f) * (below_0[_S16 + _S17] + below_0[_S16 + _S18] + below_0[_S19 + _S17] + below_0[_S19 + _S18]);
        keep_sample_0(_S20, Constants_0.tensors_0[_S12], group_0 * vec2<u32>(u32(4)) + within_1);
        _S2 = _S20;
    }
    workgroupBarrier();
    below_0[thread_0] = _S2;
    workgroupBarrier();
    if(thread_0 < u32(4))
    {
        var within_2 : vec2<u32> = vec2<u32>(thread_0 % u32(2), thread_0 / u32(2));
        var _S21 : u32 = number_0 + u32(3);
        var _S22 : vec2<i32> = vec2<i32>(i32(1));
        var _S23 : vec2<u32> = vec2<u32>(u32(2));
        var _S24 : vec2<i32> = vec2<i32>(_S23 * within_2);
        var _S25 : vec2<i32> = max(vec2<i32>(Constants_0.tensors_0[_S21 - u32(1)].yz) - _S22 - vec2<i32>(group_0 * vec2<u32>(u32(4))), vec2<i32>(i32(0)));
        var a_2 : vec2<i32> = min(_S24, _S25);
        var b_2 : vec2<i32> = min(_S24 + _S22, _S25);
        var _S26 : i32 = a_2.y * i32(4);
        var _S27 : i32 = a_2.x;
        var _S28 : i32 = b_2.x;
        var _S29 : i32 = b_2.y * i32(4);
        var _S30 : vec2<f32> = vec2<f32>(0.25f) * (below_0[_S26 + _S27] + below_0[_S26 + _S28] + below_0[_S29 + _S27] + below_0[_S29 + _S28]);
        keep_sample_0(_S30, Constants_0.tensors_0[_S21], group_0 * _S23 + within_2);
        _S2 = _S30;
    }
    workgroupBarrier();
    below_0[thread_0] = _S2;
    workgroupBarrier();
    if(thread_0 < u32(1))
    {
        var within_3 : vec2<u32> = vec2<u32>(thread_0 % u32(1), thread_0);
        var _S31 : u32 = number_0 + u32(4);
        var _S32 : vec2<i32> = vec2<i32>(i32(1));
        var _S33 : vec2<u32> = vec2<u32>(u32(2));
        var _S34 : vec2<i32> = vec2<i32>(_S33 * within_3);
        var _S35 : vec2<i32> = max(vec2<i32>(Constants_0.tensors_0[_S31 - u32(1)].yz) - _S32 - vec2<i32>(group_0 * _S33), vec2<i32>(i32(0)));
        var a_3 : vec2<i32> = min(_S34, _S35);
        var b_3 : vec2<i32> = min(_S34 + _S32, _S35);
        var _S36 : i32 = a_3.y * i32(2);
        var _S37 : i32 = a_3.x;
        var _S38 : i32 = b_3.x;
        var _S39 : i32 = b_3.y * i32(2);
        keep_sample_0(vec2<f32>(0.25f) * (below_0[_S36 + _S37] + below_0[_S36 + _S38] + below_0[_S39 + _S37] + below_0[_S39 + _S38]), Constants_0.tensors_0[_S31], group_0 + within_3);
    }
    workgroupBarrier();
    return;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_1 : vec3<u32>, @builtin(local_invocation_id) within_4 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var _S40 : vec2<u32> = group_1.xy;
    var _S41 : vec2<i32> = vec2<i32>(i32(1));
    var _S42 : vec2<i32> = vec2<i32>(_S40 * vec2<u32>(u32(16))) - _S41;
    const _S43 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S44 : vec2<i32> = vec2<i32>(Constants_0.levels_0[Constants_0.tensor_level_0].yz) - _S41;
    var at_1 : vec2<i32> = clamp(_S42 + vec2<i32>(i32(thread_1 % u32(18)), i32(thread_1 / u32(18))), _S43, _S44);
    var _S45 : u32 = Constants_0.levels_0[Constants_0.tensor_level_0].y;
    var v_1 : vec4<f32> = lower_0[u32(at_1.y) * _S45 + u32(at_1.x)];
    if(thread_1 < u32(324))
    {
        lights_0[thread_1] = vec2<f32>(luma_of_0(v_1.xyz), v_1.w);
    }
    var i_0 : u32 = thread_1 + u32(256);
    var at_2 : vec2<i32> = clamp(_S42 + vec2<i32>(i32(i_0 % u32(18)), i32(i_0 / u32(18))), _S43, _S44);
    var v_2 : vec4<f32> = lower_0[u32(at_2.y) * _S45 + u32(at_2.x)];
    if(i_0 < u32(324))
    {
        lights_0[i_0] = vec2<f32>(luma_of_0(v_2.xyz), v_2.w);
    }
    workgroupBarrier();
    var above_0 : u32 = within_4.y * u32(18) + within_4.x;
    var here_0 : u32 = above_0 + u32(18);
    var low_0 : u32 = here_0 + u32(18);
    var _S46 : vec2<f32> = vec2<f32>(3.0f);
    var _S47 : vec2<f32> = vec2<f32>(10.0f);
    var _S48 : vec2<f32> = vec2<f32>(32.0f);
    var gx_0 : vec2<f32> = (_S46 * (lights_0[above_0 + u32(2)] - lights_0[above_0] + lights_0[low_0 + u32(2)] - lights_0[low_0]) + _S47 * (lights_0[here_0 + u32(2)] - lights_0[here_0])) / _S48;
    var gy_0 : vec2<f32> = (_S46 * (lights_0[low_0] - lights_0[above_0] + lights_0[low_0 + u32(2)] - lights_0[above_0 + u32(2)]) + _S47 * (lights_0[low_0 + u32(1)] - lights_0[above_0 + u32(1)])) / _S48;
    var first_0 : vec2<f32> = gx_0 * gx_0 - gy_0 * gy_0;
    var second_0 : vec2<f32> = vec2<f32>(2.0f) * gx_0 * gy_0;
    var value_2 : vec2<f32> = vec2<f32>(first_0.x + 1.5f * first_0.y, second_0.x + 1.5f * second_0.y);
    keep_sample_0(value_2, Constants_0.tensors_0[i32(0)], id_0.xy);
    make_levels_0(value_2, u32(0), _S40, thread_1);
    return;
}

