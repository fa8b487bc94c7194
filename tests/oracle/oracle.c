/* oracle.c - see oracle.h. The letters are those of the papers:
 *   S(W) = 1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)'
 *   Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61. */
#define _POSIX_C_SOURCE 200809L

#include "oracle/oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this part of the largest, an eigenvalue of a scatter is rounding noise; what the tests ask
 * about lies far above or is exactly 0. */
static const double NOISE = 1e-12;

static double *zeros(int64_t count)
{
    double *a = calloc(count > 0 ? (size_t)count : 1, sizeof *a);
    if (!a)
        abort();
    return a;
}

static double *copy(int64_t count, const double *a)
{
    double *b = zeros(count);
    memcpy(b, a, (size_t)count * sizeof *a);
    return b;
}

/* a [n x m] times b [m x k]. */
static double *product(int64_t n, int64_t m, int64_t k, const double *a, const double *b)
{
    double *c = zeros(n * k);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < m; l++)
            for (int64_t j = 0; j < k; j++)
                c[i * k + j] += a[i * m + l] * b[l * k + j];
    return c;
}

static void add(int64_t count, double factor, const double *a, double *sum)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += factor * a[i];
}

/* ---- eigenproblems
 *
 *
 * ---------------------------------------------------------------------------------------------- */

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

void oracle_eigen(int64_t n, const double *matrix, double *values, double *vectors)
{
    double *a = copy(n * n, matrix), *v = zeros(n * n);

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
    free(a);
    free(v);
}

/* C = L L'. */
static double *cholesky(int64_t n, const double *c)
{
    double *l = zeros(n * n);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = c[i * n + j];
            for (int64_t k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    return l;
}

/* The inverse of a lower triangle. */
static double *inverse(int64_t n, const double *l)
{
    double *x = zeros(n * n);

    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = i == j;
            for (int64_t k = j; k < i; k++)
                sum -= l[i * n + k] * x[k * n + j];
            x[i * n + j] = sum / l[i * n + i];
        }
    return x;
}

static double *transpose(int64_t n, int64_t m, const double *a)
{
    double *t = zeros(n * m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            t[j * n + i] = a[i * m + j];
    return t;
}

/* B phi = lambda C phi, phi' C phi = I: eigenvectors of L^-1 B L^-T. */
static void eigen_ratio(int64_t n, const double *b, const double *c, double *values, double *phi)
{
    double *l = cholesky(n, c), *li = inverse(n, l), *lit = transpose(n, n, li);
    double *half = product(n, n, n, li, b), *m = product(n, n, n, half, lit), *v = zeros(n * n);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            m[i * n + j] = m[j * n + i] = (m[i * n + j] + m[j * n + i]) / 2;
    oracle_eigen(n, m, values, v);
    double *back = product(n, n, n, lit, v);
    memcpy(phi, back, (size_t)(n * n) * sizeof *phi);
    free(l), free(li), free(lit), free(half), free(m), free(v), free(back);
}

static int positive_definite(int64_t n, const double *b, const double *c)
{
    double *values = zeros(n), *vectors = zeros(n * n), most = 0;

    oracle_eigen(n, c, values, vectors);
    for (int64_t i = 0; i < n * n; i++)
        most = fmax(most, fabs(b[i]));
    const double least = (double)n * DBL_EPSILON;
    const int good = values[n - 1] > least * values[0] && values[0] > least * most;
    free(values), free(vectors);
    return good;
}

/* As many eigenvalues of B phi = lambda C phi are above 0 as of B; those of B carry no rounding
 * errors of C. */
static int64_t rank(int64_t n, const double *b)
{
    double *values = zeros(n), *vectors = zeros(n * n);
    int64_t count = 0;

    oracle_eigen(n, b, values, vectors);
    while (count < n && values[count] > NOISE * values[0])
        count++;
    free(values), free(vectors);
    return count;
}

/* ---- scatters
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct rows {
    int64_t n, d;
    const double *x;
    const int32_t *y;
    const double *sigma;
    int64_t labelled;
    enum oracle_form form;
} rows;

static double square_distance(const rows *r, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t c = 0; c < r->d; c++)
        sum +=
            (r->x[i * r->d + c] - r->x[j * r->d + c]) * (r->x[i * r->d + c] - r->x[j * r->d + c]);
    return sum;
}

static double class_size(const rows *r, int32_t name)
{
    double count = 0;
    for (int64_t i = 0; i < r->n; i++)
        count += r->y[i] == name;
    return count;
}

/* S(W) [d x d], added to s. */
static void pairwise(const rows *r, double (*weight)(const rows *, int64_t, int64_t), double *s)
{
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = 0; j < r->n; j++) {
            const double w = weight(r, i, j), *a = r->x + i * r->d, *b = r->x + j * r->d;
            for (int64_t p = 0; w != 0 && p < r->d; p++)
                for (int64_t q = 0; q < r->d; q++)
                    s[p * r->d + q] += 0.5 * w * (a[p] - b[p]) * (a[q] - b[q]);
        }
}

