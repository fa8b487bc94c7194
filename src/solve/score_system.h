/* score_system.h - the linear system of class scores: the Laplacian of a graph, the weights of
 * labels, and the term of the regression on the rows. */
#ifndef PEN_SCORE_SYSTEM_H
#define PEN_SCORE_SYSTEM_H

#include "core/rows.h"
#include "graph/graph.h"
#include "linalg/preconditioner.h"

/* U + L: L the Laplacian of a graph, U the weights of labelled and unlabelled rows. Y [n x
 * classes]: 1 for the class of a labelled row, 0 elsewhere. */
typedef struct pen_label_weights {
    double labelled, unlabelled;
} pen_label_weights;

/* K = U + L + weight (I - 11'/n - X B X'), X the centered rows and B = (X'X + I/gamma)^-1. Before
 * pen_score_system_invert there is no term with B. */
typedef struct pen_score_system {
    const pen_view *x;
    const pen_label_weights *weights;
    pen_csr_sym A;          /* U + L */
    const double *diagonal; /* [n] of U + L + weight I */
    double weight;
    int64_t unreached;       /* number of rows, see pen_graph_unreached */
    int64_t rank;            /* 0: no inverse */
    const double *basis;     /* [rank x d] */
    const double *inverse;   /* [rank] in the coordinates of the basis */
    pen_preconditioner near; /* of U + L + weight I */
    double *sums;            /* [d x classes] */
    double *inside;          /* [rank x classes] */
    double *fitted;          /* [n x classes] */
    int64_t iterations;      /* of conjugate gradients so far, the maximum over columns */
} pen_score_system;

pen_status pen_score_system_open(pen_run *run, const pen_view *x, const pen_graph *graph,
                                 const pen_label_weights *weights, double weight,
                                 pen_score_system *out);

/* Finds B in the directions in which rows differ; projections need no others. PEN_RANK_TOO_SMALL:
 * all rows are equal. Cost: n d^2 flops, and d^3. */
pen_status pen_score_system_invert(pen_run *run, double gamma, pen_score_system *s);

/* Replaces G [d x k] by B G, k <= classes. */
void pen_score_system_divide(const pen_score_system *s, int64_t k, double *G);

/* Solves K y = rhs, both [n x k], by conjugate gradients, a few columns at a time. With a weight
 * they are preconditioned by the approximate inverse of U + L + weight I (linalg/preconditioner.h),
 * which saves passes over the columns and, if there is B, over the rows. Errors of pen_cg_solve. */
pen_status pen_score_system_solve(pen_run *run, pen_score_system *s, int64_t k, const double *rhs,
                                  double *y);

/* U Y [n x classes]. */
pen_status pen_score_targets(pen_run *run, const pen_score_system *s, double **out);

/* The means of scores F [n x classes]. */
pen_status pen_score_means(pen_run *run, int64_t n, int64_t classes, const double *F,
                           const double **out);

/* G = X'y for y [n x k]. Subtracts the means of y first, which would bring rounding errors of the
 * mean of the rows into G. */
pen_status pen_score_gather(pen_run *run, const pen_view *x, int64_t k, double *y, double *G);

#endif
