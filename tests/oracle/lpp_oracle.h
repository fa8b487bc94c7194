/* lpp_oracle.h - LPP, iLPP, SELF' and the three-way blend once more, slow and literal: sums over
 * all pairs of rows, a sorted list for every neighbor, Jacobi rotations. Of the library only the
 * types of penumbra.h are used to compute them. */
#ifndef LPP_ORACLE_H
#define LPP_ORACLE_H

#include "oracle/check_fit.h"

/* What a fit came to, in all columns. Where `status` is not PEN_OK there are no columns. */
typedef struct lpp_oracle {
    pen_status status;
    int64_t d;
    int64_t k;     /* columns: of value > 0, or for lpp all */
    double *mean;  /* [d] of the rows after normalize */
    double *scale; /* [d] columns are multiplied with */
    double *A, *B; /* [d x d] in scaled columns: A phi = lambda B phi, phi' B phi = 1 */
    double *lambda, *W;
    int weighted, orthonormal;
    double condition; /* of B with a diagonal of 1 */
} lpp_oracle;

/* Fit what `text` says, "METHOD NAME=VALUE ...", with the names and defaults of the library, but
 * not pca. Free with lpp_oracle_free. */
lpp_oracle *lpp_oracle_fit(const char *text, const sample *s);
void lpp_oracle_free(lpp_oracle *fit);

/* S_n and S_l [d x d] of rows x [n x d]. */
void lpp_scatters(int64_t n, int64_t d, const double *x, int64_t neighbors, int mutual,
                  int about_mean, double *S_n, double *S_l);

/* The library's fit is the oracle's and solves the oracle's problem, or fails as it does. */
void check_like_lpp_oracle(const char *text, const sample *s, double tolerance);

/* Every text on every shape of sample. */
void check_all_lpp_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats);

/* Rows of s in another order and with other names of classes, and rotated: the same fit but for the
 * rotation. */
void check_lpp_invariances(const char *text, uint64_t tag);

/* The two fits are the same, the columns of the first `factor` times those of the second. */
void check_lpp_same(const char *one, const char *other, const sample *s, const sample *of,
                    double factor, double lambda_factor);

/* The model does not depend on the number of threads, bit by bit. */
void check_lpp_threads(const char *text, const sample *s);

#endif
