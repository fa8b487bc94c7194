/* panels_avx2.c - panels by AVX2 and FMA. With 12 sums of a vector each, they hide the latency of
 * the multiply-adds and leave registers for two vectors of the right panel. */
#if defined(__x86_64__)
#include "products/panels.h"

#include <immintrin.h>

#define WITH_FMA __attribute__((target("avx2,fma")))

#define F32_ZERO                     _mm256_setzero_ps()
#define F32_LOAD(from)               _mm256_load_ps(from)
#define F32_STORE(to, vector)        _mm256_store_ps(to, vector)
#define F32_ADD(sum, number, vector) _mm256_fmadd_ps(_mm256_set1_ps(number), vector, sum)

#define F64_ZERO                     _mm256_setzero_pd()
#define F64_LOAD(from)               _mm256_load_pd(from)
#define F64_STORE(to, vector)        _mm256_store_pd(to, vector)
#define F64_ADD(sum, number, vector) _mm256_fmadd_pd(_mm256_set1_pd(number), vector, sum)

PEN_PANELS(pen_panels_avx2, PEN_ISA_AVX2, __m256, __m256d, 6, 8, WITH_FMA)

#else
typedef int no_avx2_panels; /* a file must not be empty */
#endif
