// relief_light.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// ba2aa84fcdab3eeb14e39dbba7f3e48b 44b8d541600ece3c8bf207d350e0e974
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
@binding(0) @group(0) var heights_0 : texture_2d<f32>;

@binding(1) @group(0) var picture_0 : texture_2d<f32>;

@binding(0) @group(1) var<storage, read_write> lit_0 : array<f32>;

var<workgroup> near_0 : array<f32, i32(612)>;

fn slope_of_0( a_0 : f32,  b_0 : f32,  c_0 : f32,  past_a_0 : f32,  past_b_0 : f32,  past_c_0 : f32) -> f32
{
    return 0.125f * (past_a_0 - a_0 + 2.0f * (past_b_0 - b_0) + past_c_0 - c_0);
}

fn diffuse_of_0( facing_0 : f32) -> f32
{
    return max(facing_0, 0.0f);
}

fn gleam_of_0( glance_0 : f32) -> f32
{
    return Constants_0.gleam_0 * (pow(max(glance_0, 0.0f), Constants_0.gleam_power_0) - Constants_0.gleam_rest_0);
}

fn srgb_to_linear_0( v_0 : f32) -> f32
{
    var _S1 : f32;
    if(v_0 <= 0.04044999927282333f)
    {
        _S1 = v_0 / 12.92000007629394531f;
    }
    else
    {
        _S1 = pow((max(v_0, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S1;
}

fn srgb_to_linear_1( v_1 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(srgb_to_linear_0(v_1.x), srgb_to_linear_0(v_1.y), srgb_to_linear_0(v_1.z));
}

fn lit_by_0( linear_light_0 : f32,  diffuse_0 : f32,  gleam_1 : f32) -> f32
{
    return saturate(linear_light_0 * diffuse_0 + gleam_1);
}

fn linear_to_srgb_0( v_2 : f32) -> f32
{
    var _S2 : f32;
    if(v_2 <= 0.00313080498017371f)
    {
        _S2 = v_2 * 12.92000007629394531f;
    }
    else
    {
        _S2 = 1.0549999475479126f * pow(max(v_2, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S2;
}

fn linear_to_srgb_1( v_3 : vec3<f32>) -> vec3<f32>
{
    return vec3<f32>(linear_to_srgb_0(v_3.x), linear_to_srgb_0(v_3.y), linear_to_srgb_0(v_3.z));
}

@compute
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S3 : vec2<i32> = vec2<i32>(i32(1));
    var _S4 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(16)) - _S3;
    const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S6 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(thread_0 % u32(34)), i32(thread_0 / u32(34))), _S5, vec2<i32>(Constants_0.size_0) - _S3), i32(0));
    var z_0 : f32 = (textureLoad((heights_0), ((_S6)).xy, ((_S6)).z).x);
    if(thread_0 < u32(612))
    {
        near_0[thread_0] = z_0;
    }
    var i_0 : u32 = thread_0 + u32(512);
    var _S7 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(i_0 % u32(34)), i32(i_0 / u32(34))), _S5, vec2<i32>(Constants_0.size_0) - _S3), i32(0));
    var z_1 : f32 = (textureLoad((heights_0), ((_S7)).xy, ((_S7)).z).x);
    if(i_0 < u32(612))
    {
        near_0[i_0] = z_1;
    }
    workgroupBarrier();
    var _S8 : u32 = id_0.x;
    var _S9 : bool;
    if(_S8 >= (Constants_0.size_0.x))
    {
        _S9 = true;
    }
    else
    {
        _S9 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S9)
    {
        return;
    }
    var above_0 : u32 = within_0.y * u32(34) + within_0.x;
    var here_0 : u32 = above_0 + u32(34);
    var below_0 : u32 = here_0 + u32(34);
    var x_0 : f32 = slope_of_0(near_0[above_0], near_0[here_0], near_0[below_0], near_0[above_0 + u32(2)], near_0[here_0 + u32(2)], near_0[below_0 + u32(2)]);
    var y_0 : f32 = slope_of_0(near_0[above_0], near_0[above_0 + u32(1)], near_0[above_0 + u32(2)], near_0[below_0], near_0[below_0 + u32(1)], near_0[below_0 + u32(2)]);
    var normal_0 : vec3<f32> = vec3<f32>(- x_0, - y_0, 1.0f) / vec3<f32>(sqrt(1.0f + x_0 * x_0 + y_0 * y_0));
    var diffuse_1 : f32 = diffuse_of_0(dot(normal_0, Constants_0.light_0.xyz) / Constants_0.light_0.z);
    var bright_0 : f32 = gleam_of_0(dot(normal_0, Constants_0.half_way_0.xyz));
    var _S10 : vec3<i32> = vec3<i32>(vec2<i32>(id_0.xy), i32(0));
    var v_4 : vec3<f32> = srgb_to_linear_1((textureLoad((picture_0), ((_S10)).xy, ((_S10)).z)).xyz);
    var shown_0 : vec3<f32> = linear_to_srgb_1(vec3<f32>(lit_by_0(v_4.x, diffuse_1, bright_0), lit_by_0(v_4.y, diffuse_1, bright_0), lit_by_0(v_4.z, diffuse_1, bright_0)));
    var plane_0 : u32 = Constants_0.size_0.x * Constants_0.size_0.y;
    var o_0 : u32 = id_0.y * Constants_0.size_0.x + _S8;
    lit_0[o_0] = shown_0.x;
    lit_0[o_0 + plane_0] = shown_0.y;
    lit_0[o_0 + u32(2) * plane_0] = shown_0.z;
    return;
}

