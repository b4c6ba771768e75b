// stroke_trace.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// cb05b57adc77ba3c812041b3940e2101 83f5b76a32d0dc2c4b627f238f83a234
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
@binding(1) @group(1) var<storage, read_write> counts_0 : array<atomic<u32>>;

@binding(4) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(3) @group(0) var<storage, read> picked_0 : array<u32>;

@binding(5) @group(0) var<storage, read> homes_0 : array<u32>;

@binding(1) @group(0) var<storage, read> pyramid_0 : array<vec4<f32>>;

@binding(0) @group(0) var<storage, read> looks_0 : array<vec2<u32>>;

@binding(2) @group(0) var<storage, read> direction_0 : array<vec2<f32>>;

@binding(0) @group(1) var<storage, read_write> strokes_0 : array<vec4<u32>>;

fn layer_and_place_0( number_0 : u32) -> vec3<u32>
{
    var fits_0 : bool = true;
    var found_0 : u32 = Constants_0.layer_count_0;
    var place_in_it_0 : u32 = u32(0);
    var k_0 : u32 = u32(0);
    var total_0 : u32 = u32(0);
    var room_0 : u32 = Constants_0.most_pairs_0;
    for(;;)
    {
        if(k_0 < (Constants_0.layer_count_0))
        {
        }
        else
        {
            break;
        }
        var count_0 : u32 = atomicLoad(&(counts_0[k_0]));
        var each_0 : u32 = layers_0[u32(6) * k_0 + u32(5)].x;
        var _S1 : bool;
        if(fits_0)
        {
            _S1 = (total_0 + count_0) <= (Constants_0.most_records_0);
        }
        else
        {
            _S1 = false;
        }
        if(_S1)
        {
            var _S2 : u32 = room_0 / each_0;
            fits_0 = count_0 <= _S2;
        }
        else
        {
            fits_0 = false;
        }
        if(fits_0)
        {
            var _S3 : bool;
            if(number_0 >= total_0)
            {
                _S3 = number_0 < (total_0 + count_0);
            }
            else
            {
                _S3 = false;
            }
            var found_1 : u32;
            var place_in_it_1 : u32;
            if(_S3)
            {
                var _S4 : u32 = number_0 - total_0;
                found_1 = k_0;
                place_in_it_1 = _S4;
            }
            else
            {
                found_1 = found_0;
                place_in_it_1 = place_in_it_0;
            }
            var total_1 : u32 = total_0 + count_0;
            var room_1 : u32 = room_0 - count_0 * each_0;
            found_0 = found_1;
            place_in_it_0 = place_in_it_1;
            total_0 = total_1;
            room_0 = room_1;
        }
        k_0 = k_0 + u32(1);
    }
    return vec3<u32>(found_0, place_in_it_0, total_0);
}

struct Layer_0
{
     index_0 : u32,
     first_0 : u32,
     first_slot_0 : u32,
     columns_0 : u32,
     rows_0 : u32,
     cell_0 : u32,
     slots_0 : u32,
     half_steps_0 : u32,
     covered_0 : u32,
     colours_0 : vec4<u32>,
     needs_0 : vec4<u32>,
     per_need_0 : f32,
     reach_0 : f32,
     width_0 : f32,
     length_0 : f32,
     tiles_1 : u32,
     first_picked_0 : u32,
     most_picked_0 : u32,
};

fn layer_of_0( index_1 : u32) -> Layer_0
{
    var row_0 : u32 = u32(6) * index_1;
    var a_0 : vec4<u32> = layers_0[row_0];
    var b_0 : vec4<u32> = layers_0[row_0 + u32(1)];
    var e_0 : vec4<u32> = layers_0[row_0 + u32(4)];
    var f_0 : vec4<u32> = layers_0[row_0 + u32(5)];
    var found_2 : Layer_0;
    found_2.index_0 = index_1;
    found_2.first_0 = a_0.x;
    found_2.first_slot_0 = a_0.y;
    found_2.columns_0 = a_0.z;
    found_2.rows_0 = a_0.w;
    found_2.cell_0 = b_0.x;
    found_2.slots_0 = b_0.y;
    found_2.half_steps_0 = b_0.z;
    found_2.covered_0 = b_0.w;
    found_2.colours_0 = layers_0[row_0 + u32(2)];
    found_2.needs_0 = layers_0[row_0 + u32(3)];
    found_2.per_need_0 = (bitcast<f32>((e_0.x)));
    found_2.reach_0 = (bitcast<f32>((e_0.y)));
    found_2.width_0 = (bitcast<f32>((e_0.z)));
    found_2.length_0 = (bitcast<f32>((e_0.w)));
    found_2.tiles_1 = f_0.x;
    found_2.first_picked_0 = f_0.y;
    found_2.most_picked_0 = f_0.z;
    return found_2;
}

fn hashed_0( word_0 : u32) -> u32
{
    var _S5 : u32 = ((word_0 ^ (((word_0 >> (u32(16))))))) * u32(2146121005);
    var _S6 : u32 = ((_S5 ^ (((_S5 >> (u32(15))))))) * u32(2221713035);
    return (_S6 ^ (((_S6 >> (u32(16))))));
}

