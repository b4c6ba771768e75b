// relief_light.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 062fbfffadd0c0b4de80bec8f09b03ca cc615c2afcaa9c51e40b9898851d8487
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

@binding(1) @group(0) var around_0 : texture_2d<f32>;

@binding(2) @group(0) var thickness_0 : texture_2d<f32>;

@binding(3) @group(0) var left_0 : texture_2d<f32>;

@binding(0) @group(1) var<storage, read_write> lit_0 : array<f32>;

@id(0) override BRUSHED_0 : i32 = i32(0);

var<workgroup> near_0 : array<f32, i32(612)>;

fn ground_of_0( cell_0 : vec2<i32>) -> vec2<f32>
{
    var _S1 : vec3<i32> = vec3<i32>(cell_0, i32(0));
    return vec2<f32>((textureLoad((around_0), ((_S1)).xy, ((_S1)).z).x), (textureLoad((thickness_0), ((_S1)).xy, ((_S1)).z).x));
}

fn ground_at_0( at_0 : vec2<f32>) -> vec2<f32>
{
    var place_0 : vec2<f32> = at_0 / vec2<f32>(f32(Constants_0.cell_px_0)) - vec2<f32>(0.5f);
    var low_0 : vec2<f32> = floor(place_0);
    var share_0 : vec2<f32> = place_0 - low_0;
    var _S2 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.cells_0) - _S2;
    var _S3 : vec2<i32> = vec2<i32>(low_0);
    const _S4 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S3, _S4, last_0);
    var b_0 : vec2<i32> = clamp(_S3 + _S2, _S4, last_0);
    var _S5 : vec2<f32> = vec2<f32>(share_0.x);
    return mix(mix(ground_of_0(a_0), ground_of_0(vec2<i32>(b_0.x, a_0.y)), _S5), mix(ground_of_0(vec2<i32>(a_0.x, b_0.y)), ground_of_0(b_0), _S5), vec2<f32>(share_0.y));
}

fn left_at_0( at_1 : vec2<f32>) -> f32
{
    var spot_0 : vec2<f32> = at_1 * Constants_0.corner_step_0 - vec2<f32>(0.5f);
    var low_1 : vec2<f32> = floor(spot_0);
    var share_1 : vec2<f32> = spot_0 - low_1;
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var last_1 : vec2<i32> = vec2<i32>(Constants_0.corner_cells_0) - _S6;
    var _S7 : vec2<i32> = vec2<i32>(low_1);
    const _S8 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S7, _S8, last_1);
    var b_1 : vec2<i32> = clamp(_S7 + _S6, _S8, last_1);
    var _S9 : vec3<i32> = vec3<i32>(a_1, i32(0));
    var _S10 : vec3<i32> = vec3<i32>(b_1.x, a_1.y, i32(0));
    var _S11 : f32 = share_1.x;
    var _S12 : vec3<i32> = vec3<i32>(a_1.x, b_1.y, i32(0));
    var _S13 : vec3<i32> = vec3<i32>(b_1, i32(0));
    return mix(mix((textureLoad((left_0), ((_S9)).xy, ((_S9)).z).x), (textureLoad((left_0), ((_S10)).xy, ((_S10)).z).x), _S11), mix((textureLoad((left_0), ((_S12)).xy, ((_S12)).z).x), (textureLoad((left_0), ((_S13)).xy, ((_S13)).z).x), _S11), share_1.y);
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
    var _S14 : f32 = whole_0.y;
    var _S15 : f32 = whole_0.x;
    return max(thread_0.x * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.y + (_S14 + _S15) % 2.0f))), thread_0.y * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.x + (_S15 + _S14 + 1.0f) % 2.0f))));
}

fn height_of_0( apart_0 : f32,  thick_0 : f32,  woven_1 : f32,  raised_0 : f32,  covered_0 : f32) -> f32
{
    return Constants_0.height_0 * thick_0 * min(max(apart_0, - Constants_0.body_most_0), Constants_0.body_most_0) * (1.0f - covered_0) + Constants_0.stroke_height_0 * raised_0 + Constants_0.weave_0 * (1.0f - Constants_0.cover_0 * thick_0) * woven_1;
}

