/* rca_oracle.c - rows whitened by the covariance within chunklets. Bar-Hillel, Hertz, Shental,
 * Weinshall: JMLR 6 (2005). */
#include "oracle/pairs_family.h"

#include <stdlib.h>

/* S_t w = value C w: with C = E diag(c) E', eigenvectors of diag(c)^-1/2 E' S_t E diag(c)^-1/2. */
void rca_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    const int64_t q = f->q;
    double trace = 0;
    double *within = zeros(f->q * f->q), *total = zeros(f->q * f->q);

    if (f->must == 0) {
        f->status = PEN_NO_PAIRS;
        return;
    }
    pair_chunklet_scatters(option_is(o, "total_rows", "all"), n, table, f, within, total);
    for (int64_t i = 0; i < q; i++)
        trace += within[i * q + i];
    for (int64_t i = 0; i < q; i++)
        within[i * q + i] += option(o, "ridge") * trace / (double)q;
    f->V = dense_span(q, within, -0.5, &f->width, NULL);
    if (f->width < q)
        f->status = PEN_SINGULAR_SCATTER;
    const int64_t w = f->width;
    double *values = zeros(w), *u = zeros(w * w), *s = dense_project(q, w, total, f->V);
    dense_eigen(w, s, values, u);
    pair_set_columns(f, w, f->V, u, values, NULL, w < q ? w : dense_rank_of(q, total), 0);
}
