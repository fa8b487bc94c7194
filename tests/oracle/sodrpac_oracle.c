/* sodrpac_oracle.c - see sodrpac.h. The letters are those of the papers:
 *   Tong, Suzuki: PAKDD 2010, sodrpac.    Cevikalp, Verbeek, Jurie, Klaeser: VISAPP 2008, clpp.
 *       Cai, He, Han: ICCV 2007, sda. */
#define _POSIX_C_SOURCE 200809L

#include "oracle/sodrpac_oracle.h"
#include "oracle/oracle.h"

#include <stdio.h>

/* Below this part of the largest, an eigenvalue is rounding noise. */
static const double NOISE = 1e-12;

static double *zeros(int64_t count)
{
    return check_allocate(count, sizeof(double));
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- tables
 *
 *
 * ---------------------------------------------------------------------------------------------- */

double *table_distances(int64_t n, int64_t d, const double *x)
{
    double *table = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = 0; c < d; c++)
                table[i * n + j] += (x[i * d + c] - x[j * d + c]) * (x[i * d + c] - x[j * d + c]);
    return table;
}

/* j is among the k nearest of i if fewer than k other rows come before it. */
int *table_nearest(int64_t n, const double *distance2, int64_t k)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *of = distance2 + i * n;
            int64_t before = 0;
            for (int64_t l = 0; l < n; l++)
                before += l != i && (of[l] < of[j] || (of[l] == of[j] && l < j));
            table[i * n + j] = i != j && before < k;
        }
    return table;
}

int *table_union(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            table[i * n + j] = nearest[i * n + j] || nearest[j * n + i];
    return table;
}

int *table_mutual(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            table[i * n + j] = nearest[i * n + j] && nearest[j * n + i];
    return table;
}

int *table_shared(int64_t n, const int *nearest)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t both = 0;
            for (int64_t l = 0; l < n; l++)
                both += nearest[i * n + l] && nearest[j * n + l];
            table[i * n + j] = nearest[i * n + j] && nearest[j * n + i] ? (int)both : -1;
        }
    return table;
}

double *table_heat(int64_t n, const int *table, const double *distance2, double t)
{
    double *weights = zeros(n * n);
    for (int64_t i = 0; i < n * n; i++)
        weights[i] = table[i] ? exp(-distance2[i] / t) : 0;
    return weights;
}

double *table_normalized_laplacian(int64_t n, const double *weights, int64_t *isolated)
{
    double *m = zeros(n * n), *degree = zeros(n);

    *isolated = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            degree[i] += weights[i * n + j];
        *isolated += degree[i] == 0;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (degree[i] > 0 && degree[j] > 0)
                m[i * n + j] = (i == j) - weights[i * n + j] / (sqrt(degree[i]) * sqrt(degree[j]));
    free(degree);
    return m;
}

double *table_laplacian(int64_t n, const double *weights)
{
    double *m = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            m[i * n + j] -= weights[i * n + j];
            m[i * n + i] += weights[i * n + j];
        }
    return m;
}

double *table_scatter(int64_t n, int64_t d, const double *x, const double *m)
{
    double *s = zeros(d * d);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = 0; m[i * n + j] != 0 && c < d * d; c++)
                s[c] +=
                    m[i * n + j]
                    * (x[i * d + c / d] * x[j * d + c % d] + x[i * d + c % d] * x[j * d + c / d])
                    / 2;
    return s;
}

/* ---- cannot-links from must-links
 *
 *
 * ---------------------------------------------------------------------------------------------- */

struct premises {
    int64_t n;
    const int *pairs;
    transformed *out;
};

static int must(const struct premises *p, int64_t i, int64_t j)
{
    return i != j && p->pairs[i * p->n + j] == 1;
}

static int cannot(const struct premises *p, int64_t i, int64_t j)
{
    return i != j && p->pairs[i * p->n + j] == -1;
}

static void conclude(struct premises *p, int64_t i, int64_t j, double reliability, int rule)
{
    const int64_t ends[] = { i * p->n + j, j * p->n + i };
    for (int e = 0; i != j && e < 2; e++) {
        p->out->reliability[ends[e]] = fmax(p->out->reliability[ends[e]], reliability);
        p->out->rules[ends[e]] |= rule;
    }
}

