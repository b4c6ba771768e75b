// corner_cells.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 1d3d056e8705c5c1ac8725385de887bb 5e46f9787a08c9ffa21699a5172d14d7
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) cell_px_0 : u32,
    @align(4) least_0 : f32,
    @align(16) steepness_0 : f32,
    @align(16) weights_0 : array<vec4<f32>, i32(2)>,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var structure_0 : texture_storage_2d<rgba32float, write>;

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn light_at_0( at_0 : vec2<i32>) -> f32
{
    var _S1 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_0 : u32 = u32(_S1.y) * Constants_0.padded_0.x + u32(_S1.x);
    return luma_of_0(vec3<f32>(frame_0[i_0], frame_0[i_0 + plane_0], frame_0[i_0 + u32(2) * plane_0]));
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S2 : bool;
    if((id_0.x) >= (Constants_0.cells_0.x))
    {
        _S2 = true;
    }
    else
    {
        _S2 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S2)
    {
        return;
    }
    var _S3 : vec3<f32> = vec3<f32>(0.0f);
    var j_0 : u32 = u32(0);
    var sum_0 : vec3<f32> = _S3;
    for(;;)
    {
        if(j_0 < (Constants_0.cell_px_0))
        {
        }
        else
        {
            break;
        }
        var i_1 : u32 = u32(0);
        for(;;)
        {
            if(i_1 < (Constants_0.cell_px_0))
            {
            }
            else
            {
                break;
            }
            var _S4 : vec2<i32> = vec2<i32>(min(id_0.xy * vec2<u32>(Constants_0.cell_px_0) + vec2<u32>(i_1, j_0), Constants_0.size_0 - vec2<u32>(u32(1))));
            var a_0 : f32 = light_at_0(_S4 + vec2<i32>(i32(-1), i32(-1)));
            var b_0 : f32 = light_at_0(_S4 + vec2<i32>(i32(1), i32(-1)));
            var c_0 : f32 = light_at_0(_S4 + vec2<i32>(i32(-1), i32(1)));
            var d_0 : f32 = light_at_0(_S4 + vec2<i32>(i32(1), i32(1)));
            const _S5 : vec2<i32> = vec2<i32>(i32(1), i32(0));
            var x_0 : f32 = (3.0f * (b_0 - a_0 + d_0 - c_0) + 10.0f * (light_at_0(_S4 + _S5) - light_at_0(_S4 - _S5))) / 32.0f;
            const _S6 : vec2<i32> = vec2<i32>(i32(0), i32(1));
            var y_0 : f32 = (3.0f * (c_0 - a_0 + d_0 - b_0) + 10.0f * (light_at_0(_S4 + _S6) - light_at_0(_S4 - _S6))) / 32.0f;
            var sum_1 : vec3<f32> = sum_0 + vec3<f32>(x_0 * x_0, x_0 * y_0, y_0 * y_0);
            i_1 = i_1 + u32(1);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    textureStore((structure_0), (id_0.xy), (vec4<f32>(sum_0 / vec3<f32>(f32(Constants_0.cell_px_0 * Constants_0.cell_px_0)), 0.0f)));
    return;
}

