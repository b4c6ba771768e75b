// stroke_direction.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// de654a6668a0cbd1553ca039d3091861 cfc7fc9a7e598be8568bf76ae21afffb
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
@binding(0) @group(0) var<storage, read> tensor_0 : array<vec2<f32>>;

@binding(1) @group(0) var<storage, read> map_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> direction_0 : array<vec2<f32>>;

struct Between_0
{
     at_0 : vec4<u32>,
     share_0 : vec2<f32>,
};

fn between_samples_0( place_1 : vec2<f32>,  level_0 : vec4<u32>) -> Between_0
{
    var low_0 : vec2<f32> = floor(place_1);
    var _S1 : vec2<i32> = vec2<i32>(i32(1));
    var last_0 : vec2<i32> = vec2<i32>(level_0.yz) - _S1;
    var _S2 : vec2<i32> = vec2<i32>(low_0);
    const _S3 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_0 : vec2<i32> = clamp(_S2, _S3, last_0);
    var b_0 : vec2<i32> = clamp(_S2 + _S1, _S3, last_0);
    var found_0 : Between_0;
    var _S4 : i32 = i32(level_0.y);
    var _S5 : vec2<i32> = vec2<i32>(a_0.x, b_0.x);
    found_0.at_0 = vec4<u32>(level_0.x) + vec4<u32>(vec2<u32>(vec2<i32>((a_0.y * _S4)) + _S5), vec2<u32>(vec2<i32>((b_0.y * _S4)) + _S5));
    found_0.share_0 = place_1 - low_0;
    return found_0;
}

fn halved_0( at_1 : vec2<i32>,  level_1 : vec4<u32>) -> vec2<f32>
{
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var last_1 : vec2<i32> = vec2<i32>(level_1.yz) - _S6;
    var _S7 : vec2<i32> = vec2<i32>(i32(2)) * at_1;
    var a_1 : vec2<i32> = min(_S7, last_1);
    var b_1 : vec2<i32> = min(_S7 + _S6, last_1);
    var _S8 : u32 = level_1.x;
    var _S9 : u32 = level_1.y;
    var upper_0 : u32 = _S8 + u32(a_1.y) * _S9;
    var lower_0 : u32 = _S8 + u32(b_1.y) * _S9;
    var _S10 : u32 = u32(a_1.x);
    var _S11 : u32 = u32(b_1.x);
    return vec2<f32>(0.25f) * (tensor_0[upper_0 + _S10] + tensor_0[upper_0 + _S11] + tensor_0[lower_0 + _S10] + tensor_0[lower_0 + _S11]);
}

fn farther_at_0( at_2 : vec2<i32>) -> vec2<f32>
{
    var made_0 : vec4<u32> = Constants_0.tensors_0[i32(4)];
    var value_0 : vec2<f32>;
    if((Constants_0.near_level_0) == u32(1))
    {
        value_0 = halved_0(at_2, made_0);
    }
    else
    {
        var _S12 : vec2<u32> = (made_0.yz + vec2<u32>(u32(1))) / vec2<u32>(u32(2));
        var _S13 : vec2<i32> = vec2<i32>(i32(1));
        var last_2 : vec2<i32> = vec2<i32>(_S12) - _S13;
        var _S14 : vec2<i32> = vec2<i32>(i32(2)) * at_2;
        var a_2 : vec2<i32> = min(_S14, last_2);
        var b_2 : vec2<i32> = min(_S14 + _S13, last_2);
        value_0 = vec2<f32>(0.25f) * (halved_0(a_2, made_0) + halved_0(vec2<i32>(b_2.x, a_2.y), made_0) + halved_0(vec2<i32>(a_2.x, b_2.y), made_0) + halved_0(b_2, made_0));
    }
    return value_0;
}

fn in_map_0( place_2 : vec2<f32>) -> Between_0
{
    return between_samples_0(vec2<f32>(256.0f) * place_2 - vec2<f32>(0.5f), vec4<u32>(u32(0), u32(256), u32(256), u32(0)));
}

