/* blend_family.h - literal versions of lpp, ilpp, self-ilpp and self-mix: weighted scatters of
 * lfda, pca and ilpp, sums over all pairs of rows, sorted lists of neighbors.
 *
 * The letters are those of Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61,
 * sections 3.2 and 4.5.1. */
#ifndef BLEND_FAMILY_H
#define BLEND_FAMILY_H

#include "kit/check_fit.h"

/* The result of a fit, in all columns. There are no columns unless `status` is PEN_OK. */
typedef struct lpp_oracle {
    pen_status status;
    int64_t d;
    int64_t k;     /* columns: those with value > 0, or all for lpp */
    double *mean;  /* [d] of the rows after `row_steps` */
    double *scale; /* [d] factors of the columns */
    double *A, *B; /* [d x d] in scaled columns: A phi = lambda B phi, phi' B phi = 1 */
    double *lambda, *W;
    int weighted, orthonormal;
    double condition; /* of B with a diagonal of 1 */
} lpp_oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults, except for pca. */
lpp_oracle *lpp_oracle_fit(const char *text, const sample *s);

/* S_n and S_l [d x d] of rows x [n x d]. */
void lpp_scatters(int64_t n, int64_t d, const double *x, int64_t neighbors, int mutual,
                  int about_mean, double *S_n, double *S_l);

#endif
