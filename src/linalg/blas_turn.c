/* blas_turn.c - detects once which build of the BLAS is loaded, and if it is right. The result and
 * the lock are state outside of calls, because the process has only one BLAS. The symbols are
 * looked up where the linker found those of the BLAS; other libraries do not have them. */
#define _GNU_SOURCE /* RTLD_DEFAULT */

#include "linalg/blas_turn.h"

#include "core/cpu.h"
#include "core/run.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The values that openblas_get_parallel returns. */
enum { BUILT_SERIAL, BUILT_ON_THREADS, BUILT_ON_OPENMP };

static struct blas {
    int (*omp_threads)(void); /* NULL: not an OpenMP build */
    void (*set_omp_threads)(int threads);
    blas_facts facts;
    char message[160]; /* if facts.wrong */
} blas;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ISO C has no conversion between object pointers and function pointers. */
#define FIND(function, name)                                                                       \
    do {                                                                                           \
        void *const symbol_ = dlsym(RTLD_DEFAULT, (name));                                         \
        memcpy(&(function), &symbol_, sizeof symbol_);                                             \
    } while (0)

#ifdef PENUMBRA_BLAS_PREFIX
/* An OpenBLAS with prefixed names is recognized by them. It may be where dlsym does not look: in a
 * module that a program loaded privately. */
#define JOINED(prefix, name)    prefix##name
#define JOIN(prefix, name)      JOINED(prefix, name)
#define PREFIXED(name)          JOIN(PENUMBRA_BLAS_PREFIX, name)
#define LOOK_UP(function, name) ((function) = PREFIXED(name))
int PREFIXED(openblas_get_parallel)(void);
char *PREFIXED(openblas_get_config)(void);
char *PREFIXED(openblas_get_corename)(void);
void PREFIXED(openblas_set_num_threads)(int threads);
#else
#define LOOK_UP(function, name) FIND(function, #name)
#endif

/* A forked child inherits the lock, so no thread may hold it during fork. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void take_turns(const char *why)
{
    blas.facts.in_turn = why;
    pthread_atfork(before_fork, after_fork, after_fork);
}

static void on_openmp(void)
{
    blas.facts.threads = "openmp";
    FIND(blas.omp_threads, "omp_get_max_threads");
    FIND(blas.set_omp_threads, "omp_set_num_threads");
    if (!blas.omp_threads || !blas.set_omp_threads) {
        blas.omp_threads = NULL;
        take_turns("its OpenMP was not found");
    }
}

static void on_threads(void)
{
    blas.facts.threads = "pthreads";
#ifdef PENUMBRA_BLAS_PRIVATE
    void (*set_threads)(int threads);
    LOOK_UP(set_threads, openblas_set_num_threads);
    if (set_threads) {
        set_threads(1);
        return;
    }
#endif
    take_turns("its number of threads is a setting of the whole program");
}

static void detect_build(void)
{
    int (*parallel)(void);
    char *(*config)(void), *(*core)(void);

    LOOK_UP(parallel, openblas_get_parallel);
    LOOK_UP(config, openblas_get_config);
    LOOK_UP(core, openblas_get_corename);
    blas.facts = (blas_facts){ .name = config ? config() : "unknown",
                               .core = core ? core() : NULL,
                               .threads = "unknown" };
    switch (parallel ? parallel() : -1) {
    case BUILT_ON_OPENMP:
        on_openmp();
        return;
    case BUILT_ON_THREADS:
        on_threads();
        return;
    case BUILT_SERIAL:
        blas.facts.threads = "none";
        take_turns("a build without threads is not safe to call from several");
        return;
    default:
        take_turns("nothing is known of how it is built");
    }
}

static int begin(void)
{
    if (blas.facts.in_turn) {
        pthread_mutex_lock(&lock);
        return 1;
    }
    const int saved = blas.omp_threads ? blas.omp_threads() : 1;
    if (saved != 1)
        blas.set_omp_threads(1);
    return saved;
}

void pen_blas_end(int saved)
{
    if (blas.facts.in_turn)
        pthread_mutex_unlock(&lock);
    else if (saved != 1)
        blas.set_omp_threads(saved);
}

static void write_message(const blas_facts *facts)
{
    char advice[80] = "";

    if (facts->better)
        snprintf(advice, sizeof advice, "; set OPENBLAS_CORETYPE=%s, or", facts->better);
    snprintf(blas.message, sizeof blas.message,
             "the BLAS computes %s wrongly with its kernels for %s%s link another BLAS",
             facts->wrong, facts->core ? facts->core : "this CPU", *advice ? advice : ";");
}

static void detect_blas(void)
{
    blas_facts *const facts = &blas.facts;

    detect_build();
    const int saved = begin();
    facts->wrong = pen_blas_check();
    pen_blas_end(saved);
    if (strstr(facts->name, "DYNAMIC_ARCH")) /* an OpenBLAS that selects its kernels */
        facts->better = pen_blas_better_core(facts->core, pen_cpu_features(), facts->wrong != NULL);
    if (facts->wrong)
        write_message(facts);
}

int pen_blas_begin(void)
{
    pthread_once(&once, detect_blas);
    if (blas.facts.wrong)
        pen_run_wrong_blas(blas.message);
    return begin();
}

blas_facts pen_blas_ask(void)
{
    pthread_once(&once, detect_blas);
    return blas.facts;
}

/* ---- kernels ---- */

struct core {
    const char *name;
    int level; /* 0: SSE, 1: AVX, 2: AVX2 and FMA, 3: AVX-512 */
};

/* The x86-64 kernels of OpenBLAS; unlisted ones are level 0. The first of a level is
 * recommended. */
static const struct core cores[] = {
    { "SkylakeX", 3 },   { "Cooperlake", 3 },  { "SapphireRapids", 3 }, { "Haswell", 2 },
    { "Zen", 2 },        { "Excavator", 2 },   { "Sandybridge", 1 },    { "Bulldozer", 1 },
    { "Piledriver", 1 }, { "Steamroller", 1 }, { "Prescott", 0 },       { "Core2", 0 },
    { "Penryn", 0 },     { "Dunnington", 0 },  { "Nehalem", 0 },        { "Atom", 0 },
    { "Athlon", 0 },     { "Opteron", 0 },     { "Opteron_SSE3", 0 },   { "Barcelona", 0 },
    { "Bobcat", 0 },     { "Nano", 0 },
};
enum { CORES = sizeof cores / sizeof *cores };

static int level_of(unsigned long long features)
{
    const unsigned long long avx2 = CPU_AVX2 | CPU_FMA,
                             avx512 = CPU_AVX512F | CPU_AVX512DQ | CPU_AVX512BW | CPU_AVX512VL;

    return (features & avx512) == avx512 ? 3
           : (features & avx2) == avx2   ? 2
           : (features & CPU_AVX) != 0   ? 1
                                         : 0;
}

const char *pen_blas_better_core(const char *core, unsigned long long features, int wrong)
{
    const char *const plain = features & CPU_NEON ? "NEOVERSEN1" : "Prescott";
    const int level = level_of(features);
    int current = -1, best = -1;

    if (wrong)
        return core && strcasecmp(core, plain) != 0 ? plain : NULL;
    for (int i = 0; i < CORES; i++) {
        if (core && strcasecmp(core, cores[i].name) == 0)
            current = i;
        if (cores[i].level == level && best < 0)
            best = i;
    }
    return current >= 0 && cores[current].level < level ? cores[best].name : NULL;
}
