// steady_mix.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 2a65d6839356dd674f1110d26dd67485 7a33810ec283763a1fc5142bc2908a75
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
@binding(0) @group(0) var<storage, read> own_0 : array<u32>;

@binding(5) @group(0) var<storage, read> motion_0 : array<u32>;

@binding(1) @group(0) var<storage, read> near0_0 : array<u32>;

@binding(2) @group(0) var<storage, read> near1_0 : array<u32>;

@binding(3) @group(0) var<storage, read> near2_0 : array<u32>;

@binding(4) @group(0) var<storage, read> near3_0 : array<u32>;

@binding(6) @group(0) var<storage, read> painting_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> result_0 : array<f32>;

@id(0) override NEIGHBOURS_0 : i32 = i32(0);

fn first_of_source_0( at_0 : vec2<u32>) -> u32
{
    return u32(3) * (at_0.y * ((Constants_0.size_0.x + u32(1)) / u32(2)) + at_0.x / u32(2));
}

fn pixel_of_0( words_0 : vec3<u32>,  column_0 : u32) -> vec3<u32>
{
    var _S1 : u32 = words_0.y;
    var _S2 : u32 = words_0.z;
    var second_0 : vec3<u32> = vec3<u32>((_S1 >> (u32(16))), (_S2 & (u32(65535))), (_S2 >> (u32(16))));
    var _S3 : vec3<u32>;
    if((column_0 % u32(2)) == u32(1))
    {
        _S3 = second_0;
    }
    else
    {
        var _S4 : u32 = words_0.x;
        _S3 = vec3<u32>((_S4 & (u32(65535))), (_S4 >> (u32(16))), (_S1 & (u32(65535))));
    }
    return _S3;
}

fn word_of_0( block_0 : vec2<u32>,  number_1 : u32) -> u32
{
    return u32(3) * ((number_1 * Constants_0.grid_0.y + block_0.y) * Constants_0.grid_0.x + block_0.x);
}

fn vector_of_0( block_1 : vec2<u32>,  number_2 : u32) -> vec2<i32>
{
    var word_0 : u32 = word_of_0(block_1, number_2);
    return vec2<i32>((bitcast<i32>((motion_0[word_0]))), (bitcast<i32>((motion_0[word_0 + u32(1)]))));
}

var<workgroup> differences_0 : array<f32, i32(1360)>;

fn sure_of_0( block_2 : vec2<u32>,  number_3 : u32) -> f32
{
    return (bitcast<f32>((motion_0[word_of_0(block_2, number_3) + u32(2)])));
}

fn beside_0( block_3 : vec2<i32>,  own_block_0 : vec2<u32>,  number_4 : u32) -> f32
{
    var _S5 : vec2<u32> = vec2<u32>(clamp(block_3, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.grid_0) - vec2<i32>(i32(1))));
    var apart_0 : vec2<i32> = abs(vector_of_0(_S5, number_4) - vector_of_0(own_block_0, number_4));
    var _S6 : f32;
    if((apart_0.x + apart_0.y) > i32(Constants_0.together_px_0))
    {
        _S6 = - sure_of_0(own_block_0, number_4);
    }
    else
    {
        _S6 = sure_of_0(_S5, number_4);
    }
    return _S6;
}

fn sure_at_0( at_1 : vec2<u32>,  number_5 : u32) -> f32
{
    var _S7 : vec2<u32> = vec2<u32>(u32(16));
    var block_4 : vec2<u32> = at_1 / _S7;
    var _S8 : vec2<u32> = at_1 % _S7;
    var _S9 : vec2<f32> = vec2<f32>(0.5f);
    var far_0 : vec2<f32> = (vec2<f32>(_S8) + _S9) / vec2<f32>(16.0f) - _S9;
    var _S10 : i32;
    if((far_0.x) < 0.0f)
    {
        _S10 = i32(-1);
    }
    else
    {
        _S10 = i32(1);
    }
    var _S11 : i32;
    if((far_0.y) < 0.0f)
    {
        _S11 = i32(-1);
    }
    else
    {
        _S11 = i32(1);
    }
    var _S12 : vec2<i32> = vec2<i32>(block_4);
    var part_0 : vec2<f32> = abs(far_0);
    var _S13 : f32 = part_0.x;
    return max(mix(mix(sure_of_0(block_4, number_5), beside_0(_S12 + vec2<i32>(_S10, i32(0)), block_4, number_5), _S13), mix(beside_0(_S12 + vec2<i32>(i32(0), _S11), block_4, number_5), beside_0(_S12 + vec2<i32>(_S10, _S11), block_4, number_5), _S13), part_0.y), 0.0f);
}

