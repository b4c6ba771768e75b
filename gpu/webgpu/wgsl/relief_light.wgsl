// relief_light.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 981b4df32845692e2ea5964366b32d13 c1702ddb37d8496cf3f3d2afd7245695
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
    @align(4) pitch_px_0 : f32,
    @align(8) cell_px_0 : u32,
    @align(4) body_luma_0 : f32,
    @align(16) cells_0 : vec2<u32>,
    @align(8) corner_cells_0 : vec2<u32>,
    @align(16) corner_step_0 : vec2<f32>,
    @align(8) brush_0 : f32,
    @align(16) gauss_0 : array<vec4<f32>, i32(9)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) thick_luma_0 : f32,
    @align(4) detail_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var picture_0 : texture_2d<f32>;

@binding(1) @group(0) var ground_0 : texture_2d<f32>;

@binding(2) @group(0) var left_0 : texture_2d<f32>;

@binding(0) @group(1) var<storage, read_write> lit_0 : array<f32>;

@id(0) override BRUSHED_0 : i32 = i32(0);

var<workgroup> near_0 : array<f32, i32(612)>;

fn ground_at_0( at_0 : vec2<f32>) -> vec2<f32>
{
    var place_0 : vec2<f32> = at_0 / vec2<f32>(f32(Constants_0.cell_px_0)) - vec2<f32>(0.5f);
    var low_0 : vec2<f32> = floor(place_0);
    var share_0 : vec2<f32> = place_0 - low_0;
    var _S1 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.cells_0) - _S1;
    var _S2 : vec2<i32> = vec2<i32>(low_0);
    const _S3 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S2, _S3, last_0);
    var b_0 : vec2<i32> = clamp(_S2 + _S1, _S3, last_0);
    var _S4 : vec3<i32> = vec3<i32>(a_0, i32(0));
    var _S5 : vec3<i32> = vec3<i32>(b_0.x, a_0.y, i32(0));
    var _S6 : vec2<f32> = vec2<f32>(share_0.x);
    var _S7 : vec3<i32> = vec3<i32>(a_0.x, b_0.y, i32(0));
    var _S8 : vec3<i32> = vec3<i32>(b_0, i32(0));
    return mix(mix((textureLoad((ground_0), ((_S4)).xy, ((_S4)).z).xy), (textureLoad((ground_0), ((_S5)).xy, ((_S5)).z).xy), _S6), mix((textureLoad((ground_0), ((_S7)).xy, ((_S7)).z).xy), (textureLoad((ground_0), ((_S8)).xy, ((_S8)).z).xy), _S6), vec2<f32>(share_0.y));
}

fn left_at_0( at_1 : vec2<f32>) -> f32
{
    var spot_0 : vec2<f32> = at_1 * Constants_0.corner_step_0 - vec2<f32>(0.5f);
    var low_1 : vec2<f32> = floor(spot_0);
    var share_1 : vec2<f32> = spot_0 - low_1;
    var _S9 : vec2<i32> = vec2<i32>(i32(1));
    var last_1 : vec2<i32> = vec2<i32>(Constants_0.corner_cells_0) - _S9;
    var _S10 : vec2<i32> = vec2<i32>(low_1);
    const _S11 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S10, _S11, last_1);
    var b_1 : vec2<i32> = clamp(_S10 + _S9, _S11, last_1);
    var _S12 : vec3<i32> = vec3<i32>(a_1, i32(0));
    var _S13 : vec3<i32> = vec3<i32>(b_1.x, a_1.y, i32(0));
    var _S14 : f32 = share_1.x;
    var _S15 : vec3<i32> = vec3<i32>(a_1.x, b_1.y, i32(0));
    var _S16 : vec3<i32> = vec3<i32>(b_1, i32(0));
    return mix(mix((textureLoad((left_0), ((_S12)).xy, ((_S12)).z).x), (textureLoad((left_0), ((_S13)).xy, ((_S13)).z).x), _S14), mix((textureLoad((left_0), ((_S15)).xy, ((_S15)).z).x), (textureLoad((left_0), ((_S16)).xy, ((_S16)).z).x), _S14), share_1.y);
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
    var _S17 : f32 = whole_0.y;
    var _S18 : f32 = whole_0.x;
    return max(thread_0.x * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.y + (_S17 + _S18) % 2.0f))), thread_0.y * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.x + (_S18 + _S17 + 1.0f) % 2.0f))));
}