/* {a, e} must: rules a and b. */
static void rules_a_b(struct premises *p, int64_t a, int64_t e)
{
    for (int64_t d = 0; d < p->n; d++) {
        if (!cannot(p, a, d) || d == e)
            continue;
        conclude(p, d, e, 1, ORACLE_RULE_A);
        for (int64_t c = 0; c < p->n; c++)
            if (must(p, d, c) && c != e) {
                conclude(p, a, c, 1, ORACLE_RULE_B);
                conclude(p, e, c, 1, ORACLE_RULE_B);
            }
    }
}

/* {a, e} must, {a, b} near with reliability theta: rules c and d. */
static void rules_c_d(struct premises *p, int64_t a, int64_t e, int64_t b, double theta)
{
    for (int64_t d = 0; d < p->n; d++) {
        if (!cannot(p, b, d) || d == a || d == e)
            continue;
        conclude(p, a, d, theta, ORACLE_RULE_C);
        conclude(p, e, d, theta, ORACLE_RULE_C);
        for (int64_t c = 0; c < p->n; c++)
            if (must(p, d, c) && c != e) {
                conclude(p, a, c, theta, ORACLE_RULE_D);
                conclude(p, e, c, theta, ORACLE_RULE_D);
            }
    }
}

static int has_enemy(const struct premises *p, int64_t a)
{
    int found = 0;
    for (int64_t d = 0; d < p->n; d++)
        found = found || cannot(p, a, d);
    return found;
}

/* Must-links leave; given cannot-links keep 1; the pairs and what derived them are counted. */
static void conclude_all(struct premises *p)
{
    const int64_t n = p->n;
    transformed *t = p->out;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const int derived = t->rules[i * n + j];
            if (cannot(p, i, j))
                conclude(p, i, j, 1, ORACLE_GIVEN);
            if (must(p, i, j)) {
                t->conflicts += derived != 0;
                t->reliability[i * n + j] = t->reliability[j * n + i] = -1;
                t->rules[i * n + j] = t->rules[j * n + i] = 0;
                continue;
            }
            t->pairs += t->rules[i * n + j] != 0;
            for (int rule = 0; rule < 4; rule++)
                t->by_rule[rule] += derived >> rule & 1;
        }
}

transformed transform_literally(int64_t n, const int *pairs, const int *near,
                                const double *distance2, double gamma, int only_if_no_enemy)
{
    transformed t = { .reliability = zeros(n * n),
                      .rules = check_allocate(n * n, sizeof *t.rules) };
    struct premises p = { n, pairs, &t };

    for (int64_t i = 0; i < n * n; i++)
        t.reliability[i] = -1;
    for (int64_t a = 0; a < n; a++)
        for (int64_t e = 0; e < n; e++) {
            if (!must(&p, a, e))
                continue;
            rules_a_b(&p, a, e);
            for (int64_t b = 0; b < n && !(only_if_no_enemy && has_enemy(&p, a)); b++)
                if (b != a && near[a * n + b])
                    rules_c_d(&p, a, e, b, exp(-distance2[a * n + b] / gamma));
        }
    conclude_all(&p);
    return t;
}

void transformed_free(transformed *t)
{
    free(t->reliability);
    free(t->rules);
}

/* ---- what the text says
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct options {
    char method[16], scaling[16], graph[16], preprocess[128];
    double lambda, gamma, heat, ridge, alpha; /* gamma, heat 0: auto */
    int64_t snn, manifold, neighbors, dim;
    int only_if_no_enemy, propagate, allow_fewer;
} options;

