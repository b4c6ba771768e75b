// steady_difference.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 9f319ae03dfd127a9fd3285d97f80639 fa83ba4ab626f6c49930a39c62b1951a
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
@binding(2) @group(0) var<storage, read> vectors_0 : array<i32>;

@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(1) @group(0) var<storage, read> near_frame_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> differences_0 : array<f32>;

fn sixteenths_0( value_0 : f32) -> f32
{
    return floor(4080.0f * value_0 + 0.5f);
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : u32 = id_0.x;
    var _S2 : bool;
    if(_S1 >= (Constants_0.size_0.x))
    {
        _S2 = true;
    }
    else
    {
        _S2 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S2)
    {
        return;
    }
    var _S3 : vec2<u32> = id_0.xy;
    var block_0 : vec2<u32> = _S3 / vec2<u32>(Constants_0.block_px_0);
    var v_0 : u32 = u32(2) * (block_0.y * Constants_0.grid_0.x + block_0.x);
    var there_0 : vec2<i32> = clamp(vec2<i32>(_S3) + vec2<i32>(vectors_0[v_0], vectors_0[v_0 + u32(1)]), vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var _S4 : u32 = id_0.y;
    var i_0 : u32 = _S4 * Constants_0.padded_0.x + _S1;
    var k_0 : u32 = u32(there_0.y) * Constants_0.padded_0.x + u32(there_0.x);
    var _S5 : u32 = u32(2) * plane_0;
    differences_0[_S4 * Constants_0.size_0.x + _S1] = max(abs(sixteenths_0(frame_0[i_0]) - sixteenths_0(near_frame_0[k_0])), max(abs(sixteenths_0(frame_0[i_0 + plane_0]) - sixteenths_0(near_frame_0[k_0 + plane_0])), abs(sixteenths_0(frame_0[i_0 + _S5]) - sixteenths_0(near_frame_0[k_0 + _S5]))));
    return;
}

