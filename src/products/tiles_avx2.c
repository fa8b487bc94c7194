/* tiles_avx2.c - tiles by AVX2, whose products of bytes saturate: full bytes are widened to 16
 * bits, and smaller codes are multiplied directly. */
#if defined(__x86_64__)
#include "products/tiles.h"

#include <immintrin.h>
#include <string.h>

#define WITH_AVX2 __attribute__((target("avx2")))

enum {
    LANES = 8, /* int32 in a vector */
    ROWS = 4,  /* rows of a step: two vectors each, so that all sums stay in registers */
    GROUP = PEN_PANEL * 4, /* bytes of four codes of each row of a panel */
    WIDENED = 32,          /* groups to widen at a time: 16 KB for both sides */
};

WITH_AVX2 static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

WITH_AVX2 static inline __m256i repeat(const void *four_bytes)
{
    int32_t four;
    memcpy(&four, four_bytes, sizeof four);
    return _mm256_set1_epi32(four);
}

/* Two panels as pairs of 16-bit numbers, [groups][codes 0 and 2; codes 1 and 3][32 rows]. */
WITH_AVX2 static void widen(int64_t groups, int64_t panel, const int8_t *from, int32_t *to)
{
    for (int64_t g = 0; g < groups; g++, from += GROUP, to += 2 * PEN_SIDE)
        for (int i = 0; i < PEN_SIDE; i += LANES) {
            const __m256i codes = load(from + i / PEN_PANEL * panel + i % PEN_PANEL * 4);
            _mm256_store_si256((__m256i *)(void *)(to + i),
                               _mm256_srai_epi16(_mm256_slli_epi16(codes, 8), 8));
            _mm256_store_si256((__m256i *)(void *)(to + PEN_SIDE + i), _mm256_srai_epi16(codes, 8));
        }
}

/* Adds products of rows [ROWS] and columns [2 * LANES]. */
WITH_AVX2 static void add_wide(int64_t pairs, const int32_t *left, const int32_t *right,
                               int32_t *products)
{
    __m256i sum[ROWS][2];

#pragma GCC unroll 8
    for (int i = 0; i < 2 * ROWS; i++)
        sum[i / 2][i % 2] = load(products + i / 2 * PEN_SIDE + i % 2 * LANES);
#pragma GCC unroll 2
    for (int64_t at = 0; at < pairs * PEN_SIDE; at += PEN_SIDE) {
        const __m256i b0 = load(right + at), b1 = load(right + at + LANES);
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; i++) {
            const __m256i a = repeat(left + at + i);
            sum[i][0] = _mm256_add_epi32(sum[i][0], _mm256_madd_epi16(a, b0));
            sum[i][1] = _mm256_add_epi32(sum[i][1], _mm256_madd_epi16(a, b1));
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < 2 * ROWS; i++)
        _mm256_storeu_si256((void *)(products + i / 2 * PEN_SIDE + i % 2 * LANES),
                            sum[i / 2][i % 2]);
}

WITH_AVX2 static void multiply_bytes(int64_t depth, const void *left, const int8_t *right,
                                     int32_t *products)
{
    int32_t a[WIDENED * 2 * PEN_SIDE] __attribute__((aligned(32))),
        b[WIDENED * 2 * PEN_SIDE] __attribute__((aligned(32)));
    const int64_t panel = pen_panel_bytes(depth), all = depth / 4;

    memset(products, 0, PEN_AREA * sizeof *products);
    for (int64_t first = 0; first < all; first += WIDENED) {
        const int64_t groups = all - first < WIDENED ? all - first : WIDENED;
        widen(groups, panel, (const int8_t *)left + first * GROUP, a);
        widen(groups, panel, right + first * GROUP, b);
        for (int i = 0; i < PEN_SIDE; i += ROWS)
            for (int j = 0; j < PEN_SIDE; j += 2 * LANES)
                add_wide(2 * groups, a + i, b + j, products + i * PEN_SIDE + j);
    }
}

WITH_AVX2 static void left_codes(int64_t depth, const int8_t *panels, void *to)
{
    const __m256i bias = _mm256_set1_epi8(64);

    for (int64_t at = 0; at < 2 * pen_panel_bytes(depth); at += 32)
        _mm256_storeu_si256((void *)((char *)to + at), _mm256_add_epi8(load(panels + at), bias));
}

/* Codes in [-63, 63] are [1, 127] on the left. vpmaddubsw adds the products of a pair of codes,
 * with saturation: such a sum is at most 2 * 127 * 63 = 16002, and two of them at most 32004, less
 * than 2^15. So two sums, but not three, are added before they are widened. */
