/* named_oracle.c - dense matrices and elimination. */
#include "oracle/named_oracle.h"

#include "kit/dense.h"
#include "kit/tables.h"

#include <math.h>
#include <stdlib.h>

double *laprls_oracle(int64_t n, int64_t d, int64_t classes, const double *x, const int32_t *y,
                      const double *A, double lambda_1, double lambda_2)
{
    const int64_t q = d + 1;
    double *L = table_laplacian(n, A), *smooth = table_scatter(n, d, x, L), *system = zeros(q * q),
           *right = zeros(q * classes);

    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            system[a * q + b] = lambda_1 * smooth[a * d + b] + (a == b ? lambda_2 : 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < q && y[i] >= 0; a++) {
            const double at = a < d ? x[i * d + a] : 1;
            right[a * classes + y[i]] += at;
            for (int64_t b = 0; b < q; b++)
                system[a * q + b] += at * (b < d ? x[i * d + b] : 1);
        }
    double *out = dense_solve(q, classes, system, right);
    free(L), free(smooth), free(system), free(right);
    return out;
}

double *harmonic_oracle(int64_t n, int64_t classes, const int32_t *y, const double *A)
{
    double *system = table_laplacian(n, A), *right = zeros(n * classes);

    for (int64_t i = 0; i < n; i++)
        if (y[i] >= 0) {
            right[i * classes + y[i]] = 1;
            for (int64_t j = 0; j < n; j++)
                system[i * n + j] = i == j;
        }
    double *F = dense_solve(n, classes, system, right);
    free(system), free(right);
    return F;
}

double *consistency_oracle(int64_t n, int64_t classes, const int32_t *y, const double *A,
                           double alpha)
{
    double *system = zeros(n * n), *degree = zeros(n), *right = zeros(n * classes);

    for (int64_t p = 0; p < n * n; p++)
        degree[p / n] += A[p];
    for (int64_t p = 0; p < n * n; p++)
        system[p] = (p / n == p % n) - alpha * A[p] / sqrt(degree[p / n] * degree[p % n]);
    for (int64_t i = 0; i < n; i++)
        if (y[i] >= 0)
            right[i * classes + y[i]] = 1 - alpha;
    double *F = dense_solve(n, classes, system, right);
    free(system), free(degree), free(right);
    return F;
}

/* The k weights, which sum to 1, of the rows `near` in the combination nearest to row i. */
static double *weights_of(int64_t d, const double *x, int64_t i, int64_t k, const int64_t *near,
                          double ridge)
{
    double *products = zeros(k * k), *ones = zeros(k), trace = 0, sum = 0;

    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++)
            for (int64_t l = 0; l < d; l++)
                products[a * k + b] +=
                    (x[near[a] * d + l] - x[i * d + l]) * (x[near[b] * d + l] - x[i * d + l]);
    for (int64_t a = 0; a < k; a++)
        trace += products[a * k + a];
    for (int64_t a = 0; a < k; a++) {
        products[a * k + a] += ridge * trace;
        ones[a] = 1;
    }
    double *w = dense_solve(k, 1, products, ones);
    for (int64_t a = 0; a < k; a++)
        sum += w[a];
    for (int64_t a = 0; a < k; a++)
        w[a] /= sum;
    free(products), free(ones);
    return w;
}

double *reconstruction_oracle(int64_t n, int64_t d, const double *x, int64_t neighbors,
                              double ridge)
{
    double *distances = table_distances(n, d, x), *rest = dense_copy(n * d, x);
    int *nearest = table_nearest(n, distances, neighbors);
    int64_t *near = malloc((size_t)neighbors * sizeof *near);

    if (!near)
        abort();
    for (int64_t i = 0; i < n; i++) {
        int64_t k = 0;
        for (int64_t j = 0; j < n; j++)
            if (nearest[i * n + j])
                near[k++] = j;
        double *w = weights_of(d, x, i, k, near, ridge);
        for (int64_t a = 0; a < k; a++)
            dense_add(d, -w[a], x + near[a] * d, rest + i * d);
        free(w);
    }
    double *t = dense_transpose(n, d, rest), *out = dense_product(d, n, d, t, rest);
    free(distances), free(rest), free(nearest), free(near), free(t);
    return out;
}
