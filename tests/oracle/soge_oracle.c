/* soge_oracle.c - class scores on a graph with orthonormal columns, in blocks. Liu, Han, Nie: IEEE
 * TCYB 47 (2017). */
#include "check.h"
#include "oracle/labels_family.h"

/* Steps W <- polar(A W + C), with A shifted to be positive semidefinite; W [r x k]. Returns
 * tr(W'AW) + 2 tr(W'C) for the unshifted A. */
static double climb(const fit_options *opt, int64_t r, int64_t k, const double *A, const double *C,
                    double *W, int64_t *steps)
{
    double *values = zeros(r), *e = zeros(r * r), *shifted = zeros(r * r), value = -INFINITY;
    const double tol = option(opt, "tol");
    const int64_t max_iter = option_int(opt, "max_iter");

    dense_eigen(r, A, values, e);
    for (int64_t i = 0; i < r * r; i++)
        shifted[i] = A[i] - (i / r == i % r ? values[r - 1] : 0);
    for (*steps = 0; *steps < max_iter; ++*steps) {
        double *next = dense_product(r, r, k, shifted, W);
        const double now = dense_dot(r * k, W, next) + 2 * dense_dot(r * k, W, C);
        const int done = now - value <= tol * fabs(now);
        value = now;
        dense_add(r * k, 1, C, next);
        double *polar = dense_polar(r, k, next);
        memcpy(W, polar, (size_t)(r * k) * sizeof *W);
        if (done)
            break;
    }
    value += values[r - 1] * (double)k;
    return value;
}

/* One block in the complement of the columns so far: base [rank x free] orthonormal, k columns. */
static double *soge_block(const fit_options *opt, const label_oracle *o, int64_t free_columns,
                          const double *base, int64_t k, int64_t *steps)
{
    const int64_t c = o->classes, r = o->rank;
    double *A = dense_inside(r, free_columns, base, o->A),
           *t = dense_transpose(r, free_columns, base),
           *all = dense_product(free_columns, r, c, t, o->C),
           *C = dense_columns(free_columns, c, 0, 1, k, all);
    double *W = dense_polar(free_columns, k, C);
    climb(opt, free_columns, k, A, C, W, steps);
    double *out = dense_product(r, free_columns, k, base, W);
    return out;
}

/* An orthonormal basis of the complement of the first `found` columns of W [r x stride]. */
static double *complement(int64_t r, int64_t found, const double *W, int64_t stride)
{
    double *projector = zeros(r * r);
    int64_t rank;

    for (int64_t i = 0; i < r * r; i++) {
        projector[i] = i / r == i % r;
        for (int64_t j = 0; j < found; j++)
            projector[i] -= W[i / r * stride + j] * W[i % r * stride + j];
    }
    double *base = dense_span(r, projector, 0, &rank, NULL);
    CHECK(rank == r - found, "%d columns remain of %d", (int)rank, (int)r);
    return base;
}

int label_oracle_two(const label_oracle *o)
{
    const int64_t c = o->classes;
    double sum = 0;
    for (int64_t i = 0; i < o->rank; i++) {
        double row = 0;
        for (int64_t k = 0; k < c; k++)
            row += o->C[i * c + k];
        sum += row * row;
    }
    return sqrt(sum) <= 1e-9 * sqrt(dense_dot(o->rank * c, o->C, o->C));
}

void label_oracle_turn(label_oracle *o, int64_t from)
{
    const int64_t c = o->classes, m = o->fit->count;

    for (int64_t i = 0; i < o->fit->d; i++) {
        double sum = 0;
        for (int64_t k = 0; k < c; k++)
            sum += o->fit->W[i * m + from + k];
        for (int64_t k = 0; k < c; k++)
            o->fit->W[i * m + from + k] -= 2 / (double)c * sum;
    }
    for (int64_t i = 0; i < o->n * c && from == 0; i++) {
        o->F[i] -= o->turn[i / c];
        o->bias[i % c] -= o->turn[i / c] / (double)o->n;
    }
    for (int64_t i = 0; i < o->n && from == 0; i++)
        o->turn[i] = -o->turn[i];
}

void soge_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    /* whole blocks */
    const int64_t n = o->n, c = o->classes, r = o->rank,
                  m = c > r ? 0 : label_count_columns(opt, c, r / c * c, o->fit);
    const double mu = option(opt, "mu");
    pair_oracle *f = o->fit;
    if (m < c) {
        f->status = f->status == PEN_OK && c <= r ? PEN_BAD_ARGUMENT : PEN_RANK_TOO_SMALL;
        return;
    }
    double *K = zeros(n * n), *UY = zeros(n * c), *x = dense_product(n, f->q, r, f->x, o->span),
           *W = zeros(r * m);

    label_graph(opt, distances, o);
    label_weigh(opt, o, K, UY);
    for (int64_t i = 0; i < n * n; i++)
        K[i] += o->L[i] + mu * ((i / n == i % n) - 1 / (double)n);
    double *solved = dense_solve(n, r, K, x), *t = dense_transpose(n, r, x);
    o->C = zeros(r * c);
    double *KX = dense_product(r, n, r, t, solved), *XX = dense_product(r, n, r, t, x),
           *bt = dense_transpose(n, r, solved), *C = dense_product(r, n, c, bt, UY);
    o->A = zeros(r * r);
    for (int64_t i = 0; i < r * r; i++)
        o->A[i] = mu * mu * (KX[i] + KX[i % r * r + i / r]) / 2 - mu * XX[i];
    dense_add(r * c, mu, C, o->C);
    for (int64_t found = 0; found < m; found += c) {
        const int64_t k = m - found < c ? m - found : c;
        int64_t steps;
        double *base = complement(r, found, W, m),
               *block = soge_block(opt, o, r - found, base, k, &steps);
        for (int64_t i = 0; i < r * k; i++)
            W[i / k * m + found + i % k] = block[i];
        o->iterations = found == 0 ? steps : o->iterations;
    }
    double *right = zeros(n * c), *back = dense_product(f->q, r, m, o->span, W);
    for (int64_t i = 0; i < n * c; i++) {
        right[i] = UY[i];
        for (int64_t k = 0; k < r; k++)
            right[i] += mu * x[i / c * r + k] * W[k * m + i % c];
    }
    o->F = dense_solve(n, c, K, right);
    label_mean_of_F(o);
    o->turn = zeros(n);
    for (int64_t i = 0; i < n * r * c; i++)
        o->turn[i / (r * c)] += mu * solved[i / c] * W[i % (r * c) / c * m + i % c] * 2 / (double)c;
    f->count = m;
    f->W = dense_product(f->d, f->q, m, f->basis, back);
    double *first = dense_columns(f->q, m, 0, 1, c, back);
    o->history = zeros(1);
    o->history[0] = label_and_graph_terms(opt, o) + mu * label_fit_term(o, first);
}
