// enlarge.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// c3f42bc8a672a448885b4158f5962302 9803603df7607c00a0527f5657cd35ec
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) input_size_0 : vec2<u32>,
    @align(8) size_0 : vec2<u32>,
    @align(16) padded_0 : vec2<u32>,
    @align(8) taps_0 : u32,
    @align(4) top_0 : f32,
    @align(16) taps_rows_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> rows_0 : array<f32>;

@binding(1) @group(0) var<storage, read> columns_0 : array<f32>;

@binding(0) @group(0) var<storage, read> input_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> tensor_0 : array<u32>;

@id(0) override PACKS_0 : i32 = i32(0);

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

var<workgroup> between_0 : array<vec3<f32>, i32(448)>;

var<workgroup> pairs_0 : array<vec2<u32>, i32(256)>;

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var inside_0 : bool;
    var k_0 : u32;
    var sum_0 : vec3<f32>;
    var _S2 : vec2<u32> = vec2<u32>(u32(1));
    var at_0 : vec2<u32> = min(id_0.xy, Constants_0.size_0 - _S2);
    var _S3 : u32 = min(group_0.xy * vec2<u32>(u32(32), u32(8)), Constants_0.size_0 - _S2).y;
    var first_0 : u32 = u32(rows_0[_S3 * (Constants_0.taps_rows_0 + u32(1))]);
    var _S4 : u32 = u32(rows_0[min(_S3 + u32(8) - u32(1), Constants_0.size_0.y - u32(1)) * (Constants_0.taps_rows_0 + u32(1))]) + Constants_0.taps_rows_0;
    var column_0 : u32 = at_0.x * (Constants_0.taps_0 + u32(1));
    var _S5 : u32 = u32(columns_0[column_0]);
    var _S6 : u32 = column_0 + u32(1);
    var _S7 : u32 = Constants_0.input_size_0.x * Constants_0.input_size_0.y;
    var _S8 : u32 = within_0.y;
    var bad_0 : bool = false;
    var y_0 : u32 = _S8;
    for(;;)
    {
        if(y_0 < (_S4 - first_0))
        {
        }
        else
        {
            break;
        }
        var _S9 : vec3<f32> = vec3<f32>(0.0f);
        k_0 = u32(0);
        sum_0 = _S9;
        for(;;)
        {
            if(k_0 < (Constants_0.taps_0))
            {
            }
            else
            {
                break;
            }
            var i_0 : u32 = (first_0 + y_0) * Constants_0.input_size_0.x + _S5 + k_0;
            var v_2 : vec3<f32> = vec3<f32>(input_0[i_0], input_0[i_0 + _S7], input_0[i_0 + u32(2) * _S7]);
            if(bad_0)
            {
                inside_0 = true;
            }
            else
            {
                inside_0 = (any((not_finite_parts_0(v_2))));
            }
            var sum_1 : vec3<f32> = sum_0 + vec3<f32>(columns_0[_S6 + k_0]) * cleaned_0(v_2);
            var _S10 : u32 = k_0 + u32(1);
            bad_0 = inside_0;
            k_0 = _S10;
            sum_0 = sum_1;
        }
        between_0[y_0 * u32(32) + within_0.x] = sum_0;
        y_0 = y_0 + u32(8);
    }
    if(bad_0)
    {
        not_finite_0[i32(0)] = u32(1);
    }
    workgroupBarrier();
    var row_0 : u32 = at_0.y * (Constants_0.taps_rows_0 + u32(1));
    var _S11 : u32 = u32(rows_0[row_0]) - first_0;
    var _S12 : u32 = row_0 + u32(1);
    var _S13 : vec3<f32> = vec3<f32>(0.0f);
    k_0 = u32(0);
    sum_0 = _S13;
    for(;;)
    {
        if(k_0 < (Constants_0.taps_rows_0))
        {
        }
        else
        {
            break;
        }
        var sum_2 : vec3<f32> = sum_0 + vec3<f32>(rows_0[_S12 + k_0]) * between_0[(_S11 + k_0) * u32(32) + within_0.x];
        k_0 = k_0 + u32(1);
        sum_0 = sum_2;
    }
    var sum_3 : vec3<f32> = clamp(sum_0, _S13, vec3<f32>(Constants_0.top_0));
    var _S14 : u32 = id_0.y;
    var _S15 : u32 = id_0.x;
    var o_0 : u32 = _S14 * Constants_0.padded_0.x + _S15;
    var to_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    if(_S15 < (Constants_0.padded_0.x))
    {
        inside_0 = _S14 < (Constants_0.padded_0.y);
    }
    else
    {
        inside_0 = false;
    }
    if(PACKS_0 == i32(1))
    {
        var _S16 : vec3<u32> = vec3<u32>(vec3<f32>(65535.0f) * saturate(sum_3) + vec3<f32>(0.5f));
        pairs_0[thread_0] = vec2<u32>(((_S16.x) | ((((_S16.y) << (u32(16)))))), _S16.z);
        workgroupBarrier();
        if(!inside_0)
        {
            bad_0 = true;
        }
        else
        {
            bad_0 = (thread_0 % u32(2)) == u32(1);
        }
        if(bad_0)
        {
            return;
        }
        var width_0 : u32 = (Constants_0.padded_0.x + u32(1)) / u32(2);
        var i_1 : u32 = _S14 * width_0 + _S15 / u32(2);
        var plane_0 : u32 = width_0 * Constants_0.padded_0.y;
        var _S17 : u32 = pairs_0[thread_0].x;
        var _S18 : u32 = pairs_0[thread_0 + u32(1)].x;
        tensor_0[i_1] = (((_S17 & (u32(65535)))) | (((_S18 << (u32(16))))));
        tensor_0[i_1 + plane_0] = (((_S17 >> (u32(16)))) | (((_S18 & (u32(4294901760))))));
        tensor_0[i_1 + u32(2) * plane_0] = ((pairs_0[thread_0].y) | ((((pairs_0[thread_0 + u32(1)].y) << (u32(16))))));
    }
    else
    {
        if(inside_0)
        {
            tensor_0[o_0] = (bitcast<u32>((sum_3.x)));
            tensor_0[o_0 + to_0] = (bitcast<u32>((sum_3.y)));
            tensor_0[o_0 + u32(2) * to_0] = (bitcast<u32>((sum_3.z)));
        }
    }
    return;
}

