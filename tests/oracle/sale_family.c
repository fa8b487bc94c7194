/* sale_family.c - see sale_family.h. */
#include "oracle/sale_family.h"
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/tables.h"

/* The options of the text; dim 0: one less than the number of classes. */
typedef struct settings {
    int zero, relative;
    int64_t dim, within, neighbors, max_iter;
    double alpha, tol, null_tol;
    int whitened; /* salwe: W'CW = I, C the covariance; saloe: W'W = I */
} settings;

static settings settings_of(const fit_options *o)
{
    return (settings){
        .zero = option_is(o, "init", "zero"),
        .relative = option_is(o, "stop", "relative"),
        .dim = option_int(o, "dim"),
        .within = option_int(o, "within_neighbors"),
        .neighbors = option_int(o, "neighbors"),
        .max_iter = option_int(o, "max_iter"),
        .alpha = option(o, "alpha"),
        .tol = option(o, "tol"),
        .null_tol = option(o, "null_tol"),
        .whitened = options_are_of(o, "salwe"),
    };
}

/* 1 if row j may be a neighbor of row i [n x n]: labelled rows of one class, or any other row if y
 * is NULL. */
static int *admissible_rows(int64_t n, const int32_t *y)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            table[i * n + j] = i != j && (!y || (y[i] != PEN_UNLABELLED && y[i] == y[j]));
    return table;
}

/* One row: w [n]. */
static void weigh_row(int64_t n, const double *distance2, const int *admissible, int64_t k,
                      double smallest, double *w)
{
    double sum = 0;

    for (int64_t taken = 0, best = 0; taken < k && best >= 0; taken++) {
        best = -1;
        for (int64_t j = 0; j < n; j++)
            if (admissible[j] && w[j] == 0
                && (best < 0 || distance2[j] < distance2[best] * (1 - 1e-12)))
                best = j;
        if (best >= 0)
            sum += w[best] = smallest > 0 ? smallest / fmax(distance2[best], smallest) : 1;
    }
    for (int64_t j = 0; j < n && sum > 0; j++)
        w[j] /= sum;
}

/* Weights [n x n] of the k nearest admissible rows, ties to the lower row: equal, or (smallest > 0)
 * with the least sum of weight^2 distance^2, where distance^2 is at least `smallest`. */
static double *weights_of(int64_t n, const double *distance2, const int *admissible, int64_t k,
                          double smallest)
{
    double *weights = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        weigh_row(n, distance2 + i * n, admissible + i * n, k, smallest, weights + i * n);
    return weights;
}

static double weighted_sum(int64_t n, const double *weights, const double *distance2)
{
    double sum = 0;
    for (int64_t i = 0; i < n * n; i++)
        sum += weights[i] * weights[i] * distance2[i];
    return sum;
}

double sale_spread(int64_t n, int64_t m, const double *z)
{
    double *mean = dense_mean(n, m, z, NULL), spread = 0;

    for (int64_t i = 0; i < n * m; i++)
        spread += pow(z[i] - mean[i % m], 2) / (double)n;
    return spread;
}

/* sum over rows of 1 / sum_t 1 / v_t */
static double least_of_rows(int64_t n, const double *distance2, const int *admissible, int64_t k,
                            double smallest)
{
    double *weights = weights_of(n, distance2, admissible, k, -1), total = 0;

    for (int64_t i = 0; i < n; i++) {
        double inverse = 0;
        for (int64_t j = 0; j < n; j++)
            if (weights[i * n + j] > 0)
                inverse += 1 / fmax(distance2[i * n + j], smallest);
        total += inverse > 0 ? 1 / inverse : 0;
    }
    return total;
}

double sale_least(int64_t n, int64_t m, const double *z, const int32_t *y, int64_t within,
                  int64_t neighbors, double alpha)
{
    const double smallest = 1e-12 * sale_spread(n, m, z);
    double *distance2 = table_distances(n, m, z);
    int *same = admissible_rows(n, y), *all = admissible_rows(n, NULL);
    const double least =
        least_of_rows(n, distance2, same, within, smallest)
        + (alpha > 0 ? alpha * least_of_rows(n, distance2, all, neighbors, smallest) : 0);
    return least;
}

/* Principal axes [d x d] as columns, and variances [d], of centered rows. */
static double *axes_of(int64_t n, int64_t d, const double *rows, double *variances)
{
    double *covariance = zeros(d * d), *axes = zeros(d * d);
    for (int64_t i = 0; i < n; i++)
        dense_outer(d, 1 / (double)n, rows + i * d, NULL, covariance);
    dense_eigen(d, covariance, variances, axes);
    return axes;
}

/* Means and coordinates. */
static void find_coordinates(const fit_options *text, const settings *o, const sample *s, sale *f)
{
    coordinates c = coordinates_of(text, s->n, s->d, s->d, s->x);
    double *variances = zeros(c.q), *axes = axes_of(s->n, c.q, c.x, variances);

    f->mean = dense_copy(s->d, c.mean);
    f->q = c.q;
    f->rows = dense_copy(s->n * c.q, c.x);
    while (f->rank < f->q && variances[f->rank] > o->null_tol * variances[0])
        f->rank++;
    double *span = dense_columns(f->q, f->q, 0, 1, f->rank, axes);
    for (int64_t e = 0; o->whitened && e < f->q * f->rank; e++)
        span[e] /= sqrt(variances[e % f->rank]);
    f->x = dense_product(f->n, f->q, f->rank, f->rows, span);
    f->back = dense_product(f->d, f->q, f->rank, c.basis, span);
}

