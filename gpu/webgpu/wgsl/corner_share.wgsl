// corner_share.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 0a992399fdf83cd071fac8a37675e05b 1ee15105b32d9358d39695e994aef575
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) blocks_0 : vec2<u32>,
    @align(16) cell_px_0 : u32,
    @align(4) least_0 : f32,
    @align(8) steepness_0 : f32,
    @align(4) flat_0 : f32,
    @align(16) per_busy_0 : f32,
    @align(4) sparse_0 : f32,
    @align(8) per_dense_0 : f32,
    @align(4) kept_least_0 : f32,
    @align(16) per_kept_0 : f32,
    @align(16) weights_0 : array<vec4<f32>, i32(2)>,
    @align(16) touches_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var structure_0 : texture_2d<f32>;

@binding(1) @group(0) var surroundings_0 : texture_2d<f32>;

@binding(2) @group(0) var<storage, read> masks_0 : array<vec4<f32>>;

@binding(0) @group(1) var left_0 : texture_storage_2d<r32float, write>;

fn spline_0( away_0 : f32) -> f32
{
    var near_by_0 : f32 = abs(away_0);
    var left_1 : f32 = 2.0f - near_by_0;
    var _S1 : f32;
    if(near_by_0 < 1.0f)
    {
        _S1 = 0.66666668653488159f - near_by_0 * near_by_0 * (1.0f - 0.5f * near_by_0);
    }
    else
    {
        _S1 = left_1 * left_1 * left_1 * 0.1666666716337204f;
    }
    return _S1;
}

