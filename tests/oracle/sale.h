/* sale.h - saloe and salwe once more, slow and literal: n x n tables of distances and weights, sums
 * over all pairs, Jacobi rotations.
 *
 * Only the checks at the end call the library. Matrices are row-major and small; there is no error
 * handling beyond abort(). */
#ifndef SALE_H
#define SALE_H

#include "oracle/sodrpac_oracle.h"

/* What a fit came to; nothing but dim and rank if dim is more than the rank. */
typedef struct sale {
    int64_t n, d, q, rank, dim;
    double *mean; /* [d] */
    /* [n x q] centered, in the principal axes that `pca` keeps; q = d without it */
    double *rows;
    /* [n x rank] the coordinates in which the constraint is V'V = I */
    double *x;
    double *back;                 /* [d x rank] W = back V */
    double *W;                    /* [d x dim] with the sign rule */
    double *values;               /* [rank] of the last step of W, ascending */
    double *P, *S;                /* [n x n] the last weights */
    double *objective, *halfways; /* [iterations] after each iteration, and after its step of W */
    int64_t iterations;
    int converged;
    int64_t within, cut; /* neighbors in the smallest class, classes with fewer than asked for */
    /* the smallest over the iterations between values dim - 1 and dim, as a part of the largest; 1
     * if dim = rank */
    double gap;
} sale;

/* Fit what `text` says, "METHOD NAME=VALUE ...", with the names and defaults of the library; of
 * `init` adjacency and zero, of the parameters common to all methods dim and pca (off, or a share
 * below 1) only; strict is read and makes no difference. Free with sale_free. */
sale *sale_fit(const char *text, const sample *s);
void sale_free(sale *f);

/* 1 where row j may be a neighbor of row i [n x n]: labelled rows of one class; all other rows if y
 * is NULL. */
int *sale_admissible(int64_t n, const int32_t *y);

/* The weights of each row's neighbors [n x n]: the k nearest of those admissible (fewer if there
 * are fewer), ties to the lower row, all of the same weight, or, if smallest > 0, weights that make
 * the sum of weight^2 distance^2 small, no distance^2 taken below `smallest`. free() it. */
double *sale_weights(int64_t n, const double *distance2, const int *admissible, int64_t k,
                     double smallest);

/* sum of weight^2 distance^2 over all pairs of rows. */
double sale_sum(int64_t n, const double *weights, const double *distance2);

/* Mean squared distance of rows z [n x m] from their mean. */
double sale_spread(int64_t n, int64_t m, const double *z);

/* The objective of rows z [n x m] with the best weights there are: sums over rows of 1 / sum 1 /
 * distance^2. */
double sale_least(int64_t n, int64_t m, const double *z, const int32_t *y, int64_t within,
                  int64_t neighbors, double alpha);

/* weights [k] that make sum weight^2 value small among those >= 0 whose sum is 1: projected
 * gradients, until nothing moves. */
void sale_minimize(int64_t k, const double *values, double *weights);

/* ---- models ---- */

/* A list in the info of a model into out [most]; its length, 0 if it is not there. */
int64_t info_list(const pen_model *model, const char *name, int64_t most, double *out);

/* The small data sets 'A' .. 'D' with fits of ten printed digits: the library's and the oracle's
 * are those. */
void check_sale_golden(char which);

/* The library's fit is the oracle's, or fails as it must. 0: the columns are not defined, so that
 * the first sum of eigenvalues is all that was compared. */
int check_like_sale(const char *text, const sample *s, double tolerance);

/* The same for many texts on samples of all shapes, most of which must have their columns
 * defined. */
void check_all_sale_shapes(const char *method, uint64_t tag);

void check_sale_lattice(const char *method, uint64_t tag);
void check_sale_many_rows(const char *method, uint64_t tag);

/* Two samples have related models: columns times `factor`, turned by q [d x d] if it is given (W =
 * q' W), objectives and eigenvalues times value_factor. */
void check_sale_related(const char *text, const sample *s, const sample *of, const double *q,
                        double factor, double value_factor, double tolerance);

/* The embedded rows of two models are the same, up to the signs of columns and the place of the
 * origin. */
void check_sale_embedded(const pen_model *a, const sample *of_a, const pen_model *b,
                         const sample *of_b, double tolerance);

/* What holds for every fit: objectives never rise (from the first step of weights on if `rises`),
 * the last is that of the embedded rows with the best weights and no other weights do better,
 * halfways are twice the sum of the eigenvalues, and the columns keep the constraint. */
void check_sale_fit(const char *text, const sample *s, int rises);

/* What the tests of both methods ask: see the definitions. */
void check_sale_steps(const char *method, uint64_t tag);
void check_sale_starts(const char *method, uint64_t tag);
void check_sale_seeds(const char *method, uint64_t tag);
void check_sale_first_columns(const char *method, uint64_t tag);
void check_sale_invariances(const char *method, uint64_t tag);
void check_sale_idle_columns(const char *method, uint64_t tag);
void check_sale_threads(const char *method, uint64_t tag);
void check_sale_cancelled(const char *method, uint64_t tag);
void check_sale_types(const char *method, uint64_t tag);
void check_sale_stops(const char *method, uint64_t tag);
void check_sale_classes(const char *method, uint64_t tag);
void check_sale_few_rows(const char *method);
void check_sale_errors(const char *method, uint64_t tag);

/* The share of unlabelled rows whose nearest labelled row, in the embedding of `text`, is of their
 * class, right [n]. */
double sale_accuracy(const char *text, const sample *s, const int32_t *right);

/* Rows of two classes, half of them of each, in right [n]: one class on both sides of the other,
 * far from it along the first column, spread widely along the second; `labelled` rows of each
 * cluster have labels. */
sample sale_sides(pen_rng *rng, int64_t n, int64_t labelled, int32_t *right);

/* Two moons, one a class, with `noise` columns of no meaning. */
sample sale_moons(pen_rng *rng, int64_t n, int64_t noise, int64_t labelled, int32_t *right);

#endif
