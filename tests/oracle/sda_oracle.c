/* sda_oracle.c - separates classes, keeps neighbors close. Cai, He, Han: ICCV 2007. */
#include "check.h"
#include "oracle/graph_family.h"

/* S_b = sum n_c m_c m_c' and S_l = sum x x' over labelled rows, added row by row. */
static void class_scatters(const pen_data *data, const pair_oracle *f, double *S_b, double *S_l)
{
    const int64_t n = data->x.rows, q = f->q;
    const int32_t *y = data->labels;
    double *sum = zeros(q);

    for (int64_t i = 0; i < n; i++) {
        double size = 0;
        if (y[i] == PEN_UNLABELLED)
            continue;
        memset(sum, 0, (size_t)q * sizeof *sum);
        for (int64_t j = 0; j < n; j++) {
            size += y[j] == y[i];
            dense_add(q, y[j] == y[i], f->x + j * q, sum);
        }
        dense_outer(q, 1 / (size * size), sum, NULL, S_b);
        dense_outer(q, 1, f->x + i * q, NULL, S_l);
    }
}

void sda_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                const double *distances, graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t n = data->x.rows, q = f->q;
    double *S_b = zeros(q * q), *C = zeros(q * q), *values = zeros(q), *t = zeros(q * q);

    double *weights = table_graph(o, n, distances, &g->heat),
           *laplacian = table_laplacian(n, weights), *graph = table_scatter(n, q, f->x, laplacian);
    class_scatters(data, f, S_b, C);
    dense_add(q * q, option(o, "alpha"), graph, C);
    for (int64_t j = 0; j < q; j++)
        C[j * q + j] += option(o, "ridge");
    if (dense_generalized(q, S_b, C, values, t)) {
        for (int64_t j = 0; j < q; j++) {
            double square = 0;
            for (int64_t i = 0; i < q; i++)
                square += t[i * q + j] * t[i * q + j];
            for (int64_t i = 0; i < q; i++)
                t[i * q + j] /= sqrt(square);
        }
        pair_set_columns(f, q, NULL, t, values, NULL, dense_rank_of(q, S_b), 0);
    } else {
        f->status = PEN_SINGULAR_SCATTER;
    }
}
