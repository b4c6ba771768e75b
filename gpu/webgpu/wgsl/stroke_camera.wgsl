// stroke_camera.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// c9756c46a2559ca16b9e734c4c8ba382 151b2dd928ed48c0c1113b28c2503d3e
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) size_0 : vec2<u32>,
    @align(8) target_0 : vec2<u32>,
    @align(16) stroke_count_0 : u32,
    @align(4) filled_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) place_0 : u32,
    @align(16) rests_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(0) var<storage, read> found_0 : array<vec4<i32>>;

@binding(0) @group(1) var<storage, read_write> camera_0 : array<vec2<i32>>;

var<workgroup> bins_0 : array<atomic<u32>, i32(2560)>;

var<workgroup> count_0 : array<atomic<u32>, i32(1)>;

var<workgroup> sums_0 : array<u32, i32(64)>;

var<workgroup> median_0 : array<i32, i32(2)>;

@compute
@workgroup_size(512, 1, 1)
fn main(@builtin(local_invocation_index) thread_0 : u32)
{
    var _S1 : bool;
    var _S2 : vec2<u32> = vec2<u32>(u32(16));
    var _S3 : vec2<u32> = (Constants_0.size_0 + _S2 - vec2<u32>(u32(1))) / _S2;
    var k_0 : u32 = thread_0;
    for(;;)
    {
        if(k_0 < u32(2560))
        {
        }
        else
        {
            break;
        }
        atomicStore(&(bins_0[k_0]), u32(0));
        k_0 = k_0 + u32(512);
    }
    var _S4 : bool = thread_0 == u32(0);
    if(_S4)
    {
        atomicStore(&(count_0[i32(0)]), u32(0));
    }
    workgroupBarrier();
    k_0 = thread_0;
    for(;;)
    {
        if(k_0 < (_S3.x * _S3.y))
        {
        }
        else
        {
            break;
        }
        var block_0 : vec4<i32> = found_0[k_0];
        if((((block_0.w) & (i32(5)))) == i32(1))
        {
            var _S5 : u32 = atomicAdd(&(bins_0[u32(block_0.x + i32(640))]), u32(1));
            var _S6 : u32 = atomicAdd(&(bins_0[u32(block_0.y + i32(640) + i32(1280))]), u32(1));
            var _S7 : u32 = atomicAdd(&(count_0[i32(0)]), u32(1));
        }
        k_0 = k_0 + u32(512);
    }
    workgroupBarrier();
    var part_0 : u32;
    if(thread_0 < u32(64))
    {
        k_0 = u32(0);
        part_0 = u32(0);
        for(;;)
        {
            if(k_0 < u32(40))
            {
            }
            else
            {
                break;
            }
            var _S8 : u32 = atomicLoad(&(bins_0[thread_0 * u32(40) + k_0]));
            var sum_0 : u32 = part_0 + _S8;
            k_0 = k_0 + u32(1);
            part_0 = sum_0;
        }
        sums_0[thread_0] = part_0;
    }
    workgroupBarrier();
    if(thread_0 < u32(2))
    {
        var all_0 : u32 = atomicLoad(&(count_0[i32(0)]));
        var _S9 : u32 = (all_0 - u32(1)) / u32(2);
        var _S10 : bool = all_0 > u32(0);
        var bin_0 : u32;
        if(_S10)
        {
            part_0 = u32(0);
            var before_0 : u32 = _S9;
            for(;;)
            {
                if(part_0 < u32(31))
                {
                    _S1 = before_0 >= (sums_0[thread_0 * u32(32) + part_0]);
                }
                else
                {
                    _S1 = false;
                }
                if(_S1)
                {
                }
                else
                {
                    break;
                }
                var before_1 : u32 = before_0 - sums_0[thread_0 * u32(32) + part_0];
                part_0 = part_0 + u32(1);
                before_0 = before_1;
            }
            bin_0 = u32(0);
            for(;;)
            {
                if(bin_0 < u32(39))
                {
                    var _S11 : u32 = atomicLoad(&(bins_0[thread_0 * u32(1280) + part_0 * u32(40) + bin_0]));
                    _S1 = before_0 >= _S11;
                }
                else
                {
                    _S1 = false;
                }
                if(_S1)
                {
                }
                else
                {
                    break;
                }
                var _S12 : u32 = atomicLoad(&(bins_0[thread_0 * u32(1280) + part_0 * u32(40) + bin_0]));
                var before_2 : u32 = before_0 - _S12;
                bin_0 = bin_0 + u32(1);
                before_0 = before_2;
            }
        }
        else
        {
            part_0 = u32(0);
            bin_0 = u32(0);
        }
        var _S13 : i32;
        if(_S10)
        {
            _S13 = i32(part_0 * u32(40) + bin_0) - i32(640);
        }
        else
        {
            _S13 = i32(0);
        }
        median_0[thread_0] = _S13;
    }
    workgroupBarrier();
    if(_S4)
    {
        var moved_0 : vec2<i32> = vec2<i32>(median_0[i32(0)], median_0[i32(1)]);
        var _S14 : vec2<i32>;
        if((max(abs(median_0[i32(0)]), abs(median_0[i32(1)]))) < i32(3))
        {
            _S14 = vec2<i32>(i32(0), i32(0));
        }
        else
        {
            _S14 = moved_0;
        }
        camera_0[i32(0)] = _S14;
    }
    return;
}

