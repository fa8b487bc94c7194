/* ratio_family.h - pca, fda, lfda, self once more, slow and literal: one ratio of two scatters of
 * the coordinates.
 *
 * Each METHOD_oracle.c fills B and C; what follows is the same for all. Of the library only the
 * tables of parameters are used. */
#ifndef RATIO_FAMILY_H
#define RATIO_FAMILY_H

#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"

enum oracle_metric { ORACLE_WEIGHTED, ORACLE_PLAIN, ORACLE_ORTHONORMAL };

/* What a fit came to. q: columns after preprocessing (the method's coordinates); 0, and nothing
 * else, if `pca` asks for more than the rank or there is nothing to keep. */
typedef struct oracle {
    int64_t d, q;
    int64_t k;    /* eigenvalues above 0: dimensions the method gives */
    int singular; /* C is not positive definite: lambda, phi, T, W hold nothing */
    enum oracle_metric metric;
    double *mean;    /* [d] of the rows after normalize */
    double *basis;   /* [d x q] method coordinates = (row - mean) basis */
    double *unbasis; /* [q x d] its left inverse */
    double *B, *C;   /* [q x q] B phi = lambda C phi */
    double *lambda;  /* [q] descending, what is not above 0 set to 0 */
    double *phi;     /* [q x q] phi' C phi = I, one a column */
    double *T;       /* [q x q] phi in the metric asked for; the first k columns count */
    double *W;       /* [d x q] basis T with the sign rule; likewise */
} oracle;

/* Fit what `text` says, "METHOD NAME=VALUE ...", with the names and defaults of the library; dim
 * and allow_fewer are read and make no difference. y [n] may be NULL. Free with oracle_free. */
oracle *oracle_fit(const char *text, int64_t n, int64_t d, const double *x, const int32_t *y);
void oracle_free(oracle *fit);

/* ---- the methods: B and C [q x q] of the rows x [n x q], zeros before ---- */

void pca_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit);
void fda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit);
void lfda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit);
void self_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit);

#endif
