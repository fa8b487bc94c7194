/* panels_avx2.c - panels by AVX2 and FMA: 12 sums of a vector each, which hides the latency of the
 * multiply-adds and leaves registers for two vectors of the right panel. */
#if defined(__x86_64__)
#include "products/panels.h"

#include <immintrin.h>

#define WITH_FMA __attribute__((target("avx2,fma")))

enum { HIGH = 6, FLOATS = 8, DOUBLES = 4 };

WITH_FMA static void multiply_f32(int64_t depth, const void *left, const void *right, void *sums)
{
    const float *a = left, *b = right;
    __m256 sum[HIGH][2];

#pragma GCC unroll 6
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = _mm256_setzero_ps();
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * FLOATS) {
        const __m256 b0 = _mm256_load_ps(b), b1 = _mm256_load_ps(b + FLOATS);
#pragma GCC unroll 6
        for (int i = 0; i < HIGH; i++) {
            const __m256 one = _mm256_set1_ps(a[i]);
            sum[i][0] = _mm256_fmadd_ps(one, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(one, b1, sum[i][1]);
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < HIGH; i++) {
        _mm256_store_ps((float *)sums + 2 * i * FLOATS, sum[i][0]);
        _mm256_store_ps((float *)sums + (2 * i + 1) * FLOATS, sum[i][1]);
    }
}

WITH_FMA static void multiply_f64(int64_t depth, const void *left, const void *right, void *sums)
{
    const double *a = left, *b = right;
    __m256d sum[HIGH][2];

#pragma GCC unroll 6
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = _mm256_setzero_pd();
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * DOUBLES) {
        const __m256d b0 = _mm256_load_pd(b), b1 = _mm256_load_pd(b + DOUBLES);
#pragma GCC unroll 6
        for (int i = 0; i < HIGH; i++) {
            const __m256d one = _mm256_set1_pd(a[i]);
            sum[i][0] = _mm256_fmadd_pd(one, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_pd(one, b1, sum[i][1]);
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < HIGH; i++) {
        _mm256_store_pd((double *)sums + 2 * i * DOUBLES, sum[i][0]);
        _mm256_store_pd((double *)sums + (2 * i + 1) * DOUBLES, sum[i][1]);
    }
}

PEN_PANELS_ADD(add_f32, float, 2 * FLOATS, WITH_FMA)
PEN_PANELS_ADD(add_f64, double, 2 * DOUBLES, WITH_FMA)

const pen_panels pen_panels_avx2[2] = {
    { PEN_ISA_AVX2, HIGH, 2 * FLOATS, multiply_f32, add_f32 },
    { PEN_ISA_AVX2, HIGH, 2 * DOUBLES, multiply_f64, add_f64 },
};

#else
typedef int no_avx2_panels; /* a file must not be empty */
#endif
