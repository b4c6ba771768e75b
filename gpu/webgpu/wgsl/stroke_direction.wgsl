// stroke_direction.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// c9743a3a7756b22422f217d0fda7b944 c8c323948febde98fbb23fe98d67ae7b
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
    @align(4) layer_count_0 : u32,
    @align(8) need_count_0 : u32,
    @align(4) place_0 : u32,
    @align(16) rests_0 : u32,
    @align(4) cell_px_0 : u32,
    @align(8) most_records_0 : u32,
    @align(4) most_pairs_0 : u32,
    @align(16) tensor_level_0 : u32,
    @align(4) near_level_0 : u32,
    @align(8) ground_level_0 : u32,
    @align(4) around_level_0 : u32,
    @align(16) jitter_0 : f32,
    @align(4) edge_0 : f32,
    @align(8) wet_0 : f32,
    @align(4) per_hair_0 : f32,
    @align(16) brush_0 : f32,
    @align(4) detail_0 : f32,
    @align(16) bare_0 : vec4<f32>,
    @align(16) front_0 : f32,
    @align(4) progress_0 : f32,
    @align(8) covers_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> tensor_0 : array<vec2<f32>>;

@binding(1) @group(0) var<storage, read> maps_0 : array<vec4<f32>>;

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

fn map_at_0( place_2 : vec2<f32>) -> vec3<f32>
{
    var around_0 : Between_0 = between_samples_0(vec2<f32>(256.0f) * place_2 - vec2<f32>(0.5f), vec4<u32>(u32(0), u32(256), u32(256), u32(0)));
    var _S15 : vec4<f32> = vec4<f32>(around_0.share_0.x);
    return mix(mix(maps_0[around_0.at_0.x], maps_0[around_0.at_0.y], _S15), mix(maps_0[around_0.at_0.z], maps_0[around_0.at_0.w], _S15), vec4<f32>(around_0.share_0.y)).xyz;
}

fn beside_map_0( tensor_1 : f32,  map_0 : f32) -> f32
{
    var _S16 : f32;
    if(map_0 > 0.0f)
    {
        _S16 = (1.0f - sqrt(map_0)) / (sqrt(tensor_1) + 9.99999971718068537e-10f);
    }
    else
    {
        _S16 = 1.0f;
    }
    return _S16;
}

@compute
@workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var near_0 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0];
    var far_0 : vec4<u32> = Constants_0.tensors_0[Constants_0.near_level_0 + u32(2)];
    var made_1 : vec4<u32> = Constants_0.tensors_0[i32(4)];
    var _S17 : u32 = id_0.x;
    var _S18 : u32 = Constants_0.tensors_0[Constants_0.near_level_0].y;
    var _S19 : bool;
    if(_S17 >= _S18)
    {
        _S19 = true;
    }
    else
    {
        _S19 = (id_0.y) >= (near_0.z);
    }
    if(_S19)
    {
        return;
    }
    var _S20 : vec2<f32> = vec2<f32>(0.5f);
    var middle_0 : vec2<f32> = vec2<f32>(id_0.xy) + _S20;
    var around_1 : Between_0 = between_samples_0(vec2<f32>(0.25f) * middle_0 - _S20, far_0);
    var _S21 : u32 = id_0.y * _S18;
    var _S22 : vec2<f32> = vec2<f32>(around_1.share_0.x);
    var place_3 : vec2<f32> = vec2<f32>(0.0625f) * middle_0 - _S20;
    var low_1 : vec2<f32> = floor(place_3);
    var share_1 : vec2<f32> = place_3 - low_1;
    var _S23 : vec2<i32> = vec2<i32>(i32(1));
    var last_3 : vec2<i32> = vec2<i32>(((made_1.yz + vec2<u32>(((u32(1) << ((Constants_0.near_level_0))))) - vec2<u32>(u32(1))) >> (vec2<u32>(Constants_0.near_level_0)))) - _S23;
    var _S24 : vec2<i32> = vec2<i32>(low_1);
    const _S25 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var a_3 : vec2<i32> = clamp(_S24, _S25, last_3);
    var b_3 : vec2<i32> = clamp(_S24 + _S23, _S25, last_3);
    var _S26 : vec2<f32> = vec2<f32>(share_1.x);
    var map_1 : vec2<f32> = map_at_0(middle_0 * vec2<f32>(f32((u32(1) << ((Constants_0.tensor_level_0 + Constants_0.near_level_0))))) / vec2<f32>(Constants_0.size_0)).yz;
    var value_1 : vec2<f32> = tensor_0[near_0.x + _S21 + _S17] + Constants_0.rest_0 + vec2<f32>(0.15000000596046448f) * mix(mix(tensor_0[around_1.at_0.x], tensor_0[around_1.at_0.y], _S22), mix(tensor_0[around_1.at_0.z], tensor_0[around_1.at_0.w], _S22), vec2<f32>(around_1.share_0.y)) + vec2<f32>(0.05000000074505806f) * mix(mix(farther_at_0(a_3), farther_at_0(vec2<i32>(b_3.x, a_3.y)), _S26), mix(farther_at_0(vec2<i32>(a_3.x, b_3.y)), farther_at_0(b_3), _S26), vec2<f32>(share_1.y));
    direction_0[_S21 + _S17] = vec2<f32>(beside_map_0(dot(value_1, value_1), dot(map_1, map_1))) * value_1 + map_1;
    return;
}

