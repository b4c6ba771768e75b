// stroke_agree.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// e53b36efa843de74d2e92ed2b1d011e5 7c94c5744c479b1e0b407145451266c9
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) change_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> vectors_0 : array<vec2<i32>>;

@binding(1) @group(0) var<storage, read> next_fine_0 : array<u32>;

@binding(0) @group(0) var<storage, read> fine_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> agreed_0 : array<vec2<i32>>;

fn divided_0( value_0 : i32,  by_0 : i32) -> i32
{
    var near_0 : i32 = value_0 / by_0;
    var _S1 : i32;
    if((near_0 * by_0) > value_0)
    {
        _S1 = near_0 - i32(1);
    }
    else
    {
        _S1 = near_0;
    }
    return _S1;
}

fn held_0( at_0 : vec2<i32>) -> vec2<i32>
{
    return clamp(at_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(Constants_0.size_0) - vec2<i32>(i32(1)));
}

fn word_of_0( at_1 : vec2<i32>) -> u32
{
    return u32(at_1.y) * ((Constants_0.size_0.x + u32(1)) / u32(2)) + u32(at_1.x) / u32(2);
}

fn half_of_0( word_0 : u32,  at_2 : vec2<i32>) -> i32
{
    return i32((((word_0 >> ((u32(16) * (u32(at_2.x) % u32(2)))))) & (u32(65535))));
}

fn sample_of_next_0( at_3 : vec2<i32>) -> i32
{
    var _S2 : vec2<i32> = held_0(at_3);
    return half_of_0(next_fine_0[word_of_0(_S2)], _S2);
}

var<workgroup> sums_0 : array<i32, i32(576)>;

