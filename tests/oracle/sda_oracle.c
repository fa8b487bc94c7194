/* sda_oracle.c - separates classes, keeps neighbors close. Cai, He, Han: ICCV 2007. */
#include "check.h"
#include "oracle/graph_family.h"

/* S_b = sum n_c m_c m_c' and S_l = sum x x' over labelled rows, accumulated row by row. */
static void class_scatters(const pen_data *data, const pair_oracle *f, double *S_b, double *S_l)
{
    const int64_t q = f->q;
    double *mean = zeros(q);

    for (int64_t i = 0; i < data->x.rows; i++) {
        double size = 0;
        if (data->labels[i] == PEN_UNLABELLED)
            continue;
        memset(mean, 0, (size_t)q * sizeof *mean);
        for (int64_t j = 0; j < data->x.rows; j++)
            if (data->labels[j] == data->labels[i]) {
                dense_add(q, 1, f->x + j * q, mean);
                size += 1;
            }
        for (int64_t c = 0; c < q * q; c++) {
            S_b[c] += mean[c / q] * mean[c % q] / (size * size);
            S_l[c] += f->x[i * q + c / q] * f->x[i * q + c % q];
        }
    }
    free(mean);
}

void sda_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                const double *distances, graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t n = data->x.rows, q = f->q;
    int *nearest = table_nearest_places(n, distances, option_int(o, "neighbors")),
        *joined = table_union_places(n, distances, nearest);
    double *S_b = zeros(q * q), *C = zeros(q * q), *values = zeros(q), *t = zeros(q * q),
           *one = zeros(q * q);
    int64_t rank = 0;

    (void)pairs;
    const double mean = table_width(n, nearest, distances, option_int(o, "neighbors"));
    g->heat = option(o, "heat") > 0 ? option(o, "heat") : mean;
    double *weights =
        table_heat(n, joined, distances, option_is(o, "graph", "heat") ? g->heat : INFINITY);
    double *laplacian = table_laplacian(n, weights), *graph = table_scatter(n, q, f->x, laplacian);
    class_scatters(data, f, S_b, C);
    dense_add(q * q, option(o, "alpha"), graph, C);
    for (int64_t j = 0; j < q; j++) {
        C[j * q + j] += option(o, "ridge");
        one[j * q + j] = 1;
    }
    dense_eigen(q, S_b, values, t);
    while (rank < q && values[rank] > DENSE_NOISE * values[0])
        rank++;
    if (dense_generalized(q, S_b, C, values, t)) {
        for (int64_t j = 0; j < q; j++) {
            double square = 0;
            for (int64_t i = 0; i < q; i++)
                square += t[i * q + j] * t[i * q + j];
            for (int64_t i = 0; i < q; i++)
                t[i * q + j] /= sqrt(square);
        }
        graph_set_columns(f, q, one, t, values, rank, 0, 1);
    } else {
        f->status = PEN_SINGULAR_SCATTER;
    }
    free(nearest), free(joined), free(S_b), free(C), free(values), free(t), free(one),
        free(weights), free(laplacian), free(graph);
}
