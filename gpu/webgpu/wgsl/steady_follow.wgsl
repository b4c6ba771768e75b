// steady_follow.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 1853f3b3c3f16b28389954e84285715a 003441081748fd5129708a78a1542d1d
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) painted_size_0 : vec2<u32>,
    @align(8) cells_0 : vec2<u32>,
    @align(16) grid_0 : vec2<u32>,
    @align(8) scale_0 : u32,
    @align(4) sure_share_0 : f32,
    @align(16) together_px_0 : u32,
    @align(4) falloff_0 : f32,
    @align(8) number_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> found_0 : array<i32>;

@binding(0) @group(1) var<storage, read_write> motion_0 : array<u32>;

@binding(0) @group(0) var<storage, read> fine_0 : array<u32>;

@binding(1) @group(0) var<storage, read> near_fine_0 : array<u32>;

@id(0) override FIRST_0 : i32 = i32(0);

fn held_0( at_0 : vec2<i32>) -> vec2<i32>
{
    return clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
}

fn word_of_0( at_1 : vec2<i32>) -> u32
{
    return u32(at_1.y) * ((Constants_0.size_0.x + u32(1)) / u32(2)) + u32(at_1.x) / u32(2);
}

fn half_of_0( word_0 : u32,  at_2 : vec2<i32>) -> i32
{
    return i32((((word_0 >> ((u32(16) * (u32(at_2.x) % u32(2)))))) & (u32(65535))));
}

var<workgroup> sums_0 : array<vec3<f32>, i32(64)>;

fn summed_0( thread_0 : u32,  values_0 : vec3<f32>) -> vec3<f32>
{
    workgroupBarrier();
    sums_0[thread_0] = values_0;
    var half_0 : u32 = u32(32);
    for(;;)
    {
        if(half_0 > u32(0))
        {
        }
        else
        {
            break;
        }
        workgroupBarrier();
        if(thread_0 < half_0)
        {
            sums_0[thread_0] = sums_0[thread_0] + sums_0[thread_0 + half_0];
        }
        half_0 = half_0 / u32(2);
    }
    workgroupBarrier();
    return sums_0[i32(0)];
}

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var o_0 : u32 = group_0.y * Constants_0.grid_0.x + group_0.x;
    var into_0 : u32 = u32(3) * (Constants_0.number_0 * Constants_0.grid_0.x * Constants_0.grid_0.y + o_0);
    var former_0 : u32 = into_0 - u32(3) * Constants_0.grid_0.x * Constants_0.grid_0.y;
    var corner_0 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(16));
    var moved_0 : vec2<i32>;
    if(FIRST_0 == i32(1))
    {
        var _S1 : u32 = u32(2) * o_0;
        moved_0 = vec2<i32>(found_0[_S1], found_0[_S1 + u32(1)]);
    }
    else
    {
        var before_0 : vec2<i32> = vec2<i32>((bitcast<i32>((motion_0[former_0]))), (bitcast<i32>((motion_0[former_0 + u32(1)]))));
        var middle_0 : vec2<i32> = clamp(corner_0 + vec2<i32>(i32(8)) + before_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.grid_0 * vec2<u32>(u32(16))) - vec2<i32>(i32(1)));
        var on_0 : u32 = u32(2) * (u32(middle_0.y) / u32(16) * Constants_0.grid_0.x + u32(middle_0.x) / u32(16));
        moved_0 = before_0 + vec2<i32>(found_0[on_0], found_0[on_0 + u32(1)]);
    }
    var at_3 : vec2<i32> = corner_0 + vec2<i32>(i32(2)) * vec2<i32>(within_0.xy);
    var _S2 : vec2<i32> = held_0(at_3);
    var own_0 : f32 = f32(half_of_0(fine_0[word_of_0(_S2)], _S2));
    var _S3 : vec2<i32> = held_0(at_3 + moved_0);
    var other_0 : f32 = f32(half_of_0(near_fine_0[word_of_0(_S3)], _S3));
    var total_0 : vec3<f32> = summed_0(thread_1, vec3<f32>(own_0, other_0, abs(own_0 - other_0)));
    var mean_0 : vec2<f32> = floor((total_0.xy + vec2<f32>(32.0f)) / vec2<f32>(64.0f));
    var apart_0 : vec3<f32> = summed_0(thread_1, vec3<f32>(abs(own_0 - mean_0.x), abs(other_0 - mean_0.y), 0.0f));
    if(thread_1 == u32(0))
    {
        var here_0 : f32 = saturate(2.0f - total_0.z / (Constants_0.sure_share_0 * (384.0f + apart_0.x + apart_0.y)));
        var here_1 : f32;
        if(FIRST_0 == i32(0))
        {
            here_1 = min(here_0, (bitcast<f32>((motion_0[former_0 + u32(2)]))));
        }
        else
        {
            here_1 = here_0;
        }
        motion_0[into_0] = (bitcast<u32>((moved_0.x)));
        motion_0[into_0 + u32(1)] = (bitcast<u32>((moved_0.y)));
        motion_0[into_0 + u32(2)] = (bitcast<u32>((here_1)));
    }
    return;
}

