/* literal_scatters.c - see literal_scatters.h. The letters are those of Sugiyama, Ide, Nakajima,
 * Sese: Machine Learning 78 (2010) 35-61: S(W) = 1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)'. */
#include "kit/literal_scatters.h"
#include "kit/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows {
    int64_t n, d;
    const double *x;
    const int32_t *y;
    const double *sigma;
    oracle_affinities how;
    double heat;
    int64_t labelled;
    enum oracle_form form;
} rows;

static double square_distance(const rows *r, int64_t i, int64_t j)
{
    return dense_distance2(r->d, r->x + i * r->d, r->x + j * r->d);
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
            const double w = weight(r, i, j);
            if (w != 0)
                dense_outer(r->d, 0.5 * w, r->x + i * r->d, r->x + j * r->d, s);
        }
}

static double total_weight(const rows *r, int64_t i, int64_t j)
{
    return 1 / (double)r->n;
}

void oracle_total(int64_t n, int64_t d, const double *x, double *s)
{
    const rows r = { .n = n, .d = d, .x = x };
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    pairwise(&r, total_weight, s);
}

double *oracle_span_of_rows(int64_t n, int64_t d, const double *x, int64_t *rank)
{
    double *total = zeros(d * d);

    oracle_total(n, d, x, total);
    double *span = dense_span(d, total, 0, rank, NULL);
    return span;
}

/* The mean [d] of the labelled rows, or of those of one class. */
static double *mean_of(const rows *r, int whole, int32_t name)
{
    double *mean = zeros(r->d), count = 0;

    for (int64_t i = 0; i < r->n; i++)
        if (r->y[i] != -1 && (whole || r->y[i] == name)) {
            dense_add(r->d, 1, r->x + i * r->d, mean);
            count += 1;
        }
    for (int64_t c = 0; c < r->d; c++)
        mean[c] /= count;
    return mean;
}

/* Adds (mu_m - mu')(mu_m - mu')' for each labelled row; class m has n'_m rows. */
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
        dense_outer(d, 1, mean, middle, between);
        dense_outer(d, 1, x + i * d, mean, within);
    }
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
        dense_sort(count, distance);
        sigma[i] = count == 0 ? 0 : distance[(neighbors < count ? neighbors : count) - 1];
    }
}

/* Row i is a candidate neighbor of row j. */
static int is_candidate(const rows *r, int64_t i, int64_t j)
{
    return i != j
           && (r->how.scaling == ORACLE_ALL
               || (r->y[i] != -1 && (r->how.scaling == ORACLE_LABELLED || r->y[i] == r->y[j])));
}

/* Fewer than k rows are nearer to row i than row j. */
static int is_near(const rows *r, int64_t i, int64_t j)
{
    int64_t nearer = 0;
    for (int64_t c = 0; c < r->n; c++)
        nearer += is_candidate(r, c, i) && square_distance(r, i, c) < square_distance(r, i, j);
    return nearer < r->how.neighbors;
}

static double affinity(const rows *r, int64_t i, int64_t j)
{
    const double square = square_distance(r, i, j), scale = r->sigma[i] * r->sigma[j];

    switch (r->how.kind) {
    case ORACLE_HEAT:
        return square == 0 ? 1 : r->heat == 0 ? 0 : exp(-square / r->heat);
    case ORACLE_KNN:
        return is_near(r, i, j) || is_near(r, j, i);
    case ORACLE_ONE:
        return 1;
    case ORACLE_LOCAL:
        break;
    }
    return square == 0 ? 1 : scale == 0 ? 0 : exp(-square / scale);
}

static double local_weight(const rows *r, int64_t i, int64_t j)
{
    if (r->y[i] == -1 || r->y[j] == -1)
        return 0;
    const double all = (double)r->labelled;
    if (r->y[i] != r->y[j])
        return r->form == ORACLE_LB ? 1 / all : 0;
    const double own = class_size(r, r->y[i]), a = affinity(r, i, j);
    return r->form == ORACLE_LB ? a * (1 / all - 1 / own) : a / own;
}

/* sigma and heat; free r->sigma. */
static rows open_rows(int64_t n, int64_t d, const double *x, const int32_t *y,
                      const oracle_affinities *how)
{
    double *sigma = zeros(n);
    rows r = { .n = n, .d = d, .x = x, .y = y, .sigma = sigma, .how = *how, .heat = how->heat };

    for (int64_t i = 0; i < n; i++)
        r.labelled += y[i] != -1;
    oracle_sigma(n, d, x, y, how->neighbors, how->scaling, sigma);
    for (int64_t i = 0; how->heat == 0 && i < n; i++)
        r.heat += y[i] == -1 ? 0 : sigma[i] * sigma[i] / (double)r.labelled;
    return r;
}

void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y,
                  const oracle_affinities *how, enum oracle_form form, double *s)
{
    rows r = open_rows(n, d, x, y, how);

    r.form = form;
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    pairwise(&r, local_weight, s);
}
