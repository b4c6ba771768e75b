// stroke_carry.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// b77322df36ecafdc4b863d99ee92cc85 04d3410bb8627d2b562da67715b6774c
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
@binding(3) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(0) @group(0) var<storage, read> homes_0 : array<u32>;

@binding(1) @group(0) var<storage, read> vectors_0 : array<vec2<i32>>;

@binding(2) @group(0) var<storage, read> before_0 : array<u32>;

@binding(4) @group(0) var<storage, read> former_0 : array<vec2<u32>>;

@binding(0) @group(1) var<storage, read_write> offsets_0 : array<u32>;

@binding(2) @group(1) var<storage, read_write> looks_0 : array<vec2<u32>>;

@binding(1) @group(1) var<storage, read_write> covered_0 : array<u32>;

@id(0) override FIRST_0 : i32 = i32(0);

fn layer_with_stroke_0( number_0 : u32) -> u32
{
    var index_0 : u32 = u32(0);
    var k_0 : u32 = u32(1);
    for(;;)
    {
        if(k_0 < (Constants_0.layer_count_0))
        {
        }
        else
        {
            break;
        }
        if(number_0 >= (layers_0[u32(6) * k_0].y))
        {
            index_0 = k_0;
        }
        k_0 = k_0 + u32(1);
    }
    return index_0;
}

struct Layer_0
{
     index_1 : u32,
     first_0 : u32,
     first_slot_0 : u32,
     columns_0 : u32,
     rows_0 : u32,
     cell_0 : u32,
     slots_0 : u32,
     half_steps_0 : u32,
     covered_1 : u32,
     colours_0 : vec4<u32>,
     needs_0 : vec4<u32>,
     per_need_0 : f32,
     reach_0 : f32,
     width_0 : f32,
     length_0 : f32,
     tiles_0 : u32,
     first_picked_0 : u32,
     most_picked_0 : u32,
};

fn layer_of_0( index_2 : u32) -> Layer_0
{
    var row_0 : u32 = u32(6) * index_2;
    var a_0 : vec4<u32> = layers_0[row_0];
    var b_0 : vec4<u32> = layers_0[row_0 + u32(1)];
    var e_0 : vec4<u32> = layers_0[row_0 + u32(4)];
    var f_0 : vec4<u32> = layers_0[row_0 + u32(5)];
    var found_0 : Layer_0;
    found_0.index_1 = index_2;
    found_0.first_0 = a_0.x;
    found_0.first_slot_0 = a_0.y;
    found_0.columns_0 = a_0.z;
    found_0.rows_0 = a_0.w;
    found_0.cell_0 = b_0.x;
    found_0.slots_0 = b_0.y;
    found_0.half_steps_0 = b_0.z;
    found_0.covered_1 = b_0.w;
    found_0.colours_0 = layers_0[row_0 + u32(2)];
    found_0.needs_0 = layers_0[row_0 + u32(3)];
    found_0.per_need_0 = (bitcast<f32>((e_0.x)));
    found_0.reach_0 = (bitcast<f32>((e_0.y)));
    found_0.width_0 = (bitcast<f32>((e_0.z)));
    found_0.length_0 = (bitcast<f32>((e_0.w)));
    found_0.tiles_0 = f_0.x;
    found_0.first_picked_0 = f_0.y;
    found_0.most_picked_0 = f_0.z;
    return found_0;
}

fn hashed_0( word_0 : u32) -> u32
{
    var _S1 : u32 = ((word_0 ^ (((word_0 >> (u32(16))))))) * u32(2146121005);
    var _S2 : u32 = ((_S1 ^ (((_S1 >> (u32(15))))))) * u32(2221713035);
    return (_S2 ^ (((_S2 >> (u32(16))))));
}

fn within_cell_0( word_1 : u32,  cell_1 : u32) -> i32
{
    return i32(((((word_1 >> (u32(20)))) * cell_1 + (((((((word_1 >> (u32(8)))) & (u32(4095)))) * cell_1) >> (u32(12))))) >> (u32(12))));
}

fn home_of_0( place_1 : u32,  layer_0 : Layer_0) -> vec3<i32>
{
    var row_1 : u32 = (place_1 & (u32(65535)));
    var column_0 : u32 = (place_1 >> (u32(16)));
    var seed_0 : u32 = hashed_0(hashed_0(hashed_0(layer_0.index_1 + u32(1)) + row_1) + column_0);
    return vec3<i32>((vec2<i32>(i32(row_1), i32(column_0)) - vec2<i32>(i32(1))) * vec2<i32>(i32(layer_0.cell_0)) + vec2<i32>(within_cell_0(hashed_0(seed_0 + u32(1759714724)), layer_0.cell_0), within_cell_0(hashed_0(seed_0 + u32(3519429448)), layer_0.cell_0)), i32(seed_0));
}

fn age_of_0( seed_1 : u32,  slot_0 : u32,  place_2 : u32) -> u32
{
    var phase_0 : u32 = ((seed_1 >> (u32(8)))) + place_2;
    if(slot_0 >= u32(2))
    {
        return (phase_0 + (slot_0 - u32(2)) * u32(3)) % u32(15);
    }
    return (phase_0 + slot_0 * u32(24)) % u32(48);
}

