// stroke_look.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// e843aa7b5942f9b5c360e2038ca62850 97f3b29fa5d18ba4929f10851ecb3b65
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
@binding(1) @group(0) var<storage, read> offsets_0 : array<u32>;

@binding(5) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(0) @group(0) var<storage, read> homes_0 : array<u32>;

@binding(3) @group(0) var<storage, read> pyramid_0 : array<vec4<f32>>;

@binding(4) @group(0) var<storage, read> direction_0 : array<vec2<f32>>;

@binding(2) @group(0) var<storage, read> needs_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> looks_0 : array<vec2<u32>>;

fn unpacked_0( word_0 : u32) -> vec2<i32>
{
    return vec2<i32>((i32((word_0 << (u32(16)))) >> (u32(16))), (i32(word_0) >> (u32(16))));
}

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
    found_0.cell_0 = b_0.x;
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

fn hashed_0( word_1 : u32) -> u32
{
    var _S1 : u32 = ((word_1 ^ (((word_1 >> (u32(16))))))) * u32(2146121005);
    var _S2 : u32 = ((_S1 ^ (((_S1 >> (u32(15))))))) * u32(2221713035);
    return (_S2 ^ (((_S2 >> (u32(16))))));
}

fn within_cell_0( word_2 : u32,  cell_1 : u32) -> i32
{
    return i32(((((word_2 >> (u32(20)))) * cell_1 + (((((((word_2 >> (u32(8)))) & (u32(4095)))) * cell_1) >> (u32(12))))) >> (u32(12))));
}

fn home_of_0( place_1 : u32,  layer_0 : Layer_0) -> vec3<i32>
{
    var row_1 : u32 = (place_1 & (u32(65535)));
    var column_0 : u32 = (place_1 >> (u32(16)));
    var seed_0 : u32 = hashed_0(hashed_0(hashed_0(layer_0.index_1 + u32(1)) + row_1) + column_0);
    return vec3<i32>((vec2<i32>(i32(row_1), i32(column_0)) - vec2<i32>(i32(1))) * vec2<i32>(i32(layer_0.cell_0)) + vec2<i32>(within_cell_0(hashed_0(seed_0 + u32(1759714724)), layer_0.cell_0), within_cell_0(hashed_0(seed_0 + u32(3519429448)), layer_0.cell_0)), i32(seed_0));
}

fn in_level_0( place_2 : vec2<f32>,  level_0 : u32) -> vec2<f32>
{
    return place_2 / vec2<f32>(f32((u32(1) << (level_0)))) - vec2<f32>(0.5f);
}

struct Between_0
{
     at_0 : vec4<u32>,
     share_0 : vec2<f32>,
};

fn between_samples_0( place_3 : vec2<f32>,  level_1 : vec4<u32>) -> Between_0
{
    var low_0 : vec2<f32> = floor(place_3);
    var _S3 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(level_1.yz) - _S3;
    var _S4 : vec2<i32> = vec2<i32>(low_0);
    const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_1 : vec2<i32> = clamp(_S4, _S5, last_0);
    var b_1 : vec2<i32> = clamp(_S4 + _S3, _S5, last_0);
    var found_1 : Between_0;
    var _S6 : i32 = i32(level_1.y);
    var _S7 : vec2<i32> = vec2<i32>(a_1.x, b_1.x);
    found_1.at_0 = vec4<u32>(level_1.x) + vec4<u32>(vec2<u32>(vec2<i32>((a_1.y * _S6)) + _S7), vec2<u32>(vec2<i32>((b_1.y * _S6)) + _S7));
    found_1.share_0 = place_3 - low_0;
    return found_1;
}

fn colour_at_0( level_2 : vec4<u32>,  at_1 : vec2<f32>) -> vec3<f32>
{
    var near_0 : Between_0 = between_samples_0(in_level_0(at_1, level_2.w), level_2);
    var _S8 : vec4<f32> = vec4<f32>(near_0.share_0.x);
    return mix(mix(pyramid_0[near_0.at_0.x], pyramid_0[near_0.at_0.y], _S8), mix(pyramid_0[near_0.at_0.z], pyramid_0[near_0.at_0.w], _S8), vec4<f32>(near_0.share_0.y)).xyz;
}

fn tensor_at_0( at_2 : vec2<f32>) -> vec2<f32>
{
    var level_3 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0];
    level_3[i32(0)] = u32(0);
    var near_1 : Between_0 = between_samples_0(in_level_0(at_2, Constants_0.tensor_level_0 + Constants_0.near_level_0), level_3);
    var _S9 : vec2<f32> = vec2<f32>(near_1.share_0.x);
    return mix(mix(direction_0[near_1.at_0.x], direction_0[near_1.at_0.y], _S9), mix(direction_0[near_1.at_0.z], direction_0[near_1.at_0.w], _S9), vec2<f32>(near_1.share_0.y));
}

fn by_length_0( tensor_0 : vec2<f32>) -> vec2<f32>
{
    return tensor_0 / vec2<f32>((sqrt(dot(tensor_0, tensor_0)) + 9.99999971718068537e-10f));
}

