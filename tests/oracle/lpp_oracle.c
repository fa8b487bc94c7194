/* lpp_oracle.c - keeps neighbors close. */
#include "oracle/blend_family.h"

blend lpp_oracle_blend(const fit_options *o)
{
    (void)o;
    return (blend){ .ilpp = 1, .smallest = 1 };
}
