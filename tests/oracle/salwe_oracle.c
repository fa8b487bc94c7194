/* salwe_oracle.c - whitened rows: W'CW = I, C the covariance. */
#include "oracle/sale_family.h"

void salwe_oracle_span(int64_t q, int64_t rank, const double *variances, double *span)
{
    for (int64_t c = 0; c < q * rank; c++)
        span[c] /= sqrt(variances[c % rank]);
}
