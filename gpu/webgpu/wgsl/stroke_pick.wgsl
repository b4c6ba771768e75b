// stroke_pick.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 80603863a8807efe3a6731796c9e692a defa1860eb58741d13add9ab1a9a4164
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) levels_0 : array<vec4<u32>, i32(14)>,
    @align(16) tensors_0 : array<vec4<u32>, i32(5)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) film_0 : vec2<u32>,
    @align(8) film_padded_0 : vec2<u32>,
    @align(16) film_step_0 : vec2<f32>,
    @align(8) tiles_0 : vec2<u32>,
    @align(16) corner_cells_0 : vec2<u32>,
    @align(8) corner_step_0 : vec2<f32>,
    @align(16) rest_0 : vec2<f32>,
    @align(8) cells_0 : vec2<u32>,
    @align(16) cell_count_0 : u32,
    @align(4) stroke_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) need_count_0 : u32,
    @align(16) place_0 : u32,
    @align(4) rests_0 : u32,
    @align(8) cell_px_0 : u32,
    @align(4) most_records_0 : u32,
    @align(16) most_pairs_0 : u32,
    @align(4) tensor_level_0 : u32,
    @align(8) near_level_0 : u32,
    @align(4) ground_level_0 : u32,
    @align(16) around_level_0 : u32,
    @align(4) jitter_0 : f32,
    @align(8) edge_0 : f32,
    @align(4) wet_0 : f32,
    @align(16) per_hair_0 : f32,
    @align(4) brush_0 : f32,
    @align(8) detail_0 : f32,
    @align(16) bare_0 : vec4<f32>,
    @align(16) front_0 : f32,
    @align(4) progress_0 : f32,
    @align(8) covers_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(3) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(0) @group(0) var<storage, read> homes_0 : array<u32>;

@binding(1) @group(0) var<storage, read> offsets_0 : array<u32>;

@binding(4) @group(0) var<storage, read> remembered_0 : array<vec2<u32>>;

@binding(2) @group(0) var<storage, read> needs_0 : array<f32>;

@binding(5) @group(0) var<storage, read> broader_map_0 : array<f32>;

@binding(1) @group(1) var<storage, read_write> picks_0 : array<atomic<u32>>;

@binding(0) @group(1) var<storage, read_write> picked_0 : array<u32>;

var<workgroup> counts_0 : array<atomic<u32>, i32(16)>;

fn layer_with_0( cell_0 : u32) -> u32
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
        if(cell_0 >= (layers_0[u32(6) * k_0].x))
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
     cell_1 : u32,
     slots_0 : u32,
     half_steps_0 : u32,
     covered_0 : u32,
     colours_0 : vec4<u32>,
     needs_1 : vec4<u32>,
     per_need_0 : f32,
     reach_0 : f32,
     width_0 : f32,
     length_0 : f32,
     tiles_1 : u32,
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
    found_0.cell_1 = b_0.x;
    found_0.slots_0 = b_0.y;
    found_0.half_steps_0 = b_0.z;
    found_0.covered_0 = b_0.w;
    found_0.colours_0 = layers_0[row_0 + u32(2)];
    found_0.needs_1 = layers_0[row_0 + u32(3)];
    found_0.per_need_0 = (bitcast<f32>((e_0.x)));
    found_0.reach_0 = (bitcast<f32>((e_0.y)));
    found_0.width_0 = (bitcast<f32>((e_0.z)));
    found_0.length_0 = (bitcast<f32>((e_0.w)));
    found_0.tiles_1 = f_0.x;
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

fn within_cell_0( word_1 : u32,  cell_2 : u32) -> i32
{
    return i32(((((word_1 >> (u32(20)))) * cell_2 + (((((((word_1 >> (u32(8)))) & (u32(4095)))) * cell_2) >> (u32(12))))) >> (u32(12))));
}

fn home_of_0( place_1 : u32,  layer_0 : Layer_0) -> vec3<i32>
{
    var row_1 : u32 = (place_1 & (u32(65535)));
    var column_0 : u32 = (place_1 >> (u32(16)));
    var seed_0 : u32 = hashed_0(hashed_0(hashed_0(layer_0.index_1 + u32(1)) + row_1) + column_0);
    return vec3<i32>((vec2<i32>(i32(row_1), i32(column_0)) - vec2<i32>(i32(1))) * vec2<i32>(i32(layer_0.cell_1)) + vec2<i32>(within_cell_0(hashed_0(seed_0 + u32(1759714724)), layer_0.cell_1), within_cell_0(hashed_0(seed_0 + u32(3519429448)), layer_0.cell_1)), i32(seed_0));
}

