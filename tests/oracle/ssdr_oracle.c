/* ssdr_oracle.c - rows and cannot-links spread, must-links close. Zhang, Zhou, Chen: SDM 2007. */
#include "oracle/pairs_family.h"

void ssdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    const double half = option_is(o, "half", "true") ? 0.5 : 1;
    (void)n;
    (void)table;
    pair_fit_differences(1, half * option(o, "alpha"), half * option(o, "beta"), f);
}
