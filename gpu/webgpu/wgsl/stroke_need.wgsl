// stroke_need.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// e35d29c1f550c603b07aecd6643c63ce bb0cd01dd0c321a27f7bcd97899dd3cb
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

@binding(0) @group(0) var<storage, read> pyramid_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> needs_0 : array<f32>;

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

@compute
@workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S6 : u32 = id_0.x;
    if(_S6 >= (Constants_0.need_count_0))
    {
        return;
    }
    var _S7 : vec4<u32> = layers_0[i32(3)];
    var k_0 : u32 = u32(1);
    var need_0 : vec4<u32> = _S7;
    for(;;)
    {
        if(k_0 < (Constants_0.layer_count_0))
        {
        }
        else
        {
            break;
        }
        var next_0 : vec4<u32> = layers_0[u32(6) * k_0 + u32(3)];
        if(_S6 >= (next_0.x))
        {
            need_0 = next_0;
        }
        k_0 = k_0 + u32(1);
    }
    var _S8 : u32 = _S6 - need_0.x;
    var _S9 : u32 = need_0.y;
    var _S10 : u32 = _S8 % _S9;
    var _S11 : u32 = _S8 / _S9;
    var _S12 : vec2<u32> = vec2<u32>(_S10, _S11);
    var _S13 : u32 = need_0.w;
    var _S14 : vec4<u32> = Constants_0.levels_0[_S13 - u32(1)];
    var _S15 : vec4<u32> = Constants_0.levels_0[_S13];
    var _S16 : vec2<u32> = vec2<u32>(u32(2)) * _S12;
    var _S17 : vec2<u32> = _S14.yz - vec2<u32>(u32(1));
    var place_2 : vec2<u32> = min(_S16, _S17);
    var _S18 : vec2<f32> = vec2<f32>(0.5f);
    var _S19 : vec2<f32> = vec2<f32>(0.25f);
    var near_0 : Between_0 = between_samples_0(_S18 * vec2<f32>(place_2) - _S19, _S15);
    var _S20 : u32 = _S14.x;
    var _S21 : u32 = _S14.y;
    var _S22 : vec4<f32> = vec4<f32>(near_0.share_0.x);
    var apart_0 : vec4<f32> = abs(pyramid_0[_S20 + place_2.y * _S21 + place_2.x] - mix(mix(pyramid_0[near_0.at_0.x], pyramid_0[near_0.at_0.y], _S22), mix(pyramid_0[near_0.at_0.z], pyramid_0[near_0.at_0.w], _S22), vec4<f32>(near_0.share_0.y)));
    var place_3 : vec2<u32> = min(_S16 + vec2<u32>(u32(1), u32(0)), _S17);
    var near_1 : Between_0 = between_samples_0(_S18 * vec2<f32>(place_3) - _S19, _S15);
    var _S23 : vec4<f32> = vec4<f32>(near_1.share_0.x);
    var apart_1 : vec4<f32> = abs(pyramid_0[_S20 + place_3.y * _S21 + place_3.x] - mix(mix(pyramid_0[near_1.at_0.x], pyramid_0[near_1.at_0.y], _S23), mix(pyramid_0[near_1.at_0.z], pyramid_0[near_1.at_0.w], _S23), vec4<f32>(near_1.share_0.y)));
    var place_4 : vec2<u32> = min(_S16 + vec2<u32>(u32(0), u32(1)), _S17);
    var near_2 : Between_0 = between_samples_0(_S18 * vec2<f32>(place_4) - _S19, _S15);
    var _S24 : vec4<f32> = vec4<f32>(near_2.share_0.x);
    var apart_2 : vec4<f32> = abs(pyramid_0[_S20 + place_4.y * _S21 + place_4.x] - mix(mix(pyramid_0[near_2.at_0.x], pyramid_0[near_2.at_0.y], _S24), mix(pyramid_0[near_2.at_0.z], pyramid_0[near_2.at_0.w], _S24), vec4<f32>(near_2.share_0.y)));
    var place_5 : vec2<u32> = min(_S16 + vec2<u32>(u32(1), u32(1)), _S17);
    var near_3 : Between_0 = between_samples_0(_S18 * vec2<f32>(place_5) - _S19, _S15);
    var _S25 : vec4<f32> = vec4<f32>(near_3.share_0.x);
    var apart_3 : vec4<f32> = abs(pyramid_0[_S20 + place_5.y * _S21 + place_5.x] - mix(mix(pyramid_0[near_3.at_0.x], pyramid_0[near_3.at_0.y], _S25), mix(pyramid_0[near_3.at_0.z], pyramid_0[near_3.at_0.w], _S25), vec4<f32>(near_3.share_0.y)));
    needs_0[_S6] = 0.25f * (max(max(apart_0.x, apart_0.y), max(apart_0.z, 1.20000004768371582f * apart_0.w)) + max(max(apart_1.x, apart_1.y), max(apart_1.z, 1.20000004768371582f * apart_1.w)) + max(max(apart_2.x, apart_2.y), max(apart_2.z, 1.20000004768371582f * apart_2.w)) + max(max(apart_3.x, apart_3.y), max(apart_3.z, 1.20000004768371582f * apart_3.w)));
    return;
}