fn within_cell_0( word_1 : u32,  cell_1 : u32) -> i32
{
    return i32(((((word_1 >> (u32(20)))) * cell_1 + (((((((word_1 >> (u32(8)))) & (u32(4095)))) * cell_1) >> (u32(12))))) >> (u32(12))));
}

fn home_of_0( place_1 : u32,  layer_0 : Layer_0) -> vec3<i32>
{
    var row_1 : u32 = (place_1 & (u32(65535)));
    var column_0 : u32 = (place_1 >> (u32(16)));
    var seed_0 : u32 = hashed_0(hashed_0(hashed_0(layer_0.index_0 + u32(1)) + row_1) + column_0);
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

fn size_of_0( age_0 : u32,  slot_1 : u32) -> vec2<u32>
{
    var _S7 : vec2<u32> = vec2<u32>(min(min(age_0, u32(48) - age_0), u32(12)), u32(12));
    var size_1 : vec2<u32>;
    if(slot_1 >= u32(2))
    {
        var _S8 : u32 = min(age_0 + u32(1), u32(2));
        var _S9 : u32 = min(u32(15) - age_0, u32(4));
        if((_S8 * u32(4)) < (_S9 * u32(2)))
        {
            size_1 = vec2<u32>(_S8, u32(2));
        }
        else
        {
            size_1 = vec2<u32>(_S9, u32(4));
        }
    }
    else
    {
        size_1 = _S7;
    }
    return size_1;
}

fn property_0( seed_2 : u32,  number_1 : u32) -> f32
{
    return f32(((hashed_0(seed_2 + number_1 * u32(2654435761))) >> (u32(8)))) * 5.9604644775390625e-08f;
}

fn chance_0( seed_3 : u32,  number_2 : u32) -> f32
{
    return 2.0f * property_0(seed_3, number_2) - 1.0f;
}

fn width_of_0( full_0 : f32,  grown_0 : f32,  seed_4 : u32) -> f32
{
    return full_0 * grown_0 * (0.80000001192092896f + 0.40000000596046448f * abs(chance_0(seed_4, u32(3))));
}

fn length_of_0( full_1 : f32,  grown_1 : f32,  seed_5 : u32) -> f32
{
    return full_1 * grown_1 * (1.0f + 0.30000001192092896f * chance_0(seed_5, u32(6)));
}

fn in_level_0( place_3 : vec2<f32>,  level_0 : u32) -> vec2<f32>
{
    return place_3 / vec2<f32>(f32((u32(1) << (level_0)))) - vec2<f32>(0.5f);
}

struct Between_0
{
     at_0 : vec4<u32>,
     share_0 : vec2<f32>,
};

fn between_samples_0( place_4 : vec2<f32>,  level_1 : vec4<u32>) -> Between_0
{
    var low_0 : vec2<f32> = floor(place_4);
    var _S10 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(level_1.yz) - _S10;
    var _S11 : vec2<i32> = vec2<i32>(low_0);
    const _S12 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S11, _S12, last_0);
    var b_1 : vec2<i32> = clamp(_S11 + _S10, _S12, last_0);
    var found_3 : Between_0;
    var _S13 : i32 = i32(level_1.y);
    var _S14 : vec2<i32> = vec2<i32>(a_1.x, b_1.x);
    found_3.at_0 = vec4<u32>(level_1.x) + vec4<u32>(vec2<u32>(vec2<i32>((a_1.y * _S13)) + _S14), vec2<u32>(vec2<i32>((b_1.y * _S13)) + _S14));
    found_3.share_0 = place_4 - low_0;
    return found_3;
}

fn colour_at_0( level_2 : vec4<u32>,  at_1 : vec2<f32>) -> vec3<f32>
{
    var near_0 : Between_0 = between_samples_0(in_level_0(at_1, level_2.w), level_2);
    var _S15 : vec4<f32> = vec4<f32>(near_0.share_0.x);
    return mix(mix(pyramid_0[near_0.at_0.x], pyramid_0[near_0.at_0.y], _S15), mix(pyramid_0[near_0.at_0.z], pyramid_0[near_0.at_0.w], _S15), vec4<f32>(near_0.share_0.y)).xyz;
}

fn count_of_0( colours_1 : vec2<u32>) -> u32
{
    return ((colours_1.y) >> (u32(30)));
}

fn rest_in_0( word_2 : u32) -> vec4<u32>
{
    return vec4<u32>((word_2 & (u32(127))), (((word_2 >> (u32(7)))) & (u32(255))), (((word_2 >> (u32(15)))) & (u32(255))), (word_2 >> (u32(23))));
}

fn between_looks_0( place_5 : u32) -> f32
{
    return f32(place_5 % u32(4) + u32(1)) / 4.0f;
}

fn remembered_rest_0( rests_1 : vec2<u32>,  place_6 : u32) -> vec4<f32>
{
    var _S16 : vec4<f32> = vec4<f32>(rest_in_0(rests_1.x));
    return (_S16 + vec4<f32>(between_looks_0(place_6)) * (vec4<f32>(rest_in_0(rests_1.y)) - _S16) - vec4<f32>(0.0f, 128.0f, 128.0f, 0.0f)) / vec4<f32>(127.0f, 127.0f, 127.0f, 511.0f);
}

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn light_around_0( at_2 : vec2<f32>) -> f32
{
    return luma_of_0(colour_at_0(vec4<u32>(Constants_0.levels_0[Constants_0.around_level_0].xyz, Constants_0.around_level_0), at_2));
}

