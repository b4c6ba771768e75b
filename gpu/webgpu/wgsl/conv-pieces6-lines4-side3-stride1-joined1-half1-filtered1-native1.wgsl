// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 1fc64444c9e6c288c28ea958fcf0978b 2a85795ebb06ff39d5bb907e849643a0
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

@binding(1) @group(0) var<storage, read> b_0 : array<vec4<f16>>;

@binding(0) @group(0) var<storage, read> a_0 : array<vec4<f16>>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f16>>;

var<workgroup> near_0 : array<vec4<f16>, i32(576)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f16>, i32(6)>>)
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
    var _S7 : i32 = i32(id_0.x);
    var down_0 : i32 = _S7 / width_0;
    var x_1 : i32 = _S7 - down_0 * width_0;
    var _S8 : i32 = min(down_0 * i32(4), height_0 - i32(4));
    var column_1 : i32 = x_1 - i32(Constants_0.pad_0);
    var row_1 : i32 = _S8 - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S9 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S9 * (i32(6) + pieces_0 * i32(288));
    var pixel_1 : array<vec4<f16>, i32(6)>;
    var next_0 : array<vec4<f16>, i32(6)>;
    var brought_0 : array<vec4<f16>, i32(3)>;
    var _S10 : vec4<f16> = vec4<f16>(weights_0[from_0]);
    var sum_0 : array<array<vec4<f16>, i32(6)>, i32(8)>;
    const _S11 : vec4<f16> = vec4<f16>(vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f));
    sum_0[i32(0)][i32(0)] = _S11;
    sum_0[i32(1)][i32(0)] = _S10;
    sum_0[i32(2)][i32(0)] = _S11;
    sum_0[i32(3)][i32(0)] = _S11;
    sum_0[i32(4)][i32(0)] = _S11;
    sum_0[i32(5)][i32(0)] = _S10;
    sum_0[i32(6)][i32(0)] = _S11;
    sum_0[i32(7)][i32(0)] = _S11;
    var _S12 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(1)]);
    sum_0[i32(0)][i32(1)] = _S11;
    sum_0[i32(1)][i32(1)] = _S12;
    sum_0[i32(2)][i32(1)] = _S11;
    sum_0[i32(3)][i32(1)] = _S11;
    sum_0[i32(4)][i32(1)] = _S11;
    sum_0[i32(5)][i32(1)] = _S12;
    sum_0[i32(6)][i32(1)] = _S11;
    sum_0[i32(7)][i32(1)] = _S11;
    var _S13 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(2)]);
    sum_0[i32(0)][i32(2)] = _S11;
    sum_0[i32(1)][i32(2)] = _S13;
    sum_0[i32(2)][i32(2)] = _S11;
    sum_0[i32(3)][i32(2)] = _S11;
    sum_0[i32(4)][i32(2)] = _S11;
    sum_0[i32(5)][i32(2)] = _S13;
    sum_0[i32(6)][i32(2)] = _S11;
    sum_0[i32(7)][i32(2)] = _S11;
    var _S14 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(3)]);
    sum_0[i32(0)][i32(3)] = _S11;
    sum_0[i32(1)][i32(3)] = _S14;
    sum_0[i32(2)][i32(3)] = _S11;
    sum_0[i32(3)][i32(3)] = _S11;
    sum_0[i32(4)][i32(3)] = _S11;
    sum_0[i32(5)][i32(3)] = _S14;
    sum_0[i32(6)][i32(3)] = _S11;
    sum_0[i32(7)][i32(3)] = _S11;
    var _S15 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(4)]);
    sum_0[i32(0)][i32(4)] = _S11;
    sum_0[i32(1)][i32(4)] = _S15;
    sum_0[i32(2)][i32(4)] = _S11;
    sum_0[i32(3)][i32(4)] = _S11;
    sum_0[i32(4)][i32(4)] = _S11;
    sum_0[i32(5)][i32(4)] = _S15;
    sum_0[i32(6)][i32(4)] = _S11;
    sum_0[i32(7)][i32(4)] = _S11;
    var _S16 : vec4<f16> = vec4<f16>(weights_0[from_0 + i32(5)]);
    sum_0[i32(0)][i32(5)] = _S11;
    sum_0[i32(1)][i32(5)] = _S16;
    sum_0[i32(2)][i32(5)] = _S11;
    sum_0[i32(3)][i32(5)] = _S11;
    sum_0[i32(4)][i32(5)] = _S11;
    sum_0[i32(5)][i32(5)] = _S16;
    sum_0[i32(6)][i32(5)] = _S11;
    sum_0[i32(7)][i32(5)] = _S11;
    var _S17 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(6) + _S17);
    var _S18 : bool = _S17 < i32(288);
    if(_S18)
    {
        near_0[_S17] = vec4<f16>(weights_0[from_1]);
    }
    var at_0 : i32 = i32(128) + _S17;
    var _S19 : bool = at_0 < i32(288);
    if(_S19)
    {
        near_0[at_0] = vec4<f16>(weights_0[from_1 + i32(128)]);
    }
    var at_1 : i32 = i32(256) + _S17;
    var _S20 : bool = at_1 < i32(288);
    if(_S20)
    {
        near_0[at_1] = vec4<f16>(weights_0[from_1 + i32(256)]);
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
        var _S21 : i32 = piece_2 + i32(1);
        var _S22 : i32 = min(_S21, pieces_0 - i32(1));
        var _S23 : i32 = ((piece_2 & (i32(1)))) * i32(288);
        var _S24 : i32 = from_1 + _S22 * i32(288);
        var _S25 : i32 = i32(287) - _S17;
        brought_0[i32(0)] = vec4<f16>(weights_0[_S24 + min(i32(0), _S25)]);
        brought_0[i32(1)] = vec4<f16>(weights_0[_S24 + min(i32(128), _S25)]);
        brought_0[i32(2)] = vec4<f16>(weights_0[_S24 + min(i32(256), _S25)]);
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
            var _S26 : i32 = dx_0 + i32(1);
            var more_0 : bool = _S26 < i32(Constants_0.side_0);
            var _S27 : i32;
            if(more_0)
            {
                _S27 = _S26;
            }
            else
            {
                _S27 = i32(0);
            }
            var _S28 : i32 = column_1 + _S27;
            var _S29 : i32;
            if(more_0)
            {
                _S29 = piece_2;
            }
            else
            {
                _S29 = _S22;
            }
            fetch_0(_S28, row_1, _S29, &(next_0));
            var _S30 : i32 = _S23 + dx_0 * i32(4) * i32(6);
            var v_0 : array<vec4<f16>, i32(2)>;
            var _S31 : vec4<f16> = pixel_1[i32(0)] - pixel_1[i32(2)];
            v_0[i32(0)] = _S31;
            var _S32 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(4)];
            v_0[i32(1)] = _S32;
            var _S33 : i32 = _S30 + i32(6);
            var _S34 : i32 = _S30 + i32(12);
            var _S35 : i32 = _S30 + i32(18);
            var _S36 : vec4<f16> = vec4<f16>(_S31.w);
            var _S37 : vec4<f16> = vec4<f16>(_S31.z);
            var _S38 : vec4<f16> = vec4<f16>(_S31.y);
            var _S39 : vec4<f16> = vec4<f16>(_S31.x);
            sum_0[i32(0)][i32(0)] = fma(_S36, near_0[_S35], fma(_S37, near_0[_S34], fma(_S38, near_0[_S33], fma(_S39, near_0[_S30], sum_0[i32(0)][i32(0)]))));
            var _S40 : vec4<f16> = vec4<f16>(_S32.w);
            var _S41 : vec4<f16> = vec4<f16>(_S32.z);
            var _S42 : vec4<f16> = vec4<f16>(_S32.y);
            var _S43 : vec4<f16> = vec4<f16>(_S32.x);
            sum_0[i32(4)][i32(0)] = fma(_S40, near_0[_S35], fma(_S41, near_0[_S34], fma(_S42, near_0[_S33], fma(_S43, near_0[_S30], sum_0[i32(4)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(_S36, near_0[_S35 + i32(1)], fma(_S37, near_0[_S34 + i32(1)], fma(_S38, near_0[_S33 + i32(1)], fma(_S39, near_0[_S30 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(4)][i32(1)] = fma(_S40, near_0[_S35 + i32(1)], fma(_S41, near_0[_S34 + i32(1)], fma(_S42, near_0[_S33 + i32(1)], fma(_S43, near_0[_S30 + i32(1)], sum_0[i32(4)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(_S36, near_0[_S35 + i32(2)], fma(_S37, near_0[_S34 + i32(2)], fma(_S38, near_0[_S33 + i32(2)], fma(_S39, near_0[_S30 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(4)][i32(2)] = fma(_S40, near_0[_S35 + i32(2)], fma(_S41, near_0[_S34 + i32(2)], fma(_S42, near_0[_S33 + i32(2)], fma(_S43, near_0[_S30 + i32(2)], sum_0[i32(4)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(_S36, near_0[_S35 + i32(3)], fma(_S37, near_0[_S34 + i32(3)], fma(_S38, near_0[_S33 + i32(3)], fma(_S39, near_0[_S30 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(4)][i32(3)] = fma(_S40, near_0[_S35 + i32(3)], fma(_S41, near_0[_S34 + i32(3)], fma(_S42, near_0[_S33 + i32(3)], fma(_S43, near_0[_S30 + i32(3)], sum_0[i32(4)][i32(3)]))));
            sum_0[i32(0)][i32(4)] = fma(_S36, near_0[_S35 + i32(4)], fma(_S37, near_0[_S34 + i32(4)], fma(_S38, near_0[_S33 + i32(4)], fma(_S39, near_0[_S30 + i32(4)], sum_0[i32(0)][i32(4)]))));
            sum_0[i32(4)][i32(4)] = fma(_S40, near_0[_S35 + i32(4)], fma(_S41, near_0[_S34 + i32(4)], fma(_S42, near_0[_S33 + i32(4)], fma(_S43, near_0[_S30 + i32(4)], sum_0[i32(4)][i32(4)]))));
            sum_0[i32(0)][i32(5)] = fma(_S36, near_0[_S35 + i32(5)], fma(_S37, near_0[_S34 + i32(5)], fma(_S38, near_0[_S33 + i32(5)], fma(_S39, near_0[_S30 + i32(5)], sum_0[i32(0)][i32(5)]))));
            sum_0[i32(4)][i32(5)] = fma(_S40, near_0[_S35 + i32(5)], fma(_S41, near_0[_S34 + i32(5)], fma(_S42, near_0[_S33 + i32(5)], fma(_S43, near_0[_S30 + i32(5)], sum_0[i32(4)][i32(5)]))));
            var _S44 : i32 = _S23 + (i32(3) + dx_0) * i32(4) * i32(6);
            var v_1 : array<vec4<f16>, i32(2)>;
            var _S45 : vec4<f16> = pixel_1[i32(1)] + pixel_1[i32(2)];
            v_1[i32(0)] = _S45;
            var _S46 : vec4<f16> = pixel_1[i32(3)] + pixel_1[i32(4)];
            v_1[i32(1)] = _S46;
            var _S47 : i32 = _S44 + i32(6);
            var _S48 : i32 = _S44 + i32(12);
            var _S49 : i32 = _S44 + i32(18);
            var _S50 : vec4<f16> = vec4<f16>(_S45.w);
            var _S51 : vec4<f16> = vec4<f16>(_S45.z);
            var _S52 : vec4<f16> = vec4<f16>(_S45.y);
            var _S53 : vec4<f16> = vec4<f16>(_S45.x);
            sum_0[i32(1)][i32(0)] = fma(_S50, near_0[_S49], fma(_S51, near_0[_S48], fma(_S52, near_0[_S47], fma(_S53, near_0[_S44], sum_0[i32(1)][i32(0)]))));
            var _S54 : vec4<f16> = vec4<f16>(_S46.w);
            var _S55 : vec4<f16> = vec4<f16>(_S46.z);
            var _S56 : vec4<f16> = vec4<f16>(_S46.y);
            var _S57 : vec4<f16> = vec4<f16>(_S46.x);
            sum_0[i32(5)][i32(0)] = fma(_S54, near_0[_S49], fma(_S55, near_0[_S48], fma(_S56, near_0[_S47], fma(_S57, near_0[_S44], sum_0[i32(5)][i32(0)]))));
            sum_0[i32(1)][i32(1)] = fma(_S50, near_0[_S49 + i32(1)], fma(_S51, near_0[_S48 + i32(1)], fma(_S52, near_0[_S47 + i32(1)], fma(_S53, near_0[_S44 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(5)][i32(1)] = fma(_S54, near_0[_S49 + i32(1)], fma(_S55, near_0[_S48 + i32(1)], fma(_S56, near_0[_S47 + i32(1)], fma(_S57, near_0[_S44 + i32(1)], sum_0[i32(5)][i32(1)]))));
            sum_0[i32(1)][i32(2)] = fma(_S50, near_0[_S49 + i32(2)], fma(_S51, near_0[_S48 + i32(2)], fma(_S52, near_0[_S47 + i32(2)], fma(_S53, near_0[_S44 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(5)][i32(2)] = fma(_S54, near_0[_S49 + i32(2)], fma(_S55, near_0[_S48 + i32(2)], fma(_S56, near_0[_S47 + i32(2)], fma(_S57, near_0[_S44 + i32(2)], sum_0[i32(5)][i32(2)]))));
            sum_0[i32(1)][i32(3)] = fma(_S50, near_0[_S49 + i32(3)], fma(_S51, near_0[_S48 + i32(3)], fma(_S52, near_0[_S47 + i32(3)], fma(_S53, near_0[_S44 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(5)][i32(3)] = fma(_S54, near_0[_S49 + i32(3)], fma(_S55, near_0[_S48 + i32(3)], fma(_S56, near_0[_S47 + i32(3)], fma(_S57, near_0[_S44 + i32(3)], sum_0[i32(5)][i32(3)]))));
            sum_0[i32(1)][i32(4)] = fma(_S50, near_0[_S49 + i32(4)], fma(_S51, near_0[_S48 + i32(4)], fma(_S52, near_0[_S47 + i32(4)], fma(_S53, near_0[_S44 + i32(4)], sum_0[i32(1)][i32(4)]))));
            sum_0[i32(5)][i32(4)] = fma(_S54, near_0[_S49 + i32(4)], fma(_S55, near_0[_S48 + i32(4)], fma(_S56, near_0[_S47 + i32(4)], fma(_S57, near_0[_S44 + i32(4)], sum_0[i32(5)][i32(4)]))));
            sum_0[i32(1)][i32(5)] = fma(_S50, near_0[_S49 + i32(5)], fma(_S51, near_0[_S48 + i32(5)], fma(_S52, near_0[_S47 + i32(5)], fma(_S53, near_0[_S44 + i32(5)], sum_0[i32(1)][i32(5)]))));
            sum_0[i32(5)][i32(5)] = fma(_S54, near_0[_S49 + i32(5)], fma(_S55, near_0[_S48 + i32(5)], fma(_S56, near_0[_S47 + i32(5)], fma(_S57, near_0[_S44 + i32(5)], sum_0[i32(5)][i32(5)]))));
            var _S58 : i32 = _S23 + (i32(6) + dx_0) * i32(4) * i32(6);
            var v_2 : array<vec4<f16>, i32(2)>;
            var _S59 : vec4<f16> = pixel_1[i32(2)] - pixel_1[i32(1)];
            v_2[i32(0)] = _S59;
            var _S60 : vec4<f16> = pixel_1[i32(4)] - pixel_1[i32(3)];
            v_2[i32(1)] = _S60;
            var _S61 : i32 = _S58 + i32(6);
            var _S62 : i32 = _S58 + i32(12);
            var _S63 : i32 = _S58 + i32(18);
            var _S64 : vec4<f16> = vec4<f16>(_S59.w);
            var _S65 : vec4<f16> = vec4<f16>(_S59.z);
            var _S66 : vec4<f16> = vec4<f16>(_S59.y);
            var _S67 : vec4<f16> = vec4<f16>(_S59.x);
            sum_0[i32(2)][i32(0)] = fma(_S64, near_0[_S63], fma(_S65, near_0[_S62], fma(_S66, near_0[_S61], fma(_S67, near_0[_S58], sum_0[i32(2)][i32(0)]))));
            var _S68 : vec4<f16> = vec4<f16>(_S60.w);
            var _S69 : vec4<f16> = vec4<f16>(_S60.z);
            var _S70 : vec4<f16> = vec4<f16>(_S60.y);
            var _S71 : vec4<f16> = vec4<f16>(_S60.x);
            sum_0[i32(6)][i32(0)] = fma(_S68, near_0[_S63], fma(_S69, near_0[_S62], fma(_S70, near_0[_S61], fma(_S71, near_0[_S58], sum_0[i32(6)][i32(0)]))));
            sum_0[i32(2)][i32(1)] = fma(_S64, near_0[_S63 + i32(1)], fma(_S65, near_0[_S62 + i32(1)], fma(_S66, near_0[_S61 + i32(1)], fma(_S67, near_0[_S58 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(6)][i32(1)] = fma(_S68, near_0[_S63 + i32(1)], fma(_S69, near_0[_S62 + i32(1)], fma(_S70, near_0[_S61 + i32(1)], fma(_S71, near_0[_S58 + i32(1)], sum_0[i32(6)][i32(1)]))));
            sum_0[i32(2)][i32(2)] = fma(_S64, near_0[_S63 + i32(2)], fma(_S65, near_0[_S62 + i32(2)], fma(_S66, near_0[_S61 + i32(2)], fma(_S67, near_0[_S58 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(6)][i32(2)] = fma(_S68, near_0[_S63 + i32(2)], fma(_S69, near_0[_S62 + i32(2)], fma(_S70, near_0[_S61 + i32(2)], fma(_S71, near_0[_S58 + i32(2)], sum_0[i32(6)][i32(2)]))));
            sum_0[i32(2)][i32(3)] = fma(_S64, near_0[_S63 + i32(3)], fma(_S65, near_0[_S62 + i32(3)], fma(_S66, near_0[_S61 + i32(3)], fma(_S67, near_0[_S58 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(6)][i32(3)] = fma(_S68, near_0[_S63 + i32(3)], fma(_S69, near_0[_S62 + i32(3)], fma(_S70, near_0[_S61 + i32(3)], fma(_S71, near_0[_S58 + i32(3)], sum_0[i32(6)][i32(3)]))));
            sum_0[i32(2)][i32(4)] = fma(_S64, near_0[_S63 + i32(4)], fma(_S65, near_0[_S62 + i32(4)], fma(_S66, near_0[_S61 + i32(4)], fma(_S67, near_0[_S58 + i32(4)], sum_0[i32(2)][i32(4)]))));
            sum_0[i32(6)][i32(4)] = fma(_S68, near_0[_S63 + i32(4)], fma(_S69, near_0[_S62 + i32(4)], fma(_S70, near_0[_S61 + i32(4)], fma(_S71, near_0[_S58 + i32(4)], sum_0[i32(6)][i32(4)]))));
            sum_0[i32(2)][i32(5)] = fma(_S64, near_0[_S63 + i32(5)], fma(_S65, near_0[_S62 + i32(5)], fma(_S66, near_0[_S61 + i32(5)], fma(_S67, near_0[_S58 + i32(5)], sum_0[i32(2)][i32(5)]))));
            sum_0[i32(6)][i32(5)] = fma(_S68, near_0[_S63 + i32(5)], fma(_S69, near_0[_S62 + i32(5)], fma(_S70, near_0[_S61 + i32(5)], fma(_S71, near_0[_S58 + i32(5)], sum_0[i32(6)][i32(5)]))));
            var _S72 : i32 = _S23 + (i32(9) + dx_0) * i32(4) * i32(6);
            var v_3 : array<vec4<f16>, i32(2)>;
            var _S73 : vec4<f16> = pixel_1[i32(1)] - pixel_1[i32(3)];
            v_3[i32(0)] = _S73;
            var _S74 : vec4<f16> = pixel_1[i32(3)] - pixel_1[i32(5)];
            v_3[i32(1)] = _S74;
            var _S75 : i32 = _S72 + i32(6);
            var _S76 : i32 = _S72 + i32(12);
            var _S77 : i32 = _S72 + i32(18);
            var _S78 : vec4<f16> = vec4<f16>(_S73.w);
            var _S79 : vec4<f16> = vec4<f16>(_S73.z);
            var _S80 : vec4<f16> = vec4<f16>(_S73.y);
            var _S81 : vec4<f16> = vec4<f16>(_S73.x);
            sum_0[i32(3)][i32(0)] = fma(_S78, near_0[_S77], fma(_S79, near_0[_S76], fma(_S80, near_0[_S75], fma(_S81, near_0[_S72], sum_0[i32(3)][i32(0)]))));
            var _S82 : vec4<f16> = vec4<f16>(_S74.w);
            var _S83 : vec4<f16> = vec4<f16>(_S74.z);
            var _S84 : vec4<f16> = vec4<f16>(_S74.y);
            var _S85 : vec4<f16> = vec4<f16>(_S74.x);
            sum_0[i32(7)][i32(0)] = fma(_S82, near_0[_S77], fma(_S83, near_0[_S76], fma(_S84, near_0[_S75], fma(_S85, near_0[_S72], sum_0[i32(7)][i32(0)]))));
            sum_0[i32(3)][i32(1)] = fma(_S78, near_0[_S77 + i32(1)], fma(_S79, near_0[_S76 + i32(1)], fma(_S80, near_0[_S75 + i32(1)], fma(_S81, near_0[_S72 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(7)][i32(1)] = fma(_S82, near_0[_S77 + i32(1)], fma(_S83, near_0[_S76 + i32(1)], fma(_S84, near_0[_S75 + i32(1)], fma(_S85, near_0[_S72 + i32(1)], sum_0[i32(7)][i32(1)]))));
            sum_0[i32(3)][i32(2)] = fma(_S78, near_0[_S77 + i32(2)], fma(_S79, near_0[_S76 + i32(2)], fma(_S80, near_0[_S75 + i32(2)], fma(_S81, near_0[_S72 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(7)][i32(2)] = fma(_S82, near_0[_S77 + i32(2)], fma(_S83, near_0[_S76 + i32(2)], fma(_S84, near_0[_S75 + i32(2)], fma(_S85, near_0[_S72 + i32(2)], sum_0[i32(7)][i32(2)]))));
            sum_0[i32(3)][i32(3)] = fma(_S78, near_0[_S77 + i32(3)], fma(_S79, near_0[_S76 + i32(3)], fma(_S80, near_0[_S75 + i32(3)], fma(_S81, near_0[_S72 + i32(3)], sum_0[i32(3)][i32(3)]))));
            sum_0[i32(7)][i32(3)] = fma(_S82, near_0[_S77 + i32(3)], fma(_S83, near_0[_S76 + i32(3)], fma(_S84, near_0[_S75 + i32(3)], fma(_S85, near_0[_S72 + i32(3)], sum_0[i32(7)][i32(3)]))));
            sum_0[i32(3)][i32(4)] = fma(_S78, near_0[_S77 + i32(4)], fma(_S79, near_0[_S76 + i32(4)], fma(_S80, near_0[_S75 + i32(4)], fma(_S81, near_0[_S72 + i32(4)], sum_0[i32(3)][i32(4)]))));
            sum_0[i32(7)][i32(4)] = fma(_S82, near_0[_S77 + i32(4)], fma(_S83, near_0[_S76 + i32(4)], fma(_S84, near_0[_S75 + i32(4)], fma(_S85, near_0[_S72 + i32(4)], sum_0[i32(7)][i32(4)]))));
            sum_0[i32(3)][i32(5)] = fma(_S78, near_0[_S77 + i32(5)], fma(_S79, near_0[_S76 + i32(5)], fma(_S80, near_0[_S75 + i32(5)], fma(_S81, near_0[_S72 + i32(5)], sum_0[i32(3)][i32(5)]))));
            sum_0[i32(7)][i32(5)] = fma(_S82, near_0[_S77 + i32(5)], fma(_S83, near_0[_S76 + i32(5)], fma(_S84, near_0[_S75 + i32(5)], fma(_S85, near_0[_S72 + i32(5)], sum_0[i32(7)][i32(5)]))));
            dx_0 = _S26;
        }
        if(_S18)
        {
            near_0[i32(288) - _S23 + _S17] = brought_0[i32(0)];
        }
        if(_S19)
        {
            near_0[i32(288) - _S23 + at_0] = brought_0[i32(1)];
        }
        if(_S20)
        {
            near_0[i32(288) - _S23 + at_1] = brought_0[i32(2)];
        }
        piece_2 = _S21;
    }
    var _S86 : i32 = _S9 * i32(6);
    store_0(x_1, _S8, _S86, vec4<f32>(sum_0[i32(0)][i32(0)]) + vec4<f32>(sum_0[i32(1)][i32(0)]) + vec4<f32>(sum_0[i32(2)][i32(0)]));
    var _S87 : i32 = _S8 + i32(1);
    store_0(x_1, _S87, _S86, vec4<f32>(sum_0[i32(1)][i32(0)]) - vec4<f32>(sum_0[i32(2)][i32(0)]) - vec4<f32>(sum_0[i32(3)][i32(0)]));
    var _S88 : i32 = _S8 + i32(2);
    store_0(x_1, _S88, _S86, vec4<f32>(sum_0[i32(4)][i32(0)]) + vec4<f32>(sum_0[i32(5)][i32(0)]) + vec4<f32>(sum_0[i32(6)][i32(0)]));
    var _S89 : i32 = _S88 + i32(1);
    store_0(x_1, _S89, _S86, vec4<f32>(sum_0[i32(5)][i32(0)]) - vec4<f32>(sum_0[i32(6)][i32(0)]) - vec4<f32>(sum_0[i32(7)][i32(0)]));
    var _S90 : i32 = _S86 + i32(1);
    store_0(x_1, _S8, _S90, vec4<f32>(sum_0[i32(0)][i32(1)]) + vec4<f32>(sum_0[i32(1)][i32(1)]) + vec4<f32>(sum_0[i32(2)][i32(1)]));
    store_0(x_1, _S87, _S90, vec4<f32>(sum_0[i32(1)][i32(1)]) - vec4<f32>(sum_0[i32(2)][i32(1)]) - vec4<f32>(sum_0[i32(3)][i32(1)]));
    store_0(x_1, _S88, _S90, vec4<f32>(sum_0[i32(4)][i32(1)]) + vec4<f32>(sum_0[i32(5)][i32(1)]) + vec4<f32>(sum_0[i32(6)][i32(1)]));
    store_0(x_1, _S89, _S90, vec4<f32>(sum_0[i32(5)][i32(1)]) - vec4<f32>(sum_0[i32(6)][i32(1)]) - vec4<f32>(sum_0[i32(7)][i32(1)]));
    var _S91 : i32 = _S86 + i32(2);
    store_0(x_1, _S8, _S91, vec4<f32>(sum_0[i32(0)][i32(2)]) + vec4<f32>(sum_0[i32(1)][i32(2)]) + vec4<f32>(sum_0[i32(2)][i32(2)]));
    store_0(x_1, _S87, _S91, vec4<f32>(sum_0[i32(1)][i32(2)]) - vec4<f32>(sum_0[i32(2)][i32(2)]) - vec4<f32>(sum_0[i32(3)][i32(2)]));
    store_0(x_1, _S88, _S91, vec4<f32>(sum_0[i32(4)][i32(2)]) + vec4<f32>(sum_0[i32(5)][i32(2)]) + vec4<f32>(sum_0[i32(6)][i32(2)]));
    store_0(x_1, _S89, _S91, vec4<f32>(sum_0[i32(5)][i32(2)]) - vec4<f32>(sum_0[i32(6)][i32(2)]) - vec4<f32>(sum_0[i32(7)][i32(2)]));
    var _S92 : i32 = _S86 + i32(3);
    store_0(x_1, _S8, _S92, vec4<f32>(sum_0[i32(0)][i32(3)]) + vec4<f32>(sum_0[i32(1)][i32(3)]) + vec4<f32>(sum_0[i32(2)][i32(3)]));
    store_0(x_1, _S87, _S92, vec4<f32>(sum_0[i32(1)][i32(3)]) - vec4<f32>(sum_0[i32(2)][i32(3)]) - vec4<f32>(sum_0[i32(3)][i32(3)]));
    store_0(x_1, _S88, _S92, vec4<f32>(sum_0[i32(4)][i32(3)]) + vec4<f32>(sum_0[i32(5)][i32(3)]) + vec4<f32>(sum_0[i32(6)][i32(3)]));
    store_0(x_1, _S89, _S92, vec4<f32>(sum_0[i32(5)][i32(3)]) - vec4<f32>(sum_0[i32(6)][i32(3)]) - vec4<f32>(sum_0[i32(7)][i32(3)]));
    var _S93 : i32 = _S86 + i32(4);
    store_0(x_1, _S8, _S93, vec4<f32>(sum_0[i32(0)][i32(4)]) + vec4<f32>(sum_0[i32(1)][i32(4)]) + vec4<f32>(sum_0[i32(2)][i32(4)]));
    store_0(x_1, _S87, _S93, vec4<f32>(sum_0[i32(1)][i32(4)]) - vec4<f32>(sum_0[i32(2)][i32(4)]) - vec4<f32>(sum_0[i32(3)][i32(4)]));
    store_0(x_1, _S88, _S93, vec4<f32>(sum_0[i32(4)][i32(4)]) + vec4<f32>(sum_0[i32(5)][i32(4)]) + vec4<f32>(sum_0[i32(6)][i32(4)]));
    store_0(x_1, _S89, _S93, vec4<f32>(sum_0[i32(5)][i32(4)]) - vec4<f32>(sum_0[i32(6)][i32(4)]) - vec4<f32>(sum_0[i32(7)][i32(4)]));
    var _S94 : i32 = _S86 + i32(5);
    store_0(x_1, _S8, _S94, vec4<f32>(sum_0[i32(0)][i32(5)]) + vec4<f32>(sum_0[i32(1)][i32(5)]) + vec4<f32>(sum_0[i32(2)][i32(5)]));
    store_0(x_1, _S87, _S94, vec4<f32>(sum_0[i32(1)][i32(5)]) - vec4<f32>(sum_0[i32(2)][i32(5)]) - vec4<f32>(sum_0[i32(3)][i32(5)]));
    store_0(x_1, _S88, _S94, vec4<f32>(sum_0[i32(4)][i32(5)]) + vec4<f32>(sum_0[i32(5)][i32(5)]) + vec4<f32>(sum_0[i32(6)][i32(5)]));
    store_0(x_1, _S89, _S94, vec4<f32>(sum_0[i32(5)][i32(5)]) - vec4<f32>(sum_0[i32(6)][i32(5)]) - vec4<f32>(sum_0[i32(7)][i32(5)]));
    return;
}

