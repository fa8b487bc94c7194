/* sale.c - see sale.h. The letters are those of the paper: Nie, Wang, Wang, Li: IEEE TKDE
 * (2021). */
#define _POSIX_C_SOURCE 200809L

#include "oracle/sale.h"

#include <stdio.h>

static double *zeros(int64_t count)
{
    return check_allocate(count, sizeof(double));
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* a b [n x m], a [n x k], b [k x m] */
static double *product(int64_t n, int64_t k, int64_t m, const double *a, const double *b)
{
    double *c = zeros(n * m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * b[l * m + j];
    return c;
}

/* ---- weights
 *
 *
 * ---------------------------------------------------------------------------------------------- */

int *sale_admissible(int64_t n, const int32_t *y)
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
            if (admissible[j] && w[j] == 0 && (best < 0 || distance2[j] < distance2[best]))
                best = j;
        if (best >= 0)
            sum += w[best] = smallest > 0 ? smallest / fmax(distance2[best], smallest) : 1;
    }
    for (int64_t j = 0; j < n && sum > 0; j++)
        w[j] /= sum;
}

double *sale_weights(int64_t n, const double *distance2, const int *admissible, int64_t k,
                     double smallest)
{
    double *weights = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        weigh_row(n, distance2 + i * n, admissible + i * n, k, smallest, weights + i * n);
    return weights;
}

double sale_sum(int64_t n, const double *weights, const double *distance2)
{
    double sum = 0;
    for (int64_t i = 0; i < n * n; i++)
        sum += weights[i] * weights[i] * distance2[i];
    return sum;
}

double sale_spread(int64_t n, int64_t m, const double *z)
{
    double spread = 0;
    for (int64_t c = 0; c < m; c++) {
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += z[i * m + c] / (double)n;
        for (int64_t i = 0; i < n; i++)
            spread += (z[i * m + c] - mean) * (z[i * m + c] - mean) / (double)n;
    }
    return spread;
}

/* sum over rows of 1 / sum_t 1 / v_t */
static double least_of_rows(int64_t n, const double *distance2, const int *admissible, int64_t k,
                            double smallest)
{
    double *weights = sale_weights(n, distance2, admissible, k, -1), total = 0;

    for (int64_t i = 0; i < n; i++) {
        double inverse = 0;
        for (int64_t j = 0; j < n; j++)
            if (weights[i * n + j] > 0)
                inverse += 1 / fmax(distance2[i * n + j], smallest);
        total += inverse > 0 ? 1 / inverse : 0;
    }
    free(weights);
    return total;
}

double sale_least(int64_t n, int64_t m, const double *z, const int32_t *y, int64_t within,
                  int64_t neighbors, double alpha)
{
    const double smallest = 1e-12 * sale_spread(n, m, z);
    double *distance2 = table_distances(n, m, z);
    int *same = sale_admissible(n, y), *all = sale_admissible(n, NULL);
    const double least =
        least_of_rows(n, distance2, same, within, smallest)
        + (alpha > 0 ? alpha * least_of_rows(n, distance2, all, neighbors, smallest) : 0);
    free(distance2), free(same), free(all);
    return least;
}

/* The nearest point whose entries are >= 0 and have the sum 1: the same subtracted from all, what
 * falls below 0 cut off. */
static void to_simplex(int64_t k, double *w)
{
    double low = -1e9, high = 1e9;
    for (int step = 0; step < 200; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += fmax(0, w[j] - middle);
        *(sum > 1 ? &low : &high) = middle;
    }
    for (int64_t j = 0; j < k; j++)
        w[j] = fmax(0, w[j] - high);
}

void sale_minimize(int64_t k, const double *values, double *weights)
{
    double largest = 0, moved = 1;

    for (int64_t j = 0; j < k; j++) {
        largest = fmax(largest, values[j]);
        weights[j] = j == 0;
    }
    while (moved > 1e-15) {
        double *next = zeros(k);
        moved = 0;
        for (int64_t j = 0; j < k; j++)
            next[j] = weights[j] - values[j] * weights[j] / largest;
        to_simplex(k, next);
        for (int64_t j = 0; j < k; j++) {
            moved = fmax(moved, fabs(next[j] - weights[j]));
            weights[j] = next[j];
        }
        free(next);
    }
}

