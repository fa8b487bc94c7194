/* classifier_oracle.c - see classifier_oracle.h. */
#include "oracle/classifier_oracle.h"

#include "check.h"
#include "classifiers/class_mass.h"
#include "kit/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows [n x k] in the classifier units of the rows e. */
static double *in_units(const pen_embedded_rows *e, int64_t n, const double *z)
{
    double *x = dense_copy(n * e->k, z), *center = dense_mean(e->n, e->k, e->z, e->labels);
    const double unit = dense_unit(e->n, e->k, e->z, center);

    for (int64_t i = 0; i < n * e->k; i++)
        x[i] = (x[i] - center[i % e->k]) / unit;
    return x;
}

static double distance(int64_t k, const double *a, const double *b)
{
    return sqrt(dense_distance2(k, a, b));
}

static void softmax(int64_t c, double *p)
{
    double *from = dense_copy(c, p);
    for (int64_t a = 0; a < c; a++) {
        double rest = 0;
        for (int64_t b = 0; b < c; b++)
            rest += from[b] == -INFINITY ? 0 : exp(from[b] - from[a]);
        p[a] = from[a] == -INFINITY ? 0 : 1 / rest;
    }
}

static void nearest(const pen_embedded_rows *e, const double *z, const double *x, double *p)
{
    double sum = 0;

    for (int64_t a = 0; a < e->classes; a++) {
        double d = INFINITY;
        for (int64_t i = 0; i < e->n; i++)
            if (e->labels[i] == a)
                d = fmin(d, distance(e->k, z + i * e->k, x));
        p[a] = pow(1 / (1e-9 + d), 4);
        sum += p[a];
    }
    for (int64_t a = 0; a < e->classes; a++)
        p[a] /= sum;
}

static void neighbors(const pen_embedded_rows *e, int64_t votes, const double *z, const double *x,
                      double *p)
{
    double K = 0;

    for (int64_t i = 0; i < e->n; i++)
        K += e->labels[i] >= 0 && K < (double)votes;
    nearest(e, z, x, p);
    for (int64_t a = 0; a < e->classes; a++)
        p[a] *= 0.5 / (K + 0.5);
    for (int64_t i = 0; i < e->n; i++) {
        const double own = distance(e->k, z + i * e->k, x);
        double before = 0;
        for (int64_t j = 0; e->labels[i] >= 0 && j < e->n; j++) {
            const double other = distance(e->k, z + j * e->k, x);
            before += e->labels[j] >= 0 && (other < own || (other == own && j < i));
        }
        if (e->labels[i] >= 0 && before < K)
            p[e->labels[i]] += 1 / (K + 0.5);
    }
}

/* Class means [c x k], sizes [c], and residuals [n x k], which are 0 for rows of class -1. */
static double *residuals(const pen_embedded_rows *e, const int32_t *of, const double *z,
                         double *means, double *sizes)
{
    const int64_t k = e->k;
    double *E = zeros(e->n * k);

    memset(means, 0, (size_t)(e->classes * k) * sizeof *means);
    memset(sizes, 0, (size_t)e->classes * sizeof *sizes);
    for (int64_t i = 0; i < e->n; i++)
        if (of[i] >= 0) {
            sizes[of[i]] += 1;
            dense_add(k, 1, z + i * k, means + of[i] * k);
        }
    for (int64_t a = 0; a < e->classes; a++)
        for (int64_t j = 0; sizes[a] > 0 && j < k; j++)
            means[a * k + j] /= sizes[a];
    for (int64_t i = 0; i < e->n; i++)
        for (int64_t j = 0; of[i] >= 0 && j < k; j++)
            E[i * k + j] = z[i * k + j] - means[of[i] * k + j];
    return E;
}

