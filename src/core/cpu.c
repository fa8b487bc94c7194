/* cpu.c - CPUID and XGETBV on x86-64, the auxiliary vector on 64-bit Arm. */
#include "core/cpu.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

static const char *const names[] = {
    "sse2",     "ssse3",    "avx",      "f16c",     "fma",         "avx2",        "avx_vnni",
    "avx512f",  "avx512dq", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16",
    "amx_tile", "amx_int8", "amx_bf16", "neon",     "dotprod",     "i8mm",        "sve"
};
enum { NAMES = sizeof names / sizeof *names };

const char *pen_cpu_feature_name(int index)
{
    return index >= 0 && index < NAMES ? names[index] : NULL;
}

#if defined(__x86_64__)

enum { EAX, EBX, ECX, EDX };
/* Register state that the operating system must save before the registers may be used: bits of
 * XCR0. */
enum { STATE_NONE = 0, STATE_AVX = 0x06, STATE_AVX512 = 0xE6, STATE_AMX = 0x60000 };

struct feature {
    unsigned long long bit;
    unsigned leaf, subleaf, word, position, state;
};

static const struct feature features[] = {
    { CPU_SSE2, 1, 0, EDX, 26, STATE_NONE },        { CPU_SSSE3, 1, 0, ECX, 9, STATE_NONE },
    { CPU_AVX, 1, 0, ECX, 28, STATE_AVX },          { CPU_F16C, 1, 0, ECX, 29, STATE_AVX },
    { CPU_FMA, 1, 0, ECX, 12, STATE_AVX },          { CPU_AVX2, 7, 0, EBX, 5, STATE_AVX },
    { CPU_AVXVNNI, 7, 1, EAX, 4, STATE_AVX },       { CPU_AVX512F, 7, 0, EBX, 16, STATE_AVX512 },
    { CPU_AVX512DQ, 7, 0, EBX, 17, STATE_AVX512 },  { CPU_AVX512BW, 7, 0, EBX, 30, STATE_AVX512 },
    { CPU_AVX512VL, 7, 0, EBX, 31, STATE_AVX512 },  { CPU_AVX512VNNI, 7, 0, ECX, 11, STATE_AVX512 },
    { CPU_AVX512BF16, 7, 1, EAX, 5, STATE_AVX512 }, { CPU_AVX512FP16, 7, 0, EDX, 23, STATE_AVX512 },
    { CPU_AMX_TILE, 7, 0, EDX, 24, STATE_AMX },     { CPU_AMX_INT8, 7, 0, EDX, 25, STATE_AMX },
    { CPU_AMX_BF16, 7, 0, EDX, 22, STATE_AMX },
};

static int cpuid_bit(unsigned leaf, unsigned subleaf, unsigned word, unsigned position)
{
    unsigned words[4];

    if (!__get_cpuid_count(leaf, subleaf, &words[EAX], &words[EBX], &words[ECX], &words[EDX]))
        return 0;
    return (int)(words[word] >> position & 1);
}

/* XCR0; 0 if the CPU has no XGETBV (OSXSAVE bit clear). */
static unsigned saved_state(void)
{
    unsigned low = 0, high = 0;

    if (cpuid_bit(1, 0, ECX, 27))
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

unsigned long long pen_cpu_features(void)
{
    const unsigned state = saved_state();
    unsigned long long bits = 0;

    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        const struct feature *const f = &features[i];
        if ((state & f->state) == f->state && cpuid_bit(f->leaf, f->subleaf, f->word, f->position))
            bits |= f->bit;
    }
    return bits;
}

#elif defined(__aarch64__) && defined(__linux__)

/* Bits of Linux's AT_HWCAP and AT_HWCAP2. */
unsigned long long pen_cpu_features(void)
{
    const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
    unsigned long long bits = 0;

    bits |= first >> 1 & 1 ? CPU_NEON : 0;
    bits |= first >> 20 & 1 ? CPU_DOTPROD : 0;
    bits |= second >> 13 & 1 ? CPU_I8MM : 0;
    bits |= first >> 22 & 1 ? CPU_SVE : 0;
    return bits;
}

#elif defined(__aarch64__) && defined(__APPLE__)

/* Every Mac with such a CPU has these. */
unsigned long long pen_cpu_features(void)
{
    return CPU_NEON | CPU_DOTPROD;
}

#else

unsigned long long pen_cpu_features(void)
{
    return 0;
}

#endif
