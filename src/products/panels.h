/* panels.h - products of floats and of doubles, a tile at a time.
 *
 * Numbers are stored in panels. A left panel holds `high` rows of the left factor, packed as
 * [depth][high]; a right panel holds `wide` columns of the right factor, packed as [depth][wide].
 * Every sum is one chain of fused multiply-adds, from 0 and in the order of the depth, so every
 * instruction set gives the same numbers, whatever the shape of its tiles. */
#ifndef PEN_PANELS_H
#define PEN_PANELS_H

#include "core/isa.h"

#include <penumbra.h>

#include <stdint.h>

enum { PEN_LARGEST_TILE = 14 * 32 * 4 }; /* bytes */

/* How sums are added to a result: c = alpha sum + beta c, with c not read if beta is 0. Row i of
 * the tile has min(wide, first + i) entries: those on and below a diagonal, or all. */
typedef struct pen_tile_end {
    int64_t high, wide, first;
    double alpha, beta;
} pen_tile_end;

typedef struct pen_panels {
    pen_isa isa;
    int64_t high, wide;
    /* sums [high x wide], aligned to 64, as the panels are */
    void (*multiply)(int64_t depth, const void *left, const void *right, void *sums);
    /* c, rows `stride` elements apart */
    void (*add)(const pen_tile_end *end, const void *sums, void *c, int64_t stride);
} pen_panels;

/* The best panels available at `isa` or below, for PEN_F32 or PEN_F64. */
const pen_panels *pen_panels_of(pen_isa isa, pen_dtype type);

/* The tables of the files in this folder, each only on its architecture: for floats, for
 * doubles. */
extern const pen_panels pen_panels_portable[2], pen_panels_neon[2], pen_panels_avx2[2],
    pen_panels_avx512[2];

/* A fully unrolled loop, so that its vectors stay in registers. */
#define PEN_UNROLLED(I, COUNT) _Pragma("GCC unroll 16") for (int I = 0; I < (COUNT); I++)

/* The product of two panels in registers, HIGH x 2 sums of a vector of WIDTH numbers each. OPS
 * begins the names of four macros of the file: _ZERO, _LOAD, _STORE, and _ADD for the sum plus a
 * number times a vector, rounded once. */
#define PEN_PANELS_MULTIPLY(NAME, NUMBER, VECTOR, WIDTH, HIGH, OPS, TARGET)                        \
    TARGET static void NAME(int64_t depth, const void *left, const void *right, void *sums)        \
    {                                                                                              \
        const NUMBER *a = left, *b = right;                                                        \
        NUMBER *to = sums;                                                                         \
        VECTOR sum[HIGH][2];                                                                       \
                                                                                                   \
        PEN_UNROLLED(i, HIGH)                                                                      \
        sum[i][0] = sum[i][1] = OPS##_ZERO;                                                        \
        for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * WIDTH) {                           \
            const VECTOR b0 = OPS##_LOAD(b), b1 = OPS##_LOAD(b + WIDTH);                           \
            PEN_UNROLLED(i, HIGH)                                                                  \
            {                                                                                      \
                sum[i][0] = OPS##_ADD(sum[i][0], a[i], b0);                                        \
                sum[i][1] = OPS##_ADD(sum[i][1], a[i], b1);                                        \
            }                                                                                      \
        }                                                                                          \
        PEN_UNROLLED(i, HIGH)                                                                      \
        {                                                                                          \
            OPS##_STORE(to + 2 * i * WIDTH, sum[i][0]);                                            \
            OPS##_STORE(to + (2 * i + 1) * WIDTH, sum[i][1]);                                      \
        }                                                                                          \
    }

/* The addition in plain C, compiled once for each instruction set: TARGET is its attribute. Whole
 * rows are loops of a known length, which are a few vectors. */
#define PEN_PANELS_ADD(NAME, NUMBER, WIDE, TARGET)                                                 \
    TARGET static void NAME(const pen_tile_end *end, const void *from, void *to, int64_t stride)   \
    {                                                                                              \
        const NUMBER *restrict sums = from, alpha = (NUMBER)end->alpha, beta = (NUMBER)end->beta;  \
        NUMBER *restrict c = to;                                                                   \
                                                                                                   \
        for (int64_t i = 0; i < end->high; i++, sums += WIDE, c += stride) {                       \
            const int64_t reach = end->first + i < end->wide ? end->first + i : end->wide;         \
            if (beta == 0 && reach == WIDE)                                                        \
                for (int64_t j = 0; j < WIDE; j++)                                                 \
                    c[j] = alpha * sums[j];                                                        \
            else if (beta == 0)                                                                    \
                for (int64_t j = 0; j < reach; j++)                                                \
                    c[j] = alpha * sums[j];                                                        \
            else if (reach == WIDE)                                                                \
                for (int64_t j = 0; j < WIDE; j++)                                                 \
                    c[j] = alpha * sums[j] + beta * c[j];                                          \
            else                                                                                   \
                for (int64_t j = 0; j < reach; j++)                                                \
                    c[j] = alpha * sums[j] + beta * c[j];                                          \
        }                                                                                          \
    }

/* The table of a file, from its F32_ and F64_ macros: panels HIGH rows by two vectors. */
#define PEN_PANELS(NAME, ISA, FLOAT_VECTOR, DOUBLE_VECTOR, HIGH, FLOATS, TARGET)                   \
    PEN_PANELS_MULTIPLY(multiply_f32, float, FLOAT_VECTOR, (FLOATS), HIGH, F32, TARGET)            \
    PEN_PANELS_MULTIPLY(multiply_f64, double, DOUBLE_VECTOR, (FLOATS / 2), HIGH, F64, TARGET)      \
    PEN_PANELS_ADD(add_f32, float, (2 * FLOATS), TARGET)                                           \
    PEN_PANELS_ADD(add_f64, double, FLOATS, TARGET)                                                \
    const pen_panels NAME[2] = { { ISA, HIGH, 2 * FLOATS, multiply_f32, add_f32 },                 \
                                 { ISA, HIGH, FLOATS, multiply_f64, add_f64 } };

#endif