static double total_weight(const rows *r, int64_t i, int64_t j)
{
    (void)i;
    (void)j;
    return 1 / (double)r->n;
}

void oracle_total(int64_t n, int64_t d, const double *x, double *s)
{
    const rows r = { .n = n, .d = d, .x = x };
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    pairwise(&r, total_weight, s);
}

/* The mean [d] of the labelled rows, or of those of one class. */
static double *mean_of(const rows *r, int whole, int32_t name)
{
    double *mean = zeros(r->d), count = 0;

    for (int64_t i = 0; i < r->n; i++)
        if (r->y[i] != -1 && (whole || r->y[i] == name)) {
            add(r->d, 1, r->x + i * r->d, mean);
            count += 1;
        }
    for (int64_t c = 0; c < r->d; c++)
        mean[c] /= count;
    return mean;
}

/* s += factor (a - b)(a - b)' */
static void add_outer(int64_t d, double factor, const double *a, const double *b, double *s)
{
    for (int64_t p = 0; p < d; p++)
        for (int64_t q = 0; q < d; q++)
            s[p * d + q] += factor * (a[p] - b[p]) * (a[q] - b[q]);
}

/* Every labelled row adds its share: (mu_m - mu')(mu_m - mu')' summed over the n'_m rows of class
 * m. */
void oracle_fisher(int64_t n, int64_t d, const double *x, const int32_t *y, double *between,
                   double *within)
{
    const rows r = { .n = n, .d = d, .x = x, .y = y };
    double *middle = mean_of(&r, 1, 0);

    memset(between, 0, (size_t)(d * d) * sizeof *between);
    memset(within, 0, (size_t)(d * d) * sizeof *within);
    for (int64_t i = 0; i < n; i++) {
        if (y[i] == -1)
            continue;
        double *mean = mean_of(&r, 0, y[i]);
        add_outer(d, 1, mean, middle, between);
        add_outer(d, 1, x + i * d, mean, within);
        free(mean);
    }
    free(middle);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void oracle_sigma(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, double *sigma)
{
    const rows r = { .n = n, .d = d, .x = x, .y = y };
    double *distance = zeros(n);

    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t j = 0; y[i] != -1 && j < n; j++)
            if (j != i
                && (scaling == ORACLE_ALL
                    || (y[j] != -1 && (scaling == ORACLE_LABELLED || y[j] == y[i]))))
                distance[count++] = sqrt(square_distance(&r, i, j));
        qsort(distance, (size_t)count, sizeof *distance, ascending);
        sigma[i] = count == 0 ? 0 : distance[(neighbors < count ? neighbors : count) - 1];
    }
    free(distance);
}

static double affinity(const rows *r, int64_t i, int64_t j)
{
    const double square = square_distance(r, i, j), scale = r->sigma[i] * r->sigma[j];
    return square == 0 ? 1 : scale == 0 ? 0 : exp(-square / scale);
}

