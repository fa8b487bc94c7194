/* bench_tiles.c - tiles of dot products of codes, against a loop of the same instructions that
 * stays in registers.
 *
 *   bench_tiles [DEPTH]
 *
 * Prints one JSON line for each instruction set of this CPU, for all bytes and, where they are
 * others, for smaller codes: `gops`, 2 operations for each product of two of DEPTH codes (784), one
 * panel pair on the left against as many on the right as fit into 256 KB; `limit`, the same number
 * of the loop in registers; and `ratio`. CPU seconds, each the best of many short runs that take
 * turns. */
#define _XOPEN_SOURCE 700

#include "bench.h"

#include "products/tiles.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(PEN_TILES_NEON)
#include <arm_neon.h>
#endif

enum { RUNS = 300, LOOPS = 50000, PANELS_BYTES = 256 << 10 };

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A loop of one kind for LOOPS times. Returns the products of two codes that it computes. */
typedef double limit_loop(void);

/* `step` for each of the sums, with `a` that might be another each time. */
#define REGISTERS(type, sums, reg, step)                                                           \
    type sum[sums];                                                                                \
    _Pragma("GCC unroll 16") for (int i = 0; i < (sums); i++)                                      \
    {                                                                                              \
        sum[i] = zero;                                                                             \
        __asm__ volatile("" : reg(sum[i]));                                                        \
    }                                                                                              \
    _Pragma("GCC unroll 4") for (int loop = 0; loop < LOOPS; loop++)                               \
    {                                                                                              \
        _Pragma("GCC unroll 16") for (int i = 0; i < (sums); i++)                                  \
        {                                                                                          \
            __asm__ volatile("" : reg(a));                                                         \
            step;                                                                                  \
            __asm__ volatile("" : reg(sum[i]));                                                    \
        }                                                                                          \
    }

#if defined(__x86_64__)
/* Widened bytes: one vpmaddwd and one vpaddd for each 16 products. */
__attribute__((target("avx2"))) static double limit_avx2_bytes(void)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i a = _mm256_set1_epi8(1), b = a;
    __asm__ volatile("" : "+x"(a), "+x"(b));
    REGISTERS(__m256i, 8, "+x", sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(a, b)))
    return LOOPS * 8.0 * 16;
}

/* Two vpmaddubsw, vpaddw, vpmaddwd and vpaddd for each 64 products. */
__attribute__((target("avx2"))) static double limit_avx2_codes(void)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i a = _mm256_set1_epi8(1), b = a, c = a, ones = _mm256_set1_epi16(1);
    __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(ones));
    REGISTERS(__m256i, 8, "+x", __m256i p = _mm256_maddubs_epi16(a, b);
              __m256i q = _mm256_maddubs_epi16(a, c); __asm__ volatile(""
                                                                       : "+x"(p), "+x"(q));
              sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(_mm256_add_epi16(p, q), ones)))
    return LOOPS * 8.0 * 64;
}

__attribute__((target("avx2,avxvnni"))) static double limit_avx_vnni(void)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i a = _mm256_set1_epi8(1), b = a;
    __asm__ volatile("" : "+x"(a), "+x"(b));
    REGISTERS(__m256i, 12, "+x", sum[i] = _mm256_dpbusd_avx_epi32(sum[i], a, b))
    return LOOPS * 12.0 * 32;
}

__attribute__((target("avx512f,avx512vnni"))) static double limit_avx512_vnni(void)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i a = _mm512_set1_epi8(1), b = a;
    __asm__ volatile("" : "+v"(a), "+v"(b));
    REGISTERS(__m512i, 16, "+v", sum[i] = _mm512_dpbusd_epi32(sum[i], a, b))
    return LOOPS * 16.0 * 64;
}

