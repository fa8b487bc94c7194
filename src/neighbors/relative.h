/* relative.h - the relative space, in which a row is represented by its distances to reference
 * rows: all rows, or landmarks among them.
 *
 *   y_i = (|x_i - x_t|) over reference rows t
 *   r_ij = |y_i - y_j|, the relative distance
 *
 * Close rows have similar distances to all others; an outlier does not, so it moves away from the
 * rows near it. With landmarks R, whose sum lacks its two largest terms, those of i and j
 * themselves, the distance is an estimate of the full sum,
 *
 *   r_ij^2 = 2 |x_i - x_j|^2
 *          + (n - 2) / |R'| sum over t in R' of (|x_i - x_t| - |x_j - x_t|)^2,
 *   R' = R without i and j,
 *
 * which is exact if R is all rows. */
#ifndef PEN_RELATIVE_H
#define PEN_RELATIVE_H

#include "neighbors/neighbors.h"

typedef struct pen_relative {
    int64_t n, p, m;          /* numbers of rows, coordinates, reference rows */
    const int64_t *landmarks; /* [m] distinct, or NULL: all rows */
    const double *z;          /* [n x p] the rows, translated but not scaled */
    const double *z2;         /* [n] squared lengths */
    /* [m / lanes][p x lanes] coordinates of the reference rows, stored by column */
    const double *panels;
    const int64_t *place; /* [n] index of a row among the reference rows, or -1 */
    const double *middle; /* [m] roughly the median distance to each reference row */
    /* [n x m] distances minus `middle`, or NULL: computed on demand */
    const double *y;
    const double *y2; /* [n] squared lengths of the rows of y */
} pen_relative;

/* Distances up to this number of bytes are stored rather than recomputed. */
enum { PEN_RELATIVE_BYTES = 1 << 30 };

/* Opens the relative space of x for the given landmarks, distinct rows; NULL: all rows are
 * reference rows. The distances are stored if they take at most `most_bytes`.
 * PEN_BAD_DATA: distances are not finite. Cost: n m p operations; memory: n p + m p doubles, plus
 * n m if distances are stored. */
pen_status pen_relative_open(pen_run *run, const pen_view *x, const int64_t *landmarks,
                             int64_t count, int64_t most_bytes, pen_relative *out);

/* The k nearest other rows in relative distance, 1 <= k <= n - 1: found [n x k], nearest first,
 * ties by row. Products of tiles, one for each pair of rows, rule out rows with a proven margin;
 * the remaining ones are compared by direct differences, with equal rows at distance 0.
 * Cost: n^2 m flops, plus n^2 p with landmarks; half as much again if distances are not stored; all
 * a second time, in double, where single precision leaves most rows open. Memory: 50 to 340 MB in
 * addition to the result. */
pen_status pen_relative_nearest(pen_run *run, const pen_relative *r, int64_t k,
                                pen_neighbor *found);

/* The differences y_j - y_i from i to `count` neighbors j, each coordinate multiplied by the square
 * root of its weight in the squared distance. With landmarks, i and the neighbors are
 * additional reference rows of weight 1. to [count x (m + count + 1)], of which *columns are
 * filled, rows contiguous; work [2 m]. */
void pen_relative_differences(const pen_relative *r, int64_t i, const pen_neighbor *rows,
                              int64_t count, double *to, int64_t *columns, double *work);

/* ---- rows of the relative space, for searches in it ---- */

/* Coordinates first .. first + count - 1 of y_i, minus `middle`; first is a multiple of 16. */
void pen_relative_coordinates(const pen_relative *r, int64_t i, int64_t first, int64_t count,
                              double *restrict to);

/* All coordinates of y_i; `buffer` [m] is used if they are not stored. */
const double *pen_relative_row(const pen_relative *r, int64_t i, double *buffer);

/* The factor that scales the sum of squares over the reference rows up to n - 2 terms, if `own` of
 * the m reference rows are i and j themselves. */
double pen_relative_factor(const pen_relative *r, int64_t own);

/* r_ij^2 from y_i, already computed; `buffer` [m] as above. */
double pen_relative_distance2_from(const pen_relative *r, int64_t i, const double *y_i, int64_t j,
                                   double *buffer);

#endif
