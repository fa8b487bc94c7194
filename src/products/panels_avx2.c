/* panels_avx2.c - panels by AVX2 and FMA: 12 sums of a vector each, which hides the latency of the
 * multiply-adds and leaves registers for two vectors of the right panel. */
#if defined(__x86_64__)
#include "products/panels.h"

#include <immintrin.h>

#define WITH_FMA __attribute__((target("avx2,fma")))

enum { HIGH = 6, FLOATS = 8, DOUBLES = 4 };

#define F32_ZERO                     _mm256_setzero_ps()
#define F32_LOAD(from)               _mm256_load_ps(from)
#define F32_STORE(to, vector)        _mm256_store_ps(to, vector)
#define F32_ADD(sum, number, vector) _mm256_fmadd_ps(_mm256_set1_ps(number), vector, sum)

#define F64_ZERO                     _mm256_setzero_pd()
#define F64_LOAD(from)               _mm256_load_pd(from)
#define F64_STORE(to, vector)        _mm256_store_pd(to, vector)
#define F64_ADD(sum, number, vector) _mm256_fmadd_pd(_mm256_set1_pd(number), vector, sum)

PEN_PANELS_MULTIPLY(multiply_f32, float, __m256, FLOATS, HIGH, F32, WITH_FMA)
PEN_PANELS_MULTIPLY(multiply_f64, double, __m256d, DOUBLES, HIGH, F64, WITH_FMA)
PEN_PANELS_ADD(add_f32, float, 2 * FLOATS, WITH_FMA)
PEN_PANELS_ADD(add_f64, double, 2 * DOUBLES, WITH_FMA)

const pen_panels pen_panels_avx2[2] = {
    { PEN_ISA_AVX2, HIGH, 2 * FLOATS, multiply_f32, add_f32 },
    { PEN_ISA_AVX2, HIGH, 2 * DOUBLES, multiply_f64, add_f64 },
};

#else
typedef int no_avx2_panels; /* a file must not be empty */
#endif
