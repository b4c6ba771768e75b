// stroke_settle.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 9f3a96edd4979abc93901a0aa2ef4ee8 790ecfe8599d16061f4c6097402d307d
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) target_0 : vec2<u32>,
    @align(16) stroke_count_0 : u32,
    @align(4) filled_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) place_0 : u32,
    @align(16) rests_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> found_0 : array<vec4<i32>>;

@binding(3) @group(0) var<storage, read> camera_0 : array<vec2<i32>>;

@binding(0) @group(0) var<storage, read> fine_0 : array<u32>;

@binding(1) @group(0) var<storage, read> next_fine_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> vectors_0 : array<vec2<i32>>;

@binding(4) @group(0) var<storage, read> lost_0 : array<u32>;

fn divided_0( value_0 : i32,  by_0 : i32) -> i32
{
    var near_0 : i32 = value_0 / by_0;
    var _S1 : i32;
    if((near_0 * by_0) > value_0)
    {
        _S1 = near_0 - i32(1);
    }
    else
    {
        _S1 = near_0;
    }
    return _S1;
}

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

var<workgroup> sums_0 : array<i32, i32(64)>;

@compute
@workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S2 : vec2<u32> = vec2<u32>(u32(16));
    var blocks_0 : vec2<u32> = (Constants_0.size_0 + _S2 - vec2<u32>(u32(1))) / _S2;
    var _S3 : u32 = id_0.x;
    var number_0 : u32 = _S3 / u32(8);
    var _S4 : u32 = blocks_0.x;
    var _S5 : u32 = _S4 * blocks_0.y;
    var _S6 : u32 = min(number_0, _S5 - u32(1));
    var block_0 : vec4<i32> = found_0[_S6];
    var moved_0 : vec2<i32> = camera_0[i32(0)];
    var _S7 : i32 = divided_0(moved_0.x + i32(8), i32(16));
    var _S8 : i32 = divided_0(moved_0.y + i32(8), i32(16));
    var _S9 : i32 = block_0.w;
    var unsure_0 : bool = ((_S9 & (i32(5)))) != i32(1);
    var cost_0 : i32;
    var sum_0 : i32;
    if(unsure_0)
    {
        var _S10 : u32 = _S6 % _S4;
        var _S11 : i32 = i32(_S10);
        var _S12 : u32 = _S6 / _S4;
        var _S13 : vec2<i32> = vec2<i32>(_S11, i32(_S12)) * vec2<i32>(i32(16)) + vec2<i32>(i32(0), i32(_S3 % u32(8)) * i32(2));
        cost_0 = i32(0);
        sum_0 = i32(0);
        for(;;)
        {
            if(cost_0 < i32(8))
            {
            }
            else
            {
                break;
            }
            var at_3 : vec2<i32> = _S13 + vec2<i32>(cost_0 * i32(2), i32(0));
            var _S14 : vec2<i32> = held_0(at_3);
            var _S15 : vec2<i32> = held_0(at_3 + vec2<i32>(_S8, _S7));
            var sum_1 : i32 = sum_0 + abs(half_of_0(fine_0[word_of_0(_S14)], _S14) - half_of_0(next_fine_0[word_of_0(_S15)], _S15));
            cost_0 = cost_0 + i32(1);
            sum_0 = sum_1;
        }
    }
    else
    {
        sum_0 = i32(0);
    }
    sums_0[thread_0] = sum_0;
    workgroupBarrier();
    var follows_0 : bool;
    if((_S3 % u32(8)) != u32(0))
    {
        follows_0 = true;
    }
    else
    {
        follows_0 = number_0 >= _S5;
    }
    if(follows_0)
    {
        return;
    }
    var _S16 : vec2<i32> = block_0.xy;
    var apart_0 : vec2<i32> = abs(_S16 - moved_0);
    if(_S9 == i32(1))
    {
        follows_0 = (apart_0.x + apart_0.y) <= i32(8);
    }
    else
    {
        follows_0 = false;
    }
    if(unsure_0)
    {
        var k_0 : u32 = u32(0);
        cost_0 = i32(0);
        for(;;)
        {
            if(k_0 < u32(8))
            {
            }
            else
            {
                break;
            }
            var cost_1 : i32 = cost_0 + sums_0[thread_0 + k_0];
            k_0 = k_0 + u32(1);
            cost_0 = cost_1;
        }
        follows_0 = cost_0 <= (block_0.z + i32(64));
    }
    var alone_0 : vec2<i32>;
    if(((_S9 & (i32(2)))) != i32(0))
    {
        alone_0 = _S16;
    }
    else
    {
        alone_0 = vec2<i32>(i32(0), i32(0));
    }
    if(follows_0)
    {
        alone_0 = moved_0;
    }
    vectors_0[_S6] = alone_0;
    if(_S6 == u32(0))
    {
        vectors_0[_S5] = vec2<i32>(i32(lost_0[i32(0)]), i32(0));
    }
    return;
}