fn colour_in_0( word_3 : u32) -> vec3<u32>
{
    return vec3<u32>((word_3 & (u32(1023))), (((word_3 >> (u32(10)))) & (u32(1023))), (((word_3 >> (u32(20)))) & (u32(1023))));
}

fn remembered_colour_0( colours_2 : vec2<u32>,  place_7 : u32) -> vec3<f32>
{
    var _S17 : vec3<f32> = vec3<f32>(colour_in_0(colours_2.x));
    return (_S17 + vec3<f32>(between_looks_0(place_7)) * (vec3<f32>(colour_in_0(colours_2.y)) - _S17)) / vec3<f32>(1023.0f);
}

fn tensor_at_0( at_3 : vec2<f32>) -> vec2<f32>
{
    var level_3 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0];
    level_3[i32(0)] = u32(0);
    var near_1 : Between_0 = between_samples_0(in_level_0(at_3, Constants_0.tensor_level_0 + Constants_0.near_level_0), level_3);
    var _S18 : vec2<f32> = vec2<f32>(near_1.share_0.x);
    return mix(mix(direction_0[near_1.at_0.x], direction_0[near_1.at_0.y], _S18), mix(direction_0[near_1.at_0.z], direction_0[near_1.at_0.w], _S18), vec2<f32>(near_1.share_0.y));
}

fn by_length_0( tensor_0 : vec2<f32>) -> vec2<f32>
{
    return tensor_0 / vec2<f32>((sqrt(dot(tensor_0, tensor_0)) + 9.99999971718068537e-10f));
}

fn along_0( tensor_1 : vec2<f32>) -> vec2<f32>
{
    var share_1 : f32 = 0.5f * tensor_1.x / (sqrt(dot(tensor_1, tensor_1)) + 9.99999971718068537e-10f);
    var rise_0 : f32 = sqrt(max(0.5f + share_1, 0.0f));
    var _S19 : f32 = sqrt(max(0.5f - share_1, 0.0f));
    var _S20 : f32;
    if((tensor_1.y) > 0.0f)
    {
        _S20 = - rise_0;
    }
    else
    {
        _S20 = rise_0;
    }
    return vec2<f32>(_S19, _S20);
}

var<workgroup> paths_0 : array<vec4<u32>, i32(192)>;

fn unit_of_0( word_4 : u32) -> f32
{
    return (bitcast<f32>(((word_4 | (u32(127))))));
}

fn word_from_middle_0( away_0 : vec2<f32>,  unit_0 : f32) -> u32
{
    var _S21 : vec2<i32> = vec2<i32>(clamp(floor(away_0 / vec2<f32>(unit_0) + vec2<f32>(0.5f)), vec2<f32>(-32767.0f), vec2<f32>(32767.0f)));
    return (((u32(_S21.x) & (u32(65535)))) | (((u32(_S21.y) << (u32(16))))));
}

fn colour_of_0( own_0 : vec3<f32>,  seed_6 : u32) -> vec3<f32>
{
    var red_0 : f32 = 0.80000001192092896f * Constants_0.jitter_0 * chance_0(seed_6, u32(4));
    var blue_0 : f32 = 0.80000001192092896f * Constants_0.jitter_0 * chance_0(seed_6, u32(5));
    var light_0 : f32 = 1.0f + 1.20000004768371582f * Constants_0.jitter_0 * chance_0(seed_6, u32(3));
    return vec3<f32>(own_0.x * light_0 + red_0, own_0.y * light_0 - 0.30000001192092896f * (red_0 + blue_0), own_0.z * light_0 + blue_0);
}

fn in_16_bits_0( value_0 : f32) -> u32
{
    return u32(65535.0f * saturate((value_0 - -1.0f) / 4.0f) + 0.5f);
}

