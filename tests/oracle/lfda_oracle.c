/* lfda_oracle.c - the local scatters of classes. Sugiyama: JMLR 8 (2007). */
#include "oracle/ratio_family.h"

void lfda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    const enum oracle_scaling scaling = option_is(o, "scaling_rows", "all") ? ORACLE_ALL
                                        : option_is(o, "scaling_rows", "labelled")
                                            ? ORACLE_LABELLED
                                            : ORACLE_CLASSWISE;

    const oracle_affinities how = oracle_affinities_of(o, scaling);

    oracle_local_of(n, fit->q, x, y, &how, ORACLE_LB_WEIGHTS, fit->B);
    oracle_local_of(n, fit->q, x, y, &how, ORACLE_LW, fit->C);
}