static void by_means(const pen_embedded_rows *e, const double *z, int64_t m, const double *x,
                     double *p)
{
    const int64_t k = e->k, c = e->classes;
    double *means = zeros(c * k), *sizes = zeros(c), *E = residuals(e, e->labels, z, means, sizes),
           l = 0;

    for (int64_t a = 0; a < c; a++)
        l += sizes[a];
    const double s2 = 1e-9 + dense_dot(e->n * k, E, E) / (l * (double)k);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t a = 0; a < c; a++)
            p[i * c + a] = sizes[a] > 0 ? -dense_distance2(k, x + i * k, means + a * k)
                                              / (2 * s2 * sqrt((double)k))
                                        : -INFINITY;
        softmax(c, p + i * c);
    }
}

/* The covariance S [k x k] of rows about their g class means, the mean of its diagonal, and rho,
 * all as in the formula. Returns the number of rows. */
static double spread(const pen_embedded_rows *e, const int32_t *of, const double *z, double *means,
                     double *sizes, double *S, double *mu, double *rho)
{
    const int64_t k = e->k;
    double *E = residuals(e, of, z, means, sizes), l = 0, g = 0, fourth = 0;

    for (int64_t a = 0; a < e->classes; a++) {
        l += sizes[a];
        g += sizes[a] > 0;
    }
    for (int64_t i = 0; i < e->n; i++) {
        dense_outer(k, 1 / l, E + i * k, NULL, S);
        fourth += pow(dense_dot(k, E + i * k, E + i * k), 2) / l;
    }
    *mu = dense_dot(e->n * k, E, E) / l / (double)k;
    *mu = *mu > 1e-24 ? *mu : 0; /* rounding of means of equal rows */
    const double squares = dense_dot(k * k, S, S), delta = squares - (double)k * *mu * *mu;
    *rho = *mu > 0 && delta > 1e-14 * squares
               ? fmin(1, fmax(1 / (l - g + 1), (fourth - squares) / l / delta))
               : 1;
    return l;
}

double classifier_oracle_shrinkage(const pen_embedded_rows *e, double *trace)
{
    double *means = zeros(e->classes * e->k), *sizes = zeros(e->classes), *S = zeros(e->k * e->k),
           mu, rho;

    *trace = spread(e, e->labels, e->z, means, sizes, S, &mu, &rho) * mu * (double)e->k;
    return rho;
}

/* Priors of the labels, or equal ones. */
static double lda(const pen_embedded_rows *e, const int32_t *of, int uniform, const double *z,
                  int64_t m, const double *x, double *p)
{
    const int64_t k = e->k, c = e->classes;
    double *means = zeros(c * k), *sizes = zeros(c), *labelled = zeros(c), *S = zeros(k * k), mu,
           rho;

    for (int64_t i = 0; i < e->n; i++)
        if (e->labels[i] >= 0)
            labelled[e->labels[i]] += 1;
    spread(e, of, z, means, sizes, S, &mu, &rho);
    double *columns = dense_transpose(c, k, means);
    for (int64_t j = 0; j < k * k; j++)
        S[j] =
            mu > 0 ? (1 - rho) * S[j] + (j / k == j % k ? (rho + 1e-9) * mu : 0) : j / k == j % k;
    double *W = dense_solve(k, c, S, columns);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t a = 0; a < c; a++) {
            double score = uniform ? 0 : log(labelled[a]);
            for (int64_t j = 0; j < k; j++)
                score += W[j * c + a] * (x[i * k + j] - means[a * k + j] / 2);
            p[i * c + a] = sizes[a] > 0 ? score : -INFINITY;
        }
        softmax(c, p + i * c);
    }
    return rho;
}

