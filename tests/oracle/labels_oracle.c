/* labels_oracle.c - see labels.h. The letters are those of the papers:
 *   Nie, Xiang, Jia, Zhang: Pattern Recognition 42 (2009), soda.
 *       Huang, Xu, Nie: IEEE TNNLS 23 (2012), tr-fsda.
 *   Nie, Xu, Tsang, Zhang: IEEE TIP 19 (2010), fme.
 *       Liu, Han, Nie: IEEE TCYB 47 (2017), soge.
 *   Wang, Nie, Huang: ICDM 2014, asl.      Zhou, Sun: IJMLC 6 (2015), stsd.
 *       Zhang, Yeung: CVPR 2008, ssda. */
#define _POSIX_C_SOURCE 200809L

#include "oracle/labels_oracle.h"
#include "oracle/sodrpac_oracle.h"

#include <stdio.h>

/* Below this part of the largest, an eigenvalue is rounding noise; what the tests ask about lies
 * far above or is exactly 0. */
static const double NOISE = 1e-12;

static double *zeros(int64_t count)
{
    return check_allocate(count, sizeof(double));
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void add(int64_t count, double factor, const double *a, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += factor * a[i];
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- dense matrices
 *
 *
 * ---------------------------------------------------------------------------------------------- */

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
    double *s = zeros(n * n), *x = zeros(n * k);

    memcpy(s, a, (size_t)(n * n) * sizeof *s);
    memcpy(x, b, (size_t)(n * k) * sizeof *x);
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
    free(s);
    return x;
}

/* a = U S V': eigenvectors V of a'a, then U V'. Columns of U for singular values that are noise:
 * whatever completes it. */
double *dense_polar(int64_t d, int64_t k, const double *a)
{
    double *t = dense_transpose(d, k, a), *square = dense_product(k, d, k, t, a),
           *values = zeros(k), *v = zeros(k * k);

    oracle_eigen(k, square, values, v);
    double *u = dense_product(d, k, k, a, v);
    for (int64_t j = 0; j < k; j++) {
        const int noise = values[j] <= NOISE * NOISE * values[0];
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
    free(t), free(square), free(values), free(v), free(u), free(back);
    return polar;
}

/* A symmetric matrix is positive definite if elimination without pivots meets positive ones
 * only. */
static int definite(int64_t n, const double *a)
{
    double *s = zeros(n * n);
    int positive = 1;

    memcpy(s, a, (size_t)(n * n) * sizeof *s);
    for (int64_t p = 0; p < n && positive; p++) {
        positive = s[p * n + p] > 0;
        for (int64_t i = p + 1; i < n && positive; i++)
            for (int64_t j = n - 1; j >= p; j--)
                s[i * n + j] -= s[i * n + p] / s[p * n + p] * s[p * n + j];
    }
    free(s);
    return positive;
}

/* x' m x for x [n x q], m [n x n], made symmetric. */
static double *inside(int64_t n, int64_t q, const double *x, const double *m)
{
    double *mx = dense_product(n, n, q, m, x), *t = dense_transpose(n, q, x),
           *s = dense_product(q, n, q, t, mx);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < i; j++)
            s[i * q + j] = s[j * q + i] = (s[i * q + j] + s[j * q + i]) / 2;
    free(mx), free(t);
    return s;
}

double dense_trace_ratio(int64_t q, int64_t k, const double *A, const double *B, double *values,
                         double *vectors)
{
    double *difference = zeros(q * q), ratio = -INFINITY;

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
        oracle_eigen(q, difference, values, vectors);
    }
    free(difference);
    return ratio;
}

/* a v = value c v, v' c v = 1, falling, by the inverse root of c; 0 if c is not positive
 * definite. */
static int generalized(int64_t q, const double *a, const double *c, double *values, double *t)
{
    double *root = zeros(q * q), *u = zeros(q * q);

    oracle_eigen(q, c, values, root);
    const int positive = values[q - 1] > NOISE * values[0] && values[0] > 0;
    for (int64_t i = 0; positive && i < q * q; i++)
        root[i] /= sqrt(values[i % q]);
    if (positive) {
        double *inner = inside(q, q, root, a);
        oracle_eigen(q, inner, values, u);
        double *back = dense_product(q, q, q, root, u);
        memcpy(t, back, (size_t)(q * q) * sizeof *t);
        free(inner), free(back);
    }
    free(root), free(u);
    return positive;
}

/* ---- what the text says
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct options {
    char method[16], graph[16], preprocess[128];
    double alpha, ridge, mu, gamma, label_weight, unlabelled_weight, exponent, beta, heat, tol;
    int64_t neighbors, dim, max_iter, tangent_dim; /* dim 0: all, or auto */
    int allow_fewer;
} options;

static int take(const char *word, const char *name, char *value, size_t size)
{
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != '=')
        return 0;
    snprintf(value, size, "%s", word + length + 1);
    return 1;
}

