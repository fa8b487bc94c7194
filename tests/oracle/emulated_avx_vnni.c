/* emulated_avx_vnni.c - the tiles of src/products/tiles_avx_vnni.c with vpdpbusd written as in
 * Intel's manual, for CPUs with AVX2 only. */
#include "oracle/emulated_tiles.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

__attribute__((target("avx2"))) static __m256i dpbusd(__m256i sums, __m256i a, __m256i b)
{
    uint32_t sum[8];
    uint8_t left[32];
    int8_t right[32];

    memcpy(sum, &sums, sizeof sum);
    memcpy(left, &a, sizeof left);
    memcpy(right, &b, sizeof right);
    for (int i = 0; i < 32; i++)
        sum[i / 4] += (uint32_t)(left[i] * right[i]);
    memcpy(&sums, sum, sizeof sum);
    return sums;
}

/* Everything is compiled for AVX2, so that the compiler does not use the other instructions. */
#define target(features) target("avx2")
#undef _mm256_dpbusd_avx_epi32
#define _mm256_dpbusd_avx_epi32 dpbusd
#define pen_tiles_avx_vnni      emulated_tiles_avx_vnni
#include "products/tiles_avx_vnni.c"

#else
typedef int no_emulated_avx_vnni; /* a translation unit must not be empty */
#endif
