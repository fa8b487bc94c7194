/* tiles_avx512.c - tiles by AVX-512 with VNNI, whose dot products take unsigned bytes on one side:
 * codes on the left are shifted by 128. */
#if defined(__x86_64__)
#include "products/tiles.h"

#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define WITH_VNNI   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

enum { ROWS = 8 }; /* rows of a step: two vectors each, which hides the latency of the products */

WITH_VNNI static void left(int64_t depth, const int8_t *panels, void *to)
{
    const __m512i high = _mm512_set1_epi8((char)-128);

    for (int64_t i = 0; i < 2 * pen_panel_bytes(depth); i += 64)
        _mm512_storeu_si512((char *)to + i, _mm512_xor_si512(_mm512_loadu_si512(panels + i), high));
}

WITH_VNNI static void multiply(int64_t depth, const void *left_panels, const int8_t *right,
                               int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);

    for (int64_t first = 0; first < PEN_SIDE; first += ROWS, products += ROWS * PEN_SIDE) {
        const char *const a =
            (const char *)left_panels + first / PEN_PANEL * panel + first % PEN_PANEL * 4;
        __m512i sum[ROWS][2];

#pragma GCC unroll 8
        for (int i = 0; i < ROWS; i++)
            sum[i][0] = sum[i][1] = _mm512_setzero_si512();
        for (int64_t at = 0; at < panel; at += 4 * PEN_PANEL) {
            const __m512i b0 = _mm512_loadu_si512(right + at),
                          b1 = _mm512_loadu_si512(right + panel + at);
#pragma GCC unroll 8
            for (int i = 0; i < ROWS; i++) {
                const __m512i four =
                    _mm512_set1_epi32(*(const int32_t *)(const void *)(a + at + 4 * i));
                sum[i][0] = _mm512_dpbusd_epi32(sum[i][0], four, b0);
                sum[i][1] = _mm512_dpbusd_epi32(sum[i][1], four, b1);
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; i++) {
            _mm512_store_si512(products + i * PEN_SIDE, sum[i][0]);
            _mm512_store_si512(products + i * PEN_SIDE + PEN_PANEL, sum[i][1]);
        }
    }
}

WITH_AVX512 int pen_whole_avx512(const pen_whole_filter *f, const int32_t *products,
                                 uint32_t *passing)
{
    uint32_t any = 0;
    __m512i base[2], reach[2];

    for (int half = 0; half < 2; half++) {
        base[half] = _mm512_loadu_si512(f->base + half * PEN_PANEL);
        reach[half] = _mm512_loadu_si512(f->reach + half * PEN_PANEL);
    }
    for (int i = 0; i < PEN_SIDE; i++, products += PEN_SIDE) {
        const __m512i own = _mm512_set1_epi32(f->own[i]),
                      own_reach = _mm512_set1_epi32(f->own_reach[i]);
        uint32_t bits = 0;
        for (int half = 0; half < 2; half++) {
            const __m512i product = _mm512_load_si512(products + half * PEN_PANEL);
            const __m512i distance2 = _mm512_sub_epi32(_mm512_add_epi32(own, base[half]),
                                                       _mm512_add_epi32(product, product));
            bits |= (uint32_t)_mm512_cmple_epi32_mask(distance2,
                                                      _mm512_max_epi32(own_reach, reach[half]))
                    << half * PEN_PANEL;
        }
        any |= passing[i] = bits;
    }
    return any != 0;
}

WITH_AVX512 int pen_scaled_avx512(const pen_scaled_filter *f, const int32_t *products,
                                  uint32_t *passing)
{
    uint32_t any = 0;

    for (int half = 0; half < 2; half++) {
        const int at = half * PEN_PANEL;
        const __m512i base = _mm512_loadu_si512(f->base + at);
        const __m512 length = _mm512_loadu_ps(f->length + at),
                     scale = _mm512_loadu_ps(f->scale + at), slack = _mm512_loadu_ps(f->slack + at),
                     reach = _mm512_loadu_ps(f->reach + at);
        for (int i = 0; i < PEN_SIDE; i++) {
            const __m512 product = _mm512_cvtepi32_ps(
                _mm512_sub_epi32(_mm512_load_si512(products + i * PEN_SIDE + at), base));
            const __m512 low = _mm512_sub_ps(
                _mm512_add_ps(_mm512_set1_ps(f->own_length[i]), length),
                _mm512_mul_ps(_mm512_set1_ps(f->own_scale[i]), _mm512_mul_ps(scale, product)));
            const __m512 t = _mm512_max_ps(_mm512_add_ps(_mm512_set1_ps(f->own_reach[i]), slack),
                                           _mm512_add_ps(reach, _mm512_set1_ps(f->own_slack[i])));
            const uint32_t bits = _mm512_cmp_ps_mask(low, _mm512_mul_ps(t, t), _CMP_LE_OQ);
            passing[i] = (half ? passing[i] : 0) | bits << at;
            any |= bits;
        }
    }
    return any != 0;
}

const pen_tiles pen_tiles_avx512_vnni = {
    .isa = PEN_ISA_AVX512_VNNI,
    .largest = 128,
    .bias = 128,
    .unit = 4,
    .block = 256 << 10,
    .cost = 0.003,
    .left = left,
    .multiply = multiply,
    .whole = pen_whole_avx512,
    .scaled = pen_scaled_avx512,
};

#else
typedef int no_avx512; /* a file must not be empty */
#endif
