/* tiles_avx_vnni.c - tiles by AVX-VNNI, dot products of bytes in the vectors of AVX2. They take
 * unsigned bytes on one side: codes on the left are shifted by 128. */
#if defined(__x86_64__)
#include "products/tiles.h"

#include <immintrin.h>
#include <string.h>

#define WITH_VNNI __attribute__((target("avx2,avxvnni")))

enum { LANES = 8, MOST_ROWS = 6 };

WITH_VNNI static void left(int64_t depth, const int8_t *panels, void *to)
{
    const __m256i high = _mm256_set1_epi8((char)-128);

    for (int64_t at = 0; at < 2 * pen_panel_bytes(depth); at += 32)
        _mm256_storeu_si256(
            (void *)((char *)to + at),
            _mm256_xor_si256(_mm256_loadu_si256((const void *)(panels + at)), high));
}

/* Products of `rows` rows with a panel; rows is a constant. Five rows have ten sums, which is what
 * two products per cycle with a latency of five need; the registers hold six rows. */
WITH_VNNI static inline __attribute__((always_inline)) void
multiply_rows(const int rows, int64_t panel, const char *a, const int8_t *b, int32_t *products)
{
    __m256i sum[MOST_ROWS][2];
    int64_t at = 0;

#pragma GCC unroll 6
    for (int i = 0; i < MOST_ROWS; i++)
        sum[i][0] = sum[i][1] = _mm256_setzero_si256();
#pragma GCC unroll 2
    do {
        const __m256i b0 = _mm256_loadu_si256((const void *)(b + at)),
                      b1 = _mm256_loadu_si256((const void *)(b + at + 32));
#pragma GCC unroll 6
        for (int i = 0; i < MOST_ROWS; i++)
            if (i < rows) {
                int32_t four;
                memcpy(&four, a + at + 4 * i, sizeof four);
                sum[i][0] = _mm256_dpbusd_avx_epi32(sum[i][0], _mm256_set1_epi32(four), b0);
                sum[i][1] = _mm256_dpbusd_avx_epi32(sum[i][1], _mm256_set1_epi32(four), b1);
                /* otherwise gcc 12 keeps each sum twice, half of them on the stack */
                __asm__("" : "+x"(sum[i][0]), "+x"(sum[i][1]));
            }
        at += 4 * PEN_PANEL;
    } while (at < panel);
#pragma GCC unroll 6
    for (int i = 0; i < MOST_ROWS; i++)
        if (i < rows) {
            _mm256_store_si256((void *)(products + i * PEN_SIDE), sum[i][0]);
            _mm256_store_si256((void *)(products + i * PEN_SIDE + LANES), sum[i][1]);
        }
}

WITH_VNNI static void multiply(int64_t depth, const void *left_panels, const int8_t *right,
                               int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);

    for (int part = 0; part < 4; part++) {
        const char *const a = (const char *)left_panels + part / 2 * panel;
        const int8_t *const b = right + part % 2 * panel;
        int32_t *const to = products + part / 2 * PEN_PANEL * PEN_SIDE + part % 2 * PEN_PANEL;
        multiply_rows(6, panel, a, b, to);
        multiply_rows(5, panel, a + 6 * 4, b, to + 6 * PEN_SIDE);
        multiply_rows(5, panel, a + 11 * 4, b, to + 11 * PEN_SIDE);
    }
}

const pen_tiles pen_tiles_avx_vnni = {
    .isa = PEN_ISA_AVX_VNNI,
    .largest = 128,
    .bias = 128,
    .unit = 4,
    .block = 256 << 10,
    .cost = 0.005,
    .left = left,
    .multiply = multiply,
    .whole = pen_whole_avx2,
    .scaled = pen_scaled_avx2,
};

#else
typedef int no_avx_vnni; /* a file must not be empty */
#endif
