// relief_begin.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// f783b5781060089c088aee522d7ae254 398968e5cc137288d9d791bc8b3a9091
struct SLANG_ParameterGroup_Constants_std140_0
{
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
    @align(16) gauss_0 : array<vec4<f32>, i32(9)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) corner_cells_0 : vec2<u32>,
    @align(16) corner_step_0 : vec2<f32>,
    @align(8) cell_px_0 : u32,
    @align(4) body_luma_0 : f32,
    @align(16) thick_luma_0 : f32,
    @align(4) pitch_px_0 : f32,
    @align(8) detail_0 : f32,
    @align(4) brush_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> painted_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(1) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(0) @group(1) var picture_0 : texture_storage_2d<rgba16float, write>;

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
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S2 : u32 = id_0.x;
    var _S3 : bool;
    if(_S2 >= (Constants_0.size_0.x))
    {
        _S3 = true;
    }
    else
    {
        _S3 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S3)
    {
        return;
    }
    var plane_0 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    var _S4 : u32 = id_0.y;
    var p_0 : u32 = _S4 * Constants_0.painted_size_0.x + _S2;
    var v_2 : vec3<f32> = vec3<f32>(painted_0[p_0], painted_0[p_0 + plane_0], painted_0[p_0 + u32(2) * plane_0]);
    if((any((not_finite_parts_0(v_2)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var v_3 : vec3<f32> = cleaned_0(v_2);
    var v_4 : vec3<f32>;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_4 = v_3 + vec3<f32>((Constants_0.detail_0 * fine_0[_S4 * Constants_0.size_0.x + _S2]));
    }
    else
    {
        v_4 = v_3;
    }
    textureStore((picture_0), (id_0.xy), (vec4<f32>(saturate(v_4), 1.0f)));
    return;
}