static void read_option(const char *word, options *o)
{
    const struct {
        const char *name;
        double *real;
        int64_t *count;
    } numbers[] = {
        { "alpha", &o->alpha, NULL },
        { "ridge", &o->ridge, NULL },
        { "mu", &o->mu, NULL },
        { "gamma", &o->gamma, NULL },
        { "beta", &o->beta, NULL },
        { "label_weight", &o->label_weight, NULL },
        { "heat", &o->heat, NULL },
        { "unlabelled_weight", &o->unlabelled_weight, NULL },
        { "exponent", &o->exponent, NULL },
        { "tol", &o->tol, NULL },
        { "neighbors", NULL, &o->neighbors },
        { "dim", NULL, &o->dim },
        { "max_iter", NULL, &o->max_iter },
        { "tangent_dim", NULL, &o->tangent_dim },
    };
    char value[64];

    for (int64_t i = 0; i < COUNT_OF(numbers); i++)
        if (take(word, numbers[i].name, value, sizeof value)) {
            if (numbers[i].real)
                *numbers[i].real = strtod(value, NULL);
            else
                *numbers[i].count = strtoll(value, NULL, 10); /* words are 0 */
            return;
        }
    if (take(word, "allow_fewer", value, sizeof value)) {
        o->allow_fewer = is(value, "true");
    } else if (take(word, "scale", value, sizeof value) || take(word, "pca", value, sizeof value)) {
        const size_t length = strlen(o->preprocess);
        snprintf(o->preprocess + length, sizeof o->preprocess - length, " %s", word);
    } else if (!take(word, "graph", o->graph, sizeof o->graph)) {
        abort();
    }
}

static options read_options(const char *text)
{
    options o = { .preprocess = "pca",
                  .mu = 0.1,
                  .gamma = 1,
                  .label_weight = 10,
                  .exponent = 1.5,
                  .tangent_dim = 2,
                  .neighbors = 5 };
    char words[512], *save = NULL;

    snprintf(words, sizeof words, "%s", text);
    char *word = strtok_r(words, " ", &save);
    snprintf(o.method, sizeof o.method, "%s", word);
    const int heat = is(word, "soda") || is(word, "fme") || is(word, "soge");
    snprintf(o.graph, sizeof o.graph, "%s", heat ? "heat" : "binary");
    o.alpha = is(word, "soda") ? 0.99 : 0.1;
    o.ridge = is(word, "soda") ? 1e-3 : is(word, "asl") ? 1 : 0.1;
    o.beta = is(word, "ssda") ? 1e-3 : 1e-4;
    o.tol = is(word, "asl") ? 1e-8 : 1e-12;
    o.max_iter = is(word, "asl") ? 1000 : 2000;
    while ((word = strtok_r(NULL, " ", &save)))
        read_option(word, &o);
    return o;
}

/* ---- rows, classes and graph
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* Squared lengths of differences of rows taken to the coordinates of the method: equal ones stay
 * equal. */
static double *distances_of(int64_t n, int64_t d, int64_t q, const double *rows,
                            const double *basis)
{
    double *table = zeros(n * n), *difference = zeros(d);

    for (int64_t p = 0; p < n * n; p++) {
        for (int64_t c = 0; c < d; c++)
            difference[c] = rows[p / n * d + c] - rows[p % n * d + c];
        double *inner = dense_product(1, d, q, difference, basis);
        table[p] = dot(q, inner, inner);
        free(inner);
    }
    free(difference);
    return table;
}

/* Rows in the coordinates of the method, centered; the table of their distances. */
static double *preprocess(const options *o, const pen_data *data, pair_oracle *f)
{
    const int64_t n = data->x.rows, d = data->x.cols;
    const double *rows = data->x.values;
    double *centered = zeros(n * d);
    oracle *reduced = oracle_fit(o->preprocess, n, d, rows, NULL);

    f->d = d;
    f->q = reduced->q;
    f->mean = zeros(d);
    f->basis = zeros(d * f->q);
    memcpy(f->mean, reduced->mean, (size_t)d * sizeof *f->mean);
    memcpy(f->basis, reduced->basis, (size_t)(d * f->q) * sizeof *f->basis);
    for (int64_t i = 0; i < n * d; i++)
        centered[i] = rows[i] - f->mean[i % d];
    f->x = dense_product(n, d, f->q, centered, f->basis);
    oracle_free(reduced);
    free(centered);
    return distances_of(n, d, f->q, rows, f->basis);
}

static void find_span(label_oracle *o)
{
    const int64_t q = o->fit->q;
    double *total = zeros(q * q), *values = zeros(q), *e = zeros(q * q);

    oracle_total(o->n, q, o->fit->x, total);
    oracle_eigen(q, total, values, e);
    while (o->rank < q && values[o->rank] > NOISE * values[0] && values[o->rank] > 0)
        o->rank++;
    o->span = zeros(q * o->rank);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < o->rank; j++)
            o->span[i * o->rank + j] = e[i * q + j];
    free(total), free(values), free(e);
}

/* Classes by rising label: the number of different smaller labels. */
static void find_classes(const int32_t *y, label_oracle *o)
{
    o->class = check_allocate(o->n, sizeof *o->class);
    for (int64_t i = 0; i < o->n; i++) {
        o->class[i] = y[i] == PEN_UNLABELLED ? -1 : 0;
        for (int64_t j = 0; j < o->n && o->class[i] >= 0; j++) {
            int first = y[j] != PEN_UNLABELLED && y[j] < y[i];
            for (int64_t k = 0; k < j; k++)
                first = first && y[k] != y[j];
            o->class[i] += first;
        }
        o->labelled += o->class[i] >= 0;
        o->classes = o->class[i] >= o->classes ? o->class[i] + 1 : o->classes;
    }
    o->Y = zeros(o->n * o->classes);
    for (int64_t i = 0; i < o->n; i++)
        if (o->class[i] >= 0)
            o->Y[i * o->classes + o->class[i]] = 1;
}

