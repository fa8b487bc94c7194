/* soda_oracle.c - label propagation to all rows, then a ratio of traces. Nie, Xiang, Jia, Zhang:
 * Pattern Recognition 42 (2009). */
#include "check.h"
#include "oracle/labels_family.h"

/* F = (I - diag(a) P)^-1 (I - diag(a)) [Y, u], with the last column stored separately. */
static void propagate(const fit_options *opt, const double *weights, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes + 1;
    double *system = zeros(n * n), *right = zeros(n * c);

    for (int64_t i = 0; i < n; i++) {
        const double a = o->class[i] < 0 ? option(opt, "alpha") : 0, degree = o->L[i * n + i];
        for (int64_t j = 0; j < n; j++)
            system[i * n + j] = (i == j) - (a > 0 ? a * weights[i * n + j] / degree : 0);
        right[i * c + (o->class[i] < 0 ? c - 1 : o->class[i])] = 1 - a;
        if (a > 0 && degree == 0)
            o->fit->status = PEN_BAD_DATA;
    }
    o->F = zeros(n * o->classes);
    o->last = zeros(n);
    if (o->fit->status == PEN_OK) {
        double *all = dense_solve(n, c, system, right);
        for (int64_t i = 0; i < n * c; i++)
            *(i % c == c - 1 ? o->last + i / c : o->F + i / c * o->classes + i % c) = all[i];
    }
}

void soda_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes, q = o->fit->q, r = o->rank;
    double *weights = label_graph(opt, distances, o), *total = zeros(n * n), *within = zeros(n * n),
           *rows = zeros(n), *columns = zeros(c), all = 0;

    propagate(opt, weights, o);
    for (int64_t i = 0; i < n * c; i++) {
        rows[i / c] += o->F[i];
        columns[i % c] += o->F[i];
        all += o->F[i];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            total[i * n + j] = (i == j ? rows[i] : 0) - rows[i] * rows[j] / all;
            within[i * n + j] = i == j ? rows[i] : 0;
            for (int64_t k = 0; k < c; k++)
                within[i * n + j] -= o->F[i * c + k] * o->F[j * c + k] / columns[k];
        }
    const int64_t m = label_count_columns(opt, 2 * c, r, o->fit);
    if (m > 0) {
        double *S_t = dense_inside(n, q, o->fit->x, total),
               *S_w = dense_inside(n, q, o->fit->x, within), *values = zeros(r), *t = zeros(r * r),
               most = 0;
        for (int64_t i = 0; i < q; i++)
            most = fmax(most, S_w[i * q + i]);
        dense_add(q * q, -1, S_w, S_t);
        for (int64_t i = 0; i < q; i++)
            S_w[i * q + i] += option(opt, "ridge") * most;
        o->A = dense_inside(q, r, o->span, S_t);
        o->B = dense_inside(q, r, o->span, S_w);
        o->ratio = dense_trace_ratio(r, m, o->A, o->B, values, t);
        pair_set_columns(o->fit, r, o->span, t, values, NULL, r, 0);
    }
}