static const char *value_of(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void read_option(const char *word, options *o)
{
    const struct {
        const char *name;
        double *real;
        int64_t *whole;
        int *flag;
        char *text;
    } all[] = {
        { "lambda", &o->lambda, NULL, NULL, NULL },
        { "gamma", &o->gamma, NULL, NULL, NULL },
        { "heat", &o->heat, NULL, NULL, NULL },
        { "ridge", &o->ridge, NULL, NULL, NULL },
        { "alpha", &o->alpha, NULL, NULL, NULL },
        { "snn_neighbors", NULL, &o->snn, NULL, NULL },
        { "manifold_neighbors", NULL, &o->manifold, NULL, NULL },
        { "neighbors", NULL, &o->neighbors, NULL, NULL },
        { "dim", NULL, &o->dim, NULL, NULL },
        { "only_if_no_enemy", NULL, NULL, &o->only_if_no_enemy, NULL },
        { "propagate", NULL, NULL, &o->propagate, NULL },
        { "allow_fewer", NULL, NULL, &o->allow_fewer, NULL },
        { "scaling", NULL, NULL, NULL, o->scaling },
        { "graph", NULL, NULL, NULL, o->graph },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *value = value_of(word, all[i].name);
        if (value && all[i].real)
            *all[i].real = strtod(value, NULL);
        if (value && all[i].whole)
            *all[i].whole = strtoll(value, NULL, 10);
        if (value && all[i].flag)
            *all[i].flag = is(value, "true");
        if (value && all[i].text)
            snprintf(all[i].text, 16, "%s", value);
        if (value)
            return;
    }
    if (!value_of(word, "scale") && !value_of(word, "pca"))
        abort();
    const size_t length = strlen(o->preprocess);
    snprintf(o->preprocess + length, sizeof o->preprocess - length, " %s", word);
}

static options read_options(const char *text)
{
    options o = { .scaling = "mean",
                  .graph = "binary",
                  .preprocess = "pca",
                  .lambda = 0.125,
                  .alpha = 0.1,
                  .propagate = 1 };
    char words[512], *save = NULL;

    o.snn = 3;
    o.manifold = o.neighbors = 5;
    snprintf(words, sizeof words, "%s", text);
    char *word = strtok_r(words, " ", &save);
    snprintf(o.method, sizeof o.method, "%s", word);
    o.ridge = is(o.method, "sda") ? 0.1 : 1e-9;
    while ((word = strtok_r(NULL, " ", &save)))
        read_option(word, &o);
    return o;
}

/* ---- fits
 *
 *
 * ---------------------------------------------------------------------------------------------- */

static double *product(int64_t n, int64_t m, int64_t k, const double *a, const double *b)
{
    double *c = zeros(n * k);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < m; l++)
            for (int64_t j = 0; j < k; j++)
                c[i * k + j] += a[i * m + l] * b[l * k + j];
    return c;
}

static void add(int64_t count, double factor, const double *a, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += factor * a[i];
}

/* Squared lengths of differences of rows taken to the coordinates of the method: equal ones stay
 * equal. */
static double *distances_of(int64_t n, int64_t d, int64_t q, const double *rows,
                            const double *basis)
{
    double *table = zeros(n * n), *difference = zeros(d);

    for (int64_t p = 0; p < n * n; p++) {
        for (int64_t c = 0; c < d; c++)
            difference[c] = rows[p / n * d + c] - rows[p % n * d + c];
        double *inner = product(1, d, q, difference, basis);
        for (int64_t c = 0; c < q; c++)
            table[p] += inner[c] * inner[c];
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
    f->x = product(n, d, f->q, centered, f->basis);
    oracle_free(reduced);
    free(centered);
    return distances_of(n, d, f->q, rows, f->basis);
}

/* The directions in which rows differ: an orthonormal basis [q x r]. */
static double *span_of_rows(int64_t n, const pair_oracle *f, int64_t *r)
{
    const int64_t q = f->q;
    double *total = zeros(q * q), *values = zeros(q), *e = zeros(q * q);

    oracle_total(n, q, f->x, total);
    oracle_eigen(q, total, values, e);
    for (*r = 0; *r < q && values[*r] > NOISE * values[0] && values[*r] > 0; ++*r)
        ;
    double *basis = zeros(q * *r);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < *r; j++)
            basis[i * *r + j] = e[i * q + j];
    free(total), free(values), free(e);
    return basis;
}

/* Columns basis t_j [basis q x r, t r x r] with their values, in the order first, first + step ..;
 * so many. */