/* M += weight x' L x, L the Laplacian of the symmetrized G, the squared weights. */
static void add_graph(const sale *f, double weight, const double *weights, double *M)
{
    double *A = zeros(f->n * f->n);

    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < f->n; j++)
            A[i * f->n + j] = (pow(weights[i * f->n + j], 2) + pow(weights[j * f->n + i], 2)) / 2;
    double *laplacian = table_laplacian(f->n, A),
           *scatter = table_scatter(f->n, f->rank, f->x, laplacian);
    for (int64_t c = 0; c < f->rank * f->rank; c++)
        M[c] += weight * scatter[c];
}

/* V [rank x dim] for the smallest eigenvalues; without weights, the first axes. */
static void step_of_columns(const settings *o, sale *f, double *V)
{
    const int64_t r = f->rank;
    double *M = zeros(r * r), *values = zeros(r), *vectors = zeros(r * r);

    for (int64_t c = 0; !f->P && c < r * f->dim; c++)
        V[c] = c / f->dim == c % f->dim;
    if (f->P) {
        add_graph(f, 1, f->P, M);
        add_graph(f, o->alpha, f->S, M);
        dense_eigen(r, M, values, vectors);
        for (int64_t j = 0; j < r; j++)
            f->values[j] = values[r - 1 - j];
        for (int64_t c = 0; c < r * f->dim; c++)
            V[c] = vectors[c / f->dim * r + r - 1 - c % f->dim];
        if (f->dim < r)
            f->gap = fmin(f->gap, (f->values[f->dim] - f->values[f->dim - 1]) / f->values[r - 1]);
    }
}

static double objective(const settings *o, const sale *f, const double *distance2)
{
    return f->P ? weighted_sum(f->n, f->P, distance2)
                      + o->alpha * weighted_sum(f->n, f->S, distance2)
                : 0;
}

static void step_of_weights(const settings *o, const int32_t *y, sale *f, const double *distance2,
                            double smallest)
{
    int *same = admissible_rows(f->n, y), *all = admissible_rows(f->n, NULL);
    f->P = weights_of(f->n, distance2, same, o->within, smallest);
    f->S = weights_of(f->n, distance2, all, o->neighbors, smallest);
}

static void alternate_literally(const settings *o, const int32_t *y, sale *f)
{
    double *V = zeros(f->rank * f->dim);

    while (f->iterations < o->max_iter && !f->converged) {
        step_of_columns(o, f, V);
        double *z = dense_product(f->n, f->rank, f->dim, f->x, V),
               *distance2 = table_distances(f->n, f->dim, z);
        f->halfways[f->iterations] = objective(o, f, distance2);
        step_of_weights(o, y, f, distance2, 1e-12 * sale_spread(f->n, f->dim, z));
        const double now = f->objective[f->iterations] = objective(o, f, distance2);
        const double before = f->iterations > 0 ? f->objective[f->iterations - 1] : INFINITY;
        f->converged = fabs(now - before) <= o->tol * (o->relative ? fabs(now) : 1);
        f->iterations++;
    }
    f->W = dense_product(f->d, f->rank, f->dim, f->back, V);
}

/* Counts the classes; limits the neighbors within a class to its other rows. */
static int64_t count_classes(const settings *o, const int32_t *y, sale *f)
{
    int64_t classes = 0;

    f->within = o->within;
    for (int64_t i = 0; i < f->n; i++) {
        int64_t size = 0, first = y[i] != PEN_UNLABELLED;
        for (int64_t j = 0; j < f->n; j++) {
            size += y[j] == y[i];
            first = first && (j >= i || y[j] != y[i]);
        }
        if (!first)
            continue;
        classes++;
        f->cut += size <= o->within;
        f->within = size - 1 < f->within ? size - 1 : f->within;
    }
    return classes;
}

sale *sale_fit(const char *text, const sample *s)
{
    fit_options opt = options_read(text);
    const settings o = settings_of(&opt);
    sale *f = check_allocate(1, sizeof *f);

    f->n = s->n;
    f->d = s->d;
    f->gap = 1;
    find_coordinates(&opt, &o, s, f);
    const int64_t classes = count_classes(&o, s->y, f), most = classes > 2 ? classes - 1 : 1;
    f->dim = o.dim > 0 ? o.dim : most < f->rank ? most : f->rank;
    f->objective = zeros(o.max_iter);
    f->halfways = zeros(o.max_iter);
    f->values = zeros(f->rank);
    if (f->dim > f->rank)
        return f;
    if (!o.zero) {
        double *distance2 = table_distances(f->n, f->q, f->rows);
        step_of_weights(&o, s->y, f, distance2, -1);
    }
    alternate_literally(&o, s->y, f);
    return f;
}