fn height_at_0( at_3 : vec2<i32>) -> f32
{
    var _S16 : vec3<i32> = vec3<i32>(at_3, i32(0));
    var seen_0 : vec4<f32> = (textureLoad((picture_0), ((_S16)).xy, ((_S16)).z));
    var middle_0 : vec2<f32> = vec2<f32>(at_3) + vec2<f32>(0.5f);
    var both_0 : vec2<f32> = ground_at_0(middle_0);
    var _S17 : vec2<f32> = vec2<f32>(0.0f);
    var strokes_0 : vec2<f32>;
    if(BRUSHED_0 == i32(1))
    {
        strokes_0 = vec2<f32>(2.0f * seen_0.w, Constants_0.brush_0 * (1.0f - left_at_0(middle_0)));
    }
    else
    {
        strokes_0 = _S17;
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
    var _S18 : f32;
    if(v_1 <= 0.04044999927282333f)
    {
        _S18 = v_1 / 12.92000007629394531f;
    }
    else
    {
        _S18 = pow((max(v_1, 0.0f) + 0.05499999970197678f) / 1.0549999475479126f, 2.40000009536743164f);
    }
    return _S18;
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
    var _S19 : f32;
    if(v_3 <= 0.00313080498017371f)
    {
        _S19 = v_3 * 12.92000007629394531f;
    }
    else
    {
        _S19 = 1.0549999475479126f * pow(max(v_3, 0.0f), 0.4166666567325592f) - 0.05499999970197678f;
    }
    return _S19;
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
    var _S20 : vec3<i32> = vec3<i32>(at_4, i32(0));
    var v_5 : vec3<f32> = srgb_to_linear_1((textureLoad((picture_0), ((_S20)).xy, ((_S20)).z)).xyz);
    return linear_to_srgb_1(vec3<f32>(lit_by_0(v_5.x, diffuse_1, bright_0), lit_by_0(v_5.y, diffuse_1, bright_0), lit_by_0(v_5.z, diffuse_1, bright_0)));
}

@compute
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_2 : u32)
{
    var _S21 : vec2<i32> = vec2<i32>(i32(1));
    var _S22 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(16)) - _S21;
    const _S23 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var at_5 : vec2<i32> = clamp(_S22 + vec2<i32>(i32(thread_2 % u32(34)), i32(thread_2 / u32(34))), _S23, vec2<i32>(Constants_0.size_0) - _S21);
    if(thread_2 < u32(612))
    {
        near_0[thread_2] = height_at_0(at_5);
    }
    var i_0 : u32 = thread_2 + u32(512);
    var at_6 : vec2<i32> = clamp(_S22 + vec2<i32>(i32(i_0 % u32(34)), i32(i_0 / u32(34))), _S23, vec2<i32>(Constants_0.size_0) - _S21);
    if(i_0 < u32(612))
    {
        near_0[i_0] = height_at_0(at_6);
    }
    workgroupBarrier();
    var _S24 : u32 = id_0.x;
    var _S25 : bool;
    if(_S24 >= (Constants_0.size_0.x))
    {
        _S25 = true;
    }
    else
    {
        _S25 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S25)
    {
        return;
    }
    var _S26 : u32 = within_0.y * u32(34) + within_0.x;
    var _S27 : u32 = _S26 + u32(34);
    var _S28 : u32 = _S26 + u32(68);
    var shown_0 : vec3<f32> = lit_on_0(vec2<i32>(id_0.xy), slope_of_0(near_0[_S26], near_0[_S27], near_0[_S28], near_0[_S26 + u32(2)], near_0[_S27 + u32(2)], near_0[_S28 + u32(2)]), slope_of_0(near_0[_S26], near_0[_S26 + u32(1)], near_0[_S26 + u32(2)], near_0[_S28], near_0[_S28 + u32(1)], near_0[_S28 + u32(2)]));
    var plane_0 : u32 = Constants_0.size_0.x * Constants_0.size_0.y;
    var o_0 : u32 = id_0.y * Constants_0.size_0.x + _S24;
    lit_0[o_0] = shown_0.x;
    lit_0[o_0 + plane_0] = shown_0.y;
    lit_0[o_0 + u32(2) * plane_0] = shown_0.z;
    return;
}