fn weight_of_0( at_2 : vec2<u32>,  within_0 : vec2<u32>,  number_6 : u32) -> f32
{
    var corner_0 : u32 = number_6 * u32(340) + within_0.y * u32(34) + within_0.x;
    var y_0 : u32 = u32(0);
    var sum_0 : f32 = 0.0f;
    for(;;)
    {
        if(y_0 < u32(3))
        {
        }
        else
        {
            break;
        }
        var x_0 : u32 = u32(0);
        for(;;)
        {
            if(x_0 < u32(3))
            {
            }
            else
            {
                break;
            }
            var sum_1 : f32 = sum_0 + differences_0[corner_0 + y_0 * u32(34) + x_0];
            x_0 = x_0 + u32(1);
            sum_0 = sum_1;
        }
        y_0 = y_0 + u32(1);
    }
    return saturate(2.0f - Constants_0.falloff_0 * max(2.0f * sum_0, 9.0f * differences_0[corner_0 + u32(34) + u32(1)])) * sure_at_0(at_2, number_6);
}

fn first_of_painting_0( at_3 : vec2<u32>) -> u32
{
    return first_of_source_0(vec2<u32>(u32(0), Constants_0.size_0.y)) + u32(3) * (at_3.y * ((Constants_0.scale_0 * Constants_0.size_0.x + u32(1)) / u32(2)) + at_3.x / u32(2));
}

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S14 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S14))) == _S14;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_1 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var j_0 : u32;
    if(NEIGHBOURS_0 > i32(0))
    {
        var _S15 : vec2<i32> = vec2<i32>(i32(1));
        var _S16 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(8)) - _S15;
        j_0 = thread_0;
        for(;;)
        {
            if(j_0 < u32(340))
            {
            }
            else
            {
                break;
            }
            const _S17 : vec2<i32> = vec2<i32>(i32(0), i32(0));
            var _S18 : vec2<u32> = vec2<u32>(clamp(_S16 + vec2<i32>(i32(j_0 % u32(34)), i32(j_0 / u32(34))), _S17, vec2<i32>(Constants_0.size_0) - _S15));
            var _S19 : u32 = first_of_source_0(_S18);
            var _S20 : vec3<i32> = vec3<i32>(pixel_of_0(vec3<u32>(own_0[_S19], own_0[_S19 + u32(1)], own_0[_S19 + u32(2)]), _S18.x));
            if(NEIGHBOURS_0 > i32(0))
            {
                var _S21 : vec2<i32> = vec2<i32>(_S18);
                var _S22 : vec2<u32> = _S18 / vec2<u32>(u32(16));
                var _S23 : vec2<u32> = vec2<u32>(clamp(_S21 + vector_of_0(_S22, u32(0)), _S17, vec2<i32>(Constants_0.size_0) - _S15));
                var _S24 : u32 = first_of_source_0(_S23);
                var apart_1 : vec3<i32> = abs(_S20 - vec3<i32>(pixel_of_0(vec3<u32>(near0_0[_S24], near0_0[_S24 + u32(1)], near0_0[_S24 + u32(2)]), _S23.x)));
                differences_0[j_0] = f32(max(apart_1.x, max(apart_1.y, apart_1.z)));
            }
            if(NEIGHBOURS_0 > i32(1))
            {
                var _S25 : vec2<i32> = vec2<i32>(_S18);
                var _S26 : vec2<u32> = _S18 / vec2<u32>(u32(16));
                var _S27 : vec2<u32> = vec2<u32>(clamp(_S25 + vector_of_0(_S26, u32(1)), _S17, vec2<i32>(Constants_0.size_0) - _S15));
                var _S28 : u32 = first_of_source_0(_S27);
                var apart_2 : vec3<i32> = abs(_S20 - vec3<i32>(pixel_of_0(vec3<u32>(near1_0[_S28], near1_0[_S28 + u32(1)], near1_0[_S28 + u32(2)]), _S27.x)));
                differences_0[u32(340) + j_0] = f32(max(apart_2.x, max(apart_2.y, apart_2.z)));
            }
            if(NEIGHBOURS_0 > i32(2))
            {
                var _S29 : vec2<i32> = vec2<i32>(_S18);
                var _S30 : vec2<u32> = _S18 / vec2<u32>(u32(16));
                var _S31 : vec2<u32> = vec2<u32>(clamp(_S29 + vector_of_0(_S30, u32(2)), _S17, vec2<i32>(Constants_0.size_0) - _S15));
                var _S32 : u32 = first_of_source_0(_S31);
                var apart_3 : vec3<i32> = abs(_S20 - vec3<i32>(pixel_of_0(vec3<u32>(near2_0[_S32], near2_0[_S32 + u32(1)], near2_0[_S32 + u32(2)]), _S31.x)));
                differences_0[u32(680) + j_0] = f32(max(apart_3.x, max(apart_3.y, apart_3.z)));
            }
            if(NEIGHBOURS_0 > i32(3))
            {
                var _S33 : vec2<i32> = vec2<i32>(_S18);
                var _S34 : vec2<u32> = _S18 / vec2<u32>(u32(16));
                var _S35 : vec2<u32> = vec2<u32>(clamp(_S33 + vector_of_0(_S34, u32(3)), _S17, vec2<i32>(Constants_0.size_0) - _S15));
                var _S36 : u32 = first_of_source_0(_S35);
                var apart_4 : vec3<i32> = abs(_S20 - vec3<i32>(pixel_of_0(vec3<u32>(near3_0[_S36], near3_0[_S36 + u32(1)], near3_0[_S36 + u32(2)]), _S35.x)));
                differences_0[u32(1020) + j_0] = f32(max(apart_4.x, max(apart_4.y, apart_4.z)));
            }
            j_0 = j_0 + u32(256);
        }
        workgroupBarrier();
    }
    var _S37 : bool;
    if((id_0.x) >= (Constants_0.size_0.x))
    {
        _S37 = true;
    }
    else
    {
        _S37 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S37)
    {
        return;
    }
    var weights_0 : vec4<f32> = vec4<f32>(0.0f);
    if(NEIGHBOURS_0 > i32(0))
    {
        weights_0[i32(0)] = weight_of_0(id_0.xy, within_1.xy, u32(0));
    }
    if(NEIGHBOURS_0 > i32(1))
    {
        weights_0[i32(1)] = weight_of_0(id_0.xy, within_1.xy, u32(1));
    }
    if(NEIGHBOURS_0 > i32(2))
    {
        weights_0[i32(2)] = weight_of_0(id_0.xy, within_1.xy, u32(2));
    }
    if(NEIGHBOURS_0 > i32(3))
    {
        weights_0[i32(3)] = weight_of_0(id_0.xy, within_1.xy, u32(3));
    }
    var _S38 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
    j_0 = u32(0);
    for(;;)
    {
        if(j_0 < (Constants_0.scale_0))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = u32(0);
        for(;;)
        {
            if(i_0 < (Constants_0.scale_0))
            {
            }
            else
            {
                break;
            }
            var _S39 : vec2<u32> = id_0.xy;
            var at_4 : vec2<u32> = vec2<u32>(Constants_0.scale_0) * _S39 + vec2<u32>(i_0, j_0);
            var _S40 : u32 = at_4.x;
            var o_0 : u32 = at_4.y * Constants_0.painted_size_0.x + _S40;
            var mean_0 : vec3<f32>;
            if(NEIGHBOURS_0 > i32(0))
            {
                var _S41 : u32 = first_of_painting_0(at_4);
                var here_0 : vec3<u32> = pixel_of_0(vec3<u32>(own_0[_S41], own_0[_S41 + u32(1)], own_0[_S41 + u32(2)]), _S40);
                var _S42 : vec3<f32> = vec3<f32>(65534.0f);
                var sum_2 : vec4<f32> = vec4<f32>(vec3<f32>(here_0) / _S42, 1.0f);
                var weight_0 : f32;
                var sum_3 : vec4<f32>;
                if(NEIGHBOURS_0 > i32(0))
                {
                    var _S43 : vec2<i32> = vec2<i32>(at_4);
                    var _S44 : i32 = i32(Constants_0.scale_0);
                    var _S45 : vec2<u32> = _S39 / vec2<u32>(u32(16));
                    var _S46 : vec2<u32> = vec2<u32>(clamp(_S43 + vec2<i32>(_S44) * vector_of_0(_S45, u32(0)), vec2<i32>(i32(0), i32(0)), vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1))));
                    var _S47 : u32 = first_of_painting_0(_S46);
                    var other_0 : vec3<u32> = pixel_of_0(vec3<u32>(near0_0[_S47], near0_0[_S47 + u32(1)], near0_0[_S47 + u32(2)]), _S46.x);
                    if((max(other_0.x, max(other_0.y, other_0.z))) == u32(65535))
                    {
                        weight_0 = 0.0f;
                    }
                    else
                    {
                        weight_0 = weights_0[i32(0)];
                    }
                    sum_3 = sum_2 + vec4<f32>(weight_0) * vec4<f32>(vec3<f32>(other_0) / _S42, 1.0f);
                }
                else
                {
                    sum_3 = sum_2;
                }
                var sum_4 : vec4<f32>;
                if(NEIGHBOURS_0 > i32(1))
                {
                    var _S48 : vec2<i32> = vec2<i32>(at_4);
                    var _S49 : i32 = i32(Constants_0.scale_0);
                    var _S50 : vec2<u32> = _S39 / vec2<u32>(u32(16));
                    var _S51 : vec2<u32> = vec2<u32>(clamp(_S48 + vec2<i32>(_S49) * vector_of_0(_S50, u32(1)), vec2<i32>(i32(0), i32(0)), vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1))));
                    var _S52 : u32 = first_of_painting_0(_S51);
                    var other_1 : vec3<u32> = pixel_of_0(vec3<u32>(near1_0[_S52], near1_0[_S52 + u32(1)], near1_0[_S52 + u32(2)]), _S51.x);
                    if((max(other_1.x, max(other_1.y, other_1.z))) == u32(65535))
                    {
                        weight_0 = 0.0f;
                    }
                    else
                    {
                        weight_0 = weights_0[i32(1)];
                    }
                    sum_4 = sum_3 + vec4<f32>(weight_0) * vec4<f32>(vec3<f32>(other_1) / _S42, 1.0f);
                }
                else
                {
                    sum_4 = sum_3;
                }
                var sum_5 : vec4<f32>;
                if(NEIGHBOURS_0 > i32(2))
                {
                    var _S53 : vec2<i32> = vec2<i32>(at_4);
                    var _S54 : i32 = i32(Constants_0.scale_0);
                    var _S55 : vec2<u32> = _S39 / vec2<u32>(u32(16));
                    var _S56 : vec2<u32> = vec2<u32>(clamp(_S53 + vec2<i32>(_S54) * vector_of_0(_S55, u32(2)), vec2<i32>(i32(0), i32(0)), vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1))));
                    var _S57 : u32 = first_of_painting_0(_S56);
                    var other_2 : vec3<u32> = pixel_of_0(vec3<u32>(near2_0[_S57], near2_0[_S57 + u32(1)], near2_0[_S57 + u32(2)]), _S56.x);
                    if((max(other_2.x, max(other_2.y, other_2.z))) == u32(65535))
                    {
                        weight_0 = 0.0f;
                    }
                    else
                    {
                        weight_0 = weights_0[i32(2)];
                    }
                    sum_5 = sum_4 + vec4<f32>(weight_0) * vec4<f32>(vec3<f32>(other_2) / _S42, 1.0f);
                }
                else
                {
                    sum_5 = sum_4;
                }
                var sum_6 : vec4<f32>;
                if(NEIGHBOURS_0 > i32(3))
                {
                    var _S58 : vec2<i32> = vec2<i32>(at_4);
                    var _S59 : i32 = i32(Constants_0.scale_0);
                    var _S60 : vec2<u32> = _S39 / vec2<u32>(u32(16));
                    var _S61 : vec2<u32> = vec2<u32>(clamp(_S58 + vec2<i32>(_S59) * vector_of_0(_S60, u32(3)), vec2<i32>(i32(0), i32(0)), vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1))));
                    var _S62 : u32 = first_of_painting_0(_S61);
                    var other_3 : vec3<u32> = pixel_of_0(vec3<u32>(near3_0[_S62], near3_0[_S62 + u32(1)], near3_0[_S62 + u32(2)]), _S61.x);
                    if((max(other_3.x, max(other_3.y, other_3.z))) == u32(65535))
                    {
                        weight_0 = 0.0f;
                    }
                    else
                    {
                        weight_0 = weights_0[i32(3)];
                    }
                    sum_6 = sum_5 + vec4<f32>(weight_0) * vec4<f32>(vec3<f32>(other_3) / _S42, 1.0f);
                }
                else
                {
                    sum_6 = sum_5;
                }
                mean_0 = select(sum_6.xyz / vec3<f32>(sum_6.w), (bitcast<vec3<f32>>(((vec3<u32>(u32(2143289344)) | (here_0))))), here_0 == vec3<u32>(u32(65535)));
            }
            else
            {
                var here_1 : vec3<f32> = vec3<f32>(painting_0[o_0], painting_0[o_0 + _S38], painting_0[o_0 + u32(2) * _S38]);
                mean_0 = select(cleaned_0(here_1), here_1, not_finite_parts_0(here_1));
            }
            result_0[o_0] = mean_0.x;
            result_0[o_0 + _S38] = mean_0.y;
            result_0[o_0 + u32(2) * _S38] = mean_0.z;
            i_0 = i_0 + u32(1);
        }
        j_0 = j_0 + u32(1);
    }
    return;
}

