// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// e83188782d0726b5685985f528719653 58e2f6734b7f6da5adf071528242bf27
enable f16;

struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) in_size_0 : vec2<u32>,
    @align(8) b_size_0 : vec2<u32>,
    @align(16) out_size_0 : vec2<u32>,
    @align(8) a_pieces_0 : u32,
    @align(4) b_pieces_0 : u32,
    @align(16) side_0 : u32,
    @align(4) pad_0 : u32,
    @align(8) crop_0 : u32,
    @align(4) first_weight_0 : u32,
    @align(16) corner_pieces_0 : u32,
    @align(4) lowest_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(2) @group(0) var<storage, read> weights_0 : array<vec4<f32>>;

@binding(0) @group(0) var<storage, read> a_0 : array<vec4<f16>>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f16>>;

var<workgroup> near_0 : array<vec4<f32>, i32(144)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f32>, i32(6)>>)
{
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.in_size_0) - vec2<i32>(i32(1));
    var _S1 : i32 = i32(Constants_0.in_size_0.x);
    var _S2 : i32 = piece_0 * i32(Constants_0.in_size_0.x * Constants_0.in_size_0.y) + clamp(column_0, i32(0), last_0.x);
    var _S3 : i32 = last_0.y;
    (*pixel_0)[i32(0)] = vec4<f32>(a_0[_S2 + clamp(row_0, i32(0), _S3) * _S1]);
    (*pixel_0)[i32(1)] = vec4<f32>(a_0[_S2 + clamp(row_0 + i32(1), i32(0), _S3) * _S1]);
    (*pixel_0)[i32(2)] = vec4<f32>(a_0[_S2 + clamp(row_0 + i32(2), i32(0), _S3) * _S1]);
    (*pixel_0)[i32(3)] = vec4<f32>(a_0[_S2 + clamp(row_0 + i32(3), i32(0), _S3) * _S1]);
    (*pixel_0)[i32(4)] = vec4<f32>(a_0[_S2 + clamp(row_0 + i32(4), i32(0), _S3) * _S1]);
    (*pixel_0)[i32(5)] = vec4<f32>(a_0[_S2 + clamp(row_0 + i32(5), i32(0), _S3) * _S1]);
    return;
}

fn store_0( x_0 : i32,  y_0 : i32,  piece_1 : i32,  value_0 : vec4<f32>)
{
    var bits_0 : vec4<u32> = (bitcast<vec4<u32>>((select(value_0, vec4<f32>(0.0f), value_0 < vec4<f32>(Constants_0.lowest_0)))));
    var _S4 : vec4<f32> = (bitcast<vec4<f32>>((((bits_0 + vec4<u32>(u32(4095)) + ((((bits_0 >> (vec4<u32>(u32(13))))) & (vec4<u32>(u32(1)))))) & (vec4<u32>(u32(4294959104)))))));
    var width_0 : i32 = i32(Constants_0.out_size_0.x);
    var height_0 : i32 = i32(Constants_0.out_size_0.y);
    var _S5 : u32 = u32(piece_1);
    var corner_0 : u32 = _S5 / Constants_0.corner_pieces_0;
    var to_0 : u32 = _S5 % Constants_0.corner_pieces_0;
    made_0[(u32(2) * (to_0 * u32(height_0) + u32(y_0)) + corner_0 / u32(2)) * u32(2) * u32(width_0) + u32(i32(2) * x_0) + corner_0 % u32(2)] = vec4<f16>(_S4);
    return;
}

