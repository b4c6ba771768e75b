// stroke_fill.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 4293bbd12617f948bc0e218b41c4764f 5202c5471a5ff5f0e2542d27cce4931a
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
@binding(2) @group(0) var<storage, read> lost_0 : array<u32>;

@binding(3) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(0) @group(0) var<storage, read> homes_0 : array<u32>;

@binding(1) @group(0) var<storage, read> covered_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> offsets_0 : array<u32>;

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
    found_0.cell_1 = b_0.x;
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

fn age_of_0( seed_1 : u32,  slot_0 : u32,  place_2 : u32) -> u32
{
    var phase_0 : u32 = ((seed_1 >> (u32(8)))) + place_2;
    if(slot_0 >= u32(2))
    {
        return (phase_0 + (slot_0 - u32(2)) * u32(3)) % u32(15);
    }
    return (phase_0 + slot_0 * u32(24)) % u32(48);
}

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S4 : vec2<u32> = vec2<u32>(u32(16));
    var blocks_0 : vec2<u32> = (Constants_0.size_0 + _S4 - vec2<u32>(u32(1))) / _S4;
    var _S5 : u32 = id_0.x;
    var _S6 : bool;
    if(_S5 >= (Constants_0.filled_count_0))
    {
        _S6 = true;
    }
    else
    {
        _S6 = (u32(8) * lost_0[i32(0)]) >= (u32(5) * blocks_0.x * blocks_0.y);
    }
    if(_S6)
    {
        return;
    }
    var layer_1 : Layer_0 = layer_of_0(layer_with_0(_S5));
    var home_0 : vec3<i32> = home_of_0(homes_0[_S5], layer_1);
    var _S7 : i32 = i32(layer_1.cell_1);
    var _S8 : i32 = divided_0(home_0.x, _S7);
    var row_2 : i32 = _S8 + i32(1);
    var _S9 : i32 = divided_0(home_0.y, _S7);
    if(covered_0[layer_1.covered_1 + u32(row_2) * layer_1.columns_0 + u32(_S9 + i32(1))] == u32(1))
    {
        return;
    }
    var slot_1 : u32 = u32(2);
    for(;;)
    {
        if(slot_1 < (layer_1.slots_0))
        {
        }
        else
        {
            break;
        }
        if((age_of_0(u32(home_0.z), slot_1, Constants_0.place_0)) == u32(0))
        {
            offsets_0[layer_1.first_slot_0 + (_S5 - layer_1.first_0) * layer_1.slots_0 + slot_1] = u32(0);
        }
        slot_1 = slot_1 + u32(1);
    }
    return;
}