/* The weights [n x n] of the graph, and L. */
static double *build_graph(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n;
    int *nearest = table_nearest(n, distances, opt->neighbors), *joined = table_union(n, nearest);
    double sum = 0;

    for (int64_t i = 0; i < n * n; i++)
        sum += nearest[i] ? distances[i] : 0;
    o->heat = opt->heat > 0 ? opt->heat : sum / (double)(n * opt->neighbors);
    double *weights = table_heat(n, joined, distances, is(opt->graph, "heat") ? o->heat : INFINITY);
    o->L = table_laplacian(n, weights);
    free(nearest), free(joined);
    return weights;
}

/* L_t, L_b [n x n] over the labelled rows. */
static void label_laplacians(const label_oracle *o, double *L_t, double *L_b)
{
    const int64_t n = o->n;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double size = 0;
            if (o->class[i] < 0 || o->class[j] < 0)
                continue;
            for (int64_t k = 0; k < n; k++)
                size += o->class[k] == o->class[i];
            const double within = (i == j) - (o->class[i] == o->class[j] ? 1 / size : 0);
            L_t[i * n + j] = (i == j) - 1 / (double)o->labelled;
            L_b[i * n + j] = L_t[i * n + j] - within;
        }
}

/* All columns span t_j [span q x r (NULL: r is q), t r x r], from the last if `up`, with their
 * values. */
static void set_columns(pair_oracle *f, int64_t r, const double *span, const double *t,
                        const double *values, int64_t count, int up)
{
    double *ordered = zeros(r * count);

    f->count = count;
    f->values = zeros(count);
    f->ties = zeros(count);
    for (int64_t j = 0; j < count; j++) {
        const int64_t from = up ? r - 1 - j : j;
        f->values[j] = values[from];
        for (int64_t i = 0; i < r; i++)
            ordered[i * count + j] = t[i * r + from];
    }
    double *inner = span ? dense_product(f->q, r, count, span, ordered) : ordered;
    f->W = dense_product(f->d, f->q, count, f->basis, inner);
    for (int64_t j = 0; j < count; j++) {
        const double sign = f->W[oracle_sign_row(f->d, f->W, count, j) * count + j] < 0 ? -1 : 1;
        for (int64_t i = 0; i < f->d; i++)
            f->W[i * count + j] *= sign;
    }
    if (span)
        free(inner);
    free(ordered);
}

/* How many columns of a fit whose columns depend on it; 0, and the status, if there are not so
 * many. */
static int64_t count_columns(const options *opt, int64_t usual, int64_t there, pair_oracle *f)
{
    f->gives = opt->dim == 0 ? usual : opt->dim;
    if (f->gives > there && opt->dim > 0 && !opt->allow_fewer)
        f->status = PEN_RANK_TOO_SMALL;
    f->gives = f->gives > there ? there : f->gives;
    if (f->gives == 0)
        f->status = PEN_RANK_TOO_SMALL;
    return f->status == PEN_OK ? f->gives : 0;
}

/* ---- soda
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* F = (I - diag(a) P)^-1 (I - diag(a)) [Y, u]: the last column apart. */
static void propagate(const options *opt, const double *weights, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes + 1;
    double *system = zeros(n * n), *right = zeros(n * c);

    for (int64_t i = 0; i < n; i++) {
        const double a = o->class[i] < 0 ? opt->alpha : 0, degree = o->L[i * n + i];
        for (int64_t j = 0; j < n; j++)
            system[i * n + j] = (i == j) - (a > 0 ? a * weights[i * n + j] / degree : 0);
        right[i * c + (o->class[i] < 0 ? c - 1 : o->class[i])] = 1 - a;
        if (a > 0 && degree == 0)
            o->fit->status = PEN_BAD_DATA;
    }
    o->F = zeros(n * o->classes);
    o->last = zeros(n);
    if (o->fit->status == PEN_OK) {
        double *all = dense_solve(n, c, system, right);
        for (int64_t i = 0; i < n * c; i++)
            *(i % c == c - 1 ? o->last + i / c : o->F + i / c * o->classes + i % c) = all[i];
        free(all);
    }
    free(system), free(right);
}

static void fit_soda(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes, q = o->fit->q, r = o->rank;
    double *weights = build_graph(opt, distances, o), *total = zeros(n * n), *within = zeros(n * n),
           *rows = zeros(n), *columns = zeros(c), all = 0;

    propagate(opt, weights, o);
    for (int64_t i = 0; i < n * c; i++) {
        rows[i / c] += o->F[i];
        columns[i % c] += o->F[i];
        all += o->F[i];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            total[i * n + j] = (i == j ? rows[i] : 0) - rows[i] * rows[j] / all;
            within[i * n + j] = i == j ? rows[i] : 0;
            for (int64_t k = 0; k < c; k++)
                within[i * n + j] -= o->F[i * c + k] * o->F[j * c + k] / columns[k];
        }
    const int64_t m = count_columns(opt, 2 * c, r, o->fit);
    if (m > 0) {
        double *S_t = inside(n, q, o->fit->x, total), *S_w = inside(n, q, o->fit->x, within),
               *values = zeros(r), *t = zeros(r * r), most = 0;
        for (int64_t i = 0; i < q; i++)
            most = fmax(most, S_w[i * q + i]);
        add(q * q, -1, S_w, S_t);
        for (int64_t i = 0; i < q; i++)
            S_w[i * q + i] += opt->ridge * most;
        o->A = inside(q, r, o->span, S_t);
        o->B = inside(q, r, o->span, S_w);
        o->ratio = dense_trace_ratio(r, m, o->A, o->B, values, t);
        set_columns(o->fit, r, o->span, t, values, r, 0);
        free(S_t), free(S_w), free(values), free(t);
    }
    free(weights), free(total), free(within), free(rows), free(columns);
}

