// stroke_cut.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 0f874c1b25f55c5a7c711da61916eb25 e09f819c0d5bdf1983215093facee3ec
@binding(0) @group(0) var<storage, read> counts_0 : array<u32>;

@binding(0) @group(1) var<storage, read_write> strokes_0 : array<vec4<u32>>;

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
@binding(1) @group(0) var<storage, read> layers_0 : array<vec4<u32>>;

@binding(2) @group(0) var<storage, read> times_0 : array<vec4<f32>>;

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

fn times_at_0( index_0 : u32,  place_1 : vec2<f32>) -> vec3<f32>
{
    var at_0 : vec2<i32> = clamp(vec2<i32>(vec2<f32>(160.0f) * place_1 / vec2<f32>(Constants_0.size_0)), vec2<i32>(i32(0), i32(0)), vec2<i32>(i32(159), i32(159)));
    return times_0[(i32(index_0) * i32(160) + at_0.y) * i32(160) + at_0.x].xyz;
}

fn word_from_middle_0( away_0 : vec2<f32>,  unit_1 : f32) -> u32
{
    var _S1 : vec2<i32> = vec2<i32>(clamp(floor(away_0 / vec2<f32>(unit_1) + vec2<f32>(0.5f)), vec2<f32>(-32767.0f), vec2<f32>(32767.0f)));
    return (((u32(_S1.x) & (u32(65535)))) | (((u32(_S1.y) << (u32(16))))));
}

