/* kernel_fda_oracle.c - FDA with a kernel: class means of kernel values. Mika, Raetsch, Weston,
 * Schoelkopf, Mueller: Neural Networks for Signal Processing IX (1999) 41-48; several classes:
 * Baudat, Anouar: Neural Computation 12 (2000) 2385-2404. */
#include "kit/dense.h"
#include "oracle/dual_family.h"

#include <stdlib.h>
#include <string.h>

/* The mean of the rows of K of one class; returns their number. */
static int64_t mean_of(int64_t n, const double *K, const int32_t *y, int32_t class, double *mean)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += y[i] == class;
    memset(mean, 0, (size_t)n * sizeof *mean);
    for (int64_t i = 0; i < n; i++)
        dense_add(n, y[i] == class ? 1 / (double)count : 0, K + i * n, mean);
    return count;
}

dual kernel_fda_oracle(int64_t n, const double *K, const int32_t *y, double ridge, double eps)
{
    double *const all = dense_mean(n, n, K, y), *const mean = zeros(n), trace = 0;
    double *const B = zeros(n * n), *const C = zeros(n * n);
    int32_t classes = 0;

    for (int64_t i = 0; i < n; i++)
        classes = y[i] >= classes ? y[i] + 1 : classes;
    for (int32_t c = 0; c < classes; c++) {
        const int64_t count = mean_of(n, K, y, c, mean);
        dense_outer(n, (double)count, mean, all, B);
        for (int64_t i = 0; i < n; i++)
            if (y[i] == c) {
                dense_outer(n, 1, K + i * n, mean, C);
                trace += K[i * n + i] - mean[i]; /* x.m sums to m.m over the class */
            }
    }
    dense_add(n * n, ridge * trace / (double)n, K, C);
    for (int64_t i = 0; i < n; i++)
        C[i * n + i] += eps;
    const dual d = dual_solve(n, K, B, C);
    return d;
}
