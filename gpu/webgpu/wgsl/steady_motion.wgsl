// steady_motion.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 0e63fbb47873c0512ac3d109ee5cf549 3d67194154b046d826423741b14f233e
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) painted_size_0 : vec2<u32>,
    @align(8) cells_0 : vec2<u32>,
    @align(16) grid_0 : vec2<u32>,
    @align(8) scale_0 : u32,
    @align(4) samples_0 : u32,
    @align(16) coarse_reach_0 : u32,
    @align(4) fine_reach_0 : u32,
    @align(8) cell_px_0 : u32,
    @align(4) block_px_0 : u32,
    @align(16) step_bias_0 : u32,
    @align(4) rest_bias_0 : u32,
    @align(8) sure_noise_0 : u32,
    @align(4) sure_share_0 : f32,
    @align(16) together_px_0 : u32,
    @align(4) falloff_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> near_fine_0 : array<f32>;

@binding(2) @group(0) var<storage, read> ranks_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> vectors_0 : array<i32>;

fn place_0( at_0 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_0 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_0.y) * planes_0.x + u32(held_0.x);
}

fn vector_of_0( rank_0 : u32,  reach_0 : u32) -> vec2<i32>
{
    var place_1 : u32 = rank_0 % u32(1024);
    return vec2<i32>(i32(place_1 % u32(9)), i32(place_1 / u32(9) % u32(9))) - vec2<i32>(i32(reach_0));
}

fn ranked_0( difference_0 : f32,  vector_0 : vec2<i32>,  reach_1 : u32) -> u32
{
    var steps_0 : u32 = u32(abs(vector_0.x) + abs(vector_0.y));
    var _S1 : vec2<u32> = vec2<u32>(vector_0 + vec2<i32>(i32(reach_1)));
    return (u32(difference_0) + Constants_0.step_bias_0 * steps_0) * u32(1024) + (steps_0 * u32(9) + _S1.y) * u32(9) + _S1.x;
}

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var i_0 : u32;
    var _S2 : u32 = id_0.x;
    var _S3 : bool;
    if(_S2 >= (Constants_0.grid_0.x))
    {
        _S3 = true;
    }
    else
    {
        _S3 = (id_0.y) >= (Constants_0.grid_0.y);
    }
    if(_S3)
    {
        return;
    }
    var _S4 : u32 = Constants_0.block_px_0 / Constants_0.samples_0;
    var _S5 : i32 = i32(_S4);
    var _S6 : vec2<i32> = vec2<i32>(id_0.xy) * vec2<i32>(i32(Constants_0.block_px_0));
    var j_0 : u32 = u32(0);
    var resting_0 : f32 = 0.0f;
    for(;;)
    {
        if(j_0 < (Constants_0.samples_0))
        {
        }
        else
        {
            break;
        }
        i_0 = u32(0);
        for(;;)
        {
            if(i_0 < (Constants_0.samples_0))
            {
            }
            else
            {
                break;
            }
            var k_0 : u32 = place_0(_S6 + vec2<i32>(_S5) * vec2<i32>(i32(i_0), i32(j_0)), Constants_0.size_0);
            var resting_1 : f32 = resting_0 + abs(fine_0[k_0] - near_fine_0[k_0]);
            i_0 = i_0 + u32(1);
            resting_0 = resting_1;
        }
        j_0 = j_0 + u32(1);
    }
    const _S7 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var found_0 : vec2<i32>;
    if(resting_0 > f32(Constants_0.rest_bias_0))
    {
        var rows_0 : u32 = u32(2) * Constants_0.coarse_reach_0 + u32(1);
        var _S8 : u32 = (id_0.y * Constants_0.grid_0.x + _S2) * rows_0;
        i_0 = u32(4294967295);
        var row_0 : u32 = u32(0);
        for(;;)
        {
            if(row_0 < rows_0)
            {
            }
            else
            {
                break;
            }
            var _S9 : u32 = min(i_0, ranks_0[_S8 + row_0]);
            var _S10 : u32 = row_0 + u32(1);
            i_0 = _S9;
            row_0 = _S10;
        }
        var around_0 : vec2<i32> = vector_of_0(i_0, Constants_0.coarse_reach_0) * vec2<i32>(i32(Constants_0.cell_px_0));
        var _S11 : u32 = u32(2) * Constants_0.fine_reach_0 + u32(1);
        var best_0 : u32 = u32(4294967295);
        var candidate_0 : u32 = u32(0);
        for(;;)
        {
            if(candidate_0 < (_S11 * _S11))
            {
            }
            else
            {
                break;
            }
            var _S12 : u32 = candidate_0 % _S11;
            var _S13 : i32 = i32(_S12);
            var _S14 : u32 = candidate_0 / _S11;
            var moved_0 : vec2<i32> = vec2<i32>(_S13, i32(_S14)) - vec2<i32>(i32(Constants_0.fine_reach_0));
            var m_0 : u32 = u32(0);
            var difference_1 : f32 = 0.0f;
            for(;;)
            {
                if(m_0 < (Constants_0.samples_0))
                {
                }
                else
                {
                    break;
                }
                var n_0 : u32 = u32(0);
                for(;;)
                {
                    if(n_0 < (Constants_0.samples_0))
                    {
                    }
                    else
                    {
                        break;
                    }
                    var at_1 : vec2<i32> = _S6 + vec2<i32>(_S5) * vec2<i32>(i32(n_0), i32(m_0));
                    var difference_2 : f32 = difference_1 + abs(fine_0[place_0(at_1, Constants_0.size_0)] - near_fine_0[place_0(at_1 + around_0 + moved_0, Constants_0.size_0)]);
                    n_0 = n_0 + u32(1);
                    difference_1 = difference_2;
                }
                m_0 = m_0 + u32(1);
            }
            var _S15 : u32 = min(best_0, ranked_0(difference_1, moved_0, Constants_0.fine_reach_0));
            var _S16 : u32 = candidate_0 + u32(1);
            best_0 = _S15;
            candidate_0 = _S16;
        }
        if(f32(best_0 / u32(1024) + Constants_0.rest_bias_0) < resting_0)
        {
            found_0 = around_0 + vector_of_0(best_0, Constants_0.fine_reach_0);
        }
        else
        {
            found_0 = _S7;
        }
    }
    else
    {
        found_0 = _S7;
    }
    var o_0 : u32 = u32(2) * (id_0.y * Constants_0.grid_0.x + _S2);
    vectors_0[o_0] = found_0.x;
    vectors_0[o_0 + u32(1)] = found_0.y;
    return;
}