fn unpacked_0( word_2 : u32) -> vec2<i32>
{
    return vec2<i32>((i32((word_2 << (u32(16)))) >> (u32(16))), (i32(word_2) >> (u32(16))));
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

fn size_of_0( age_0 : u32,  slot_1 : u32) -> vec2<u32>
{
    var _S3 : vec2<u32> = vec2<u32>(min(min(age_0, u32(48) - age_0), u32(12)), u32(12));
    var size_1 : vec2<u32>;
    if(slot_1 >= u32(2))
    {
        var _S4 : u32 = min(age_0 + u32(1), u32(2));
        var _S5 : u32 = min(u32(15) - age_0, u32(4));
        if((_S4 * u32(4)) < (_S5 * u32(2)))
        {
            size_1 = vec2<u32>(_S4, u32(2));
        }
        else
        {
            size_1 = vec2<u32>(_S5, u32(4));
        }
    }
    else
    {
        size_1 = _S3;
    }
    return size_1;
}

struct Between_0
{
     at_0 : vec4<u32>,
     share_0 : vec2<f32>,
};

fn between_samples_0( place_3 : vec2<f32>,  level_0 : vec4<u32>) -> Between_0
{
    var low_0 : vec2<f32> = floor(place_3);
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(level_0.yz) - _S6;
    var _S7 : vec2<i32> = vec2<i32>(low_0);
    const _S8 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S7, _S8, last_0);
    var b_1 : vec2<i32> = clamp(_S7 + _S6, _S8, last_0);
    var found_1 : Between_0;
    var _S9 : i32 = i32(level_0.y);
    var _S10 : vec2<i32> = vec2<i32>(a_1.x, b_1.x);
    found_1.at_0 = vec4<u32>(level_0.x) + vec4<u32>(vec2<u32>(vec2<i32>((a_1.y * _S9)) + _S10), vec2<u32>(vec2<i32>((b_1.y * _S9)) + _S10));
    found_1.share_0 = place_3 - low_0;
    return found_1;
}

fn in_map_0( place_4 : vec2<f32>) -> Between_0
{
    return between_samples_0(vec2<f32>(256.0f) * place_4 - vec2<f32>(0.5f), vec4<u32>(u32(0), u32(256), u32(256), u32(0)));
}

fn in_level_0( place_5 : vec2<f32>,  level_1 : u32) -> vec2<f32>
{
    return place_5 / vec2<f32>(f32((u32(1) << (level_1)))) - vec2<f32>(0.5f);
}

fn needed_0( layer_1 : Layer_0,  at_1 : vec2<f32>) -> f32
{
    var _S11 : u32 = layer_1.needs_1.w;
    var need_0 : f32;
    if(_S11 > u32(0))
    {
        var near_0 : Between_0 = between_samples_0(in_level_0(at_1, _S11), layer_1.needs_1);
        var _S12 : f32 = near_0.share_0.x;
        need_0 = saturate(2.0f * layer_1.per_need_0 * mix(mix(needs_0[near_0.at_0.x], needs_0[near_0.at_0.y], _S12), mix(needs_0[near_0.at_0.z], needs_0[near_0.at_0.w], _S12), near_0.share_0.y) - 1.0f);
    }
    else
    {
        need_0 = 1.0f;
    }
    return need_0;
}

fn rest_in_0( word_3 : u32) -> vec4<u32>
{
    return vec4<u32>((word_3 & (u32(127))), (((word_3 >> (u32(7)))) & (u32(255))), (((word_3 >> (u32(15)))) & (u32(255))), (word_3 >> (u32(23))));
}

fn between_looks_0( place_6 : u32) -> f32
{
    return f32(place_6 % u32(4) + u32(1)) / 4.0f;
}

