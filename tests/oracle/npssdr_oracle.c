/* npssdr_oracle.c - the terms as means, combined as a sum or a ratio. Wei, Peng: Electronics
 * Letters 44 (2008). */
#include "oracle/reconstruct_family.h"

void npssdr_oracle_terms(const fit_options *o, double q, double m, rssdr_oracle *f)
{
    const double alpha = option(o, "alpha"), beta = option(o, "beta"), mu = option(o, "mu");

    f->difference = option_is(o, "form", "difference");
    for (int64_t c = 0; c < f->p * f->p; c++) {
        f->Num[c] = f->difference
                        ? (q > 0 ? alpha / q * f->Sc[c] : 0) - (m > 0 ? beta / m * f->Sm[c] : 0)
                              - mu / (double)f->n * f->Sr[c]
                        : f->Sc[c];
        f->Den[c] = f->difference ? c % (f->p + 1) == 0 : f->Sm[c] + beta * f->Sr[c];
    }
}
