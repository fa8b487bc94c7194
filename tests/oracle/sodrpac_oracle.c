/* sodrpac_oracle.c - derived cannot-links relative to shared neighbors and a manifold. Tong,
 * Suzuki: PAKDD 2010. */
#include "check.h"
#include "kit/literal_scatters.h"
#include "oracle/graph_family.h"

static void sodrpac_scatters(const fit_options *o, int64_t n, const int *pairs,
                             const double *distances, graph_oracle *g)
{
    pair_oracle *f = g->fit;
    int *nearest = table_nearest(n, distances, option_int(o, "snn_neighbors")),
        *mutual = table_mutual(n, nearest), *shared = table_shared(n, nearest);
    int *wide = table_nearest(n, distances, option_int(o, "manifold_neighbors")),
        *joined = table_union(n, wide);
    double *weights = zeros(n * n);

    transformed plain = transform_literally(n, pairs, NULL, mutual, distances, g->gamma,
                                            option_is(o, "derive", "unlinked"));
    g->derived = transform_literally(n, pairs, f->weights, mutual, distances, g->gamma,
                                     option_is(o, "derive", "unlinked"));
    for (int64_t i = 0; i < n * n; i++)
        weights[i] = g->derived.rules[i] ? g->derived.reliability[i] : 0;
    for (int64_t i = 0; i < n * n; i++) {
        g->weighted += weights[i];
        g->unweighted += plain.rules[i] ? plain.reliability[i] : 0;
    }
    double *laplacian = table_laplacian(n, weights);
    g->SC = table_scatter(n, f->q, f->x, laplacian);
    for (int64_t i = 0; i < n * n; i++) {
        g->shared += shared[i] >= 0;
        weights[i] = shared[i] >= 0 ? shared[i] : 0;
    }
    g->shared /= 2;
    laplacian = table_laplacian(n, weights);
    g->SN = table_scatter(n, f->q, f->x, laplacian);
    weights = table_heat(n, joined, distances, g->gamma);
    laplacian = table_normalized_laplacian(n, weights, &g->isolated);
    g->SM = table_scatter(n, f->q, f->x, laplacian);
}

void sodrpac_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                    const double *distances, graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t n = data->x.rows, q = f->q;
    double length = 0, *A = zeros(q * q);

    for (int64_t i = 0; i < n; i++)
        length += sqrt(dense_dot(q, f->x + i * q, f->x + i * q)) / (double)n;
    g->gamma = option(o, "gamma") > 0 ? option(o, "gamma") : length * length;
    sodrpac_scatters(o, n, pairs, distances, g);
    const int sum = option_is(o, "pair_terms", "sum");
    const double each = g->unweighted > 0 ? g->weighted / g->unweighted : 1,
                 c = (double)g->derived.pairs * each, s = (double)g->shared,
                 balance = option_is(o, "pair_terms", "balanced") ? (double)n : 1;
    dense_add(q * q, c > 0 ? (sum ? 1 : 1 / c) : 0, g->SC, A);
    dense_add(q * q, s > 0 ? (sum ? -1 : -1 / s) : 0, g->SN, A);
    dense_add(q * q, -option(o, "lambda") / balance, g->SM, A);
    int64_t r;
    double *basis = oracle_span_of_rows(n, q, f->x, &r), *inner = dense_project(q, r, A, basis),
           *values = zeros(r), *t = zeros(r * r);
    dense_eigen(r, inner, values, t);
    pair_set_columns(f, r, basis, t, values, NULL, r, 0);
}
