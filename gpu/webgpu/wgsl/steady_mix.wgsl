// steady_mix.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 89af80efad821c32e67bc3e9bcd42558 691f276a312866d685eb8079922cf648
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
@binding(4) @group(0) var<storage, read> vectors_0 : array<i32>;

@binding(0) @group(0) var<storage, read> frame_0 : array<f32>;

@binding(1) @group(0) var<storage, read> near_frame_0 : array<f32>;

@binding(5) @group(0) var<storage, read> sure_0 : array<f32>;

@binding(2) @group(0) var<storage, read> painting_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> sums_0 : array<u32>;

@binding(3) @group(0) var<storage, read> near_painting_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> result_0 : array<f32>;

@id(2) override ENDS_0 : i32 = i32(0);

@id(0) override BEGINS_0 : i32 = i32(0);

@id(1) override ADDS_0 : i32 = i32(0);

var<workgroup> differences_0 : array<f32, i32(340)>;

fn vector_at_0( at_0 : vec2<u32>) -> vec2<i32>
{
    var v_0 : u32 = u32(2) * (at_0.y / u32(16) * Constants_0.grid_0.x + at_0.x / u32(16));
    return vec2<i32>(vectors_0[v_0], vectors_0[v_0 + u32(1)]);
}

fn sixteenths_0( value_0 : vec3<f32>) -> vec3<f32>
{
    return floor(vec3<f32>(4080.0f) * value_0 + vec3<f32>(0.5f));
}

fn difference_0( at_1 : vec2<i32>) -> f32
{
    const _S1 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S2 : vec2<i32> = vec2<i32>(i32(1));
    var held_0 : vec2<i32> = clamp(at_1, _S1, vec2<i32>(Constants_0.size_0) - _S2);
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_0 : u32 = u32(held_0.y) * Constants_0.padded_0.x + u32(held_0.x);
    var there_0 : vec2<i32> = clamp(held_0 + vector_at_0(vec2<u32>(held_0)), _S1, vec2<i32>(Constants_0.size_0) - _S2);
    var k_0 : u32 = u32(there_0.y) * Constants_0.padded_0.x + u32(there_0.x);
    var _S3 : u32 = u32(2) * plane_0;
    var apart_0 : vec3<f32> = abs(sixteenths_0(vec3<f32>(frame_0[i_0], frame_0[i_0 + plane_0], frame_0[i_0 + _S3])) - sixteenths_0(vec3<f32>(near_frame_0[k_0], near_frame_0[k_0 + plane_0], near_frame_0[k_0 + _S3])));
    return max(apart_0.x, max(apart_0.y, apart_0.z));
}

fn place_0( at_2 : vec2<i32>,  planes_0 : vec2<u32>) -> u32
{
    var held_1 : vec2<i32> = clamp(at_2, vec2<i32>(i32(0), i32(0)), vec2<i32>(planes_0) - vec2<i32>(i32(1)));
    return u32(held_1.y) * planes_0.x + u32(held_1.x);
}

fn beside_0( block_0 : vec2<i32>,  own_0 : vec2<i32>) -> f32
{
    var i_1 : u32 = place_0(block_0, Constants_0.grid_0);
    var o_0 : u32 = place_0(own_0, Constants_0.grid_0);
    var _S4 : u32 = u32(2) * i_1;
    var _S5 : u32 = u32(2) * o_0;
    var _S6 : f32;
    if((abs(vectors_0[_S4] - vectors_0[_S5]) + abs(vectors_0[_S4 + u32(1)] - vectors_0[_S5 + u32(1)])) > i32(Constants_0.together_px_0))
    {
        _S6 = - sure_0[o_0];
    }
    else
    {
        _S6 = sure_0[i_1];
    }
    return _S6;
}

fn sure_at_0( at_3 : vec2<u32>) -> f32
{
    var _S7 : vec2<u32> = vec2<u32>(u32(16));
    var _S8 : vec2<u32> = at_3 / _S7;
    var _S9 : vec2<i32> = vec2<i32>(_S8);
    var _S10 : vec2<u32> = at_3 % _S7;
    var _S11 : vec2<f32> = vec2<f32>(0.5f);
    var far_0 : vec2<f32> = (vec2<f32>(_S10) + _S11) / vec2<f32>(16.0f) - _S11;
    var _S12 : i32;
    if((far_0.x) < 0.0f)
    {
        _S12 = i32(-1);
    }
    else
    {
        _S12 = i32(1);
    }
    var _S13 : i32;
    if((far_0.y) < 0.0f)
    {
        _S13 = i32(-1);
    }
    else
    {
        _S13 = i32(1);
    }
    var part_0 : vec2<f32> = abs(far_0);
    var _S14 : f32 = part_0.x;
    return max(mix(mix(sure_0[place_0(_S9, Constants_0.grid_0)], beside_0(_S9 + vec2<i32>(_S12, i32(0)), _S9), _S14), mix(beside_0(_S9 + vec2<i32>(i32(0), _S13), _S9), beside_0(_S9 + vec2<i32>(_S12, _S13), _S9), _S14), part_0.y), 0.0f);
}

fn not_finite_parts_0( v_1 : vec3<f32>) -> vec3<bool>
{
    var _S15 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_1))) & (_S15))) == _S15;
}

fn cleaned_0( v_2 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_2), vec3<f32>(0.0f), not_finite_parts_0(v_2));
}

fn sum_of_0( stored_0 : vec2<u32>) -> vec4<f32>
{
    var _S16 : u32 = stored_0.x;
    var _S17 : u32 = stored_0.y;
    return vec4<f32>(vec4<u32>((_S16 & (u32(65535))), (_S16 >> (u32(16))), (_S17 & (u32(65535))), (_S17 >> (u32(16))))) / vec4<f32>(65535.0f) * vec4<f32>(1.0f, 1.0f, 1.0f, 16.0f);
}

