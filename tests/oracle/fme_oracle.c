/* fme_oracle.c - class scores on a graph and their regression, solved jointly. Nie, Xu, Tsang,
 * Zhang: IEEE TIP 19 (2010). */
#include "oracle/labels_family.h"

void fme_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes, q = o->fit->q;
    const double *x = o->fit->x;
    double *K = zeros(n * n), *UY = zeros(n * c), *inner = zeros(q * q),
           *t = dense_transpose(n, q, x);

    label_graph(opt, distances, o);
    label_weigh(opt, o, K, UY);
    for (int64_t i = 0; i < q; i++)
        inner[i * q + i] = 1;
    for (int64_t k = 0; k < n; k++)
        dense_outer(q, option(opt, "gamma"), x + k * q, NULL, inner);
    double *Q = dense_solve(q, n, inner, t);
    for (int64_t i = 0; i < q * n; i++)
        Q[i] *= option(opt, "gamma");
    double *hat = dense_product(n, q, n, x, Q);
    for (int64_t i = 0; i < n * n; i++)
        K[i] += o->L[i]
                + option(opt, "mu") * option(opt, "gamma")
                      * ((i / n == i % n) - 1 / (double)n - hat[i]);
    o->F = dense_solve(n, c, K, UY);
    double *W = dense_product(q, n, c, Q, o->F);
    label_mean_of_F(o);
    label_set_prediction(W, o);
    o->weight = option(opt, "label_weight") * (double)o->labelled;
    o->history = zeros(1);
    o->iterations = 1;
    o->history[0] = label_and_graph_terms(opt, o)
                    + option(opt, "mu")
                          * (dense_dot(q * c, W, W) + option(opt, "gamma") * label_fit_term(o, W));
}
