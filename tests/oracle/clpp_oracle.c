/* clpp_oracle.c - a neighbor graph with signed weights near pairs. Cevikalp, Verbeek, Jurie,
 * Klaeser: VISAPP 2008. */
#include "check.h"
#include "kit/literal_scatters.h"
#include "oracle/graph_family.h"

/* The largest weight of a pair of this kind whose end neighborhoods contain rows u and v; 0: there
 * is none. */
static double near_pair(int64_t n, const int *pairs, const double *weights, int kind,
                        const int *nearest, int64_t u, int64_t v)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j && pairs[i * n + j] == kind && (u == i || nearest[i * n + u])
                && (v == j || nearest[j * n + v]))
                most = fmax(most, weights[i * n + j]);
    return most;
}

/* A claim replaces the previous value in proportion to its weight. */
static double after(double before, double claim)
{
    return (fabs(claim) < 1 ? 1 - fabs(claim) : 0) * before + claim;
}

static double signed_weight(int propagate, int64_t n, const int *pairs, const double *weights,
                            const int *nearest, const double *heat, int64_t u, int64_t v)
{
    double near = 0;
    if (u == v)
        return 0;
    if (propagate)
        near = near_pair(n, pairs, weights, 1, nearest, u, v)
               - near_pair(n, pairs, weights, -1, nearest, u, v);
    return after(after(heat[u * n + v], near), pairs[u * n + v] * weights[u * n + v]);
}

void clpp_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                 const double *distances, graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t n = data->x.rows, q = f->q;
    int *nearest = table_nearest(n, distances, option_int(o, "neighbors")),
        *joined = table_union(n, nearest);
    const int propagate = option_is(o, "propagate_pairs", "true");
    int64_t r;
    const double mean = table_width(n, joined, distances, 0);
    g->heat = option(o, "heat") > 0 ? option(o, "heat") : mean;
    double *heat = table_heat(n, joined, distances, g->heat), *absolute = zeros(n * n);

    g->signed_weights = zeros(n * n);
    for (int64_t i = 0; i < n * n; i++) {
        g->signed_weights[i] =
            signed_weight(propagate, n, pairs, f->weights, nearest, heat, i / n, i % n);
        absolute[i / n * n + i / n] += fabs(g->signed_weights[i]);
    }
    double *laplacian = table_laplacian(n, g->signed_weights),
           *A = table_scatter(n, q, f->x, laplacian), *N = table_scatter(n, q, f->x, absolute),
           *basis = oracle_span_of_rows(n, q, f->x, &r), *inner_A = dense_project(q, r, A, basis),
           *inner_N = dense_project(q, r, N, basis), *values = zeros(r), *t = zeros(r * r),
           trace = 0;
    for (int64_t j = 0; j < r; j++)
        trace += inner_N[j * r + j];
    const double ridge = option(o, "ridge") * trace / (double)r;
    for (int64_t j = 0; j < r; j++)
        inner_N[j * r + j] += ridge;
    if (dense_generalized(r, inner_A, inner_N, values, t))
        pair_set_columns(f, r, basis, t, values, NULL, r, 1);
    else
        f->status = PEN_SINGULAR_SCATTER;
}
