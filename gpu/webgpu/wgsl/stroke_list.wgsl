// stroke_list.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 43bb27cea074b59666af12ac6aa20c31 79ee77aec710580a1f19f09cde0adc68
@binding(1) @group(1) var<storage, read_write> counts_0 : array<atomic<u32>>;

@binding(0) @group(0) var<storage, read> paths_0 : array<vec4<u32>>;

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
@binding(0) @group(1) var<storage, read_write> lists_0 : array<u32>;

fn unit_of_0( word_0 : u32) -> f32
{
    return (bitcast<f32>(((word_0 | (u32(127))))));
}

fn from_middle_0( word_1 : u32,  unit_0 : f32) -> vec2<f32>
{
    return vec2<f32>(unit_0) * vec2<f32>((vec2<i32>(i32((word_1 << (u32(16)))), i32(word_1)) >> (vec2<u32>(u32(16)))));
}

fn ends_of_0( word_2 : u32) -> vec2<u32>
{
    return vec2<u32>((word_2 & (u32(7))), (((word_2 >> (u32(3)))) & (u32(15))));
}

struct Touching_0
{
     box_0 : vec4<u32>,
     reach_0 : f32,
     ends_0 : vec2<u32>,
     path_0 : array<vec2<f32>, i32(9)>,
};

fn touching_0( number_0 : u32) -> Touching_0
{
    var row_0 : u32 = u32(3) * number_0;
    var head_0 : vec4<u32> = paths_0[row_0];
    var middle_0 : vec2<f32> = (bitcast<vec2<f32>>((head_0.xy)));
    var half_0 : f32 = (bitcast<f32>((head_0.z)));
    var _S1 : u32 = head_0.w;
    var _S2 : f32 = unit_of_0(_S1);
    var found_0 : Touching_0;
    found_0.path_0[i32(4)] = middle_0;
    var _S3 : u32 = row_0 + u32(1);
    var _S4 : vec4<u32> = paths_0[_S3];
    var at_0 : vec2<f32> = middle_0 + from_middle_0(_S4[u32(0)], _S2);
    var _S5 : vec2<f32> = min(middle_0, at_0);
    var _S6 : vec2<f32> = max(middle_0, at_0);
    found_0.path_0[u32(0)] = at_0;
    var at_1 : vec2<f32> = middle_0 + from_middle_0(_S4[u32(1)], _S2);
    var _S7 : vec2<f32> = min(_S5, at_1);
    var _S8 : vec2<f32> = max(_S6, at_1);
    found_0.path_0[u32(1)] = at_1;
    var at_2 : vec2<f32> = middle_0 + from_middle_0(_S4[u32(2)], _S2);
    var _S9 : vec2<f32> = min(_S7, at_2);
    var _S10 : vec2<f32> = max(_S8, at_2);
    found_0.path_0[u32(2)] = at_2;
    var at_3 : vec2<f32> = middle_0 + from_middle_0(_S4[u32(3)], _S2);
    var least_0 : vec2<f32> = min(_S9, at_3);
    var most_0 : vec2<f32> = max(_S10, at_3);
    found_0.path_0[u32(3)] = at_3;
    var _S11 : vec4<u32> = paths_0[_S3 + u32(1)];
    var at_4 : vec2<f32> = middle_0 + from_middle_0(_S11[u32(0)], _S2);
    var _S12 : vec2<f32> = min(least_0, at_4);
    var _S13 : vec2<f32> = max(most_0, at_4);
    found_0.path_0[u32(5)] = at_4;
    var at_5 : vec2<f32> = middle_0 + from_middle_0(_S11[u32(1)], _S2);
    var _S14 : vec2<f32> = min(_S12, at_5);
    var _S15 : vec2<f32> = max(_S13, at_5);
    found_0.path_0[u32(6)] = at_5;
    var at_6 : vec2<f32> = middle_0 + from_middle_0(_S11[u32(2)], _S2);
    var _S16 : vec2<f32> = min(_S14, at_6);
    var _S17 : vec2<f32> = max(_S15, at_6);
    found_0.path_0[u32(7)] = at_6;
    var at_7 : vec2<f32> = middle_0 + from_middle_0(_S11[u32(3)], _S2);
    var least_1 : vec2<f32> = min(_S16, at_7);
    var most_1 : vec2<f32> = max(_S17, at_7);
    found_0.path_0[u32(8)] = at_7;
    var _S18 : vec2<f32> = vec2<f32>(half_0);
    found_0.box_0 = vec4<u32>(clamp(vec4<i32>(floor(vec4<f32>(least_1 - _S18, most_1 + _S18) / vec4<f32>(16.0f))), vec4<i32>(i32(0), i32(0), i32(0), i32(0)), (vec2<i32>(Constants_0.tiles_0) - vec2<i32>(i32(1))).xyxy));
    found_0.reach_0 = 1.39999997615814209f * half_0 + 11.31519985198974609f;
    found_0.ends_0 = ends_of_0(_S1);
    return found_0;
}

