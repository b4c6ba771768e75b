// relief_smooth.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// 0087ff9ce1b860305b8475169b8838bf 33348ba7f1d58dbb7147156a59ff2b1b
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
@binding(0) @group(0) var<storage, read> sums_0 : array<u32>;

@binding(0) @group(1) var made_0 : texture_storage_2d<r32float, write>;

@id(0) override RADIUS_0 : i32 = i32(0);

fn value_at_0( at_0 : vec2<i32>) -> f32
{
    return f32(sums_0[u32(at_0.y) * Constants_0.cells_0.x + u32(at_0.x)]) / (8.388608e+06f * f32(Constants_0.cell_px_0 * Constants_0.cell_px_0));
}

var<workgroup> wide_0 : array<f32, i32(2640)>;

fn weight_of_0( k_0 : u32) -> f32
{
    return Constants_0.gauss_0[k_0 / u32(4)][k_0 % u32(4)];
}

var<workgroup> narrow_0 : array<f32, i32(1408)>;

@compute
@workgroup_size(32, 8, 1)
fn main(@builtin(workgroup_id) group_0 : vec3<u32>, @builtin(local_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var k_1 : u32;
    var sum_0 : f32;
    var _S1 : u32;
    var _S2 : u32;
    var _S3 : i32;
    var _S4 : i32;
    var _S5 : bool;
    var _S6 : vec2<i32> = vec2<i32>(group_0.xy) * vec2<i32>(i32(32), i32(16));
    var _S7 : vec2<i32> = vec2<i32>(Constants_0.cells_0) - vec2<i32>(i32(1));
    var n_0 : u32 = u32(0);
    for(;;)
    {
        if(n_0 < u32((i32(32) + i32(2) * RADIUS_0) * (i32(16) + i32(2) * RADIUS_0)))
        {
        }
        else
        {
            break;
        }
        var i_0 : u32 = thread_0 + n_0;
        var _S8 : u32 = i_0 % u32(i32(32) + i32(2) * RADIUS_0);
        var _S9 : i32 = i32(_S8);
        var _S10 : u32 = i_0 / u32(i32(32) + i32(2) * RADIUS_0);
        var value_0 : f32 = value_at_0(clamp(_S6 + vec2<i32>(_S9, i32(_S10)) - vec2<i32>(RADIUS_0), vec2<i32>(i32(0), i32(0)), _S7));
        if(i_0 < u32((i32(32) + i32(2) * RADIUS_0) * (i32(16) + i32(2) * RADIUS_0)))
        {
            wide_0[i_0] = value_0;
        }
        n_0 = n_0 + u32(256);
    }
    workgroupBarrier();
    var m_0 : u32 = u32(0);
    for(;;)
    {
        if(m_0 < u32(i32(32) * (i32(16) + i32(2) * RADIUS_0)))
        {
        }
        else
        {
            break;
        }
        var i_1 : u32 = thread_0 + m_0;
        var _S11 : u32 = i_1 / u32(32) * u32(i32(32) + i32(2) * RADIUS_0) + i_1 % u32(32);
        if(i_1 < u32(i32(32) * (i32(16) + i32(2) * RADIUS_0)))
        {
            k_1 = u32(0);
            sum_0 = 0.0f;
            for(;;)
            {
                if(k_1 <= u32(i32(2) * RADIUS_0))
                {
                }
                else
                {
                    break;
                }
                var sum_1 : f32 = sum_0 + weight_of_0(k_1) * wide_0[_S11 + k_1];
                k_1 = k_1 + u32(1);
                sum_0 = sum_1;
            }
            narrow_0[i_1] = sum_0;
        }
        m_0 = m_0 + u32(256);
    }
    workgroupBarrier();
    for(;;)
    {
        for(;;)
        {
            for(;;)
            {
                var _S12 : u32 = id_0.y;
                _S1 = _S12;
                var _S13 : u32 = _S12 * u32(32);
                var _S14 : u32 = id_0.x;
                _S2 = _S14;
                var _S15 : u32 = _S13 + _S14;
                k_1 = u32(0);
                sum_0 = 0.0f;
                for(;;)
                {
                    if(k_1 <= u32(i32(2) * RADIUS_0))
                    {
                    }
                    else
                    {
                        break;
                    }
                    var sum_2 : f32 = sum_0 + weight_of_0(k_1) * narrow_0[_S15 + u32(32) * k_1];
                    k_1 = k_1 + u32(1);
                    sum_0 = sum_2;
                }
                var _S16 : i32 = i32(_S14);
                _S3 = _S16;
                var at_1 : vec2<i32> = _S6 + vec2<i32>(_S16, i32(_S12));
                var _S17 : i32 = at_1.x;
                var _S18 : i32 = _S7.x;
                _S4 = _S18;
                if(_S17 <= _S18)
                {
                    _S5 = (at_1.y) <= (_S7.y);
                }
                else
                {
                    _S5 = false;
                }
                if(_S5)
                {
                    textureStore((made_0), (vec2<u32>(at_1)), vec4<f32>((sum_0), 0, 0, 1));
                }
                break;
            }
            break;
        }
        for(;;)
        {
            for(;;)
            {
                var _S19 : u32 = _S1 + u32(8);
                var _S20 : u32 = _S19 * u32(32) + _S2;
                k_1 = u32(0);
                sum_0 = 0.0f;
                for(;;)
                {
                    if(k_1 <= u32(i32(2) * RADIUS_0))
                    {
                    }
                    else
                    {
                        break;
                    }
                    var sum_3 : f32 = sum_0 + weight_of_0(k_1) * narrow_0[_S20 + u32(32) * k_1];
                    k_1 = k_1 + u32(1);
                    sum_0 = sum_3;
                }
                var at_2 : vec2<i32> = _S6 + vec2<i32>(_S3, i32(_S19));
                if((at_2.x) <= _S4)
                {
                    _S5 = (at_2.y) <= (_S7.y);
                }
                else
                {
                    _S5 = false;
                }
                if(_S5)
                {
                    textureStore((made_0), (vec2<u32>(at_2)), vec4<f32>((sum_0), 0, 0, 1));
                }
                break;
            }
            break;
        }
        break;
    }
    return;
}