/* ---- fits
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct options {
    int whitened, zero, relative;
    int64_t dim, within, neighbors, max_iter;
    double alpha, tol, null_tol, pca;
} options;

static options read_options(const char *text)
{
    options o = { .within = 2,
                  .neighbors = 10,
                  .max_iter = 100,
                  .alpha = 0.1,
                  .tol = 1e-4,
                  .null_tol = 1e-10,
                  .pca = 0.95 };
    char words[512], *rest = NULL;

    snprintf(words, sizeof words, "%s", text);
    o.whitened = is(strtok_r(words, " ", &rest), "salwe");
    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        const double number = strtod(value, NULL);
        if (is(word, "init"))
            o.zero = is(value, "zero");
        else if (is(word, "stop"))
            o.relative = is(value, "relative");
        else if (is(word, "dim"))
            o.dim = (int64_t)number;
        else if (is(word, "within_neighbors"))
            o.within = (int64_t)number;
        else if (is(word, "neighbors"))
            o.neighbors = (int64_t)number;
        else if (is(word, "max_iter"))
            o.max_iter = (int64_t)number;
        else if (is(word, "alpha"))
            o.alpha = number;
        else if (is(word, "tol"))
            o.tol = number;
        else if (is(word, "null_tol"))
            o.null_tol = number;
        else if (is(word, "pca"))
            o.pca = is(value, "off") ? 0 : number;
        else if (!is(word, "strict"))
            abort();
    }
    return o;
}

/* Principal axes [d x d], one a column, and variances [d] of centered rows. */
static double *axes_of(int64_t n, int64_t d, const double *rows, double *variances)
{
    double *covariance = zeros(d * d), *axes = zeros(d * d);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < d * d; c++)
            covariance[c] += rows[i * d + c / d] * rows[i * d + c % d] / (double)n;
    oracle_eigen(d, covariance, variances, axes);
    free(covariance);
    return axes;
}

/* The first k of the d columns of a [rows x d]. */
static double *first_columns(int64_t rows, int64_t d, int64_t k, const double *a)
{
    double *first = zeros(rows * k);
    for (int64_t i = 0; i < rows * k; i++)
        first[i] = a[i / k * d + i % k];
    return first;
}

/* The axes that hold a share of the variance, or the unit axes; f->q of them. */
static double *keep_axes(const options *o, sale *f, const double *centered)
{
    double *variances = zeros(f->d), *axes = axes_of(f->n, f->d, centered, variances), all = 0,
           kept = 0;

    for (int64_t c = 0; c < f->d; c++)
        all += variances[c];
    for (f->q = 0; f->q < f->d && kept < o->pca * all; f->q++)
        kept += variances[f->q];
    if (o->pca == 0) {
        f->q = f->d;
        for (int64_t c = 0; c < f->d * f->d; c++)
            axes[c] = c / f->d == c % f->d;
    }
    double *basis = first_columns(f->d, f->d, f->q, axes);
    free(variances), free(axes);
    return basis;
}

/* Means, coordinates. */
static void find_coordinates(const options *o, const sample *s, sale *f)
{
    double *centered = zeros(f->n * f->d);

    f->mean = zeros(f->d);
    for (int64_t i = 0; i < f->n * f->d; i++)
        f->mean[i % f->d] += s->x[i] / (double)f->n;
    for (int64_t i = 0; i < f->n * f->d; i++)
        centered[i] = s->x[i] - f->mean[i % f->d];
    double *basis = keep_axes(o, f, centered), *variances = zeros(f->q);
    f->rows = product(f->n, f->d, f->q, centered, basis);
    double *axes = axes_of(f->n, f->q, f->rows, variances);
    while (f->rank < f->q && variances[f->rank] > o->null_tol * variances[0])
        f->rank++;
    double *span = first_columns(f->q, f->q, f->rank, axes);
    for (int64_t c = 0; o->whitened && c < f->q * f->rank; c++)
        span[c] /= sqrt(variances[c % f->rank]);
    f->x = product(f->n, f->q, f->rank, f->rows, span);
    f->back = product(f->d, f->q, f->rank, basis, span);
    free(centered), free(basis), free(variances), free(axes), free(span);
}

