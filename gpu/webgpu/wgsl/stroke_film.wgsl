// stroke_film.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// ac0ab9be11f49e52b317c5e501c300b4 e2f773737a78d1da3dbe56a91e7aa927
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> fine_0 : array<u32>;

@binding(1) @group(1) var<storage, read_write> cells_0 : array<i32>;

@binding(2) @group(1) var<storage, read_write> far_cells_0 : array<i32>;

fn level_at_0( at_0 : vec2<u32>) -> i32
{
    var _S1 : vec2<u32> = min(at_0, Constants_0.size_0 - vec2<u32>(u32(1)));
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var k_0 : u32 = _S1.y * Constants_0.padded_0.x + _S1.x;
    var green_0 : f32 = frame_0[k_0 + plane_0];
    return i32(clamp(255.0f * (green_0 + green_0 + frame_0[k_0] + frame_0[k_0 + u32(2) * plane_0]), 0.0f, 1020.0f) + 0.5f);
}

fn word_of_0( at_1 : vec2<i32>) -> u32
{
    return u32(at_1.y) * ((Constants_0.size_0.x + u32(1)) / u32(2)) + u32(at_1.x) / u32(2);
}

var<workgroup> means_0 : array<i32, i32(64)>;

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S2 : vec2<u32> = vec2<u32>(u32(4));
    var _S3 : vec2<u32> = vec2<u32>(u32(1));
    var grid_0 : vec2<u32> = (Constants_0.size_0 + _S2 - _S3) / _S2;
    var _S4 : vec2<u32> = id_0.xy;
    var _S5 : vec2<u32> = min(_S4, grid_0 - _S3);
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
            var at_2 : vec2<u32> = _S5 * _S2 + vec2<u32>(i_0, j_0);
            var left_0 : i32 = level_at_0(at_2);
            var right_0 : i32 = level_at_0(at_2 + vec2<u32>(u32(1), u32(0)));
            if((all((at_2 < (Constants_0.size_0)))))
            {
                fine_0[word_of_0(vec2<i32>(at_2))] = u32((left_0 | (((right_0 << (u32(16)))))));
            }
            var sum_1 : i32 = sum_0 + (left_0 + right_0);
            i_0 = i_0 + u32(2);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    var mean_0 : i32 = sum_0 / i32(16);
    means_0[thread_0] = mean_0;
    workgroupBarrier();
    if((any((_S4 >= grid_0))))
    {
        return;
    }
    var _S6 : u32 = id_0.y;
    var _S7 : u32 = grid_0.x;
    var _S8 : u32 = id_0.x;
    cells_0[_S6 * _S7 + _S8] = mean_0;
    var _S9 : vec2<u32> = within_0.xy % vec2<u32>(u32(2));
    if((any((_S9 != vec2<u32>(u32(0))))))
    {
        return;
    }
    if((_S8 + u32(1)) < _S7)
    {
        sum_0 = i32(1);
    }
    else
    {
        sum_0 = i32(0);
    }
    var right_1 : u32 = u32(sum_0);
    if((_S6 + u32(1)) < (grid_0.y))
    {
        sum_0 = i32(8);
    }
    else
    {
        sum_0 = i32(0);
    }
    var _S10 : u32 = thread_0 + u32(sum_0);
    far_cells_0[_S6 / u32(2) * ((_S7 + u32(1)) / u32(2)) + _S8 / u32(2)] = (mean_0 + means_0[thread_0 + right_1] + means_0[_S10] + means_0[_S10 + right_1] + i32(2)) / i32(4);
    return;
}

