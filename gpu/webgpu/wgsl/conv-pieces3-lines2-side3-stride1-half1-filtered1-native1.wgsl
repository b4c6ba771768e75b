// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// fa8aa005ce66c68b956a9344b1e26008 78734e529be42fff9a8e99e2c1bf9dc4
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

var<workgroup> near_0 : array<vec4<f16>, i32(288)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f16>, i32(4)>>)
{
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.in_size_0) - vec2<i32>(i32(1));
    var _S1 : i32 = i32(Constants_0.in_size_0.x);
    var _S2 : i32 = piece_0 * i32(Constants_0.in_size_0.x * Constants_0.in_size_0.y) + clamp(column_0, i32(0), last_0.x);
    var _S3 : i32 = last_0.y;
    (*pixel_0)[i32(0)] = a_0[_S2 + clamp(row_0, i32(0), _S3) * _S1];
    (*pixel_0)[i32(1)] = a_0[_S2 + clamp(row_0 + i32(1), i32(0), _S3) * _S1];
    (*pixel_0)[i32(2)] = a_0[_S2 + clamp(row_0 + i32(2), i32(0), _S3) * _S1];
    (*pixel_0)[i32(3)] = a_0[_S2 + clamp(row_0 + i32(3), i32(0), _S3) * _S1];
    return;
}

fn store_0( x_0 : i32,  y_0 : i32,  piece_1 : i32,  value_0 : vec4<f32>)
{
    var bits_0 : vec4<u32> = (bitcast<vec4<u32>>((select(value_0, vec4<f32>(0.0f), value_0 < vec4<f32>(Constants_0.lowest_0)))));
    made_0[(piece_1 * i32(Constants_0.out_size_0.y) + y_0) * i32(Constants_0.out_size_0.x) + x_0] = vec4<f16>((bitcast<vec4<f32>>((((bits_0 + vec4<u32>(u32(4095)) + ((((bits_0 >> (vec4<u32>(u32(13))))) & (vec4<u32>(u32(1)))))) & (vec4<u32>(u32(4294959104))))))));
    return;
}