fn remembered_rest_0( rests_1 : vec2<u32>,  place_7 : u32) -> vec4<f32>
{
    var _S13 : vec4<f32> = vec4<f32>(rest_in_0(rests_1.x));
    return (_S13 + vec4<f32>(between_looks_0(place_7)) * (vec4<f32>(rest_in_0(rests_1.y)) - _S13) - vec4<f32>(0.0f, 128.0f, 128.0f, 0.0f)) / vec4<f32>(127.0f, 127.0f, 127.0f, 511.0f);
}

fn eased_0( need_1 : f32,  known_0 : vec2<u32>) -> f32
{
    var apart_0 : f32 = clamp(remembered_rest_0(known_0, Constants_0.place_0).x - need_1, -0.5f, 0.5f);
    var _S14 : f32;
    if((known_0.y) != u32(0))
    {
        _S14 = need_1 + apart_0;
    }
    else
    {
        _S14 = need_1;
    }
    return _S14;
}

fn limited_0( need_2 : f32,  broader_0 : f32,  index_3 : f32,  last_1 : f32) -> f32
{
    var low_1 : f32 = 1.0f - index_3 - broader_0 * last_1;
    var high_0 : f32 = low_1 + last_1;
    var low_2 : f32;
    if(low_1 < 1.0f)
    {
        low_2 = low_1;
    }
    else
    {
        low_2 = 1.0f;
    }
    var high_1 : f32;
    if(high_0 > 0.0f)
    {
        high_1 = high_0;
    }
    else
    {
        high_1 = 0.0f;
    }
    if(need_2 < low_2)
    {
    }
    else
    {
        if(need_2 > high_1)
        {
            low_2 = high_1;
        }
        else
        {
            low_2 = need_2;
        }
    }
    return low_2;
}

fn seen_of_0( layer_2 : Layer_0,  home_0 : vec3<i32>,  offset_0 : vec2<i32>,  age_1 : u32,  slot_2 : u32,  known_1 : vec2<u32>) -> f32
{
    var _S15 : vec2<f32> = vec2<f32>(16.0f);
    var at_2 : vec2<f32> = vec2<f32>((home_0.xy + offset_0).yx) / _S15;
    var _S16 : bool;
    if((offset_0.x) != i32(-32768))
    {
        _S16 = (all((at_2 >= vec2<f32>(- layer_2.reach_0))));
    }
    else
    {
        _S16 = false;
    }
    if(_S16)
    {
        _S16 = (all((at_2 <= (vec2<f32>(Constants_0.size_0) + vec2<f32>(layer_2.reach_0)))));
    }
    else
    {
        _S16 = false;
    }
    var seen_0 : f32;
    if(_S16)
    {
        var grown_0 : vec2<u32> = size_of_0(age_1, slot_2);
        var seen_1 : f32 = f32(grown_0.x) / f32(grown_0.y);
        if((layer_2.needs_1.w) > u32(0))
        {
            var on_map_0 : Between_0 = in_map_0(vec2<f32>(home_0.yx) / (_S15 * vec2<f32>(Constants_0.size_0)));
            var _S17 : f32 = on_map_0.share_0.x;
            seen_0 = seen_1 * limited_0(eased_0(needed_0(layer_2, at_2), known_1), mix(mix(broader_map_0[on_map_0.at_0.x], broader_map_0[on_map_0.at_0.y], _S17), mix(broader_map_0[on_map_0.at_0.z], broader_map_0[on_map_0.at_0.w], _S17), on_map_0.share_0.y), f32(layer_2.index_1), f32(Constants_0.layer_count_0 - u32(1)));
        }
        else
        {
            seen_0 = seen_1;
        }
    }
    else
    {
        seen_0 = 0.0f;
    }
    return seen_0;
}

