/* ratio.h - from scatters to the columns of a projection. */
#ifndef PEN_RATIO_H
#define PEN_RATIO_H

#include "core/rows.h"
#include "linalg/eig.h"

/* What is asked of a method. */
typedef struct pen_request {
    int64_t wanted;  /* dimensions; 0: all, or the default of the method */
    int allow_fewer; /* fewer are accepted */
    /* columns of the rows before an exact reduction to their rank: a ridge is in units of the mean
     * of a diagonal over these */
    int64_t columns;
    const char *ridge; /* the parameter that adds to the diagonal, for messages; NULL: ridge */
} pen_request;

/* The ridge that is found from the scatter: the value of the word auto. */
enum { PEN_RIDGE_AUTO = -1 };

/* What makes a denominator C regular. */
typedef struct pen_ridge {
    /* amount tr(C)/columns is added to the diagonal; or PEN_RIDGE_AUTO: 0 where C is regular, as
     * pen_eig_is_definite decides, else what follows, which is noted as "regularized" */
    double amount;
    /* C describes the residuals of rows about the means of these classes or chunklets: it is shrunk
     * by rho (scatter/shrinkage.h), at most 0.999: amount = rho / (1 - rho); noted as "shrinkage".
     * C = 0: tr(B)/columns I. NULL: not shrunk. */
    const pen_rows *residuals;
    int exact; /* C is a multiple of the scatter of these residuals */
    /* columns stay in the span of these centered rows, which exact reductions span already; NULL:
     * they need not */
    const pen_rows *span;
    /* auto: a C that is singular still gets the smallest amount that makes its condition number
     * 1e10 */
} pen_ridge;

/* What a method finds: z = W'x for centered rows x. */
typedef struct pen_map {
    int64_t d, k;
    double *W;           /* [d x k] */
    double *eigenvalues; /* [k], or NULL: the columns are not those of an eigenproblem */
    double residual;     /* of the eigenproblem */
    double ridge;        /* the number added to the diagonal of C */

    /* Methods that predict classes, in scratch memory; otherwise NULL. */
    /* [classes] the scores of a row are its first `classes` dimensions plus these */
    const double *bias;
    double *propagated; /* [n x classes] scores of the rows of the fit */
    /* [2 x classes] masses and priors of the classes (class_mass.h); NULL: scores are not shares */
    const double *class_mass;
} pen_map;

/* The columns: sqrt(value) v, v, or Gram-Schmidt of v. */
enum pen_columns { PEN_COLUMNS_WEIGHTED, PEN_COLUMNS_PLAIN, PEN_COLUMNS_ORTHONORMAL };
extern const char *const pen_column_scaling_names[];

/* Maximize v'Bv / v'Cv: the first eigenvectors of B v = value C v, v'Cv = 1. C NULL: v'v. ridge
 * NULL: none. Errors of pen_eig_largest; PEN_RANK_TOO_SMALL: fewer values are above 0 than columns
 * are wanted, unless fewer are accepted, or none is. */
pen_status pen_solve_ratio(pen_run *run, const pen_sym *B, pen_sym *C, const pen_ridge *ridge,
                           enum pen_columns scaling, const pen_request *request, pen_map *out);

/* Maximize v'Bv, v'v = 1. */
pen_status pen_solve_largest(pen_run *run, const pen_sym *B, enum pen_columns scaling,
                             const pen_request *request, pen_map *out);

/* Maximize v'Av, v'v = 1, in the span of the directions with v'S_t v > 0, whose number is the rank
 * of S_t; A may be indefinite. Where several values are 0, their columns are ordered by descending
 * v'S_t v. Errors as above. */
pen_status pen_solve_difference(pen_run *run, const pen_sym *A, const pen_sym *S_t,
                                const pen_request *request, pen_map *out);

/* Minimize v'Av / v'Bv: the eigenvectors of A v = value B v, v'Bv = 1, with the smallest values,
 * the smallest first; there are d, or the rank of a span, and A may be indefinite. ridge: of B;
 * the columns are not weighted. Errors of pen_eig_indefinite. */
pen_status pen_solve_smallest(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                              enum pen_columns scaling, const pen_request *request, pen_map *out);

/* The directions in which rows differ: the first `rank` eigenvectors of S_t. pen_solve_enter takes
 * a problem to their coordinates, pen_solve_return takes its columns back. */
typedef struct pen_span {
    int64_t d, rank;
    const double *basis; /* [rank x d] orthonormal */
    double trace;        /* of S_t */
} pen_span;
pen_status pen_solve_span(pen_run *run, const pen_sym *S_t, pen_span *out);

/* The span of rows, S_t = sum_i (x_i - mu)(x_i - mu)'. */
pen_status pen_solve_span_of(pen_run *run, const pen_rows *x, pen_span *out);

/* Two scatters in the coordinates of a span, and the request with the columns of the span. */
typedef struct pen_inner {
    pen_sym A, B;
    pen_request request;
} pen_inner;
pen_status pen_solve_enter(pen_run *run, const pen_span *span, const pen_sym *A, const pen_sym *B,
                           const pen_request *request, pen_inner *out);
pen_status pen_solve_return(pen_run *run, const pen_span *span, pen_map *out);

/* Scale the columns to length one. */
void pen_solve_unit_columns(pen_map *out);

/* The number of columns, for methods whose columns depend on it: that wanted, or `usual`, of
 * `there` dimensions. Errors of pen_solve_enough. */
pen_status pen_solve_count(pen_run *run, int64_t usual, int64_t there, const pen_request *request,
                           int64_t *k);

/* PEN_RANK_TOO_SMALL unless there are the dimensions wanted, or at least one and fewer are
 * accepted. */
pen_status pen_solve_enough(pen_run *run, int64_t there, const pen_request *request);

#endif