static double local_weight(const rows *r, int64_t i, int64_t j)
{
    if (r->y[i] == -1 || r->y[j] == -1)
        return 0;
    const double all = (double)r->labelled;
    if (r->y[i] != r->y[j])
        return r->form == ORACLE_LB_WEIGHTS ? 1 / all : 0;
    const double own = class_size(r, r->y[i]), a = affinity(r, i, j);
    switch (r->form) {
    case ORACLE_LB_WEIGHTS:
        return a * (1 / all - 1 / own);
    case ORACLE_LB_SUM:
        return (1 - a) * (1 / own - 1 / all);
    case ORACLE_LB_REST:
        return a * (1 / all - 1 / own);
    case ORACLE_LW:
        break;
    }
    return a / own;
}

/* S_t' - sum_m (n'_m/n') S_m: every labelled row adds its share. */
static void add_rest(const rows *r, double *s)
{
    double *middle = mean_of(r, 1, 0);

    for (int64_t i = 0; i < r->n; i++) {
        if (r->y[i] == -1)
            continue;
        double *mean = mean_of(r, 0, r->y[i]);
        add_outer(r->d, 1, r->x + i * r->d, middle, s);
        add_outer(r->d, -class_size(r, r->y[i]) / (double)r->labelled, r->x + i * r->d, mean, s);
        free(mean);
    }
    free(middle);
}

void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, enum oracle_form form, double *s)
{
    double *sigma = zeros(n), *within = zeros(d * d);
    rows r = { .n = n, .d = d, .x = x, .y = y, .sigma = sigma, .form = form };

    for (int64_t i = 0; i < n; i++)
        r.labelled += y[i] != -1;
    oracle_sigma(n, d, x, y, neighbors, scaling, sigma);
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    if (form == ORACLE_LB_SUM)
        oracle_fisher(n, d, x, y, s, within);
    if (form == ORACLE_LB_REST)
        add_rest(&r, s);
    pairwise(&r, local_weight, s);
    free(sigma), free(within);
}

/* ---- what the text says
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct options {
    char method[16], metric[16], total[16], scaling[16], scale[16], normalize[16], pca[32];
    double beta, ridge;
    int64_t neighbors;
} options;

static int take(const char *word, const char *name, char *value, size_t size)
{
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != '=')
        return 0;
    snprintf(value, size, "%s", word + length + 1);
    return 1;
}

static options read_options(const char *text)
{
    options o = { .metric = "",
                  .total = "scatter",
                  .scaling = "classwise",
                  .scale = "none",
                  .normalize = "none",
                  .pca = "off",
                  .beta = 0.5,
                  .neighbors = 7 };
    char words[512], number[64], *save = NULL;

    snprintf(words, sizeof words, "%s", text);
    char *word = strtok_r(words, " ", &save);
    snprintf(o.method, sizeof o.method, "%s", word);
    while ((word = strtok_r(NULL, " ", &save))) {
        if (take(word, "beta", number, sizeof number))
            o.beta = strtod(number, NULL);
        else if (take(word, "ridge", number, sizeof number))
            o.ridge = strtod(number, NULL);
        else if (take(word, "neighbors", number, sizeof number))
            o.neighbors = strtoll(number, NULL, 10);
        else if (!take(word, "metric", o.metric, sizeof o.metric)
                 && !take(word, "total", o.total, sizeof o.total)
                 && !take(word, "scaling", o.scaling, sizeof o.scaling)
                 && !take(word, "scale", o.scale, sizeof o.scale)
                 && !take(word, "normalize", o.normalize, sizeof o.normalize)
                 && !take(word, "pca", o.pca, sizeof o.pca)
                 && !take(word, "dim", number, sizeof number)
                 && !take(word, "allow_fewer", number, sizeof number))
            abort();
    }
    if (!o.metric[0])
        snprintf(o.metric, sizeof o.metric, "%s",
                 strcmp(o.method, "pca") == 0 ? "orthonormal" : "weighted");
    return o;
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- preprocessing
 *
 *
 * ---------------------------------------------------------------------------------------------- */

static void normalize_rows(int64_t n, int64_t d, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int64_t c = 0; c < d; c++)
            square += x[i * d + c] * x[i * d + c];
        for (int64_t c = 0; square > 0 && c < d; c++)
            x[i * d + c] /= sqrt(square);
    }
}

