// steady_likeness.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 295a7dc6ccb436e84486bc4fca1a9e62 9573b669d8865f7dfe5a737680f2951b
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
@binding(0) @group(0) var<storage, read> differences_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> likeness_0 : array<f32>;

@binding(1) @group(0) var<storage, read> sure_0 : array<f32>;

@binding(2) @group(0) var<storage, read> vectors_0 : array<i32>;

fn place_0( at_0 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_0 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_0.y) * planes_0.x + u32(held_0.x);
}

fn three_0( at_1 : vec2<i32>) -> f32
{
    const _S1 : vec2<i32> = vec2<i32>(i32(1), i32(0));
    return differences_0[place_0(at_1 - _S1, Constants_0.size_0)] + differences_0[place_0(at_1, Constants_0.size_0)] + differences_0[place_0(at_1 + _S1, Constants_0.size_0)];
}

fn beside_0( block_0 : vec2<i32>,  own_0 : vec2<i32>) -> f32
{
    var i_0 : u32 = place_0(block_0, Constants_0.grid_0);
    var o_0 : u32 = place_0(own_0, Constants_0.grid_0);
    var _S2 : u32 = u32(2) * i_0;
    var _S3 : u32 = u32(2) * o_0;
    var _S4 : f32;
    if((abs(vectors_0[_S2] - vectors_0[_S3]) + abs(vectors_0[_S2 + u32(1)] - vectors_0[_S3 + u32(1)])) > i32(Constants_0.together_px_0))
    {
        _S4 = - sure_0[o_0];
    }
    else
    {
        _S4 = sure_0[i_0];
    }
    return _S4;
}

fn sure_at_0( at_2 : vec2<u32>) -> f32
{
    var _S5 : vec2<u32> = at_2 / vec2<u32>(Constants_0.block_px_0);
    var _S6 : vec2<i32> = vec2<i32>(_S5);
    var _S7 : vec2<u32> = at_2 % vec2<u32>(Constants_0.block_px_0);
    var _S8 : vec2<f32> = vec2<f32>(0.5f);
    var far_0 : vec2<f32> = (vec2<f32>(_S7) + _S8) / vec2<f32>(f32(Constants_0.block_px_0)) - _S8;
    var _S9 : i32;
    if((far_0.x) < 0.0f)
    {
        _S9 = i32(-1);
    }
    else
    {
        _S9 = i32(1);
    }
    var _S10 : i32;
    if((far_0.y) < 0.0f)
    {
        _S10 = i32(-1);
    }
    else
    {
        _S10 = i32(1);
    }
    var part_0 : vec2<f32> = abs(far_0);
    var _S11 : f32 = part_0.x;
    return max(mix(mix(sure_0[place_0(_S6, Constants_0.grid_0)], beside_0(_S6 + vec2<i32>(_S9, i32(0)), _S6), _S11), mix(beside_0(_S6 + vec2<i32>(i32(0), _S10), _S6), beside_0(_S6 + vec2<i32>(_S9, _S10), _S6), _S11), part_0.y), 0.0f);
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S12 : u32 = id_0.x;
    var _S13 : bool;
    if(_S12 >= (Constants_0.size_0.x))
    {
        _S13 = true;
    }
    else
    {
        _S13 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S13)
    {
        return;
    }
    var _S14 : vec2<u32> = id_0.xy;
    var _S15 : vec2<i32> = vec2<i32>(_S14);
    const _S16 : vec2<i32> = vec2<i32>(i32(0), i32(1));
    var _S17 : f32 = saturate(2.0f - Constants_0.falloff_0 * max(2.0f * (three_0(_S15 - _S16) + three_0(_S15) + three_0(_S15 + _S16)), 9.0f * differences_0[place_0(_S15, Constants_0.size_0)]));
    var _S18 : f32 = sure_at_0(_S14);
    likeness_0[id_0.y * Constants_0.size_0.x + _S12] = _S17 * _S18;
    return;
}

