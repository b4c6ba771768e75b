/* Which of the compiled versions of the kernels this processor runs. */

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
#else
/* 1: the only version. */
EXPORTED int32_t framebrush_level(void) { return 1; }
#endif