/* What column c is divided by. */
static double column_scale(int64_t n, int64_t d, const double *x, int64_t c, double mean,
                           const char *scale)
{
    double least = INFINITY, most = -INFINITY, square = 0;

    for (int64_t i = 0; i < n; i++) {
        least = fmin(least, x[i * d + c]);
        most = fmax(most, x[i * d + c]);
        square += (x[i * d + c] - mean) * (x[i * d + c] - mean);
    }
    if (least == most || is(scale, "none"))
        return 1;
    return is(scale, "minmax") ? most - least : sqrt(square / (double)n);
}

/* How many principal components `pca` keeps; 0 if it asks for more than there are. */
static int64_t components(const char *pca, int64_t d, const double *values)
{
    const double asked = strtod(pca, NULL);
    double all = 0, sum = 0;
    int64_t most = 0, q = 0;

    for (int64_t i = 0; i < d; i++) {
        most += values[i] > NOISE * values[0];
        all += values[i];
    }
    if (is(pca, "rank"))
        return most;
    if (asked >= 1)
        return asked <= (double)most ? (int64_t)asked : 0;
    while (sum < asked * all)
        sum += values[q++];
    return q;
}

/* Rows x [n x d], normalized already, to method coordinates: fills mean, basis, unbasis, q and
 * returns the rows [n x q]. */
static double *preprocess(const options *o, int64_t n, int64_t d, double *x, oracle *fit)
{
    double *scales = zeros(d), *s = zeros(d * d), *values = zeros(d), *vectors = zeros(d * d);

    fit->mean = zeros(d);
    for (int64_t c = 0; c < d; c++) {
        for (int64_t i = 0; i < n; i++)
            fit->mean[c] += x[i * d + c] / (double)n;
        scales[c] = column_scale(n, d, x, c, fit->mean[c], o->scale);
        for (int64_t i = 0; i < n; i++)
            x[i * d + c] = (x[i * d + c] - fit->mean[c]) / scales[c];
    }
    fit->q = d;
    for (int64_t c = 0; c < d; c++)
        vectors[c * d + c] = 1;
    if (!is(o->pca, "off")) {
        oracle_total(n, d, x, s);
        oracle_eigen(d, s, values, vectors);
        fit->q = components(o->pca, d, values);
    }
    const int64_t q = fit->q;
    fit->basis = zeros(d * q);
    fit->unbasis = zeros(q * d);
    double *kept = zeros(d * q);
    for (int64_t c = 0; c < d; c++)
        for (int64_t j = 0; j < q; j++) {
            kept[c * q + j] = vectors[c * d + j];
            fit->basis[c * q + j] = vectors[c * d + j] / scales[c];
            fit->unbasis[j * d + c] = vectors[c * d + j] * scales[c];
        }
    double *out = product(n, d, q, x, kept);
    free(scales), free(s), free(values), free(vectors), free(kept);
    return out;
}

/* ---- the methods
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* B and C [q x q] of the rows x [n x q]. */
static void criterion(const options *o, int64_t n, const double *x, const int32_t *y, oracle *fit)
{
    const int64_t q = fit->q, qq = q * q;
    const enum oracle_scaling scaling = is(o->method, "self") || is(o->scaling, "all") ? ORACLE_ALL
                                        : is(o->scaling, "labelled") ? ORACLE_LABELLED
                                                                     : ORACLE_CLASSWISE;
    const double beta = is(o->method, "pca") ? 1 : is(o->method, "self") ? o->beta : 0;
    double *s = zeros(qq), trace = 0;

    fit->B = zeros(qq);
    fit->C = zeros(qq);
    if (is(o->method, "fda")) {
        oracle_fisher(n, q, x, y, fit->B, fit->C);
    } else if (beta < 1) {
        oracle_local(n, q, x, y, o->neighbors, scaling, ORACLE_LB_WEIGHTS, s);
        add(qq, 1 - beta, s, fit->B);
        oracle_local(n, q, x, y, o->neighbors, scaling, ORACLE_LW, s);
        add(qq, 1 - beta, s, fit->C);
    }
    if (beta > 0) {
        oracle_total(n, q, x, s);
        add(qq, is(o->total, "covariance") ? beta / (double)n : beta, s, fit->B);
    }
    for (int64_t i = 0; i < q; i++)
        trace += fit->C[i * q + i] += beta;
    for (int64_t i = 0; i < q; i++)
        fit->C[i * q + i] += o->ridge * trace / (double)q;
    free(s);
}

