// steady_follow.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 960999545b604776bc94759d4a53dd5c 083f0adb509b0edcda7578f33c734b30
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
@binding(2) @group(0) var<storage, read> found_0 : array<i32>;

@binding(0) @group(1) var<storage, read_write> vectors_0 : array<i32>;

@binding(0) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(1) @group(0) var<storage, read> near_fine_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> sure_0 : array<f32>;

@id(0) override FIRST_0 : i32 = i32(0);

fn place_0( at_0 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_0 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_0.y) * planes_0.x + u32(held_0.x);
}

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var i_0 : u32;
    var _S1 : u32 = id_0.x;
    var _S2 : bool;
    if(_S1 >= (Constants_0.grid_0.x))
    {
        _S2 = true;
    }
    else
    {
        _S2 = (id_0.y) >= (Constants_0.grid_0.y);
    }
    if(_S2)
    {
        return;
    }
    var o_0 : u32 = id_0.y * Constants_0.grid_0.x + _S1;
    var corner_0 : vec2<i32> = vec2<i32>(id_0.xy) * vec2<i32>(i32(Constants_0.block_px_0));
    var moved_0 : vec2<i32>;
    if(FIRST_0 == i32(1))
    {
        var _S3 : u32 = u32(2) * o_0;
        moved_0 = vec2<i32>(found_0[_S3], found_0[_S3 + u32(1)]);
    }
    else
    {
        var _S4 : u32 = u32(2) * o_0;
        var before_0 : vec2<i32> = vec2<i32>(vectors_0[_S4], vectors_0[_S4 + u32(1)]);
        var middle_0 : vec2<i32> = clamp(corner_0 + vec2<i32>(i32(Constants_0.block_px_0 / u32(2))) + before_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.grid_0 * vec2<u32>(Constants_0.block_px_0)) - vec2<i32>(i32(1)));
        var _S5 : u32 = u32(middle_0.y) / Constants_0.block_px_0;
        var _S6 : u32 = _S5 * Constants_0.grid_0.x;
        var _S7 : u32 = u32(middle_0.x) / Constants_0.block_px_0;
        var on_0 : u32 = u32(2) * (_S6 + _S7);
        moved_0 = before_0 + vec2<i32>(found_0[on_0], found_0[on_0 + u32(1)]);
    }
    var _S8 : u32 = Constants_0.block_px_0 / Constants_0.samples_0;
    var _S9 : i32 = i32(_S8);
    var j_0 : u32 = u32(0);
    var total_0 : f32 = 0.0f;
    var near_total_0 : f32 = 0.0f;
    var difference_0 : f32 = 0.0f;
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
            var at_1 : vec2<i32> = corner_0 + vec2<i32>(_S9) * vec2<i32>(i32(i_0), i32(j_0));
            var own_0 : f32 = fine_0[place_0(at_1, Constants_0.size_0)];
            var other_0 : f32 = near_fine_0[place_0(at_1 + moved_0, Constants_0.size_0)];
            var total_1 : f32 = total_0 + own_0;
            var near_total_1 : f32 = near_total_0 + other_0;
            var difference_1 : f32 = difference_0 + abs(own_0 - other_0);
            i_0 = i_0 + u32(1);
            total_0 = total_1;
            near_total_0 = near_total_1;
            difference_0 = difference_1;
        }
        j_0 = j_0 + u32(1);
    }
    var count_0 : f32 = f32(Constants_0.samples_0 * Constants_0.samples_0);
    var _S10 : f32 = 0.5f * count_0;
    var _S11 : f32 = floor((total_0 + _S10) / count_0);
    var _S12 : f32 = floor((near_total_0 + _S10) / count_0);
    var _S13 : f32 = f32(Constants_0.sure_noise_0);
    i_0 = u32(0);
    var variation_0 : f32 = _S13;
    for(;;)
    {
        if(i_0 < (Constants_0.samples_0))
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
            var at_2 : vec2<i32> = corner_0 + vec2<i32>(_S9) * vec2<i32>(i32(n_0), i32(i_0));
            var variation_1 : f32 = variation_0 + (abs(fine_0[place_0(at_2, Constants_0.size_0)] - _S11) + abs(near_fine_0[place_0(at_2 + moved_0, Constants_0.size_0)] - _S12));
            n_0 = n_0 + u32(1);
            variation_0 = variation_1;
        }
        i_0 = i_0 + u32(1);
    }
    var _S14 : u32 = u32(2) * o_0;
    vectors_0[_S14] = moved_0.x;
    vectors_0[_S14 + u32(1)] = moved_0.y;
    var here_0 : f32 = saturate(2.0f - difference_0 / (Constants_0.sure_share_0 * variation_0));
    if(FIRST_0 == i32(1))
    {
        sure_0[o_0] = here_0;
    }
    else
    {
        sure_0[o_0] = min(here_0, sure_0[o_0]);
    }
    return;
}