/* ---- tr-fsda
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* K^-1 x, K = lambda L_a - L_b + lambda I; NULL if K is not positive definite. */
static double *behind_K(const label_oracle *o, double lambda, const double *L_a, const double *L_b,
                        int64_t r, const double *x)
{
    const int64_t n = o->n;
    double *K = zeros(n * n), *out = NULL;

    for (int64_t i = 0; i < n * n; i++)
        K[i] = lambda * L_a[i] - L_b[i] + (i / n == i % n ? lambda : 0);
    if (definite(n, K))
        out = dense_solve(n, r, K, x);
    free(K);
    return out;
}

/* Eigenvalues, falling, and eigenvectors of M(lambda); the sum of the m smallest, or -1 if K is not
 * positive definite. */
static double smallest_sum(const options *opt, const label_oracle *o, double lambda,
                           const double *L_a, const double *L_b, const double *x, int64_t m,
                           double *values, double *t)
{
    const int64_t n = o->n, r = o->rank;
    double *solved = behind_K(o, lambda, L_a, L_b, r, x), sum = 0;

    if (!solved)
        return -1;
    double *M = zeros(r * r);
    for (int64_t i = 0; i < r * r; i++) {
        M[i] = i / r == i % r ? opt->ridge : 0;
        for (int64_t k = 0; k < n; k++)
            M[i] += x[k * r + i / r] * (x[k * r + i % r] - lambda * solved[k * r + i % r]);
    }
    oracle_eigen(r, M, values, t);
    for (int64_t j = 0; j < m; j++)
        sum += values[r - 1 - j];
    free(M), free(solved);
    return sum;
}

static void fit_tr_fsda(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, r = o->rank, m = count_columns(opt, o->classes - 1, r, o->fit);
    double *L_a = zeros(n * n), *L_b = zeros(n * n),
           *x = dense_product(n, o->fit->q, r, o->fit->x, o->span), *values = zeros(r),
           *t = zeros(r * r), low = 0, high = 1;

    label_laplacians(o, L_a, L_b);
    if (opt->alpha > 0) {
        free(build_graph(opt, distances, o));
        add(n * n, opt->alpha, o->L, L_a);
    }
    while (m > 0 && high - low > 1e-15 && (low + high) / 2 > low && (low + high) / 2 < high)
        *(smallest_sum(opt, o, (low + high) / 2, L_a, L_b, x, m, values, t) < 0 ? &low : &high) =
            (low + high) / 2;
    if (m > 0) {
        smallest_sum(opt, o, high, L_a, L_b, x, m, values, t);
        o->ratio = high;
        set_columns(o->fit, r, o->span, t, values, r, 1);
        double *solved = behind_K(o, high, L_a, L_b, r, x);
        o->F = zeros(n * m);
        for (int64_t i = 0; i < n * m; i++)
            for (int64_t k = 0; k < r; k++)
                o->F[i] += high * solved[i / m * r + k] * t[k * r + r - 1 - i % m];
        free(solved);
    }
    free(L_a), free(L_b), free(x), free(values), free(t);
}

/* ---- fme
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* W [q x c] in the coordinates of the method and what predicts beside it. */
static void set_prediction(const double *W, label_oracle *o)
{
    pair_oracle *f = o->fit;
    f->count = f->gives = o->classes;
    f->W = dense_product(f->d, f->q, o->classes, f->basis, W);
}

static void mean_of_F(label_oracle *o)
{
    o->bias = zeros(o->classes);
    for (int64_t i = 0; i < o->n * o->classes; i++)
        o->bias[i % o->classes] += o->F[i] / (double)o->n;
}

/* tr((F-Y)'U(F-Y)) + tr(F'LF) */
static double label_and_graph_terms(const options *opt, const label_oracle *o)
{
    const int64_t n = o->n, c = o->classes;
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c; k++) {
            const double off = o->F[i * c + k] - o->Y[i * c + k];
            sum += (o->class[i] < 0 ? opt->unlabelled_weight : opt->label_weight) * off * off;
            for (int64_t j = 0; j < n; j++)
                sum += o->F[i * c + k] * o->L[i * n + j] * o->F[j * c + k];
        }
    return sum;
}

/* |X W + 1 b' - F|^2 */
static double fit_term(const label_oracle *o, const double *W)
{
    const int64_t c = o->classes;
    double *z = dense_product(o->n, o->fit->q, c, o->fit->x, W), sum = 0;
    for (int64_t i = 0; i < o->n * c; i++)
        sum += (z[i] + o->bias[i % c] - o->F[i]) * (z[i] + o->bias[i % c] - o->F[i]);
    free(z);
    return sum;
}

/* U [n x n], and U Y. */
static void weigh_labels(const options *opt, const label_oracle *o, double *U, double *UY)
{
    for (int64_t i = 0; i < o->n; i++) {
        U[i * o->n + i] = o->class[i] < 0 ? opt->unlabelled_weight : opt->label_weight;
        for (int64_t k = 0; k < o->classes; k++)
            UY[i * o->classes + k] = U[i * o->n + i] * o->Y[i * o->classes + k];
    }
}

