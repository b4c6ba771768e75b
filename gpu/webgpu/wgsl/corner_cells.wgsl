// corner_cells.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 3361226e4e21e15c75930cd5fdc266b1 8ac5009610f5236153151ae4aadc2e28
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) blocks_0 : vec2<u32>,
    @align(16) cell_px_0 : u32,
    @align(4) least_0 : f32,
    @align(8) steepness_0 : f32,
    @align(4) flat_0 : f32,
    @align(16) per_busy_0 : f32,
    @align(4) sparse_0 : f32,
    @align(8) per_dense_0 : f32,
    @align(4) kept_least_0 : f32,
    @align(16) per_kept_0 : f32,
    @align(16) weights_0 : array<vec4<f32>, i32(2)>,
    @align(16) touches_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var structure_0 : texture_storage_2d<rgba32float, write>;

@binding(1) @group(1) var surroundings_0 : texture_storage_2d<r32float, write>;

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

var<workgroup> busy_0 : array<f32, i32(256)>;

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) block_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var i_1 : u32;
    var inside_0 : bool;
    if((id_0.x) < (Constants_0.cells_0.x))
    {
        inside_0 = (id_0.y) < (Constants_0.cells_0.y);
    }
    else
    {
        inside_0 = false;
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
        i_1 = u32(0);
        for(;;)
        {
            if(i_1 < (Constants_0.cell_px_0))
            {
            }
            else
            {
                break;
            }
            var _S3 : vec2<i32> = vec2<i32>(min(id_0.xy * vec2<u32>(Constants_0.cell_px_0) + vec2<u32>(i_1, j_0), Constants_0.size_0 - vec2<u32>(u32(1))));
            var a_0 : f32 = light_at_0(_S3 + vec2<i32>(i32(-1), i32(-1)));
            var b_0 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(-1)));
            var c_0 : f32 = light_at_0(_S3 + vec2<i32>(i32(-1), i32(1)));
            var d_0 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(1)));
            const _S4 : vec2<i32> = vec2<i32>(i32(1), i32(0));
            var x_0 : f32 = (3.0f * (b_0 - a_0 + d_0 - c_0) + 10.0f * (light_at_0(_S3 + _S4) - light_at_0(_S3 - _S4))) / 32.0f;
            const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(1));
            var y_0 : f32 = (3.0f * (c_0 - a_0 + d_0 - b_0) + 10.0f * (light_at_0(_S3 + _S5) - light_at_0(_S3 - _S5))) / 32.0f;
            var sum_1 : vec3<f32> = sum_0 + vec3<f32>(x_0 * x_0, x_0 * y_0, y_0 * y_0);
            i_1 = i_1 + u32(1);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    var sum_2 : vec3<f32> = sum_0 / vec3<f32>(f32(Constants_0.cell_px_0 * Constants_0.cell_px_0));
    if(inside_0)
    {
        textureStore((structure_0), (id_0.xy), (vec4<f32>(sum_2, 0.0f)));
    }
    var _S6 : f32;
    if(inside_0)
    {
        _S6 = saturate((sqrt(sum_2.x + sum_2.z) - Constants_0.flat_0) * Constants_0.per_busy_0);
    }
    else
    {
        _S6 = 0.0f;
    }
    busy_0[thread_0] = _S6;
    workgroupBarrier();
    i_1 = u32(128);
    for(;;)
    {
        if(i_1 > u32(0))
        {
        }
        else
        {
            break;
        }
        if(thread_0 < i_1)
        {
            busy_0[thread_0] = busy_0[thread_0] + busy_0[thread_0 + i_1];
        }
        workgroupBarrier();
        i_1 = i_1 / u32(2);
    }
    if(thread_0 == u32(0))
    {
        var _S7 : vec2<u32> = block_0.xy;
        var held_0 : vec2<u32> = min(Constants_0.cells_0 - _S7 * vec2<u32>(u32(16)), vec2<u32>(u32(16), u32(16)));
        textureStore((surroundings_0), (_S7), vec4<f32>((busy_0[i32(0)] / f32(held_0.x * held_0.y)), 0, 0, 1));
    }
    return;
}