fn busy_around_0( cell_0 : vec2<u32>) -> f32
{
    var _S2 : vec2<f32> = vec2<f32>(0.5f);
    var place_0 : vec2<f32> = (vec2<f32>(cell_0) + _S2) / vec2<f32>(16.0f) - _S2;
    var _S3 : vec2<f32> = floor(place_0);
    var _S4 : vec2<i32> = vec2<i32>(_S3);
    const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var _S7 : f32 = _S3.x;
    var _S8 : f32 = place_0.x;
    var _S9 : f32 = spline_0(_S7 + -1.0f - _S8);
    var _S10 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(-1), i32(-1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S11 : f32 = spline_0(_S7 - _S8);
    var _S12 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(0), i32(-1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S13 : f32 = spline_0(_S7 + 1.0f - _S8);
    var _S14 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(1), i32(-1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S15 : f32 = spline_0(_S7 + 2.0f - _S8);
    var _S16 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(2), i32(-1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S17 : f32 = _S3.y;
    var _S18 : f32 = place_0.y;
    var _S19 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(-1), i32(0)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S20 : vec3<i32> = vec3<i32>(clamp(_S4, _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S21 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(1), i32(0)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S22 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(2), i32(0)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S23 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(-1), i32(1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S24 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(0), i32(1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S25 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(1), i32(1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S26 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(2), i32(1)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S27 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(-1), i32(2)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S28 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(0), i32(2)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S29 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(1), i32(2)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    var _S30 : vec3<i32> = vec3<i32>(clamp(_S4 + vec2<i32>(i32(2), i32(2)), _S5, vec2<i32>(Constants_0.blocks_0) - _S6), i32(0));
    return spline_0(_S17 + -1.0f - _S18) * (_S9 * (textureLoad((surroundings_0), ((_S10)).xy, ((_S10)).z).x) + _S11 * (textureLoad((surroundings_0), ((_S12)).xy, ((_S12)).z).x) + _S13 * (textureLoad((surroundings_0), ((_S14)).xy, ((_S14)).z).x) + _S15 * (textureLoad((surroundings_0), ((_S16)).xy, ((_S16)).z).x)) + spline_0(_S17 - _S18) * (_S9 * (textureLoad((surroundings_0), ((_S19)).xy, ((_S19)).z).x) + _S11 * (textureLoad((surroundings_0), ((_S20)).xy, ((_S20)).z).x) + _S13 * (textureLoad((surroundings_0), ((_S21)).xy, ((_S21)).z).x) + _S15 * (textureLoad((surroundings_0), ((_S22)).xy, ((_S22)).z).x)) + spline_0(_S17 + 1.0f - _S18) * (_S9 * (textureLoad((surroundings_0), ((_S23)).xy, ((_S23)).z).x) + _S11 * (textureLoad((surroundings_0), ((_S24)).xy, ((_S24)).z).x) + _S13 * (textureLoad((surroundings_0), ((_S25)).xy, ((_S25)).z).x) + _S15 * (textureLoad((surroundings_0), ((_S26)).xy, ((_S26)).z).x)) + spline_0(_S17 + 2.0f - _S18) * (_S9 * (textureLoad((surroundings_0), ((_S27)).xy, ((_S27)).z).x) + _S11 * (textureLoad((surroundings_0), ((_S28)).xy, ((_S28)).z).x) + _S13 * (textureLoad((surroundings_0), ((_S29)).xy, ((_S29)).z).x) + _S15 * (textureLoad((surroundings_0), ((_S30)).xy, ((_S30)).z).x));
}

fn mask_at_0( place_1 : vec2<i32>) -> vec4<f32>
{
    var _S31 : vec2<i32> = clamp(place_1, vec2<i32>(i32(0), i32(0)), vec2<i32>(i32(160), i32(160)) - vec2<i32>(i32(1)));
    return masks_0[_S31.y * i32(160) + _S31.x];
}

fn kept_at_0( cell_1 : vec2<u32>) -> f32
{
    var _S32 : vec2<f32> = vec2<f32>(0.5f);
    var place_2 : vec2<f32> = (vec2<f32>(cell_1) + _S32) * vec2<f32>(f32(Constants_0.cell_px_0)) * vec2<f32>(160.0f) / vec2<f32>(Constants_0.size_0) - _S32;
    var low_0 : vec2<f32> = floor(place_2);
    var _S33 : vec2<i32> = vec2<i32>(low_0);
    var _S34 : f32 = place_2.x - low_0.x;
    return mix(mix(mask_at_0(_S33).w, mask_at_0(_S33 + vec2<i32>(i32(1), i32(0))).w, _S34), mix(mask_at_0(_S33 + vec2<i32>(i32(0), i32(1))).w, mask_at_0(_S33 + vec2<i32>(i32(1), i32(1))).w, _S34), place_2.y - low_0.y);
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S35 : bool;
    if((id_0.x) >= (Constants_0.cells_0.x))
    {
        _S35 = true;
    }
    else
    {
        _S35 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S35)
    {
        return;
    }
    var _S36 : vec2<u32> = id_0.xy;
    var _S37 : vec2<i32> = vec2<i32>(_S36);
    var _S38 : vec2<i32> = vec2<i32>(i32(3));
    const _S39 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S40 : vec2<i32> = vec2<i32>(i32(1));
    var _S41 : vec3<i32> = vec3<i32>(clamp(_S37 - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S42 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S43 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S44 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S45 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S46 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S47 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(0)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S48 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S49 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S50 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S51 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S52 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S53 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S54 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(1)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S55 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S56 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S57 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S58 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S59 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S60 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S61 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(2)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S62 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S63 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S64 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S65 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S66 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S67 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S68 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(3)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S69 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S70 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S71 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S72 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S73 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S74 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S75 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(4)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S76 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S77 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S78 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S79 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S80 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S81 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S82 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(5)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S83 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(0), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S84 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(1), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S85 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(2), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S86 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(3), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S87 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(4), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S88 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(5), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var _S89 : vec3<i32> = vec3<i32>(clamp(_S37 + vec2<i32>(i32(6), i32(6)) - _S38, _S39, vec2<i32>(Constants_0.cells_0) - _S40), i32(0));
    var sum_0 : vec3<f32> = vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S41)).xy, ((_S41)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S42)).xy, ((_S42)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S43)).xy, ((_S43)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S44)).xy, ((_S44)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S45)).xy, ((_S45)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S46)).xy, ((_S46)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S47)).xy, ((_S47)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S48)).xy, ((_S48)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S49)).xy, ((_S49)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S50)).xy, ((_S50)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S51)).xy, ((_S51)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S52)).xy, ((_S52)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S53)).xy, ((_S53)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S54)).xy, ((_S54)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S55)).xy, ((_S55)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S56)).xy, ((_S56)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S57)).xy, ((_S57)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S58)).xy, ((_S58)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S59)).xy, ((_S59)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S60)).xy, ((_S60)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S61)).xy, ((_S61)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S62)).xy, ((_S62)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S63)).xy, ((_S63)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S64)).xy, ((_S64)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S65)).xy, ((_S65)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S66)).xy, ((_S66)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S67)).xy, ((_S67)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S68)).xy, ((_S68)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S69)).xy, ((_S69)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S70)).xy, ((_S70)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S71)).xy, ((_S71)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S72)).xy, ((_S72)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S73)).xy, ((_S73)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S74)).xy, ((_S74)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S75)).xy, ((_S75)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S76)).xy, ((_S76)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S77)).xy, ((_S77)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S78)).xy, ((_S78)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S79)).xy, ((_S79)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S80)).xy, ((_S80)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S81)).xy, ((_S81)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S82)).xy, ((_S82)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S83)).xy, ((_S83)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S84)).xy, ((_S84)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S85)).xy, ((_S85)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S86)).xy, ((_S86)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S87)).xy, ((_S87)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S88)).xy, ((_S88)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S89)).xy, ((_S89)).z)).xyz);
    var _S90 : f32 = sum_0.x;
    var _S91 : f32 = sum_0.z;
    var apart_0 : f32 = _S90 - _S91;
    var _S92 : f32 = _S90 + _S91;
    var _S93 : f32 = sum_0.y;
    var share_0 : f32 = saturate((sqrt(max(0.5f * (_S92 - sqrt(apart_0 * apart_0 + 4.0f * _S93 * _S93)), 0.0f)) - Constants_0.least_0) * Constants_0.steepness_0);
    textureStore((left_0), (_S36), vec4<f32>((Constants_0.touches_0 * max(share_0 * share_0 * (3.0f - 2.0f * share_0) * (1.0f - saturate((busy_around_0(_S36) - Constants_0.sparse_0) * Constants_0.per_dense_0)), kept_at_0(_S36) * saturate((sqrt(max(_S92, 0.0f)) - Constants_0.kept_least_0) * Constants_0.per_kept_0))), 0, 0, 1));
    return;
}