fn beside_map_0( tensor_1 : f32,  map_1 : f32) -> f32
{
    var _S15 : f32;
    if(map_1 > 0.0f)
    {
        _S15 = (1.0f - sqrt(map_1)) / (sqrt(tensor_1) + 9.99999971718068537e-10f);
    }
    else
    {
        _S15 = 1.0f;
    }
    return _S15;
}

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var near_0 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0];
    var far_0 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0 + u32(2)];
    var made_1 : vec4<u32> = Constants_0.tensors_0[i32(4)];
    var _S16 : u32 = id_0.x;
    var _S17 : u32 = Constants_0.tensors_0[Constants_0.near_level_0].y;
    var _S18 : bool;
    if(_S16 >= _S17)
    {
        _S18 = true;
    }
    else
    {
        _S18 = (id_0.y) >= (near_0.z);
    }
    if(_S18)
    {
        return;
    }
    var _S19 : vec2<f32> = vec2<f32>(0.5f);
    var middle_0 : vec2<f32> = vec2<f32>(id_0.xy) + _S19;
    var around_0 : Between_0 = between_samples_0(vec2<f32>(0.25f) * middle_0 - _S19, far_0);
    var _S20 : u32 = id_0.y * _S17;
    var _S21 : vec2<f32> = vec2<f32>(around_0.share_0.x);
    var value_1 : vec2<f32> = tensor_0[near_0.x + _S20 + _S16] + Constants_0.rest_0 + vec2<f32>(0.15000000596046448f) * mix(mix(tensor_0[around_0.at_0.x], tensor_0[around_0.at_0.y], _S21), mix(tensor_0[around_0.at_0.z], tensor_0[around_0.at_0.w], _S21), vec2<f32>(around_0.share_0.y));
    var place_3 : vec2<f32> = vec2<f32>(0.0625f) * middle_0 - _S19;
    var low_1 : vec2<f32> = floor(place_3);
    var share_1 : vec2<f32> = place_3 - low_1;
    var _S22 : vec2<i32> = vec2<i32>(i32(1));
    var last_3 : vec2<i32> = vec2<i32>(((made_1.yz + vec2<u32>(((u32(1) << ((Constants_0.near_level_0))))) - vec2<u32>(u32(1))) >> (vec2<u32>(Constants_0.near_level_0)))) - _S22;
    var _S23 : vec2<i32> = vec2<i32>(low_1);
    const _S24 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_3 : vec2<i32> = clamp(_S23, _S24, last_3);
    var b_3 : vec2<i32> = clamp(_S23 + _S22, _S24, last_3);
    var _S25 : vec2<f32> = vec2<f32>(share_1.x);
    var above_0 : vec2<f32> = mix(farther_at_0(a_3), farther_at_0(vec2<i32>(b_3.x, a_3.y)), _S25);
    var below_0 : vec2<f32> = mix(farther_at_0(vec2<i32>(a_3.x, b_3.y)), farther_at_0(b_3), _S25);
    var at_3 : u32 = _S20 + _S16;
    var on_map_0 : Between_0 = in_map_0(middle_0 * vec2<f32>(f32((u32(1) << ((Constants_0.tensor_level_0 + Constants_0.near_level_0))))) / vec2<f32>(Constants_0.size_0));
    var drawn_0 : vec2<f32> = vec2<f32>(0.0f);
    drawn_0[i32(0)] = mix(mix(map_0[on_map_0.at_0.x], map_0[on_map_0.at_0.y], on_map_0.share_0.x), mix(map_0[on_map_0.at_0.z], map_0[on_map_0.at_0.w], on_map_0.share_0.x), on_map_0.share_0.y);
    var _S26 : vec4<u32> = on_map_0.at_0 + vec4<u32>(u32(65536));
    on_map_0.at_0 = _S26;
    drawn_0[i32(1)] = mix(mix(map_0[_S26.x], map_0[_S26.y], on_map_0.share_0.x), mix(map_0[_S26.z], map_0[_S26.w], on_map_0.share_0.x), on_map_0.share_0.y);
    var value_2 : vec2<f32> = value_1 + vec2<f32>(0.05000000074505806f) * mix(above_0, below_0, vec2<f32>(share_1.y));
    direction_0[at_3] = vec2<f32>(beside_map_0(dot(value_2, value_2), dot(drawn_0, drawn_0))) * value_2 + drawn_0;
    return;
}

