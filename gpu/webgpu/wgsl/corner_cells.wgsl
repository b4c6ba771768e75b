// corner_cells.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// cb550ea56dd474e6aab2135a1e4924e9 1041449352c35fcf0e9da4adbf0fa616
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) blocks_0 : vec2<u32>,
    @align(16) cell_px_0 : u32,
    @align(4) least_0 : f32,
    @align(8) steepness_0 : f32,
    @align(4) flat_0 : f32,
    @align(16) per_busy_0 : f32,
    @align(4) sparse_0 : f32,
    @align(8) per_dense_0 : f32,
    @align(4) kept_least_0 : f32,
    @align(16) per_kept_0 : f32,
    @align(16) weights_0 : array<vec4<f32>, i32(2)>,
    @align(16) touches_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(0) @group(1) var structure_0 : texture_storage_2d<rgba32float, write>;

@binding(1) @group(1) var surroundings_0 : texture_storage_2d<r32float, write>;

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn light_at_0( at_0 : vec2<i32>) -> f32
{
    var _S1 : vec2<i32> = clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_0 : u32 = u32(_S1.y) * Constants_0.padded_0.x + u32(_S1.x);
    return luma_of_0(vec3<f32>(frame_0[i_0], frame_0[i_0 + plane_0], frame_0[i_0 + u32(2) * plane_0]));
}

