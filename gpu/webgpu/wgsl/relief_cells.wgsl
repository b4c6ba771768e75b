// relief_cells.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// d23dd54c293e13e2bfc135c2a60a7abd 2517e2302defd8691e30a25a923cce46
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
@binding(0) @group(0) var picture_0 : texture_2d<f32>;

@binding(0) @group(1) var means_0 : texture_storage_2d<r32float, write>;

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : bool;
    if((id_0.x) >= (Constants_0.cells_0.x))
    {
        _S1 = true;
    }
    else
    {
        _S1 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S1)
    {
        return;
    }
    var _S2 : vec3<f32> = vec3<f32>(0.0f);
    var j_0 : u32 = u32(0);
    var sum_0 : vec3<f32> = _S2;
    for(;;)
    {
        if(j_0 < (Constants_0.cell_px_0))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = u32(0);
        for(;;)
        {
            if(i_0 < (Constants_0.cell_px_0))
            {
            }
            else
            {
                break;
            }
            var _S3 : vec3<i32> = vec3<i32>(vec2<i32>(min(id_0.xy * vec2<u32>(Constants_0.cell_px_0) + vec2<u32>(i_0, j_0), Constants_0.size_0 - vec2<u32>(u32(1)))), i32(0));
            var sum_1 : vec3<f32> = sum_0 + (textureLoad((picture_0), ((_S3)).xy, ((_S3)).z)).xyz;
            i_0 = i_0 + u32(1);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    textureStore((means_0), (id_0.xy), vec4<f32>((luma_of_0(sum_0) / f32(Constants_0.cell_px_0 * Constants_0.cell_px_0)), 0, 0, 1));
    return;
}

