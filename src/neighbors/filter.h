/* filter.h - nearest neighbors of all rows among themselves, with tiles of few coordinates.
 *
 * Rows are projected on m principal axes, V, and rounded to codes q with one scale s:
 *
 *   s q = V (x - mu) + rest,   |rest| <= e.
 *
 * V shortens differences, up to a factor 1 + eta of rounding, so that by the triangle inequality
 * s |q - q'| <= (1 + eta) |x - x'| + e + e'. If x' is among the k nearest of x, |x - x'| is at most
 * tau, the k-th smallest distance found so far, and therefore
 *
 *   |q - q'|^2 <= (((1 + eta) tau + e + max e') / s)^2,
 *
 * a comparison of integers. e includes the rounding of the projection. A row with infinite e always
 * passes, and does not enter the maximum. Distances are computed for pairs that satisfy the bound
 * of either row. */
#ifndef PEN_FILTER_H
#define PEN_FILTER_H

#include "core/squared_distance.h"
#include "neighbors/codes.h"
#include "neighbors/neighbor.h"
#include "neighbors/tile_walk.h"

/* Loss of squares of differences through underflow, d at most 2^16. */
static const double PEN_FILTER_UNDERFLOW = 0x1p-1056;

/* The projection of rows. */
typedef struct pen_filter_basis {
    int64_t m;            /* number of axes; 0: a filter does not pay */
    const float *axes;    /* [m x d] */
    const double *center; /* [d] mu */
    double stretch;       /* 1 + eta */
    double most;          /* if a larger fraction of pairs passes, full products are faster */
} pen_filter_basis;

/* Rows rows[0 .. count) of x, all if NULL; x is coded by `coding`. */
typedef struct pen_filter_rows {
    const pen_coding *coding;
    const pen_view *x;
    const int64_t *rows;
    int64_t count;
    const double *bound2; /* as in pen_code_search_task; or NULL */
} pen_filter_rows;

/* Some rows and their principal axes. */
typedef struct pen_filter_sample {
    const pen_filter_rows *of;
    int64_t count, fitted, d, q; /* the axes are those of the first `fitted` rows */
    double *rows, *coordinates;  /* [count x d] about the center, [count x q] */
    double *center, *axes;       /* [d], [q x d] the largest variance first */
} pen_filter_sample;

enum { PEN_FILTER_STEP = 16 };                  /* numbers of axes are multiples of this */
static const double PEN_FILTER_MULTIPLY = 0.05; /* nanoseconds of a multiply-add of rows */

/* The number of axes worth computing, if one costs `each` nanoseconds. */
int64_t pen_filter_axes(const pen_filter_rows *rows, int64_t sample, double each);

/* Sets m and most. */
pen_status pen_filter_choose(pen_run *run, const pen_filter_sample *s, int64_t k,
                             pen_filter_basis *out);

/* Finds the principal axes; their number makes the search of k neighbors fastest. m is 0 if no
 * number does, which for few rows follows from their sizes. must: m is above 0, whatever the speed.
 * Cost: some hundredths of that of all products. */
pen_status pen_filter_basis_open(pen_run *run, const pen_filter_rows *rows, int64_t k, int must,
                                 pen_filter_basis *out);

/* order [count]: puts rows that are near to each other together. Blocks of `block` rows are roughly
 * the clusters. */
pen_status pen_filter_order(pen_run *run, int64_t count, int64_t m, const float *y, int64_t block,
                            int64_t *order);

/* Rows in the order of a search. Arrays [padded], a multiple of 32, end with rows of zeros that
 * reach nothing. */
typedef struct pen_filter_table {
    const pen_filter_rows *rows;
    const pen_filter_basis *basis;
    int64_t n, padded;
    int64_t depth, stride;  /* codes of a row, and numbers of a copy: d and padding zeros */
    int64_t block, blocks;  /* rows of a block; number of blocks */
    int64_t *order, *place; /* [n] the row at each position; its place among the given rows */
    int8_t *panels;
    int32_t *length2, *base, *reach; /* [padded] for pen_whole_filter */
    double scale;                    /* s */
    double *slack;                   /* [n] e; infinite: the row always passes */
    uint8_t *bytes;                  /* [n x stride] the rows if they are whole numbers, */
    float *floats;                   /* or about the center and rounded */
    int32_t *own, *far;   /* [n] of bytes: |a - b|^2 = own of a + far of b - 2 a (b - 128) */
    double *blur, *near;  /* [n] error of a copy; squared distance beyond which copies are far */
    double widest, worst; /* the largest finite slack, the largest blur */
    pen_fast_fns fast;
} pen_filter_table;

/* Opens the table, without reach and near, in scratch memory: d + m + 60 bytes per row, 4 d + m +
 * 52 unless rows are whole numbers, and temporarily 4 m + 24. */
pen_status pen_filter_table_open(pen_run *run, const pen_filter_rows *rows,
                                 const pen_filter_basis *basis, pen_filter_table *t);

/* The squared distance of the copies of two rows. */
static inline double pen_filter_copies_distance2(const pen_filter_table *t, int64_t i, int64_t j)
{
    if (t->floats)
        return (double)t->fast.distance2(t->floats + i * t->stride, t->floats + j * t->stride,
                                         t->stride);
    const int32_t product =
        t->fast.product(t->bytes + i * t->stride, t->bytes + j * t->stride, t->stride);
    return (double)(int32_t)((uint32_t)t->own[i] + (uint32_t)t->far[j] - 2 * (uint32_t)product);
}

/* A walk over its tiles. */
pen_status pen_filter_walk(pen_run *run, const pen_filter_table *t, const void *context,
                           pen_tile_filter_fn *filter, pen_tile_meet_fn *meet, pen_tile_walk *out);

/* Lowers bound2 [n], by place, to a squared distance within which there are k rows. */
pen_status pen_filter_start(pen_run *run, const pen_filter_table *t, int64_t k, double *bound2);

/* Part of pen_code_search, for its task. must: see above. */
pen_status pen_filter_search(pen_run *run, const pen_filter_rows *rows, int64_t k, int must,
                             pen_neighbor *found, int *done);

#endif