/* The configuration is that of the tiles. */
__attribute__((target("amx-tile,amx-int8"))) static double limit_amx(void)
{
    pen_tiles_amx.open();
    for (int loop = 0; loop < LOOPS / 16; loop++) {
        _tile_dpbssd(0, 4, 6);
        _tile_dpbssd(1, 4, 7);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
    pen_tiles_amx.close();
    return LOOPS / 16 * 4.0 * 16 * 16 * 64;
}
#elif defined(PEN_TILES_NEON)
#if defined(__ARM_FEATURE_DOTPROD)
static double limit_neon(void)
#else
__attribute__((target("arch=armv8.2-a+dotprod"))) static double limit_neon(void)
#endif
{
    const int32x4_t zero = vdupq_n_s32(0);
    int8x16_t a = vdupq_n_s8(1), b = a;
    __asm__ volatile("" : "+w"(a), "+w"(b));
    REGISTERS(int32x4_t, 16, "+w", sum[i] = vdotq_laneq_s32(sum[i], a, b, 1))
    return LOOPS * 16.0 * 16;
}
#endif

static limit_loop *limit_of(const pen_tiles *t)
{
#if defined(__x86_64__)
    return t == &pen_tiles_avx2_bytes    ? limit_avx2_bytes
           : t == &pen_tiles_avx2_codes  ? limit_avx2_codes
           : t == &pen_tiles_avx_vnni    ? limit_avx_vnni
           : t == &pen_tiles_avx512_vnni ? limit_avx512_vnni
           : t == &pen_tiles_amx         ? limit_amx
                                         : NULL;
#elif defined(PEN_TILES_NEON)
    return t == &pen_tiles_neon ? limit_neon : NULL;
#else
    (void)t;
    return NULL;
#endif
}

static void *allocate(int64_t bytes)
{
    void *const memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (!memory)
        exit(1);
    memset(memory, 1, (size_t)bytes);
    return memory;
}

static void measure(const pen_tiles *t, int64_t depth)
{
    const int64_t padded = (depth + t->unit - 1) / t->unit * t->unit,
                  bytes = 2 * pen_panel_bytes(padded),
                  pairs = bytes < PANELS_BYTES ? PANELS_BYTES / bytes : 1;
    int8_t *const panels = allocate(bytes), *const right = allocate(pairs * bytes);
    void *const left = allocate(bytes);
    int32_t *const products = allocate(PEN_AREA * 4);
    limit_loop *const loop = limit_of(t);
    double best = 0, limit = 0;

    for (int run = 0; run < RUNS; run++) {
        const double start = cpu_now();
        if (t->open)
            t->open();
        if (t->left)
            t->left(padded, panels, left);
        for (int round = 0; round < 8; round++)
            for (int64_t pair = 0; pair < pairs; pair++)
                t->multiply(padded, left, right + pair * bytes, products);
        if (t->close)
            t->close();
        const double between = cpu_now(),
                     gops = 8e-9 * (double)pairs * 2 * PEN_AREA * (double)depth / (between - start);
        best = gops > best ? gops : best;
        if (loop) {
            const double most = 2e-9 * loop() / (cpu_now() - between);
            limit = most > limit ? most : limit;
        }
    }
    printf("{\"case\":\"tiles\",\"isa\":\"%s\",\"largest\":%d,\"depth\":%lld,\"gops\":%.1f",
           pen_isa_name(t->isa), t->largest, (long long)depth, best);
    if (limit > 0)
        printf(",\"limit\":%.1f,\"ratio\":%.3f", limit, best / limit);
    printf("}\n");
    free(panels);
    free(right);
    free(left);
    free(products);
}

int main(int argc, char **argv)
{
    const int64_t depth = argc > 1 ? atoll(argv[1]) : 784;

    if (argc > 2 || depth < 1 || depth > PEN_MOST_DEPTH) {
        fprintf(stderr, "usage: bench_tiles [DEPTH]\n");
        return 2;
    }
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++) {
        const pen_tiles *const bytes = pen_tiles_of_bytes((pen_isa)isa), *const codes =
                                                                             pen_tiles_of_codes(
                                                                                 (pen_isa)isa);
        if (!pen_isa_has((pen_isa)isa))
            continue;
        if (bytes->isa == (pen_isa)isa)
            measure(bytes, depth);
        if (codes != bytes && codes->isa == (pen_isa)isa)
            measure(codes, depth);
    }
    return 0;
}