@compute
@workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var i_0 : i32;
    var sum_0 : i32;
    var _S3 : vec2<u32> = vec2<u32>(u32(16));
    var blocks_0 : vec2<u32> = (Constants_0.size_0 + _S3 - vec2<u32>(u32(1))) / _S3;
    var _S4 : u32 = id_0.x;
    var number_0 : u32 = _S4 / u32(8);
    var _S5 : u32 = blocks_0.x;
    var _S6 : u32 = blocks_0.y;
    var _S7 : u32 = _S5 * _S6;
    var _S8 : u32 = min(number_0, _S7 - u32(1));
    var column_0 : u32 = _S8 % _S5;
    var row_0 : u32 = _S8 / _S5;
    var further_0 : i32 = i32(Constants_0.change_0);
    var ways_0 : array<vec2<i32>, i32(9)>;
    var _S9 : vec2<i32> = vectors_0[_S8];
    ways_0[i32(0)] = _S9;
    ways_0[i32(1)] = vectors_0[(max(row_0, u32(1)) - u32(1)) * _S5 + column_0];
    var _S10 : u32 = row_0 * _S5;
    ways_0[i32(2)] = vectors_0[_S10 + max(column_0, u32(1)) - u32(1)];
    ways_0[i32(3)] = vectors_0[_S10 + min(column_0 + u32(1), _S5 - u32(1))];
    ways_0[i32(4)] = vectors_0[min(row_0 + u32(1), _S6 - u32(1)) * _S5 + column_0];
    var _S11 : vec2<i32> = vec2<i32>(further_0, i32(0));
    ways_0[i32(5)] = _S9 + _S11;
    ways_0[i32(6)] = _S9 - _S11;
    var _S12 : vec2<i32> = vec2<i32>(i32(0), further_0);
    ways_0[i32(7)] = _S9 + _S12;
    ways_0[i32(8)] = _S9 - _S12;
    var _S13 : vec2<i32> = vec2<i32>(i32(0));
    var moves_0 : bool = (any((_S9 != _S13)));
    var k_0 : i32 = i32(1);
    for(;;)
    {
        if(k_0 <= i32(4))
        {
        }
        else
        {
            break;
        }
        if(moves_0)
        {
            moves_0 = true;
        }
        else
        {
            moves_0 = (any(((ways_0[k_0]) != _S13)));
        }
        k_0 = k_0 + i32(1);
    }
    var _S14 : vec2<i32> = vec2<i32>(i32(16));
    var _S15 : u32 = _S4 % u32(8);
    var _S16 : vec2<i32> = vec2<i32>(i32(column_0), i32(row_0)) * _S14 + vec2<i32>(i32(0), i32(_S15) * i32(2));
    k_0 = i32(0);
    for(;;)
    {
        if(k_0 < i32(9))
        {
        }
        else
        {
            break;
        }
        if(moves_0)
        {
            var _S17 : i32 = divided_0(ways_0[k_0].x, i32(16));
            var _S18 : i32 = divided_0(ways_0[k_0].y, i32(16));
            var _S19 : vec2<i32> = ways_0[k_0] - vec2<i32>(_S17, _S18) * _S14;
            i_0 = i32(0);
            sum_0 = i32(0);
            for(;;)
            {
                if(i_0 < i32(8))
                {
                }
                else
                {
                    break;
                }
                var at_4 : vec2<i32> = _S16 + vec2<i32>(i_0 * i32(2), i32(0));
                var there_0 : vec2<i32> = at_4 + vec2<i32>(_S18, _S17);
                var _S20 : i32 = _S19.y;
                var _S21 : i32 = i32(16) - _S20;
                var _S22 : i32 = _S19.x;
                var _S23 : vec2<i32> = held_0(at_4);
                var sum_1 : i32 = sum_0 + abs(half_of_0(fine_0[word_of_0(_S23)], _S23) - ((i32(16) - _S22) * (_S21 * sample_of_next_0(there_0) + _S20 * sample_of_next_0(there_0 + vec2<i32>(i32(1), i32(0)))) + _S22 * (_S21 * sample_of_next_0(there_0 + vec2<i32>(i32(0), i32(1))) + _S20 * sample_of_next_0(there_0 + vec2<i32>(i32(1), i32(1)))) + i32(128)) / i32(256));
                i_0 = i_0 + i32(1);
                sum_0 = sum_1;
            }
        }
        else
        {
            sum_0 = i32(0);
        }
        sums_0[thread_0 * u32(9) + u32(k_0)] = sum_0;
        k_0 = k_0 + i32(1);
    }
    workgroupBarrier();
    var _S24 : bool;
    if(_S15 != u32(0))
    {
        _S24 = true;
    }
    else
    {
        _S24 = number_0 >= _S7;
    }
    if(_S24)
    {
        return;
    }
    var _S25 : vec2<i32> = ways_0[i32(0)];
    var best_0 : vec2<i32>;
    if(moves_0)
    {
        i_0 = i32(2147483647);
        best_0 = _S25;
        k_0 = i32(0);
        for(;;)
        {
            if(k_0 < i32(9))
            {
            }
            else
            {
                break;
            }
            if((any(((ways_0[k_0]) != _S13))))
            {
                sum_0 = i32(0);
            }
            else
            {
                sum_0 = i32(-64);
            }
            var n_0 : i32 = i32(0);
            var cost_0 : i32 = sum_0;
            for(;;)
            {
                if(n_0 < i32(8))
                {
                }
                else
                {
                    break;
                }
                var cost_1 : i32 = cost_0 + sums_0[(thread_0 + u32(n_0)) * u32(9) + u32(k_0)];
                n_0 = n_0 + i32(1);
                cost_0 = cost_1;
            }
            var n_1 : i32 = i32(1);
            var cost_2 : i32 = cost_0;
            for(;;)
            {
                if(n_1 <= i32(4))
                {
                }
                else
                {
                    break;
                }
                var apart_0 : vec2<i32> = abs(ways_0[k_0] - ways_0[n_1]);
                var cost_3 : i32 = cost_2 + i32(8) * (apart_0.x + apart_0.y);
                n_1 = n_1 + i32(1);
                cost_2 = cost_3;
            }
            if(cost_2 < i_0)
            {
                i_0 = cost_2;
                best_0 = ways_0[k_0];
            }
            k_0 = k_0 + i32(1);
        }
    }
    else
    {
        best_0 = _S25;
    }
    agreed_0[_S8] = best_0;
    return;
}

