// stroke_motion.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 31d6b1184d6a367d83540b49e495d94b 12401705a188d8457352600eeed88b80
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) target_0 : vec2<u32>,
    @align(16) stroke_count_0 : u32,
    @align(4) filled_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) place_0 : u32,
    @align(16) rests_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> fine_0 : array<u32>;

@binding(3) @group(0) var<storage, read> next_fine_0 : array<u32>;

@binding(1) @group(0) var<storage, read> cells_0 : array<i32>;

@binding(2) @group(0) var<storage, read> far_cells_0 : array<i32>;

@binding(4) @group(0) var<storage, read> next_cells_0 : array<i32>;

@binding(5) @group(0) var<storage, read> next_far_cells_0 : array<i32>;

@binding(1) @group(1) var<storage, read_write> lost_0 : array<atomic<u32>>;

@binding(0) @group(1) var<storage, read_write> found_0 : array<vec4<i32>>;

var<workgroup> own_0 : array<i32, i32(64)>;

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

var<workgroup> there_0 : array<i32, i32(64)>;

var<workgroup> sums_0 : array<vec2<i32>, i32(8)>;

fn sum_of_rows_0() -> vec2<i32>
{
    const _S1 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var k_0 : u32 = u32(0);
    var sum_0 : vec2<i32> = _S1;
    for(;;)
    {
        if(k_0 < u32(8))
        {
        }
        else
        {
            break;
        }
        var sum_1 : vec2<i32> = sum_0 + sums_0[k_0];
        k_0 = k_0 + u32(1);
        sum_0 = sum_1;
    }
    return sum_0;
}

var<workgroup> ours_0 : array<i32, i32(128)>;

fn place_in_0( at_3 : vec2<i32>,  all_0 : vec2<i32>) -> i32
{
    var _S2 : vec2<i32> = clamp(at_3, vec2<i32>(i32(0), i32(0)), all_0 - vec2<i32>(i32(1)));
    return _S2.y * all_0.x + _S2.x;
}

var<workgroup> area_0 : array<i32, i32(722)>;

var<workgroup> ranks_0 : array<u32, i32(192)>;

fn ranked_0( cost_0 : i32,  steps_0 : vec2<i32>,  number_0 : u32) -> u32
{
    var far_0 : u32 = u32(abs(steps_0.x) + abs(steps_0.y));
    return ((((((u32(cost_0) + u32(64) * far_0) << (u32(11)))) | (((far_0 << (u32(7))))))) | (number_0));
}

fn best_rank_0( thread_0 : u32,  side_0 : u32) -> u32
{
    var way_0 : u32 = thread_0 / u32(96);
    var number_1 : u32 = thread_0 % u32(96);
    workgroupBarrier();
    var _S3 : bool = number_1 < side_0;
    var least_0 : u32;
    var n_0 : u32;
    if(_S3)
    {
        least_0 = u32(4294967295);
        n_0 = u32(0);
        for(;;)
        {
            if(n_0 < side_0)
            {
            }
            else
            {
                break;
            }
            var _S4 : u32 = min(least_0, ranks_0[way_0 * u32(96) + number_1 * side_0 + n_0]);
            var _S5 : u32 = n_0 + u32(1);
            least_0 = _S4;
            n_0 = _S5;
        }
    }
    else
    {
        least_0 = u32(4294967295);
    }
    workgroupBarrier();
    if(_S3)
    {
        ranks_0[way_0 * u32(96) + number_1] = least_0;
    }
    workgroupBarrier();
    least_0 = u32(4294967295);
    n_0 = u32(0);
    for(;;)
    {
        if(n_0 < side_0)
        {
        }
        else
        {
            break;
        }
        var _S6 : u32 = min(least_0, ranks_0[way_0 * u32(96) + n_0]);
        var _S7 : u32 = n_0 + u32(1);
        least_0 = _S6;
        n_0 = _S7;
    }
    workgroupBarrier();
    return (least_0 & (u32(127)));
}

var<workgroup> costs_0 : array<i32, i32(192)>;

var<workgroup> rows_0 : array<i32, i32(64)>;

fn between_pixels_0( before_0 : i32,  here_0 : i32,  after_0 : i32) -> i32
{
    var rise_0 : i32 = max(before_0, after_0) - here_0;
    if(rise_0 <= i32(0))
    {
        return i32(0);
    }
    var most_0 : i32 = i32(16) * here_0 / rise_0;
    var _S8 : i32 = i32(8) * (before_0 - after_0) / rise_0;
    return clamp(_S8, - most_0, most_0);
}