/* M += weight x' L x, L the Laplacian of the mean of G and its transpose, G the squares of the
 * weights. */
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
    free(A), free(laplacian), free(scatter);
}

/* V [rank x dim] for the smallest eigenvalues; without weights, the first axes. */
static void step_of_columns(const options *o, sale *f, double *V)
{
    const int64_t r = f->rank;
    double *M = zeros(r * r), *values = zeros(r), *vectors = zeros(r * r);

    for (int64_t c = 0; !f->P && c < r * f->dim; c++)
        V[c] = c / f->dim == c % f->dim;
    if (f->P) {
        add_graph(f, 1, f->P, M);
        add_graph(f, o->alpha, f->S, M);
        oracle_eigen(r, M, values, vectors);
        for (int64_t j = 0; j < r; j++)
            f->values[j] = values[r - 1 - j];
        for (int64_t c = 0; c < r * f->dim; c++)
            V[c] = vectors[c / f->dim * r + r - 1 - c % f->dim];
        if (f->dim < r)
            f->gap = fmin(f->gap, (f->values[f->dim] - f->values[f->dim - 1]) / f->values[r - 1]);
    }
    free(M), free(values), free(vectors);
}

static double objective(const options *o, const sale *f, const double *distance2)
{
    return f->P ? sale_sum(f->n, f->P, distance2) + o->alpha * sale_sum(f->n, f->S, distance2) : 0;
}

static void step_of_weights(const options *o, const int32_t *y, sale *f, const double *distance2,
                            double smallest)
{
    int *same = sale_admissible(f->n, y), *all = sale_admissible(f->n, NULL);

    free(f->P), free(f->S);
    f->P = sale_weights(f->n, distance2, same, o->within, smallest);
    f->S = sale_weights(f->n, distance2, all, o->neighbors, smallest);
    free(same), free(all);
}

static void alternate_literally(const options *o, const int32_t *y, sale *f)
{
    double *V = zeros(f->rank * f->dim);

    while (f->iterations < o->max_iter && !f->converged) {
        step_of_columns(o, f, V);
        double *z = product(f->n, f->rank, f->dim, f->x, V),
               *distance2 = table_distances(f->n, f->dim, z);
        f->halfways[f->iterations] = objective(o, f, distance2);
        step_of_weights(o, y, f, distance2, 1e-12 * sale_spread(f->n, f->dim, z));
        const double now = f->objective[f->iterations] = objective(o, f, distance2);
        const double before = f->iterations > 0 ? f->objective[f->iterations - 1] : INFINITY;
        f->converged = fabs(now - before) <= o->tol * (o->relative ? fabs(now) : 1);
        f->iterations++;
        free(z), free(distance2);
    }
    f->W = product(f->d, f->rank, f->dim, f->back, V);
    for (int64_t j = 0; j < f->dim; j++)
        if (f->W[oracle_sign_row(f->d, f->W, f->dim, j) * f->dim + j] < 0)
            for (int64_t i = 0; i < f->d; i++)
                f->W[i * f->dim + j] *= -1;
    free(V);
}

/* Classes, and what becomes of the number of neighbors in them: how many there are. */
static int64_t count_classes(const options *o, const int32_t *y, sale *f)
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
    const options o = read_options(text);
    sale *f = check_allocate(1, sizeof *f);

    f->n = s->n;
    f->d = s->d;
    f->gap = 1;
    find_coordinates(&o, s, f);
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
        free(distance2);
    }
    alternate_literally(&o, s->y, f);
    return f;
}

void sale_free(sale *f)
{
    free(f->mean), free(f->rows), free(f->x), free(f->back), free(f->W), free(f->values),
        free(f->P), free(f->S);
    free(f->objective), free(f->halfways), free(f);
}
