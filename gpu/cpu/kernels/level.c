/* Which of the compiled versions of the kernels this processor runs, and its instructions for int8. */

#include <stdint.h>

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

#if defined(__x86_64__)
#include <cpuid.h>

/* 3 for x86-64-v3 (AVX2, FMA, BMI) where the system saves its registers, 2 for x86-64-v2 (SSE4.2, POPCNT), else 0. Source:
   the x86-64 psABI, table 3.1; Intel's manual of CPUID and XGETBV. */
EXPORTED int32_t framebrush_level(void) {
    uint32_t a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    const uint32_t v2 = 1u << 20 | 1u << 23 | 1u << 9 | 1u << 13;   /* SSE4.2, POPCNT, SSSE3, CMPXCHG16B */
    const uint32_t v3 = 1u << 28 | 1u << 12 | 1u << 22 | 1u << 29;  /* AVX, FMA, MOVBE, F16C */
    const uint32_t v3_more = 1u << 5 | 1u << 3 | 1u << 8;           /* AVX2, BMI1, BMI2 */
    if ((c & v2) != v2) return 0;
    if (!(c & 1u << 27) || (c & v3) != v3) return 2;                 /* OSXSAVE */
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 2;                                    /* XMM and YMM are saved */
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & v3_more) != v3_more) return 2;
    return 3;
}

/* 1 if products of 8 bits are summed in 32 bits by one instruction (AVX-512 VNNI or AVX-VNNI), which ONNX Runtime uses, else 0.
   Source: Intel's manual of CPUID, leaf 7. */
EXPORTED int32_t framebrush_dot_products(void) {
    uint32_t a, b, c, d, low, high;
    if (framebrush_level() < 3) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    if ((low & 0xe6) == 0xe6 && (b & 1u << 16) && (c & 1u << 11)) return 1;   /* ZMM are saved; AVX-512 F and VNNI */
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}
#else
/* 1: the only version. */
EXPORTED int32_t framebrush_level(void) { return 1; }

/* 1: sums of 8 bits saturate on no other processor. */
EXPORTED int32_t framebrush_dot_products(void) { return 1; }
#endif
