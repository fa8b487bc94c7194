/* span.h - the request to a method, its projection, and problems in the span of the rows. */
#ifndef PEN_SPAN_H
#define PEN_SPAN_H

#include "core/rows.h"
#include "linalg/eig.h"

/* Neither an error nor a result: the fit continues in coordinates computed from the rows. */
#define PEN_FROM_ROWS ((pen_status)1)

/* A request to a method. */
typedef struct pen_request {
    int64_t wanted;  /* dimensions; 0: all, or the default of the method */
    int allow_fewer; /* accept fewer */
    uint64_t seed;   /* of random numbers */
    /* number of columns of the rows before an exact reduction to their rank: a ridge is in units of
     * the mean of a diagonal over these */
    int64_t columns;
    /* number of dimensions in the span of the rows, if dependent columns, not few rows, make it
     * smaller than the columns: ridge auto is in units of the mean over these */
    int64_t spanned;
    /* the rows to fit, unless in coordinates already. If a solver finds its denominator singular,
     * or nearly, and columns of these rows dependent, it returns PEN_FROM_ROWS; NULL: it does
     * not */
    const pen_view *rows;
    const char *ridge;      /* the parameter that adds to the diagonal, for messages; NULL: ridge */
    const pen_sym *penalty; /* added to the denominator of a ratio of scatters; NULL: 0 */
} pen_request;

/* The projection of a method: z = W'x for centered rows x. */
typedef struct pen_projection {
    int64_t d, k;
    double *W;           /* [d x k] */
    double *eigenvalues; /* [k], or NULL: the columns do not come from an eigenproblem */
    double residual;     /* of the eigenproblem */
    double ridge;        /* the number added to the diagonal of C */
    int uncentered;      /* 1: for rows as given, unless an earlier step centers them */
    int penalized;       /* the penalty of the request was added to C */

    /* For methods that predict classes, in scratch memory; otherwise NULL. */
    /* [classes] the scores of a row are its first `classes` dimensions plus these */
    const double *bias;
    double *propagated; /* [n x classes] scores of the rows of the fit */
    /* [2 x classes] class masses and priors (class_mass.h); NULL: scores are not probabilities */
    const double *class_mass;
} pen_projection;

/* Takes the first k pairs of an eigenproblem as columns; `out` has room for them. */
void pen_solve_take(const pen_eig *e, int64_t k, pen_projection *out);

/* The directions in which rows differ: the first `rank` eigenvectors of S_t. pen_solve_enter
 * transforms a problem to their coordinates, and pen_solve_return transforms its columns back. */
typedef struct pen_span {
    int64_t d, rank;
    const double *basis; /* [rank x d] orthonormal */
    double trace;        /* of S_t */
} pen_span;
pen_status pen_solve_span(pen_run *run, const pen_sym *S_t, pen_span *out);

/* The span of rows, S_t = sum_i (x_i - mu)(x_i - mu)'. */
pen_status pen_solve_span_of(pen_run *run, const pen_view *x, pen_span *out);

/* Two scatters in the coordinates of a span, and the request with the columns and the penalty of
 * the span. The struct must not move, because the request points into it. */
typedef struct pen_inner {
    pen_sym A, B, penalty;
    pen_request request;
} pen_inner;
pen_status pen_solve_enter(pen_run *run, const pen_span *span, const pen_sym *A, const pen_sym *B,
                           const pen_request *request, pen_inner *out);
pen_status pen_solve_return(pen_run *run, const pen_span *span, pen_projection *out);

#endif
