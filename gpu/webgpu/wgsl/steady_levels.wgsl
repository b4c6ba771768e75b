// steady_levels.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// d5cd4a5f6c28dbbb727afb39648fef85 381821268b5642550fe4c1ed978b7f88
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
@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(1) @group(0) var<storage, read> painting_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> fine_0 : array<u32>;

@binding(1) @group(1) var<storage, read_write> means_0 : array<f32>;

@binding(2) @group(1) var<storage, read_write> pixels_0 : array<u32>;

fn source_at_0( at_0 : vec2<u32>) -> vec3<f32>
{
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var k_0 : u32 = at_0.y * Constants_0.padded_0.x + at_0.x;
    return vec3<f32>(frame_0[k_0], frame_0[k_0 + plane_0], frame_0[k_0 + u32(2) * plane_0]);
}

fn luma_0( v_0 : vec3<f32>) -> f32
{
    return floor(255.0f * (v_0.x + 2.0f * v_0.y + v_0.z) + 0.5f);
}

fn painting_at_0( at_1 : vec2<u32>) -> vec3<f32>
{
    var plane_1 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    var k_1 : u32 = at_1.y * Constants_0.painted_size_0.x + at_1.x;
    return vec3<f32>(painting_0[k_1], painting_0[k_1 + plane_1], painting_0[k_1 + u32(2) * plane_1]);
}

fn not_finite_parts_0( v_1 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_1))) & (_S1))) == _S1;
}

fn cleaned_0( v_2 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_2), vec3<f32>(0.0f), not_finite_parts_0(v_2));
}

fn level_at_0( at_2 : vec2<u32>) -> u32
{
    var _S2 : vec2<u32> = min(at_2, Constants_0.size_0 - vec2<u32>(u32(1)));
    return u32(luma_0(source_at_0(_S2)) + luma_0(cleaned_0(painting_at_0(vec2<u32>(Constants_0.scale_0) * _S2 + vec2<u32>((Constants_0.scale_0 / u32(2)))))) + 1.0f) / u32(2);
}

fn word_of_0( at_3 : vec2<i32>) -> u32
{
    return u32(at_3.y) * ((Constants_0.size_0.x + u32(1)) / u32(2)) + u32(at_3.x) / u32(2);
}

fn first_of_source_0( at_4 : vec2<u32>) -> u32
{
    return u32(3) * (at_4.y * ((Constants_0.size_0.x + u32(1)) / u32(2)) + at_4.x / u32(2));
}

fn in_sixteenths_0( v_3 : vec3<f32>) -> vec3<u32>
{
    return vec3<u32>(floor(vec3<f32>(4080.0f) * v_3 + vec3<f32>(0.5f)));
}

fn keep_0( first_0 : u32,  left_0 : vec3<u32>,  right_0 : vec3<u32>)
{
    pixels_0[first_0] = ((left_0.x) | ((((left_0.y) << (u32(16))))));
    pixels_0[first_0 + u32(1)] = ((left_0.z) | ((((right_0.x) << (u32(16))))));
    pixels_0[first_0 + u32(2)] = ((right_0.y) | ((((right_0.z) << (u32(16))))));
    return;
}

fn first_of_painting_0( at_5 : vec2<u32>) -> u32
{
    return first_of_source_0(vec2<u32>(u32(0), Constants_0.size_0.y)) + u32(3) * (at_5.y * ((Constants_0.scale_0 * Constants_0.size_0.x + u32(1)) / u32(2)) + at_5.x / u32(2));
}

fn in_16_bits_0( v_4 : vec3<f32>) -> vec3<u32>
{
    return select(vec3<u32>(floor(vec3<f32>(65534.0f) * cleaned_0(v_4) + vec3<f32>(0.5f))), vec3<u32>(vec3<i32>(i32(65535))), not_finite_parts_0(v_4));
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var i_0 : u32;
    var x_0 : u32;
    var _S3 : u32 = id_0.x;
    var _S4 : bool;
    if(_S3 >= (Constants_0.cells_0.x))
    {
        _S4 = true;
    }
    else
    {
        _S4 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S4)
    {
        return;
    }
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
        i_0 = u32(0);
        for(;;)
        {
            if(i_0 < u32(4))
            {
            }
            else
            {
                break;
            }
            var at_6 : vec2<u32> = id_0.xy * vec2<u32>(u32(4)) + vec2<u32>(i_0, j_0);
            var left_1 : u32 = level_at_0(at_6);
            var right_1 : u32 = level_at_0(at_6 + vec2<u32>(u32(1), u32(0)));
            if((all((at_6 < (Constants_0.size_0)))))
            {
                fine_0[word_of_0(vec2<i32>(at_6))] = (left_1 | (((right_1 << (u32(16))))));
            }
            var sum_1 : f32 = sum_0 + f32(left_1 + right_1);
            i_0 = i_0 + u32(2);
            sum_0 = sum_1;
        }
        j_0 = j_0 + u32(1);
    }
    means_0[id_0.y * Constants_0.cells_0.x + _S3] = floor((sum_0 + 8.0f) / 16.0f);
    i_0 = u32(0);
    for(;;)
    {
        if(i_0 < u32(4))
        {
        }
        else
        {
            break;
        }
        x_0 = u32(0);
        for(;;)
        {
            if(x_0 < u32(4))
            {
            }
            else
            {
                break;
            }
            var left_2 : vec2<u32> = id_0.xy * vec2<u32>(u32(4)) + vec2<u32>(x_0, i_0);
            var right_2 : vec2<u32> = vec2<u32>(min(left_2.x + u32(1), Constants_0.size_0.x - u32(1)), left_2.y);
            if((all((left_2 < (Constants_0.size_0)))))
            {
                keep_0(first_of_source_0(left_2), in_sixteenths_0(source_at_0(left_2)), in_sixteenths_0(source_at_0(right_2)));
            }
            x_0 = x_0 + u32(2);
        }
        i_0 = i_0 + u32(1);
    }
    var _S5 : u32 = Constants_0.scale_0 * u32(4);
    x_0 = u32(0);
    for(;;)
    {
        if(x_0 < _S5)
        {
        }
        else
        {
            break;
        }
        var u_0 : u32 = u32(0);
        for(;;)
        {
            if(u_0 < _S5)
            {
            }
            else
            {
                break;
            }
            var left_3 : vec2<u32> = id_0.xy * vec2<u32>(_S5) + vec2<u32>(u_0, x_0);
            var right_3 : vec2<u32> = vec2<u32>(min(left_3.x + u32(1), Constants_0.scale_0 * Constants_0.size_0.x - u32(1)), left_3.y);
            if((all((left_3 < (vec2<u32>(Constants_0.scale_0) * Constants_0.size_0)))))
            {
                keep_0(first_of_painting_0(left_3), in_16_bits_0(painting_at_0(left_3)), in_16_bits_0(painting_at_0(right_3)));
            }
            u_0 = u_0 + u32(2);
        }
        x_0 = x_0 + u32(1);
    }
    return;
}

