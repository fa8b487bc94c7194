/* dual_family.c - see dual_family.h. */
#include "oracle/dual_family.h"

#include "check.h"
#include "kit/dense.h"

dual dual_solve(int64_t n, const double *K, const double *B, const double *C)
{
    dual d = { .n = n, .lambda = zeros(n), .a = zeros(n * n), .mean = zeros(n) };

    CHECK(dense_generalized(n, B, C, d.lambda, d.a), "the problem of the oracle is not definite");
    d.k = dense_rank(n, d.lambda);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            d.a[i * n + j] *= sqrt(d.lambda[j]);
            d.mean[j] += K[i * n + j] / (double)n;
        }
    return d;
}

double *dual_embedding(const dual *d, int64_t rows, const double *values, int64_t k)
{
    double *const z = zeros(rows * k);

    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < k; c++)
            for (int64_t j = 0; j < d->n; j++)
                z[i * k + c] += (values[i * d->n + j] - d->mean[j]) * d->a[j * d->n + c];
    return z;
}