fn needed_0( layer_1 : Layer_0,  at_3 : vec2<f32>) -> f32
{
    var _S10 : u32 = layer_1.needs_1.w;
    var need_0 : f32;
    if(_S10 > u32(0))
    {
        var near_2 : Between_0 = between_samples_0(in_level_0(at_3, _S10), layer_1.needs_1);
        var _S11 : f32 = near_2.share_0.x;
        need_0 = saturate(2.0f * layer_1.per_need_0 * mix(mix(needs_0[near_2.at_0.x], needs_0[near_2.at_0.y], _S11), mix(needs_0[near_2.at_0.z], needs_0[near_2.at_0.w], _S11), near_2.share_0.y) - 1.0f);
    }
    else
    {
        need_0 = 1.0f;
    }
    return need_0;
}

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn light_around_0( at_4 : vec2<f32>) -> f32
{
    return luma_of_0(colour_at_0(vec4<u32>(Constants_0.levels_0[Constants_0.around_level_0].xyz, Constants_0.around_level_0), at_4));
}

fn colour_in_0( word_3 : u32) -> vec3<u32>
{
    return vec3<u32>((word_3 & (u32(1023))), (((word_3 >> (u32(10)))) & (u32(1023))), (((word_3 >> (u32(20)))) & (u32(1023))));
}

fn count_of_0( colours_1 : vec2<u32>) -> u32
{
    return ((colours_1.y) >> (u32(30)));
}

fn look_of_0( colour_0 : vec3<u32>,  rest_1 : vec4<u32>,  count_0 : u32) -> vec2<u32>
{
    return vec2<u32>(((((((colour_0.x) | ((((colour_0.y) << (u32(10))))))) | ((((colour_0.z) << (u32(20))))))) | (((count_0 << (u32(30)))))), ((((((rest_1.x) | ((((rest_1.y) << (u32(7))))))) | ((((rest_1.z) << (u32(15))))))) | ((((rest_1.w) << (u32(23)))))));
}

fn rest_in_0( word_4 : u32) -> vec4<u32>
{
    return vec4<u32>((word_4 & (u32(127))), (((word_4 >> (u32(7)))) & (u32(255))), (((word_4 >> (u32(15)))) & (u32(255))), (word_4 >> (u32(23))));
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
    var offset_0 : vec2<i32> = unpacked_0(offsets_0[i_0]);
    if((offset_0.x) == i32(-32768))
    {
        return;
    }
    var layer_2 : Layer_0 = layer_of_0(layer_with_stroke_0(i_0));
    var _S12 : u32 = (i_0 - layer_2.first_slot_0) / layer_2.slots_0;
    var at_5 : vec2<f32> = vec2<f32>((home_of_0(homes_0[layer_2.first_0 + _S12], layer_2).xy + offset_0).yx) / vec2<f32>(16.0f);
    var _S13 : vec3<u32> = vec3<u32>(floor(vec3<f32>(1023.0f) * saturate(colour_at_0(layer_2.colours_0, at_5)) + vec3<f32>(0.5f)));
    var rest_2 : vec4<u32> = vec4<u32>(u32(floor(127.0f * needed_0(layer_2, at_5) + 0.5f)), vec2<u32>(vec2<i32>(floor(vec2<f32>(127.0f) * by_length_0(tensor_at_0(at_5)) + vec2<f32>(0.5f))) + vec2<i32>(i32(128))), u32(floor(511.0f * saturate(light_around_0(at_5)) + 0.5f)));
    var colours_2 : vec2<u32> = looks_0[i_0];
    var _S14 : u32 = looks_0[i_0].y;
    var _S15 : vec3<u32> = colour_in_0(_S14);
    var count_1 : u32;
    if((any(((abs(vec3<i32>(_S13) - vec3<i32>(_S15))) > vec3<i32>(i32(352))))))
    {
        count_1 = u32(0);
    }
    else
    {
        count_1 = count_of_0(colours_2);
    }
    var share_1 : u32 = count_1 + u32(1);
    var _S16 : vec2<u32> = look_of_0(_S13, rest_2, u32(1));
    var colour_1 : vec3<u32>;
    var rest_3 : vec4<u32>;
    var from_0 : vec2<u32>;
    if(count_1 > u32(0))
    {
        var _S17 : u32 = looks_0[Constants_0.rests_0 + i_0].y;
        var from_1 : vec2<u32> = vec2<u32>(_S14, _S17);
        var _S18 : vec3<u32> = (vec3<u32>(count_1) * _S15 + _S13 + vec3<u32>((share_1 / u32(2)))) / vec3<u32>(share_1);
        var _S19 : vec4<u32> = (vec4<u32>(count_1) * rest_in_0(_S17) + rest_2 + vec4<u32>((share_1 / u32(2)))) / vec4<u32>(share_1);
        colour_1 = _S18;
        rest_3 = _S19;
        from_0 = from_1;
    }
    else
    {
        colour_1 = _S13;
        rest_3 = rest_2;
        from_0 = _S16;
    }
    var to_0 : vec2<u32> = look_of_0(colour_1, rest_3, min(share_1, u32(3)));
    looks_0[i_0] = vec2<u32>(from_0.x, to_0.x);
    looks_0[Constants_0.rests_0 + i_0] = vec2<u32>(from_0.y, to_0.y);
    return;
}