static void set_columns(pair_oracle *f, int64_t r, const double *basis, const double *t,
                        const double *values, int64_t count, int64_t first, int64_t step)
{
    double *kept = zeros(r * count), scale = 0;

    f->count = count;
    f->values = zeros(count);
    f->ties = zeros(count);
    for (int64_t j = 0; j < r; j++)
        scale = fmax(scale, fabs(values[j]));
    for (int64_t j = 0; j < count; j++) {
        const int64_t from = first + j * step;
        f->values[j] = fabs(values[from]) > NOISE * scale ? values[from] : 0;
        for (int64_t i = 0; i < r; i++)
            kept[i * count + j] = t[i * r + from];
    }
    double *inner = product(f->q, r, count, basis, kept);
    f->W = product(f->d, f->q, count, f->basis, inner);
    for (int64_t j = 0; j < count; j++) {
        const double sign = f->W[oracle_sign_row(f->d, f->W, count, j) * count + j] < 0 ? -1 : 1;
        for (int64_t i = 0; i < f->d; i++)
            f->W[i * count + j] *= sign;
    }
    free(kept), free(inner);
}

/* a v = value c v, v' c v = 1, by the inverse root of c; 0 if c is not positive definite. */
static int generalized(int64_t r, const double *a, const double *c, double *values, double *t)
{
    double *e = zeros(r * r), *root = zeros(r * r), *u = zeros(r * r);

    oracle_eigen(r, c, values, e);
    const int definite = values[r - 1] > NOISE * values[0] && values[0] > 0;
    for (int64_t i = 0; definite && i < r; i++)
        for (int64_t j = 0; j < r; j++)
            root[i * r + j] = e[i * r + j] / sqrt(values[j]);
    if (definite) {
        double *inner = pair_project(r, r, a, root);
        oracle_eigen(r, inner, values, u);
        double *back = product(r, r, r, root, u);
        memcpy(t, back, (size_t)(r * r) * sizeof *t);
        free(inner), free(back);
    }
    free(e), free(root), free(u);
    return definite;
}

static double sum_over(int64_t n, const int *table, const double *a, int64_t *pairs)
{
    double sum = 0;
    *pairs = 0;
    for (int64_t i = 0; i < n * n; i++) {
        sum += table[i] ? a[i] : 0;
        *pairs += table[i] != 0;
    }
    return sum;
}

static void sodrpac_scatters(const options *o, int64_t n, const int *pairs, const double *distances,
                             graph_oracle *g)
{
    pair_oracle *f = g->fit;
    int *nearest = table_nearest(n, distances, o->snn), *mutual = table_mutual(n, nearest),
        *shared = table_shared(n, nearest);
    int *wide = table_nearest(n, distances, o->manifold), *joined = table_union(n, wide);
    double *weights = zeros(n * n);

    g->derived = transform_literally(n, pairs, mutual, distances, g->gamma, o->only_if_no_enemy);
    for (int64_t i = 0; i < n * n; i++)
        weights[i] = g->derived.rules[i] ? g->derived.reliability[i] : 0;
    double *laplacian = table_laplacian(n, weights);
    g->SC = table_scatter(n, f->q, f->x, laplacian);
    free(laplacian);
    for (int64_t i = 0; i < n * n; i++) {
        g->shared += shared[i] >= 0;
        weights[i] = shared[i] >= 0 ? shared[i] : 0;
    }
    g->shared /= 2;
    laplacian = table_laplacian(n, weights);
    g->SN = table_scatter(n, f->q, f->x, laplacian);
    free(laplacian), free(weights);
    weights = table_heat(n, joined, distances, g->gamma);
    laplacian = table_normalized_laplacian(n, weights, &g->isolated);
    g->SM = table_scatter(n, f->q, f->x, laplacian);
    free(nearest), free(mutual), free(shared), free(wide), free(joined), free(weights),
        free(laplacian);
}