@compute
@workgroup_size(128, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var width_0 : i32 = i32(Constants_0.out_size_0.x);
    var height_0 : i32 = i32(Constants_0.out_size_0.y);
    var _S4 : i32 = i32(id_0.x);
    var down_0 : i32 = _S4 / width_0;
    var x_1 : i32 = _S4 - down_0 * width_0;
    var _S5 : i32 = min(down_0 * i32(2), height_0 - i32(2));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S5 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S6 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S6 * (i32(3) + pieces_0 * i32(144));
    var pixel_1 : array<vec4<f16>, i32(4)>;
    var next_0 : array<vec4<f16>, i32(4)>;
    var brought_0 : array<vec4<f16>, i32(2)>;
    var _S7 : vec4<f16> = vec4<f16>(weights_0[from_0]);
    var sum_0 : array<array<vec4<f16>, i32(3)>, i32(4)>;
    const _S8 : vec4<f16> = vec4<f16>(vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f));
    sum_0[i32(0)][i32(0)] = _S8;
    sum_0[i32(1)][i32(0)] = _S7;
    sum_0[i32(2)][i32(0)] = _S8;
    sum_0[i32(3)][i32(0)] = _S8;
    var _S9 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(1)]);
    sum_0[i32(0)][i32(1)] = _S8;
    sum_0[i32(1)][i32(1)] = _S9;
    sum_0[i32(2)][i32(1)] = _S8;
    sum_0[i32(3)][i32(1)] = _S8;
    var _S10 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(2)]);
    sum_0[i32(0)][i32(2)] = _S8;
    sum_0[i32(1)][i32(2)] = _S10;
    sum_0[i32(2)][i32(2)] = _S8;
    sum_0[i32(3)][i32(2)] = _S8;
    var _S11 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(3) + _S11);
    var _S12 : bool = _S11 < i32(144);
    if(_S12)
    {
        near_0[_S11] = vec4<f16>(weights_0[from_1]);
    }
    var at_0 : i32 = i32(128) + _S11;
    var _S13 : bool = at_0 < i32(144);
    if(_S13)
    {
        near_0[at_0] = vec4<f16>(weights_0[from_1 + i32(128)]);
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
        var _S14 : i32 = piece_2 + i32(1);
        var _S15 : i32 = min(_S14, pieces_0 - i32(1));
        var _S16 : i32 = ((piece_2 & (i32(1)))) * i32(144);
        var _S17 : i32 = from_1 + _S15 * i32(144);
        var _S18 : i32 = i32(143) - _S11;
        brought_0[i32(0)] = vec4<f16>(weights_0[_S17 + min(i32(0), _S18)]);
        brought_0[i32(1)] = vec4<f16>(weights_0[_S17 + min(i32(128), _S18)]);
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
            var _S19 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S19 < i32(Constants_0.side_0);
            var _S20 : i32;
            if(more_0)
            {
                _S20 = _S19;
            }
            else
            {
                _S20 = i32(0);
            }
            var _S21 : i32 = column_1 + _S20;
            var _S22 : i32;
            if(more_0)
            {
                _S22 = piece_2;
            }
            else
            {
                _S22 = _S15;
            }
            fetch_0(_S21, row_1, _S22, &(next_0));
            var _S23 : i32 = _S16 + dx_0 * i32(4) * i32(3);
            var _S24 : vec4<f16> = pixel_1[i32(0)] - pixel_1[i32(2)];
            var _S25 : i32 = _S23 + i32(3);
            var _S26 : i32 = _S23 + i32(6);
            var _S27 : i32 = _S23 + i32(9);
            var _S28 : vec4<f16> = vec4<f16>(_S24.w);
            var _S29 : vec4<f16> = vec4<f16>(_S24.z);
            var _S30 : vec4<f16> = vec4<f16>(_S24.y);
            var _S31 : vec4<f16> = vec4<f16>(_S24.x);
            sum_0[i32(0)][i32(0)] = fma(_S28, near_0[_S27], fma(_S29, near_0[_S26], fma(_S30, near_0[_S25], fma(_S31, near_0[_S23], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S28, near_0[_S27 + i32(1)], fma(_S29, near_0[_S26 + i32(1)], fma(_S30, near_0[_S25 + i32(1)], fma(_S31, near_0[_S23 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S28, near_0[_S27 + i32(2)], fma(_S29, near_0[_S26 + i32(2)], fma(_S30, near_0[_S25 + i32(2)], fma(_S31, near_0[_S23 + i32(2)], sum_0[i32(0)][i32(2)]))));
            var _S32 : i32 = _S16 + (i32(3) + dx_0) * i32(4) * i32(3);
            var _S33 : vec4<f16> = pixel_1[i32(1)] + pixel_1[i32(2)];
            var _S34 : i32 = _S32 + i32(3);
            var _S35 : i32 = _S32 + i32(6);
            var _S36 : i32 = _S32 + i32(9);
            var _S37 : vec4<f16> = vec4<f16>(_S33.w);
            var _S38 : vec4<f16> = vec4<f16>(_S33.z);
            var _S39 : vec4<f16> = vec4<f16>(_S33.y);
            var _S40 : vec4<f16> = vec4<f16>(_S33.x);
            sum_0[i32(1)][i32(0)] = fma(_S37, near_0[_S36], fma(_S38, near_0[_S35], fma(_S39, near_0[_S34], fma(_S40, near_0[_S32], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S37, near_0[_S36 + i32(1)], fma(_S38, near_0[_S35 + i32(1)], fma(_S39, near_0[_S34 + i32(1)], fma(_S40, near_0[_S32 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S37, near_0[_S36 + i32(2)], fma(_S38, near_0[_S35 + i32(2)], fma(_S39, near_0[_S34 + i32(2)], fma(_S40, near_0[_S32 + i32(2)], sum_0[i32(1)][i32(2)]))));
            var _S41 : i32 = _S16 + (i32(6) + dx_0) * i32(4) * i32(3);
            var _S42 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(1)];
            var _S43 : i32 = _S41 + i32(3);
            var _S44 : i32 = _S41 + i32(6);
            var _S45 : i32 = _S41 + i32(9);
            var _S46 : vec4<f16> = vec4<f16>(_S42.w);
            var _S47 : vec4<f16> = vec4<f16>(_S42.z);
            var _S48 : vec4<f16> = vec4<f16>(_S42.y);
            var _S49 : vec4<f16> = vec4<f16>(_S42.x);
            sum_0[i32(2)][i32(0)] = fma(_S46, near_0[_S45], fma(_S47, near_0[_S44], fma(_S48, near_0[_S43], fma(_S49, near_0[_S41], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S46, near_0[_S45 + i32(1)], fma(_S47, near_0[_S44 + i32(1)], fma(_S48, near_0[_S43 + i32(1)], fma(_S49, near_0[_S41 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S46, near_0[_S45 + i32(2)], fma(_S47, near_0[_S44 + i32(2)], fma(_S48, near_0[_S43 + i32(2)], fma(_S49, near_0[_S41 + i32(2)], sum_0[i32(2)][i32(2)]))));
            var _S50 : i32 = _S16 + (i32(9) + dx_0) * i32(4) * i32(3);
            var _S51 : vec4<f16> = pixel_1[i32(1)] - pixel_1[i32(3)];
            var _S52 : i32 = _S50 + i32(3);
            var _S53 : i32 = _S50 + i32(6);
            var _S54 : i32 = _S50 + i32(9);
            var _S55 : vec4<f16> = vec4<f16>(_S51.w);
            var _S56 : vec4<f16> = vec4<f16>(_S51.z);
            var _S57 : vec4<f16> = vec4<f16>(_S51.y);
            var _S58 : vec4<f16> = vec4<f16>(_S51.x);
            sum_0[i32(3)][i32(0)] = fma(_S55, near_0[_S54], fma(_S56, near_0[_S53], fma(_S57, near_0[_S52], fma(_S58, near_0[_S50], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S55, near_0[_S54 + i32(1)], fma(_S56, near_0[_S53 + i32(1)], fma(_S57, near_0[_S52 + i32(1)], fma(_S58, near_0[_S50 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S55, near_0[_S54 + i32(2)], fma(_S56, near_0[_S53 + i32(2)], fma(_S57, near_0[_S52 + i32(2)], fma(_S58, near_0[_S50 + i32(2)], sum_0[i32(3)][i32(2)]))));
            dx_0 = _S19;
        }
        if(_S12)
        {
            near_0[i32(144) - _S16 + _S11] = brought_0[i32(0)];
        }
        if(_S13)
        {
            near_0[i32(144) - _S16 + at_0] = brought_0[i32(1)];
        }
        piece_2 = _S14;
    }
    var _S59 : i32 = _S6 * i32(3);
    store_0(x_1, _S5, _S59, vec4<f32>(sum_0[i32(0)][i32(0)]) + vec4<f32>(sum_0[i32(1)][i32(0)]) + vec4<f32>(sum_0[i32(2)][i32(0)]));
    var _S60 : i32 = _S5 + i32(1);
    store_0(x_1, _S60, _S59, vec4<f32>(sum_0[i32(1)][i32(0)]) - vec4<f32>(sum_0[i32(2)][i32(0)]) - vec4<f32>(sum_0[i32(3)][i32(0)]));
    var _S61 : i32 = _S59 + i32(1);
    store_0(x_1, _S5, _S61, vec4<f32>(sum_0[i32(0)][i32(1)]) + vec4<f32>(sum_0[i32(1)][i32(1)]) + vec4<f32>(sum_0[i32(2)][i32(1)]));
    store_0(x_1, _S60, _S61, vec4<f32>(sum_0[i32(1)][i32(1)]) - vec4<f32>(sum_0[i32(2)][i32(1)]) - vec4<f32>(sum_0[i32(3)][i32(1)]));
    var _S62 : i32 = _S59 + i32(2);
    store_0(x_1, _S5, _S62, vec4<f32>(sum_0[i32(0)][i32(2)]) + vec4<f32>(sum_0[i32(1)][i32(2)]) + vec4<f32>(sum_0[i32(2)][i32(2)]));
    store_0(x_1, _S60, _S62, vec4<f32>(sum_0[i32(1)][i32(2)]) - vec4<f32>(sum_0[i32(2)][i32(2)]) - vec4<f32>(sum_0[i32(3)][i32(2)]));
    return;
}

