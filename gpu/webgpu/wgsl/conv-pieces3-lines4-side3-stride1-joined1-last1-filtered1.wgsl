// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 9d79072baff50433ed8f8ede260be759 86ac3ac28e91945cc2363c92b8f37f0e
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

@binding(1) @group(0) var<storage, read> b_0 : array<vec4<f32>>;

@binding(0) @group(0) var<storage, read> a_0 : array<vec4<f32>>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<f32>;

var<workgroup> near_0 : array<vec4<f32>, i32(288)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f32>, i32(6)>>)
{
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.in_size_0) - vec2<i32>(i32(1));
    var _S1 : i32 = clamp(column_0, i32(0), last_0.x);
    var _S2 : i32 = i32(Constants_0.in_size_0.x);
    var _S3 : i32 = piece_0 * i32(Constants_0.in_size_0.x * Constants_0.in_size_0.y) + _S1;
    if(piece_0 >= i32(Constants_0.a_pieces_0))
    {
        var _S4 : i32 = ((piece_0 - i32(Constants_0.a_pieces_0)) * i32(Constants_0.b_size_0.y) + i32(Constants_0.crop_0)) * i32(Constants_0.b_size_0.x) + i32(Constants_0.crop_0) + _S1;
        var _S5 : i32 = last_0.y;
        (*pixel_0)[i32(0)] = b_0[_S4 + clamp(row_0, i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        (*pixel_0)[i32(1)] = b_0[_S4 + clamp(row_0 + i32(1), i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        (*pixel_0)[i32(2)] = b_0[_S4 + clamp(row_0 + i32(2), i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        (*pixel_0)[i32(3)] = b_0[_S4 + clamp(row_0 + i32(3), i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        (*pixel_0)[i32(4)] = b_0[_S4 + clamp(row_0 + i32(4), i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        (*pixel_0)[i32(5)] = b_0[_S4 + clamp(row_0 + i32(5), i32(0), _S5) * i32(Constants_0.b_size_0.x)];
        return;
    }
    var _S6 : i32 = last_0.y;
    (*pixel_0)[i32(0)] = a_0[_S3 + clamp(row_0, i32(0), _S6) * _S2];
    (*pixel_0)[i32(1)] = a_0[_S3 + clamp(row_0 + i32(1), i32(0), _S6) * _S2];
    (*pixel_0)[i32(2)] = a_0[_S3 + clamp(row_0 + i32(2), i32(0), _S6) * _S2];
    (*pixel_0)[i32(3)] = a_0[_S3 + clamp(row_0 + i32(3), i32(0), _S6) * _S2];
    (*pixel_0)[i32(4)] = a_0[_S3 + clamp(row_0 + i32(4), i32(0), _S6) * _S2];
    (*pixel_0)[i32(5)] = a_0[_S3 + clamp(row_0 + i32(5), i32(0), _S6) * _S2];
    return;
}

fn store_0( x_0 : i32,  y_0 : i32,  piece_1 : i32,  value_0 : vec4<f32>)
{
    var _S7 : vec4<f32> = select(value_0, vec4<f32>(0.0f), value_0 < vec4<f32>(Constants_0.lowest_0));
    var width_0 : i32 = i32(Constants_0.out_size_0.x);
    var at_0 : i32 = i32(2) * (piece_1 * i32(Constants_0.out_size_0.y) + y_0) * i32(2) * width_0 + i32(2) * x_0;
    made_0[at_0] = _S7.x;
    made_0[at_0 + i32(1)] = _S7.y;
    var _S8 : i32 = at_0 + i32(2) * width_0;
    made_0[_S8] = _S7.z;
    made_0[_S8 + i32(1)] = _S7.w;
    return;
}

@compute
@workgroup_size(128, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var width_1 : i32 = i32(Constants_0.out_size_0.x);
    var height_0 : i32 = i32(Constants_0.out_size_0.y);
    var _S9 : i32 = i32(id_0.x);
    var down_0 : i32 = _S9 / width_1;
    var x_1 : i32 = _S9 - down_0 * width_1;
    var _S10 : i32 = min(down_0 * i32(4), height_0 - i32(4));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S10 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S11 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S11 * (i32(3) + pieces_0 * i32(144));
    var pixel_1 : array<vec4<f32>, i32(6)>;
    var next_0 : array<vec4<f32>, i32(6)>;
    var brought_0 : array<vec4<f32>, i32(2)>;
    var _S12 : vec4<f32> = weights_0[from_0];
    var sum_0 : array<array<vec4<f32>, i32(3)>, i32(8)>;
    const _S13 : vec4<f32> = vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f);
    sum_0[i32(0)][i32(0)] = _S13;
    sum_0[i32(1)][i32(0)] = _S12;
    sum_0[i32(2)][i32(0)] = _S13;
    sum_0[i32(3)][i32(0)] = _S13;
    sum_0[i32(4)][i32(0)] = _S13;
    sum_0[i32(5)][i32(0)] = _S12;
    sum_0[i32(6)][i32(0)] = _S13;
    sum_0[i32(7)][i32(0)] = _S13;
    var _S14 : vec4<f32> = weights_0[from_0 + i32(1)];
    sum_0[i32(0)][i32(1)] = _S13;
    sum_0[i32(1)][i32(1)] = _S14;
    sum_0[i32(2)][i32(1)] = _S13;
    sum_0[i32(3)][i32(1)] = _S13;
    sum_0[i32(4)][i32(1)] = _S13;
    sum_0[i32(5)][i32(1)] = _S14;
    sum_0[i32(6)][i32(1)] = _S13;
    sum_0[i32(7)][i32(1)] = _S13;
    var _S15 : vec4<f32> = weights_0[from_0 + i32(2)];
    sum_0[i32(0)][i32(2)] = _S13;
    sum_0[i32(1)][i32(2)] = _S15;
    sum_0[i32(2)][i32(2)] = _S13;
    sum_0[i32(3)][i32(2)] = _S13;
    sum_0[i32(4)][i32(2)] = _S13;
    sum_0[i32(5)][i32(2)] = _S15;
    sum_0[i32(6)][i32(2)] = _S13;
    sum_0[i32(7)][i32(2)] = _S13;
    var _S16 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(3) + _S16);
    var _S17 : bool = _S16 < i32(144);
    if(_S17)
    {
        near_0[_S16] = weights_0[from_1];
    }
    var at_1 : i32 = i32(128) + _S16;
    var _S18 : bool = at_1 < i32(144);
    if(_S18)
    {
        near_0[at_1] = weights_0[from_1 + i32(128)];
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
        var _S19 : i32 = piece_2 + i32(1);
        var _S20 : i32 = min(_S19, pieces_0 - i32(1));
        var _S21 : i32 = ((piece_2 & (i32(1)))) * i32(144);
        var _S22 : i32 = from_1 + _S20 * i32(144);
        var _S23 : i32 = i32(143) - _S16;
        brought_0[i32(0)] = weights_0[_S22 + min(i32(0), _S23)];
        brought_0[i32(1)] = weights_0[_S22 + min(i32(128), _S23)];
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
            var _S24 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S24 < i32(Constants_0.side_0);
            var _S25 : i32;
            if(more_0)
            {
                _S25 = _S24;
            }
            else
            {
                _S25 = i32(0);
            }
            var _S26 : i32 = column_1 + _S25;
            var _S27 : i32;
            if(more_0)
            {
                _S27 = piece_2;
            }
            else
            {
                _S27 = _S20;
            }
            fetch_0(_S26, row_1, _S27, &(next_0));
            var _S28 : i32 = _S21 + dx_0 * i32(4) * i32(3);
            var v_0 : array<vec4<f32>, i32(2)>;
            var _S29 : vec4<f32> = pixel_1[i32(0)] - pixel_1[i32(2)];
            v_0[i32(0)] = _S29;
            var _S30 : vec4<f32> = pixel_1[i32(2)] - pixel_1[i32(4)];
            v_0[i32(1)] = _S30;
            var _S31 : i32 = _S28 + i32(3);
            var _S32 : i32 = _S28 + i32(6);
            var _S33 : i32 = _S28 + i32(9);
            var _S34 : vec4<f32> = vec4<f32>(_S29.w);
            var _S35 : vec4<f32> = vec4<f32>(_S29.z);
            var _S36 : vec4<f32> = vec4<f32>(_S29.y);
            var _S37 : vec4<f32> = vec4<f32>(_S29.x);
            sum_0[i32(0)][i32(0)] = fma(_S34, near_0[_S33], fma(_S35, near_0[_S32], fma(_S36, near_0[_S31], fma(_S37, near_0[_S28], sum_0[i32(0)][i32(0)]))));
            var _S38 : vec4<f32> = vec4<f32>(_S30.w);
            var _S39 : vec4<f32> = vec4<f32>(_S30.z);
            var _S40 : vec4<f32> = vec4<f32>(_S30.y);
            var _S41 : vec4<f32> = vec4<f32>(_S30.x);
            sum_0[i32(4)][i32(0)] = fma(_S38, near_0[_S33], fma(_S39, near_0[_S32], fma(_S40, near_0[_S31], fma(_S41, near_0[_S28], sum_0[i32(4)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S34, near_0[_S33 + i32(1)], fma(_S35, near_0[_S32 + i32(1)], fma(_S36, near_0[_S31 + i32(1)], fma(_S37, near_0[_S28 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(4)][i32(1)] = fma(_S38, near_0[_S33 + i32(1)], fma(_S39, near_0[_S32 + i32(1)], fma(_S40, near_0[_S31 + i32(1)], fma(_S41, near_0[_S28 + i32(1)], sum_0[i32(4)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S34, near_0[_S33 + i32(2)], fma(_S35, near_0[_S32 + i32(2)], fma(_S36, near_0[_S31 + i32(2)], fma(_S37, near_0[_S28 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(4)][i32(2)] = fma(_S38, near_0[_S33 + i32(2)], fma(_S39, near_0[_S32 + i32(2)], fma(_S40, near_0[_S31 + i32(2)], fma(_S41, near_0[_S28 + i32(2)], sum_0[i32(4)][i32(2)]))));
            var _S42 : i32 = _S21 + (i32(3) + dx_0) * i32(4) * i32(3);
            var v_1 : array<vec4<f32>, i32(2)>;
            var _S43 : vec4<f32> = pixel_1[i32(1)] + pixel_1[i32(2)];
            v_1[i32(0)] = _S43;
            var _S44 : vec4<f32> = pixel_1[i32(3)] + pixel_1[i32(4)];
            v_1[i32(1)] = _S44;
            var _S45 : i32 = _S42 + i32(3);
            var _S46 : i32 = _S42 + i32(6);
            var _S47 : i32 = _S42 + i32(9);
            var _S48 : vec4<f32> = vec4<f32>(_S43.w);
            var _S49 : vec4<f32> = vec4<f32>(_S43.z);
            var _S50 : vec4<f32> = vec4<f32>(_S43.y);
            var _S51 : vec4<f32> = vec4<f32>(_S43.x);
            sum_0[i32(1)][i32(0)] = fma(_S48, near_0[_S47], fma(_S49, near_0[_S46], fma(_S50, near_0[_S45], fma(_S51, near_0[_S42], sum_0[i32(1)][i32(0)]))));
            var _S52 : vec4<f32> = vec4<f32>(_S44.w);
            var _S53 : vec4<f32> = vec4<f32>(_S44.z);
            var _S54 : vec4<f32> = vec4<f32>(_S44.y);
            var _S55 : vec4<f32> = vec4<f32>(_S44.x);
            sum_0[i32(5)][i32(0)] = fma(_S52, near_0[_S47], fma(_S53, near_0[_S46], fma(_S54, near_0[_S45], fma(_S55, near_0[_S42], sum_0[i32(5)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S48, near_0[_S47 + i32(1)], fma(_S49, near_0[_S46 + i32(1)], fma(_S50, near_0[_S45 + i32(1)], fma(_S51, near_0[_S42 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(5)][i32(1)] = fma(_S52, near_0[_S47 + i32(1)], fma(_S53, near_0[_S46 + i32(1)], fma(_S54, near_0[_S45 + i32(1)], fma(_S55, near_0[_S42 + i32(1)], sum_0[i32(5)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S48, near_0[_S47 + i32(2)], fma(_S49, near_0[_S46 + i32(2)], fma(_S50, near_0[_S45 + i32(2)], fma(_S51, near_0[_S42 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(5)][i32(2)] = fma(_S52, near_0[_S47 + i32(2)], fma(_S53, near_0[_S46 + i32(2)], fma(_S54, near_0[_S45 + i32(2)], fma(_S55, near_0[_S42 + i32(2)], sum_0[i32(5)][i32(2)]))));
            var _S56 : i32 = _S21 + (i32(6) + dx_0) * i32(4) * i32(3);
            var v_2 : array<vec4<f32>, i32(2)>;
            var _S57 : vec4<f32> = pixel_1[i32(2)] - pixel_1[i32(1)];
            v_2[i32(0)] = _S57;
            var _S58 : vec4<f32> = pixel_1[i32(4)] - pixel_1[i32(3)];
            v_2[i32(1)] = _S58;
            var _S59 : i32 = _S56 + i32(3);
            var _S60 : i32 = _S56 + i32(6);
            var _S61 : i32 = _S56 + i32(9);
            var _S62 : vec4<f32> = vec4<f32>(_S57.w);
            var _S63 : vec4<f32> = vec4<f32>(_S57.z);
            var _S64 : vec4<f32> = vec4<f32>(_S57.y);
            var _S65 : vec4<f32> = vec4<f32>(_S57.x);
            sum_0[i32(2)][i32(0)] = fma(_S62, near_0[_S61], fma(_S63, near_0[_S60], fma(_S64, near_0[_S59], fma(_S65, near_0[_S56], sum_0[i32(2)][i32(0)]))));
            var _S66 : vec4<f32> = vec4<f32>(_S58.w);
            var _S67 : vec4<f32> = vec4<f32>(_S58.z);
            var _S68 : vec4<f32> = vec4<f32>(_S58.y);
            var _S69 : vec4<f32> = vec4<f32>(_S58.x);
            sum_0[i32(6)][i32(0)] = fma(_S66, near_0[_S61], fma(_S67, near_0[_S60], fma(_S68, near_0[_S59], fma(_S69, near_0[_S56], sum_0[i32(6)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S62, near_0[_S61 + i32(1)], fma(_S63, near_0[_S60 + i32(1)], fma(_S64, near_0[_S59 + i32(1)], fma(_S65, near_0[_S56 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(6)][i32(1)] = fma(_S66, near_0[_S61 + i32(1)], fma(_S67, near_0[_S60 + i32(1)], fma(_S68, near_0[_S59 + i32(1)], fma(_S69, near_0[_S56 + i32(1)], sum_0[i32(6)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S62, near_0[_S61 + i32(2)], fma(_S63, near_0[_S60 + i32(2)], fma(_S64, near_0[_S59 + i32(2)], fma(_S65, near_0[_S56 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(6)][i32(2)] = fma(_S66, near_0[_S61 + i32(2)], fma(_S67, near_0[_S60 + i32(2)], fma(_S68, near_0[_S59 + i32(2)], fma(_S69, near_0[_S56 + i32(2)], sum_0[i32(6)][i32(2)]))));
            var _S70 : i32 = _S21 + (i32(9) + dx_0) * i32(4) * i32(3);
            var v_3 : array<vec4<f32>, i32(2)>;
            var _S71 : vec4<f32> = pixel_1[i32(1)] - pixel_1[i32(3)];
            v_3[i32(0)] = _S71;
            var _S72 : vec4<f32> = pixel_1[i32(3)] - pixel_1[i32(5)];
            v_3[i32(1)] = _S72;
            var _S73 : i32 = _S70 + i32(3);
            var _S74 : i32 = _S70 + i32(6);
            var _S75 : i32 = _S70 + i32(9);
            var _S76 : vec4<f32> = vec4<f32>(_S71.w);
            var _S77 : vec4<f32> = vec4<f32>(_S71.z);
            var _S78 : vec4<f32> = vec4<f32>(_S71.y);
            var _S79 : vec4<f32> = vec4<f32>(_S71.x);
            sum_0[i32(3)][i32(0)] = fma(_S76, near_0[_S75], fma(_S77, near_0[_S74], fma(_S78, near_0[_S73], fma(_S79, near_0[_S70], sum_0[i32(3)][i32(0)]))));
            var _S80 : vec4<f32> = vec4<f32>(_S72.w);
            var _S81 : vec4<f32> = vec4<f32>(_S72.z);
            var _S82 : vec4<f32> = vec4<f32>(_S72.y);
            var _S83 : vec4<f32> = vec4<f32>(_S72.x);
            sum_0[i32(7)][i32(0)] = fma(_S80, near_0[_S75], fma(_S81, near_0[_S74], fma(_S82, near_0[_S73], fma(_S83, near_0[_S70], sum_0[i32(7)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S76, near_0[_S75 + i32(1)], fma(_S77, near_0[_S74 + i32(1)], fma(_S78, near_0[_S73 + i32(1)], fma(_S79, near_0[_S70 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(7)][i32(1)] = fma(_S80, near_0[_S75 + i32(1)], fma(_S81, near_0[_S74 + i32(1)], fma(_S82, near_0[_S73 + i32(1)], fma(_S83, near_0[_S70 + i32(1)], sum_0[i32(7)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S76, near_0[_S75 + i32(2)], fma(_S77, near_0[_S74 + i32(2)], fma(_S78, near_0[_S73 + i32(2)], fma(_S79, near_0[_S70 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(7)][i32(2)] = fma(_S80, near_0[_S75 + i32(2)], fma(_S81, near_0[_S74 + i32(2)], fma(_S82, near_0[_S73 + i32(2)], fma(_S83, near_0[_S70 + i32(2)], sum_0[i32(7)][i32(2)]))));
            dx_0 = _S24;
        }
        if(_S17)
        {
            near_0[i32(144) - _S21 + _S16] = brought_0[i32(0)];
        }
        if(_S18)
        {
            near_0[i32(144) - _S21 + at_1] = brought_0[i32(1)];
        }
        piece_2 = _S19;
    }
    var _S84 : i32 = _S11 * i32(3);
    store_0(x_1, _S10, _S84, sum_0[i32(0)][i32(0)] + sum_0[i32(1)][i32(0)] + sum_0[i32(2)][i32(0)]);
    var _S85 : i32 = _S10 + i32(1);
    store_0(x_1, _S85, _S84, sum_0[i32(1)][i32(0)] - sum_0[i32(2)][i32(0)] - sum_0[i32(3)][i32(0)]);
    var _S86 : i32 = _S10 + i32(2);
    store_0(x_1, _S86, _S84, sum_0[i32(4)][i32(0)] + sum_0[i32(5)][i32(0)] + sum_0[i32(6)][i32(0)]);
    var _S87 : i32 = _S86 + i32(1);
    store_0(x_1, _S87, _S84, sum_0[i32(5)][i32(0)] - sum_0[i32(6)][i32(0)] - sum_0[i32(7)][i32(0)]);
    var _S88 : i32 = _S84 + i32(1);
    store_0(x_1, _S10, _S88, sum_0[i32(0)][i32(1)] + sum_0[i32(1)][i32(1)] + sum_0[i32(2)][i32(1)]);
    store_0(x_1, _S85, _S88, sum_0[i32(1)][i32(1)] - sum_0[i32(2)][i32(1)] - sum_0[i32(3)][i32(1)]);
    store_0(x_1, _S86, _S88, sum_0[i32(4)][i32(1)] + sum_0[i32(5)][i32(1)] + sum_0[i32(6)][i32(1)]);
    store_0(x_1, _S87, _S88, sum_0[i32(5)][i32(1)] - sum_0[i32(6)][i32(1)] - sum_0[i32(7)][i32(1)]);
    var _S89 : i32 = _S84 + i32(2);
    store_0(x_1, _S10, _S89, sum_0[i32(0)][i32(2)] + sum_0[i32(1)][i32(2)] + sum_0[i32(2)][i32(2)]);
    store_0(x_1, _S85, _S89, sum_0[i32(1)][i32(2)] - sum_0[i32(2)][i32(2)] - sum_0[i32(3)][i32(2)]);
    store_0(x_1, _S86, _S89, sum_0[i32(4)][i32(2)] + sum_0[i32(5)][i32(2)] + sum_0[i32(6)][i32(2)]);
    store_0(x_1, _S87, _S89, sum_0[i32(5)][i32(2)] - sum_0[i32(6)][i32(2)] - sum_0[i32(7)][i32(2)]);
    return;
}