fn height_of_0( apart_0 : f32,  thick_0 : f32,  woven_1 : f32,  raised_0 : f32,  covered_0 : f32) -> f32
{
    return Constants_0.height_0 * thick_0 * min(max(apart_0, - Constants_0.body_most_0), Constants_0.body_most_0) * (1.0f - covered_0) + Constants_0.stroke_height_0 * raised_0 + Constants_0.weave_0 * (1.0f - Constants_0.cover_0 * thick_0) * woven_1;
}

fn height_at_0( at_3 : vec2<i32>) -> f32
{
    var _S19 : vec3<i32> = vec3<i32>(at_3, i32(0));
    var seen_0 : vec4<f32> = (textureLoad((picture_0), ((_S19)).xy, ((_S19)).z));
    var middle_0 : vec2<f32> = vec2<f32>(at_3) + vec2<f32>(0.5f);
    var both_0 : vec2<f32> = ground_at_0(middle_0);
    var _S20 : vec2<f32> = vec2<f32>(0.0f);
    var strokes_0 : vec2<f32>;
    if(BRUSHED_0 == i32(1))
    {
        strokes_0 = vec2<f32>(2.0f * seen_0.w, Constants_0.brush_0 * (1.0f - left_at_0(middle_0)));
    }
    else
    {
        strokes_0 = _S20;
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
    var _S21 : f32;
    if(v_1 <= 0.04044999927282333f)
    {
        _S21 = v_1 / 12.92000007629394531f;
    }
    else
    {
        _S21 = pow((max(v_1, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S21;
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
    var _S22 : f32;
    if(v_3 <= 0.00313080498017371f)
    {
        _S22 = v_3 * 12.92000007629394531f;
    }
    else
    {
        _S22 = 1.0549999475479126f * pow(max(v_3, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S22;
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
    var _S23 : vec3<i32> = vec3<i32>(at_4, i32(0));
    var v_5 : vec3<f32> = srgb_to_linear_1((textureLoad((picture_0), ((_S23)).xy, ((_S23)).z)).xyz);
    return linear_to_srgb_1(vec3<f32>(lit_by_0(v_5.x, diffuse_1, bright_0), lit_by_0(v_5.y, diffuse_1, bright_0), lit_by_0(v_5.z, diffuse_1, bright_0)));
}

@compute
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_2 : u32)
{
    var _S24 : vec2<i32> = vec2<i32>(i32(1));
    var _S25 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(16)) - _S24;
    const _S26 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var at_5 : vec2<i32> = clamp(_S25 + vec2<i32>(i32(thread_2 % u32(34)), i32(thread_2 / u32(34))), _S26, vec2<i32>(Constants_0.size_0) - _S24);
    if(thread_2 < u32(612))
    {
        near_0[thread_2] = height_at_0(at_5);
    }
    var i_0 : u32 = thread_2 + u32(512);
    var at_6 : vec2<i32> = clamp(_S25 + vec2<i32>(i32(i_0 % u32(34)), i32(i_0 / u32(34))), _S26, vec2<i32>(Constants_0.size_0) - _S24);
    if(i_0 < u32(612))
    {
        near_0[i_0] = height_at_0(at_6);
    }
    workgroupBarrier();
    var _S27 : u32 = id_0.x;
    var _S28 : bool;
    if(_S27 >= (Constants_0.size_0.x))
    {
        _S28 = true;
    }
    else
    {
        _S28 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S28)
    {
        return;
    }
    var _S29 : u32 = within_0.y * u32(34) + within_0.x;
    var _S30 : u32 = _S29 + u32(34);
    var _S31 : u32 = _S29 + u32(68);
    var shown_0 : vec3<f32> = lit_on_0(vec2<i32>(id_0.xy), slope_of_0(near_0[_S29], near_0[_S30], near_0[_S31], near_0[_S29 + u32(2)], near_0[_S30 + u32(2)], near_0[_S31 + u32(2)]), slope_of_0(near_0[_S29], near_0[_S29 + u32(1)], near_0[_S29 + u32(2)], near_0[_S31], near_0[_S31 + u32(1)], near_0[_S31 + u32(2)]));
    var plane_0 : u32 = Constants_0.size_0.x * Constants_0.size_0.y;
    var o_0 : u32 = id_0.y * Constants_0.size_0.x + _S27;
    lit_0[o_0] = shown_0.x;
    lit_0[o_0 + plane_0] = shown_0.y;
    lit_0[o_0 + u32(2) * plane_0] = shown_0.z;
    return;
}

