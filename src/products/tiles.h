/* tiles.h - dot products of codes, signed bytes, a tile of 32 x 32 at a time, and filters that find
 * products of possibly near rows.
 *
 * Codes are stored in panels of 16 rows, packed as [depth / 4][16][4] bytes: four codes of each
 * row, then the next four. A tile takes two panels on its left and two on its right. All sums are
 * integers, so every instruction set gives the same numbers, and they are exact: at most 65 024
 * terms, each at most 255 * 128 if codes on the left are shifted by 128, are 2 122 383 360, less
 * than 2^31. */
#ifndef PEN_TILES_H
#define PEN_TILES_H

#include "core/isa.h"

#include <stdint.h>

/* clang before 16 declares the dot products of Arm only if all code may use them. */
#if defined(__aarch64__)                                                                           \
    && (!defined(__clang__) || __clang_major__ >= 16 || defined(__ARM_FEATURE_DOTPROD))
#define PEN_TILES_NEON 1
#endif

enum {
    PEN_PANEL = 16,                   /* rows of a panel */
    PEN_SIDE = 32,                    /* rows and columns of a tile */
    PEN_AREA = PEN_SIDE * PEN_SIDE,   /* products of a tile */
    PEN_MOST_DEPTH = (1 << 16) - 512, /* most codes of a row */
};

/* For rows with integer distances. A pair matters to one of its rows if its squared distance
 * own[i] + base[j] - 2 products[i][j] is at most own_reach[i] or reach[j]. Intermediate sums may
 * leave the range of int32 and are taken modulo 2^32; the result must be in range. Entries j of
 * both arrays belong to the columns of the tile, [32]. */
typedef struct pen_whole_filter {
    const int32_t *own, *own_reach;
    const int32_t *base, *reach;
} pen_whole_filter;

/* For rows with a scale and a residual each. With the product p = products[i][j] - base[j], an
 * integer, a pair matters if in floats
 *
 *   own_length[i] + length[j] - own_scale[i] (scale[j] p) <= t^2,
 *   t = max(own_reach[i] + slack[j], reach[j] + own_slack[i])
 *
 * Reaches and slacks are at least 0: the square of a negative t would let pairs pass that are near
 * to neither row. A reach may be +infinity if every other row matters: t^2 is then infinite, and
 * the pair passes. Everything else, and the left side, is finite, so no NaN arises. All arrays
 * [32]. */
typedef struct pen_scaled_filter {
    const float *own_length, *own_scale, *own_slack, *own_reach;
    const int32_t *base;
    const float *length, *scale, *slack, *reach;
} pen_scaled_filter;

typedef struct pen_tiles {
    pen_isa isa;
    int largest;  /* codes are in [-largest, largest], or [-128, 127] if this is 128 */
    int bias;     /* a product is the sum of (c + bias) c', c a code on the left, c' on the right */
    int64_t unit; /* depth is a positive multiple of this; the padding codes are 0 */
    int64_t block; /* best number of bytes of codes to compare at a time; `left` also takes time */
    double cost;   /* nanoseconds per product of two codes, measured */
    /* A thread calls these before and after its products; NULL: nothing to do. In between it must
     * not run other code, neither the caller's nor BLAS, which may use the same registers. */
    void (*open)(void);
    void (*close)(void);
    /* Rearranges two panels for the left side, [32 x depth] bytes aligned to 64; NULL: not
     * needed. */
    void (*left)(int64_t depth, const int8_t *panels, void *left);
    /* products [32][32], aligned to 64; `right` is two panels. */
    void (*multiply)(int64_t depth, const void *left, const int8_t *right, int32_t *products);
    /* passing [32]: bit j of passing[i] is set if the pair matters. Returns whether any does. */
    int (*whole)(const pen_whole_filter *filter, const int32_t *products, uint32_t *passing);
    int (*scaled)(const pen_scaled_filter *filter, const int32_t *products, uint32_t *passing);
} pen_tiles;

/* The tiles of an instruction set for all bytes, and for codes that may have a smaller range if
 * that is faster. */
const pen_tiles *pen_tiles_of_bytes(pen_isa isa);
const pen_tiles *pen_tiles_of_codes(pen_isa isa);

/* The largest m such that m and -m are codes. */
static inline int pen_tiles_most(const pen_tiles *tiles)
{
    return tiles->largest < 128 ? tiles->largest : 127;
}

/* The depth of rows with `count` codes, including the padding zeros. */
static inline int64_t pen_tiles_depth(const pen_tiles *tiles, int64_t count)
{
    return (count + tiles->unit - 1) / tiles->unit * tiles->unit;
}

/* Bytes from the beginning of a panel to the next. */
static inline int64_t pen_panel_bytes(int64_t depth)
{
    return depth * PEN_PANEL;
}

/* The place of code `column` of row `row` in its panel. */
static inline int64_t pen_panel_place(int64_t row, int64_t column)
{
    return (column / 4 * PEN_PANEL + row) * 4 + column % 4;
}

/* The tables of the files in this folder, each only on its architecture. */
extern const pen_tiles pen_tiles_portable, pen_tiles_neon, pen_tiles_avx2_bytes,
    pen_tiles_avx2_codes, pen_tiles_avx_vnni, pen_tiles_avx512_vnni, pen_tiles_amx;

/* Filters that several tables share. */
int pen_whole_portable(const pen_whole_filter *f, const int32_t *products, uint32_t *passing);
int pen_scaled_portable(const pen_scaled_filter *f, const int32_t *products, uint32_t *passing);
int pen_whole_avx2(const pen_whole_filter *f, const int32_t *products, uint32_t *passing);
int pen_scaled_avx2(const pen_scaled_filter *f, const int32_t *products, uint32_t *passing);
int pen_whole_avx512(const pen_whole_filter *f, const int32_t *products, uint32_t *passing);
int pen_scaled_avx512(const pen_scaled_filter *f, const int32_t *products, uint32_t *passing);

#endif
