/* kernel_self_oracle.c - SELF with a kernel. Sugiyama, Ide, Nakajima, Sese: Machine Learning 78
 * (2010) 35-61, section 4.5.3. */
#include "check.h"
#include "kit/dense.h"
#include "kit/tables.h"
#include "oracle/dual_family.h"

#include <float.h>

/* Squared distances in kernel space; rounding errors become 0. */
static double *kernel_distances(int64_t n, const double *K)
{
    double *const D = zeros(n * n);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double ii = K[i * n + i], jj = K[j * n + j], square = ii + jj - 2 * K[i * n + j];
            D[i * n + j] = square > 8 * DBL_EPSILON * (fabs(ii) + fabs(jj)) ? square : 0;
        }
    return D;
}

/* The squared distance of each row to its k-th nearest other row [n]. */
static double *scales(int64_t n, const double *D, int64_t neighbors)
{
    int *const nearest = table_nearest(n, D, neighbors);
    double *const sigma2 = zeros(n);

    for (int64_t p = 0; p < n * n; p++)
        sigma2[p / n] = nearest[p] ? fmax(sigma2[p / n], D[p]) : sigma2[p / n];
    return sigma2;
}

static double affinity(double distance2, double product)
{
    return product > 0 ? exp(-distance2 / product) : distance2 == 0;
}

static int64_t labelled_of(int64_t n, const int32_t *y, int32_t class)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += class < 0 ? y[i] >= 0 : y[i] == class;
    return count;
}

/* The weights of S_lb and S_lw [n x n]. */
static void local_weights(int64_t n, const double *K, const int32_t *y, int64_t neighbors,
                          double *between, double *within)
{
    double *const D = kernel_distances(n, K), *const sigma2 = scales(n, D, neighbors);
    const double all = 1 / (double)labelled_of(n, y, -1);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (y[i] < 0 || y[j] < 0)
                continue;
            const double own = 1 / (double)labelled_of(n, y, y[i]),
                         A = affinity(D[i * n + j], sqrt(sigma2[i] * sigma2[j]));
            between[i * n + j] = y[i] == y[j] ? A * (all - own) : all;
            within[i * n + j] = y[i] == y[j] ? A * own : 0;
        }
}

/* to += factor K L K */
static void add_between(int64_t n, double factor, const double *K, const double *weights,
                        double *to)
{
    double *const L = table_laplacian(n, weights), *const KLK = dense_inside(n, n, K, L);

    dense_add(n * n, factor, KLK, to);
}

dual kernel_self_oracle(int64_t n, const double *K, const int32_t *y, double beta,
                        int64_t neighbors, double eps)
{
    double *const lb = zeros(n * n), *const lw = zeros(n * n), *const t = zeros(n * n);
    double *const B = zeros(n * n), *const C = zeros(n * n);

    local_weights(n, K, y, neighbors, lb, lw);
    for (int64_t i = 0; i < n * n; i++)
        t[i] = 1 / (double)n;
    add_between(n, 1 - beta, K, lb, B);
    add_between(n, beta, K, t, B);
    add_between(n, 1 - beta, K, lw, C);
    dense_add(n * n, beta, K, C);
    for (int64_t i = 0; i < n; i++)
        C[i * n + i] += eps;
    const dual d = dual_solve(n, K, B, C);
    return d;
}
