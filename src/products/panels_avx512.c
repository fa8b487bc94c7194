/* panels_avx512.c - panels by AVX-512: 28 sums of a vector each, which hides the latency of the
 * multiply-adds and leaves registers for two vectors of the right panel. */
#if defined(__x86_64__)
#include "products/panels.h"

#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

enum { HIGH = 14, FLOATS = 16, DOUBLES = 8 };

WITH_AVX512 static void multiply_f32(int64_t depth, const void *left, const void *right, void *sums)
{
    const float *a = left, *b = right;
    __m512 sum[HIGH][2];

#pragma GCC unroll 14
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = _mm512_setzero_ps();
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * FLOATS) {
        const __m512 b0 = _mm512_load_ps(b), b1 = _mm512_load_ps(b + FLOATS);
#pragma GCC unroll 14
        for (int i = 0; i < HIGH; i++) {
            const __m512 one = _mm512_set1_ps(a[i]);
            sum[i][0] = _mm512_fmadd_ps(one, b0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_ps(one, b1, sum[i][1]);
        }
    }
#pragma GCC unroll 14
    for (int i = 0; i < HIGH; i++) {
        _mm512_store_ps((float *)sums + 2 * i * FLOATS, sum[i][0]);
        _mm512_store_ps((float *)sums + (2 * i + 1) * FLOATS, sum[i][1]);
    }
}

WITH_AVX512 static void multiply_f64(int64_t depth, const void *left, const void *right, void *sums)
{
    const double *a = left, *b = right;
    __m512d sum[HIGH][2];

#pragma GCC unroll 14
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = _mm512_setzero_pd();
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * DOUBLES) {
        const __m512d b0 = _mm512_load_pd(b), b1 = _mm512_load_pd(b + DOUBLES);
#pragma GCC unroll 14
        for (int i = 0; i < HIGH; i++) {
            const __m512d one = _mm512_set1_pd(a[i]);
            sum[i][0] = _mm512_fmadd_pd(one, b0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_pd(one, b1, sum[i][1]);
        }
    }
#pragma GCC unroll 14
    for (int i = 0; i < HIGH; i++) {
        _mm512_store_pd((double *)sums + 2 * i * DOUBLES, sum[i][0]);
        _mm512_store_pd((double *)sums + (2 * i + 1) * DOUBLES, sum[i][1]);
    }
}

PEN_PANELS_ADD(add_f32, float, 2 * FLOATS, WITH_AVX512)
PEN_PANELS_ADD(add_f64, double, 2 * DOUBLES, WITH_AVX512)

const pen_panels pen_panels_avx512[2] = {
    { PEN_ISA_AVX512, HIGH, 2 * FLOATS, multiply_f32, add_f32 },
    { PEN_ISA_AVX512, HIGH, 2 * DOUBLES, multiply_f64, add_f64 },
};

#else
typedef int no_avx512_panels; /* a file must not be empty */
#endif