fn unpacked_0( word_2 : u32) -> vec2<i32>
{
    return vec2<i32>((i32((word_2 << (u32(16)))) >> (u32(16))), (i32(word_2) >> (u32(16))));
}

fn divided_0( value_0 : i32,  by_0 : i32) -> i32
{
    var near_0 : i32 = value_0 / by_0;
    var _S3 : i32;
    if((near_0 * by_0) > value_0)
    {
        _S3 = near_0 - i32(1);
    }
    else
    {
        _S3 = near_0;
    }
    return _S3;
}

fn at_work_0( place_3 : i32,  working_0 : i32,  target_1 : i32) -> i32
{
    var whole_0 : i32 = divided_0(place_3, target_1);
    var _S4 : i32 = whole_0 * working_0;
    var _S5 : i32 = (place_3 - whole_0 * target_1) * working_0 / target_1;
    return _S4 + _S5;
}

fn carried_0( spot_0 : vec2<i32>) -> vec2<i32>
{
    var _S6 : vec2<u32> = vec2<u32>(u32(16));
    var _S7 : vec2<u32> = (Constants_0.size_0 + _S6 - vec2<u32>(u32(1))) / _S6;
    var _S8 : vec2<i32> = vec2<i32>(_S7);
    var _S9 : vec2<i32> = vec2<i32>(Constants_0.size_0);
    var _S10 : vec2<i32> = vec2<i32>(Constants_0.target_0);
    var _S11 : i32 = _S9.x;
    var _S12 : i32 = _S10.x;
    var _S13 : i32 = at_work_0(spot_0.y, _S11, _S12);
    var _S14 : i32 = _S9.y;
    var _S15 : i32 = _S10.y;
    var _S16 : i32 = at_work_0(spot_0.x, _S14, _S15);
    var at_0 : vec2<i32> = vec2<i32>(_S13, _S16) - vec2<i32>(i32(128));
    var _S17 : i32 = divided_0(at_0.x, i32(256));
    var _S18 : i32 = divided_0(at_0.y, i32(256));
    var low_0 : vec2<i32> = vec2<i32>(_S17, _S18);
    var part_0 : vec2<i32> = at_0 - low_0 * vec2<i32>(i32(256));
    const _S19 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S20 : vec2<i32> = vec2<i32>(i32(1));
    var _S21 : vec2<i32> = _S8 - _S20;
    var a_1 : vec2<i32> = clamp(low_0, _S19, _S21);
    var b_1 : vec2<i32> = clamp(low_0 + _S20, _S19, _S21);
    var _S22 : i32 = part_0.x;
    var _S23 : i32 = _S8.x;
    var _S24 : i32 = a_1.y * _S23;
    var _S25 : i32 = a_1.x;
    var _S26 : vec2<i32> = vec2<i32>((i32(256) - _S22));
    var _S27 : i32 = b_1.x;
    var _S28 : vec2<i32> = vec2<i32>(_S22);
    var _S29 : i32 = b_1.y * _S23;
    var _S30 : i32 = part_0.y;
    var sum_0 : vec2<i32> = vec2<i32>((i32(256) - _S30)) * (_S26 * vectors_0[_S24 + _S25] + _S28 * vectors_0[_S24 + _S27]) + vec2<i32>(_S30) * (_S26 * vectors_0[_S29 + _S25] + _S28 * vectors_0[_S29 + _S27]) + vec2<i32>(i32(32768));
    var _S31 : i32 = divided_0(sum_0.x, i32(65536));
    var _S32 : i32 = divided_0(sum_0.y, i32(65536));
    var _S33 : i32 = divided_0(i32(2) * _S31 * _S15 + _S14, i32(2) * _S14);
    var _S34 : i32 = divided_0(i32(2) * _S32 * _S12 + _S11, i32(2) * _S11);
    return vec2<i32>(_S33, _S34);
}

fn packed_word_0( offset_0 : vec2<i32>) -> u32
{
    return (((u32(offset_0.x) & (u32(65535)))) | (((u32(offset_0.y) << (u32(16))))));
}