static void fit_sodrpac(const options *o, int64_t n, const int *pairs, const double *distances,
                        graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t q = f->q;
    double length = 0, *A = zeros(q * q);

    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int64_t c = 0; c < q; c++)
            square += f->x[i * q + c] * f->x[i * q + c];
        length += sqrt(square) / (double)n;
    }
    g->gamma = o->gamma > 0 ? o->gamma : length * length;
    sodrpac_scatters(o, n, pairs, distances, g);
    const int sum = is(o->scaling, "sum");
    const double c = (double)g->derived.pairs, s = (double)g->shared,
                 balance = is(o->scaling, "balanced") ? (double)n : 1;
    add(q * q, c > 0 ? (sum ? 1 : 1 / c) : 0, g->SC, A);
    add(q * q, s > 0 ? (sum ? -1 : -1 / s) : 0, g->SN, A);
    add(q * q, -o->lambda / balance, g->SM, A);
    int64_t r;
    double *basis = span_of_rows(n, f, &r), *inner = pair_project(q, r, A, basis),
           *values = zeros(r), *t = zeros(r * r);
    oracle_eigen(r, inner, values, t);
    set_columns(f, r, basis, t, values, r, 0, 1);
    free(A), free(basis), free(inner), free(values), free(t);
}

/* Are rows u and v of the neighborhoods of the ends of a pair of this kind? */
static int near_pair(int64_t n, const int *pairs, int kind, const int *nearest, int64_t u,
                     int64_t v)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j && pairs[i * n + j] == kind && (u == i || nearest[i * n + u])
                && (v == j || nearest[j * n + v]))
                return 1;
    return 0;
}

static double signed_weight(const options *o, int64_t n, const int *pairs, const int *nearest,
                            const double *heat, int64_t u, int64_t v)
{
    const int given = pairs[u * n + v];
    if (u == v)
        return 0;
    if (given)
        return given;
    const int must_near = o->propagate && near_pair(n, pairs, 1, nearest, u, v);
    const int cannot_near = o->propagate && near_pair(n, pairs, -1, nearest, u, v);
    return must_near == cannot_near ? heat[u * n + v] : must_near - cannot_near;
}

static void fit_clpp(const options *o, int64_t n, const int *pairs, const double *distances,
                     graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t q = f->q;
    int *nearest = table_nearest(n, distances, o->neighbors), *joined = table_union(n, nearest);
    int64_t edges, r;
    const double mean = sum_over(n, joined, distances, &edges) / (double)edges;
    g->heat = o->heat > 0 ? o->heat : mean;
    double *heat = table_heat(n, joined, distances, g->heat), *absolute = zeros(n * n);

    g->signed_weights = zeros(n * n);
    for (int64_t i = 0; i < n * n; i++) {
        g->signed_weights[i] = signed_weight(o, n, pairs, nearest, heat, i / n, i % n);
        absolute[i / n * n + i / n] += fabs(g->signed_weights[i]);
    }
    double *laplacian = table_laplacian(n, g->signed_weights),
           *A = table_scatter(n, q, f->x, laplacian), *N = table_scatter(n, q, f->x, absolute),
           *basis = span_of_rows(n, f, &r), *inner_A = pair_project(q, r, A, basis),
           *inner_N = pair_project(q, r, N, basis), *values = zeros(r), *t = zeros(r * r);
    const double ridge = o->ridge * trace(r, inner_N) / (double)r;
    for (int64_t j = 0; j < r; j++)
        inner_N[j * r + j] += ridge;
    if (generalized(r, inner_A, inner_N, values, t))
        set_columns(f, r, basis, t, values, r, r - 1, -1);
    else
        f->status = PEN_SINGULAR_SCATTER;
    free(nearest), free(joined), free(heat), free(absolute), free(laplacian), free(A), free(N),
        free(basis), free(inner_A), free(inner_N);
    free(values), free(t);
}

/* S_b = sum n_c m_c m_c' and S_l = sum x x' over labelled rows, every labelled row adding its
 * share. */
