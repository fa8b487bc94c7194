/* dense.c - see dense.h. */
#include "kit/dense.h"
#include "kit/keep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double *zeros(int64_t count)
{
    double *a = calloc(count > 0 ? (size_t)count : 1, sizeof *a);
    if (!a)
        abort();
    return keep_until_end(a, free);
}

double *dense_copy(int64_t count, const double *a)
{
    double *b = zeros(count);
    memcpy(b, a, (size_t)count * sizeof *a);
    return b;
}

void dense_add(int64_t count, double factor, const double *a, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += factor * a[i];
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void dense_sort(int64_t count, double *a)
{
    qsort(a, (size_t)count, sizeof *a, by_number);
}

double dense_mean_of_most(int64_t count, const double *a)
{
    double *const positive = zeros(count), sum = 0;
    int64_t p = 0;

    for (int64_t i = 0; i < count; i++)
        if (a[i] > 0)
            positive[p++] = a[i];
    dense_sort(p, positive);
    const double most = p > 0 ? positive[9 * (p - 1) / 10] : INFINITY;
    for (int64_t i = 0; i < count; i++)
        sum += fmin(a[i], 100 * most);
    return sum / (double)count;
}

double *dense_mean(int64_t n, int64_t k, const double *z, const int32_t *labels)
{
    double *mean = zeros(k), count = 0;

    for (int64_t i = 0; i < n; i++)
        count += !labels || labels[i] != -1;
    for (int64_t i = 0; i < n; i++)
        if (!labels || labels[i] != -1)
            dense_add(k, 1 / count, z + i * k, mean);
    return mean;
}

double dense_unit(int64_t n, int64_t k, const double *z, const double *center)
{
    double *squares = zeros(n);

    for (int64_t i = 0; i < n * k; i++)
        squares[i / k] += pow(z[i] - center[i % k], 2);
    const double mean = dense_mean_of_most(n, squares) / (double)k;
    return mean > 0 ? sqrt(mean) : 1;
}

double dense_dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

double dense_distance2(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

double dense_largest(int64_t count, const double *a, int64_t stride)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i * stride]));
    return most;
}

void dense_outer(int64_t q, double weight, const double *a, const double *b, double *s)
{
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q && a[i] != (b ? b[i] : 0); j++)
            s[i * q + j] += weight * (a[i] - (b ? b[i] : 0)) * (a[j] - (b ? b[j] : 0));
}

double *dense_columns(int64_t n, int64_t m, int64_t first, int64_t step, int64_t k, const double *a)
{
    double *some = zeros(n * k);
    for (int64_t i = 0; i < n * k; i++)
        some[i] = a[i / k * m + first + i % k * step];
    return some;
}

double *dense_product(int64_t n, int64_t m, int64_t k, const double *a, const double *b)
{
    double *c = zeros(n * k);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < m; l++)
            for (int64_t j = 0; j < k; j++)
                c[i * k + j] += a[i * m + l] * b[l * k + j];
    return c;
}

double *dense_transpose(int64_t n, int64_t m, const double *a)
{
    double *t = zeros(n * m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            t[j * n + i] = a[i * m + j];
    return t;
}

double *dense_solve(int64_t n, int64_t k, const double *a, const double *b)
{
    double *s = dense_copy(n * n, a), *x = dense_copy(n * k, b);

    for (int64_t p = 0; p < n; p++) {
        int64_t best = p;
        for (int64_t i = p; i < n; i++)
            best = fabs(s[i * n + p]) > fabs(s[best * n + p]) ? i : best;
        for (int64_t j = 0; j < n + k; j++) {
            double *one = j < n ? s + p * n + j : x + p * k + j - n,
                   *other = j < n ? s + best * n + j : x + best * k + j - n, kept = *one;
            *one = *other;
            *other = kept;
        }
        for (int64_t i = p + 1; i < n; i++) {
            const double factor = s[i * n + p] / s[p * n + p];
            for (int64_t j = p; j < n && factor != 0; j++)
                s[i * n + j] -= factor * s[p * n + j];
            for (int64_t j = 0; j < k && factor != 0; j++)
                x[i * k + j] -= factor * x[p * k + j];
        }
    }
    for (int64_t p = n - 1; p >= 0; p--)
        for (int64_t j = 0; j < k; j++) {
            for (int64_t i = p + 1; i < n; i++)
                x[p * k + j] -= s[p * n + i] * x[i * k + j];
            x[p * k + j] /= s[p * n + p];
        }
    return x;
}

double *dense_inside(int64_t n, int64_t q, const double *x, const double *m)
{
    double *mx = dense_product(n, n, q, m, x), *t = dense_transpose(n, q, x),
           *s = dense_product(q, n, q, t, mx);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < i; j++)
            s[i * q + j] = s[j * q + i] = (s[i * q + j] + s[j * q + i]) / 2;
    return s;
}

