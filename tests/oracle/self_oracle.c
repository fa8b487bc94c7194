/* self_oracle.c - lfda and pca, blended. Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010)
 * 35-61. */
#include "oracle/ratio_family.h"

#include <stdlib.h>

void self_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    const int64_t q = fit->q, qq = q * q, neighbors = option_int(o, "neighbors");
    const double beta = option(o, "beta");
    double *s = zeros(qq);

    if (beta < 1) {
        oracle_local(n, q, x, y, neighbors, ORACLE_ALL, ORACLE_LB_WEIGHTS, s);
        dense_add(qq, 1 - beta, s, fit->B);
        oracle_local(n, q, x, y, neighbors, ORACLE_ALL, ORACLE_LW, s);
        dense_add(qq, 1 - beta, s, fit->C);
    }
    if (beta > 0) {
        oracle_total(n, q, x, s);
        dense_add(qq, option_is(o, "total", "covariance") ? beta / (double)n : beta, s, fit->B);
    }
    for (int64_t i = 0; i < q; i++)
        fit->C[i * q + i] += beta;
    free(s);
}
