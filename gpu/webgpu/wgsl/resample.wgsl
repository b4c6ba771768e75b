// resample.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 9b3f51f89d9afa798263f354a4662799 2f5e7b36800e642b3a6a861a1f86f36c
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
@binding(1) @group(0) var<storage, read> filter_0 : array<f32>;

@binding(0) @group(0) var<storage, read> input_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> tensor_0 : array<f32>;

@id(0) override AXIS_0 : i32 = i32(0);

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S2 : u32 = id_0.x;
    var bad_0 : bool;
    if(_S2 >= (Constants_0.padded_0.x))
    {
        bad_0 = true;
    }
    else
    {
        bad_0 = (id_0.y) >= (Constants_0.padded_0.y);
    }
    if(bad_0)
    {
        return;
    }
    var at_0 : vec2<u32> = min(id_0.xy, Constants_0.size_0 - vec2<u32>(u32(1)));
    var _S3 : u32 = Constants_0.input_size_0.x * Constants_0.input_size_0.y;
    var to_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var _S4 : u32;
    if(AXIS_0 == i32(0))
    {
        _S4 = at_0.x;
    }
    else
    {
        _S4 = at_0.y;
    }
    var row_0 : u32 = _S4 * (Constants_0.taps_0 + u32(1));
    var first_0 : u32 = u32(filter_0[row_0]);
    if(AXIS_0 == i32(0))
    {
        _S4 = at_0.y * Constants_0.input_size_0.x + first_0;
    }
    else
    {
        _S4 = first_0 * Constants_0.input_size_0.x + at_0.x;
    }
    var _S5 : u32;
    if(AXIS_0 == i32(0))
    {
        _S5 = u32(1);
    }
    else
    {
        _S5 = Constants_0.input_size_0.x;
    }
    var _S6 : u32 = row_0 + u32(1);
    var _S7 : vec3<f32> = vec3<f32>(0.0f);
    bad_0 = false;
    var k_0 : u32 = u32(0);
    var sum_0 : vec3<f32> = _S7;
    for(;;)
    {
        if(k_0 < (Constants_0.taps_0))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = _S4 + k_0 * _S5;
        var v_2 : vec3<f32> = vec3<f32>(input_0[i_0], input_0[i_0 + _S3], input_0[i_0 + u32(2) * _S3]);
        var v_3 : vec3<f32>;
        if(AXIS_0 == i32(0))
        {
            var _S8 : bool;
            if(bad_0)
            {
                _S8 = true;
            }
            else
            {
                _S8 = (any((not_finite_parts_0(v_2))));
            }
            v_3 = cleaned_0(v_2);
            bad_0 = _S8;
        }
        else
        {
            v_3 = v_2;
        }
        var sum_1 : vec3<f32> = sum_0 + vec3<f32>(filter_0[_S6 + k_0]) * v_3;
        k_0 = k_0 + u32(1);
        sum_0 = sum_1;
    }
    if(bad_0)
    {
        not_finite_0[i32(0)] = u32(1);
    }
    if(AXIS_0 == i32(1))
    {
        sum_0 = clamp(sum_0, _S7, vec3<f32>(Constants_0.top_0));
    }
    var o_0 : u32 = id_0.y * Constants_0.padded_0.x + _S2;
    tensor_0[o_0] = sum_0.x;
    tensor_0[o_0 + to_0] = sum_0.y;
    tensor_0[o_0 + u32(2) * to_0] = sum_0.z;
    return;
}

