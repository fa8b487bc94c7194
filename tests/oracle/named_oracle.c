/* named_oracle.c - dense matrices and elimination. */
#include "oracle/named_oracle.h"

#include "kit/dense.h"
#include "kit/tables.h"

#include <math.h>

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
    return F;
}
