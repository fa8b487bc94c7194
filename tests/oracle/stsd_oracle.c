/* stsd_oracle.c - tangent directions of all rows, eliminated by a Schur complement. Zhou, Sun:
 * IJMLC 6 (2015). */
#include "check.h"
#include "kit/literal_scatters.h"
#include "oracle/labels_family.h"

/* The first k principal directions [q x k] of row i and its neighbors, into T; zeros beyond their
 * rank. */
static void local_directions(const label_oracle *o, const int *nearest, int64_t i, int64_t k,
                             double *T, int *arbitrary)
{
    const int64_t n = o->n, q = o->fit->q;
    double *some = zeros(n * q), *total = zeros(q * q), *values = zeros(q), *e = zeros(q * q);
    int64_t count = 0;

    for (int64_t j = 0; j < n; j++)
        if (j == i || nearest[i * n + j])
            memcpy(some + count++ * q, o->fit->x + j * q, (size_t)q * sizeof *some);
    oracle_total(count, q, some, total);
    dense_eigen(q, total, values, e);
    for (int64_t p = 0; p < q * k; p++)
        T[p] = p % k < q && values[p % k] > DENSE_NOISE * values[0] ? e[p / k * q + p % k] : 0;
    *arbitrary |= k < q && values[k - 1] > DENSE_NOISE * values[0]
                  && values[k - 1] - values[k] <= 1e-4 * values[0];
}

/* The terms of the ordered pair (i, j) in R [size x size]. */
static void add_pair(const fit_options *opt, const label_oracle *o, const double *T, double weight,
                     int64_t i, int64_t j, double *R)
{
    const int64_t q = o->fit->q, k = option_int(opt, "tangent_dim"), size = q + o->n * k;
    const double *T_i = T + i * q * k, *T_j = T + j * q * k;
    double *v = zeros(size);

    for (int64_t c = 0; c < q; c++) {
        v[c] = o->fit->x[i * q + c] - o->fit->x[j * q + c];
        for (int64_t p = 0; p < k; p++)
            v[q + j * k + p] -= v[c] * T_j[c * k + p];
    }
    dense_outer(size, weight, v, NULL, R);
    for (int64_t p = 0; p < k; p++) {
        memset(v, 0, (size_t)size * sizeof *v);
        v[q + i * k + p] = 1;
        for (int64_t l = 0; l < k; l++)
            for (int64_t c = 0; c < q; c++)
                v[q + j * k + l] -= T_i[c * k + p] * T_j[c * k + l];
        dense_outer(size, weight * option(opt, "gamma"), v, NULL, R);
    }
}

void stsd_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, q = o->fit->q, k = option_int(opt, "tangent_dim"), size = q + n * k,
                  rest = n * k;
    double *weights = label_graph(opt, distances, o), *T = zeros(n * q * k),
           *R = zeros(size * size), *L_t = zeros(n * n), *L_b = zeros(n * n);
    int *nearest = table_nearest_places(n, distances, option_int(opt, "neighbors"));

    for (int64_t i = 0; i < n; i++)
        local_directions(o, nearest, i, k, T + i * q * k, &o->arbitrary);
    for (int64_t p = 0; p < n * n; p++)
        if (weights[p] != 0)
            add_pair(opt, o, T, option(opt, "alpha") * weights[p], p / n, p % n, R);
    for (int64_t i = 0; i < size; i++)
        R[i * size + i] += option(opt, "beta");
    label_laplacians(o, L_t, L_b);
    double *S_t = dense_inside(n, q, o->fit->x, L_t), *block = zeros(rest * rest),
           *side = zeros(rest * q), *values = zeros(q), *t = zeros(q * q);
    o->A = dense_inside(n, q, o->fit->x, L_b);
    for (int64_t i = 0; i < rest; i++) {
        for (int64_t j = 0; j < rest; j++)
            block[i * rest + j] = R[(q + i) * size + q + j];
        for (int64_t j = 0; j < q; j++)
            side[i * q + j] = R[(q + i) * size + j];
    }
    double *solved = dense_solve(rest, q, block, side);
    o->B = zeros(q * q);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++)
            for (int64_t p = -1; p < rest; p++)
                o->B[i * q + j] += p < 0 ? S_t[i * q + j] + R[i * size + j]
                                         : -(side[p * q + i] * solved[p * q + j]
                                             + side[p * q + j] * solved[p * q + i])
                                               / 2;
    const int64_t rank = dense_rank_of(q, o->A),
                  there = rank < o->classes - 1 ? rank : o->classes - 1;
    if (!dense_generalized(q, o->A, o->B, values, t))
        o->fit->status = PEN_SINGULAR_SCATTER;
    else if (label_count_columns(opt, there, there, o->fit) > 0)
        pair_set_columns(o->fit, q, NULL, t, values, NULL, there, 0);
}
