// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 05b4c561ba1ec930b7b6db17bad52d3f 8e472c339dea243f9b98c90371d4b003
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

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f16>, i32(6)>>)
{
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.in_size_0) - vec2<i32>(i32(1));
    var _S1 : i32 = i32(Constants_0.in_size_0.x);
    var _S2 : i32 = piece_0 * i32(Constants_0.in_size_0.x * Constants_0.in_size_0.y) + clamp(column_0, i32(0), last_0.x);
    var _S3 : i32 = last_0.y;
    (*pixel_0)[i32(0)] = a_0[_S2 + clamp(row_0, i32(0), _S3) * _S1];
    (*pixel_0)[i32(1)] = a_0[_S2 + clamp(row_0 + i32(1), i32(0), _S3) * _S1];
    (*pixel_0)[i32(2)] = a_0[_S2 + clamp(row_0 + i32(2), i32(0), _S3) * _S1];
    (*pixel_0)[i32(3)] = a_0[_S2 + clamp(row_0 + i32(3), i32(0), _S3) * _S1];
    (*pixel_0)[i32(4)] = a_0[_S2 + clamp(row_0 + i32(4), i32(0), _S3) * _S1];
    (*pixel_0)[i32(5)] = a_0[_S2 + clamp(row_0 + i32(5), i32(0), _S3) * _S1];
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
    var _S5 : i32 = min(down_0 * i32(4), height_0 - i32(4));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S5 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S6 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S6 * (i32(4) + pieces_0 * i32(192));
    var pixel_1 : array<vec4<f16>, i32(6)>;
    var next_0 : array<vec4<f16>, i32(6)>;
    var brought_0 : array<vec4<f16>, i32(2)>;
    var _S7 : vec4<f16> = vec4<f16>(weights_0[from_0]);
    var sum_0 : array<array<vec4<f16>, i32(4)>, i32(8)>;
    const _S8 : vec4<f16> = vec4<f16>(vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f));
    sum_0[i32(0)][i32(0)] = _S8;
    sum_0[i32(1)][i32(0)] = _S7;
    sum_0[i32(2)][i32(0)] = _S8;
    sum_0[i32(3)][i32(0)] = _S8;
    sum_0[i32(4)][i32(0)] = _S8;
    sum_0[i32(5)][i32(0)] = _S7;
    sum_0[i32(6)][i32(0)] = _S8;
    sum_0[i32(7)][i32(0)] = _S8;
    var _S9 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(1)]);
    sum_0[i32(0)][i32(1)] = _S8;
    sum_0[i32(1)][i32(1)] = _S9;
    sum_0[i32(2)][i32(1)] = _S8;
    sum_0[i32(3)][i32(1)] = _S8;
    sum_0[i32(4)][i32(1)] = _S8;
    sum_0[i32(5)][i32(1)] = _S9;
    sum_0[i32(6)][i32(1)] = _S8;
    sum_0[i32(7)][i32(1)] = _S8;
    var _S10 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(2)]);
    sum_0[i32(0)][i32(2)] = _S8;
    sum_0[i32(1)][i32(2)] = _S10;
    sum_0[i32(2)][i32(2)] = _S8;
    sum_0[i32(3)][i32(2)] = _S8;
    sum_0[i32(4)][i32(2)] = _S8;
    sum_0[i32(5)][i32(2)] = _S10;
    sum_0[i32(6)][i32(2)] = _S8;
    sum_0[i32(7)][i32(2)] = _S8;
    var _S11 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(3)]);
    sum_0[i32(0)][i32(3)] = _S8;
    sum_0[i32(1)][i32(3)] = _S11;
    sum_0[i32(2)][i32(3)] = _S8;
    sum_0[i32(3)][i32(3)] = _S8;
    sum_0[i32(4)][i32(3)] = _S8;
    sum_0[i32(5)][i32(3)] = _S11;
    sum_0[i32(6)][i32(3)] = _S8;
    sum_0[i32(7)][i32(3)] = _S8;
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
            pixel_1[i32(4)] = next_0[i32(4)];
            pixel_1[i32(5)] = next_0[i32(5)];
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
            var v_0 : array<vec4<f16>, i32(2)>;
            var _S25 : vec4<f16> = pixel_1[i32(0)] - pixel_1[i32(2)];
            v_0[i32(0)] = _S25;
            var _S26 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(4)];
            v_0[i32(1)] = _S26;
            var _S27 : i32 = _S24 + i32(4);
            var _S28 : i32 = _S24 + i32(8);
            var _S29 : i32 = _S24 + i32(12);
            var _S30 : vec4<f16> = vec4<f16>(_S25.w);
            var _S31 : vec4<f16> = vec4<f16>(_S25.z);
            var _S32 : vec4<f16> = vec4<f16>(_S25.y);
            var _S33 : vec4<f16> = vec4<f16>(_S25.x);
            sum_0[i32(0)][i32(0)] = fma(_S30, near_0[_S29], fma(_S31, near_0[_S28], fma(_S32, near_0[_S27], fma(_S33, near_0[_S24], sum_0[i32(0)][i32(0)]))));
            var _S34 : vec4<f16> = vec4<f16>(_S26.w);
            var _S35 : vec4<f16> = vec4<f16>(_S26.z);
            var _S36 : vec4<f16> = vec4<f16>(_S26.y);
            var _S37 : vec4<f16> = vec4<f16>(_S26.x);
            sum_0[i32(4)][i32(0)] = fma(_S34, near_0[_S29], fma(_S35, near_0[_S28], fma(_S36, near_0[_S27], fma(_S37, near_0[_S24], sum_0[i32(4)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S30, near_0[_S29 + i32(1)], fma(_S31, near_0[_S28 + i32(1)], fma(_S32, near_0[_S27 + i32(1)], fma(_S33, near_0[_S24 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(4)][i32(1)] = fma(_S34, near_0[_S29 + i32(1)], fma(_S35, near_0[_S28 + i32(1)], fma(_S36, near_0[_S27 + i32(1)], fma(_S37, near_0[_S24 + i32(1)], sum_0[i32(4)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S30, near_0[_S29 + i32(2)], fma(_S31, near_0[_S28 + i32(2)], fma(_S32, near_0[_S27 + i32(2)], fma(_S33, near_0[_S24 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(4)][i32(2)] = fma(_S34, near_0[_S29 + i32(2)], fma(_S35, near_0[_S28 + i32(2)], fma(_S36, near_0[_S27 + i32(2)], fma(_S37, near_0[_S24 + i32(2)], sum_0[i32(4)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(_S30, near_0[_S29 + i32(3)], fma(_S31, near_0[_S28 + i32(3)], fma(_S32, near_0[_S27 + i32(3)], fma(_S33, near_0[_S24 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(4)][i32(3)] = fma(_S34, near_0[_S29 + i32(3)], fma(_S35, near_0[_S28 + i32(3)], fma(_S36, near_0[_S27 + i32(3)], fma(_S37, near_0[_S24 + i32(3)], sum_0[i32(4)][i32(3)]))));
            var _S38 : i32 = _S17 + (i32(3) + dx_0) * i32(4) * i32(4);
            var v_1 : array<vec4<f16>, i32(2)>;
            var _S39 : vec4<f16> = pixel_1[i32(1)] + pixel_1[i32(2)];
            v_1[i32(0)] = _S39;
            var _S40 : vec4<f16> = pixel_1[i32(3)] + pixel_1[i32(4)];
            v_1[i32(1)] = _S40;
            var _S41 : i32 = _S38 + i32(4);
            var _S42 : i32 = _S38 + i32(8);
            var _S43 : i32 = _S38 + i32(12);
            var _S44 : vec4<f16> = vec4<f16>(_S39.w);
            var _S45 : vec4<f16> = vec4<f16>(_S39.z);
            var _S46 : vec4<f16> = vec4<f16>(_S39.y);
            var _S47 : vec4<f16> = vec4<f16>(_S39.x);
            sum_0[i32(1)][i32(0)] = fma(_S44, near_0[_S43], fma(_S45, near_0[_S42], fma(_S46, near_0[_S41], fma(_S47, near_0[_S38], sum_0[i32(1)][i32(0)]))));
            var _S48 : vec4<f16> = vec4<f16>(_S40.w);
            var _S49 : vec4<f16> = vec4<f16>(_S40.z);
            var _S50 : vec4<f16> = vec4<f16>(_S40.y);
            var _S51 : vec4<f16> = vec4<f16>(_S40.x);
            sum_0[i32(5)][i32(0)] = fma(_S48, near_0[_S43], fma(_S49, near_0[_S42], fma(_S50, near_0[_S41], fma(_S51, near_0[_S38], sum_0[i32(5)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S44, near_0[_S43 + i32(1)], fma(_S45, near_0[_S42 + i32(1)], fma(_S46, near_0[_S41 + i32(1)], fma(_S47, near_0[_S38 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(5)][i32(1)] = fma(_S48, near_0[_S43 + i32(1)], fma(_S49, near_0[_S42 + i32(1)], fma(_S50, near_0[_S41 + i32(1)], fma(_S51, near_0[_S38 + i32(1)], sum_0[i32(5)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S44, near_0[_S43 + i32(2)], fma(_S45, near_0[_S42 + i32(2)], fma(_S46, near_0[_S41 + i32(2)], fma(_S47, near_0[_S38 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(5)][i32(2)] = fma(_S48, near_0[_S43 + i32(2)], fma(_S49, near_0[_S42 + i32(2)], fma(_S50, near_0[_S41 + i32(2)], fma(_S51, near_0[_S38 + i32(2)], sum_0[i32(5)][i32(2)]))));
            sum_0[i32(1)][i32(3)] = fma(_S44, near_0[_S43 + i32(3)], fma(_S45, near_0[_S42 + i32(3)], fma(_S46, near_0[_S41 + i32(3)], fma(_S47, near_0[_S38 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(5)][i32(3)] = fma(_S48, near_0[_S43 + i32(3)], fma(_S49, near_0[_S42 + i32(3)], fma(_S50, near_0[_S41 + i32(3)], fma(_S51, near_0[_S38 + i32(3)], sum_0[i32(5)][i32(3)]))));
            var _S52 : i32 = _S17 + (i32(6) + dx_0) * i32(4) * i32(4);
            var v_2 : array<vec4<f16>, i32(2)>;
            var _S53 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(1)];
            v_2[i32(0)] = _S53;
            var _S54 : vec4<f16> = pixel_1[i32(4)] - pixel_1[i32(3)];
            v_2[i32(1)] = _S54;
            var _S55 : i32 = _S52 + i32(4);
            var _S56 : i32 = _S52 + i32(8);
            var _S57 : i32 = _S52 + i32(12);
            var _S58 : vec4<f16> = vec4<f16>(_S53.w);
            var _S59 : vec4<f16> = vec4<f16>(_S53.z);
            var _S60 : vec4<f16> = vec4<f16>(_S53.y);
            var _S61 : vec4<f16> = vec4<f16>(_S53.x);
            sum_0[i32(2)][i32(0)] = fma(_S58, near_0[_S57], fma(_S59, near_0[_S56], fma(_S60, near_0[_S55], fma(_S61, near_0[_S52], sum_0[i32(2)][i32(0)]))));
            var _S62 : vec4<f16> = vec4<f16>(_S54.w);
            var _S63 : vec4<f16> = vec4<f16>(_S54.z);
            var _S64 : vec4<f16> = vec4<f16>(_S54.y);
            var _S65 : vec4<f16> = vec4<f16>(_S54.x);
            sum_0[i32(6)][i32(0)] = fma(_S62, near_0[_S57], fma(_S63, near_0[_S56], fma(_S64, near_0[_S55], fma(_S65, near_0[_S52], sum_0[i32(6)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S58, near_0[_S57 + i32(1)], fma(_S59, near_0[_S56 + i32(1)], fma(_S60, near_0[_S55 + i32(1)], fma(_S61, near_0[_S52 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(6)][i32(1)] = fma(_S62, near_0[_S57 + i32(1)], fma(_S63, near_0[_S56 + i32(1)], fma(_S64, near_0[_S55 + i32(1)], fma(_S65, near_0[_S52 + i32(1)], sum_0[i32(6)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S58, near_0[_S57 + i32(2)], fma(_S59, near_0[_S56 + i32(2)], fma(_S60, near_0[_S55 + i32(2)], fma(_S61, near_0[_S52 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(6)][i32(2)] = fma(_S62, near_0[_S57 + i32(2)], fma(_S63, near_0[_S56 + i32(2)], fma(_S64, near_0[_S55 + i32(2)], fma(_S65, near_0[_S52 + i32(2)], sum_0[i32(6)][i32(2)]))));
            sum_0[i32(2)][i32(3)] = fma(_S58, near_0[_S57 + i32(3)], fma(_S59, near_0[_S56 + i32(3)], fma(_S60, near_0[_S55 + i32(3)], fma(_S61, near_0[_S52 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(6)][i32(3)] = fma(_S62, near_0[_S57 + i32(3)], fma(_S63, near_0[_S56 + i32(3)], fma(_S64, near_0[_S55 + i32(3)], fma(_S65, near_0[_S52 + i32(3)], sum_0[i32(6)][i32(3)]))));
            var _S66 : i32 = _S17 + (i32(9) + dx_0) * i32(4) * i32(4);
            var v_3 : array<vec4<f16>, i32(2)>;
            var _S67 : vec4<f16> = pixel_1[i32(1)] - pixel_1[i32(3)];
            v_3[i32(0)] = _S67;
            var _S68 : vec4<f16> = pixel_1[i32(3)] - pixel_1[i32(5)];
            v_3[i32(1)] = _S68;
            var _S69 : i32 = _S66 + i32(4);
            var _S70 : i32 = _S66 + i32(8);
            var _S71 : i32 = _S66 + i32(12);
            var _S72 : vec4<f16> = vec4<f16>(_S67.w);
            var _S73 : vec4<f16> = vec4<f16>(_S67.z);
            var _S74 : vec4<f16> = vec4<f16>(_S67.y);
            var _S75 : vec4<f16> = vec4<f16>(_S67.x);
            sum_0[i32(3)][i32(0)] = fma(_S72, near_0[_S71], fma(_S73, near_0[_S70], fma(_S74, near_0[_S69], fma(_S75, near_0[_S66], sum_0[i32(3)][i32(0)]))));
            var _S76 : vec4<f16> = vec4<f16>(_S68.w);
            var _S77 : vec4<f16> = vec4<f16>(_S68.z);
            var _S78 : vec4<f16> = vec4<f16>(_S68.y);
            var _S79 : vec4<f16> = vec4<f16>(_S68.x);
            sum_0[i32(7)][i32(0)] = fma(_S76, near_0[_S71], fma(_S77, near_0[_S70], fma(_S78, near_0[_S69], fma(_S79, near_0[_S66], sum_0[i32(7)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S72, near_0[_S71 + i32(1)], fma(_S73, near_0[_S70 + i32(1)], fma(_S74, near_0[_S69 + i32(1)], fma(_S75, near_0[_S66 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(7)][i32(1)] = fma(_S76, near_0[_S71 + i32(1)], fma(_S77, near_0[_S70 + i32(1)], fma(_S78, near_0[_S69 + i32(1)], fma(_S79, near_0[_S66 + i32(1)], sum_0[i32(7)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S72, near_0[_S71 + i32(2)], fma(_S73, near_0[_S70 + i32(2)], fma(_S74, near_0[_S69 + i32(2)], fma(_S75, near_0[_S66 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(7)][i32(2)] = fma(_S76, near_0[_S71 + i32(2)], fma(_S77, near_0[_S70 + i32(2)], fma(_S78, near_0[_S69 + i32(2)], fma(_S79, near_0[_S66 + i32(2)], sum_0[i32(7)][i32(2)]))));
            sum_0[i32(3)][i32(3)] = fma(_S72, near_0[_S71 + i32(3)], fma(_S73, near_0[_S70 + i32(3)], fma(_S74, near_0[_S69 + i32(3)], fma(_S75, near_0[_S66 + i32(3)], sum_0[i32(3)][i32(3)]))));
            sum_0[i32(7)][i32(3)] = fma(_S76, near_0[_S71 + i32(3)], fma(_S77, near_0[_S70 + i32(3)], fma(_S78, near_0[_S69 + i32(3)], fma(_S79, near_0[_S66 + i32(3)], sum_0[i32(7)][i32(3)]))));
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
    var _S80 : i32 = _S6 * i32(4);
    store_0(x_1, _S5, _S80, vec4<f32>(sum_0[i32(0)][i32(0)]) + vec4<f32>(sum_0[i32(1)][i32(0)]) + vec4<f32>(sum_0[i32(2)][i32(0)]));
    var _S81 : i32 = _S5 + i32(1);
    store_0(x_1, _S81, _S80, vec4<f32>(sum_0[i32(1)][i32(0)]) - vec4<f32>(sum_0[i32(2)][i32(0)]) - vec4<f32>(sum_0[i32(3)][i32(0)]));
    var _S82 : i32 = _S5 + i32(2);
    store_0(x_1, _S82, _S80, vec4<f32>(sum_0[i32(4)][i32(0)]) + vec4<f32>(sum_0[i32(5)][i32(0)]) + vec4<f32>(sum_0[i32(6)][i32(0)]));
    var _S83 : i32 = _S82 + i32(1);
    store_0(x_1, _S83, _S80, vec4<f32>(sum_0[i32(5)][i32(0)]) - vec4<f32>(sum_0[i32(6)][i32(0)]) - vec4<f32>(sum_0[i32(7)][i32(0)]));
    var _S84 : i32 = _S80 + i32(1);
    store_0(x_1, _S5, _S84, vec4<f32>(sum_0[i32(0)][i32(1)]) + vec4<f32>(sum_0[i32(1)][i32(1)]) + vec4<f32>(sum_0[i32(2)][i32(1)]));
    store_0(x_1, _S81, _S84, vec4<f32>(sum_0[i32(1)][i32(1)]) - vec4<f32>(sum_0[i32(2)][i32(1)]) - vec4<f32>(sum_0[i32(3)][i32(1)]));
    store_0(x_1, _S82, _S84, vec4<f32>(sum_0[i32(4)][i32(1)]) + vec4<f32>(sum_0[i32(5)][i32(1)]) + vec4<f32>(sum_0[i32(6)][i32(1)]));
    store_0(x_1, _S83, _S84, vec4<f32>(sum_0[i32(5)][i32(1)]) - vec4<f32>(sum_0[i32(6)][i32(1)]) - vec4<f32>(sum_0[i32(7)][i32(1)]));
    var _S85 : i32 = _S80 + i32(2);
    store_0(x_1, _S5, _S85, vec4<f32>(sum_0[i32(0)][i32(2)]) + vec4<f32>(sum_0[i32(1)][i32(2)]) + vec4<f32>(sum_0[i32(2)][i32(2)]));
    store_0(x_1, _S81, _S85, vec4<f32>(sum_0[i32(1)][i32(2)]) - vec4<f32>(sum_0[i32(2)][i32(2)]) - vec4<f32>(sum_0[i32(3)][i32(2)]));
    store_0(x_1, _S82, _S85, vec4<f32>(sum_0[i32(4)][i32(2)]) + vec4<f32>(sum_0[i32(5)][i32(2)]) + vec4<f32>(sum_0[i32(6)][i32(2)]));
    store_0(x_1, _S83, _S85, vec4<f32>(sum_0[i32(5)][i32(2)]) - vec4<f32>(sum_0[i32(6)][i32(2)]) - vec4<f32>(sum_0[i32(7)][i32(2)]));
    var _S86 : i32 = _S80 + i32(3);
    store_0(x_1, _S5, _S86, vec4<f32>(sum_0[i32(0)][i32(3)]) + vec4<f32>(sum_0[i32(1)][i32(3)]) + vec4<f32>(sum_0[i32(2)][i32(3)]));
    store_0(x_1, _S81, _S86, vec4<f32>(sum_0[i32(1)][i32(3)]) - vec4<f32>(sum_0[i32(2)][i32(3)]) - vec4<f32>(sum_0[i32(3)][i32(3)]));
    store_0(x_1, _S82, _S86, vec4<f32>(sum_0[i32(4)][i32(3)]) + vec4<f32>(sum_0[i32(5)][i32(3)]) + vec4<f32>(sum_0[i32(6)][i32(3)]));
    store_0(x_1, _S83, _S86, vec4<f32>(sum_0[i32(5)][i32(3)]) - vec4<f32>(sum_0[i32(6)][i32(3)]) - vec4<f32>(sum_0[i32(7)][i32(3)]));
    return;
}

