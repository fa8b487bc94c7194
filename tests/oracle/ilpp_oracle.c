/* ilpp_oracle.c - lpp inverted: the spread of all rows relative to that of neighbors. */
#include "oracle/blend_family.h"

blend ilpp_oracle_blend(const fit_options *o)
{
    (void)o;
    return (blend){ .ilpp = 1 };
}