@compute
@workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var number_0 : u32 = id_0.x;
    if(number_0 >= counts_0[i32(16)])
    {
        return;
    }
    var row_0 : u32 = u32(3) * number_0;
    var head_0 : vec4<u32> = strokes_0[row_0];
    var paint_0 : vec4<u32> = strokes_0[u32(3) * Constants_0.most_records_0 + number_0];
    var layer_0 : u32 = u32(1);
    var index_1 : u32 = u32(0);
    for(;;)
    {
        if(layer_0 < (Constants_0.layer_count_0))
        {
        }
        else
        {
            break;
        }
        if((paint_0.w / u32(2)) >= (layers_0[u32(6) * layer_0].y))
        {
            index_1 = layer_0;
        }
        layer_0 = layer_0 + u32(1);
    }
    var _S2 : u32 = head_0.w;
    var _S3 : f32 = unit_of_0(_S2);
    var path_0 : array<vec2<f32>, i32(9)>;
    var _S4 : vec2<f32> = (bitcast<vec2<f32>>((head_0.xy)));
    path_0[i32(4)] = _S4;
    var _S5 : u32 = row_0 + u32(1);
    path_0[u32(0)] = _S4 + from_middle_0(strokes_0[_S5][u32(0)], _S3);
    path_0[u32(1)] = _S4 + from_middle_0(strokes_0[_S5][u32(1)], _S3);
    path_0[u32(2)] = _S4 + from_middle_0(strokes_0[_S5][u32(2)], _S3);
    path_0[u32(3)] = _S4 + from_middle_0(strokes_0[_S5][u32(3)], _S3);
    var _S6 : u32 = _S5 + u32(1);
    path_0[u32(5)] = _S4 + from_middle_0(strokes_0[_S6][u32(0)], _S3);
    path_0[u32(6)] = _S4 + from_middle_0(strokes_0[_S6][u32(1)], _S3);
    path_0[u32(7)] = _S4 + from_middle_0(strokes_0[_S6][u32(2)], _S3);
    path_0[u32(8)] = _S4 + from_middle_0(strokes_0[_S6][u32(3)], _S3);
    var _S7 : vec2<u32> = ends_of_0(_S2);
    var first_0 : u32 = _S7.x;
    var last_0 : u32 = _S7.y;
    var _S8 : u32 = first_0 + (last_0 - first_0 + u32(1)) / u32(2);
    var _S9 : vec2<f32> = path_0[i32(0)];
    var middle_0 : vec2<f32>;
    if(u32(1) == _S8)
    {
        middle_0 = path_0[u32(1)];
    }
    else
    {
        middle_0 = _S9;
    }
    var _S10 : bool = u32(1) > first_0;
    var _S11 : bool;
    if(_S10)
    {
        _S11 = u32(1) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    var total_0 : f32;
    if(_S11)
    {
        total_0 = length(path_0[u32(1)] - path_0[u32(0)]);
    }
    else
    {
        total_0 = 0.0f;
    }
    if(u32(2) == _S8)
    {
        middle_0 = path_0[u32(2)];
    }
    var _S12 : bool = u32(2) > first_0;
    if(_S12)
    {
        _S11 = u32(2) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(2)] - path_0[u32(1)]);
    }
    if(u32(3) == _S8)
    {
        middle_0 = path_0[u32(3)];
    }
    var _S13 : bool = u32(3) > first_0;
    if(_S13)
    {
        _S11 = u32(3) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(3)] - path_0[u32(2)]);
    }
    if(u32(4) == _S8)
    {
        middle_0 = path_0[u32(4)];
    }
    var _S14 : bool = u32(4) > first_0;
    if(_S14)
    {
        _S11 = u32(4) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(4)] - path_0[u32(3)]);
    }
    if(u32(5) == _S8)
    {
        middle_0 = path_0[u32(5)];
    }
    var _S15 : bool = u32(5) > first_0;
    if(_S15)
    {
        _S11 = u32(5) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(5)] - path_0[u32(4)]);
    }
    if(u32(6) == _S8)
    {
        middle_0 = path_0[u32(6)];
    }
    var _S16 : bool = u32(6) > first_0;
    if(_S16)
    {
        _S11 = u32(6) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(6)] - path_0[u32(5)]);
    }
    if(u32(7) == _S8)
    {
        middle_0 = path_0[u32(7)];
    }
    var _S17 : bool = u32(7) > first_0;
    if(_S17)
    {
        _S11 = u32(7) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(7)] - path_0[u32(6)]);
    }
    if(u32(8) == _S8)
    {
        middle_0 = path_0[u32(8)];
    }
    var _S18 : bool = u32(8) > first_0;
    if(_S18)
    {
        _S11 = u32(8) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        total_0 = total_0 + length(path_0[u32(8)] - path_0[u32(7)]);
    }
    var when_0 : vec3<f32> = times_at_0(index_1, middle_0);
    var share_0 : f32 = saturate((Constants_0.progress_0 - when_0.x - when_0.y * (f32(paint_0.z % u32(4096)) / 4096.0f)) / when_0.z);
    if(share_0 >= 1.0f)
    {
        return;
    }
    var _S19 : f32 = share_0 * total_0;
    var _S20 : vec2<f32> = path_0[i32(0)];
    var _S21 : u32 = first_0 + u32(1);
    var tip_0 : vec2<f32>;
    if(u32(1) == _S21)
    {
        tip_0 = path_0[u32(0)];
    }
    else
    {
        tip_0 = _S20;
    }
    if(_S10)
    {
        _S11 = u32(1) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = 0.0f < _S19;
    }
    else
    {
        _S11 = false;
    }
    var end_0 : u32;
    var passed_0 : f32;
    if(_S11)
    {
        var along_0 : vec2<f32> = path_0[u32(1)] - path_0[u32(0)];
        var step_0 : f32 = length(along_0);
        tip_0 = path_0[u32(0)] + vec2<f32>(saturate(_S19 / max(step_0, 9.99999997475242708e-07f))) * along_0;
        passed_0 = step_0;
        end_0 = u32(1);
    }
    else
    {
        passed_0 = 0.0f;
        end_0 = first_0;
    }
    if(u32(2) == _S21)
    {
        tip_0 = path_0[u32(1)];
    }
    if(_S12)
    {
        _S11 = u32(2) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_1 : vec2<f32> = path_0[u32(2)] - path_0[u32(1)];
        var step_1 : f32 = length(along_1);
        var passed_1 : f32 = passed_0 + step_1;
        tip_0 = path_0[u32(1)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_1, 9.99999997475242708e-07f))) * along_1;
        passed_0 = passed_1;
        end_0 = u32(2);
    }
    if(u32(3) == _S21)
    {
        tip_0 = path_0[u32(2)];
    }
    if(_S13)
    {
        _S11 = u32(3) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_2 : vec2<f32> = path_0[u32(3)] - path_0[u32(2)];
        var step_2 : f32 = length(along_2);
        var passed_2 : f32 = passed_0 + step_2;
        tip_0 = path_0[u32(2)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_2, 9.99999997475242708e-07f))) * along_2;
        passed_0 = passed_2;
        end_0 = u32(3);
    }
    if(u32(4) == _S21)
    {
        tip_0 = path_0[u32(3)];
    }
    if(_S14)
    {
        _S11 = u32(4) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_3 : vec2<f32> = path_0[u32(4)] - path_0[u32(3)];
        var step_3 : f32 = length(along_3);
        var passed_3 : f32 = passed_0 + step_3;
        tip_0 = path_0[u32(3)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_3, 9.99999997475242708e-07f))) * along_3;
        passed_0 = passed_3;
        end_0 = u32(4);
    }
    if(u32(5) == _S21)
    {
        tip_0 = path_0[u32(4)];
    }
    if(_S15)
    {
        _S11 = u32(5) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_4 : vec2<f32> = path_0[u32(5)] - path_0[u32(4)];
        var step_4 : f32 = length(along_4);
        var passed_4 : f32 = passed_0 + step_4;
        tip_0 = path_0[u32(4)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_4, 9.99999997475242708e-07f))) * along_4;
        passed_0 = passed_4;
        end_0 = u32(5);
    }
    if(u32(6) == _S21)
    {
        tip_0 = path_0[u32(5)];
    }
    if(_S16)
    {
        _S11 = u32(6) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_5 : vec2<f32> = path_0[u32(6)] - path_0[u32(5)];
        var step_5 : f32 = length(along_5);
        var passed_5 : f32 = passed_0 + step_5;
        tip_0 = path_0[u32(5)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_5, 9.99999997475242708e-07f))) * along_5;
        passed_0 = passed_5;
        end_0 = u32(6);
    }
    if(u32(7) == _S21)
    {
        tip_0 = path_0[u32(6)];
    }
    if(_S17)
    {
        _S11 = u32(7) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_6 : vec2<f32> = path_0[u32(7)] - path_0[u32(6)];
        var step_6 : f32 = length(along_6);
        var passed_6 : f32 = passed_0 + step_6;
        tip_0 = path_0[u32(6)] + vec2<f32>(saturate((_S19 - passed_0) / max(step_6, 9.99999997475242708e-07f))) * along_6;
        passed_0 = passed_6;
        end_0 = u32(7);
    }
    if(u32(8) == _S21)
    {
        tip_0 = path_0[u32(7)];
    }
    if(_S18)
    {
        _S11 = u32(8) <= last_0;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        _S11 = passed_0 < _S19;
    }
    else
    {
        _S11 = false;
    }
    if(_S11)
    {
        var along_7 : vec2<f32> = path_0[u32(8)] - path_0[u32(7)];
        var _S22 : vec2<f32> = path_0[u32(7)] + vec2<f32>(saturate((_S19 - passed_0) / max(length(along_7), 9.99999997475242708e-07f))) * along_7;
        end_0 = u32(8);
        tip_0 = _S22;
    }
    if(u32(0) >= end_0)
    {
        path_0[u32(0)] = tip_0;
    }
    if(u32(1) >= end_0)
    {
        path_0[u32(1)] = tip_0;
    }
    if(u32(2) >= end_0)
    {
        path_0[u32(2)] = tip_0;
    }
    if(u32(3) >= end_0)
    {
        path_0[u32(3)] = tip_0;
    }
    if(u32(4) >= end_0)
    {
        path_0[u32(4)] = tip_0;
    }
    if(u32(5) >= end_0)
    {
        path_0[u32(5)] = tip_0;
    }
    if(u32(6) >= end_0)
    {
        path_0[u32(6)] = tip_0;
    }
    if(u32(7) >= end_0)
    {
        path_0[u32(7)] = tip_0;
    }
    if(u32(8) >= end_0)
    {
        path_0[u32(8)] = tip_0;
    }
    strokes_0[row_0] = vec4<u32>((bitcast<vec2<u32>>((path_0[i32(4)]))), (bitcast<u32>(((bitcast<f32>((head_0.z))) * sqrt(min(share_0 / 0.30000001192092896f, 1.0f))))), (((((_S2 & (u32(4294967168)))) | (first_0))) | (((end_0 << (u32(3)))))));
    var cut_0 : vec4<u32>;
    cut_0[u32(0)] = word_from_middle_0(path_0[u32(0)] - path_0[i32(4)], _S3);
    cut_0[u32(1)] = word_from_middle_0(path_0[u32(1)] - path_0[i32(4)], _S3);
    cut_0[u32(2)] = word_from_middle_0(path_0[u32(2)] - path_0[i32(4)], _S3);
    cut_0[u32(3)] = word_from_middle_0(path_0[u32(3)] - path_0[i32(4)], _S3);
    strokes_0[_S5] = cut_0;
    var cut_1 : vec4<u32>;
    cut_1[u32(0)] = word_from_middle_0(path_0[u32(5)] - path_0[i32(4)], _S3);
    cut_1[u32(1)] = word_from_middle_0(path_0[u32(6)] - path_0[i32(4)], _S3);
    cut_1[u32(2)] = word_from_middle_0(path_0[u32(7)] - path_0[i32(4)], _S3);
    cut_1[u32(3)] = word_from_middle_0(path_0[u32(8)] - path_0[i32(4)], _S3);
    strokes_0[_S6] = cut_1;
    return;
}

