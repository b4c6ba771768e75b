// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// bc6bcc5fd31e44bfd6d04778c9adfe1b c63b463f093801d9b30d56bd23a7cff2
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

var<workgroup> near_0 : array<vec4<f16>, i32(384)>;

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
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S6 * (i32(4) + pieces_0 * i32(192));
    var pixel_1 : array<vec4<f16>, i32(4)>;
    var next_0 : array<vec4<f16>, i32(4)>;
    var brought_0 : array<vec4<f16>, i32(2)>;
    var _S7 : vec4<f16> = vec4<f16>(weights_0[from_0]);
    var sum_0 : array<array<vec4<f16>, i32(4)>, i32(4)>;
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
    var _S11 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(3)]);
    sum_0[i32(0)][i32(3)] = _S8;
    sum_0[i32(1)][i32(3)] = _S11;
    sum_0[i32(2)][i32(3)] = _S8;
    sum_0[i32(3)][i32(3)] = _S8;
    var _S12 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(4) + _S12);
    var _S13 : bool = _S12 < i32(192);
    if(_S13)
    {
        near_0[_S12] = vec4<f16>(weights_0[from_1]);
    }
    var at_0 : i32 = i32(128) + _S12;
    var _S14 : bool = at_0 < i32(192);
    if(_S14)
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
        var _S15 : i32 = piece_2 + i32(1);
        var _S16 : i32 = min(_S15, pieces_0 - i32(1));
        var _S17 : i32 = ((piece_2 & (i32(1)))) * i32(192);
        var _S18 : i32 = from_1 + _S16 * i32(192);
        var _S19 : i32 = i32(191) - _S12;
        brought_0[i32(0)] = vec4<f16>(weights_0[_S18 + min(i32(0), _S19)]);
        brought_0[i32(1)] = vec4<f16>(weights_0[_S18 + min(i32(128), _S19)]);
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
            var _S20 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S20 < i32(Constants_0.side_0);
            var _S21 : i32;
            if(more_0)
            {
                _S21 = _S20;
            }
            else
            {
                _S21 = i32(0);
            }
            var _S22 : i32 = column_1 + _S21;
            var _S23 : i32;
            if(more_0)
            {
                _S23 = piece_2;
            }
            else
            {
                _S23 = _S16;
            }
            fetch_0(_S22, row_1, _S23, &(next_0));
            var _S24 : i32 = _S17 + dx_0 * i32(4) * i32(4);
            var _S25 : vec4<f16> = pixel_1[i32(0)] - pixel_1[i32(2)];
            var _S26 : i32 = _S24 + i32(4);
            var _S27 : i32 = _S24 + i32(8);
            var _S28 : i32 = _S24 + i32(12);
            var _S29 : vec4<f16> = vec4<f16>(_S25.w);
            var _S30 : vec4<f16> = vec4<f16>(_S25.z);
            var _S31 : vec4<f16> = vec4<f16>(_S25.y);
            var _S32 : vec4<f16> = vec4<f16>(_S25.x);
            sum_0[i32(0)][i32(0)] = fma(_S29, near_0[_S28], fma(_S30, near_0[_S27], fma(_S31, near_0[_S26], fma(_S32, near_0[_S24], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S29, near_0[_S28 + i32(1)], fma(_S30, near_0[_S27 + i32(1)], fma(_S31, near_0[_S26 + i32(1)], fma(_S32, near_0[_S24 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S29, near_0[_S28 + i32(2)], fma(_S30, near_0[_S27 + i32(2)], fma(_S31, near_0[_S26 + i32(2)], fma(_S32, near_0[_S24 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(_S29, near_0[_S28 + i32(3)], fma(_S30, near_0[_S27 + i32(3)], fma(_S31, near_0[_S26 + i32(3)], fma(_S32, near_0[_S24 + i32(3)], sum_0[i32(0)][i32(3)]))));
            var _S33 : i32 = _S17 + (i32(3) + dx_0) * i32(4) * i32(4);
            var _S34 : vec4<f16> = pixel_1[i32(1)] + pixel_1[i32(2)];
            var _S35 : i32 = _S33 + i32(4);
            var _S36 : i32 = _S33 + i32(8);
            var _S37 : i32 = _S33 + i32(12);
            var _S38 : vec4<f16> = vec4<f16>(_S34.w);
            var _S39 : vec4<f16> = vec4<f16>(_S34.z);
            var _S40 : vec4<f16> = vec4<f16>(_S34.y);
            var _S41 : vec4<f16> = vec4<f16>(_S34.x);
            sum_0[i32(1)][i32(0)] = fma(_S38, near_0[_S37], fma(_S39, near_0[_S36], fma(_S40, near_0[_S35], fma(_S41, near_0[_S33], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S38, near_0[_S37 + i32(1)], fma(_S39, near_0[_S36 + i32(1)], fma(_S40, near_0[_S35 + i32(1)], fma(_S41, near_0[_S33 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S38, near_0[_S37 + i32(2)], fma(_S39, near_0[_S36 + i32(2)], fma(_S40, near_0[_S35 + i32(2)], fma(_S41, near_0[_S33 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(1)][i32(3)] = fma(_S38, near_0[_S37 + i32(3)], fma(_S39, near_0[_S36 + i32(3)], fma(_S40, near_0[_S35 + i32(3)], fma(_S41, near_0[_S33 + i32(3)], sum_0[i32(1)][i32(3)]))));
            var _S42 : i32 = _S17 + (i32(6) + dx_0) * i32(4) * i32(4);
            var _S43 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(1)];
            var _S44 : i32 = _S42 + i32(4);
            var _S45 : i32 = _S42 + i32(8);
            var _S46 : i32 = _S42 + i32(12);
            var _S47 : vec4<f16> = vec4<f16>(_S43.w);
            var _S48 : vec4<f16> = vec4<f16>(_S43.z);
            var _S49 : vec4<f16> = vec4<f16>(_S43.y);
            var _S50 : vec4<f16> = vec4<f16>(_S43.x);
            sum_0[i32(2)][i32(0)] = fma(_S47, near_0[_S46], fma(_S48, near_0[_S45], fma(_S49, near_0[_S44], fma(_S50, near_0[_S42], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S47, near_0[_S46 + i32(1)], fma(_S48, near_0[_S45 + i32(1)], fma(_S49, near_0[_S44 + i32(1)], fma(_S50, near_0[_S42 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S47, near_0[_S46 + i32(2)], fma(_S48, near_0[_S45 + i32(2)], fma(_S49, near_0[_S44 + i32(2)], fma(_S50, near_0[_S42 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(2)][i32(3)] = fma(_S47, near_0[_S46 + i32(3)], fma(_S48, near_0[_S45 + i32(3)], fma(_S49, near_0[_S44 + i32(3)], fma(_S50, near_0[_S42 + i32(3)], sum_0[i32(2)][i32(3)]))));
            var _S51 : i32 = _S17 + (i32(9) + dx_0) * i32(4) * i32(4);
            var _S52 : vec4<f16> = pixel_1[i32(1)] - pixel_1[i32(3)];
            var _S53 : i32 = _S51 + i32(4);
            var _S54 : i32 = _S51 + i32(8);
            var _S55 : i32 = _S51 + i32(12);
            var _S56 : vec4<f16> = vec4<f16>(_S52.w);
            var _S57 : vec4<f16> = vec4<f16>(_S52.z);
            var _S58 : vec4<f16> = vec4<f16>(_S52.y);
            var _S59 : vec4<f16> = vec4<f16>(_S52.x);
            sum_0[i32(3)][i32(0)] = fma(_S56, near_0[_S55], fma(_S57, near_0[_S54], fma(_S58, near_0[_S53], fma(_S59, near_0[_S51], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S56, near_0[_S55 + i32(1)], fma(_S57, near_0[_S54 + i32(1)], fma(_S58, near_0[_S53 + i32(1)], fma(_S59, near_0[_S51 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S56, near_0[_S55 + i32(2)], fma(_S57, near_0[_S54 + i32(2)], fma(_S58, near_0[_S53 + i32(2)], fma(_S59, near_0[_S51 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(3)][i32(3)] = fma(_S56, near_0[_S55 + i32(3)], fma(_S57, near_0[_S54 + i32(3)], fma(_S58, near_0[_S53 + i32(3)], fma(_S59, near_0[_S51 + i32(3)], sum_0[i32(3)][i32(3)]))));
            dx_0 = _S20;
        }
        if(_S13)
        {
            near_0[i32(192) - _S17 + _S12] = brought_0[i32(0)];
        }
        if(_S14)
        {
            near_0[i32(192) - _S17 + at_0] = brought_0[i32(1)];
        }
        piece_2 = _S15;
    }
    var _S60 : i32 = _S6 * i32(4);
    store_0(x_1, _S5, _S60, vec4<f32>(sum_0[i32(0)][i32(0)]) + vec4<f32>(sum_0[i32(1)][i32(0)]) + vec4<f32>(sum_0[i32(2)][i32(0)]));
    var _S61 : i32 = _S5 + i32(1);
    store_0(x_1, _S61, _S60, vec4<f32>(sum_0[i32(1)][i32(0)]) - vec4<f32>(sum_0[i32(2)][i32(0)]) - vec4<f32>(sum_0[i32(3)][i32(0)]));
    var _S62 : i32 = _S60 + i32(1);
    store_0(x_1, _S5, _S62, vec4<f32>(sum_0[i32(0)][i32(1)]) + vec4<f32>(sum_0[i32(1)][i32(1)]) + vec4<f32>(sum_0[i32(2)][i32(1)]));
    store_0(x_1, _S61, _S62, vec4<f32>(sum_0[i32(1)][i32(1)]) - vec4<f32>(sum_0[i32(2)][i32(1)]) - vec4<f32>(sum_0[i32(3)][i32(1)]));
    var _S63 : i32 = _S60 + i32(2);
    store_0(x_1, _S5, _S63, vec4<f32>(sum_0[i32(0)][i32(2)]) + vec4<f32>(sum_0[i32(1)][i32(2)]) + vec4<f32>(sum_0[i32(2)][i32(2)]));
    store_0(x_1, _S61, _S63, vec4<f32>(sum_0[i32(1)][i32(2)]) - vec4<f32>(sum_0[i32(2)][i32(2)]) - vec4<f32>(sum_0[i32(3)][i32(2)]));
    var _S64 : i32 = _S60 + i32(3);
    store_0(x_1, _S5, _S64, vec4<f32>(sum_0[i32(0)][i32(3)]) + vec4<f32>(sum_0[i32(1)][i32(3)]) + vec4<f32>(sum_0[i32(2)][i32(3)]));
    store_0(x_1, _S61, _S64, vec4<f32>(sum_0[i32(1)][i32(3)]) - vec4<f32>(sum_0[i32(2)][i32(3)]) - vec4<f32>(sum_0[i32(3)][i32(3)]));
    return;
}

