// table.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// d8e8352dc2a5fd959551b7576b35929d 12ff6ea6ed90d445fb87b303f2eef07d
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) planes_size_0 : vec2<u32>,
    @align(16) low_0 : vec4<f32>,
    @align(16) scale_0 : vec4<f32>,
    @align(16) points_0 : u32,
    @align(4) curve_points_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> input_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(2) @group(0) var<storage, read> curves_0 : array<f32>;

@binding(1) @group(0) var<storage, read> grid_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> tensor_0 : array<f32>;

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

fn on_curve_0( v_2 : f32,  first_0 : u32) -> f32
{
    var place_0 : f32 = v_2 * f32(Constants_0.curve_points_0 - u32(1));
    var _S2 : f32 = min(floor(place_0), f32(Constants_0.curve_points_0 - u32(2)));
    var at_0 : u32 = first_0 + u32(_S2);
    var a_0 : f32 = curves_0[at_0];
    return a_0 + (place_0 - _S2) * (curves_0[at_0 + u32(1)] - a_0);
}

fn at_corner_0( index_0 : f32) -> vec3<f32>
{
    return grid_0[u32(index_0)].xyz;
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S3 : u32 = id_0.x;
    var _S4 : bool;
    if(_S3 >= (Constants_0.size_0.x))
    {
        _S4 = true;
    }
    else
    {
        _S4 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S4)
    {
        return;
    }
    var plane_0 : u32 = Constants_0.planes_size_0.x * Constants_0.planes_size_0.y;
    var _S5 : u32 = id_0.y;
    var i_0 : u32 = _S5 * Constants_0.planes_size_0.x + _S3;
    var _S6 : u32 = u32(2) * plane_0;
    var v_3 : vec3<f32> = vec3<f32>(input_0[i_0], input_0[i_0 + plane_0], input_0[i_0 + _S6]);
    if((any((not_finite_parts_0(v_3)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var v_4 : vec3<f32> = saturate((cleaned_0(v_3) - Constants_0.low_0.xyz) * Constants_0.scale_0.xyz);
    var v_5 : vec3<f32>;
    if((Constants_0.curve_points_0) > u32(0))
    {
        v_5 = saturate(vec3<f32>(on_curve_0(v_4.x, u32(0)), on_curve_0(v_4.y, Constants_0.curve_points_0), on_curve_0(v_4.z, u32(2) * Constants_0.curve_points_0)));
    }
    else
    {
        v_5 = v_4;
    }
    var place_1 : vec3<f32> = v_5 * vec3<f32>(f32(Constants_0.points_0 - u32(1)));
    var cell_0 : vec3<f32> = min(floor(place_1), vec3<f32>(f32(Constants_0.points_0 - u32(2))));
    var f_0 : vec3<f32> = place_1 - cell_0;
    var _S7 : f32 = f_0.x;
    var _S8 : f32 = f_0.y;
    var _S9 : f32 = max(_S7, _S8);
    var _S10 : f32 = f_0.z;
    var _S11 : f32 = max(_S9, _S10);
    var _S12 : f32 = min(_S7, _S8);
    var _S13 : f32 = min(_S12, _S10);
    var _S14 : f32 = max(_S12, min(_S9, _S10));
    var side_0 : f32 = f32(Constants_0.points_0);
    var steps_0 : vec3<f32> = vec3<f32>(side_0 * side_0, side_0, 1.0f);
    var _S15 : f32 = step(_S8, _S7);
    var _S16 : f32 = step(_S10, _S7);
    var _S17 : f32 = _S15 * _S16;
    var first_1 : vec3<f32> = vec3<f32>(_S17, 0.0f, 0.0f);
    var _S18 : f32 = step(_S10, _S8);
    first_1[i32(1)] = (1.0f - _S17) * _S18;
    first_1[i32(2)] = 1.0f - first_1.x - first_1.y;
    var _S19 : f32 = _S16 * _S18;
    var last_0 : vec3<f32> = vec3<f32>(0.0f, 0.0f, _S19);
    last_0[i32(1)] = (1.0f - _S19) * _S15;
    last_0[i32(0)] = 1.0f - last_0.z - last_0.y;
    var _S20 : vec3<f32> = cell_0 + vec3<f32>(1.0f);
    var made_0 : vec3<f32> = saturate(at_corner_0(dot(cell_0, steps_0)) * vec3<f32>((1.0f - _S11)) + at_corner_0(dot(cell_0 + first_1, steps_0)) * vec3<f32>((_S11 - _S14)) + at_corner_0(dot(_S20 - last_0, steps_0)) * vec3<f32>((_S14 - _S13)) + at_corner_0(dot(_S20, steps_0)) * vec3<f32>(_S13));
    var o_0 : u32 = _S5 * Constants_0.planes_size_0.x + _S3;
    tensor_0[o_0] = made_0.x;
    tensor_0[o_0 + plane_0] = made_0.y;
    tensor_0[o_0 + _S6] = made_0.z;
    return;
}

