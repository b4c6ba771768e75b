// conv.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 3a020a9ce206f097cc97fa40b849432e 976959dfccff1f2cb189a033a8320bbb
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

@binding(0) @group(0) var<storage, read> a_0 : array<f32>;

@binding(0) @group(1) var<storage, read_write> made_0 : array<vec4<f16>>;

var<workgroup> near_0 : array<vec4<f32>, i32(800)>;

fn fetch_0( column_0 : i32,  row_0 : i32,  piece_0 : i32,  pixel_0 : ptr<function, array<vec4<f32>, i32(11)>>)
{
    var last_0 : vec2<i32> = vec2<i32>(Constants_0.in_size_0) - vec2<i32>(i32(1));
    var _S1 : i32 = i32(Constants_0.in_size_0.x);
    var plane_0 : i32 = i32(Constants_0.in_size_0.x * Constants_0.in_size_0.y);
    var _S2 : i32 = piece_0 * plane_0 + clamp(column_0, i32(0), last_0.x);
    var _S3 : i32 = last_0.y;
    var here_0 : i32 = _S2 + clamp(row_0, i32(0), _S3) * _S1;
    var _S4 : i32 = i32(2) * plane_0;
    (*pixel_0)[i32(0)] = vec4<f32>(a_0[here_0], a_0[here_0 + plane_0], a_0[here_0 + _S4], 0.0f);
    var here_1 : i32 = _S2 + clamp(row_0 + i32(1), i32(0), _S3) * _S1;
    (*pixel_0)[i32(1)] = vec4<f32>(a_0[here_1], a_0[here_1 + plane_0], a_0[here_1 + _S4], 0.0f);
    var here_2 : i32 = _S2 + clamp(row_0 + i32(2), i32(0), _S3) * _S1;
    (*pixel_0)[i32(2)] = vec4<f32>(a_0[here_2], a_0[here_2 + plane_0], a_0[here_2 + _S4], 0.0f);
    var here_3 : i32 = _S2 + clamp(row_0 + i32(3), i32(0), _S3) * _S1;
    (*pixel_0)[i32(3)] = vec4<f32>(a_0[here_3], a_0[here_3 + plane_0], a_0[here_3 + _S4], 0.0f);
    var here_4 : i32 = _S2 + clamp(row_0 + i32(4), i32(0), _S3) * _S1;
    (*pixel_0)[i32(4)] = vec4<f32>(a_0[here_4], a_0[here_4 + plane_0], a_0[here_4 + _S4], 0.0f);
    var here_5 : i32 = _S2 + clamp(row_0 + i32(5), i32(0), _S3) * _S1;
    (*pixel_0)[i32(5)] = vec4<f32>(a_0[here_5], a_0[here_5 + plane_0], a_0[here_5 + _S4], 0.0f);
    var here_6 : i32 = _S2 + clamp(row_0 + i32(6), i32(0), _S3) * _S1;
    (*pixel_0)[i32(6)] = vec4<f32>(a_0[here_6], a_0[here_6 + plane_0], a_0[here_6 + _S4], 0.0f);
    var here_7 : i32 = _S2 + clamp(row_0 + i32(7), i32(0), _S3) * _S1;
    (*pixel_0)[i32(7)] = vec4<f32>(a_0[here_7], a_0[here_7 + plane_0], a_0[here_7 + _S4], 0.0f);
    var here_8 : i32 = _S2 + clamp(row_0 + i32(8), i32(0), _S3) * _S1;
    (*pixel_0)[i32(8)] = vec4<f32>(a_0[here_8], a_0[here_8 + plane_0], a_0[here_8 + _S4], 0.0f);
    var here_9 : i32 = _S2 + clamp(row_0 + i32(9), i32(0), _S3) * _S1;
    (*pixel_0)[i32(9)] = vec4<f32>(a_0[here_9], a_0[here_9 + plane_0], a_0[here_9 + _S4], 0.0f);
    var here_10 : i32 = _S2 + clamp(row_0 + i32(10), i32(0), _S3) * _S1;
    (*pixel_0)[i32(10)] = vec4<f32>(a_0[here_10], a_0[here_10 + plane_0], a_0[here_10 + _S4], 0.0f);
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
    var _S5 : i32 = i32(id_0.x);
    var down_0 : i32 = _S5 / width_0;
    var x_1 : i32 = _S5 - down_0 * width_0;
    var _S6 : i32 = min(down_0 * i32(4), height_0 - i32(4));
    var column_1 : i32 = x_1 * i32(2) - i32(Constants_0.pad_0);
    var row_1 : i32 = _S6 * i32(2) - i32(Constants_0.pad_0);
    var pieces_0 : i32 = i32(Constants_0.a_pieces_0 + Constants_0.b_pieces_0);
    var _S7 : i32 = i32(id_0.z);
    var from_0 : i32 = i32(Constants_0.first_weight_0) + _S7 * (i32(4) + pieces_0 * i32(400));
    var pixel_1 : array<vec4<f32>, i32(11)>;
    var next_0 : array<vec4<f32>, i32(11)>;
    var brought_0 : array<vec4<f32>, i32(4)>;
    var _S8 : vec4<f32> = weights_0[from_0];
    var sum_0 : array<array<vec4<f32>, i32(4)>, i32(4)>;
    sum_0[i32(0)][i32(0)] = _S8;
    sum_0[i32(1)][i32(0)] = _S8;
    sum_0[i32(2)][i32(0)] = _S8;
    sum_0[i32(3)][i32(0)] = _S8;
    var _S9 : vec4<f32> = weights_0[from_0 + i32(1)];
    sum_0[i32(0)][i32(1)] = _S9;
    sum_0[i32(1)][i32(1)] = _S9;
    sum_0[i32(2)][i32(1)] = _S9;
    sum_0[i32(3)][i32(1)] = _S9;
    var _S10 : vec4<f32> = weights_0[from_0 + i32(2)];
    sum_0[i32(0)][i32(2)] = _S10;
    sum_0[i32(1)][i32(2)] = _S10;
    sum_0[i32(2)][i32(2)] = _S10;
    sum_0[i32(3)][i32(2)] = _S10;
    var _S11 : vec4<f32> = weights_0[from_0 + i32(3)];
    sum_0[i32(0)][i32(3)] = _S11;
    sum_0[i32(1)][i32(3)] = _S11;
    sum_0[i32(2)][i32(3)] = _S11;
    sum_0[i32(3)][i32(3)] = _S11;
    var _S12 : i32 = i32(thread_0);
    var from_1 : i32 = from_0 + (i32(4) + _S12);
    var _S13 : bool = _S12 < i32(400);
    if(_S13)
    {
        near_0[_S12] = weights_0[from_1];
    }
    var at_0 : i32 = i32(128) + _S12;
    var _S14 : bool = at_0 < i32(400);
    if(_S14)
    {
        near_0[at_0] = weights_0[from_1 + i32(128)];
    }
    var at_1 : i32 = i32(256) + _S12;
    var _S15 : bool = at_1 < i32(400);
    if(_S15)
    {
        near_0[at_1] = weights_0[from_1 + i32(256)];
    }
    var at_2 : i32 = i32(384) + _S12;
    var _S16 : bool = at_2 < i32(400);
    if(_S16)
    {
        near_0[at_2] = weights_0[from_1 + i32(384)];
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
        var _S19 : i32 = ((piece_2 & (i32(1)))) * i32(400);
        var _S20 : i32 = from_1 + _S18 * i32(400);
        var _S21 : i32 = i32(399) - _S12;
        brought_0[i32(0)] = weights_0[_S20 + min(i32(0), _S21)];
        brought_0[i32(1)] = weights_0[_S20 + min(i32(128), _S21)];
        brought_0[i32(2)] = weights_0[_S20 + min(i32(256), _S21)];
        brought_0[i32(3)] = weights_0[_S20 + min(i32(384), _S21)];
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
            pixel_1[i32(6)] = next_0[i32(6)];
            pixel_1[i32(7)] = next_0[i32(7)];
            pixel_1[i32(8)] = next_0[i32(8)];
            pixel_1[i32(9)] = next_0[i32(9)];
            pixel_1[i32(10)] = next_0[i32(10)];
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
            var _S27 : i32 = _S26 + i32(4);
            var _S28 : i32 = _S26 + i32(8);
            var _S29 : i32 = _S26 + i32(12);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S29], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S28], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S27], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S26], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S29], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S28], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S27], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S26], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S29], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S28], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S27], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S26], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S29], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S28], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S27], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S26], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S28 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S26 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S28 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S26 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S28 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S26 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S29 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S28 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S27 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S26 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S29 + i32(2)], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S28 + i32(2)], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S27 + i32(2)], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S26 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(1)][i32(2)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S29 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S28 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S27 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S26 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(2)][i32(2)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S29 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S28 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S27 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S26 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(3)][i32(2)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S29 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S28 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S27 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S26 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(vec4<f32>(pixel_1[i32(0)].w), near_0[_S29 + i32(3)], fma(vec4<f32>(pixel_1[i32(0)].z), near_0[_S28 + i32(3)], fma(vec4<f32>(pixel_1[i32(0)].y), near_0[_S27 + i32(3)], fma(vec4<f32>(pixel_1[i32(0)].x), near_0[_S26 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(1)][i32(3)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S29 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S28 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S27 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S26 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(2)][i32(3)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S29 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S28 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S27 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S26 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(3)][i32(3)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S29 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S28 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S27 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S26 + i32(3)], sum_0[i32(3)][i32(3)]))));
            var _S30 : i32 = _S19 + (i32(5) + dx_0) * i32(4) * i32(4);
            var _S31 : i32 = _S30 + i32(4);
            var _S32 : i32 = _S30 + i32(8);
            var _S33 : i32 = _S30 + i32(12);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S33], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S32], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S31], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S30], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S33], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S32], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S31], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S30], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S33], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S32], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S31], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S30], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S33], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S32], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S31], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S30], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S33 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S32 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S30 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S33 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S32 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S30 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S33 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S32 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S30 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S33 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S32 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S31 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S30 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S33 + i32(2)], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S32 + i32(2)], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S31 + i32(2)], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S30 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(1)][i32(2)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S33 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S32 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S31 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S30 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(2)][i32(2)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S33 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S32 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S31 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S30 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(3)][i32(2)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S33 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S32 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S31 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S30 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(vec4<f32>(pixel_1[i32(1)].w), near_0[_S33 + i32(3)], fma(vec4<f32>(pixel_1[i32(1)].z), near_0[_S32 + i32(3)], fma(vec4<f32>(pixel_1[i32(1)].y), near_0[_S31 + i32(3)], fma(vec4<f32>(pixel_1[i32(1)].x), near_0[_S30 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(1)][i32(3)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S33 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S32 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S31 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S30 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(2)][i32(3)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S33 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S32 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S31 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S30 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(3)][i32(3)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S33 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S32 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S31 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S30 + i32(3)], sum_0[i32(3)][i32(3)]))));
            var _S34 : i32 = _S19 + (i32(10) + dx_0) * i32(4) * i32(4);
            var _S35 : i32 = _S34 + i32(4);
            var _S36 : i32 = _S34 + i32(8);
            var _S37 : i32 = _S34 + i32(12);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S37], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S36], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S35], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S34], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S37], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S36], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S35], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S34], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S37], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S36], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S35], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S34], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S37], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S36], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S35], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S34], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S37 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S36 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S35 + i32(1)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S34 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S37 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S36 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S35 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S34 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S37 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S36 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S35 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S34 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S37 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S36 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S35 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S34 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S37 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S36 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S35 + i32(2)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S34 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(1)][i32(2)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S37 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S36 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S35 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S34 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(2)][i32(2)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S37 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S36 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S35 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S34 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(3)][i32(2)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S37 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S36 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S35 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S34 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(vec4<f32>(pixel_1[i32(2)].w), near_0[_S37 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].z), near_0[_S36 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].y), near_0[_S35 + i32(3)], fma(vec4<f32>(pixel_1[i32(2)].x), near_0[_S34 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(1)][i32(3)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S37 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S36 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S35 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S34 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(2)][i32(3)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S37 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S36 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S35 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S34 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(3)][i32(3)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S37 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S36 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S35 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S34 + i32(3)], sum_0[i32(3)][i32(3)]))));
            var _S38 : i32 = _S19 + (i32(15) + dx_0) * i32(4) * i32(4);
            var _S39 : i32 = _S38 + i32(4);
            var _S40 : i32 = _S38 + i32(8);
            var _S41 : i32 = _S38 + i32(12);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S41], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S40], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S39], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S38], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S41], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S40], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S39], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S38], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S41], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S40], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S39], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S38], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(9)].w), near_0[_S41], fma(vec4<f32>(pixel_1[i32(9)].z), near_0[_S40], fma(vec4<f32>(pixel_1[i32(9)].y), near_0[_S39], fma(vec4<f32>(pixel_1[i32(9)].x), near_0[_S38], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S41 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S40 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S39 + i32(1)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S38 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S41 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S40 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S39 + i32(1)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S38 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S41 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S40 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S39 + i32(1)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S38 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(9)].w), near_0[_S41 + i32(1)], fma(vec4<f32>(pixel_1[i32(9)].z), near_0[_S40 + i32(1)], fma(vec4<f32>(pixel_1[i32(9)].y), near_0[_S39 + i32(1)], fma(vec4<f32>(pixel_1[i32(9)].x), near_0[_S38 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S41 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S40 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S39 + i32(2)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S38 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(1)][i32(2)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S41 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S40 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S39 + i32(2)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S38 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(2)][i32(2)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S41 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S40 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S39 + i32(2)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S38 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(3)][i32(2)] = fma(vec4<f32>(pixel_1[i32(9)].w), near_0[_S41 + i32(2)], fma(vec4<f32>(pixel_1[i32(9)].z), near_0[_S40 + i32(2)], fma(vec4<f32>(pixel_1[i32(9)].y), near_0[_S39 + i32(2)], fma(vec4<f32>(pixel_1[i32(9)].x), near_0[_S38 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(vec4<f32>(pixel_1[i32(3)].w), near_0[_S41 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].z), near_0[_S40 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].y), near_0[_S39 + i32(3)], fma(vec4<f32>(pixel_1[i32(3)].x), near_0[_S38 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(1)][i32(3)] = fma(vec4<f32>(pixel_1[i32(5)].w), near_0[_S41 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].z), near_0[_S40 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].y), near_0[_S39 + i32(3)], fma(vec4<f32>(pixel_1[i32(5)].x), near_0[_S38 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(2)][i32(3)] = fma(vec4<f32>(pixel_1[i32(7)].w), near_0[_S41 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].z), near_0[_S40 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].y), near_0[_S39 + i32(3)], fma(vec4<f32>(pixel_1[i32(7)].x), near_0[_S38 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(3)][i32(3)] = fma(vec4<f32>(pixel_1[i32(9)].w), near_0[_S41 + i32(3)], fma(vec4<f32>(pixel_1[i32(9)].z), near_0[_S40 + i32(3)], fma(vec4<f32>(pixel_1[i32(9)].y), near_0[_S39 + i32(3)], fma(vec4<f32>(pixel_1[i32(9)].x), near_0[_S38 + i32(3)], sum_0[i32(3)][i32(3)]))));
            var _S42 : i32 = _S19 + (i32(20) + dx_0) * i32(4) * i32(4);
            var _S43 : i32 = _S42 + i32(4);
            var _S44 : i32 = _S42 + i32(8);
            var _S45 : i32 = _S42 + i32(12);
            sum_0[i32(0)][i32(0)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S45], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S44], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S43], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S42], sum_0[i32(0)][i32(0)]))));
            sum_0[i32(1)][i32(0)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S45], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S44], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S43], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S42], sum_0[i32(1)][i32(0)]))));
            sum_0[i32(2)][i32(0)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S45], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S44], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S43], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S42], sum_0[i32(2)][i32(0)]))));
            sum_0[i32(3)][i32(0)] = fma(vec4<f32>(pixel_1[i32(10)].w), near_0[_S45], fma(vec4<f32>(pixel_1[i32(10)].z), near_0[_S44], fma(vec4<f32>(pixel_1[i32(10)].y), near_0[_S43], fma(vec4<f32>(pixel_1[i32(10)].x), near_0[_S42], sum_0[i32(3)][i32(0)]))));
            sum_0[i32(0)][i32(1)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S45 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S44 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S43 + i32(1)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S42 + i32(1)], sum_0[i32(0)][i32(1)]))));
            sum_0[i32(1)][i32(1)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S45 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S44 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S43 + i32(1)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S42 + i32(1)], sum_0[i32(1)][i32(1)]))));
            sum_0[i32(2)][i32(1)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S45 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S44 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S43 + i32(1)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S42 + i32(1)], sum_0[i32(2)][i32(1)]))));
            sum_0[i32(3)][i32(1)] = fma(vec4<f32>(pixel_1[i32(10)].w), near_0[_S45 + i32(1)], fma(vec4<f32>(pixel_1[i32(10)].z), near_0[_S44 + i32(1)], fma(vec4<f32>(pixel_1[i32(10)].y), near_0[_S43 + i32(1)], fma(vec4<f32>(pixel_1[i32(10)].x), near_0[_S42 + i32(1)], sum_0[i32(3)][i32(1)]))));
            sum_0[i32(0)][i32(2)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S45 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S44 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S43 + i32(2)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S42 + i32(2)], sum_0[i32(0)][i32(2)]))));
            sum_0[i32(1)][i32(2)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S45 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S44 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S43 + i32(2)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S42 + i32(2)], sum_0[i32(1)][i32(2)]))));
            sum_0[i32(2)][i32(2)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S45 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S44 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S43 + i32(2)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S42 + i32(2)], sum_0[i32(2)][i32(2)]))));
            sum_0[i32(3)][i32(2)] = fma(vec4<f32>(pixel_1[i32(10)].w), near_0[_S45 + i32(2)], fma(vec4<f32>(pixel_1[i32(10)].z), near_0[_S44 + i32(2)], fma(vec4<f32>(pixel_1[i32(10)].y), near_0[_S43 + i32(2)], fma(vec4<f32>(pixel_1[i32(10)].x), near_0[_S42 + i32(2)], sum_0[i32(3)][i32(2)]))));
            sum_0[i32(0)][i32(3)] = fma(vec4<f32>(pixel_1[i32(4)].w), near_0[_S45 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].z), near_0[_S44 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].y), near_0[_S43 + i32(3)], fma(vec4<f32>(pixel_1[i32(4)].x), near_0[_S42 + i32(3)], sum_0[i32(0)][i32(3)]))));
            sum_0[i32(1)][i32(3)] = fma(vec4<f32>(pixel_1[i32(6)].w), near_0[_S45 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].z), near_0[_S44 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].y), near_0[_S43 + i32(3)], fma(vec4<f32>(pixel_1[i32(6)].x), near_0[_S42 + i32(3)], sum_0[i32(1)][i32(3)]))));
            sum_0[i32(2)][i32(3)] = fma(vec4<f32>(pixel_1[i32(8)].w), near_0[_S45 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].z), near_0[_S44 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].y), near_0[_S43 + i32(3)], fma(vec4<f32>(pixel_1[i32(8)].x), near_0[_S42 + i32(3)], sum_0[i32(2)][i32(3)]))));
            sum_0[i32(3)][i32(3)] = fma(vec4<f32>(pixel_1[i32(10)].w), near_0[_S45 + i32(3)], fma(vec4<f32>(pixel_1[i32(10)].z), near_0[_S44 + i32(3)], fma(vec4<f32>(pixel_1[i32(10)].y), near_0[_S43 + i32(3)], fma(vec4<f32>(pixel_1[i32(10)].x), near_0[_S42 + i32(3)], sum_0[i32(3)][i32(3)]))));
            dx_0 = _S22;
        }
        if(_S13)
        {
            near_0[i32(400) - _S19 + _S12] = brought_0[i32(0)];
        }
        if(_S14)
        {
            near_0[i32(400) - _S19 + at_0] = brought_0[i32(1)];
        }
        if(_S15)
        {
            near_0[i32(400) - _S19 + at_1] = brought_0[i32(2)];
        }
        if(_S16)
        {
            near_0[i32(400) - _S19 + at_2] = brought_0[i32(3)];
        }
        piece_2 = _S17;
    }
    var _S46 : i32 = _S7 * i32(4);
    store_0(x_1, _S6, _S46, sum_0[i32(0)][i32(0)]);
    var _S47 : i32 = _S6 + i32(1);
    store_0(x_1, _S47, _S46, sum_0[i32(1)][i32(0)]);
    var _S48 : i32 = _S6 + i32(2);
    store_0(x_1, _S48, _S46, sum_0[i32(2)][i32(0)]);
    var _S49 : i32 = _S6 + i32(3);
    store_0(x_1, _S49, _S46, sum_0[i32(3)][i32(0)]);
    var _S50 : i32 = _S46 + i32(1);
    store_0(x_1, _S6, _S50, sum_0[i32(0)][i32(1)]);
    store_0(x_1, _S47, _S50, sum_0[i32(1)][i32(1)]);
    store_0(x_1, _S48, _S50, sum_0[i32(2)][i32(1)]);
    store_0(x_1, _S49, _S50, sum_0[i32(3)][i32(1)]);
    var _S51 : i32 = _S46 + i32(2);
    store_0(x_1, _S6, _S51, sum_0[i32(0)][i32(2)]);
    store_0(x_1, _S47, _S51, sum_0[i32(1)][i32(2)]);
    store_0(x_1, _S48, _S51, sum_0[i32(2)][i32(2)]);
    store_0(x_1, _S49, _S51, sum_0[i32(3)][i32(2)]);
    var _S52 : i32 = _S46 + i32(3);
    store_0(x_1, _S6, _S52, sum_0[i32(0)][i32(3)]);
    store_0(x_1, _S47, _S52, sum_0[i32(1)][i32(3)]);
    store_0(x_1, _S48, _S52, sum_0[i32(2)][i32(3)]);
    store_0(x_1, _S49, _S52, sum_0[i32(3)][i32(3)]);
    return;
}

