/* span.h - what is asked of a method, what it finds, and problems in the span of the rows. */
#ifndef PEN_SPAN_H
#define PEN_SPAN_H

#include "core/rows.h"
#include "linalg/eig.h"

/* No error, and no result either: the fit goes on in coordinates computed from the rows. */
#define PEN_FROM_ROWS ((pen_status)1)

/* What is asked of a method. */
typedef struct pen_request {
    int64_t wanted;  /* dimensions; 0: all, or the default of the method */
    int allow_fewer; /* fewer are accepted */
    uint64_t seed;   /* of what is drawn */
    /* columns of the rows before an exact reduction to their rank: a ridge is in units of the mean
     * of a diagonal over these */
    int64_t columns;
    /* dimensions that the rows span, if fewer than the columns for want of independent columns, not
     * of rows: ridge auto is in units of the mean over these */
    int64_t spanned;
    /* what is fitted, unless in coordinates already: a solver that finds its denominator singular,
     * or nearly, and the columns of these rows dependent returns PEN_FROM_ROWS; NULL: it does
     * not */
    const pen_view *rows;
    const char *ridge;      /* the parameter that adds to the diagonal, for messages; NULL: ridge */
    const pen_sym *penalty; /* added to the denominator of a ratio of scatters; NULL: 0 */
} pen_request;

/* What a method finds: z = W'x for centered rows x. */
typedef struct pen_projection {
    int64_t d, k;
    double *W;           /* [d x k] */
    double *eigenvalues; /* [k], or NULL: the columns are not those of an eigenproblem */
    double residual;     /* of the eigenproblem */
    double ridge;        /* the number added to the diagonal of C */
    int uncentered;      /* 1: of rows as given, unless something before it centers them */
    int penalized;       /* the penalty of the request was added to C */

    /* Methods that predict classes, in scratch memory; otherwise NULL. */
    /* [classes] the scores of a row are its first `classes` dimensions plus these */
    const double *bias;
    double *propagated; /* [n x classes] scores of the rows of the fit */
    /* [2 x classes] masses and priors of the classes (class_mass.h); NULL: scores are not shares */
    const double *class_mass;
} pen_projection;

/* The first k pairs of an eigenproblem, whose vectors become columns; there is room for them. */
void pen_solve_take(const pen_eig *e, int64_t k, pen_projection *out);

/* The directions in which rows differ: the first `rank` eigenvectors of S_t. pen_solve_enter takes
 * a problem to their coordinates, pen_solve_return takes its columns back. */
typedef struct pen_span {
    int64_t d, rank;
    const double *basis; /* [rank x d] orthonormal */
    double trace;        /* of S_t */
} pen_span;
pen_status pen_solve_span(pen_run *run, const pen_sym *S_t, pen_span *out);

/* The span of rows, S_t = sum_i (x_i - mu)(x_i - mu)'. */
pen_status pen_solve_span_of(pen_run *run, const pen_view *x, pen_span *out);

/* Two scatters in the coordinates of a span, and the request with the columns and the penalty of
 * the span. It must not move: the request points into it. */
typedef struct pen_inner {
    pen_sym A, B, penalty;
    pen_request request;
} pen_inner;
pen_status pen_solve_enter(pen_run *run, const pen_span *span, const pen_sym *A, const pen_sym *B,
                           const pen_request *request, pen_inner *out);
pen_status pen_solve_return(pen_run *run, const pen_span *span, pen_projection *out);

#endif