fn touches_0( stroke_0 : Touching_0,  tile_0 : vec2<u32>,  reach_1 : f32) -> bool
{
    var _S19 : vec2<f32> = (vec2<f32>(tile_0) + vec2<f32>(0.5f)) * vec2<f32>(16.0f);
    var _S20 : u32 = stroke_0.ends_0.x;
    var _S21 : bool;
    if(u32(0) >= _S20)
    {
        _S21 = u32(0) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    var least_2 : f32;
    if(_S21)
    {
        var along_0 : vec2<f32> = stroke_0.path_0[u32(1)] - stroke_0.path_0[u32(0)];
        var from_0 : vec2<f32> = _S19 - stroke_0.path_0[u32(0)];
        var apart_0 : vec2<f32> = from_0 - vec2<f32>(saturate(dot(from_0, along_0) / (dot(along_0, along_0) + 9.99999971718068537e-10f))) * along_0;
        least_2 = min(1.0e+09f, dot(apart_0, apart_0));
    }
    else
    {
        least_2 = 1.0e+09f;
    }
    if(u32(1) >= _S20)
    {
        _S21 = u32(1) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_1 : vec2<f32> = stroke_0.path_0[u32(2)] - stroke_0.path_0[u32(1)];
        var from_1 : vec2<f32> = _S19 - stroke_0.path_0[u32(1)];
        var apart_1 : vec2<f32> = from_1 - vec2<f32>(saturate(dot(from_1, along_1) / (dot(along_1, along_1) + 9.99999971718068537e-10f))) * along_1;
        least_2 = min(least_2, dot(apart_1, apart_1));
    }
    if(u32(2) >= _S20)
    {
        _S21 = u32(2) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_2 : vec2<f32> = stroke_0.path_0[u32(3)] - stroke_0.path_0[u32(2)];
        var from_2 : vec2<f32> = _S19 - stroke_0.path_0[u32(2)];
        var apart_2 : vec2<f32> = from_2 - vec2<f32>(saturate(dot(from_2, along_2) / (dot(along_2, along_2) + 9.99999971718068537e-10f))) * along_2;
        least_2 = min(least_2, dot(apart_2, apart_2));
    }
    if(u32(3) >= _S20)
    {
        _S21 = u32(3) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_3 : vec2<f32> = stroke_0.path_0[u32(4)] - stroke_0.path_0[u32(3)];
        var from_3 : vec2<f32> = _S19 - stroke_0.path_0[u32(3)];
        var apart_3 : vec2<f32> = from_3 - vec2<f32>(saturate(dot(from_3, along_3) / (dot(along_3, along_3) + 9.99999971718068537e-10f))) * along_3;
        least_2 = min(least_2, dot(apart_3, apart_3));
    }
    if(u32(4) >= _S20)
    {
        _S21 = u32(4) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_4 : vec2<f32> = stroke_0.path_0[u32(5)] - stroke_0.path_0[u32(4)];
        var from_4 : vec2<f32> = _S19 - stroke_0.path_0[u32(4)];
        var apart_4 : vec2<f32> = from_4 - vec2<f32>(saturate(dot(from_4, along_4) / (dot(along_4, along_4) + 9.99999971718068537e-10f))) * along_4;
        least_2 = min(least_2, dot(apart_4, apart_4));
    }
    if(u32(5) >= _S20)
    {
        _S21 = u32(5) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_5 : vec2<f32> = stroke_0.path_0[u32(6)] - stroke_0.path_0[u32(5)];
        var from_5 : vec2<f32> = _S19 - stroke_0.path_0[u32(5)];
        var apart_5 : vec2<f32> = from_5 - vec2<f32>(saturate(dot(from_5, along_5) / (dot(along_5, along_5) + 9.99999971718068537e-10f))) * along_5;
        least_2 = min(least_2, dot(apart_5, apart_5));
    }
    if(u32(6) >= _S20)
    {
        _S21 = u32(6) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_6 : vec2<f32> = stroke_0.path_0[u32(7)] - stroke_0.path_0[u32(6)];
        var from_6 : vec2<f32> = _S19 - stroke_0.path_0[u32(6)];
        var apart_6 : vec2<f32> = from_6 - vec2<f32>(saturate(dot(from_6, along_6) / (dot(along_6, along_6) + 9.99999971718068537e-10f))) * along_6;
        least_2 = min(least_2, dot(apart_6, apart_6));
    }
    if(u32(7) >= _S20)
    {
        _S21 = u32(7) < (stroke_0.ends_0.y);
    }
    else
    {
        _S21 = false;
    }
    if(_S21)
    {
        var along_7 : vec2<f32> = stroke_0.path_0[u32(8)] - stroke_0.path_0[u32(7)];
        var from_7 : vec2<f32> = _S19 - stroke_0.path_0[u32(7)];
        var apart_7 : vec2<f32> = from_7 - vec2<f32>(saturate(dot(from_7, along_7) / (dot(along_7, along_7) + 9.99999971718068537e-10f))) * along_7;
        least_2 = min(least_2, dot(apart_7, apart_7));
    }
    return least_2 <= (reach_1 * reach_1);
}

@compute
@workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S22 : u32 = id_0.x;
    var number_1 : u32 = _S22 / u32(8);
    var _S23 : u32 = atomicLoad(&(counts_0[i32(16)]));
    if(number_1 >= _S23)
    {
        return;
    }
    var stroke_1 : Touching_0 = touching_0(number_1);
    var _S24 : u32 = stroke_1.box_0.z - stroke_1.box_0.x + u32(1);
    var _S25 : u32 = stroke_1.box_0.w - stroke_1.box_0.y + u32(1);
    var k_0 : u32 = _S22 % u32(8);
    for(;;)
    {
        if(k_0 < (_S24 * _S25))
        {
        }
        else
        {
            break;
        }
        var _S26 : vec2<u32> = stroke_1.box_0.xy;
        var _S27 : u32 = k_0 % _S24;
        var _S28 : u32 = k_0 / _S24;
        var tile_1 : vec2<u32> = _S26 + vec2<u32>(_S27, _S28);
        if(touches_0(stroke_1, tile_1, stroke_1.reach_0))
        {
            var place_in_list_0 : u32 = atomicAdd(&(counts_0[u32(17) + Constants_0.tiles_0.x * Constants_0.tiles_0.y + tile_1.y * Constants_0.tiles_0.x + tile_1.x]), u32(1));
            lists_0[place_in_list_0] = number_1;
        }
        k_0 = k_0 + u32(8);
    }
    return;
}

