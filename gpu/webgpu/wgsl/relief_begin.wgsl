// relief_begin.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 11d50e48048c4ed5a0bd4a5afe0ab9f2 01571a265c4d97611df14ccf4a4ebf4a
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) light_0 : vec4<f32>,
    @align(16) half_way_0 : vec4<f32>,
    @align(16) body_most_0 : f32,
    @align(4) thin_0 : f32,
    @align(8) height_0 : f32,
    @align(4) stroke_height_0 : f32,
    @align(16) weave_0 : f32,
    @align(4) cover_0 : f32,
    @align(8) gleam_0 : f32,
    @align(4) gleam_power_0 : f32,
    @align(16) gleam_rest_0 : f32,
    @align(4) pitch_px_0 : f32,
    @align(8) cell_px_0 : u32,
    @align(4) body_luma_0 : f32,
    @align(16) cells_0 : vec2<u32>,
    @align(8) corner_cells_0 : vec2<u32>,
    @align(16) corner_step_0 : vec2<f32>,
    @align(8) brush_0 : f32,
    @align(16) gauss_0 : array<vec4<f32>, i32(9)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) thick_luma_0 : f32,
    @align(4) detail_0 : f32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> painted_0 : array<u32>;

@binding(1) @group(1) var<storage, read_write> not_finite_0 : array<u32>;

@binding(1) @group(0) var<storage, read> fine_0 : array<f32>;

@binding(0) @group(1) var picture_0 : texture_storage_2d<rgba16float, write>;

@binding(2) @group(1) var<storage, read_write> sums_0 : array<atomic<u32>>;

@id(0) override PACKED_0 : i32 = i32(0);

fn not_finite_parts_0( v_0 : vec3<f32>) -> vec3<bool>
{
    var _S1 : vec3<u32> = vec3<u32>(u32(2139095040));
    return (((bitcast<vec3<u32>>((v_0))) & (_S1))) == _S1;
}

fn cleaned_0( v_1 : vec3<f32>) -> vec3<f32>
{
    return select(saturate(v_1), vec3<f32>(0.0f), not_finite_parts_0(v_1));
}

var<workgroup> shades_0 : array<u32, i32(512)>;

fn luma_of_0( v_2 : vec3<f32>) -> f32
{
    return 0.2125999927520752f * v_2.x + 0.71520000696182251f * v_2.y + 0.07220000028610229f * v_2.z;
}

fn shade_of_0( luma_0 : f32,  at_0 : vec2<u32>) -> u32
{
    var more_0 : vec2<u32> = Constants_0.cells_0 * vec2<u32>(Constants_0.cell_px_0) - Constants_0.size_0;
    var _S2 : u32;
    if((at_0.x) == (Constants_0.size_0.x - u32(1)))
    {
        _S2 = u32(1) + more_0.x;
    }
    else
    {
        _S2 = u32(1);
    }
    var _S3 : u32;
    if((at_0.y) == (Constants_0.size_0.y - u32(1)))
    {
        _S3 = u32(1) + more_0.y;
    }
    else
    {
        _S3 = u32(1);
    }
    var times_0 : u32 = _S2 * _S3;
    if((any((at_0 >= (Constants_0.size_0)))))
    {
        _S2 = u32(0);
    }
    else
    {
        _S2 = times_0 * u32(8.388608e+06f * luma_0 + 0.5f);
    }
    return _S2;
}

fn painting_number_0( _S4 : vec2<u32>,  _S5 : u32,  _S6 : vec2<u32>) -> f32
{
    var row_0 : u32 = _S5 * _S6.y + _S4.y;
    if(PACKED_0 == i32(0))
    {
        return (bitcast<f32>((painted_0[row_0 * _S6.x + _S4.x])));
    }
    var _S7 : u32 = _S4.x;
    return f32((((painted_0[row_0 * ((_S6.x + u32(1)) / u32(2)) + _S7 / u32(2)] >> ((u32(16) * (_S7 % u32(2)))))) & (u32(65535)))) / 65535.0f;
}

@compute
@workgroup_size(32, 16, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S8 : vec2<u32> = id_0.xy;
    var _S9 : vec2<u32> = vec2<u32>(u32(1));
    var at_1 : vec2<u32> = min(_S8, Constants_0.size_0 - _S9);
    const _S10 : vec2<u32> = vec2<u32>(u32(32), u32(16));
    var corner_0 : vec2<u32> = group_0.xy * _S10;
    var v_3 : vec3<f32> = vec3<f32>(painting_number_0(at_1, u32(0), Constants_0.painted_size_0), painting_number_0(at_1, u32(1), Constants_0.painted_size_0), painting_number_0(at_1, u32(2), Constants_0.painted_size_0));
    if((any((not_finite_parts_0(v_3)))))
    {
        not_finite_0[i32(0)] = u32(1);
    }
    var v_4 : vec3<f32> = cleaned_0(v_3);
    var v_5 : vec3<f32>;
    if((Constants_0.detail_0) > 0.0f)
    {
        v_5 = v_4 + vec3<f32>((Constants_0.detail_0 * fine_0[at_1.y * Constants_0.size_0.x + at_1.x]));
    }
    else
    {
        v_5 = v_4;
    }
    var v_6 : vec3<f32> = saturate(v_5);
    if((all((_S8 < (Constants_0.size_0)))))
    {
        textureStore((picture_0), (_S8), (vec4<f32>(v_6, 1.0f)));
    }
    shades_0[thread_0] = shade_of_0(luma_of_0(v_6), _S8);
    workgroupBarrier();
    var first_cell_0 : vec2<u32> = corner_0 / vec2<u32>(Constants_0.cell_px_0);
    var most_0 : vec2<u32> = min(corner_0 + _S10, Constants_0.size_0);
    var _S11 : vec2<u32> = (most_0 - _S9) / vec2<u32>(Constants_0.cell_px_0);
    var _S12 : vec2<u32> = _S11 - first_cell_0 + _S9;
    var n_0 : u32 = thread_0;
    for(;;)
    {
        var _S13 : u32 = _S12.x;
        if(n_0 < (_S13 * _S12.y))
        {
        }
        else
        {
            break;
        }
        var _S14 : u32 = n_0 % _S13;
        var _S15 : u32 = n_0 / _S13;
        var cell_0 : vec2<u32> = first_cell_0 + vec2<u32>(_S14, _S15);
        var low_0 : vec2<u32> = max(cell_0 * vec2<u32>(Constants_0.cell_px_0), corner_0);
        var _S16 : vec2<u32> = min((cell_0 + _S9) * vec2<u32>(Constants_0.cell_px_0), most_0);
        var y_0 : u32 = low_0.y;
        var sum_0 : u32 = u32(0);
        for(;;)
        {
            if(y_0 < (_S16.y))
            {
            }
            else
            {
                break;
            }
            var x_0 : u32 = low_0.x;
            for(;;)
            {
                if(x_0 < (_S16.x))
                {
                }
                else
                {
                    break;
                }
                var sum_1 : u32 = sum_0 + shades_0[(y_0 - corner_0.y) * u32(32) + x_0 - corner_0.x];
                x_0 = x_0 + u32(1);
                sum_0 = sum_1;
            }
            y_0 = y_0 + u32(1);
        }
        var _S17 : u32 = atomicAdd(&(sums_0[cell_0.y * Constants_0.cells_0.x + cell_0.x]), sum_0);
        n_0 = n_0 + u32(512);
    }
    return;
}