double *dense_project(int64_t d, int64_t k, const double *a, const double *v)
{
    double *av = dense_product(d, d, k, a, v), *s = zeros(k * k);

    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            for (int64_t l = 0; l < d; l++)
                s[i * k + j] += (v[l * k + i] * av[l * k + j] + v[l * k + j] * av[l * k + i]) / 2;
    return s;
}

static void rotate(int64_t n, double *a, double *v, int64_t p, int64_t q)
{
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;

    for (int64_t i = 0; i < n; i++) {
        const double ip = a[i * n + p], iq = a[i * n + q];
        a[i * n + p] = c * ip - s * iq;
        a[i * n + q] = s * ip + c * iq;
    }
    for (int64_t i = 0; i < n; i++) {
        const double pi = a[p * n + i], qi = a[q * n + i], vp = v[i * n + p], vq = v[i * n + q];
        a[p * n + i] = c * pi - s * qi;
        a[q * n + i] = s * pi + c * qi;
        v[i * n + p] = c * vp - s * vq;
        v[i * n + q] = s * vp + c * vq;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

static int sweep(int64_t n, double *a, double *v)
{
    double norm = 0;
    int rotations = 0;

    for (int64_t i = 0; i < n * n; i++)
        norm = fmax(norm, fabs(a[i]));
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = p + 1; q < n; q++)
            if (fabs(a[p * n + q]) > 1e-18 * norm) {
                rotate(n, a, v, p, q);
                rotations++;
            }
    return rotations;
}

void dense_eigen(int64_t n, const double *matrix, double *values, double *vectors)
{
    double *a = dense_copy(n * n, matrix), *v = zeros(n * n);

    for (int64_t i = 0; i < n; i++)
        v[i * n + i] = 1;
    for (int sweeps = 0; sweeps < 60 && sweep(n, a, v) > 0; sweeps++)
        continue;
    for (int64_t j = 0; j < n; j++) {
        int64_t best = 0;
        for (int64_t i = 1; i < n; i++)
            if (!(a[i * n + i] <= a[best * n + best]))
                best = i;
        values[j] = a[best * n + best];
        for (int64_t i = 0; i < n; i++)
            vectors[i * n + j] = v[i * n + best];
        a[best * n + best] = -INFINITY;
    }
}

/* a = U S V': eigenvectors V of a'a, then U V'. Columns of U for singular values at noise level are
 * any orthonormal completion. */
double *dense_polar(int64_t d, int64_t k, const double *a)
{
    double *t = dense_transpose(d, k, a), *square = dense_product(k, d, k, t, a),
           *values = zeros(k), *v = zeros(k * k);

    dense_eigen(k, square, values, v);
    double *u = dense_product(d, k, k, a, v);
    for (int64_t j = 0; j < k; j++) {
        const int noise = values[j] <= DENSE_NOISE * DENSE_NOISE * values[0];
        for (int64_t unit = 0, done = 0; unit < d && !done; unit++) {
            for (int64_t i = 0; i < d && noise; i++)
                u[i * k + j] = i == unit;
            for (int64_t b = 0; b < 2 * j; b++) {
                double inner = 0;
                for (int64_t i = 0; i < d; i++)
                    inner += u[i * k + b % j] * u[i * k + j];
                for (int64_t i = 0; i < d; i++)
                    u[i * k + j] -= inner * u[i * k + b % j];
            }
            double length = 0;
            for (int64_t i = 0; i < d; i++)
                length += u[i * k + j] * u[i * k + j];
            done = !noise || length > 0.1 / (double)d;
            for (int64_t i = 0; i < d && done; i++)
                u[i * k + j] /= sqrt(length);
        }
    }
    double *back = dense_transpose(k, k, v), *polar = dense_product(d, k, k, u, back);
    return polar;
}

int64_t dense_rank(int64_t n, double *values)
{
    int64_t rank = 0;
    while (rank < n && values[rank] > 0 && values[rank] > DENSE_NOISE * values[0])
        rank++;
    for (int64_t j = rank; j < n; j++)
        values[j] = 0;
    return rank;
}

double *dense_span(int64_t q, const double *s, double power, int64_t *rank, double **values)
{
    double *own = zeros(q), *vectors = zeros(q * q);

    dense_eigen(q, s, own, vectors);
    *rank = dense_rank(q, own);
    double *span = dense_columns(q, q, 0, 1, *rank, vectors);
    for (int64_t i = 0; i < q * *rank; i++)
        span[i] *= pow(own[i % *rank], power);
    if (values)
        *values = own;
    return span;
}

int64_t dense_rank_of(int64_t n, const double *s)
{
    int64_t rank;
    dense_span(n, s, 0, &rank, NULL);
    return rank;
}

int dense_generalized(int64_t q, const double *a, const double *c, double *values, double *t)
{
    double *root = zeros(q * q), *u = zeros(q * q);

    dense_eigen(q, c, values, root);
    const int positive = values[q - 1] > DENSE_NOISE * values[0] && values[0] > 0;
    for (int64_t i = 0; positive && i < q * q; i++)
        root[i] /= sqrt(values[i % q]);
    if (positive) {
        double *inner = dense_project(q, q, a, root);
        dense_eigen(q, inner, values, u);
        double *back = dense_product(q, q, q, root, u);
        memcpy(t, back, (size_t)(q * q) * sizeof *t);
    }
    return positive;
}

/* Elimination without pivoting finds positive pivots only. */
int dense_definite(int64_t n, const double *a)
{
    double *s = dense_copy(n * n, a);
    int positive = 1;

    for (int64_t p = 0; p < n && positive; p++) {
        positive = s[p * n + p] > 0;
        for (int64_t i = p + 1; i < n && positive; i++)
            for (int64_t j = n - 1; j >= p; j--)
                s[i * n + j] -= s[i * n + p] / s[p * n + p] * s[p * n + j];
    }
    return positive;
}

double dense_trace_ratio(int64_t q, int64_t k, const double *A, const double *B, double *values,
                         double *vectors)
{
    double *difference = zeros(q * q), ratio = -INFINITY;

    memset(vectors, 0, (size_t)(q * q) * sizeof *vectors);
    for (int64_t i = 0; i < q; i++)
        vectors[i * q + i] = 1;
    for (int step = 0; step < 200; step++) {
        double above = 0, below = 0;
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = 0; i < q * q; i++) {
                above += vectors[i / q * q + j] * A[i] * vectors[i % q * q + j];
                below += vectors[i / q * q + j] * B[i] * vectors[i % q * q + j];
            }
        if (step > 0 && above / below <= ratio)
            break;
        ratio = above / below;
        for (int64_t i = 0; i < q * q; i++)
            difference[i] = A[i] - ratio * B[i];
        dense_eigen(q, difference, values, vectors);
    }
    return ratio;
}

double dense_sign(int64_t d, const double *a, int64_t a_stride, const double *b, int64_t b_stride,
                  int64_t c)
{
    double dot = 0;

    for (int64_t i = 0; i < d; i++)
        dot += a[i * a_stride + c] * b[i * b_stride + c];
    return dot < 0 ? -1 : 1;
}
