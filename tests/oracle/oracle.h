/* oracle.h - the methods once more, slow and literal: sums over all pairs, Jacobi rotations, a
 * sorted list for every neighbor.
 *
 * Nothing here calls the library. Matrices are row-major and small; there is no error handling
 * beyond abort(). */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdint.h>

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

/* The three ways the specification gives to write S_lb, and S_lw, with local scaling over all rows,
 * the labelled rows or those of the class. */
enum oracle_scaling { ORACLE_CLASSWISE, ORACLE_LABELLED, ORACLE_ALL };
enum oracle_form {
    ORACLE_LB_WEIGHTS, /* the weights of the definition, some of them negative        */
    ORACLE_LB_SUM,     /* S_b + sum_m (1/n'_m - 1/n') P_m                             */
    ORACLE_LB_REST,    /* S_t' - sum_m (n'_m/n') S_m + sum_m (1/n' - 1/n'_m) G_m      */
    ORACLE_LW
};
void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, enum oracle_form form, double *s);

/* sigma_i [n] (0 for unlabelled rows). */
void oracle_sigma(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, double *sigma);

/* S_t of all rows and the Fisher scatters of the labelled ones [d x d]. */
void oracle_total(int64_t n, int64_t d, const double *x, double *s);
void oracle_fisher(int64_t n, int64_t d, const double *x, const int32_t *y, double *between,
                   double *within);

/* Eigenvalues [n], descending, and eigenvectors [n x n], one a column, of a symmetric matrix:
 * Jacobi. */
void oracle_eigen(int64_t n, const double *a, double *values, double *vectors);

/* The row of column `c` of w [d x .] that the sign rule makes positive. */
int64_t oracle_sign_row(int64_t d, const double *w, int64_t stride, int64_t c);

#endif
