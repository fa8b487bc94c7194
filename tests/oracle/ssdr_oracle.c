/* ssdr_oracle.c - rows and cannot-links spread, must-links close. Zhang, Zhou, Chen: SDM 2007. */
#include "oracle/pairs_family.h"

void ssdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    (void)n;
    (void)table;
    pair_fit_differences(1, option(o, "alpha"), option(o, "beta"), f);
}