static void class_scatters(const pen_data *data, const pair_oracle *f, double *S_b, double *S_l)
{
    const int64_t q = f->q;
    double *mean = zeros(q);

    for (int64_t i = 0; i < data->x.rows; i++) {
        double size = 0;
        if (data->labels[i] == PEN_UNLABELLED)
            continue;
        memset(mean, 0, (size_t)q * sizeof *mean);
        for (int64_t j = 0; j < data->x.rows; j++)
            if (data->labels[j] == data->labels[i]) {
                add(q, 1, f->x + j * q, mean);
                size += 1;
            }
        for (int64_t c = 0; c < q * q; c++) {
            S_b[c] += mean[c / q] * mean[c % q] / (size * size);
            S_l[c] += f->x[i * q + c / q] * f->x[i * q + c % q];
        }
    }
    free(mean);
}

static void fit_sda(const options *o, const pen_data *data, const double *distances,
                    graph_oracle *g)
{
    pair_oracle *f = g->fit;
    const int64_t n = data->x.rows, q = f->q;
    int *nearest = table_nearest(n, distances, o->neighbors), *joined = table_union(n, nearest);
    double *S_b = zeros(q * q), *C = zeros(q * q), *values = zeros(q), *t = zeros(q * q),
           *one = zeros(q * q);
    int64_t directed, rank = 0;

    const double mean = sum_over(n, nearest, distances, &directed) / (double)directed;
    g->heat = o->heat > 0 ? o->heat : mean;
    double *weights = table_heat(n, joined, distances, is(o->graph, "heat") ? g->heat : INFINITY);
    double *laplacian = table_laplacian(n, weights), *graph = table_scatter(n, q, f->x, laplacian);
    class_scatters(data, f, S_b, C);
    add(q * q, o->alpha, graph, C);
    for (int64_t j = 0; j < q; j++) {
        C[j * q + j] += o->ridge;
        one[j * q + j] = 1;
    }
    oracle_eigen(q, S_b, values, t);
    while (rank < q && values[rank] > NOISE * values[0])
        rank++;
    if (generalized(q, S_b, C, values, t)) {
        for (int64_t j = 0; j < q; j++) {
            double square = 0;
            for (int64_t i = 0; i < q; i++)
                square += t[i * q + j] * t[i * q + j];
            for (int64_t i = 0; i < q; i++)
                t[i * q + j] /= sqrt(square);
        }
        set_columns(f, q, one, t, values, rank, 0, 1);
    } else {
        f->status = PEN_SINGULAR_SCATTER;
    }
    free(nearest), free(joined), free(S_b), free(C), free(values), free(t), free(one),
        free(weights), free(laplacian), free(graph);
}

static void count_pairs(int64_t n, const int *table, pair_oracle *f)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            f->must += table[i * n + j] == 1;
            f->cannot += table[i * n + j] == -1;
        }
}

graph_oracle *graph_oracle_fit(const char *text, const pen_data *data)
{
    const options o = read_options(text);
    graph_oracle *g = check_allocate(1, sizeof *g);
    pair_oracle *f = g->fit = check_allocate(1, sizeof *f);
    int *table = is(o.method, "sda")
                     ? NULL
                     : pair_table(data, &f->status, &f->duplicates, &f->contradictions);

    if (f->status == PEN_OK) {
        double *distances = preprocess(&o, data, f);
        if (table)
            count_pairs(data->x.rows, table, f);
        if (f->q == 0)
            f->status = PEN_RANK_TOO_SMALL;
        else if (is(o.method, "sda"))
            fit_sda(&o, data, distances, g);
        else if (is(o.method, "clpp"))
            fit_clpp(&o, data->x.rows, table, distances, g);
        else
            fit_sodrpac(&o, data->x.rows, table, distances, g);
        free(distances);
    }
    f->gives = o.dim == 0 || o.dim > f->count ? f->count : o.dim;
    if (f->status == PEN_OK && (f->count == 0 || (o.dim > f->count && !o.allow_fewer)))
        f->status = PEN_RANK_TOO_SMALL;
    free(table);
    return g;
}

void graph_oracle_free(graph_oracle *g)
{
    pair_oracle_free(g->fit);
    transformed_free(&g->derived);
    free(g->SC), free(g->SN), free(g->SM), free(g->signed_weights), free(g);
}