static void fit_fme(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, c = o->classes, q = o->fit->q;
    const double *x = o->fit->x;
    double *K = zeros(n * n), *UY = zeros(n * c), *inner = zeros(q * q),
           *t = dense_transpose(n, q, x);

    free(build_graph(opt, distances, o));
    weigh_labels(opt, o, K, UY);
    for (int64_t i = 0; i < q * q; i++) {
        inner[i] = i / q == i % q;
        for (int64_t k = 0; k < n; k++)
            inner[i] += opt->gamma * x[k * q + i / q] * x[k * q + i % q];
    }
    double *Q = dense_solve(q, n, inner, t);
    for (int64_t i = 0; i < q * n; i++)
        Q[i] *= opt->gamma;
    double *hat = dense_product(n, q, n, x, Q);
    for (int64_t i = 0; i < n * n; i++)
        K[i] += o->L[i] + opt->mu * opt->gamma * ((i / n == i % n) - 1 / (double)n - hat[i]);
    o->F = dense_solve(n, c, K, UY);
    double *W = dense_product(q, n, c, Q, o->F);
    mean_of_F(o);
    set_prediction(W, o);
    o->weight = opt->label_weight * (double)o->labelled;
    o->history = zeros(1);
    o->iterations = 1;
    o->history[0] =
        label_and_graph_terms(opt, o) + opt->mu * (dot(q * c, W, W) + opt->gamma * fit_term(o, W));
    free(K), free(UY), free(inner), free(t), free(Q), free(hat), free(W);
}

/* ---- asl
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* |f_i - e_k|^2 for row i of the method's coordinates. */
static double to_corner(const label_oracle *o, const double *W, const double *b, int64_t i,
                        int64_t k)
{
    const int64_t c = o->classes, q = o->fit->q;
    double sum = 0;
    for (int64_t j = 0; j < c; j++) {
        double f = b[j] - (j == k);
        for (int64_t l = 0; l < q; l++)
            f += o->fit->x[i * q + l] * W[l * c + j];
        sum += f * f;
    }
    return sum;
}

static void assign(const options *opt, label_oracle *o, const double *W, const double *b)
{
    const int64_t c = o->classes;

    for (int64_t i = 0; i < o->n; i++) {
        double least = INFINITY, sum = 0;
        int64_t nearest = 0;
        for (int64_t k = 0; k < c; k++) {
            const double far = to_corner(o, W, b, i, k);
            nearest = far < least ? k : nearest;
            least = fmin(least, far);
        }
        for (int64_t k = 0; k < c; k++) {
            const double share =
                opt->exponent == 1 || least == 0
                    ? k == nearest
                    : pow(least / to_corner(o, W, b, i, k), 1 / (opt->exponent - 1));
            o->F[i * c + k] = o->class[i] >= 0 ? o->class[i] == k : share;
            sum += o->F[i * c + k];
        }
        for (int64_t k = 0; k < c; k++)
            o->F[i * c + k] /= sum;
    }
}

/* Ridge regression with weights: rows [x, 1] beside the penalty, all rows or (`start`) the labelled
 * ones. */
static void regress(const options *opt, const label_oracle *o, int start, double *W, double *b)
{
    const int64_t c = o->classes, q = o->fit->q, u = q + 1;
    double *system = zeros(u * u), *right = zeros(u * c), *row = zeros(u);

    for (int64_t i = 0; i < q; i++)
        system[i * u + i] = opt->ridge;
    for (int64_t i = 0; i < o->n; i++)
        for (int64_t k = 0; k < c; k++) {
            const double weight = o->class[i] >= 0 ? o->class[i] == k
                                  : start          ? 0
                                                   : pow(o->F[i * c + k], opt->exponent);
            memcpy(row, o->fit->x + i * q, (size_t)q * sizeof *row);
            row[q] = 1;
            for (int64_t p = 0; p < u; p++) {
                right[p * c + k] += weight * row[p];
                add(u, weight * row[p], row, system + p * u);
            }
        }
    double *solved = dense_solve(u, c, system, right);
    memcpy(W, solved, (size_t)(q * c) * sizeof *W);
    memcpy(b, solved + q * c, (size_t)c * sizeof *b);
    free(system), free(right), free(row), free(solved);
}

static double asl_objective(const options *opt, const label_oracle *o, const double *W,
                            const double *b)
{
    const int64_t c = o->classes;
    double sum = opt->ridge * dot(o->fit->q * c, W, W);

    for (int64_t i = 0; i < o->n * c; i++)
        sum += (o->F[i] > 0 ? pow(o->F[i], opt->exponent) : 0) * to_corner(o, W, b, i / c, i % c);
    return sum;
}

static void fit_asl(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t c = o->classes, q = o->fit->q;
    double *W = zeros(q * c);
    (void)distances;

    o->bias = zeros(c);
    o->F = zeros(o->n * c);
    o->history = zeros(opt->max_iter);
    regress(opt, o, 1, W, o->bias);
    for (int64_t step = 0; step < opt->max_iter; step++) {
        assign(opt, o, W, o->bias);
        regress(opt, o, 0, W, o->bias);
        o->history[step] = asl_objective(opt, o, W, o->bias);
        o->iterations = step + 1;
        if (step > 0 && o->history[step - 1] - o->history[step] <= opt->tol * o->history[step])
            break;
    }
    set_prediction(W, o);
    free(W);
}

/* ---- soge
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* Steps W <- polar(A W + C) from W, A shifted to be positive semidefinite; W [r x k]. Returns
 * tr(W'AW) + 2 tr(W'C) of A as it was. */
