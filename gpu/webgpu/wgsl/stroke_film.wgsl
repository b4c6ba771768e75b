// stroke_film.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 774e85a9ebe7b16c141c3f5c36fa78f8 c6c5347690cd9f62fa26f74db722954b
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> fine_0 : array<i32>;

@binding(1) @group(1) var<storage, read_write> cells_0 : array<i32>;

@binding(2) @group(1) var<storage, read_write> far_cells_0 : array<i32>;

var<workgroup> means_0 : array<i32, i32(64)>;

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S1 : vec2<u32> = vec2<u32>(u32(4));
    var _S2 : vec2<u32> = vec2<u32>(u32(1));
    var grid_0 : vec2<u32> = (Constants_0.size_0 + _S1 - _S2) / _S1;
    var _S3 : vec2<u32> = id_0.xy;
    var _S4 : vec2<u32> = min(_S3, grid_0 - _S2);
    var _S5 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var j_0 : u32 = u32(0);
    var sum_0 : i32 = i32(8);
    for(;;)
    {
        if(j_0 < u32(4))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = u32(0);
        for(;;)
        {
            if(i_0 < u32(4))
            {
            }
            else
            {
                break;
            }
            var at_0 : vec2<u32> = min(_S4 * _S1 + vec2<u32>(i_0, j_0), Constants_0.size_0 - _S2);
            var _S6 : u32 = at_0.y;
            var _S7 : u32 = at_0.x;
            var k_0 : u32 = _S6 * Constants_0.padded_0.x + _S7;
            var green_0 : f32 = frame_0[k_0 + _S5];
            var level_0 : i32 = i32(clamp(255.0f * (green_0 + green_0 + frame_0[k_0] + frame_0[k_0 + u32(2) * _S5]), 0.0f, 1020.0f) + 0.5f);
            fine_0[_S6 * Constants_0.size_0.x + _S7] = level_0;
            var sum_1 : i32 = sum_0 + level_0;
            i_0 = i_0 + u32(1);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    var mean_0 : i32 = sum_0 / i32(16);
    means_0[thread_0] = mean_0;
    workgroupBarrier();
    if((any((_S3 >= grid_0))))
    {
        return;
    }
    var _S8 : u32 = id_0.y;
    var _S9 : u32 = grid_0.x;
    var _S10 : u32 = id_0.x;
    cells_0[_S8 * _S9 + _S10] = mean_0;
    var _S11 : vec2<u32> = within_0.xy % vec2<u32>(u32(2));
    if((any((_S11 != vec2<u32>(u32(0))))))
    {
        return;
    }
    if((_S10 + u32(1)) < _S9)
    {
        sum_0 = i32(1);
    }
    else
    {
        sum_0 = i32(0);
    }
    var right_0 : u32 = u32(sum_0);
    if((_S8 + u32(1)) < (grid_0.y))
    {
        sum_0 = i32(8);
    }
    else
    {
        sum_0 = i32(0);
    }
    var _S12 : u32 = thread_0 + u32(sum_0);
    far_cells_0[_S8 / u32(2) * ((_S9 + u32(1)) / u32(2)) + _S10 / u32(2)] = (mean_0 + means_0[thread_0 + right_0] + means_0[_S12] + means_0[_S12 + right_0] + i32(2)) / i32(4);
    return;
}

