/* kernel_oracle.c - see kernel_oracle.h. */
#include "oracle/kernel_oracle.h"

#include "core/rng.h"
#include "kit/dense.h"

#include <math.h>
#include <stdlib.h>

double kernel_value(const pen_kernel *kernel, int64_t d, const double *x, const double *z)
{
    const double dot = dense_dot(d, x, z), xx = dense_dot(d, x, x), zz = dense_dot(d, z, z);
    double absolute = 0, squared = 0;

    for (int64_t j = 0; j < d; j++) {
        absolute += fabs(x[j] - z[j]);
        squared += (x[j] - z[j]) * (x[j] - z[j]);
    }
    switch (kernel->kind) {
    case PEN_KERNEL_RBF:
        return exp(-kernel->gamma * squared);
    case PEN_KERNEL_LAPLACIAN:
        return exp(-kernel->gamma * absolute);
    case PEN_KERNEL_POLYNOMIAL:
        return pow(kernel->gamma * dot + kernel->coef0, (double)kernel->degree);
    case PEN_KERNEL_COSINE:
        return xx > 0 && zz > 0 ? dot / sqrt(xx) / sqrt(zz) : 0;
    default:
        return dot;
    }
}

double *kernel_table(const pen_kernel *kernel, int64_t n, int64_t m, int64_t d, const double *x,
                     const double *z)
{
    double *const K = zeros(n * m);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            K[i * m + j] = kernel_value(kernel, d, x + i * d, z + j * d);
    return K;
}

static double trace_of(int64_t n, const double *A)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += A[i * n + i];
    return sum;
}

/* Subtracts the part of the residual that a row explains. */
static void eliminate(int64_t n, double *R, int64_t row)
{
    double *const column = zeros(n), pivot = R[row * n + row];

    for (int64_t i = 0; i < n; i++)
        column[i] = R[i * n + row];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            R[i * n + j] -= column[i] * column[j] / pivot;
    for (int64_t i = 0; i < n; i++)
        R[i * n + row] = R[row * n + i] = 0;
}

/* Draws a row with probability proportional to its residual. */
static int64_t draw_row(int64_t n, const double *R, double u)
{
    const double target = u * trace_of(n, R);
    double sum = 0;
    int64_t i = 0;

    while (i < n - 1 && (sum += R[i * n + i]) <= target)
        i++;
    return i;
}

int64_t kernel_landmarks(int64_t n, const double *K, int64_t most, uint64_t seed, int64_t *rows,
                         double *left)
{
    enum { FEWEST = 64, MOST = 256 };
    double *const R = dense_copy(n * n, K), before[MOST];
    pen_rng rng = { seed };
    int64_t found = 0, drawn[MOST];

    while (found < most && trace_of(n, R) > 1e-12 * trace_of(n, K)) {
        const int64_t round = found < FEWEST ? FEWEST : found > MOST ? MOST : found;
        for (int64_t b = 0; b < round; b++) {
            drawn[b] = draw_row(n, R, pen_rng_uniform(&rng));
            before[b] = R[drawn[b] * (n + 1)];
        }
        for (int64_t b = 0; b < round; b++) {
            const double now = R[drawn[b] * (n + 1)], u = pen_rng_uniform(&rng);
            if (found == most || !(u * before[b] < now) || !(now > 1e-12 * K[drawn[b] * (n + 1)]))
                continue;
            eliminate(n, R, drawn[b]);
            rows[found++] = drawn[b];
        }
        for (int64_t i = 0; i < n; i++)
            if (!(R[i * n + i] > 1e-12 * K[i * n + i]))
                R[i * n + i] = 0;
    }
    *left = trace_of(n, R) / trace_of(n, K);
    return found;
}

double kernel_residual(int64_t n, const double *K, int64_t m, const int64_t *landmarks)
{
    double *const inner = zeros(m * m), explained = 0;
    int64_t rank;

    for (int64_t i = 0; i < m * m; i++)
        inner[i] = K[landmarks[i / m] * n + landmarks[i % m]];
    double *const span = dense_span(m, inner, -0.5, &rank, NULL);
    for (int64_t i = 0; i < n * rank; i++) {
        double coordinate = 0;
        for (int64_t l = 0; l < m; l++)
            coordinate += K[i / rank * n + landmarks[l]] * span[l * rank + i % rank];
        explained += coordinate * coordinate;
    }
    return 1 - explained / trace_of(n, K);
}
