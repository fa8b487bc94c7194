/* tiles_amx.c - tiles by AMX: registers of 16 rows of 64 bytes. On the right such a row is
 * four codes of each row of a panel, as stored; on the left it is 64 codes of one row. */
#if defined(__x86_64__)
#include "products/tiles.h"

#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f")))
#define WITH_AMX    __attribute__((target("amx-tile,amx-int8")))

enum { UNIT = 64, TILE = PEN_PANEL * UNIT, STRIDE = PEN_SIDE * (int)sizeof(int32_t) };

/* The operand of ldtilecfg. */
struct configuration {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes_of_row[16];
    uint8_t rows[16];
};
_Static_assert(sizeof(struct configuration) == 64, "as the CPU reads it");

/* Static, because gcc 12 does not know that ldtilecfg reads more than eight bytes of it, and might
 * leave the rest of a local variable unwritten. */
static const struct configuration configuration __attribute__((aligned(64))) = {
    .palette = 1,
    .bytes_of_row = { UNIT, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT },
    .rows = { PEN_PANEL, PEN_PANEL, PEN_PANEL, PEN_PANEL, PEN_PANEL, PEN_PANEL, PEN_PANEL,
              PEN_PANEL },
};

WITH_AMX static void open_tiles(void)
{
    _tile_loadconfig(&configuration);
}

WITH_AMX static void close_tiles(void)
{
    _tile_release();
}

/* 64 codes of 16 rows are 16 x 16 groups of four codes. This transposes them in four rounds; round
 * d exchanges bit d of the row and of the column. */
WITH_AVX512 static void left(int64_t depth, const int8_t *panels, void *to)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    for (int64_t at = 0; at < 2 * pen_panel_bytes(depth); at += TILE) {
        __m512i v[PEN_PANEL];
#pragma GCC unroll 16
        for (int i = 0; i < PEN_PANEL; i++)
            v[i] = _mm512_loadu_si512(panels + at + i * UNIT);
#pragma GCC unroll 4
        for (int d = 1; d < PEN_PANEL; d *= 2) {
            const __m512i bit = _mm512_set1_epi32(d), other = _mm512_xor_si512(lane, bit);
            const __mmask16 set = _mm512_test_epi32_mask(lane, bit);
#pragma GCC unroll 8
            for (int pair = 0; pair < PEN_PANEL / 2; pair++) {
                const int i = pair % d + pair / d * 2 * d;
                const __m512i a = v[i], b = v[i + d];
                v[i] = _mm512_mask_permutexvar_epi32(a, set, other, b);
                v[i + d] = _mm512_mask_permutexvar_epi32(b, _mm512_knot(set), other, a);
            }
        }
#pragma GCC unroll 16
        for (int i = 0; i < PEN_PANEL; i++)
            _mm512_storeu_si512((char *)to + at + i * UNIT, v[i]);
    }
}

WITH_AMX static void multiply(int64_t depth, const void *left_panels, const int8_t *right,
                              int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);
    const int8_t *const left_side = left_panels;

    /* gcc 12 does not know that tileloadd reads memory. */
    __asm__ volatile("" ::: "memory");
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t at = 0; at < panel; at += TILE) {
        _tile_loadd(4, left_side + at, UNIT);
        _tile_loadd(6, right + at, UNIT);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(7, right + panel + at, UNIT);
        _tile_dpbssd(1, 4, 7);
        _tile_loadd(5, left_side + panel + at, UNIT);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
    _tile_stored(0, products, STRIDE);
    _tile_stored(1, products + PEN_PANEL, STRIDE);
    _tile_stored(2, products + PEN_PANEL * PEN_SIDE, STRIDE);
    _tile_stored(3, products + PEN_PANEL * PEN_SIDE + PEN_PANEL, STRIDE);
}

const pen_tiles pen_tiles_amx = {
    .isa = PEN_ISA_AMX,
    .largest = 128,
    .unit = UNIT,
    .block = 1 << 20,
    .cost = 0.001,
    .open = open_tiles,
    .close = close_tiles,
    .left = left,
    .multiply = multiply,
    .whole = pen_whole_avx512,
    .scaled = pen_scaled_avx512,
};

#else
typedef int no_amx; /* a file must not be empty */
#endif
