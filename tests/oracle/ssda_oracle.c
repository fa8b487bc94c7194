/* ssda_oracle.c - path similarities instead of unknown labels. Zhang, Yeung: CVPR 2008. */
#include "check.h"
#include "kit/literal_scatters.h"
#include "oracle/labels_family.h"

/* min(1, q_i / median q) */
static double *trust(const fit_options *opt, int64_t n, const double *distances)
{
    int *nearest = table_nearest(n, distances, option_int(opt, "neighbors"));
    double *a = zeros(n), *sorted = zeros(n), t = 0;

    for (int64_t p = 0; p < n * n; p++)
        t += nearest[p] ? distances[p] / (double)(n * option_int(opt, "neighbors")) : 0;
    for (int64_t p = 0; p < n * n; p++)
        a[p / n] += nearest[p] ? exp(-distances[p] / t) / (double)option_int(opt, "neighbors") : 0;
    memcpy(sorted, a, (size_t)n * sizeof *a);
    dense_sort(n, sorted);
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    for (int64_t i = 0; i < n; i++)
        a[i] = fmin(1, a[i] / median);
    return a;
}

/* Path similarity [n x n]: the largest minimum step; each pass allows one more intermediate row. */
static double *path_similarity(const fit_options *opt, int64_t n, const double *distances)
{
    double *a = trust(opt, n, distances), *s = zeros(n * n), t = 0;

    for (int64_t p = 0; p < n * n; p++)
        t += distances[p] / (double)(n * (n - 1));
    for (int64_t p = 0; p < n * n; p++)
        s[p] = a[p / n] * a[p % n] * exp(-distances[p] / t);
    for (int64_t k = 0; k < n; k++)
        for (int64_t p = 0; p < n * n; p++)
            s[p] = fmax(s[p], fmin(s[p / n * n + k], s[k * n + p % n]));
    return s;
}

void ssda_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, q = o->fit->q, r = o->rank;
    double *Q = path_similarity(opt, n, distances), *total = zeros(q * q), *values = zeros(r),
           *t = zeros(r * r), diagonal = 0;

    for (int64_t p = 0; p < n * n; p++) {
        const int64_t one = o->class[p / n], other = o->class[p % n];
        Q[p] = p / n == p % n ? 0 : one >= 0 && other >= 0 ? one == other : Q[p];
    }
    double *L = table_laplacian(n, Q), *within = dense_inside(n, q, o->fit->x, L);
    for (int64_t i = 0; i < q; i++)
        diagonal += within[i * q + i] / (double)q;
    for (int64_t i = 0; i < q; i++)
        within[i * q + i] += option(opt, "beta") * diagonal;
    oracle_total(n, q, o->fit->x, total);
    double *A = dense_inside(q, r, o->span, total), *B = dense_inside(q, r, o->span, within);
    if (!dense_generalized(r, A, B, values, t))
        o->fit->status = PEN_SINGULAR_SCATTER;
    else if (label_count_columns(opt, r, r, o->fit) > 0)
        pair_set_columns(o->fit, r, o->span, t, values, NULL, r, 0);
}
