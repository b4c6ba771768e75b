// stroke_offsets.hlsl, made by slangc 2026.14.1. To make it anew: python tools/dev.py shaders
// bb657d66088b5e0fb3467dd7b23b446a 7c2a1a5b5483b34b2fb7188f480f3d57
struct SLANG_ParameterGroup_Constants_std140_0
{
    @align(16) levels_0 : array<vec4<u32>, i32(14)>,
    @align(16) tensors_0 : array<vec4<u32>, i32(5)>,
    @align(16) size_0 : vec2<u32>,
    @align(8) painted_size_0 : vec2<u32>,
    @align(16) film_0 : vec2<u32>,
    @align(8) film_padded_0 : vec2<u32>,
    @align(16) film_step_0 : vec2<f32>,
    @align(8) tiles_0 : vec2<u32>,
    @align(16) corner_cells_0 : vec2<u32>,
    @align(8) corner_step_0 : vec2<f32>,
    @align(16) rest_0 : vec2<f32>,
    @align(8) cells_0 : vec2<u32>,
    @align(16) cell_count_0 : u32,
    @align(4) stroke_count_0 : u32,
    @align(8) layer_count_0 : u32,
    @align(4) need_count_0 : u32,
    @align(16) place_0 : u32,
    @align(4) rests_0 : u32,
    @align(8) cell_px_0 : u32,
    @align(4) most_records_0 : u32,
    @align(16) most_pairs_0 : u32,
    @align(4) tensor_level_0 : u32,
    @align(8) near_level_0 : u32,
    @align(4) ground_level_0 : u32,
    @align(16) around_level_0 : u32,
    @align(4) jitter_0 : f32,
    @align(8) edge_0 : f32,
    @align(4) wet_0 : f32,
    @align(16) per_hair_0 : f32,
    @align(4) brush_0 : f32,
    @align(8) detail_0 : f32,
    @align(16) bare_0 : vec4<f32>,
    @align(16) front_0 : f32,
    @align(4) progress_0 : f32,
    @align(8) covers_0 : u32,
};

@binding(0) @group(2) var<uniform> Constants_0 : SLANG_ParameterGroup_Constants_std140_0;
@binding(0) @group(1) var<storage, read_write> counts_0 : array<u32>;

@binding(1) @group(1) var<storage, read_write> total_0 : array<atomic<u32>>;

var<workgroup> together_0 : array<atomic<u32>, i32(1)>;

var<workgroup> first_0 : u32;

@compute
@workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id_0 : vec3<u32>, @builtin(local_invocation_index) thread_0 : u32)
{
    var _S1 : bool = thread_0 == u32(0);
    if(_S1)
    {
        atomicStore(&(together_0[i32(0)]), u32(0));
    }
    workgroupBarrier();
    var _S2 : u32 = id_0.x;
    var count_0 : u32;
    if(_S2 < (Constants_0.tiles_0.x * Constants_0.tiles_0.y))
    {
        count_0 = counts_0[u32(17) + _S2];
    }
    else
    {
        count_0 = u32(0);
    }
    var mine_0 : u32 = atomicAdd(&(together_0[i32(0)]), count_0);
    workgroupBarrier();
    if(_S1)
    {
        var _S3 : u32 = atomicLoad(&(together_0[i32(0)]));
        var before_0 : u32 = atomicAdd(&(total_0[i32(0)]), _S3);
        first_0 = before_0;
    }
    workgroupBarrier();
    if(_S2 < (Constants_0.tiles_0.x * Constants_0.tiles_0.y))
    {
        counts_0[u32(17) + _S2] = first_0 + mine_0;
        counts_0[u32(17) + Constants_0.tiles_0.x * Constants_0.tiles_0.y + _S2] = first_0 + mine_0;
    }
    return;
}

