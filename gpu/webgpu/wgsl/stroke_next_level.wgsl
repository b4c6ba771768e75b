// stroke_next_level.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// ed9f459c62c1cc8bda5251b44a0c1f76 6f5330c0a40264e20fb2ac2fffaf7145
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) levels_0 : array<vec4<u32>, i32(14)>,
    @align(16) last_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f32>>;

var<workgroup> below_0 : array<vec4<f32>, i32(256)>;

fn keep_sample_0( value_0 : vec4<f32>,  level_0 : vec4<u32>,  at_0 : vec2<u32>)
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

fn make_levels_0( value_1 : vec4<f32>,  number_0 : u32,  group_0 : vec2<u32>,  thread_0 : u32)
{
    below_0[thread_0] = value_1;
    workgroupBarrier();
    var _S2 : vec4<f32>;
    if(thread_0 < u32(64))
    {
        var within_0 : vec2<u32> = vec2<u32>(thread_0 % u32(8), thread_0 / u32(8));
        var _S3 : u32 = number_0 + u32(1);
        var _S4 : vec2<i32> = vec2<i32>(i32(1));
        var _S5 : vec2<i32> = vec2<i32>(vec2<u32>(u32(2)) * within_0);
        var _S6 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S3 - u32(1)].yz) - _S4 - vec2<i32>(group_0 * vec2<u32>(u32(16))), vec2<i32>(i32(0)));
        var a_0 : vec2<i32> = min(_S5, _S6);
        var b_0 : vec2<i32> = min(_S5 + _S4, _S6);
        var _S7 : i32 = a_0.y * i32(16);
        var _S8 : i32 = a_0.x;
        var _S9 : i32 = b_0.x;
        var _S10 : i32 = b_0.y * i32(16);
        var _S11 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S7 + _S8] + below_0[_S7 + _S9] + below_0[_S10 + _S8] + below_0[_S10 + _S9]);
        keep_sample_0(_S11, Constants_0.levels_0[_S3], group_0 * vec2<u32>(u32(8)) + within_0);
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
        var _S15 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S12 - u32(1)].yz) - _S13 - vec2<i32>(group_0 * vec2<u32>(u32(8))), vec2<i32>(i32(0)));
        var a_1 : vec2<i32> = min(_S14, _S15);
        var b_1 : vec2<i32> = min(_S14 + _S13, _S15);
        var _S16 : i32 = a_1.y * i32(8);
        var _S17 : i32 = a_1.x;
        var _S18 : i32 = b_1.x;
        var _S19 : i32 = b_1.y * i32(8);
        var _S20 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S16 + _S17] + below_0[_S16 + _S18] + below_0[_S19 + _S17] + below_0[_S19 + _S18]);
        keep_sample_0(_S20, Constants_0.levels_0[_S12], group_0 * vec2<u32>(u32(4)) + within_1);
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
        var _S25 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S21 - u32(1)].yz) - _S22 - vec2<i32>(group_0 * vec2<u32>(u32(4))), vec2<i32>(i32(0)));
        var a_2 : vec2<i32> = min(_S24, _S25);
        var b_2 : vec2<i32> = min(_S24 + _S22, _S25);
        var _S26 : i32 = a_2.y * i32(4);
        var _S27 : i32 = a_2.x;
        var _S28 : i32 = b_2.x;
        var _S29 : i32 = b_2.y * i32(4);
        var _S30 : vec4<f32> = vec4<f32>(0.25f) * (below_0[_S26 + _S27] + below_0[_S26 + _S28] + below_0[_S29 + _S27] + below_0[_S29 + _S28]);
        keep_sample_0(_S30, Constants_0.levels_0[_S21], group_0 * _S23 + within_2);
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
        var _S35 : vec2<i32> = max(vec2<i32>(Constants_0.levels_0[_S31 - u32(1)].yz) - _S32 - vec2<i32>(group_0 * _S33), vec2<i32>(i32(0)));
        var a_3 : vec2<i32> = min(_S34, _S35);
        var b_3 : vec2<i32> = min(_S34 + _S32, _S35);
        var _S36 : i32 = a_3.y * i32(2);
        var _S37 : i32 = a_3.x;
        var _S38 : i32 = b_3.x;
        var _S39 : i32 = b_3.y * i32(2);
        keep_sample_0(vec4<f32>(0.25f) * (below_0[_S36 + _S37] + below_0[_S36 + _S38] + below_0[_S39 + _S37] + below_0[_S39 + _S38]), Constants_0.levels_0[_S31], group_0 + within_3);
    }
    workgroupBarrier();
    return;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_1 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var at_1 : vec2<u32> = min(id_0.xy, Constants_0.levels_0[Constants_0.last_0].yz - vec2<u32>(u32(1)));
    make_levels_0(made_0[Constants_0.levels_0[Constants_0.last_0].x + at_1.y * Constants_0.levels_0[Constants_0.last_0].y + at_1.x], Constants_0.last_0, group_1.xy, thread_1);
    return;
}

