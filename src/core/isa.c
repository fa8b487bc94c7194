/* isa.c - the choice of an instruction set. It is made once per process, because reading CPU
 * features takes a virtual machine tens of microseconds. */
#define _DEFAULT_SOURCE
#include "core/isa.h"

#include "core/cpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
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

/* The result, the same for all calls. */
static struct {
    pthread_once_t once;
    unsigned long long features;
    pen_isa now;
    char refused[32]; /* empty: none */
} found = { .once = PTHREAD_ONCE_INIT };

/* AMX has eight kilobytes of registers, which Linux saves only for processes that request it. */
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

/* The set with this name, if this CPU has it, or -1. */
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
    /* requested only if it will be used: the permission enlarges signal frames */
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
