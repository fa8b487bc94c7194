/* ilpp_oracle.c - lpp turned round: all rows spread against neighbors. */
#include "oracle/blend_family.h"

blend ilpp_oracle_blend(const fit_options *o)
{
    (void)o;
    return (blend){ .ilpp = 1 };
}
