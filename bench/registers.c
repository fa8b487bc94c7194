/* registers.c - loops of multiply-adds in registers, one per instruction. */
#define _XOPEN_SOURCE 700

#include "registers.h"

#include "bench.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
    LOOPS = 20000,
    RUNS = 4,    /* of a rate: a millisecond or two */
    RATES = 100, /* of the best: time slices of other programs are longer than a rate */
    DEPTH = 256,
};

/* `step` for each of the sums; the compiler must assume that `a` changes. */
#define REGISTERS(type, sums, reg, zero, step)                                                     \
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

/* ---- codes ---- */

#if defined(__x86_64__)
/* Widened bytes: one vpmaddwd and one vpaddd for each 16 products. */
__attribute__((target("avx2"))) static void avx2_bytes(void)
{
    __m256i a = _mm256_set1_epi8(1), b = a;
    __asm__ volatile("" : "+x"(a), "+x"(b));
    REGISTERS(__m256i, 8, "+x", _mm256_setzero_si256(),
              sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(a, b)))
}

/* Two vpmaddubsw, vpaddw, vpmaddwd and vpaddd for each 64 products. */
__attribute__((target("avx2"))) static void avx2_codes(void)
{
    __m256i a = _mm256_set1_epi8(1), b = a, c = a, ones = _mm256_set1_epi16(1);
    __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(ones));
    REGISTERS(__m256i, 8, "+x", _mm256_setzero_si256(), __m256i p = _mm256_maddubs_epi16(a, b);
              __m256i q = _mm256_maddubs_epi16(a, c); __asm__ volatile(""
                                                                       : "+x"(p), "+x"(q));
              sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(_mm256_add_epi16(p, q), ones)))
}

__attribute__((target("avx2,avxvnni"))) static void avx_vnni(void)
{
    __m256i a = _mm256_set1_epi8(1), b = a;
    __asm__ volatile("" : "+x"(a), "+x"(b));
    REGISTERS(__m256i, 12, "+x", _mm256_setzero_si256(),
              sum[i] = _mm256_dpbusd_avx_epi32(sum[i], a, b))
}

__attribute__((target("avx512f,avx512vnni"))) static void avx512_vnni(void)
{
    __m512i a = _mm512_set1_epi8(1), b = a;
    __asm__ volatile("" : "+v"(a), "+v"(b));
    REGISTERS(__m512i, 16, "+v", _mm512_setzero_si512(), sum[i] = _mm512_dpbusd_epi32(sum[i], a, b))
}

