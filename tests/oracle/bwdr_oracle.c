/* bwdr_oracle.c - stretches differences across cannot-links and minimizes those across must-links.
 * Long, Meng, Sioutis: IEEE Access 8 (2020). */
#include "oracle/pairs_family.h"

#include <math.h>

void bwdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    const int64_t q = f->q;
    double *e = zeros(q * q), most = 0;

    if (f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    f->lambda = zeros(q);
    pair_find_level(o, f->SB, f, e);
    const int64_t w = f->width = f->i;
    double *mu = zeros(w), *u = zeros(w * w), *ties = zeros(w), *weight = zeros(w);
    int64_t z = 0;
    f->V = zeros(q * w);
    for (int64_t j = 0; j < w; j++) {
        weight[j] = f->level / f->lambda[j];
        for (int64_t i = 0; i < q; i++)
            f->V[i * w + j] = sqrt(weight[j]) * e[i * q + j];
    }
    double *s = dense_project(q, w, f->SW, f->V);
    pair_eigen_ascending(w, s, mu, u);
    most = w > 0 ? mu[w - 1] : 0;
    while (z < w && mu[z] <= NULL_SPACE * most)
        mu[z++] = 0;
    if (z > 1)
        pair_settle(w, 0, z, weight, 1, u, ties);
    pair_set_columns(f, w, f->V, u, mu, ties, w, 0);
}
