// mask_share.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 86607c698901aed42baeb1c00c7f5c22 cf814a54affdcb8307e0a20e96d90511
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) padded_0 : vec2<u32>,
    @align(16) output_0 : vec2<u32>,
    @align(8) styled_size_0 : vec2<u32>,
    @align(16) faces_0 : f32,
    @align(4) inside_0 : f32,
    @align(8) outside_0 : f32,
    @align(4) per_luma_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> film_0 : array<f32>;

@binding(1) @group(0) var<storage, read> masks_0 : array<vec4<f32>>;

@binding(0) @group(1) var share_0 : texture_storage_2d<r32float, write>;

fn luma_of_0( v_0 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_0.x + 0.71520000696182251f * v_0.y + 0.07220000028610229f * v_0.z;
}

fn mask_at_0( place_0 : vec2<i32>) -> vec4<f32>
{
    var _S1 : vec2<i32> = clamp(place_0, vec2<i32>(i32(0), i32(0)), vec2<i32>(i32(160), i32(160)) - vec2<i32>(i32(1)));
    return masks_0[_S1.y * i32(160) + _S1.x];
}

fn spline_0( away_0 : f32) -> f32
{
    var near_by_0 : f32 = abs(away_0);
    var left_0 : f32 = 2.0f - near_by_0;
    var _S2 : f32;
    if(near_by_0 < 1.0f)
    {
        _S2 = 0.66666668653488159f - near_by_0 * near_by_0 * (1.0f - 0.5f * near_by_0);
    }
    else
    {
        _S2 = left_0 * left_0 * left_0 * 0.1666666716337204f;
    }
    return _S2;
}

fn likeness_0( apart_0 : f32) -> f32
{
    var near_by_1 : f32 = 1.0f / (1.0f + apart_0 * apart_0);
    return near_by_1 * near_by_1;
}

