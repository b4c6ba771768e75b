// corner_share.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 512afaceedbef7cd0291eba4fe954afc 11422d04275c9210b3ea8f45ad6f016e
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) cells_0 : vec2<u32>,
    @align(8) cell_px_0 : u32,
    @align(4) least_0 : f32,
    @align(16) steepness_0 : f32,
    @align(16) weights_0 : array<vec4<f32>, i32(2)>,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var structure_0 : texture_2d<f32>;

@binding(0) @group(1) var left_0 : texture_storage_2d<r32float, write>;

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S1 : bool;
    if((id_0.x) >= (Constants_0.cells_0.x))
    {
        _S1 = true;
    }
    else
    {
        _S1 = (id_0.y) >= (Constants_0.cells_0.y);
    }
    if(_S1)
    {
        return;
    }
    var _S2 : vec2<u32> = id_0.xy;
    var _S3 : vec2<i32> = vec2<i32>(_S2);
    var _S4 : vec2<i32> = vec2<i32>(i32(3));
    const _S5 : vec2<i32> = vec2<i32>(i32(0), i32(0));
    var _S6 : vec2<i32> = vec2<i32>(i32(1));
    var _S7 : vec3<i32> = vec3<i32>(clamp(_S3 - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S8 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S9 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S10 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S11 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S12 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S13 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(0)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S14 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S15 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S16 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S17 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S18 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S19 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S20 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(1)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S21 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S22 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S23 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S24 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S25 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S26 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S27 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(2)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S28 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S29 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S30 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S31 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S32 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S33 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S34 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(3)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S35 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S36 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S37 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S38 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S39 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S40 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S41 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(4)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S42 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S43 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S44 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S45 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S46 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S47 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S48 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(5)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S49 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(0), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S50 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(1), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S51 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(2), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S52 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(3), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S53 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(4), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S54 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(5), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var _S55 : vec3<i32> = vec3<i32>(clamp(_S3 + vec2<i32>(i32(6), i32(6)) - _S4, _S5, vec2<i32>(Constants_0.cells_0) - _S6), i32(0));
    var sum_0 : vec3<f32> = vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S7)).xy, ((_S7)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S8)).xy, ((_S8)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S9)).xy, ((_S9)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S10)).xy, ((_S10)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S11)).xy, ((_S11)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S12)).xy, ((_S12)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S13)).xy, ((_S13)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S14)).xy, ((_S14)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S15)).xy, ((_S15)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S16)).xy, ((_S16)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S17)).xy, ((_S17)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S18)).xy, ((_S18)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S19)).xy, ((_S19)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S20)).xy, ((_S20)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S21)).xy, ((_S21)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S22)).xy, ((_S22)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S23)).xy, ((_S23)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S24)).xy, ((_S24)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S25)).xy, ((_S25)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S26)).xy, ((_S26)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S27)).xy, ((_S27)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S28)).xy, ((_S28)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S29)).xy, ((_S29)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S30)).xy, ((_S30)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S31)).xy, ((_S31)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S32)).xy, ((_S32)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S33)).xy, ((_S33)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S34)).xy, ((_S34)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S35)).xy, ((_S35)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S36)).xy, ((_S36)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S37)).xy, ((_S37)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S38)).xy, ((_S38)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S39)).xy, ((_S39)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S40)).xy, ((_S40)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S41)).xy, ((_S41)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S42)).xy, ((_S42)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S43)).xy, ((_S43)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S44)).xy, ((_S44)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S45)).xy, ((_S45)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S46)).xy, ((_S46)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S47)).xy, ((_S47)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S48)).xy, ((_S48)).z)).xyz) + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (vec3<f32>(Constants_0.weights_0[i32(0)][i32(0)]) * (textureLoad((structure_0), ((_S49)).xy, ((_S49)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(1)]) * (textureLoad((structure_0), ((_S50)).xy, ((_S50)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(2)]) * (textureLoad((structure_0), ((_S51)).xy, ((_S51)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(0)][i32(3)]) * (textureLoad((structure_0), ((_S52)).xy, ((_S52)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(0)]) * (textureLoad((structure_0), ((_S53)).xy, ((_S53)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(1)]) * (textureLoad((structure_0), ((_S54)).xy, ((_S54)).z)).xyz + vec3<f32>(Constants_0.weights_0[i32(1)][i32(2)]) * (textureLoad((structure_0), ((_S55)).xy, ((_S55)).z)).xyz);
    var _S56 : f32 = sum_0.x;
    var _S57 : f32 = sum_0.z;
    var apart_0 : f32 = _S56 - _S57;
    var _S58 : f32 = sum_0.y;
    var share_0 : f32 = saturate((sqrt(max(0.5f * (_S56 + _S57 - sqrt(apart_0 * apart_0 + 4.0f * _S58 * _S58)), 0.0f)) - Constants_0.least_0) * Constants_0.steepness_0);
    textureStore((left_0), (_S2), vec4<f32>((share_0 * share_0 * (3.0f - 2.0f * share_0)), 0, 0, 1));
    return;
}

