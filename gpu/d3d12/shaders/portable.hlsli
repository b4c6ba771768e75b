// One text for two compilers: D3DCompile takes it as it is, and slangc, for which WGSL is defined, makes WGSL of it. What is read, what is written and the constants count their places from 0 each: registers t, u and b, or the groups 0, 1 and 2 of WGSL.
#ifdef WGSL
// Elements are 32 bits each: float, uint, int and vectors of them.
#define READS(type, name, place) [[vk::binding(place, 0)]] StructuredBuffer<type> name
#define WRITES(type, name, place) [[vk::binding(place, 1)]] RWStructuredBuffer<type> name
// Whole numbers that threads add to at once, and the same of a group. `more` is added to the one at an index; those of a buffer are read by another kernel, as uint.
#define WRITES_COUNTS(name, place) [[vk::binding(place, 1)]] RWStructuredBuffer<Atomic<uint>> name
#define SHARES_COUNTS(name, count) groupshared Atomic<uint> name[count]
#define CLEAR_COUNT(name, index) name[index].store(0)
#define ADD_COUNT(name, index, more) name[index].add(more)
#define COUNT(name, index) name[index].load()
// Pictures. stored: a format of textures that WGSL can write, such as "r32f", "rgba16f" or "rgba32f".
#define READS_PICTURE(type, name, place) [[vk::binding(place, 0)]] Texture2D<type> name
#define WRITES_PICTURE(type, stored, name, place) [[vk::binding(place, 1)]] [format(stored)] WTexture2D<type> name
#define STORE(name, at, value) name.Store(at, value)
// Of constant limits, else slangc refuses it. What it is not asked to unroll it never does.
#define UNROLL [ForceUnroll]
// A define of D3DCompile that needs no text of its own: one WGSL for all values, which are given with the pipeline.
#define OPTION(number, name) [vk::constant_id(number)] const int name = 0;
#else
// READS_0 and so on: StructuredBuffer, or Buffer where views convert other elements to 32 bits, which texture units do and take longer.
#define READS(type, name, place) READS_##place<type> name : register(t##place)
#define WRITES(type, name, place) WRITES_##place<type> name : register(u##place)
#define WRITES_COUNTS(name, place) WRITES_##place<uint> name : register(u##place)
#define SHARES_COUNTS(name, count) groupshared uint name[count]
#define CLEAR_COUNT(name, index) name[index] = 0
#define ADD_COUNT(name, index, more) InterlockedAdd(name[index], more)
#define COUNT(name, index) name[index]
#define READS_PICTURE(type, name, place) Texture2D<type> name : register(t##place)
#define WRITES_PICTURE(type, stored, name, place) RWTexture2D<type> name : register(u##place)
#define STORE(name, at, value) name[at] = value
#define UNROLL [unroll]
#define OPTION(number, name)
#endif
// What gpu/kernels is written with.
#define DEVICE
#define METHOD
#define Rgb float3
#define RGB(r, g, b) float3(r, g, b)
#define EACH(f) float3 f(float3 v) { return float3(f(v.r), f(v.g), f(v.b)); }
