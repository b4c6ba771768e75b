// steady_motion.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 8d192a3e9d984e1fcc90f19a88c91bc2 23c5370ad65a142f1238d9c384f92fe8
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
@binding(1) @group(0) var<storage, read> means_0 : array<f32>;

@binding(3) @group(0) var<storage, read> near_means_0 : array<f32>;

@binding(0) @group(0) var<storage, read> fine_0 : array<u32>;

@binding(2) @group(0) var<storage, read> near_fine_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> vectors_0 : array<i32>;

var<workgroup> own_0 : array<f32, i32(64)>;

fn place_0( at_0 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_0 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_0.y) * planes_0.x + u32(held_0.x);
}

var<workgroup> near_0 : array<f32, i32(361)>;

fn ranked_0( difference_0 : f32,  vector_0 : vec2<i32>,  reach_0 : i32) -> u32
{
    var steps_0 : u32 = u32(abs(vector_0.x) + abs(vector_0.y));
    var _S1 : vec2<u32> = vec2<u32>(vector_0 + vec2<i32>(reach_0));
    return (u32(difference_0) + u32(64) * steps_0) * u32(1024) + (steps_0 * u32(9) + _S1.y) * u32(9) + _S1.x;
}

fn cost_of_0( at_1 : vec2<u32>,  side_0 : u32,  stride_0 : u32,  reach_1 : i32) -> u32
{
    var m_0 : u32 = u32(0);
    var difference_1 : f32 = 0.0f;
    for(;;)
    {
        if(m_0 < u32(8))
        {
        }
        else
        {
            break;
        }
        var n_0 : u32 = u32(0);
        for(;;)
        {
            if(n_0 < u32(8))
            {
            }
            else
            {
                break;
            }
            var difference_2 : f32 = difference_1 + abs(own_0[m_0 * u32(8) + n_0] - near_0[(at_1.y + stride_0 * m_0) * side_0 + at_1.x + stride_0 * n_0]);
            n_0 = n_0 + u32(1);
            difference_1 = difference_2;
        }
        m_0 = m_0 + u32(1);
    }
    return ranked_0(difference_1, vec2<i32>(at_1) - vec2<i32>(reach_1), reach_1);
}

var<workgroup> costs_0 : array<u32, i32(128)>;

fn least_0( thread_0 : u32,  cost_0 : u32) -> u32
{
    costs_0[thread_0] = cost_0;
    var half_0 : u32 = u32(64);
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
            costs_0[thread_0] = min(costs_0[thread_0], costs_0[thread_0 + half_0]);
        }
        half_0 = half_0 / u32(2);
    }
    workgroupBarrier();
    return costs_0[i32(0)];
}

fn vector_of_0( rank_0 : u32,  reach_2 : i32) -> vec2<i32>
{
    var place_1 : u32 = rank_0 % u32(1024);
    return vec2<i32>(i32(place_1 % u32(9)), i32(place_1 / u32(9) % u32(9))) - vec2<i32>(reach_2);
}

fn held_1( at_2 : vec2<i32>) -> vec2<i32>
{
    return clamp(at_2, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
}

fn word_of_0( at_3 : vec2<i32>) -> u32
{
    return u32(at_3.y) * ((Constants_0.size_0.x + u32(1)) / u32(2)) + u32(at_3.x) / u32(2);
}

fn half_of_0( word_0 : u32,  at_4 : vec2<i32>) -> i32
{
    return i32((((word_0 >> ((u32(16) * (u32(at_4.x) % u32(2)))))) & (u32(65535))));
}

var<workgroup> rests_0 : array<f32, i32(64)>;

@compute
@workgroup_size(16, 8, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var _S2 : vec2<i32> = vec2<i32>(group_0.xy);
    var sample_0 : vec2<i32> = vec2<i32>(i32(thread_1 % u32(8)), i32(thread_1 / u32(8)));
    var _S3 : vec2<i32> = vec2<i32>(i32(4));
    var _S4 : vec2<i32> = vec2<i32>(i32(2));
    var corner_0 : vec2<i32> = _S2 * _S3 - _S4;
    var _S5 : bool = thread_1 < u32(64);
    if(_S5)
    {
        own_0[thread_1] = means_0[place_0(corner_0 + sample_0, Constants_0.cells_0)];
    }
    var i_0 : u32 = thread_1;
    for(;;)
    {
        if(i_0 < u32(256))
        {
        }
        else
        {
            break;
        }
        near_0[i_0] = near_means_0[place_0(corner_0 - _S3 + vec2<i32>(i32(i_0 % u32(16)), i32(i_0 / u32(16))), Constants_0.cells_0)];
        i_0 = i_0 + u32(128);
    }
    workgroupBarrier();
    var cost_1 : u32;
    if(thread_1 < u32(81))
    {
        cost_1 = cost_of_0(vec2<u32>(thread_1 % u32(9), thread_1 / u32(9)), u32(16), u32(1), i32(4));
    }
    else
    {
        cost_1 = u32(4294967295);
    }
    var _S6 : u32 = least_0(thread_1, cost_1);
    var around_0 : vec2<i32> = vector_of_0(_S6, i32(4)) * _S3;
    var corner_1 : vec2<i32> = _S2 * vec2<i32>(i32(16));
    if(_S5)
    {
        var _S7 : vec2<i32> = held_1(corner_1 + _S4 * sample_0);
        var _S8 : u32 = word_of_0(_S7);
        var _S9 : f32 = f32(half_of_0(fine_0[_S8], _S7));
        own_0[thread_1] = _S9;
        rests_0[thread_1] = abs(_S9 - f32(half_of_0(near_fine_0[_S8], _S7)));
    }
    var j_0 : u32 = thread_1;
    for(;;)
    {
        if(j_0 < u32(361))
        {
        }
        else
        {
            break;
        }
        var _S10 : vec2<i32> = corner_1 + around_0 - _S4;
        var _S11 : i32 = i32(j_0 % u32(19));
        near_0[j_0] = f32(half_of_0(near_fine_0[word_of_0(held_1(_S10 + vec2<i32>(_S11, i32(j_0 / u32(19)))))], held_1(_S10 + vec2<i32>(_S11, i32(j_0 / u32(19))))));
        j_0 = j_0 + u32(128);
    }
    var half_1 : u32 = u32(32);
    for(;;)
    {
        if(half_1 > u32(0))
        {
        }
        else
        {
            break;
        }
        workgroupBarrier();
        if(thread_1 < half_1)
        {
            rests_0[thread_1] = rests_0[thread_1] + rests_0[thread_1 + half_1];
        }
        half_1 = half_1 / u32(2);
    }
    if(thread_1 < u32(25))
    {
        cost_1 = cost_of_0(vec2<u32>(thread_1 % u32(5), thread_1 / u32(5)), u32(19), u32(2), i32(2));
    }
    else
    {
        cost_1 = u32(4294967295);
    }
    var best_0 : u32 = least_0(thread_1, cost_1);
    if(thread_1 == u32(0))
    {
        const _S12 : vec2<i32> = vec2<i32>(i32(0), i32(0));
        var found_0 : vec2<i32>;
        if(f32(best_0 / u32(1024) + u32(512)) < (rests_0[i32(0)]))
        {
            found_0 = around_0 + vector_of_0(best_0, i32(2));
        }
        else
        {
            found_0 = _S12;
        }
        var o_0 : u32 = u32(2) * (group_0.y * Constants_0.grid_0.x + group_0.x);
        vectors_0[o_0] = found_0.x;
        vectors_0[o_0 + u32(1)] = found_0.y;
    }
    return;
}

