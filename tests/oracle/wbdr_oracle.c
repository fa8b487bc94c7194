/* wbdr_oracle.c - compresses differences across must-links and maximizes those across cannot-links.
 * Long, Meng, Sioutis: IEEE Access 8 (2020). */
#include "oracle/pairs_family.h"

#include <math.h>
#include <stdlib.h>

void wbdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    const int64_t q = f->q;
    double *e = zeros(q * q), *mu = zeros(q), *u = zeros(q * q);

    if (f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    f->lambda = zeros(q);
    pair_find_level(o, f->SW, f, e);
    f->width = q;
    f->V = zeros(q * q);
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < q; i++)
            f->V[i * q + j] = f->i == 0  ? i == j
                              : j < f->i ? sqrt(f->level / f->lambda[j]) * e[i * q + j]
                                         : e[i * q + j];
    double *s = dense_project(q, q, f->SB, f->V);
    dense_eigen(q, s, mu, u);
    pair_set_columns(f, q, f->V, u, mu, NULL, dense_rank_of(q, f->SB), 0);
}
