/* coordinates.c - see coordinates.h. */
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"

#include <math.h>

void normalize_rows(int64_t n, int64_t d, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        const double square = dense_dot(d, x + i * d, x + i * d);
        for (int64_t c = 0; square > 0 && c < d; c++)
            x[i * d + c] /= sqrt(square);
    }
}

/* The divisor of column c. */
static double column_scale(const fit_options *o, int64_t n, int64_t d, const double *x, int64_t c,
                           double mean)
{
    double least = INFINITY, most = -INFINITY, square = 0;

    for (int64_t i = 0; i < n; i++) {
        least = fmin(least, x[i * d + c]);
        most = fmax(most, x[i * d + c]);
        square += (x[i * d + c] - mean) * (x[i * d + c] - mean);
    }
    if (least == most || option_is(o, "scale", "none"))
        return 1;
    return option_is(o, "scale", "minmax") ? most - least : sqrt(square / (double)n);
}

/* The number of components that `pca` keeps; 0 if it requests more than exist. */
static int64_t components(double asked, int64_t d, const double *values)
{
    double all = 0, sum = 0;
    int64_t most = 0, q = 0;

    for (int64_t i = 0; i < d; i++) {
        most += values[i] > DENSE_NOISE * values[0];
        all += values[i];
    }
    if (isinf(asked))
        return most;
    if (asked >= 1)
        return asked <= (double)most ? (int64_t)asked : 0;
    while (sum < asked * all)
        sum += values[q++];
    return q;
}

coordinates coordinates_of(const fit_options *o, int64_t n, int64_t d, int64_t stride,
                           const double *rows)
{
    coordinates c = { .n = n, .d = d, .q = d, .rows = zeros(n * d), .mean = zeros(d) };
    double *scales = zeros(d), *s = zeros(d * d), *values = zeros(d), *vectors = zeros(d * d);

    for (int64_t i = 0; i < n * d; i++)
        c.rows[i] = rows[i / d * stride + i % d];
    if (option_is(o, "row_steps", "l2"))
        normalize_rows(n, d, c.rows);
    double *x = dense_copy(n * d, c.rows);
    for (int64_t j = 0; j < d; j++) {
        for (int64_t i = 0; i < n; i++)
            c.mean[j] += x[i * d + j] / (double)n;
        scales[j] = column_scale(o, n, d, x, j, c.mean[j]);
        for (int64_t i = 0; i < n; i++)
            x[i * d + j] = (x[i * d + j] - c.mean[j]) / scales[j];
        vectors[j * d + j] = 1;
    }
    if (!option_is(o, "pca", "off")) {
        oracle_total(n, d, x, s);
        dense_eigen(d, s, values, vectors);
        c.q = components(option(o, "pca"), d, values);
    }
    c.basis = zeros(d * c.q);
    c.unbasis = zeros(c.q * d);
    double *kept = zeros(d * c.q);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < c.q; j++) {
            kept[i * c.q + j] = vectors[i * d + j];
            c.basis[i * c.q + j] = vectors[i * d + j] / scales[i];
            c.unbasis[j * d + i] = vectors[i * d + j] * scales[i];
        }
    c.x = dense_product(n, d, c.q, x, kept);
    return c;
}
