/* cmm_oracle.c - cannot-links spread, must-links close. Wang, Chen, Li, Zhang: CIKM 2008. */
#include "oracle/pairs_family.h"

void cmm_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    (void)o;
    (void)n;
    (void)table;
    if (f->must + f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    pair_fit_differences(0, 1, 1, f);
}