static classifier_oracle self_training(const pen_embedded_rows *e, int uniform, const double *z,
                                       int64_t m, const double *x, double *p)
{
    const int64_t c = e->classes;
    classifier_oracle o = { .rho = 1 };
    int32_t *of = check_allocate(e->n, sizeof *of), *next = check_allocate(e->n, sizeof *next);
    int *taken = check_allocate(e->n, sizeof *taken), changed = 1;
    double *own = zeros(e->n * c);

    memcpy(of, e->labels, (size_t)e->n * sizeof *of);
    while (o.refits < ORACLE_ROUNDS && changed) {
        int64_t count = 0;
        changed = 0;
        lda(e, of, uniform, z, e->n, z, own);
        for (int64_t i = 0; i < e->n; i++) {
            int32_t best = 0;
            for (int32_t a = 1; a < c; a++)
                best = own[i * c + a] > own[i * c + best] ? a : best;
            const int sure = e->labels[i] < 0 && own[i * c + best] > 0.9;
            changed |= sure != taken[i];
            taken[i] = sure;
            next[i] = e->labels[i] >= 0 ? e->labels[i] : sure ? best : -1;
            count += sure;
        }
        if (changed) { /* otherwise the last fit holds, even if classes have changed */
            o.pseudo[o.refits++] = count;
            memcpy(of, next, (size_t)e->n * sizeof *of);
        }
    }
    o.rho = lda(e, of, uniform, z, m, x, p);
    return o;
}

classifier_oracle classifier_oracle_read(const pen_embedded_rows *e,
                                         const pen_classifier_params *params, int64_t m,
                                         const double *x, double *p)
{
    const int uniform = params->prior == PEN_PRIOR_UNIFORM;
    double *z = in_units(e, e->n, e->z), *rows = in_units(e, m, x);
    classifier_oracle o = { .rho = 1 };

    if (params->kind == PEN_CLASSIFIER_MEANS)
        by_means(e, z, m, rows, p);
    else if (params->kind == PEN_CLASSIFIER_LDA)
        o.rho = lda(e, e->labels, uniform, z, m, rows, p);
    else if (params->kind == PEN_CLASSIFIER_SELF_TRAINING)
        o = self_training(e, uniform, z, m, rows, p);
    for (int64_t i = 0; i < m; i++)
        if (params->kind == PEN_CLASSIFIER_NEAREST)
            nearest(e, z, rows + i * e->k, p + i * e->classes);
        else if (params->kind == PEN_CLASSIFIER_NEIGHBORS)
            neighbors(e, params->neighbors, z, rows + i * e->k, p + i * e->classes);
    return o;
}

double classifier_oracle_gradient(const pen_embedded_rows *e, const pen_classifier *classifier)
{
    const int64_t k = e->k, c = e->classes;
    double *center = dense_mean(e->n, k, e->z, e->labels), *z = in_units(e, e->n, e->z),
           *g = zeros((k + 1) * c), *p = zeros(c), largest = 0;
    const double unit = dense_unit(e->n, k, e->z, center);
    int64_t present = 0;
    int zero = 1;

    for (int64_t a = 0; a < c; a++)
        present += classifier->bias[a] > -INFINITY;
    for (int64_t i = 0; i < e->n; i++) {
        if (e->labels[i] < 0)
            continue;
        for (int64_t a = 0; a < c; a++) {
            p[a] = classifier->bias[a];
            for (int64_t j = 0; j < k; j++)
                p[a] += e->z[i * k + j] * classifier->weights[j * c + a];
        }
        softmax(c, p);
        for (int64_t j = 0; j <= k; j++)
            for (int64_t a = 0; a < c; a++)
                g[j * c + a] += (p[a] - (e->labels[i] == a)) * (j < k ? z[i * k + j] : 1);
    }
    for (int64_t j = 0; j < k; j++)
        for (int64_t a = 0; a < c; a++)
            g[j * c + a] += classifier->weights[j * c + a] * unit;
    for (int64_t a = 0; a < c; a++) {
        /* the first of two classes has no column */
        const int counts = classifier->bias[a] > -INFINITY && !(present == 2 && zero);
        zero = zero && classifier->bias[a] == -INFINITY;
        for (int64_t j = 0; counts && j <= k; j++)
            largest = fmax(largest, fabs(g[j * c + a]));
    }
    return largest;
}