static double climb(const options *opt, int64_t r, int64_t k, const double *A, const double *C,
                    double *W, int64_t *steps)
{
    double *values = zeros(r), *e = zeros(r * r), *shifted = zeros(r * r), value = -INFINITY;

    oracle_eigen(r, A, values, e);
    for (int64_t i = 0; i < r * r; i++)
        shifted[i] = A[i] - (i / r == i % r ? values[r - 1] : 0);
    for (*steps = 0; *steps < opt->max_iter; ++*steps) {
        double *next = dense_product(r, r, k, shifted, W);
        const double now = dot(r * k, W, next) + 2 * dot(r * k, W, C);
        const int done = now - value <= opt->tol * fabs(now);
        value = now;
        add(r * k, 1, C, next);
        double *polar = dense_polar(r, k, next);
        memcpy(W, polar, (size_t)(r * k) * sizeof *W);
        free(next), free(polar);
        if (done)
            break;
    }
    value += values[r - 1] * (double)k;
    free(values), free(e), free(shifted);
    return value;
}

/* One block in the complement of the columns found so far: base [rank x free] orthonormal, k
 * columns. */
static double *soge_block(const options *opt, const label_oracle *o, int64_t free_columns,
                          const double *base, int64_t k, int64_t *steps)
{
    const int64_t c = o->classes, r = o->rank;
    double *A = inside(r, free_columns, base, o->A), *t = dense_transpose(r, free_columns, base),
           *all = dense_product(free_columns, r, c, t, o->C), *C = zeros(free_columns * k);
    for (int64_t i = 0; i < free_columns * k; i++)
        C[i] = all[i / k * c + i % k];
    double *W = dense_polar(free_columns, k, C);
    climb(opt, free_columns, k, A, C, W, steps);
    double *out = dense_product(r, free_columns, k, base, W);
    free(A), free(t), free(all), free(C), free(W);
    return out;
}

/* An orthonormal basis of what is orthogonal to the first `found` columns of W [r x stride]. */
static double *complement(int64_t r, int64_t found, const double *W, int64_t stride)
{
    double *projector = zeros(r * r), *values = zeros(r), *e = zeros(r * r),
           *base = zeros(r * (r - found));
    for (int64_t i = 0; i < r * r; i++) {
        projector[i] = i / r == i % r;
        for (int64_t j = 0; j < found; j++)
            projector[i] -= W[i / r * stride + j] * W[i % r * stride + j];
    }
    oracle_eigen(r, projector, values, e);
    for (int64_t i = 0; i < r * (r - found); i++)
        base[i] = e[i / (r - found) * r + i % (r - found)];
    free(projector), free(values), free(e);
    return base;
}

int label_oracle_two(const label_oracle *o)
{
    const int64_t c = o->classes;
    double sum = 0;
    for (int64_t i = 0; i < o->rank; i++) {
        double row = 0;
        for (int64_t k = 0; k < c; k++)
            row += o->C[i * c + k];
        sum += row * row;
    }
    return sqrt(sum) <= 1e-9 * sqrt(dot(o->rank * c, o->C, o->C));
}

void label_oracle_turn(label_oracle *o, int64_t from)
{
    const int64_t c = o->classes, m = o->fit->count;

    for (int64_t i = 0; i < o->fit->d; i++) {
        double sum = 0;
        for (int64_t k = 0; k < c; k++)
            sum += o->fit->W[i * m + from + k];
        for (int64_t k = 0; k < c; k++)
            o->fit->W[i * m + from + k] -= 2 / (double)c * sum;
    }
    for (int64_t i = 0; i < o->n * c && from == 0; i++) {
        o->F[i] -= o->turn[i / c];
        o->bias[i % c] -= o->turn[i / c] / (double)o->n;
    }
    for (int64_t i = 0; i < o->n && from == 0; i++)
        o->turn[i] = -o->turn[i];
}

static void fit_soge(const options *opt, const double *distances, label_oracle *o)
{
    /* whole blocks */
    const int64_t n = o->n, c = o->classes, r = o->rank,
                  m = c > r ? 0 : count_columns(opt, c, r / c * c, o->fit);
    pair_oracle *f = o->fit;
    if (m < c) {
        f->status = f->status == PEN_OK && c <= r ? PEN_BAD_ARGUMENT : PEN_RANK_TOO_SMALL;
        return;
    }
    double *K = zeros(n * n), *UY = zeros(n * c), *x = dense_product(n, f->q, r, f->x, o->span),
           *W = zeros(r * m);

    free(build_graph(opt, distances, o));
    weigh_labels(opt, o, K, UY);
    for (int64_t i = 0; i < n * n; i++)
        K[i] += o->L[i] + opt->mu * ((i / n == i % n) - 1 / (double)n);
    double *behind = dense_solve(n, r, K, x), *t = dense_transpose(n, r, x);
    o->C = zeros(r * c);
    double *KX = dense_product(r, n, r, t, behind), *XX = dense_product(r, n, r, t, x),
           *bt = dense_transpose(n, r, behind), *C = dense_product(r, n, c, bt, UY);
    o->A = zeros(r * r);
    for (int64_t i = 0; i < r * r; i++)
        o->A[i] = opt->mu * opt->mu * (KX[i] + KX[i % r * r + i / r]) / 2 - opt->mu * XX[i];
    add(r * c, opt->mu, C, o->C);
    for (int64_t found = 0; found < m; found += c) {
        const int64_t k = m - found < c ? m - found : c;
        int64_t steps;
        double *base = complement(r, found, W, m),
               *block = soge_block(opt, o, r - found, base, k, &steps);
        for (int64_t i = 0; i < r * k; i++)
            W[i / k * m + found + i % k] = block[i];
        o->iterations = found == 0 ? steps : o->iterations;
        free(base), free(block);
    }
    double *right = zeros(n * c), *back = dense_product(f->q, r, m, o->span, W);
    for (int64_t i = 0; i < n * c; i++) {
        right[i] = UY[i];
        for (int64_t k = 0; k < r; k++)
            right[i] += opt->mu * x[i / c * r + k] * W[k * m + i % c];
    }
    o->F = dense_solve(n, c, K, right);
    mean_of_F(o);
    o->turn = zeros(n);
    for (int64_t i = 0; i < n * r * c; i++)
        o->turn[i / (r * c)] +=
            opt->mu * behind[i / c] * W[i % (r * c) / c * m + i % c] * 2 / (double)c;
    f->count = m;
    f->W = dense_product(f->d, f->q, m, f->basis, back);
    double *first = zeros(f->q * c);
    for (int64_t i = 0; i < f->q * c; i++)
        first[i] = back[i / c * m + i % c];
    o->history = zeros(1);
    o->history[0] = label_and_graph_terms(opt, o) + opt->mu * fit_term(o, first);
    free(K), free(UY), free(x), free(W), free(behind), free(t), free(KX), free(XX), free(bt),
        free(C), free(right), free(back), free(first);
}

