// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 099cb464c47334bebd2e72e539e9da69 a9a9a3e807d8bff90505c8e8b19271f3
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
    var _S7 : i32 = min(down_0 * i32(2), height_1 - i32(2));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S7 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S8 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S8 * (i32(4) + pieces_0 * i32(192));
    var pixel_1 : array<vec4<f16>, i32(4)>;
    var next_0 : array<vec4<f16>, i32(4)>;
    var brought_0 : array<vec4<f16>, i32(2)>;
    var _S9 : vec4<f16> = vec4<f16>(weights_0[from_0]);
    var sum_0 : array<array<vec4<f16>, i32(4)>, i32(4)>;
    const _S10 : vec4<f16> = vec4<f16>(vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f));
    sum_0[i32(0)][i32(0)] = _S10;
    sum_0[i32(1)][i32(0)] = _S9;
    sum_0[i32(2)][i32(0)] = _S10;
    sum_0[i32(3)][i32(0)] = _S10;
    var _S11 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(1)]);
    sum_0[i32(0)][i32(1)] = _S10;
    sum_0[i32(1)][i32(1)] = _S11;
    sum_0[i32(2)][i32(1)] = _S10;
    sum_0[i32(3)][i32(1)] = _S10;
    var _S12 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(2)]);
    sum_0[i32(0)][i32(2)] = _S10;
    sum_0[i32(1)][i32(2)] = _S12;
    sum_0[i32(2)][i32(2)] = _S10;
    sum_0[i32(3)][i32(2)] = _S10;
    var _S13 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(3)]);
    sum_0[i32(0)][i32(3)] = _S10;
    sum_0[i32(1)][i32(3)] = _S13;
    sum_0[i32(2)][i32(3)] = _S10;
    sum_0[i32(3)][i32(3)] = _S10;
    var _S14 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(4) + _S14);
    var _S15 : bool = _S14 < i32(192);
    if(_S15)
    {
        near_0[_S14] = vec4<f16>(weights_0[from_1]);
    }
    var at_0 : i32 = i32(128) + _S14;
    var _S16 : bool = at_0 < i32(192);
    if(_S16)
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
        var _S17 : i32 = piece_2 + i32(1);
        var _S18 : i32 = min(_S17, pieces_0 - i32(1));
        var _S19 : i32 = ((piece_2 & (i32(1)))) * i32(192);
        var _S20 : i32 = from_1 + _S18 * i32(192);
        var _S21 : i32 = i32(191) - _S14;
        brought_0[i32(0)] = vec4<f16>(weights_0[_S20 + min(i32(0), _S21)]);
        brought_0[i32(1)] = vec4<f16>(weights_0[_S20 + min(i32(128), _S21)]);
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
            var _S22 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S22 < i32(Constants_0.side_0);
            var _S23 : i32;
            if(more_0)
            {
                _S23 = _S22;
            }
            else
            {
                _S23 = i32(0);
            }
            var _S24 : i32 = column_1 + _S23;
            var _S25 : i32;
            if(more_0)
            {
                _S25 = piece_2;
            }
            else
            {
                _S25 = _S18;
            }
            fetch_0(_S24, row_1, _S25, &(next_0));
            var _S26 : i32 = _S19 + dx_0 * i32(4) * i32(4);
            var _S27 : vec4<f16> = pixel_1[i32(0)] - pixel_1[i32(2)];
            var _S28 : i32 = _S26 + i32(4);
            var _S29 : i32 = _S26 + i32(8);
            var _S30 : i32 = _S26 + i32(12);
            var _S31 : vec4<f16> = vec4<f16>(_S27.w);
            var _S32 : vec4<f16> = vec4<f16>(_S27.z);
            var _S33 : vec4<f16> = vec4<f16>(_S27.y);
            var _S34 : vec4<f16> = vec4<f16>(_S27.x);
            sum_0[i32(0)][i32(0)] = fma(_S31, near_0[_S30], fma(_S32, near_0[_S29], fma(_S33, near_0[_S28], fma(_S34, near_0[_S26], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S31, near_0[_S30 + i32(1)], fma(_S32, near_0[_S29 + i32(1)], fma(_S33, near_0[_S28 + i32(1)], fma(_S34, near_0[_S26 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S31, near_0[_S30 + i32(2)], fma(_S32, near_0[_S29 + i32(2)], fma(_S33, near_0[_S28 + i32(2)], fma(_S34, near_0[_S26 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(_S31, near_0[_S30 + i32(3)], fma(_S32, near_0[_S29 + i32(3)], fma(_S33, near_0[_S28 + i32(3)], fma(_S34, near_0[_S26 + i32(3)], sum_0[i32(0)][i32(3)]))));
            var _S35 : i32 = _S19 + (i32(3) + dx_0) * i32(4) * i32(4);
            var _S36 : vec4<f16> = pixel_1[i32(1)] + pixel_1[i32(2)];
            var _S37 : i32 = _S35 + i32(4);
            var _S38 : i32 = _S35 + i32(8);
            var _S39 : i32 = _S35 + i32(12);
            var _S40 : vec4<f16> = vec4<f16>(_S36.w);
            var _S41 : vec4<f16> = vec4<f16>(_S36.z);
            var _S42 : vec4<f16> = vec4<f16>(_S36.y);
            var _S43 : vec4<f16> = vec4<f16>(_S36.x);
            sum_0[i32(1)][i32(0)] = fma(_S40, near_0[_S39], fma(_S41, near_0[_S38], fma(_S42, near_0[_S37], fma(_S43, near_0[_S35], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S40, near_0[_S39 + i32(1)], fma(_S41, near_0[_S38 + i32(1)], fma(_S42, near_0[_S37 + i32(1)], fma(_S43, near_0[_S35 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S40, near_0[_S39 + i32(2)], fma(_S41, near_0[_S38 + i32(2)], fma(_S42, near_0[_S37 + i32(2)], fma(_S43, near_0[_S35 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(1)][i32(3)] = fma(_S40, near_0[_S39 + i32(3)], fma(_S41, near_0[_S38 + i32(3)], fma(_S42, near_0[_S37 + i32(3)], fma(_S43, near_0[_S35 + i32(3)], sum_0[i32(1)][i32(3)]))));
            var _S44 : i32 = _S19 + (i32(6) + dx_0) * i32(4) * i32(4);
            var _S45 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(1)];
            var _S46 : i32 = _S44 + i32(4);
            var _S47 : i32 = _S44 + i32(8);
            var _S48 : i32 = _S44 + i32(12);
            var _S49 : vec4<f16> = vec4<f16>(_S45.w);
            var _S50 : vec4<f16> = vec4<f16>(_S45.z);
            var _S51 : vec4<f16> = vec4<f16>(_S45.y);
            var _S52 : vec4<f16> = vec4<f16>(_S45.x);
            sum_0[i32(2)][i32(0)] = fma(_S49, near_0[_S48], fma(_S50, near_0[_S47], fma(_S51, near_0[_S46], fma(_S52, near_0[_S44], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S49, near_0[_S48 + i32(1)], fma(_S50, near_0[_S47 + i32(1)], fma(_S51, near_0[_S46 + i32(1)], fma(_S52, near_0[_S44 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S49, near_0[_S48 + i32(2)], fma(_S50, near_0[_S47 + i32(2)], fma(_S51, near_0[_S46 + i32(2)], fma(_S52, near_0[_S44 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(2)][i32(3)] = fma(_S49, near_0[_S48 + i32(3)], fma(_S50, near_0[_S47 + i32(3)], fma(_S51, near_0[_S46 + i32(3)], fma(_S52, near_0[_S44 + i32(3)], sum_0[i32(2)][i32(3)]))));
            var _S53 : i32 = _S19 + (i32(9) + dx_0) * i32(4) * i32(4);
            var _S54 : vec4<f16> = pixel_1[i32(1)] - pixel_1[i32(3)];
            var _S55 : i32 = _S53 + i32(4);
            var _S56 : i32 = _S53 + i32(8);
            var _S57 : i32 = _S53 + i32(12);
            var _S58 : vec4<f16> = vec4<f16>(_S54.w);
            var _S59 : vec4<f16> = vec4<f16>(_S54.z);
            var _S60 : vec4<f16> = vec4<f16>(_S54.y);
            var _S61 : vec4<f16> = vec4<f16>(_S54.x);
            sum_0[i32(3)][i32(0)] = fma(_S58, near_0[_S57], fma(_S59, near_0[_S56], fma(_S60, near_0[_S55], fma(_S61, near_0[_S53], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S58, near_0[_S57 + i32(1)], fma(_S59, near_0[_S56 + i32(1)], fma(_S60, near_0[_S55 + i32(1)], fma(_S61, near_0[_S53 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S58, near_0[_S57 + i32(2)], fma(_S59, near_0[_S56 + i32(2)], fma(_S60, near_0[_S55 + i32(2)], fma(_S61, near_0[_S53 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(3)][i32(3)] = fma(_S58, near_0[_S57 + i32(3)], fma(_S59, near_0[_S56 + i32(3)], fma(_S60, near_0[_S55 + i32(3)], fma(_S61, near_0[_S53 + i32(3)], sum_0[i32(3)][i32(3)]))));
            dx_0 = _S22;
        }
        if(_S15)
        {
            near_0[i32(192) - _S19 + _S14] = brought_0[i32(0)];
        }
        if(_S16)
        {
            near_0[i32(192) - _S19 + at_0] = brought_0[i32(1)];
        }
        piece_2 = _S17;
    }
    var _S62 : i32 = _S8 * i32(4);
    store_0(x_1, _S7, _S62, vec4<f32>(sum_0[i32(0)][i32(0)]) + vec4<f32>(sum_0[i32(1)][i32(0)]) + vec4<f32>(sum_0[i32(2)][i32(0)]));
    var _S63 : i32 = _S7 + i32(1);
    store_0(x_1, _S63, _S62, vec4<f32>(sum_0[i32(1)][i32(0)]) - vec4<f32>(sum_0[i32(2)][i32(0)]) - vec4<f32>(sum_0[i32(3)][i32(0)]));
    var _S64 : i32 = _S62 + i32(1);
    store_0(x_1, _S7, _S64, vec4<f32>(sum_0[i32(0)][i32(1)]) + vec4<f32>(sum_0[i32(1)][i32(1)]) + vec4<f32>(sum_0[i32(2)][i32(1)]));
    store_0(x_1, _S63, _S64, vec4<f32>(sum_0[i32(1)][i32(1)]) - vec4<f32>(sum_0[i32(2)][i32(1)]) - vec4<f32>(sum_0[i32(3)][i32(1)]));
    var _S65 : i32 = _S62 + i32(2);
    store_0(x_1, _S7, _S65, vec4<f32>(sum_0[i32(0)][i32(2)]) + vec4<f32>(sum_0[i32(1)][i32(2)]) + vec4<f32>(sum_0[i32(2)][i32(2)]));
    store_0(x_1, _S63, _S65, vec4<f32>(sum_0[i32(1)][i32(2)]) - vec4<f32>(sum_0[i32(2)][i32(2)]) - vec4<f32>(sum_0[i32(3)][i32(2)]));
    var _S66 : i32 = _S62 + i32(3);
    store_0(x_1, _S7, _S66, vec4<f32>(sum_0[i32(0)][i32(3)]) + vec4<f32>(sum_0[i32(1)][i32(3)]) + vec4<f32>(sum_0[i32(2)][i32(3)]));
    store_0(x_1, _S63, _S66, vec4<f32>(sum_0[i32(1)][i32(3)]) - vec4<f32>(sum_0[i32(2)][i32(3)]) - vec4<f32>(sum_0[i32(3)][i32(3)]));
    return;
}

