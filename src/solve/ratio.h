/* ratio.h - computes the columns of a projection from scatters. */
#ifndef PEN_RATIO_H
#define PEN_RATIO_H

#include "solve/ridge.h"

/* The columns: sqrt(value) v divided by the largest |entry| of v, sqrt(value) v, v, or Gram-Schmidt
 * of v. */
enum pen_columns {
    PEN_COLUMNS_LARGEST,
    PEN_COLUMNS_WEIGHTED,
    PEN_COLUMNS_PLAIN,
    PEN_COLUMNS_ORTHONORMAL
};
extern const char *const pen_column_scaling_names[];

/* Maximizes v'Bv / v'Cv: the first eigenvectors of B v = value C v, v'Cv = 1. C NULL: v'v. ridge
 * NULL: none. Errors of pen_eig_largest; PEN_RANK_TOO_SMALL: fewer values than wanted columns are
 * above 0, unless fewer are accepted, or none is above 0. */
pen_status pen_solve_ratio(pen_run *run, const pen_sym *B, pen_sym *C, const pen_ridge *ridge,
                           enum pen_columns scaling, const pen_request *request,
                           pen_projection *out);

/* Maximizes v'Av, v'v = 1, in the span of the directions with v'S_t v > 0; their number is the rank
 * of S_t. A may be indefinite. If several values are 0, their columns have descending v'S_t v.
 * Errors as above. */
pen_status pen_solve_difference(pen_run *run, const pen_sym *A, const pen_sym *S_t,
                                const pen_request *request, pen_projection *out);

/* Minimizes v'Av / v'Bv: the eigenvectors of A v = value B v, v'Bv = 1, with the smallest values,
 * the smallest first. There are d, or the rank of a span, and A may be indefinite. ridge: of B; the
 * columns are not weighted. Errors of pen_eig_indefinite. */
pen_status pen_solve_smallest(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                              enum pen_columns scaling, const pen_request *request,
                              pen_projection *out);

/* Directions, not necessarily orthogonal or of unit length. */
typedef struct pen_directions {
    int64_t count;
    const double *rows; /* [count x d] */
} pen_directions;

/* Finds columns W, W'W = I: the part of each direction in `first`, then in `then`, outside the span
 * of the earlier ones. A direction within that span gives no column. No eigenvalues. Errors of
 * pen_solve_enough. Cost: 4 (number of directions) k d flops. */
pen_status pen_solve_gram_schmidt(pen_run *run, int64_t d, const pen_directions *first,
                                  const pen_directions *then, const pen_request *request,
                                  pen_projection *out);

/* Divides column c; scales all columns to length one. */
void pen_solve_divide_column(pen_projection *out, int64_t c, double by);
void pen_solve_unit_columns(pen_projection *out);

/* The number of columns, for methods whose columns depend on it: the number wanted, or `usual`, of
 * `there` dimensions. Errors of pen_solve_enough. */
pen_status pen_solve_count(pen_run *run, int64_t usual, int64_t there, const pen_request *request,
                           int64_t *k);

/* PEN_RANK_TOO_SMALL unless `there` has the dimensions wanted, or is at least one and fewer are
 * accepted. */
pen_status pen_solve_enough(pen_run *run, int64_t there, const pen_request *request);

#endif