fn trace_0( number_3 : u32,  thread_0 : u32,  found_4 : vec3<u32>)
{
    var layer_1 : Layer_0 = layer_of_0(found_4.x);
    var word_5 : u32 = u32(3) * (layer_1.first_picked_0 + found_4.y);
    var _S22 : u32 = picked_0[word_5];
    var _S23 : u32 = picked_0[word_5 + u32(1)];
    var _S24 : u32 = picked_0[word_5 + u32(2)];
    var _S25 : u32 = _S22 - layer_1.first_slot_0;
    var rank_0 : u32 = _S25 / layer_1.slots_0;
    var _S26 : u32 = rank_0 * layer_1.slots_0;
    var slot_2 : u32 = _S25 - _S26;
    var seed_7 : u32 = u32(home_of_0(homes_0[layer_1.first_0 + rank_0], layer_1).z);
    var middle_0 : vec2<f32> = vec2<f32>(vec2<i32>(i32(_S24), (i32((_S23 << (u32(12)))) >> (u32(12))))) / vec2<f32>(16.0f);
    var size_2 : vec2<u32> = size_of_0(age_of_0(seed_7, slot_2, Constants_0.place_0), slot_2);
    var _S27 : u32 = (_S23 >> (u32(20)));
    var grown_2 : f32 = 0.44999998807907104f + 0.55000001192092896f * (f32(_S27) / 4095.0f);
    var wide_0 : f32 = width_of_0(layer_1.width_0, grown_2, seed_7);
    var step_0 : f32 = length_of_0(layer_1.length_0, grown_2, seed_7) / f32(u32(2) * layer_1.half_steps_0);
    var own_1 : vec3<f32> = colour_at_0(layer_1.colours_0, middle_0);
    var colours_3 : vec2<u32> = looks_0[_S22];
    const _S28 : vec2<f32> = vec2<f32>(1.0f, 0.0f);
    var was_apart_0 : f32;
    var turned_0 : vec2<f32>;
    var own_2 : vec3<f32>;
    if((count_of_0(colours_3)) > u32(0))
    {
        var rest_1 : vec4<f32> = remembered_rest_0(looks_0[Constants_0.rests_0 + _S22], Constants_0.place_0);
        var _S29 : f32 = rest_1.w;
        var lighter_0 : f32 = light_around_0(middle_0) - _S29;
        var followed_0 : f32 = lighter_0 - clamp(lighter_0, -0.0234375f, 0.0234375f);
        if(followed_0 < 0.0f)
        {
            was_apart_0 = 1.0f + followed_0 / _S29;
        }
        else
        {
            was_apart_0 = 1.0f;
        }
        var between_0 : vec3<f32> = vec3<f32>(was_apart_0) * remembered_colour_0(colours_3, Constants_0.place_0) + vec3<f32>(max(followed_0, 0.0f)) - own_1;
        var trusted_0 : f32 = saturate(2.0f - max(max(abs(between_0.x), abs(between_0.y)), abs(between_0.z)) / (was_apart_0 * 0.171875f));
        var own_3 : vec3<f32> = own_1 + vec3<f32>(trusted_0) * between_0;
        var tensor_2 : vec2<f32> = by_length_0(tensor_at_0(middle_0));
        var now_0 : vec2<f32> = along_0(tensor_2);
        var then_0 : vec2<f32> = along_0(tensor_2 + vec2<f32>(trusted_0) * (rest_1.yz - tensor_2));
        turned_0 = vec2<f32>(dot(now_0, then_0), now_0.x * then_0.y - now_0.y * then_0.x);
        own_2 = own_3;
    }
    else
    {
        turned_0 = _S28;
        own_2 = own_1;
    }
    var path_0 : array<vec2<f32>, i32(9)>;
    path_0[i32(4)] = middle_0;
    var _S30 : vec2<f32> = vec2<f32>(0.0f);
    var _S31 : bool = u32(1) <= (layer_1.half_steps_0);
    var at_4 : vec2<f32>;
    var was_0 : vec2<f32>;
    var going_0 : bool;
    var low_1 : u32;
    if(_S31)
    {
        var seen_ahead_0 : vec2<f32> = along_0(tensor_at_0(middle_0));
        var ahead_0 : vec2<f32> = (vec2<f32>(turned_0.x) * seen_ahead_0 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_0.y, seen_ahead_0.x)) * vec2<f32>(-1.0f);
        var other_0 : vec3<f32> = colour_at_0(layer_1.colours_0, middle_0 + ahead_0 * vec2<f32>(step_0)) - own_2;
        var apart_0 : f32 = sqrt(dot(other_0, other_0));
        var going_1 : bool = apart_0 <= (Constants_0.edge_0);
        if(!going_1)
        {
            was_apart_0 = step_0 * max(Constants_0.edge_0 / apart_0, 0.0f);
        }
        else
        {
            was_apart_0 = step_0;
        }
        at_4 = middle_0 + ahead_0 * vec2<f32>(max(was_apart_0, 0.25f * wide_0));
        going_0 = going_1;
        was_0 = ahead_0;
        was_apart_0 = apart_0;
        low_1 = u32(3);
    }
    else
    {
        at_4 = middle_0;
        going_0 = true;
        was_0 = _S30;
        was_apart_0 = 0.0f;
        low_1 = u32(4);
    }
    path_0[u32(3)] = at_4;
    var _S32 : bool;
    if(going_0)
    {
        _S32 = u32(2) <= (layer_1.half_steps_0);
    }
    else
    {
        _S32 = false;
    }
    var reach_1 : f32;
    if(_S32)
    {
        var seen_ahead_1 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_1 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_1 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_1.y, seen_ahead_1.x);
        if((dot(ahead_1, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_2 : vec2<f32> = vec2<f32>(reach_1) * ahead_1 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_3 : vec2<f32> = ahead_2 / vec2<f32>((sqrt(dot(ahead_2, ahead_2)) + 9.99999971718068537e-10f));
        var other_1 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_3 * vec2<f32>(step_0)) - own_2;
        var apart_1 : f32 = sqrt(dot(other_1, other_1));
        var going_2 : bool = apart_1 <= (Constants_0.edge_0);
        if(!going_2)
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_1 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_3 * vec2<f32>(reach_1);
        going_0 = going_2;
        was_0 = ahead_3;
        was_apart_0 = apart_1;
        low_1 = u32(2);
    }
    path_0[u32(2)] = at_4;
    if(going_0)
    {
        _S32 = u32(3) <= (layer_1.half_steps_0);
    }
    else
    {
        _S32 = false;
    }
    if(_S32)
    {
        var seen_ahead_2 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_4 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_2 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_2.y, seen_ahead_2.x);
        if((dot(ahead_4, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_5 : vec2<f32> = vec2<f32>(reach_1) * ahead_4 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_6 : vec2<f32> = ahead_5 / vec2<f32>((sqrt(dot(ahead_5, ahead_5)) + 9.99999971718068537e-10f));
        var other_2 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_6 * vec2<f32>(step_0)) - own_2;
        var apart_2 : f32 = sqrt(dot(other_2, other_2));
        var going_3 : bool = apart_2 <= (Constants_0.edge_0);
        if(!going_3)
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_2 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_6 * vec2<f32>(reach_1);
        going_0 = going_3;
        was_0 = ahead_6;
        was_apart_0 = apart_2;
        low_1 = u32(1);
    }
    path_0[u32(1)] = at_4;
    if(going_0)
    {
        going_0 = u32(4) <= (layer_1.half_steps_0);
    }
    else
    {
        going_0 = false;
    }
    if(going_0)
    {
        var seen_ahead_3 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_7 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_3 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_3.y, seen_ahead_3.x);
        if((dot(ahead_7, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_8 : vec2<f32> = vec2<f32>(reach_1) * ahead_7 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_9 : vec2<f32> = ahead_8 / vec2<f32>((sqrt(dot(ahead_8, ahead_8)) + 9.99999971718068537e-10f));
        var other_3 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_9 * vec2<f32>(step_0)) - own_2;
        var apart_3 : f32 = sqrt(dot(other_3, other_3));
        if(!(apart_3 <= (Constants_0.edge_0)))
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_3 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_9 * vec2<f32>(reach_1);
        low_1 = u32(0);
    }
    path_0[u32(0)] = at_4;
    var high_0 : u32;
    if(_S31)
    {
        var seen_ahead_4 : vec2<f32> = along_0(tensor_at_0(middle_0));
        var ahead_10 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_4 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_4.y, seen_ahead_4.x);
        var other_4 : vec3<f32> = colour_at_0(layer_1.colours_0, middle_0 + ahead_10 * vec2<f32>(step_0)) - own_2;
        var apart_4 : f32 = sqrt(dot(other_4, other_4));
        var going_4 : bool = apart_4 <= (Constants_0.edge_0);
        if(!going_4)
        {
            reach_1 = step_0 * max(Constants_0.edge_0 / apart_4, 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = middle_0 + ahead_10 * vec2<f32>(max(reach_1, 0.25f * wide_0));
        going_0 = going_4;
        was_0 = ahead_10;
        was_apart_0 = apart_4;
        high_0 = u32(5);
    }
    else
    {
        at_4 = middle_0;
        going_0 = true;
        was_0 = _S30;
        was_apart_0 = 0.0f;
        high_0 = u32(4);
    }
    path_0[u32(5)] = at_4;
    if(going_0)
    {
        _S32 = u32(2) <= (layer_1.half_steps_0);
    }
    else
    {
        _S32 = false;
    }
    if(_S32)
    {
        var seen_ahead_5 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_11 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_5 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_5.y, seen_ahead_5.x);
        if((dot(ahead_11, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_12 : vec2<f32> = vec2<f32>(reach_1) * ahead_11 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_13 : vec2<f32> = ahead_12 / vec2<f32>((sqrt(dot(ahead_12, ahead_12)) + 9.99999971718068537e-10f));
        var other_5 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_13 * vec2<f32>(step_0)) - own_2;
        var apart_5 : f32 = sqrt(dot(other_5, other_5));
        var going_5 : bool = apart_5 <= (Constants_0.edge_0);
        if(!going_5)
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_5 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_13 * vec2<f32>(reach_1);
        going_0 = going_5;
        was_0 = ahead_13;
        was_apart_0 = apart_5;
        high_0 = u32(6);
    }
    path_0[u32(6)] = at_4;
    if(going_0)
    {
        _S32 = u32(3) <= (layer_1.half_steps_0);
    }
    else
    {
        _S32 = false;
    }
    if(_S32)
    {
        var seen_ahead_6 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_14 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_6 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_6.y, seen_ahead_6.x);
        if((dot(ahead_14, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_15 : vec2<f32> = vec2<f32>(reach_1) * ahead_14 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_16 : vec2<f32> = ahead_15 / vec2<f32>((sqrt(dot(ahead_15, ahead_15)) + 9.99999971718068537e-10f));
        var other_6 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_16 * vec2<f32>(step_0)) - own_2;
        var apart_6 : f32 = sqrt(dot(other_6, other_6));
        var going_6 : bool = apart_6 <= (Constants_0.edge_0);
        if(!going_6)
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_6 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_16 * vec2<f32>(reach_1);
        going_0 = going_6;
        was_0 = ahead_16;
        was_apart_0 = apart_6;
        high_0 = u32(7);
    }
    path_0[u32(7)] = at_4;
    if(going_0)
    {
        going_0 = u32(4) <= (layer_1.half_steps_0);
    }
    else
    {
        going_0 = false;
    }
    if(going_0)
    {
        var seen_ahead_7 : vec2<f32> = along_0(tensor_at_0(at_4));
        var ahead_17 : vec2<f32> = vec2<f32>(turned_0.x) * seen_ahead_7 + vec2<f32>(turned_0.y) * vec2<f32>(- seen_ahead_7.y, seen_ahead_7.x);
        if((dot(ahead_17, was_0)) < 0.0f)
        {
            reach_1 = -0.60000002384185791f;
        }
        else
        {
            reach_1 = 0.60000002384185791f;
        }
        var ahead_18 : vec2<f32> = vec2<f32>(reach_1) * ahead_17 + vec2<f32>(0.39999997615814209f) * was_0;
        var ahead_19 : vec2<f32> = ahead_18 / vec2<f32>((sqrt(dot(ahead_18, ahead_18)) + 9.99999971718068537e-10f));
        var other_7 : vec3<f32> = colour_at_0(layer_1.colours_0, at_4 + ahead_19 * vec2<f32>(step_0)) - own_2;
        var apart_7 : f32 = sqrt(dot(other_7, other_7));
        if(!(apart_7 <= (Constants_0.edge_0)))
        {
            reach_1 = step_0 * max((Constants_0.edge_0 - was_apart_0) / (apart_7 - was_apart_0), 0.0f);
        }
        else
        {
            reach_1 = step_0;
        }
        at_4 = at_4 + ahead_19 * vec2<f32>(reach_1);
        high_0 = u32(8);
    }
    path_0[u32(8)] = at_4;
    var half_0 : f32 = 0.5f * wide_0;
    var most_0 : f32 = 1.00999999046325684f * (f32(layer_1.half_steps_0) * step_0 + 0.25f * wide_0);
    var _S33 : u32 = u32(2) * (layer_1.first_slot_0 + _S26);
    var _S34 : u32;
    if((size_2.x) < (size_2.y))
    {
        _S34 = slot_2;
    }
    else
    {
        _S34 = layer_1.slots_0 + slot_2;
    }
    var key_0 : u32 = _S33 + _S34;
    var row_2 : u32 = u32(3) * number_3;
    var near_row_0 : u32 = u32(3) * thread_0;
    var unit_1 : u32 = ((((((bitcast<u32>((most_0 / 32767.0f))) & (u32(4294967168)))) | (low_1))) | (((high_0 << (u32(3))))));
    var _S35 : vec4<u32> = vec4<u32>((bitcast<vec2<u32>>((middle_0))), (bitcast<u32>((half_0))), unit_1);
    paths_0[near_row_0] = _S35;
    strokes_0[row_2] = _S35;
    var words_0 : vec4<u32>;
    var _S36 : f32 = unit_of_0(unit_1);
    words_0[u32(0)] = word_from_middle_0(path_0[u32(0)] - middle_0, _S36);
    words_0[u32(1)] = word_from_middle_0(path_0[u32(1)] - middle_0, _S36);
    words_0[u32(2)] = word_from_middle_0(path_0[u32(2)] - middle_0, _S36);
    words_0[u32(3)] = word_from_middle_0(path_0[u32(3)] - middle_0, _S36);
    var _S37 : u32 = near_row_0 + u32(1);
    paths_0[_S37] = words_0;
    var _S38 : u32 = row_2 + u32(1);
    strokes_0[_S38] = words_0;
    var words_1 : vec4<u32>;
    words_1[u32(0)] = word_from_middle_0(path_0[u32(5)] - middle_0, _S36);
    words_1[u32(1)] = word_from_middle_0(path_0[u32(6)] - middle_0, _S36);
    words_1[u32(2)] = word_from_middle_0(path_0[u32(7)] - middle_0, _S36);
    words_1[u32(3)] = word_from_middle_0(path_0[u32(8)] - middle_0, _S36);
    paths_0[_S37 + u32(1)] = words_1;
    strokes_0[_S38 + u32(1)] = words_1;
    var colour_0 : vec3<f32> = colour_of_0(own_2, seed_7);
    strokes_0[u32(3) * Constants_0.most_records_0 + number_3] = vec4<u32>(((in_16_bits_0(colour_0.x)) | ((((in_16_bits_0(colour_0.y)) << (u32(16)))))), ((in_16_bits_0(colour_0.z)) | (((_S27 << (u32(16)))))), seed_7, key_0);
    return;
}

fn from_middle_0( word_6 : u32,  unit_2 : f32) -> vec2<f32>
{
    return vec2<f32>(unit_2) * vec2<f32>((vec2<i32>(i32((word_6 << (u32(16)))), i32(word_6)) >> (vec2<u32>(u32(16)))));
}

fn ends_of_0( word_7 : u32) -> vec2<u32>
{
    return vec2<u32>((word_7 & (u32(7))), (((word_7 >> (u32(3)))) & (u32(15))));
}

struct Touching_0
{
     box_0 : vec4<u32>,
     reach_2 : f32,
     ends_0 : vec2<u32>,
     path_1 : array<vec2<f32>, i32(9)>,
};

fn touching_0( number_4 : u32) -> Touching_0
{
    var row_3 : u32 = u32(3) * number_4;
    var middle_1 : vec2<f32> = (bitcast<vec2<f32>>((paths_0[row_3].xy)));
    var half_1 : f32 = (bitcast<f32>((paths_0[row_3].z)));
    var _S39 : u32 = paths_0[row_3].w;
    var _S40 : f32 = unit_of_0(_S39);
    var found_5 : Touching_0;
    found_5.path_1[i32(4)] = middle_1;
    var _S41 : u32 = row_3 + u32(1);
    var at_5 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41][u32(0)], _S40);
    var _S42 : vec2<f32> = min(middle_1, at_5);
    var _S43 : vec2<f32> = max(middle_1, at_5);
    found_5.path_1[u32(0)] = at_5;
    var at_6 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41][u32(1)], _S40);
    var _S44 : vec2<f32> = min(_S42, at_6);
    var _S45 : vec2<f32> = max(_S43, at_6);
    found_5.path_1[u32(1)] = at_6;
    var at_7 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41][u32(2)], _S40);
    var _S46 : vec2<f32> = min(_S44, at_7);
    var _S47 : vec2<f32> = max(_S45, at_7);
    found_5.path_1[u32(2)] = at_7;
    var at_8 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41][u32(3)], _S40);
    var least_0 : vec2<f32> = min(_S46, at_8);
    var most_1 : vec2<f32> = max(_S47, at_8);
    found_5.path_1[u32(3)] = at_8;
    var at_9 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41 + u32(1)][u32(0)], _S40);
    var _S48 : vec2<f32> = min(least_0, at_9);
    var _S49 : vec2<f32> = max(most_1, at_9);
    found_5.path_1[u32(5)] = at_9;
    var at_10 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41 + u32(1)][u32(1)], _S40);
    var _S50 : vec2<f32> = min(_S48, at_10);
    var _S51 : vec2<f32> = max(_S49, at_10);
    found_5.path_1[u32(6)] = at_10;
    var at_11 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41 + u32(1)][u32(2)], _S40);
    var _S52 : vec2<f32> = min(_S50, at_11);
    var _S53 : vec2<f32> = max(_S51, at_11);
    found_5.path_1[u32(7)] = at_11;
    var at_12 : vec2<f32> = middle_1 + from_middle_0(paths_0[_S41 + u32(1)][u32(3)], _S40);
    var least_1 : vec2<f32> = min(_S52, at_12);
    var most_2 : vec2<f32> = max(_S53, at_12);
    found_5.path_1[u32(8)] = at_12;
    var _S54 : vec2<f32> = vec2<f32>(half_1);
    found_5.box_0 = vec4<u32>(clamp(vec4<i32>(floor(vec4<f32>(least_1 - _S54, most_2 + _S54) / vec4<f32>(16.0f))), vec4<i32>(i32(0), i32(0), i32(0), i32(0)), (vec2<i32>(Constants_0.tiles_0) - vec2<i32>(i32(1))).xyxy));
    found_5.reach_2 = 1.39999997615814209f * half_1 + 11.31519985198974609f;
    found_5.ends_0 = ends_of_0(_S39);
    return found_5;
}