static int64_t classes(int64_t n, const int32_t *y)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t j = 0;
        while (j < i && y[j] != y[i])
            j++;
        count += j == i && y[i] != -1;
    }
    return count;
}

/* Gram-Schmidt, twice, of the columns of t [q x q] up to k. */
static void orthonormalize(int64_t q, int64_t k, double *t)
{
    for (int64_t j = 0; j < 2 * k; j++) {
        double square = 0;
        for (int64_t b = 0; b < j / 2; b++) {
            double dot = 0;
            for (int64_t i = 0; i < q; i++)
                dot += t[i * q + b] * t[i * q + j / 2];
            for (int64_t i = 0; i < q; i++)
                t[i * q + j / 2] -= dot * t[i * q + b];
        }
        for (int64_t i = 0; i < q; i++)
            square += t[i * q + j / 2] * t[i * q + j / 2];
        for (int64_t i = 0; i < q; i++)
            t[i * q + j / 2] /= sqrt(square);
    }
}

int64_t oracle_sign_row(int64_t d, const double *w, int64_t stride, int64_t c)
{
    double most = 0;
    int64_t row = 0;

    for (int64_t i = 0; i < d; i++)
        most = fmax(most, fabs(w[i * stride + c]));
    while (fabs(w[row * stride + c]) < most * (1 - 1e-9))
        row++;
    return row;
}

static void solve(const options *o, int64_t most, oracle *fit)
{
    const int64_t q = fit->q;

    fit->lambda = zeros(q);
    fit->phi = zeros(q * q);
    fit->metric = is(o->metric, "weighted") ? ORACLE_WEIGHTED
                  : is(o->metric, "plain")  ? ORACLE_PLAIN
                                            : ORACLE_ORTHONORMAL;
    fit->singular = !positive_definite(q, fit->B, fit->C);
    if (fit->singular)
        return;
    eigen_ratio(q, fit->B, fit->C, fit->lambda, fit->phi);
    fit->k = rank(q, fit->B) < most ? rank(q, fit->B) : most;
    for (int64_t j = fit->k; j < q; j++)
        fit->lambda[j] = 0;
    fit->T = copy(q * q, fit->phi);
    for (int64_t i = 0; i < q * q && fit->metric == ORACLE_WEIGHTED; i++)
        fit->T[i] *= sqrt(fit->lambda[i % q]);
    if (fit->metric == ORACLE_ORTHONORMAL)
        orthonormalize(q, fit->k, fit->T);
    fit->W = product(fit->d, q, q, fit->basis, fit->T);
    for (int64_t j = 0; j < fit->k; j++) {
        const double sign = fit->W[oracle_sign_row(fit->d, fit->W, q, j) * q + j] < 0 ? -1 : 1;
        for (int64_t i = 0; i < fit->d; i++)
            fit->W[i * q + j] *= sign;
    }
}

oracle *oracle_fit(const char *text, int64_t n, int64_t d, const double *x, const int32_t *y)
{
    const options o = read_options(text);
    oracle *fit = calloc(1, sizeof *fit);
    double *own = copy(n * d, x);

    if (!fit)
        abort();
    fit->d = d;
    if (is(o.normalize, "l2"))
        normalize_rows(n, d, own);
    double *coordinates = preprocess(&o, n, d, own, fit);
    if (fit->q > 0) {
        criterion(&o, n, coordinates, y, fit);
        solve(&o, is(o.method, "fda") ? classes(n, y) - 1 : fit->q, fit);
    }
    free(own), free(coordinates);
    return fit;
}

void oracle_free(oracle *fit)
{
    if (!fit)
        return;
    free(fit->mean), free(fit->basis), free(fit->unbasis), free(fit->B), free(fit->C);
    free(fit->lambda), free(fit->phi), free(fit->T), free(fit->W), free(fit);
}
