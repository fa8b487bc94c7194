/* cpu.c - CPUID and XGETBV on x86-64, the auxiliary vector on 64-bit Arm. */
#include "core/cpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
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

#else

unsigned long long pen_cpu_features(void)
{
    return 0;
}

#endif

/* ---- the instruction set in use ----
 *
 * What a process may use does not change, so that it is found once: reading CPU features takes a
 * virtual machine tens of microseconds. */

#if defined(__x86_64__) && defined(__linux__)
#endif

static const struct {
    const char *name;
    unsigned long long features;
} sets[PEN_ISA_COUNT] = {
    [PEN_ISA_PORTABLE] = { "portable", 0 },
    [PEN_ISA_NEON] = { "neon", CPU_NEON | CPU_DOTPROD },
    [PEN_ISA_AVX2] = { "avx2", CPU_AVX2 | CPU_FMA },
    [PEN_ISA_AVX_VNNI] = { "avx-vnni", CPU_AVX2 | CPU_FMA | CPU_AVXVNNI },
    [PEN_ISA_AVX512] = { "avx512", CPU_AVX2 | CPU_FMA | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512DQ
                                       | CPU_AVX512VL },
    [PEN_ISA_AVX512_VNNI] = { "avx512-vnni", CPU_AVX2 | CPU_FMA | CPU_AVX512F | CPU_AVX512BW
                                                 | CPU_AVX512DQ | CPU_AVX512VL | CPU_AVX512VNNI },
    [PEN_ISA_AMX] = { "amx", CPU_AVX2 | CPU_FMA | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512DQ
                                 | CPU_AVX512VL | CPU_AVX512VNNI | CPU_AMX_TILE | CPU_AMX_INT8 },
};

/* What was found; the same for all calls. */
static struct {
    pthread_once_t once;
    unsigned long long features;
    pen_isa now;
    char refused[32]; /* empty: none */
} found = { .once = PTHREAD_ONCE_INIT };

/* AMX has eight kilobytes of registers, and Linux saves them for processes that asked for it. */
static int amx_permitted(void)
{
#if defined(__x86_64__) && defined(__linux__) && defined(SYS_arch_prctl)
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
#else
    return 0;
#endif
}

static int is_there(pen_isa isa)
{
    return (found.features & sets[isa].features) == sets[isa].features;
}

/* The set of a name that this CPU has, or -1. */
static int named(const char *name)
{
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (strcmp(name, sets[isa].name) == 0 && is_there((pen_isa)isa))
            return isa;
    return -1;
}

static void find(void)
{
    const char *const variable = getenv("PENUMBRA_ISA"), *const asked = variable ? variable : "";
    const unsigned long long amx = CPU_AMX_TILE | CPU_AMX_INT8 | CPU_AMX_BF16;

    found.features = pen_cpu_features();
    /* the permission is asked for only if it will be used: it changes what signal stacks must
     * hold */
    if ((found.features & amx)
        && ((*asked && strcmp(asked, sets[PEN_ISA_AMX].name) != 0) || !amx_permitted()))
        found.features &= ~amx;
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (is_there((pen_isa)isa))
            found.now = (pen_isa)isa;
    if (*asked && named(asked) < 0)
        snprintf(found.refused, sizeof found.refused, "%s", asked);
    else if (*asked)
        found.now = (pen_isa)named(asked);
}

const char *pen_isa_name(pen_isa isa)
{
    return sets[isa].name;
}

int pen_isa_has(pen_isa isa)
{
    pthread_once(&found.once, find);
    return is_there(isa);
}

pen_isa pen_isa_now(void)
{
    pthread_once(&found.once, find);
    return found.now;
}

const char *pen_isa_refused(void)
{
    pthread_once(&found.once, find);
    return *found.refused ? found.refused : NULL;
}

void pen_isa_use(pen_isa isa)
{
    pthread_once(&found.once, find);
    found.now = isa;
}