@compute
@workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>)
{
    var _S3 : u32 = id_0.x;
    var _S4 : bool;
    if(_S3 >= (Constants_0.size_0.x))
    {
        _S4 = true;
    }
    else
    {
        _S4 = (id_0.y) >= (Constants_0.size_0.y);
    }
    if(_S4)
    {
        return;
    }
    var plane_0 : u32 = Constants_0.padded_0.x * Constants_0.padded_0.y;
    var i_0 : u32 = id_0.y * Constants_0.padded_0.x + _S3;
    var _S5 : f32 = luma_of_0(vec3<f32>(film_0[i_0], film_0[i_0 + plane_0], film_0[i_0 + u32(2) * plane_0]));
    var _S6 : vec2<u32> = id_0.xy;
    var _S7 : vec2<f32> = vec2<f32>(0.5f);
    var place_1 : vec2<f32> = (vec2<f32>(_S6) + _S7) * vec2<f32>(160.0f) / vec2<f32>(Constants_0.size_0) - _S7;
    var _S8 : vec2<f32> = floor(place_1);
    var _S9 : vec2<i32> = vec2<i32>(_S8);
    var near_by_2 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(-1), i32(-1)));
    var _S10 : f32 = _S8.x;
    var _S11 : f32 = place_1.x;
    var _S12 : f32 = spline_0(_S10 + -1.0f - _S11);
    var _S13 : f32 = _S8.y;
    var _S14 : f32 = place_1.y;
    var _S15 : f32 = spline_0(_S13 + -1.0f - _S14);
    var weight_0 : f32 = _S12 * _S15 * likeness_0((near_by_2.z - _S5) * Constants_0.per_luma_0);
    var near_by_3 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(0), i32(-1)));
    var _S16 : f32 = spline_0(_S10 - _S11);
    var weight_1 : f32 = _S16 * _S15 * likeness_0((near_by_3.z - _S5) * Constants_0.per_luma_0);
    var near_by_4 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(1), i32(-1)));
    var _S17 : f32 = spline_0(_S10 + 1.0f - _S11);
    var weight_2 : f32 = _S17 * _S15 * likeness_0((near_by_4.z - _S5) * Constants_0.per_luma_0);
    var near_by_5 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(2), i32(-1)));
    var _S18 : f32 = spline_0(_S10 + 2.0f - _S11);
    var weight_3 : f32 = _S18 * _S15 * likeness_0((near_by_5.z - _S5) * Constants_0.per_luma_0);
    var near_by_6 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(-1), i32(0)));
    var _S19 : f32 = spline_0(_S13 - _S14);
    var weight_4 : f32 = _S12 * _S19 * likeness_0((near_by_6.z - _S5) * Constants_0.per_luma_0);
    var near_by_7 : vec4<f32> = mask_at_0(_S9);
    var weight_5 : f32 = _S16 * _S19 * likeness_0((near_by_7.z - _S5) * Constants_0.per_luma_0);
    var near_by_8 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(1), i32(0)));
    var weight_6 : f32 = _S17 * _S19 * likeness_0((near_by_8.z - _S5) * Constants_0.per_luma_0);
    var near_by_9 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(2), i32(0)));
    var weight_7 : f32 = _S18 * _S19 * likeness_0((near_by_9.z - _S5) * Constants_0.per_luma_0);
    var near_by_10 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(-1), i32(1)));
    var _S20 : f32 = spline_0(_S13 + 1.0f - _S14);
    var weight_8 : f32 = _S12 * _S20 * likeness_0((near_by_10.z - _S5) * Constants_0.per_luma_0);
    var near_by_11 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(0), i32(1)));
    var weight_9 : f32 = _S16 * _S20 * likeness_0((near_by_11.z - _S5) * Constants_0.per_luma_0);
    var near_by_12 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(1), i32(1)));
    var weight_10 : f32 = _S17 * _S20 * likeness_0((near_by_12.z - _S5) * Constants_0.per_luma_0);
    var near_by_13 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(2), i32(1)));
    var weight_11 : f32 = _S18 * _S20 * likeness_0((near_by_13.z - _S5) * Constants_0.per_luma_0);
    var near_by_14 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(-1), i32(2)));
    var _S21 : f32 = spline_0(_S13 + 2.0f - _S14);
    var weight_12 : f32 = _S12 * _S21 * likeness_0((near_by_14.z - _S5) * Constants_0.per_luma_0);
    var near_by_15 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(0), i32(2)));
    var weight_13 : f32 = _S16 * _S21 * likeness_0((near_by_15.z - _S5) * Constants_0.per_luma_0);
    var near_by_16 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(1), i32(2)));
    var weight_14 : f32 = _S17 * _S21 * likeness_0((near_by_16.z - _S5) * Constants_0.per_luma_0);
    var near_by_17 : vec4<f32> = mask_at_0(_S9 + vec2<i32>(i32(2), i32(2)));
    var weight_15 : f32 = _S18 * _S21 * likeness_0((near_by_17.z - _S5) * Constants_0.per_luma_0);
    var found_0 : vec2<f32> = (vec2<f32>(weight_0) * near_by_2.xy + vec2<f32>(weight_1) * near_by_3.xy + vec2<f32>(weight_2) * near_by_4.xy + vec2<f32>(weight_3) * near_by_5.xy + vec2<f32>(weight_4) * near_by_6.xy + vec2<f32>(weight_5) * near_by_7.xy + vec2<f32>(weight_6) * near_by_8.xy + vec2<f32>(weight_7) * near_by_9.xy + vec2<f32>(weight_8) * near_by_10.xy + vec2<f32>(weight_9) * near_by_11.xy + vec2<f32>(weight_10) * near_by_12.xy + vec2<f32>(weight_11) * near_by_13.xy + vec2<f32>(weight_12) * near_by_14.xy + vec2<f32>(weight_13) * near_by_15.xy + vec2<f32>(weight_14) * near_by_16.xy + vec2<f32>(weight_15) * near_by_17.xy) / vec2<f32>((weight_0 + weight_1 + weight_2 + weight_3 + weight_4 + weight_5 + weight_6 + weight_7 + weight_8 + weight_9 + weight_10 + weight_11 + weight_12 + weight_13 + weight_14 + weight_15));
    var _S22 : f32 = found_0.y;
    textureStore((share_0), (_S6), vec4<f32>((max(Constants_0.faces_0 * found_0.x, Constants_0.inside_0 * _S22 + Constants_0.outside_0 * (1.0f - _S22))), 0, 0, 1));
    return;
}

