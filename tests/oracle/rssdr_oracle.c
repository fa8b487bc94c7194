/* rssdr_oracle.c - cannot-links and non-neighbors relative to must-links and reconstruction
 * residuals. Cai, Wen, Wei, Yu: Applied Soft Computing 16 (2014). */
#include "oracle/reconstruct_family.h"

void rssdr_oracle_terms(const fit_options *o, double q, double m, rssdr_oracle *f)
{
    const double alpha = option(o, "alpha"), beta = option(o, "beta");

    (void)q;
    (void)m;
    for (int64_t c = 0; c < f->p * f->p; c++) {
        f->Num[c] = f->Sc[c] + alpha * f->Sf[c];
        f->Den[c] = f->Sm[c] + beta * f->Sr[c];
    }
}