var<workgroup> busy_0 : array<f32, i32(256)>;

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) block_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var inside_0 : bool;
    if((id_0.x) < (Constants_0.cells_0.x))
    {
        inside_0 = (id_0.y) < (Constants_0.cells_0.y);
    }
    else
    {
        inside_0 = false;
    }
    var _S2 : vec2<u32> = id_0.xy;
    var _S3 : vec2<i32> = vec2<i32>(_S2 * vec2<u32>(u32(4))) - vec2<i32>(i32(1));
    var above_0 : array<f32, i32(6)>;
    var here_0 : array<f32, i32(6)>;
    var below_0 : array<f32, i32(6)>;
    var _S4 : f32 = light_at_0(_S3);
    above_0[i32(0)] = _S4;
    var _S5 : f32 = light_at_0(_S3 + vec2<i32>(i32(0), i32(1)));
    here_0[i32(0)] = _S5;
    var _S6 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(0)));
    above_0[i32(1)] = _S6;
    here_0[i32(1)] = light_at_0(_S3 + vec2<i32>(i32(1), i32(1)));
    var _S7 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(0)));
    above_0[i32(2)] = _S7;
    var _S8 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(1)));
    here_0[i32(2)] = _S8;
    above_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(0)));
    here_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(1)));
    above_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(0)));
    here_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(1)));
    above_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(0)));
    here_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(1)));
    var products_0 : array<vec3<f32>, i32(4)>;
    var _S9 : vec3<f32> = vec3<f32>(0.0f);
    products_0[i32(0)] = _S9;
    products_0[i32(1)] = _S9;
    products_0[i32(2)] = _S9;
    products_0[i32(3)] = _S9;
    var _S10 : f32 = light_at_0(_S3 + vec2<i32>(i32(0), i32(2)));
    below_0[i32(0)] = _S10;
    var _S11 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(2)));
    below_0[i32(1)] = _S11;
    var _S12 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(2)));
    below_0[i32(2)] = _S12;
    below_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(2)));
    below_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(2)));
    below_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(2)));
    var x_0 : f32 = (3.0f * (_S7 - _S4 + _S12 - _S10) + 10.0f * (_S8 - _S5)) / 32.0f;
    var y_0 : f32 = (3.0f * (_S10 - _S4 + _S12 - _S7) + 10.0f * (_S11 - _S6)) / 32.0f;
    var _S13 : i32 = _S3.y + i32(1);
    if(_S13 < i32(Constants_0.size_0.y))
    {
        products_0[i32(0)] = vec3<f32>(x_0 * x_0, x_0 * y_0, y_0 * y_0);
    }
    var _S14 : vec3<f32> = products_0[i32(0)];
    var x_1 : f32 = (3.0f * (above_0[i32(3)] - above_0[i32(1)] + below_0[i32(3)] - below_0[i32(1)]) + 10.0f * (here_0[i32(3)] - here_0[i32(1)])) / 32.0f;
    var y_1 : f32 = (3.0f * (below_0[i32(1)] - above_0[i32(1)] + below_0[i32(3)] - above_0[i32(3)]) + 10.0f * (below_0[i32(2)] - above_0[i32(2)])) / 32.0f;
    var _S15 : i32 = _S3.x + i32(1);
    var _S16 : i32 = _S15 + i32(1);
    var right_0 : bool = _S16 < i32(Constants_0.size_0.x);
    var _S17 : vec3<f32>;
    if(_S13 < i32(Constants_0.size_0.y))
    {
        if(right_0)
        {
            _S17 = vec3<f32>(x_1 * x_1, x_1 * y_1, y_1 * y_1);
        }
        else
        {
            _S17 = products_0[max(i32(0), i32(0))];
        }
        products_0[i32(1)] = _S17;
    }
    var sum_0 : vec3<f32> = _S14 + products_0[i32(1)];
    var x_2 : f32 = (3.0f * (above_0[i32(4)] - above_0[i32(2)] + below_0[i32(4)] - below_0[i32(2)]) + 10.0f * (here_0[i32(4)] - here_0[i32(2)])) / 32.0f;
    var y_2 : f32 = (3.0f * (below_0[i32(2)] - above_0[i32(2)] + below_0[i32(4)] - above_0[i32(4)]) + 10.0f * (below_0[i32(3)] - above_0[i32(3)])) / 32.0f;
    var _S18 : i32 = _S15 + i32(2);
    var right_1 : bool = _S18 < i32(Constants_0.size_0.x);
    if(_S13 < i32(Constants_0.size_0.y))
    {
        if(right_1)
        {
            _S17 = vec3<f32>(x_2 * x_2, x_2 * y_2, y_2 * y_2);
        }
        else
        {
            _S17 = products_0[max(i32(1), i32(0))];
        }
        products_0[i32(2)] = _S17;
    }
    var sum_1 : vec3<f32> = sum_0 + products_0[i32(2)];
    var x_3 : f32 = (3.0f * (above_0[i32(5)] - above_0[i32(3)] + below_0[i32(5)] - below_0[i32(3)]) + 10.0f * (here_0[i32(5)] - here_0[i32(3)])) / 32.0f;
    var y_3 : f32 = (3.0f * (below_0[i32(3)] - above_0[i32(3)] + below_0[i32(5)] - above_0[i32(5)]) + 10.0f * (below_0[i32(4)] - above_0[i32(4)])) / 32.0f;
    var _S19 : i32 = _S15 + i32(3);
    var right_2 : bool = _S19 < i32(Constants_0.size_0.x);
    if(_S13 < i32(Constants_0.size_0.y))
    {
        if(right_2)
        {
            _S17 = vec3<f32>(x_3 * x_3, x_3 * y_3, y_3 * y_3);
        }
        else
        {
            _S17 = products_0[max(i32(2), i32(0))];
        }
        products_0[i32(3)] = _S17;
    }
    var sum_2 : vec3<f32> = sum_1 + products_0[i32(3)];
    var _S20 : f32 = here_0[i32(0)];
    above_0[i32(0)] = here_0[i32(0)];
    var _S21 : f32 = below_0[i32(0)];
    here_0[i32(0)] = below_0[i32(0)];
    var _S22 : f32 = here_0[i32(1)];
    above_0[i32(1)] = here_0[i32(1)];
    here_0[i32(1)] = below_0[i32(1)];
    var _S23 : f32 = here_0[i32(2)];
    above_0[i32(2)] = here_0[i32(2)];
    var _S24 : f32 = below_0[i32(2)];
    here_0[i32(2)] = below_0[i32(2)];
    above_0[i32(3)] = here_0[i32(3)];
    here_0[i32(3)] = below_0[i32(3)];
    above_0[i32(4)] = here_0[i32(4)];
    here_0[i32(4)] = below_0[i32(4)];
    above_0[i32(5)] = here_0[i32(5)];
    here_0[i32(5)] = below_0[i32(5)];
    var _S25 : f32 = light_at_0(_S3 + vec2<i32>(i32(0), i32(3)));
    below_0[i32(0)] = _S25;
    var _S26 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(3)));
    below_0[i32(1)] = _S26;
    var _S27 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(3)));
    below_0[i32(2)] = _S27;
    below_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(3)));
    below_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(3)));
    below_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(3)));
    var x_4 : f32 = (3.0f * (_S23 - _S20 + _S27 - _S25) + 10.0f * (_S24 - _S21)) / 32.0f;
    var y_4 : f32 = (3.0f * (_S25 - _S20 + _S27 - _S23) + 10.0f * (_S26 - _S22)) / 32.0f;
    var _S28 : i32 = _S13 + i32(1);
    if(_S28 < i32(Constants_0.size_0.y))
    {
        products_0[i32(0)] = vec3<f32>(x_4 * x_4, x_4 * y_4, y_4 * y_4);
    }
    var sum_3 : vec3<f32> = sum_2 + products_0[i32(0)];
    var x_5 : f32 = (3.0f * (above_0[i32(3)] - above_0[i32(1)] + below_0[i32(3)] - below_0[i32(1)]) + 10.0f * (here_0[i32(3)] - here_0[i32(1)])) / 32.0f;
    var y_5 : f32 = (3.0f * (below_0[i32(1)] - above_0[i32(1)] + below_0[i32(3)] - above_0[i32(3)]) + 10.0f * (below_0[i32(2)] - above_0[i32(2)])) / 32.0f;
    var right_3 : bool = _S16 < i32(Constants_0.size_0.x);
    if(_S28 < i32(Constants_0.size_0.y))
    {
        if(right_3)
        {
            _S17 = vec3<f32>(x_5 * x_5, x_5 * y_5, y_5 * y_5);
        }
        else
        {
            _S17 = products_0[max(i32(0), i32(0))];
        }
        products_0[i32(1)] = _S17;
    }
    var sum_4 : vec3<f32> = sum_3 + products_0[i32(1)];
    var x_6 : f32 = (3.0f * (above_0[i32(4)] - above_0[i32(2)] + below_0[i32(4)] - below_0[i32(2)]) + 10.0f * (here_0[i32(4)] - here_0[i32(2)])) / 32.0f;
    var y_6 : f32 = (3.0f * (below_0[i32(2)] - above_0[i32(2)] + below_0[i32(4)] - above_0[i32(4)]) + 10.0f * (below_0[i32(3)] - above_0[i32(3)])) / 32.0f;
    var right_4 : bool = _S18 < i32(Constants_0.size_0.x);
    if(_S28 < i32(Constants_0.size_0.y))
    {
        if(right_4)
        {
            _S17 = vec3<f32>(x_6 * x_6, x_6 * y_6, y_6 * y_6);
        }
        else
        {
            _S17 = products_0[max(i32(1), i32(0))];
        }
        products_0[i32(2)] = _S17;
    }
    var sum_5 : vec3<f32> = sum_4 + products_0[i32(2)];
    var x_7 : f32 = (3.0f * (above_0[i32(5)] - above_0[i32(3)] + below_0[i32(5)] - below_0[i32(3)]) + 10.0f * (here_0[i32(5)] - here_0[i32(3)])) / 32.0f;
    var y_7 : f32 = (3.0f * (below_0[i32(3)] - above_0[i32(3)] + below_0[i32(5)] - above_0[i32(5)]) + 10.0f * (below_0[i32(4)] - above_0[i32(4)])) / 32.0f;
    var right_5 : bool = _S19 < i32(Constants_0.size_0.x);
    if(_S28 < i32(Constants_0.size_0.y))
    {
        if(right_5)
        {
            _S17 = vec3<f32>(x_7 * x_7, x_7 * y_7, y_7 * y_7);
        }
        else
        {
            _S17 = products_0[max(i32(2), i32(0))];
        }
        products_0[i32(3)] = _S17;
    }
    var sum_6 : vec3<f32> = sum_5 + products_0[i32(3)];
    var _S29 : f32 = here_0[i32(0)];
    above_0[i32(0)] = here_0[i32(0)];
    var _S30 : f32 = below_0[i32(0)];
    here_0[i32(0)] = below_0[i32(0)];
    var _S31 : f32 = here_0[i32(1)];
    above_0[i32(1)] = here_0[i32(1)];
    here_0[i32(1)] = below_0[i32(1)];
    var _S32 : f32 = here_0[i32(2)];
    above_0[i32(2)] = here_0[i32(2)];
    var _S33 : f32 = below_0[i32(2)];
    here_0[i32(2)] = below_0[i32(2)];
    above_0[i32(3)] = here_0[i32(3)];
    here_0[i32(3)] = below_0[i32(3)];
    above_0[i32(4)] = here_0[i32(4)];
    here_0[i32(4)] = below_0[i32(4)];
    above_0[i32(5)] = here_0[i32(5)];
    here_0[i32(5)] = below_0[i32(5)];
    var _S34 : f32 = light_at_0(_S3 + vec2<i32>(i32(0), i32(4)));
    below_0[i32(0)] = _S34;
    var _S35 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(4)));
    below_0[i32(1)] = _S35;
    var _S36 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(4)));
    below_0[i32(2)] = _S36;
    below_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(4)));
    below_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(4)));
    below_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(4)));
    var x_8 : f32 = (3.0f * (_S32 - _S29 + _S36 - _S34) + 10.0f * (_S33 - _S30)) / 32.0f;
    var y_8 : f32 = (3.0f * (_S34 - _S29 + _S36 - _S32) + 10.0f * (_S35 - _S31)) / 32.0f;
    var _S37 : i32 = _S13 + i32(2);
    if(_S37 < i32(Constants_0.size_0.y))
    {
        products_0[i32(0)] = vec3<f32>(x_8 * x_8, x_8 * y_8, y_8 * y_8);
    }
    var sum_7 : vec3<f32> = sum_6 + products_0[i32(0)];
    var x_9 : f32 = (3.0f * (above_0[i32(3)] - above_0[i32(1)] + below_0[i32(3)] - below_0[i32(1)]) + 10.0f * (here_0[i32(3)] - here_0[i32(1)])) / 32.0f;
    var y_9 : f32 = (3.0f * (below_0[i32(1)] - above_0[i32(1)] + below_0[i32(3)] - above_0[i32(3)]) + 10.0f * (below_0[i32(2)] - above_0[i32(2)])) / 32.0f;
    var right_6 : bool = _S16 < i32(Constants_0.size_0.x);
    if(_S37 < i32(Constants_0.size_0.y))
    {
        if(right_6)
        {
            _S17 = vec3<f32>(x_9 * x_9, x_9 * y_9, y_9 * y_9);
        }
        else
        {
            _S17 = products_0[max(i32(0), i32(0))];
        }
        products_0[i32(1)] = _S17;
    }
    var sum_8 : vec3<f32> = sum_7 + products_0[i32(1)];
    var x_10 : f32 = (3.0f * (above_0[i32(4)] - above_0[i32(2)] + below_0[i32(4)] - below_0[i32(2)]) + 10.0f * (here_0[i32(4)] - here_0[i32(2)])) / 32.0f;
    var y_10 : f32 = (3.0f * (below_0[i32(2)] - above_0[i32(2)] + below_0[i32(4)] - above_0[i32(4)]) + 10.0f * (below_0[i32(3)] - above_0[i32(3)])) / 32.0f;
    var right_7 : bool = _S18 < i32(Constants_0.size_0.x);
    if(_S37 < i32(Constants_0.size_0.y))
    {
        if(right_7)
        {
            _S17 = vec3<f32>(x_10 * x_10, x_10 * y_10, y_10 * y_10);
        }
        else
        {
            _S17 = products_0[max(i32(1), i32(0))];
        }
        products_0[i32(2)] = _S17;
    }
    var sum_9 : vec3<f32> = sum_8 + products_0[i32(2)];
    var x_11 : f32 = (3.0f * (above_0[i32(5)] - above_0[i32(3)] + below_0[i32(5)] - below_0[i32(3)]) + 10.0f * (here_0[i32(5)] - here_0[i32(3)])) / 32.0f;
    var y_11 : f32 = (3.0f * (below_0[i32(3)] - above_0[i32(3)] + below_0[i32(5)] - above_0[i32(5)]) + 10.0f * (below_0[i32(4)] - above_0[i32(4)])) / 32.0f;
    var right_8 : bool = _S19 < i32(Constants_0.size_0.x);
    if(_S37 < i32(Constants_0.size_0.y))
    {
        if(right_8)
        {
            _S17 = vec3<f32>(x_11 * x_11, x_11 * y_11, y_11 * y_11);
        }
        else
        {
            _S17 = products_0[max(i32(2), i32(0))];
        }
        products_0[i32(3)] = _S17;
    }
    var sum_10 : vec3<f32> = sum_9 + products_0[i32(3)];
    var _S38 : f32 = here_0[i32(0)];
    above_0[i32(0)] = here_0[i32(0)];
    var _S39 : f32 = below_0[i32(0)];
    here_0[i32(0)] = below_0[i32(0)];
    var _S40 : f32 = here_0[i32(1)];
    above_0[i32(1)] = here_0[i32(1)];
    here_0[i32(1)] = below_0[i32(1)];
    var _S41 : f32 = here_0[i32(2)];
    above_0[i32(2)] = here_0[i32(2)];
    var _S42 : f32 = below_0[i32(2)];
    here_0[i32(2)] = below_0[i32(2)];
    above_0[i32(3)] = here_0[i32(3)];
    here_0[i32(3)] = below_0[i32(3)];
    above_0[i32(4)] = here_0[i32(4)];
    here_0[i32(4)] = below_0[i32(4)];
    above_0[i32(5)] = here_0[i32(5)];
    here_0[i32(5)] = below_0[i32(5)];
    var _S43 : f32 = light_at_0(_S3 + vec2<i32>(i32(0), i32(5)));
    below_0[i32(0)] = _S43;
    var _S44 : f32 = light_at_0(_S3 + vec2<i32>(i32(1), i32(5)));
    below_0[i32(1)] = _S44;
    var _S45 : f32 = light_at_0(_S3 + vec2<i32>(i32(2), i32(5)));
    below_0[i32(2)] = _S45;
    below_0[i32(3)] = light_at_0(_S3 + vec2<i32>(i32(3), i32(5)));
    below_0[i32(4)] = light_at_0(_S3 + vec2<i32>(i32(4), i32(5)));
    below_0[i32(5)] = light_at_0(_S3 + vec2<i32>(i32(5), i32(5)));
    var x_12 : f32 = (3.0f * (_S41 - _S38 + _S45 - _S43) + 10.0f * (_S42 - _S39)) / 32.0f;
    var y_12 : f32 = (3.0f * (_S43 - _S38 + _S45 - _S41) + 10.0f * (_S44 - _S40)) / 32.0f;
    var _S46 : i32 = _S13 + i32(3);
    if(_S46 < i32(Constants_0.size_0.y))
    {
        products_0[i32(0)] = vec3<f32>(x_12 * x_12, x_12 * y_12, y_12 * y_12);
    }
    var sum_11 : vec3<f32> = sum_10 + products_0[i32(0)];
    var x_13 : f32 = (3.0f * (above_0[i32(3)] - above_0[i32(1)] + below_0[i32(3)] - below_0[i32(1)]) + 10.0f * (here_0[i32(3)] - here_0[i32(1)])) / 32.0f;
    var y_13 : f32 = (3.0f * (below_0[i32(1)] - above_0[i32(1)] + below_0[i32(3)] - above_0[i32(3)]) + 10.0f * (below_0[i32(2)] - above_0[i32(2)])) / 32.0f;
    var right_9 : bool = _S16 < i32(Constants_0.size_0.x);
    if(_S46 < i32(Constants_0.size_0.y))
    {
        if(right_9)
        {
            _S17 = vec3<f32>(x_13 * x_13, x_13 * y_13, y_13 * y_13);
        }
        else
        {
            _S17 = products_0[max(i32(0), i32(0))];
        }
        products_0[i32(1)] = _S17;
    }
    var sum_12 : vec3<f32> = sum_11 + products_0[i32(1)];
    var x_14 : f32 = (3.0f * (above_0[i32(4)] - above_0[i32(2)] + below_0[i32(4)] - below_0[i32(2)]) + 10.0f * (here_0[i32(4)] - here_0[i32(2)])) / 32.0f;
    var y_14 : f32 = (3.0f * (below_0[i32(2)] - above_0[i32(2)] + below_0[i32(4)] - above_0[i32(4)]) + 10.0f * (below_0[i32(3)] - above_0[i32(3)])) / 32.0f;
    var right_10 : bool = _S18 < i32(Constants_0.size_0.x);
    if(_S46 < i32(Constants_0.size_0.y))
    {
        if(right_10)
        {
            _S17 = vec3<f32>(x_14 * x_14, x_14 * y_14, y_14 * y_14);
        }
        else
        {
            _S17 = products_0[max(i32(1), i32(0))];
        }
        products_0[i32(2)] = _S17;
    }
    var sum_13 : vec3<f32> = sum_12 + products_0[i32(2)];
    var x_15 : f32 = (3.0f * (above_0[i32(5)] - above_0[i32(3)] + below_0[i32(5)] - below_0[i32(3)]) + 10.0f * (here_0[i32(5)] - here_0[i32(3)])) / 32.0f;
    var y_15 : f32 = (3.0f * (below_0[i32(3)] - above_0[i32(3)] + below_0[i32(5)] - above_0[i32(5)]) + 10.0f * (below_0[i32(4)] - above_0[i32(4)])) / 32.0f;
    var right_11 : bool = _S19 < i32(Constants_0.size_0.x);
    if(_S46 < i32(Constants_0.size_0.y))
    {
        if(right_11)
        {
            _S17 = vec3<f32>(x_15 * x_15, x_15 * y_15, y_15 * y_15);
        }
        else
        {
            _S17 = products_0[max(i32(2), i32(0))];
        }
        products_0[i32(3)] = _S17;
    }
    var sum_14 : vec3<f32> = sum_13 + products_0[i32(3)];
    var sum_15 : vec3<f32> = sum_14 / vec3<f32>(16.0f);
    if(inside_0)
    {
        textureStore((structure_0), (_S2), (vec4<f32>(sum_15, 0.0f)));
    }
    var _S47 : f32;
    if(inside_0)
    {
        _S47 = saturate((sqrt(sum_15.x + sum_15.z) - Constants_0.flat_0) * Constants_0.per_busy_0);
    }
    else
    {
        _S47 = 0.0f;
    }
    busy_0[thread_0] = _S47;
    workgroupBarrier();
    var half_0 : u32 = u32(128);
    for(;;)
    {
        if(half_0 > u32(0))
        {
        }
        else
        {
            break;
        }
        if(thread_0 < half_0)
        {
            busy_0[thread_0] = busy_0[thread_0] + busy_0[thread_0 + half_0];
        }
        workgroupBarrier();
        half_0 = half_0 / u32(2);
    }
    if(thread_0 == u32(0))
    {
        var _S48 : vec2<u32> = block_0.xy;
        var held_0 : vec2<u32> = min(Constants_0.cells_0 - _S48 * vec2<u32>(u32(16)), vec2<u32>(u32(16), u32(16)));
        textureStore((surroundings_0), (_S48), vec4<f32>((busy_0[i32(0)] / f32(held_0.x * held_0.y)), 0, 0, 1));
    }
    return;
}