@compute
@workgroup_size(192, 1, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var _S9 : vec2<i32> = vec2<i32>(i32(4));
    var _S10 : vec2<i32> = vec2<i32>(i32(1));
    var near_grid_0 : vec2<i32> = (vec2<i32>(Constants_0.size_0) + _S9 - _S10) / _S9;
    var _S11 : vec2<i32> = vec2<i32>(i32(2));
    var _S12 : vec2<i32> = (near_grid_0 + _S10) / _S11;
    var _S13 : vec2<i32> = vec2<i32>(group_0.xy);
    var _S14 : vec2<i32> = vec2<i32>(i32(16));
    var corner_0 : vec2<i32> = _S13 * _S14;
    var way_1 : u32 = thread_1 / u32(96);
    var number_2 : u32 = thread_1 % u32(96);
    var _S15 : u32 = thread_1 % u32(8);
    var _S16 : i32 = i32(_S15);
    var within_0 : vec2<i32> = vec2<i32>(_S16, i32(thread_1 / u32(8)));
    var _S17 : bool = thread_1 < u32(64);
    if(_S17)
    {
        var _S18 : vec2<i32> = held_0(corner_0 + _S11 * within_0);
        var _S19 : u32 = word_of_0(_S18);
        own_0[thread_1] = half_of_0(fine_0[_S19], _S18);
        there_0[thread_1] = half_of_0(next_fine_0[_S19], _S18);
    }
    workgroupBarrier();
    var _S20 : bool = thread_1 < u32(8);
    var k_1 : u32;
    var around_0 : vec2<i32>;
    if(_S20)
    {
        const _S21 : vec2<i32> = vec2<i32>(i32(0), i32(0));
        k_1 = thread_1 * u32(8);
        around_0 = _S21;
        for(;;)
        {
            if(k_1 < ((thread_1 + u32(1)) * u32(8)))
            {
            }
            else
            {
                break;
            }
            var sum_2 : vec2<i32> = around_0 + vec2<i32>(abs(own_0[k_1] - there_0[k_1]), own_0[k_1]);
            k_1 = k_1 + u32(1);
            around_0 = sum_2;
        }
        sums_0[thread_1] = around_0;
    }
    workgroupBarrier();
    var both_0 : vec2<i32> = sum_of_rows_0();
    var resting_0 : i32 = both_0.x;
    var _S22 : i32 = (both_0.y + i32(32)) / i32(64);
    var tries_0 : bool = resting_0 > i32(512);
    var _S23 : vec2<i32> = _S13 * _S11 - vec2<i32>(i32(3));
    var _S24 : vec2<i32> = _S13 * _S9 - _S11;
    var least_1 : i32;
    if(tries_0)
    {
        k_1 = number_2;
        for(;;)
        {
            if(k_1 < u32(64))
            {
            }
            else
            {
                break;
            }
            var at_4 : vec2<i32> = vec2<i32>(i32(k_1 % u32(8)), i32(k_1 / u32(8)));
            if(way_1 == u32(0))
            {
                least_1 = cells_0[place_in_0(_S24 + at_4, near_grid_0)];
            }
            else
            {
                least_1 = far_cells_0[place_in_0(_S23 + at_4, _S12)];
            }
            ours_0[way_1 * u32(64) + k_1] = least_1;
            k_1 = k_1 + u32(96);
        }
        k_1 = number_2;
        for(;;)
        {
            if(k_1 < u32(256))
            {
            }
            else
            {
                break;
            }
            var at_5 : vec2<i32> = vec2<i32>(i32(k_1 % u32(16)), i32(k_1 / u32(16))) - _S9;
            if(way_1 == u32(0))
            {
                least_1 = next_cells_0[place_in_0(_S24 + at_5, near_grid_0)];
            }
            else
            {
                least_1 = next_far_cells_0[place_in_0(_S23 + at_5, _S12)];
            }
            area_0[way_1 * u32(19) * u32(19) + k_1] = least_1;
            k_1 = k_1 + u32(96);
        }
    }
    ranks_0[thread_1] = u32(4294967295);
    workgroupBarrier();
    var _S25 : bool;
    if(tries_0)
    {
        _S25 = number_2 < u32(81);
    }
    else
    {
        _S25 = false;
    }
    var cost_1 : i32;
    if(_S25)
    {
        var _S26 : i32 = i32(number_2 % u32(9));
        var _S27 : i32 = i32(number_2 / u32(9));
        var moved_0 : vec2<i32> = vec2<i32>(_S26, _S27);
        var _S28 : i32 = i32(way_1);
        var _S29 : i32 = _S28 * i32(19) * i32(19) + _S27 * i32(16) + _S26;
        least_1 = i32(0);
        cost_1 = i32(0);
        for(;;)
        {
            if(least_1 < i32(8))
            {
            }
            else
            {
                break;
            }
            var _S30 : i32 = _S28 * i32(64) + least_1 * i32(8);
            var _S31 : i32 = _S29 + least_1 * i32(16);
            var cost_2 : i32 = cost_1 + abs(ours_0[_S30] - area_0[_S31]) + abs(ours_0[_S30 + i32(1)] - area_0[_S31 + i32(1)]) + abs(ours_0[_S30 + i32(2)] - area_0[_S31 + i32(2)]) + abs(ours_0[_S30 + i32(3)] - area_0[_S31 + i32(3)]) + abs(ours_0[_S30 + i32(4)] - area_0[_S31 + i32(4)]) + abs(ours_0[_S30 + i32(5)] - area_0[_S31 + i32(5)]) + abs(ours_0[_S30 + i32(6)] - area_0[_S31 + i32(6)]) + abs(ours_0[_S30 + i32(7)] - area_0[_S31 + i32(7)]);
            least_1 = least_1 + i32(1);
            cost_1 = cost_2;
        }
        ranks_0[thread_1] = ranked_0(cost_1, moved_0 - _S9, number_2);
    }
    var best_0 : u32 = best_rank_0(thread_1, u32(9));
    var around_1 : vec2<i32> = vec2<i32>(i32(best_0 % u32(9)), i32(best_0 / u32(9))) - _S9;
    var _S32 : bool = way_1 == u32(1);
    if(_S32)
    {
        around_0 = around_1 * _S11;
    }
    else
    {
        around_0 = around_1;
    }
    if(tries_0)
    {
        _S25 = _S32;
    }
    else
    {
        _S25 = false;
    }
    if(_S25)
    {
        k_1 = number_2;
        for(;;)
        {
            if(k_1 < u32(64))
            {
            }
            else
            {
                break;
            }
            ours_0[u32(64) + k_1] = cells_0[place_in_0(_S24 + vec2<i32>(i32(k_1 % u32(8)), i32(k_1 / u32(8))), near_grid_0)];
            k_1 = k_1 + u32(96);
        }
        k_1 = number_2;
        for(;;)
        {
            if(k_1 < u32(100))
            {
            }
            else
            {
                break;
            }
            area_0[u32(361) + k_1] = next_cells_0[place_in_0(_S24 + around_0 - _S10 + vec2<i32>(i32(k_1 % u32(10)), i32(k_1 / u32(10))), near_grid_0)];
            k_1 = k_1 + u32(96);
        }
    }
    ranks_0[thread_1] = u32(4294967295);
    workgroupBarrier();
    if(tries_0)
    {
        _S25 = _S32;
    }
    else
    {
        _S25 = false;
    }
    if(_S25)
    {
        _S25 = number_2 < u32(9);
    }
    else
    {
        _S25 = false;
    }
    if(_S25)
    {
        var _S33 : i32 = i32(number_2 % u32(3));
        var _S34 : i32 = i32(number_2 / u32(3));
        var moved_1 : vec2<i32> = vec2<i32>(_S33, _S34);
        var _S35 : i32 = i32(361) + _S34 * i32(10) + _S33;
        least_1 = i32(0);
        cost_1 = i32(0);
        for(;;)
        {
            if(least_1 < i32(8))
            {
            }
            else
            {
                break;
            }
            var _S36 : i32 = i32(64) + least_1 * i32(8);
            var _S37 : i32 = _S35 + least_1 * i32(10);
            var cost_3 : i32 = cost_1 + abs(ours_0[_S36] - area_0[_S37]) + abs(ours_0[_S36 + i32(1)] - area_0[_S37 + i32(1)]) + abs(ours_0[_S36 + i32(2)] - area_0[_S37 + i32(2)]) + abs(ours_0[_S36 + i32(3)] - area_0[_S37 + i32(3)]) + abs(ours_0[_S36 + i32(4)] - area_0[_S37 + i32(4)]) + abs(ours_0[_S36 + i32(5)] - area_0[_S37 + i32(5)]) + abs(ours_0[_S36 + i32(6)] - area_0[_S37 + i32(6)]) + abs(ours_0[_S36 + i32(7)] - area_0[_S37 + i32(7)]);
            least_1 = least_1 + i32(1);
            cost_1 = cost_3;
        }
        ranks_0[thread_1] = ranked_0(cost_1, moved_1 - _S10, number_2);
    }
    var best_1 : u32 = best_rank_0(thread_1, u32(3));
    if(_S32)
    {
        around_0 = around_0 + (vec2<i32>(i32(best_1 % u32(3)), i32(best_1 / u32(3))) - _S10);
    }
    var around_2 : vec2<i32> = around_0 * _S9;
    if(tries_0)
    {
        k_1 = number_2;
        for(;;)
        {
            if(k_1 < u32(361))
            {
            }
            else
            {
                break;
            }
            var _S38 : vec2<i32> = held_0(corner_0 + around_2 - _S11 + vec2<i32>(i32(k_1 % u32(19)), i32(k_1 / u32(19))));
            area_0[way_1 * u32(19) * u32(19) + k_1] = half_of_0(next_fine_0[word_of_0(_S38)], _S38);
            k_1 = k_1 + u32(96);
        }
    }
    ranks_0[thread_1] = u32(4294967295);
    workgroupBarrier();
    if(tries_0)
    {
        _S25 = number_2 < u32(25);
    }
    else
    {
        _S25 = false;
    }
    if(_S25)
    {
        var _S39 : i32 = i32(number_2 % u32(5));
        var _S40 : i32 = i32(number_2 / u32(5));
        var moved_2 : vec2<i32> = vec2<i32>(_S39, _S40);
        var _S41 : i32 = i32(way_1) * i32(19) * i32(19) + _S40 * i32(19) + _S39;
        least_1 = i32(0);
        cost_1 = i32(0);
        for(;;)
        {
            if(least_1 < i32(8))
            {
            }
            else
            {
                break;
            }
            var _S42 : i32 = least_1 * i32(8);
            var _S43 : i32 = _S41 + least_1 * i32(2) * i32(19);
            var cost_4 : i32 = cost_1 + abs(own_0[_S42] - area_0[_S43]) + abs(own_0[_S42 + i32(1)] - area_0[_S43 + i32(2)]) + abs(own_0[_S42 + i32(2)] - area_0[_S43 + i32(4)]) + abs(own_0[_S42 + i32(3)] - area_0[_S43 + i32(6)]) + abs(own_0[_S42 + i32(4)] - area_0[_S43 + i32(8)]) + abs(own_0[_S42 + i32(5)] - area_0[_S43 + i32(10)]) + abs(own_0[_S42 + i32(6)] - area_0[_S43 + i32(12)]) + abs(own_0[_S42 + i32(7)] - area_0[_S43 + i32(14)]);
            least_1 = least_1 + i32(1);
            cost_1 = cost_4;
        }
        costs_0[thread_1] = cost_1;
        ranks_0[thread_1] = ranked_0(cost_1, moved_2 - _S11, number_2);
    }
    var best_2 : u32 = best_rank_0(thread_1, u32(5));
    var vector_0 : vec2<i32> = around_2 + vec2<i32>(i32(best_2 % u32(5)), i32(best_2 / u32(5))) - _S11;
    if(number_2 == u32(0))
    {
        var _S44 : u32 = u32(4) * way_1;
        rows_0[_S44] = vector_0.x;
        rows_0[_S44 + u32(1)] = vector_0.y;
        if(tries_0)
        {
            least_1 = costs_0[way_1 * u32(96) + best_2];
        }
        else
        {
            least_1 = i32(2147483647);
        }
        rows_0[_S44 + u32(2)] = least_1;
    }
    workgroupBarrier();
    var _S45 : i32 = resting_0 - i32(512);
    const _S46 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    k_1 = u32(0);
    least_1 = _S45;
    var place_found_0 : vec2<i32> = _S46;
    cost_1 = resting_0;
    for(;;)
    {
        if(k_1 < u32(2))
        {
        }
        else
        {
            break;
        }
        var _S47 : u32 = u32(4) * k_1;
        var here_1 : i32 = rows_0[_S47 + u32(2)];
        if(tries_0)
        {
            _S25 = here_1 < least_1;
        }
        else
        {
            _S25 = false;
        }
        if(_S25)
        {
            var _S48 : vec2<i32> = vec2<i32>(rows_0[_S47], rows_0[_S47 + u32(1)]);
            least_1 = here_1;
            place_found_0 = _S48;
            cost_1 = here_1;
        }
        k_1 = k_1 + u32(1);
    }
    workgroupBarrier();
    var kind_0 : i32;
    var sum_3 : i32;
    if(_S17)
    {
        var place_1 : u32 = thread_1 / u32(8);
        if(place_1 < u32(4))
        {
            least_1 = i32(1);
        }
        else
        {
            least_1 = i32(2);
        }
        if((place_1 % u32(2)) == u32(1))
        {
            kind_0 = i32(1);
        }
        else
        {
            kind_0 = i32(-1);
        }
        var away_0 : i32 = least_1 * kind_0;
        var _S49 : vec2<i32> = corner_0 + place_found_0;
        if((place_1 % u32(4)) < u32(2))
        {
            around_0 = vec2<i32>(i32(0), away_0);
        }
        else
        {
            around_0 = vec2<i32>(away_0, i32(0));
        }
        var _S50 : vec2<i32> = _S49 + around_0 + vec2<i32>(i32(0), _S16 * i32(2));
        kind_0 = i32(0);
        sum_3 = i32(0);
        for(;;)
        {
            if(kind_0 < i32(8))
            {
            }
            else
            {
                break;
            }
            var _S51 : vec2<i32> = held_0(_S50 + vec2<i32>(kind_0 * i32(2), i32(0)));
            var sum_4 : i32 = sum_3 + abs(own_0[_S15 * u32(8) + u32(kind_0)] - half_of_0(next_fine_0[word_of_0(_S51)], _S51));
            kind_0 = kind_0 + i32(1);
            sum_3 = sum_4;
        }
        rows_0[thread_1] = sum_3;
    }
    else
    {
        if(thread_1 < u32(128))
        {
            var sample_0 : u32 = thread_1 - u32(64);
            var _S52 : vec2<i32> = held_0(corner_0 + place_found_0 + _S11 * vec2<i32>(i32(sample_0 % u32(8)), i32(sample_0 / u32(8))));
            there_0[sample_0] = half_of_0(next_fine_0[word_of_0(_S52)], _S52);
        }
    }
    workgroupBarrier();
    if(_S20)
    {
        k_1 = u32(0);
        sum_3 = i32(0);
        for(;;)
        {
            if(k_1 < u32(8))
            {
            }
            else
            {
                break;
            }
            var sum_5 : i32 = sum_3 + rows_0[thread_1 * u32(8) + k_1];
            k_1 = k_1 + u32(1);
            sum_3 = sum_5;
        }
        costs_0[thread_1] = sum_3;
    }
    else
    {
        if(thread_1 < u32(16))
        {
            k_1 = u32(0);
            sum_3 = i32(0);
            for(;;)
            {
                if(k_1 < u32(8))
                {
                }
                else
                {
                    break;
                }
                var sum_6 : i32 = sum_3 + there_0[(thread_1 - u32(8)) * u32(8) + k_1];
                k_1 = k_1 + u32(1);
                sum_3 = sum_6;
            }
            sums_0[thread_1 - u32(8)] = vec2<i32>(sum_3, i32(0));
        }
    }
    workgroupBarrier();
    var _S53 : i32 = (sum_of_rows_0().x + i32(32)) / i32(64);
    workgroupBarrier();
    if(_S20)
    {
        k_1 = thread_1 * u32(8);
        sum_3 = i32(0);
        for(;;)
        {
            if(k_1 < ((thread_1 + u32(1)) * u32(8)))
            {
            }
            else
            {
                break;
            }
            var sum_7 : i32 = sum_3 + (abs(own_0[k_1] - _S22) + abs(there_0[k_1] - _S53));
            k_1 = k_1 + u32(1);
            sum_3 = sum_7;
        }
        sums_0[thread_1] = vec2<i32>(sum_3, i32(0));
    }
    workgroupBarrier();
    if(thread_1 == u32(0))
    {
        if((min(min(costs_0[i32(4)], costs_0[i32(5)]), min(costs_0[i32(6)], costs_0[i32(7)])) - cost_1) >= i32(256))
        {
            kind_0 = i32(1);
        }
        else
        {
            kind_0 = i32(0);
        }
        if((any((place_found_0 != vec2<i32>(i32(0))))))
        {
            kind_0 = (kind_0 | (i32(2)));
        }
        if((i32(8) * cost_1) >= (i32(3) * (i32(384) + sum_of_rows_0().x)))
        {
            var kind_1 : i32 = (kind_0 | (i32(4)));
            var _S54 : u32 = atomicAdd(&(lost_0[i32(0)]), u32(1));
            kind_0 = kind_1;
        }
        var _S55 : i32 = between_pixels_0(costs_0[i32(2)], cost_1, costs_0[i32(3)]);
        var _S56 : i32 = between_pixels_0(costs_0[i32(0)], cost_1, costs_0[i32(1)]);
        var moved_3 : vec2<i32> = place_found_0 * _S14 + vec2<i32>(_S55, _S56);
        found_0[group_0.y * ((Constants_0.size_0.x + u32(16) - u32(1)) / u32(16)) + group_0.x] = vec4<i32>(moved_3.y, moved_3.x, cost_1, kind_0);
    }
    return;
}