fn touches_0( stroke_0 : Touching_0,  tile_0 : vec2<u32>,  reach_3 : f32) -> bool
{
    var _S55 : vec2<f32> = (vec2<f32>(tile_0) + vec2<f32>(0.5f)) * vec2<f32>(16.0f);
    var _S56 : u32 = stroke_0.ends_0.x;
    var _S57 : bool;
    if(u32(0) >= _S56)
    {
        _S57 = u32(0) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    var least_2 : f32;
    if(_S57)
    {
        var along_1 : vec2<f32> = stroke_0.path_1[u32(1)] - stroke_0.path_1[u32(0)];
        var from_0 : vec2<f32> = _S55 - stroke_0.path_1[u32(0)];
        var apart_8 : vec2<f32> = from_0 - vec2<f32>(saturate(dot(from_0, along_1) / (dot(along_1, along_1) + 9.99999971718068537e-10f))) * along_1;
        least_2 = min(1.0e+09f, dot(apart_8, apart_8));
    }
    else
    {
        least_2 = 1.0e+09f;
    }
    if(u32(1) >= _S56)
    {
        _S57 = u32(1) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_2 : vec2<f32> = stroke_0.path_1[u32(2)] - stroke_0.path_1[u32(1)];
        var from_1 : vec2<f32> = _S55 - stroke_0.path_1[u32(1)];
        var apart_9 : vec2<f32> = from_1 - vec2<f32>(saturate(dot(from_1, along_2) / (dot(along_2, along_2) + 9.99999971718068537e-10f))) * along_2;
        least_2 = min(least_2, dot(apart_9, apart_9));
    }
    if(u32(2) >= _S56)
    {
        _S57 = u32(2) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_3 : vec2<f32> = stroke_0.path_1[u32(3)] - stroke_0.path_1[u32(2)];
        var from_2 : vec2<f32> = _S55 - stroke_0.path_1[u32(2)];
        var apart_10 : vec2<f32> = from_2 - vec2<f32>(saturate(dot(from_2, along_3) / (dot(along_3, along_3) + 9.99999971718068537e-10f))) * along_3;
        least_2 = min(least_2, dot(apart_10, apart_10));
    }
    if(u32(3) >= _S56)
    {
        _S57 = u32(3) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_4 : vec2<f32> = stroke_0.path_1[u32(4)] - stroke_0.path_1[u32(3)];
        var from_3 : vec2<f32> = _S55 - stroke_0.path_1[u32(3)];
        var apart_11 : vec2<f32> = from_3 - vec2<f32>(saturate(dot(from_3, along_4) / (dot(along_4, along_4) + 9.99999971718068537e-10f))) * along_4;
        least_2 = min(least_2, dot(apart_11, apart_11));
    }
    if(u32(4) >= _S56)
    {
        _S57 = u32(4) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_5 : vec2<f32> = stroke_0.path_1[u32(5)] - stroke_0.path_1[u32(4)];
        var from_4 : vec2<f32> = _S55 - stroke_0.path_1[u32(4)];
        var apart_12 : vec2<f32> = from_4 - vec2<f32>(saturate(dot(from_4, along_5) / (dot(along_5, along_5) + 9.99999971718068537e-10f))) * along_5;
        least_2 = min(least_2, dot(apart_12, apart_12));
    }
    if(u32(5) >= _S56)
    {
        _S57 = u32(5) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_6 : vec2<f32> = stroke_0.path_1[u32(6)] - stroke_0.path_1[u32(5)];
        var from_5 : vec2<f32> = _S55 - stroke_0.path_1[u32(5)];
        var apart_13 : vec2<f32> = from_5 - vec2<f32>(saturate(dot(from_5, along_6) / (dot(along_6, along_6) + 9.99999971718068537e-10f))) * along_6;
        least_2 = min(least_2, dot(apart_13, apart_13));
    }
    if(u32(6) >= _S56)
    {
        _S57 = u32(6) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_7 : vec2<f32> = stroke_0.path_1[u32(7)] - stroke_0.path_1[u32(6)];
        var from_6 : vec2<f32> = _S55 - stroke_0.path_1[u32(6)];
        var apart_14 : vec2<f32> = from_6 - vec2<f32>(saturate(dot(from_6, along_7) / (dot(along_7, along_7) + 9.99999971718068537e-10f))) * along_7;
        least_2 = min(least_2, dot(apart_14, apart_14));
    }
    if(u32(7) >= _S56)
    {
        _S57 = u32(7) < (stroke_0.ends_0.y);
    }
    else
    {
        _S57 = false;
    }
    if(_S57)
    {
        var along_8 : vec2<f32> = stroke_0.path_1[u32(8)] - stroke_0.path_1[u32(7)];
        var from_7 : vec2<f32> = _S55 - stroke_0.path_1[u32(7)];
        var apart_15 : vec2<f32> = from_7 - vec2<f32>(saturate(dot(from_7, along_8) / (dot(along_8, along_8) + 9.99999971718068537e-10f))) * along_8;
        least_2 = min(least_2, dot(apart_15, apart_15));
    }
    return least_2 <= (reach_3 * reach_3);
}

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_1 : u32)
{
    var first_1 : u32 = u32(64) * group_0.x;
    var number_5 : u32 = first_1 + thread_1;
    var found_6 : vec3<u32> = layer_and_place_0(number_5);
    if(number_5 == u32(0))
    {
        atomicStore(&(counts_0[i32(16)]), found_6.z);
    }
    var _S58 : bool;
    if(thread_1 < u32(64))
    {
        _S58 = (found_6.x) < (Constants_0.layer_count_0);
    }
    else
    {
        _S58 = false;
    }
    if(_S58)
    {
        trace_0(number_5, thread_1, found_6);
    }
    workgroupBarrier();
    var _S59 : u32 = found_6.z;
    var _S60 : u32;
    if(_S59 > first_1)
    {
        _S60 = min(_S59 - first_1, u32(64));
    }
    else
    {
        _S60 = u32(0);
    }
    var k_1 : u32 = thread_1 / u32(8);
    for(;;)
    {
        if(k_1 < _S60)
        {
        }
        else
        {
            break;
        }
        var stroke_1 : Touching_0 = touching_0(k_1);
        var _S61 : u32 = stroke_1.box_0.z - stroke_1.box_0.x + u32(1);
        var _S62 : u32 = stroke_1.box_0.w - stroke_1.box_0.y + u32(1);
        var n_0 : u32 = thread_1 % u32(8);
        for(;;)
        {
            if(n_0 < (_S61 * _S62))
            {
            }
            else
            {
                break;
            }
            var _S63 : vec2<u32> = stroke_1.box_0.xy;
            var _S64 : u32 = n_0 % _S61;
            var _S65 : u32 = n_0 / _S61;
            var tile_1 : vec2<u32> = _S63 + vec2<u32>(_S64, _S65);
            if(touches_0(stroke_1, tile_1, 1.0010000467300415f * stroke_1.reach_2))
            {
                var _S66 : u32 = atomicAdd(&(counts_0[u32(17) + tile_1.y * Constants_0.tiles_0.x + tile_1.x]), u32(1));
            }
            n_0 = n_0 + u32(8);
        }
        k_1 = k_1 + u32(32);
    }
    return;
}

