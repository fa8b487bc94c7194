/* pca_oracle.c - the total scatter relative to the identity. */
#include "oracle/ratio_family.h"

void pca_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    (void)o;
    (void)y;
    oracle_total(n, fit->q, x, fit->B);
    for (int64_t i = 0; i < fit->q; i++)
        fit->C[i * fit->q + i] = 1;
}
