// relief_height.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 22f9c0369f40f7d8d45f7108e3a76000 ccea23363f2dbf172d1bbd2b2865e81a
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
@binding(1) @group(0) var ground_0 : texture_2d<f32>;

@binding(2) @group(0) var body_of_paint_0 : texture_2d<f32>;

@binding(0) @group(0) var picture_0 : texture_2d<f32>;

@binding(0) @group(1) var heights_0 : texture_storage_2d<r32float, write>;

@id(0) override BRUSHED_0 : i32 = i32(0);

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

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn woven_0( at_1 : vec2<f32>) -> f32
{
    var whole_0 : vec2<f32> = floor(at_1);
    var part_0 : vec2<f32> = at_1 - whole_0;
    var thread_0 : vec2<f32> = sin(vec2<f32>(3.14159274101257324f) * part_0);
    var _S9 : f32 = whole_0.y;
    var _S10 : f32 = whole_0.x;
    return max(thread_0.x * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.y + (_S9 + _S10) % 2.0f))), thread_0.y * (0.60000002384185791f + 0.40000000596046448f * sin(3.14159274101257324f * (part_0.x + (_S10 + _S9 + 1.0f) % 2.0f))));
}

fn height_of_0( apart_0 : f32,  thick_0 : f32,  woven_1 : f32,  raised_0 : f32,  covered_0 : f32) -> f32
{
    return Constants_0.height_0 * thick_0 * min(max(apart_0, - Constants_0.body_most_0), Constants_0.body_most_0) * (1.0f - covered_0) + Constants_0.stroke_height_0 * raised_0 + Constants_0.weave_0 * (1.0f - Constants_0.cover_0 * thick_0) * woven_1;
}

@compute
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S11 : bool;
    if((id_0.x) >= (Constants_0.size_0.x))
    {
        _S11 = true;
    }
    else
    {
        _S11 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S11)
    {
        return;
    }
    var _S12 : vec2<u32> = id_0.xy;
    var middle_0 : vec2<f32> = vec2<f32>(_S12) + vec2<f32>(0.5f);
    var both_0 : vec2<f32> = ground_at_0(middle_0);
    var _S13 : vec2<f32> = vec2<f32>(0.0f);
    var strokes_0 : vec2<f32>;
    if(BRUSHED_0 == i32(1))
    {
        var _S14 : vec3<i32> = vec3<i32>(vec2<i32>(_S12), i32(0));
        strokes_0 = (textureLoad((body_of_paint_0), ((_S14)).xy, ((_S14)).z).xy);
    }
    else
    {
        strokes_0 = _S13;
    }
    var _S15 : vec3<i32> = vec3<i32>(vec2<i32>(_S12), i32(0));
    var apart_1 : f32 = (luma_of_0((textureLoad((picture_0), ((_S15)).xy, ((_S15)).z)).xyz) - both_0.x) / Constants_0.body_luma_0;
    var thread_1 : f32;
    if((Constants_0.weave_0) > 0.0f)
    {
        thread_1 = woven_0(middle_0 / vec2<f32>(Constants_0.pitch_px_0));
    }
    else
    {
        thread_1 = 0.0f;
    }
    textureStore((heights_0), (_S12), vec4<f32>((height_of_0(apart_1, both_0.y, thread_1, strokes_0.x, strokes_0.y)), 0, 0, 1));
    return;
}

