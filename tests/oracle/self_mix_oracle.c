/* self_mix_oracle.c - lfda, pca and ilpp, blended. */
#include "oracle/blend_family.h"

blend self_mix_oracle_blend(const fit_options *o)
{
    const double beta = option(o, "beta"), gamma = option(o, "gamma");
    return (blend){ .lfda = 1 - beta - gamma, .pca = beta, .ilpp = gamma };
}
