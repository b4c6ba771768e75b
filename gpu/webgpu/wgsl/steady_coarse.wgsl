// steady_coarse.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// b3b8a5b10a0698da28fadc25e888701f f923de1cdad5894ed34f04dd808a38e8
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

@binding(2) @group(0) var<storage, read> near_fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> means_0 : array<f32>;

@binding(3) @group(0) var<storage, read> near_means_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> ranks_0 : array<u32>;

fn place_0( at_0 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_0 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_0.y) * planes_0.x + u32(held_0.x);
}

fn ranked_0( difference_0 : f32,  vector_0 : vec2<i32>,  reach_0 : u32) -> u32
{
    var steps_0 : u32 = u32(abs(vector_0.x) + abs(vector_0.y));
    var _S1 : vec2<u32> = vec2<u32>(vector_0 + vec2<i32>(i32(reach_0)));
    return (u32(difference_0) + Constants_0.step_bias_0 * steps_0) * u32(1024) + (steps_0 * u32(9) + _S1.y) * u32(9) + _S1.x;
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var i_0 : u32;
    var rows_0 : u32 = u32(2) * Constants_0.coarse_reach_0 + u32(1);
    var _S2 : u32 = id_0.x;
    var _S3 : bool;
    if(_S2 >= (Constants_0.grid_0.x * rows_0))
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
    var _S4 : u32 = _S2 / rows_0;
    var _S5 : u32 = id_0.y;
    var block_0 : vec2<i32> = vec2<i32>(i32(_S4), i32(_S5));
    var _S6 : u32 = _S2 % rows_0;
    var _S7 : i32 = i32(_S6) - i32(Constants_0.coarse_reach_0);
    var _S8 : u32 = Constants_0.block_px_0 / Constants_0.samples_0;
    var _S9 : i32 = i32(_S8);
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
            var k_0 : u32 = place_0(block_0 * vec2<i32>(i32(Constants_0.block_px_0)) + vec2<i32>(_S9) * vec2<i32>(i32(i_0), i32(j_0)), Constants_0.size_0);
            var resting_1 : f32 = resting_0 + abs(fine_0[k_0] - near_fine_0[k_0]);
            i_0 = i_0 + u32(1);
            resting_0 = resting_1;
        }
        j_0 = j_0 + u32(1);
    }
    if(resting_0 > f32(Constants_0.rest_bias_0))
    {
        var _S10 : u32 = Constants_0.block_px_0 / Constants_0.cell_px_0;
        var _S11 : vec2<i32> = block_0 * vec2<i32>(i32(_S10));
        var _S12 : u32 = Constants_0.samples_0;
        var _S13 : u32 = Constants_0.block_px_0 / Constants_0.cell_px_0;
        var _S14 : vec2<i32> = _S11 - vec2<i32>((i32(_S12 - _S13) / i32(2)));
        i_0 = u32(4294967295);
        var column_0 : u32 = u32(0);
        for(;;)
        {
            if(column_0 < rows_0)
            {
            }
            else
            {
                break;
            }
            var moved_0 : vec2<i32> = vec2<i32>(i32(column_0) - i32(Constants_0.coarse_reach_0), _S7);
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
                    var at_1 : vec2<i32> = _S14 + vec2<i32>(i32(n_0), i32(m_0));
                    var difference_2 : f32 = difference_1 + abs(means_0[place_0(at_1, Constants_0.cells_0)] - near_means_0[place_0(at_1 + moved_0, Constants_0.cells_0)]);
                    n_0 = n_0 + u32(1);
                    difference_1 = difference_2;
                }
                m_0 = m_0 + u32(1);
            }
            var _S15 : u32 = min(i_0, ranked_0(difference_1, moved_0, Constants_0.coarse_reach_0));
            var _S16 : u32 = column_0 + u32(1);
            i_0 = _S15;
            column_0 = _S16;
        }
    }
    else
    {
        i_0 = u32(4294967295);
    }
    ranks_0[_S5 * Constants_0.grid_0.x * rows_0 + _S2] = i_0;
    return;
}