WITH_AVX2 static void multiply_codes(int64_t depth, const void *left, const int8_t *right,
                                     int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);
    const __m256i ones = _mm256_set1_epi16(1);

    for (int step = 0; step < 2 * PEN_SIDE / ROWS; step++) {
        const int i = step / 2 * ROWS, j = step % 2 * PEN_PANEL;
        const char *const a = (const char *)left + i / PEN_PANEL * panel + i % PEN_PANEL * 4;
        const int8_t *const b = right + step % 2 * panel;
        __m256i sum[ROWS][2];

#pragma GCC unroll 8
        for (int k = 0; k < ROWS; k++)
            sum[k][0] = sum[k][1] = _mm256_setzero_si256();
        for (int64_t at = 0; at < panel; at += 2 * GROUP) {
            const __m256i b0 = load(b + at), b1 = load(b + at + 32), b2 = load(b + at + GROUP),
                          b3 = load(b + at + GROUP + 32);
#pragma GCC unroll 4
            for (int k = 0; k < ROWS; k++) {
                const __m256i a0 = repeat(a + at + 4 * k), a1 = repeat(a + at + GROUP + 4 * k);
                const __m256i s0 = _mm256_add_epi16(_mm256_maddubs_epi16(a0, b0),
                                                    _mm256_maddubs_epi16(a1, b2)),
                              s1 = _mm256_add_epi16(_mm256_maddubs_epi16(a0, b1),
                                                    _mm256_maddubs_epi16(a1, b3));
                sum[k][0] = _mm256_add_epi32(sum[k][0], _mm256_madd_epi16(s0, ones));
                sum[k][1] = _mm256_add_epi32(sum[k][1], _mm256_madd_epi16(s1, ones));
            }
        }
#pragma GCC unroll 8
        for (int k = 0; k < 2 * ROWS; k++)
            _mm256_store_si256((void *)(products + (i + k / 2) * PEN_SIDE + j + k % 2 * LANES),
                               sum[k / 2][k % 2]);
    }
}

WITH_AVX2 int pen_whole_avx2(const pen_whole_filter *f, const int32_t *products, uint32_t *passing)
{
    uint32_t any = 0;

    for (int i = 0; i < PEN_SIDE; i++, products += PEN_SIDE) {
        const __m256i own = _mm256_set1_epi32(f->own[i]),
                      own_reach = _mm256_set1_epi32(f->own_reach[i]);
        uint32_t far = 0;
        for (int j = 0; j < PEN_SIDE; j += LANES) {
            const __m256i product = load(products + j);
            const __m256i distance2 = _mm256_sub_epi32(_mm256_add_epi32(own, load(f->base + j)),
                                                       _mm256_add_epi32(product, product));
            const __m256i more =
                _mm256_cmpgt_epi32(distance2, _mm256_max_epi32(own_reach, load(f->reach + j)));
            far |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(more)) << j;
        }
        any |= passing[i] = ~far;
    }
    return any != 0;
}

WITH_AVX2 int pen_scaled_avx2(const pen_scaled_filter *f, const int32_t *products,
                              uint32_t *passing)
{
    uint32_t any = 0;

    for (int j = 0; j < PEN_SIDE; j += LANES) {
        const __m256i base = load(f->base + j);
        const __m256 length = _mm256_loadu_ps(f->length + j), scale = _mm256_loadu_ps(f->scale + j),
                     slack = _mm256_loadu_ps(f->slack + j), reach = _mm256_loadu_ps(f->reach + j);
        for (int i = 0; i < PEN_SIDE; i++) {
            const __m256 product =
                _mm256_cvtepi32_ps(_mm256_sub_epi32(load(products + i * PEN_SIDE + j), base));
            const __m256 low = _mm256_sub_ps(
                _mm256_add_ps(_mm256_set1_ps(f->own_length[i]), length),
                _mm256_mul_ps(_mm256_set1_ps(f->own_scale[i]), _mm256_mul_ps(scale, product)));
            const __m256 t = _mm256_max_ps(_mm256_add_ps(_mm256_set1_ps(f->own_reach[i]), slack),
                                           _mm256_add_ps(reach, _mm256_set1_ps(f->own_slack[i])));
            const uint32_t bits =
                (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(low, _mm256_mul_ps(t, t), _CMP_LE_OQ));
            passing[i] = (j ? passing[i] : 0) | bits << j;
            any |= bits;
        }
    }
    return any != 0;
}

const pen_tiles pen_tiles_avx2_bytes = {
    .isa = PEN_ISA_AVX2,
    .largest = 128,
    .unit = 4,
    .block = 256 << 10,
    .cost = 0.014,
    .multiply = multiply_bytes,
    .whole = pen_whole_avx2,
    .scaled = pen_scaled_avx2,
};

const pen_tiles pen_tiles_avx2_codes = {
    .isa = PEN_ISA_AVX2,
    .largest = 63,
    .bias = 64,
    .unit = 8,
    .block = 256 << 10,
    .cost = 0.008,
    .left = left_codes,
    .multiply = multiply_codes,
    .whole = pen_whole_avx2,
    .scaled = pen_scaled_avx2,
};

#else
typedef int no_avx2; /* a file must not be empty */
#endif
