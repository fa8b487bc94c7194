/* self_ilpp_oracle.c - lfda and ilpp, blended. */
#include "oracle/blend_family.h"

blend self_ilpp_oracle_blend(const fit_options *o)
{
    const double beta = option(o, "beta");
    return (blend){ .lfda = 1 - beta, .ilpp = beta };
}