/* ---- stsd
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* The first k principal directions [q x k] of row i and its neighbors, into T; zeros for those in
 * which these rows do not differ. */
static void local_directions(const label_oracle *o, const int *nearest, int64_t i, int64_t k,
                             double *T, int *arbitrary)
{
    const int64_t n = o->n, q = o->fit->q;
    double *some = zeros(n * q), *total = zeros(q * q), *values = zeros(q), *e = zeros(q * q);
    int64_t count = 0;

    for (int64_t j = 0; j < n; j++)
        if (j == i || nearest[i * n + j])
            memcpy(some + count++ * q, o->fit->x + j * q, (size_t)q * sizeof *some);
    oracle_total(count, q, some, total);
    oracle_eigen(q, total, values, e);
    for (int64_t p = 0; p < q * k; p++)
        T[p] = p % k < q && values[p % k] > NOISE * values[0] ? e[p / k * q + p % k] : 0;
    *arbitrary |=
        k < q && values[k - 1] > NOISE * values[0] && values[k - 1] - values[k] <= 1e-4 * values[0];
    free(some), free(total), free(values), free(e);
}

static void add_outer(int64_t size, double weight, const double *v, double *R)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size && v[i] != 0; j++)
            R[i * size + j] += weight * v[i] * v[j];
}

/* The terms of the ordered pair (i, j) in R [size x size]. */
static void add_pair(const options *opt, const label_oracle *o, const double *T, double weight,
                     int64_t i, int64_t j, double *R)
{
    const int64_t q = o->fit->q, k = opt->tangent_dim, size = q + o->n * k;
    const double *T_i = T + i * q * k, *T_j = T + j * q * k;
    double *v = zeros(size);

    for (int64_t c = 0; c < q; c++) {
        v[c] = o->fit->x[i * q + c] - o->fit->x[j * q + c];
        for (int64_t p = 0; p < k; p++)
            v[q + j * k + p] -= v[c] * T_j[c * k + p];
    }
    add_outer(size, weight, v, R);
    for (int64_t p = 0; p < k; p++) {
        memset(v, 0, (size_t)size * sizeof *v);
        v[q + i * k + p] = 1;
        for (int64_t l = 0; l < k; l++)
            for (int64_t c = 0; c < q; c++)
                v[q + j * k + l] -= T_i[c * k + p] * T_j[c * k + l];
        add_outer(size, weight * opt->gamma, v, R);
    }
    free(v);
}

static void fit_stsd(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, q = o->fit->q, k = opt->tangent_dim, size = q + n * k, rest = n * k;
    double *weights = build_graph(opt, distances, o), *T = zeros(n * q * k),
           *R = zeros(size * size), *L_t = zeros(n * n), *L_b = zeros(n * n);
    int *nearest = table_nearest(n, distances, opt->neighbors);

    for (int64_t i = 0; i < n; i++)
        local_directions(o, nearest, i, k, T + i * q * k, &o->arbitrary);
    for (int64_t p = 0; p < n * n; p++)
        if (weights[p] != 0)
            add_pair(opt, o, T, opt->alpha * weights[p], p / n, p % n, R);
    for (int64_t i = 0; i < size; i++)
        R[i * size + i] += opt->beta;
    label_laplacians(o, L_t, L_b);
    double *S_t = inside(n, q, o->fit->x, L_t), *block = zeros(rest * rest),
           *side = zeros(rest * q), *values = zeros(q), *t = zeros(q * q);
    o->A = inside(n, q, o->fit->x, L_b);
    for (int64_t i = 0; i < rest; i++) {
        for (int64_t j = 0; j < rest; j++)
            block[i * rest + j] = R[(q + i) * size + q + j];
        for (int64_t j = 0; j < q; j++)
            side[i * q + j] = R[(q + i) * size + j];
    }
    double *solved = dense_solve(rest, q, block, side);
    o->B = zeros(q * q);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++)
            for (int64_t p = -1; p < rest; p++)
                o->B[i * q + j] += p < 0 ? S_t[i * q + j] + R[i * size + j]
                                         : -(side[p * q + i] * solved[p * q + j]
                                             + side[p * q + j] * solved[p * q + i])
                                               / 2;
    int64_t there = 0;
    oracle_eigen(q, o->A, values, t);
    while (there < q && there < o->classes - 1 && values[there] > NOISE * values[0]
           && values[0] > 0)
        there++;
    if (!generalized(q, o->A, o->B, values, t))
        o->fit->status = PEN_SINGULAR_SCATTER;
    else if (count_columns(opt, there, there, o->fit) > 0)
        set_columns(o->fit, q, NULL, t, values, there, 0);
    free(weights), free(T), free(R), free(L_t), free(L_b), free(nearest), free(S_t), free(block),
        free(side), free(values), free(t);
    free(solved);
}

