/* tr_fsda_oracle.c - a ratio of traces with scores of all rows, by bisection. Huang, Xu, Nie: IEEE
 * TNNLS 23 (2012). */
#include "oracle/labels_family.h"

/* K^-1 x, K = lambda L_a - L_b + lambda I; NULL if K is not positive definite. */
static double *behind_K(const label_oracle *o, double lambda, const double *L_a, const double *L_b,
                        int64_t r, const double *x)
{
    const int64_t n = o->n;
    double *K = zeros(n * n), *out = NULL;

    for (int64_t i = 0; i < n * n; i++)
        K[i] = lambda * L_a[i] - L_b[i] + (i / n == i % n ? lambda : 0);
    if (dense_definite(n, K))
        out = dense_solve(n, r, K, x);
    return out;
}

/* Eigenvalues, descending, and eigenvectors of M(lambda); the sum of the m smallest, or -1 if K is
 * not positive definite. */
static double smallest_sum(const fit_options *opt, const label_oracle *o, double lambda,
                           const double *L_a, const double *L_b, const double *x, int64_t m,
                           double *values, double *t)
{
    const int64_t n = o->n, r = o->rank;
    double *solved = behind_K(o, lambda, L_a, L_b, r, x), sum = 0;

    if (!solved)
        return -1;
    double *M = zeros(r * r);
    for (int64_t i = 0; i < r * r; i++) {
        M[i] = i / r == i % r ? option(opt, "ridge") : 0;
        for (int64_t k = 0; k < n; k++)
            M[i] += x[k * r + i / r] * (x[k * r + i % r] - lambda * solved[k * r + i % r]);
    }
    dense_eigen(r, M, values, t);
    for (int64_t j = 0; j < m; j++)
        sum += values[r - 1 - j];
    return sum;
}

void tr_fsda_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, r = o->rank, m = label_count_columns(opt, o->classes - 1, r, o->fit);
    double *L_a = zeros(n * n), *L_b = zeros(n * n),
           *x = dense_product(n, o->fit->q, r, o->fit->x, o->span), *values = zeros(r),
           *t = zeros(r * r), low = 0, high = 1;

    label_laplacians(o, L_a, L_b);
    if (option(opt, "alpha") > 0) {
        label_graph(opt, distances, o);
        dense_add(n * n, option(opt, "alpha"), o->L, L_a);
    }
    while (m > 0 && high - low > 1e-15 && (low + high) / 2 > low && (low + high) / 2 < high)
        *(smallest_sum(opt, o, (low + high) / 2, L_a, L_b, x, m, values, t) < 0 ? &low : &high) =
            (low + high) / 2;
    if (m > 0) {
        smallest_sum(opt, o, high, L_a, L_b, x, m, values, t);
        o->ratio = high;
        pair_set_columns(o->fit, r, o->span, t, values, NULL, r, 1);
        double *solved = behind_K(o, high, L_a, L_b, r, x);
        o->F = zeros(n * m);
        for (int64_t i = 0; i < n * m; i++)
            for (int64_t k = 0; k < r; k++)
                o->F[i] += high * solved[i / m * r + k] * t[k * r + r - 1 - i % m];
    }
}