var<workgroup> firsts_0 : array<u32, i32(16)>;

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var bits_0 : u32;
    var _S18 : bool = thread_0 < u32(16);
    if(_S18)
    {
        atomicStore(&(counts_0[thread_0]), u32(0));
    }
    workgroupBarrier();
    var _S19 : u32 = id_0.x;
    var _S20 : u32 = min(_S19, Constants_0.cell_count_0 - u32(1));
    var index_4 : u32 = layer_with_0(_S20);
    var layer_3 : Layer_0 = layer_of_0(index_4);
    var home_1 : vec3<i32> = home_of_0(homes_0[_S20], layer_3);
    var seed_2 : u32 = u32(home_1.z);
    var first_1 : u32 = layer_3.first_slot_0 + (_S20 - layer_3.first_0) * layer_3.slots_0;
    var one_0 : vec2<i32> = unpacked_0(offsets_0[first_1]);
    var other_0 : vec2<i32> = unpacked_0(offsets_0[first_1 + u32(1)]);
    var between_0 : vec2<i32> = abs(one_0 - other_0);
    var _S21 : bool;
    if((one_0.x) != i32(-32768))
    {
        _S21 = (other_0.x) != i32(-32768);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        _S21 = (between_0.x + between_0.y) < i32(12);
    }
    else
    {
        _S21 = false;
    }
    var hidden_0 : u32;
    if(_S21)
    {
        var _S22 : i32;
        if((size_of_0(age_of_0(seed_2, u32(0), Constants_0.place_0), u32(0)).x) >= (size_of_0(age_of_0(seed_2, u32(1), Constants_0.place_0), u32(1)).x))
        {
            _S22 = i32(1);
        }
        else
        {
            _S22 = i32(0);
        }
        hidden_0 = u32(_S22);
    }
    else
    {
        hidden_0 = u32(99);
    }
    var slot_3 : u32 = u32(0);
    var bits_1 : u32 = u32(0);
    for(;;)
    {
        if(slot_3 < (layer_3.slots_0))
        {
        }
        else
        {
            break;
        }
        if(slot_3 != hidden_0)
        {
            _S21 = _S19 < (Constants_0.cell_count_0);
        }
        else
        {
            _S21 = false;
        }
        if(_S21)
        {
            var _S23 : u32 = first_1 + slot_3;
            if((seen_of_0(layer_3, home_1, unpacked_0(offsets_0[_S23]), age_of_0(seed_2, slot_3, Constants_0.place_0), slot_3, remembered_0[_S23])) >= 0.05000000074505806f)
            {
                bits_0 = (bits_1 | (((u32(1) << (slot_3)))));
            }
            else
            {
                bits_0 = bits_1;
            }
            bits_1 = bits_0;
        }
        slot_3 = slot_3 + u32(1);
    }
    var count_0 : u32 = countOneBits(bits_1);
    if(count_0 > u32(0))
    {
        var _S24 : u32 = atomicAdd(&(counts_0[index_4]), count_0);
        bits_0 = _S24;
    }
    else
    {
        bits_0 = u32(0);
    }
    workgroupBarrier();
    var k_1 : u32;
    if(_S18)
    {
        var group_count_0 : u32 = atomicLoad(&(counts_0[thread_0]));
        if(group_count_0 > u32(0))
        {
            var _S25 : u32 = atomicAdd(&(picks_0[thread_0]), group_count_0);
            k_1 = _S25;
        }
        else
        {
            k_1 = u32(0);
        }
        firsts_0[thread_0] = k_1;
    }
    workgroupBarrier();
    var _S26 : u32 = layer_3.first_picked_0 + firsts_0[index_4] + bits_0;
    var _S27 : u32 = layer_3.first_picked_0 + layer_3.most_picked_0;
    k_1 = u32(0);
    var into_0 : u32 = _S26;
    for(;;)
    {
        if(k_1 < (layer_3.slots_0))
        {
        }
        else
        {
            break;
        }
        if(((bits_1 & (((u32(1) << (k_1)))))) != u32(0))
        {
            var _S28 : u32 = first_1 + k_1;
            var offset_1 : vec2<i32> = unpacked_0(offsets_0[_S28]);
            var seen_2 : u32 = u32(4095.0f * seen_of_0(layer_3, home_1, offset_1, age_of_0(seed_2, k_1, Constants_0.place_0), k_1, remembered_0[_S28]) + 0.5f);
            var _S29 : vec2<u32> = vec2<u32>(home_1.xy + offset_1);
            if(into_0 < _S27)
            {
                var _S30 : u32 = u32(3) * into_0;
                picked_0[_S30] = _S28;
                picked_0[_S30 + u32(1)] = ((((_S29.x) & (u32(1048575)))) | (((seen_2 << (u32(20))))));
                picked_0[_S30 + u32(2)] = _S29.y;
            }
            into_0 = into_0 + u32(1);
        }
        k_1 = k_1 + u32(1);
    }
    return;
}

