// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 939537bd47477510424007b28f356f8e dfe1aa2cb187325773d8ffea692e30c3
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

@binding(0) @group(0) var<storage, read> a_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f32>>;

var<workgroup> near_0 : array<vec4<f32>, i32(192)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f32>, i32(6)>>)
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
    var _S4 : vec4<f32> = select(value_0, vec4<f32>(0.0f), value_0 < vec4<f32>(Constants_0.lowest_0));
    var width_0 : i32 = i32(Constants_0.out_size_0.x);
    var height_0 : i32 = i32(Constants_0.out_size_0.y);
    var _S5 : u32 = u32(piece_1);
    var corner_0 : u32 = _S5 / Constants_0.corner_pieces_0;
    var to_0 : u32 = _S5 % Constants_0.corner_pieces_0;
    made_0[(u32(2) * (to_0 * u32(height_0) + u32(y_0)) + corner_0 / u32(2)) * u32(2) * u32(width_0) + u32(i32(2) * x_0) + corner_0 % u32(2)] = _S4;
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
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S8 * (i32(2) + pieces_0 * i32(96));
    var pixel_1 : array<vec4<f32>, i32(6)>;
    var next_0 : array<vec4<f32>, i32(6)>;
    var brought_0 : array<vec4<f32>, i32(1)>;
    var _S9 : vec4<f32> = weights_0[from_0];
    var sum_0 : array<array<vec4<f32>, i32(2)>, i32(8)>;
    const _S10 : vec4<f32> = vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f);
    sum_0[i32(0)][i32(0)] = _S10;
    sum_0[i32(1)][i32(0)] = _S9;
    sum_0[i32(2)][i32(0)] = _S10;
    sum_0[i32(3)][i32(0)] = _S10;
    sum_0[i32(4)][i32(0)] = _S10;
    sum_0[i32(5)][i32(0)] = _S9;
    sum_0[i32(6)][i32(0)] = _S10;
    sum_0[i32(7)][i32(0)] = _S10;
    var _S11 : vec4<f32> = weights_0[from_0 + i32(1)];
    sum_0[i32(0)][i32(1)] = _S10;
    sum_0[i32(1)][i32(1)] = _S11;
    sum_0[i32(2)][i32(1)] = _S10;
    sum_0[i32(3)][i32(1)] = _S10;
    sum_0[i32(4)][i32(1)] = _S10;
    sum_0[i32(5)][i32(1)] = _S11;
    sum_0[i32(6)][i32(1)] = _S10;
    sum_0[i32(7)][i32(1)] = _S10;
    var _S12 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(2) + _S12);
    var _S13 : bool = _S12 < i32(96);
    if(_S13)
    {
        near_0[_S12] = weights_0[from_1];
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
        var _S16 : i32 = ((piece_2 & (i32(1)))) * i32(96);
        brought_0[i32(0)] = weights_0[from_1 + _S15 * i32(96) + min(i32(0), i32(95) - _S12)];
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
            var _S17 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S17 < i32(Constants_0.side_0);
            var _S18 : i32;
            if(more_0)
            {
                _S18 = _S17;
            }
            else
            {
                _S18 = i32(0);
            }
            var _S19 : i32 = column_1 + _S18;
            var _S20 : i32;
            if(more_0)
            {
                _S20 = piece_2;
            }
            else
            {
                _S20 = _S15;
            }
            fetch_0(_S19, row_1, _S20, &(next_0));
            var _S21 : i32 = _S16 + dx_0 * i32(4) * i32(2);
            var v_0 : array<vec4<f32>, i32(2)>;
            var _S22 : vec4<f32> = pixel_1[i32(0)] - pixel_1[i32(2)];
            v_0[i32(0)] = _S22;
            var _S23 : vec4<f32> = pixel_1[i32(2)] - pixel_1[i32(4)];
            v_0[i32(1)] = _S23;
            var _S24 : i32 = _S21 + i32(2);
            var _S25 : i32 = _S21 + i32(4);
            var _S26 : i32 = _S21 + i32(6);
            var _S27 : vec4<f32> = vec4<f32>(_S22.w);
            var _S28 : vec4<f32> = vec4<f32>(_S22.z);
            var _S29 : vec4<f32> = vec4<f32>(_S22.y);
            var _S30 : vec4<f32> = vec4<f32>(_S22.x);
            sum_0[i32(0)][i32(0)] = fma(_S27, near_0[_S26], fma(_S28, near_0[_S25], fma(_S29, near_0[_S24], fma(_S30, near_0[_S21], sum_0[i32(0)][i32(0)]))));
            var _S31 : vec4<f32> = vec4<f32>(_S23.w);
            var _S32 : vec4<f32> = vec4<f32>(_S23.z);
            var _S33 : vec4<f32> = vec4<f32>(_S23.y);
            var _S34 : vec4<f32> = vec4<f32>(_S23.x);
            sum_0[i32(4)][i32(0)] = fma(_S31, near_0[_S26], fma(_S32, near_0[_S25], fma(_S33, near_0[_S24], fma(_S34, near_0[_S21], sum_0[i32(4)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S27, near_0[_S26 + i32(1)], fma(_S28, near_0[_S25 + i32(1)], fma(_S29, near_0[_S24 + i32(1)], fma(_S30, near_0[_S21 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(4)][i32(1)] = fma(_S31, near_0[_S26 + i32(1)], fma(_S32, near_0[_S25 + i32(1)], fma(_S33, near_0[_S24 + i32(1)], fma(_S34, near_0[_S21 + i32(1)], sum_0[i32(4)][i32(1)]))));
            var _S35 : i32 = _S16 + (i32(3) + dx_0) * i32(4) * i32(2);
            var v_1 : array<vec4<f32>, i32(2)>;
            var _S36 : vec4<f32> = pixel_1[i32(1)] + pixel_1[i32(2)];
            v_1[i32(0)] = _S36;
            var _S37 : vec4<f32> = pixel_1[i32(3)] + pixel_1[i32(4)];
            v_1[i32(1)] = _S37;
            var _S38 : i32 = _S35 + i32(2);
            var _S39 : i32 = _S35 + i32(4);
            var _S40 : i32 = _S35 + i32(6);
            var _S41 : vec4<f32> = vec4<f32>(_S36.w);
            var _S42 : vec4<f32> = vec4<f32>(_S36.z);
            var _S43 : vec4<f32> = vec4<f32>(_S36.y);
            var _S44 : vec4<f32> = vec4<f32>(_S36.x);
            sum_0[i32(1)][i32(0)] = fma(_S41, near_0[_S40], fma(_S42, near_0[_S39], fma(_S43, near_0[_S38], fma(_S44, near_0[_S35], sum_0[i32(1)][i32(0)]))));
            var _S45 : vec4<f32> = vec4<f32>(_S37.w);
            var _S46 : vec4<f32> = vec4<f32>(_S37.z);
            var _S47 : vec4<f32> = vec4<f32>(_S37.y);
            var _S48 : vec4<f32> = vec4<f32>(_S37.x);
            sum_0[i32(5)][i32(0)] = fma(_S45, near_0[_S40], fma(_S46, near_0[_S39], fma(_S47, near_0[_S38], fma(_S48, near_0[_S35], sum_0[i32(5)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S41, near_0[_S40 + i32(1)], fma(_S42, near_0[_S39 + i32(1)], fma(_S43, near_0[_S38 + i32(1)], fma(_S44, near_0[_S35 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(5)][i32(1)] = fma(_S45, near_0[_S40 + i32(1)], fma(_S46, near_0[_S39 + i32(1)], fma(_S47, near_0[_S38 + i32(1)], fma(_S48, near_0[_S35 + i32(1)], sum_0[i32(5)][i32(1)]))));
            var _S49 : i32 = _S16 + (i32(6) + dx_0) * i32(4) * i32(2);
            var v_2 : array<vec4<f32>, i32(2)>;
            var _S50 : vec4<f32> = pixel_1[i32(2)] - pixel_1[i32(1)];
            v_2[i32(0)] = _S50;
            var _S51 : vec4<f32> = pixel_1[i32(4)] - pixel_1[i32(3)];
            v_2[i32(1)] = _S51;
            var _S52 : i32 = _S49 + i32(2);
            var _S53 : i32 = _S49 + i32(4);
            var _S54 : i32 = _S49 + i32(6);
            var _S55 : vec4<f32> = vec4<f32>(_S50.w);
            var _S56 : vec4<f32> = vec4<f32>(_S50.z);
            var _S57 : vec4<f32> = vec4<f32>(_S50.y);
            var _S58 : vec4<f32> = vec4<f32>(_S50.x);
            sum_0[i32(2)][i32(0)] = fma(_S55, near_0[_S54], fma(_S56, near_0[_S53], fma(_S57, near_0[_S52], fma(_S58, near_0[_S49], sum_0[i32(2)][i32(0)]))));
            var _S59 : vec4<f32> = vec4<f32>(_S51.w);
            var _S60 : vec4<f32> = vec4<f32>(_S51.z);
            var _S61 : vec4<f32> = vec4<f32>(_S51.y);
            var _S62 : vec4<f32> = vec4<f32>(_S51.x);
            sum_0[i32(6)][i32(0)] = fma(_S59, near_0[_S54], fma(_S60, near_0[_S53], fma(_S61, near_0[_S52], fma(_S62, near_0[_S49], sum_0[i32(6)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S55, near_0[_S54 + i32(1)], fma(_S56, near_0[_S53 + i32(1)], fma(_S57, near_0[_S52 + i32(1)], fma(_S58, near_0[_S49 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(6)][i32(1)] = fma(_S59, near_0[_S54 + i32(1)], fma(_S60, near_0[_S53 + i32(1)], fma(_S61, near_0[_S52 + i32(1)], fma(_S62, near_0[_S49 + i32(1)], sum_0[i32(6)][i32(1)]))));
            var _S63 : i32 = _S16 + (i32(9) + dx_0) * i32(4) * i32(2);
            var v_3 : array<vec4<f32>, i32(2)>;
            var _S64 : vec4<f32> = pixel_1[i32(1)] - pixel_1[i32(3)];
            v_3[i32(0)] = _S64;
            var _S65 : vec4<f32> = pixel_1[i32(3)] - pixel_1[i32(5)];
            v_3[i32(1)] = _S65;
            var _S66 : i32 = _S63 + i32(2);
            var _S67 : i32 = _S63 + i32(4);
            var _S68 : i32 = _S63 + i32(6);
            var _S69 : vec4<f32> = vec4<f32>(_S64.w);
            var _S70 : vec4<f32> = vec4<f32>(_S64.z);
            var _S71 : vec4<f32> = vec4<f32>(_S64.y);
            var _S72 : vec4<f32> = vec4<f32>(_S64.x);
            sum_0[i32(3)][i32(0)] = fma(_S69, near_0[_S68], fma(_S70, near_0[_S67], fma(_S71, near_0[_S66], fma(_S72, near_0[_S63], sum_0[i32(3)][i32(0)]))));
            var _S73 : vec4<f32> = vec4<f32>(_S65.w);
            var _S74 : vec4<f32> = vec4<f32>(_S65.z);
            var _S75 : vec4<f32> = vec4<f32>(_S65.y);
            var _S76 : vec4<f32> = vec4<f32>(_S65.x);
            sum_0[i32(7)][i32(0)] = fma(_S73, near_0[_S68], fma(_S74, near_0[_S67], fma(_S75, near_0[_S66], fma(_S76, near_0[_S63], sum_0[i32(7)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S69, near_0[_S68 + i32(1)], fma(_S70, near_0[_S67 + i32(1)], fma(_S71, near_0[_S66 + i32(1)], fma(_S72, near_0[_S63 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(7)][i32(1)] = fma(_S73, near_0[_S68 + i32(1)], fma(_S74, near_0[_S67 + i32(1)], fma(_S75, near_0[_S66 + i32(1)], fma(_S76, near_0[_S63 + i32(1)], sum_0[i32(7)][i32(1)]))));
            dx_0 = _S17;
        }
        if(_S13)
        {
            near_0[i32(96) - _S16 + _S12] = brought_0[i32(0)];
        }
        piece_2 = _S14;
    }
    var _S77 : i32 = _S8 * i32(2);
    store_0(x_1, _S7, _S77, sum_0[i32(0)][i32(0)] + sum_0[i32(1)][i32(0)] + sum_0[i32(2)][i32(0)]);
    var _S78 : i32 = _S7 + i32(1);
    store_0(x_1, _S78, _S77, sum_0[i32(1)][i32(0)] - sum_0[i32(2)][i32(0)] - sum_0[i32(3)][i32(0)]);
    var _S79 : i32 = _S7 + i32(2);
    store_0(x_1, _S79, _S77, sum_0[i32(4)][i32(0)] + sum_0[i32(5)][i32(0)] + sum_0[i32(6)][i32(0)]);
    var _S80 : i32 = _S79 + i32(1);
    store_0(x_1, _S80, _S77, sum_0[i32(5)][i32(0)] - sum_0[i32(6)][i32(0)] - sum_0[i32(7)][i32(0)]);
    var _S81 : i32 = _S77 + i32(1);
    store_0(x_1, _S7, _S81, sum_0[i32(0)][i32(1)] + sum_0[i32(1)][i32(1)] + sum_0[i32(2)][i32(1)]);
    store_0(x_1, _S78, _S81, sum_0[i32(1)][i32(1)] - sum_0[i32(2)][i32(1)] - sum_0[i32(3)][i32(1)]);
    store_0(x_1, _S79, _S81, sum_0[i32(4)][i32(1)] + sum_0[i32(5)][i32(1)] + sum_0[i32(6)][i32(1)]);
    store_0(x_1, _S80, _S81, sum_0[i32(5)][i32(1)] - sum_0[i32(6)][i32(1)] - sum_0[i32(7)][i32(1)]);
    return;
}

