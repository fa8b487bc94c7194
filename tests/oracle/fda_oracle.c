/* fda_oracle.c - the scatter between classes relative to the scatter within them. */
#include "oracle/ratio_family.h"

void fda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    (void)o;
    oracle_fisher(n, fit->q, x, y, fit->B, fit->C);
}