/* The configuration is that of the tiles. */
__attribute__((target("amx-tile,amx-int8"))) static void amx(void)
{
    pen_tiles_amx.open();
    for (int loop = 0; loop < LOOPS / 16; loop++) {
        _tile_dpbssd(0, 4, 6);
        _tile_dpbssd(1, 4, 7);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
    pen_tiles_amx.close();
}
#elif defined(PEN_TILES_NEON)
#if defined(__ARM_FEATURE_DOTPROD)
static void neon_codes(void)
#else
__attribute__((target("arch=armv8.2-a+dotprod"))) static void neon_codes(void)
#endif
{
    int8x16_t a = vdupq_n_s8(1), b = a;
    __asm__ volatile("" : "+w"(a), "+w"(b));
    REGISTERS(int32x4_t, 16, "+w", vdupq_n_s32(0), sum[i] = vdotq_laneq_s32(sum[i], a, b, 1))
}
#endif

static void tile_of_codes(void)
{
    static _Alignas(64) int8_t panels[2][2 * PEN_PANEL * DEPTH];
    static _Alignas(64) int32_t products[PEN_AREA];

    pen_tiles_portable.multiply(DEPTH, panels[0], panels[1], products);
}

registers_loop registers_of_tiles(const pen_tiles *tiles)
{
#if defined(__x86_64__)
    if (tiles == &pen_tiles_avx2_bytes)
        return (registers_loop){ "vpmaddwd ymm", avx2_bytes, 2.0 * LOOPS * 8 * 16 };
    if (tiles == &pen_tiles_avx2_codes)
        return (registers_loop){ "vpmaddubsw ymm", avx2_codes, 2.0 * LOOPS * 8 * 64 };
    if (tiles == &pen_tiles_avx_vnni)
        return (registers_loop){ "vpdpbusd ymm", avx_vnni, 2.0 * LOOPS * 12 * 32 };
    if (tiles == &pen_tiles_avx512_vnni)
        return (registers_loop){ "vpdpbusd zmm", avx512_vnni, 2.0 * LOOPS * 16 * 64 };
    if (tiles == &pen_tiles_amx)
        return (registers_loop){ "tdpbssd", amx, 2.0 * (LOOPS / 16) * 4 * 16 * 16 * 64 };
#elif defined(PEN_TILES_NEON)
    if (tiles == &pen_tiles_neon)
        return (registers_loop){ "sdot", neon_codes, 2.0 * LOOPS * 16 * 16 };
#endif
    (void)tiles;
    return (registers_loop){ "tile in cache", tile_of_codes, 2.0 * PEN_AREA * DEPTH };
}

/* ---- floats and doubles ---- */

/* Enough sums to hide the latency of a multiply-add. */
#define MULTIPLY_ADDS(NAME, TARGET, VECTOR, REG, SET, STEP)                                        \
    TARGET static void NAME(void)                                                                  \
    {                                                                                              \
        VECTOR a = SET(1);                                                                         \
        __asm__ volatile("" : REG(a));                                                             \
        REGISTERS(VECTOR, 12, REG, SET(0), sum[i] = STEP)                                          \
    }
#if defined(__x86_64__)
MULTIPLY_ADDS(avx512_f32, __attribute__((target("avx512f"))), __m512, "+v", _mm512_set1_ps,
              _mm512_fmadd_ps(a, a, sum[i]))
MULTIPLY_ADDS(avx512_f64, __attribute__((target("avx512f"))), __m512d, "+v", _mm512_set1_pd,
              _mm512_fmadd_pd(a, a, sum[i]))
MULTIPLY_ADDS(avx2_f32, __attribute__((target("avx2,fma"))), __m256, "+x", _mm256_set1_ps,
              _mm256_fmadd_ps(a, a, sum[i]))
MULTIPLY_ADDS(avx2_f64, __attribute__((target("avx2,fma"))), __m256d, "+x", _mm256_set1_pd,
              _mm256_fmadd_pd(a, a, sum[i]))
#elif defined(__aarch64__)
MULTIPLY_ADDS(neon_f32, , float32x4_t, "+w", vdupq_n_f32, vfmaq_f32(sum[i], a, a))
MULTIPLY_ADDS(neon_f64, , float64x2_t, "+w", vdupq_n_f64, vfmaq_f64(sum[i], a, a))
#endif

static void tile_of_floats(pen_dtype type)
{
    static _Alignas(64) double panels[2][32 * DEPTH];
    static _Alignas(64) char sums[PEN_LARGEST_TILE];

    pen_panels_of(PEN_ISA_PORTABLE, type)->multiply(DEPTH, panels[0], panels[1], sums);
}

static void tile_of_f32(void)
{
    tile_of_floats(PEN_F32);
}

static void tile_of_f64(void)
{
    tile_of_floats(PEN_F64);
}

registers_loop registers_of_panels(const pen_panels *panels, pen_dtype type)
{
    const int f64 = type == PEN_F64;
    const double loops = 2.0 * LOOPS * 12;

#if defined(__x86_64__)
    if (panels->isa == PEN_ISA_AVX512)
        return f64 ? (registers_loop){ "vfmadd zmm f64", avx512_f64, loops * 8 }
                   : (registers_loop){ "vfmadd zmm f32", avx512_f32, loops * 16 };
    if (panels->isa == PEN_ISA_AVX2)
        return f64 ? (registers_loop){ "vfmadd ymm f64", avx2_f64, loops * 4 }
                   : (registers_loop){ "vfmadd ymm f32", avx2_f32, loops * 8 };
#elif defined(__aarch64__)
    if (panels->isa == PEN_ISA_NEON)
        return f64 ? (registers_loop){ "fmla f64", neon_f64, loops * 2 }
                   : (registers_loop){ "fmla f32", neon_f32, loops * 4 };
#endif
    (void)loops;
    return (registers_loop){ f64 ? "tile in cache, f64" : "tile in cache, f32",
                             f64 ? tile_of_f64 : tile_of_f32,
                             2.0 * DEPTH * (double)(panels->high * panels->wide) };
}

/* ---- rates ---- */

double registers_rate(const registers_loop *loop)
{
    const double start = thread_cpu_now();
    int runs = 0;

    do {
        for (int i = 0; i < RUNS; i++)
            loop->run();
        runs += RUNS;
    } while (thread_cpu_now() - start < 5e-4);
    return runs * loop->operations / (thread_cpu_now() - start);
}

double registers_best(const registers_loop *loop)
{
    double best = 0;

    for (int i = 0; i < RATES; i++) {
        const double rate = registers_rate(loop);
        best = rate > best ? rate : best;
    }
    return best;
}