/* ---- ssda
 *
 *
 * ---------------------------------------------------------------------------------------------- */

static int rising(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* min(1, q_i / median q) */
static double *trust(const options *opt, int64_t n, const double *distances)
{
    int *nearest = table_nearest(n, distances, opt->neighbors);
    double *a = zeros(n), *sorted = zeros(n), t = 0;

    for (int64_t p = 0; p < n * n; p++)
        t += nearest[p] ? distances[p] / (double)(n * opt->neighbors) : 0;
    for (int64_t p = 0; p < n * n; p++)
        a[p / n] += nearest[p] ? exp(-distances[p] / t) / (double)opt->neighbors : 0;
    memcpy(sorted, a, (size_t)n * sizeof *a);
    qsort(sorted, (size_t)n, sizeof *sorted, rising);
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    for (int64_t i = 0; i < n; i++)
        a[i] = fmin(1, a[i] / median);
    free(nearest), free(sorted);
    return a;
}

/* Path similarity [n x n]: the best of the smallest steps, through one more row after the other. */
static double *path_similarity(const options *opt, int64_t n, const double *distances)
{
    double *a = trust(opt, n, distances), *s = zeros(n * n), t = 0;

    for (int64_t p = 0; p < n * n; p++)
        t += distances[p] / (double)(n * (n - 1));
    for (int64_t p = 0; p < n * n; p++)
        s[p] = a[p / n] * a[p % n] * exp(-distances[p] / t);
    for (int64_t k = 0; k < n; k++)
        for (int64_t p = 0; p < n * n; p++)
            s[p] = fmax(s[p], fmin(s[p / n * n + k], s[k * n + p % n]));
    free(a);
    return s;
}

static void fit_ssda(const options *opt, const double *distances, label_oracle *o)
{
    const int64_t n = o->n, q = o->fit->q, r = o->rank;
    double *Q = path_similarity(opt, n, distances), *total = zeros(q * q), *values = zeros(r),
           *t = zeros(r * r), diagonal = 0;

    for (int64_t p = 0; p < n * n; p++) {
        const int64_t one = o->class[p / n], other = o->class[p % n];
        Q[p] = p / n == p % n ? 0 : one >= 0 && other >= 0 ? one == other : Q[p];
    }
    double *L = table_laplacian(n, Q), *within = inside(n, q, o->fit->x, L);
    for (int64_t i = 0; i < q; i++)
        diagonal += within[i * q + i] / (double)q;
    for (int64_t i = 0; i < q; i++)
        within[i * q + i] += opt->beta * diagonal;
    oracle_total(n, q, o->fit->x, total);
    double *A = inside(q, r, o->span, total), *B = inside(q, r, o->span, within);
    if (!generalized(r, A, B, values, t))
        o->fit->status = PEN_SINGULAR_SCATTER;
    else if (count_columns(opt, r, r, o->fit) > 0)
        set_columns(o->fit, r, o->span, t, values, r, 0);
    free(Q), free(total), free(values), free(t), free(L), free(within), free(A), free(B);
}

/* ---- all of them
 *
 *
 * ---------------------------------------------------------------------------------------------- */

label_oracle *label_oracle_fit(const char *text, const pen_data *data)
{
    static const struct {
        const char *name;
        void (*fit)(const options *opt, const double *distances, label_oracle *o);
    } methods[] = {
        { "soda", fit_soda }, { "tr-fsda", fit_tr_fsda }, { "fme", fit_fme },   { "asl", fit_asl },
        { "soge", fit_soge }, { "stsd", fit_stsd },       { "ssda", fit_ssda },
    };
    const options opt = read_options(text);
    label_oracle *o = check_allocate(1, sizeof *o);

    o->fit = check_allocate(1, sizeof *o->fit);
    o->n = data->x.rows;
    find_classes(data->labels, o);
    double *distances = preprocess(&opt, data, o->fit);
    if (o->fit->q > 0)
        find_span(o);
    if (o->rank == 0) {
        o->fit->status = PEN_RANK_TOO_SMALL;
    } else {
        int64_t i = 0;
        while (i < COUNT_OF(methods) - 1 && !is(methods[i].name, opt.method))
            i++;
        if (!is(methods[i].name, opt.method))
            abort();
        methods[i].fit(&opt, distances, o);
    }
    free(distances);
    return o;
}

void label_oracle_free(label_oracle *o)
{
    pair_oracle_free(o->fit);
    free(o->class), free(o->Y), free(o->L), free(o->span), free(o->A), free(o->B), free(o->C),
        free(o->bias), free(o->F), free(o->last);
    free(o->turn), free(o->history), free(o);
}