fn size_of_0( age_0 : u32,  slot_1 : u32) -> vec2<u32>
{
    var _S35 : vec2<u32> = vec2<u32>(min(min(age_0, u32(48) - age_0), u32(12)), u32(12));
    var size_1 : vec2<u32>;
    if(slot_1 >= u32(2))
    {
        var _S36 : u32 = min(age_0 + u32(1), u32(2));
        var _S37 : u32 = min(u32(15) - age_0, u32(4));
        if((_S36 * u32(4)) < (_S37 * u32(2)))
        {
            size_1 = vec2<u32>(_S36, u32(2));
        }
        else
        {
            size_1 = vec2<u32>(_S37, u32(4));
        }
    }
    else
    {
        size_1 = _S35;
    }
    return size_1;
}

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var i_0 : u32 = id_0.x;
    if(i_0 >= (Constants_0.stroke_count_0))
    {
        return;
    }
    var layer_1 : Layer_0 = layer_of_0(layer_with_stroke_0(i_0));
    var _S38 : u32 = i_0 - layer_1.first_slot_0;
    var rank_0 : u32 = _S38 / layer_1.slots_0;
    var slot_2 : u32 = _S38 - rank_0 * layer_1.slots_0;
    var home_0 : vec3<i32> = home_of_0(homes_0[layer_1.first_0 + rank_0], layer_1);
    var fresh_0 : bool;
    if(FIRST_0 == i32(0))
    {
        var _S39 : vec2<u32> = vec2<u32>(u32(16));
        var blocks_0 : vec2<u32> = (Constants_0.size_0 + _S39 - vec2<u32>(u32(1))) / _S39;
        var _S40 : u32 = blocks_0.x;
        var _S41 : u32 = blocks_0.y;
        fresh_0 = (u32(8) * u32(vectors_0[_S40 * _S41].x)) >= (u32(5) * _S40 * _S41);
    }
    else
    {
        fresh_0 = FIRST_0 == i32(1);
    }
    var age_1 : u32 = age_of_0(u32(home_0.z), slot_2, Constants_0.place_0);
    const _S42 : vec2<u32> = vec2<u32>(u32(0), u32(0));
    const _S43 : vec2<i32> = vec2<i32>(i32(-32768), i32(-32768));
    if(fresh_0)
    {
        fresh_0 = true;
    }
    else
    {
        fresh_0 = age_1 == u32(0);
    }
    var offset_1 : vec2<i32>;
    var colours_1 : vec2<u32>;
    var rest_0 : vec2<u32>;
    if(fresh_0)
    {
        if(slot_2 < u32(2))
        {
            offset_1 = vec2<i32>(i32(0), i32(0));
        }
        else
        {
            offset_1 = _S43;
        }
        colours_1 = _S42;
        rest_0 = _S42;
    }
    else
    {
        if(FIRST_0 == i32(0))
        {
            var from_0 : vec2<i32> = unpacked_0(before_0[i_0]);
            if((from_0.x) != i32(-32768))
            {
                var _S44 : vec2<i32> = carried_0(home_0.xy + from_0);
                var offset_2 : vec2<i32> = from_0 + _S44;
                if((any(((abs(offset_2)) > vec2<i32>(i32(32000))))))
                {
                    offset_1 = _S43;
                    colours_1 = _S42;
                    rest_0 = _S42;
                }
                else
                {
                    var _S45 : vec2<u32> = former_0[i_0];
                    var _S46 : vec2<u32> = former_0[Constants_0.rests_0 + i_0];
                    offset_1 = offset_2;
                    colours_1 = _S45;
                    rest_0 = _S46;
                }
            }
            else
            {
                offset_1 = _S43;
                colours_1 = _S42;
                rest_0 = _S42;
            }
        }
        else
        {
            offset_1 = _S43;
            colours_1 = _S42;
            rest_0 = _S42;
        }
    }
    offsets_0[i_0] = packed_word_0(offset_1);
    looks_0[i_0] = colours_1;
    looks_0[Constants_0.rests_0 + i_0] = rest_0;
    var grown_0 : vec2<u32> = size_of_0(age_1, slot_2);
    if((layer_1.slots_0) > u32(2))
    {
        fresh_0 = slot_2 < u32(2);
    }
    else
    {
        fresh_0 = false;
    }
    if(fresh_0)
    {
        fresh_0 = (offset_1.x) != i32(-32768);
    }
    else
    {
        fresh_0 = false;
    }
    if(fresh_0)
    {
        fresh_0 = f32(grown_0.x) >= (0.5f * f32(grown_0.y));
    }
    else
    {
        fresh_0 = false;
    }
    if(fresh_0)
    {
        var at_1 : vec2<i32> = home_0.xy + offset_1 - vec2<i32>(i32(layer_1.cell_0 / u32(2)));
        var _S47 : i32 = i32(layer_1.cell_0);
        var _S48 : i32 = divided_0(at_1.x, _S47);
        var _S49 : i32 = divided_0(at_1.y, _S47);
        var corner_0 : vec2<i32> = vec2<i32>(_S48, _S49) + vec2<i32>(i32(1));
        var _S50 : i32 = corner_0.x;
        var row_2 : i32 = max(_S50, i32(0));
        for(;;)
        {
            if(row_2 <= (min(_S50 + i32(1), i32(layer_1.rows_0) - i32(1))))
            {
            }
            else
            {
                break;
            }
            var _S51 : i32 = corner_0.y;
            var column_1 : i32 = max(_S51, i32(0));
            for(;;)
            {
                if(column_1 <= (min(_S51 + i32(1), i32(layer_1.columns_0) - i32(1))))
                {
                }
                else
                {
                    break;
                }
                covered_0[layer_1.covered_1 + u32(row_2) * layer_1.columns_0 + u32(column_1)] = u32(1);
                column_1 = column_1 + i32(1);
            }
            row_2 = row_2 + i32(1);
        }
    }
    return;
}