fn in_16_bits_0( sum_0 : vec4<f32>) -> vec2<u32>
{
    var _S18 : vec4<u32> = vec4<u32>(vec4<f32>(65535.0f) * saturate(sum_0 / vec4<f32>(1.0f, 1.0f, 1.0f, 16.0f)) + vec4<f32>(0.5f));
    return vec2<u32>(((_S18.x) | ((((_S18.y) << (u32(16)))))), ((_S18.z) | ((((_S18.w) << (u32(16)))))));
}

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) within_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var j_0 : u32;
    var i_2 : u32;
    var likeness_0 : f32;
    if(ADDS_0 == i32(1))
    {
        var _S19 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(8)) - vec2<i32>(i32(1));
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
            differences_0[j_0] = difference_0(_S19 + vec2<i32>(i32(j_0 % u32(34)), i32(j_0 / u32(34))));
            j_0 = j_0 + u32(256);
        }
        workgroupBarrier();
        i_2 = u32(0);
        likeness_0 = 0.0f;
        for(;;)
        {
            if(i_2 < u32(3))
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
                var sum_1 : f32 = likeness_0 + differences_0[(within_0.y + i_2) * u32(34) + within_0.x + x_0];
                x_0 = x_0 + u32(1);
                likeness_0 = sum_1;
            }
            i_2 = i_2 + u32(1);
        }
        likeness_0 = saturate(2.0f - Constants_0.falloff_0 * max(2.0f * likeness_0, 9.0f * differences_0[(within_0.y + u32(1)) * u32(34) + within_0.x + u32(1)]));
    }
    else
    {
        likeness_0 = 0.0f;
    }
    var _S20 : bool;
    if((id_0.x) >= (Constants_0.size_0.x))
    {
        _S20 = true;
    }
    else
    {
        _S20 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S20)
    {
        return;
    }
    const _S21 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var moved_0 : vec2<i32>;
    if(ADDS_0 == i32(1))
    {
        var _S22 : vec2<u32> = id_0.xy;
        var likeness_1 : f32 = likeness_0 * sure_at_0(_S22);
        moved_0 = vec2<i32>(i32(Constants_0.scale_0)) * vector_at_0(_S22);
        likeness_0 = likeness_1;
    }
    else
    {
        moved_0 = _S21;
    }
    var _S23 : u32 = Constants_0.painted_size_0.x * Constants_0.painted_size_0.y;
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
        i_2 = u32(0);
        for(;;)
        {
            if(i_2 < (Constants_0.scale_0))
            {
            }
            else
            {
                break;
            }
            var at_4 : vec2<u32> = vec2<u32>(Constants_0.scale_0) * id_0.xy + vec2<u32>(i_2, j_0);
            var o_1 : u32 = at_4.y * Constants_0.painted_size_0.x + at_4.x;
            var _S24 : u32 = o_1 + _S23;
            var _S25 : u32 = u32(2) * _S23;
            var _S26 : u32 = o_1 + _S25;
            var own_1 : vec3<f32> = vec3<f32>(painting_0[o_1], painting_0[_S24], painting_0[_S26]);
            var _S27 : vec4<f32> = vec4<f32>(cleaned_0(own_1), 1.0f);
            var sum_2 : vec4<f32>;
            if(BEGINS_0 == i32(0))
            {
                var _S28 : u32 = u32(2) * o_1;
                sum_2 = sum_of_0(vec2<u32>(sums_0[_S28], sums_0[_S28 + u32(1)]));
            }
            else
            {
                sum_2 = _S27;
            }
            var sum_3 : vec4<f32>;
            if(ADDS_0 == i32(1))
            {
                var there_1 : vec2<i32> = clamp(vec2<i32>(at_4) + moved_0, _S21, vec2<i32>(vec2<u32>(Constants_0.scale_0) * Constants_0.size_0) - vec2<i32>(i32(1)));
                var k_1 : u32 = u32(there_1.y) * Constants_0.painted_size_0.x + u32(there_1.x);
                var other_0 : vec3<f32> = vec3<f32>(near_painting_0[k_1], near_painting_0[k_1 + _S23], near_painting_0[k_1 + _S25]);
                var finite_0 : vec3<f32> = select(vec3<f32>(1.0f), vec3<f32>(0.0f), not_finite_parts_0(other_0));
                var share_0 : f32 = likeness_0 * finite_0.x * finite_0.y * finite_0.z;
                var _S29 : f32 = sum_2.w;
                var weight_0 : f32 = _S29 + share_0;
                sum_3 = vec4<f32>((vec3<f32>(_S29) * sum_2.xyz + vec3<f32>(share_0) * cleaned_0(other_0)) / vec3<f32>(weight_0), weight_0);
            }
            else
            {
                sum_3 = sum_2;
            }
            if(ENDS_0 == i32(1))
            {
                var mean_0 : vec3<f32> = select(sum_3.xyz, own_1, not_finite_parts_0(own_1));
                result_0[o_1] = mean_0.x;
                result_0[_S24] = mean_0.y;
                result_0[_S26] = mean_0.z;
            }
            else
            {
                var stored_1 : vec2<u32> = in_16_bits_0(sum_3);
                var _S30 : u32 = u32(2) * o_1;
                sums_0[_S30] = stored_1.x;
                sums_0[_S30 + u32(1)] = stored_1.y;
            }
            i_2 = i_2 + u32(1);
        }
        j_0 = j_0 + u32(1);
    }
    return;
}