@compute
@workgroup_size(128, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var width_1 : i32 = i32(Constants_0.out_size_0.x);
    var height_1 : i32 = i32(Constants_0.out_size_0.y);
    var _S6 : i32 = i32(id_0.x);
    var down_0 : i32 = _S6 / width_1;
    var x_1 : i32 = _S6 - down_0 * width_1;
    var _S7 : i32 = min(down_0 * i32(4), height_1 - i32(4));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S7 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S8 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S8 * (i32(2) + pieces_0 * i32(72));
    var pixel_1 : array<vec4<f32>, i32(6)>;
    var next_0 : array<vec4<f32>, i32(6)>;
    var brought_0 : array<vec4<f32>, i32(1)>;
    var _S9 : vec4<f32> = weights_0[from_0];
    var sum_0 : array<array<vec4<f32>, i32(2)>, i32(4)>;
    sum_0[i32(0)][i32(0)] = _S9;
    sum_0[i32(1)][i32(0)] = _S9;
    sum_0[i32(2)][i32(0)] = _S9;
    sum_0[i32(3)][i32(0)] = _S9;
    var _S10 : vec4<f32> = weights_0[from_0 + i32(1)];
    sum_0[i32(0)][i32(1)] = _S10;
    sum_0[i32(1)][i32(1)] = _S10;
    sum_0[i32(2)][i32(1)] = _S10;
    sum_0[i32(3)][i32(1)] = _S10;
    var _S11 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(2) + _S11);
    var _S12 : bool = _S11 < i32(72);
    if(_S12)
    {
        near_0[_S11] = weights_0[from_1];
    }
    fetch_0(column_1, row_1, i32(0), &(next_0));
    var piece_2 : i32 = i32(0);
    for(;;)
    {
        if(piece_2 < pieces_0)
        {
        }
        else
        {
            break;
        }
        workgroupBarrier();
        var _S13 : i32 = piece_2 + i32(1);
        var _S14 : i32 = min(_S13, pieces_0 - i32(1));
        var _S15 : i32 = ((piece_2 & (i32(1)))) * i32(72);
        brought_0[i32(0)] = weights_0[from_1 + _S14 * i32(72) + min(i32(0), i32(71) - _S11)];
        var dx_0 : i32 = i32(0);
        for(;;)
        {
            if(dx_0 < i32(Constants_0.side_0))
            {
            }
            else
            {
                break;
            }
            pixel_1[i32(0)] = next_0[i32(0)];
            pixel_1[i32(1)] = next_0[i32(1)];
            pixel_1[i32(2)] = next_0[i32(2)];
            pixel_1[i32(3)] = next_0[i32(3)];
            pixel_1[i32(4)] = next_0[i32(4)];
            pixel_1[i32(5)] = next_0[i32(5)];
            var _S16 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S16 < i32(Constants_0.side_0);
            var _S17 : i32;
            if(more_0)
            {
                _S17 = _S16;
            }
            else
            {
                _S17 = i32(0);
            }
            var _S18 : i32 = column_1 + _S17;
            var _S19 : i32;
            if(more_0)
            {
                _S19 = piece_2;
            }
            else
            {
                _S19 = _S14;
            }
            fetch_0(_S18, row_1, _S19, &(next_0));
            var _S20 : i32 = _S15 + dx_0 * i32(4) * i32(2);
            var _S21 : i32 = _S20 + i32(2);
            var _S22 : i32 = _S20 + i32(4);
            var _S23 : i32 = _S20 + i32(6);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S23], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S22], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S21], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S20], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S23], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S22], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S21], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S20], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S23], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S22], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S21], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S20], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S23], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S22], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S21], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S20], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S23 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S22 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S21 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S20 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S23 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S22 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S21 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S20 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S23 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S22 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S21 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S20 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S23 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S22 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S21 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S20 + i32(1)], sum_0[i32(3)][i32(1)]))));
            var _S24 : i32 = _S15 + (i32(3) + dx_0) * i32(4) * i32(2);
            var _S25 : i32 = _S24 + i32(2);
            var _S26 : i32 = _S24 + i32(4);
            var _S27 : i32 = _S24 + i32(6);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S27], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S26], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S25], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S24], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S27], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S26], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S25], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S24], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S27], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S26], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S25], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S24], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S27], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S26], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S25], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S24], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S26 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S25 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S24 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S26 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S25 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S24 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S26 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S25 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S24 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S26 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S25 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S24 + i32(1)], sum_0[i32(3)][i32(1)]))));
            var _S28 : i32 = _S15 + (i32(6) + dx_0) * i32(4) * i32(2);
            var _S29 : i32 = _S28 + i32(2);
            var _S30 : i32 = _S28 + i32(4);
            var _S31 : i32 = _S28 + i32(6);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S31], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S30], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S29], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S28], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S31], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S30], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S29], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S28], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S31], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S30], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S29], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S28], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S31], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S30], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S29], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S28], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S30 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S28 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S30 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S28 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S30 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S28 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S30 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S28 + i32(1)], sum_0[i32(3)][i32(1)]))));
            dx_0 = _S16;
        }
        if(_S12)
        {
            near_0[i32(72) - _S15 + _S11] = brought_0[i32(0)];
        }
        piece_2 = _S13;
    }
    var _S32 : i32 = _S8 * i32(2);
    store_0(x_1, _S7, _S32, sum_0[i32(0)][i32(0)]);
    var _S33 : i32 = _S7 + i32(1);
    store_0(x_1, _S33, _S32, sum_0[i32(1)][i32(0)]);
    var _S34 : i32 = _S7 + i32(2);
    store_0(x_1, _S34, _S32, sum_0[i32(2)][i32(0)]);
    var _S35 : i32 = _S7 + i32(3);
    store_0(x_1, _S35, _S32, sum_0[i32(3)][i32(0)]);
    var _S36 : i32 = _S32 + i32(1);
    store_0(x_1, _S7, _S36, sum_0[i32(0)][i32(1)]);
    store_0(x_1, _S33, _S36, sum_0[i32(1)][i32(1)]);
    store_0(x_1, _S34, _S36, sum_0[i32(2)][i32(1)]);
    store_0(x_1, _S35, _S36, sum_0[i32(3)][i32(1)]);
    return;
}

