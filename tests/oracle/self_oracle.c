/* self_oracle.c - lfda and pca, blended. Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010)
 * 35-61. */
#include "oracle/ratio_family.h"

#include <stdlib.h>

void self_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    const int64_t q = fit->q, qq = q * q;
    const double beta = option(o, "beta"),
                 within = option_is(o, "beta_within", "same") ? beta : option(o, "beta_within");
    const oracle_affinities how = oracle_affinities_of(o, ORACLE_ALL);
    double *s = zeros(qq);

    if (beta < 1) {
        oracle_local_of(n, q, x, y, &how, ORACLE_LB_WEIGHTS, s);
        dense_add(qq, 1 - beta, s, fit->B);
    }
    if (within < 1) {
        oracle_local_of(n, q, x, y, &how, ORACLE_LW, s);
        dense_add(qq, 1 - within, s, fit->C);
    }
    if (beta > 0) {
        oracle_total(n, q, x, s);
        dense_add(qq, option_is(o, "total", "covariance") ? beta / (double)n : beta, s, fit->B);
    }
    for (int64_t i = 0; i < q; i++)
        fit->C[i * q + i] += within;
    free(s);
}
