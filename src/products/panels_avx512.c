/* panels_avx512.c - panels by AVX-512. With 28 sums of a vector each, they hide the latency of the
 * multiply-adds and leave registers for two vectors of the right panel. */
#if defined(__x86_64__)
#include "products/panels.h"

#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#define F32_ZERO                     _mm512_setzero_ps()
#define F32_LOAD(from)               _mm512_load_ps(from)
#define F32_STORE(to, vector)        _mm512_store_ps(to, vector)
#define F32_ADD(sum, number, vector) _mm512_fmadd_ps(_mm512_set1_ps(number), vector, sum)

#define F64_ZERO                     _mm512_setzero_pd()
#define F64_LOAD(from)               _mm512_load_pd(from)
#define F64_STORE(to, vector)        _mm512_store_pd(to, vector)
#define F64_ADD(sum, number, vector) _mm512_fmadd_pd(_mm512_set1_pd(number), vector, sum)

PEN_PANELS(pen_panels_avx512, PEN_ISA_AVX512, __m512, __m512d, 14, 16, WITH_AVX512)

#else
typedef int no_avx512_panels; /* a file must not be empty */
#endif
