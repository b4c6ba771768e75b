// steady_levels.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 8591773a4119f5dd97b3edfc84dd05c3 ccc4b1f566ac252a8c1db1a80f4c5d1e
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
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(1) @group(0) var<storage, read> painting_0 : array<f32>;

@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> fine_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> means_0 : array<f32>;

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

fn luma_0( red_0 : f32,  green_0 : f32,  blue_0 : f32) -> f32
{
    return floor(255.0f * (red_0 + 2.0f * green_0 + blue_0) + 0.5f);
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S2 : u32 = id_0.x;
    var _S3 : bool;
    if(_S2 >= (Constants_0.cells_0.x))
    {
        _S3 = true;
    }
    else
    {
        _S3 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S3)
    {
        return;
    }
    var _S4 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var _S5 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    var j_0 : u32 = u32(0);
    var sum_0 : f32 = 0.0f;
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
            var at_0 : vec2<u32> = min(id_0.xy * vec2<u32>(u32(4)) + vec2<u32>(i_0, j_0), Constants_0.size_0 - vec2<u32>(u32(1)));
            var _S6 : u32 = at_0.y;
            var _S7 : u32 = at_0.x;
            var k_0 : u32 = _S6 * Constants_0.padded_0.x + _S7;
            var middle_0 : vec2<u32> = vec2<u32>(Constants_0.scale_0) * at_0 + vec2<u32>((Constants_0.scale_0 / u32(2)));
            var p_0 : u32 = middle_0.y * Constants_0.painted_size_0.x + middle_0.x;
            var other_0 : vec3<f32> = cleaned_0(vec3<f32>(painting_0[p_0], painting_0[p_0 + _S5], painting_0[p_0 + u32(2) * _S5]));
            var level_0 : f32 = floor((luma_0(frame_0[k_0], frame_0[k_0 + _S4], frame_0[k_0 + u32(2) * _S4]) + luma_0(other_0.x, other_0.y, other_0.z) + 1.0f) / 2.0f);
            fine_0[_S6 * Constants_0.size_0.x + _S7] = level_0;
            var sum_1 : f32 = sum_0 + level_0;
            i_0 = i_0 + u32(1);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    means_0[id_0.y * Constants_0.cells_0.x + _S2] = floor((sum_0 + 8.0f) / 16.0f);
    return;
}

