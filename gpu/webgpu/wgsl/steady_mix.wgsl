// steady_mix.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// d54f07cc552d65d3af0428e0338dd05c ae33b16d10c3f0ede6f0dba5e7dd5efd
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
@binding(0) @group(0) var<storage, read> painting_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> total_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> weights_0 : array<f32>;

@binding(2) @group(0) var<storage, read> vectors_0 : array<i32>;

@binding(1) @group(0) var<storage, read> likeness_0 : array<f32>;

@id(0) override STAGE_0 : i32 = i32(0);

fn painted_0( i_0 : u32) -> vec3<f32>
{
    var plane_0 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    return vec3<f32>(painting_0[i_0], painting_0[i_0 + plane_0], painting_0[i_0 + u32(2) * plane_0]);
}

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S2 : u32 = id_0.x;
    var _S3 : bool;
    if(_S2 >= (Constants_0.scale_0 * Constants_0.size_0.x))
    {
        _S3 = true;
    }
    else
    {
        _S3 = (id_0.y) >= (Constants_0.scale_0 * Constants_0.size_0.y);
    }
    if(_S3)
    {
        return;
    }
    var plane_1 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    var i_1 : u32 = id_0.y * Constants_0.painted_size_0.x + _S2;
    if(STAGE_0 == i32(0))
    {
        var own_0 : vec3<f32> = cleaned_0(painted_0(i_1));
        total_0[i_1] = own_0.x;
        total_0[i_1 + plane_1] = own_0.y;
        total_0[i_1 + u32(2) * plane_1] = own_0.z;
        weights_0[i_1] = 1.0f;
    }
    else
    {
        if(STAGE_0 == i32(1))
        {
            var _S4 : vec2<u32> = id_0.xy;
            var at_0 : vec2<u32> = _S4 / vec2<u32>(Constants_0.scale_0);
            var block_0 : vec2<u32> = at_0 / vec2<u32>(Constants_0.block_px_0);
            var v_2 : u32 = u32(2) * (block_0.y * Constants_0.grid_0.x + block_0.x);
            var there_0 : vec2<i32> = clamp(vec2<i32>(_S4) + vec2<i32>(i32(Constants_0.scale_0)) * vec2<i32>(vectors_0[v_2], vectors_0[v_2 + u32(1)]), vec2<i32>(i32(0), i32(0)), vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1)));
            var other_0 : vec3<f32> = painted_0(u32(there_0.y) * Constants_0.painted_size_0.x + u32(there_0.x));
            var finite_0 : vec3<f32> = select(vec3<f32>(1.0f), vec3<f32>(0.0f), not_finite_parts_0(other_0));
            var weight_0 : f32 = likeness_0[at_0.y * Constants_0.size_0.x + at_0.x] * finite_0.x * finite_0.y * finite_0.z;
            var other_1 : vec3<f32> = cleaned_0(other_0);
            total_0[i_1] = total_0[i_1] + weight_0 * other_1.x;
            var _S5 : u32 = i_1 + plane_1;
            total_0[_S5] = total_0[_S5] + weight_0 * other_1.y;
            var _S6 : u32 = i_1 + u32(2) * plane_1;
            total_0[_S6] = total_0[_S6] + weight_0 * other_1.z;
            weights_0[i_1] = weights_0[i_1] + weight_0;
        }
        else
        {
            var own_1 : vec3<f32> = painted_0(i_1);
            var bad_0 : vec3<bool> = not_finite_parts_0(own_1);
            var _S7 : u32 = i_1 + plane_1;
            var _S8 : u32 = i_1 + u32(2) * plane_1;
            var mean_0 : vec3<f32> = vec3<f32>(total_0[i_1], total_0[_S7], total_0[_S8]) / vec3<f32>(weights_0[i_1]);
            var _S9 : f32;
            if(bad_0.x)
            {
                _S9 = own_1.x;
            }
            else
            {
                _S9 = mean_0.x;
            }
            total_0[i_1] = _S9;
            if(bad_0.y)
            {
                _S9 = own_1.y;
            }
            else
            {
                _S9 = mean_0.y;
            }
            total_0[_S7] = _S9;
            if(bad_0.z)
            {
                _S9 = own_1.z;
            }
            else
            {
                _S9 = mean_0.z;
            }
            total_0[_S8] = _S9;
        }
    }
    return;
}

