/* pairs_oracle.c - see pairs.h. The letters are those of the papers:
 *   Long, Meng, Sioutis: IEEE Access 8 (2020), bwdr and wbdr.
 *       Zhang, Zhou, Chen: SDM 2007, ssdr.
 *   Bar-Hillel, Hertz, Shental, Weinshall: JMLR 6 (2005), rca, cfld.
 *       Wang, Chen, Li, Zhang: CIKM 2008, cmm. */
#define _POSIX_C_SOURCE 200809L

#include "oracle/pairs_oracle.h"
#include "oracle/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this part of the largest, an eigenvalue is rounding noise; what the tests ask about lies
 * far above or is exactly 0. */
static const double NOISE = 1e-12;

/* Below this part of the largest, an eigenvalue of a criterion counts as 0 where the basis of that
 * space has to be chosen. */
static const double NULL_SPACE = 1e-10;

static double *zeros(int64_t count)
{
    double *a = calloc(count > 0 ? (size_t)count : 1, sizeof *a);
    if (!a)
        abort();
    return a;
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- what is known of every two rows
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* Enter a list of pairs into table [n x n]; how many were there already, or -1 if one is no pair of
 * two rows. */
static int64_t enter(int64_t n, int64_t count, const int64_t *pairs, int *table)
{
    int64_t again = 0;

    for (int64_t p = 0; p < count; p++) {
        const int64_t i = pairs[2 * p], j = pairs[2 * p + 1];
        if (i < 0 || i >= n || j < 0 || j >= n || i == j)
            return -1;
        again += table[i * n + j];
        table[i * n + j] = table[j * n + i] = 1;
    }
    return again;
}

static int of_labels(const pen_data *data, int64_t i, int64_t j)
{
    const int32_t *y = data->labels;
    return !y || y[i] == PEN_UNLABELLED || y[j] == PEN_UNLABELLED ? 0 : y[i] == y[j] ? 1 : -1;
}

/* Labels and lists together; how many contradictions. What both say is counted in duplicates, also
 * where the other list says otherwise. */
static int64_t unite(const pen_data *data, const int *must, const int *cannot, int *table,
                     int64_t *duplicates)
{
    const int64_t n = data->x.rows;
    int64_t contradictions = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const int label = of_labels(data, i, j), both = must[i * n + j] && cannot[i * n + j];
            const int listed = must[i * n + j] - cannot[i * n + j]; /* of both: 0 */
            contradictions += both || label * listed < 0;
            *duplicates += (label == 1 && must[i * n + j]) || (label == -1 && cannot[i * n + j]);
            table[i * n + j] = table[j * n + i] = label ? label : listed;
        }
    return contradictions;
}

int64_t *pair_chunklets(int64_t n, const int *table, int64_t *count)
{
    int64_t *first = calloc((size_t)n + 1, sizeof *first),
            *chunklet = calloc((size_t)n + 1, sizeof *chunklet);
    if (!first || !chunklet)
        abort();
    for (int64_t i = 0; i < n; i++)
        first[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (table[i * n + j] == 1 && first[j] < first[i]) {
                    first[i] = first[j];
                    changed = 1;
                }
    }
    *count = 0;
    for (int64_t i = 0; i < n; i++) {
        int alone = 1;
        for (int64_t j = 0; j < n; j++)
            alone = alone && table[i * n + j] != 1;
        chunklet[i] = alone ? -1 : first[i] == i ? (*count)++ : chunklet[first[i]];
    }
    free(first);
    return chunklet;
}

/* Cannot-links inside a chunklet are removed, and counted; CLOSE: all other pairs inside one become
 * must-links. */
static int64_t join(const pen_data *data, int *table)
{
    const int64_t n = data->x.rows;
    int64_t chunklets, inside = 0, *chunklet = pair_chunklets(n, table, &chunklets);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j && chunklet[i] >= 0 && chunklet[i] == chunklet[j]) {
                const int cannot = table[i * n + j] == -1;
                inside += cannot && i < j;
                if (cannot || data->transitive == PEN_TRANSITIVE_CLOSE)
                    table[i * n + j] = data->transitive == PEN_TRANSITIVE_CLOSE;
            }
    free(chunklet);
    return inside;
}

int *pair_table(const pen_data *data, pen_status *status, int64_t *duplicates,
                int64_t *contradictions)
{
    const int64_t n = data->x.rows;
    int *must = calloc((size_t)(n * n), sizeof *must),
        *cannot = calloc((size_t)(n * n), sizeof *cannot);
    int *table = calloc((size_t)(n * n), sizeof *table);
    if (!must || !cannot || !table || data->sample)
        abort();

    const int64_t must_again = enter(n, data->must_link_count, data->must_link, must);
    const int64_t cannot_again = enter(n, data->cannot_link_count, data->cannot_link, cannot);
    int64_t again = must_again + cannot_again, against = 0;
    *status = must_again < 0 || cannot_again < 0 ? PEN_BAD_PAIR : PEN_OK;
    if (*status == PEN_OK) {
        against = unite(data, must, cannot, table, &again);
        if (data->transitive != PEN_TRANSITIVE_OFF)
            against += join(data, table);
        if (against > 0 && data->on_contradiction == PEN_CONTRADICTION_ERROR)
            *status = PEN_CONTRADICTION;
    }
    free(must), free(cannot);
    if (duplicates)
        *duplicates = again;
    if (contradictions)
        *contradictions = against;
    if (*status == PEN_OK)
        return table;
    free(table);
    return NULL;
}

void pair_scatter(int64_t n, int64_t d, const double *x, const int *table, int kind, double *s)
{
    memset(s, 0, (size_t)(d * d) * sizeof *s);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const double *a = x + i * d, *b = x + j * d;
            for (int64_t p = 0; table[i * n + j] == kind && p < d; p++)
                for (int64_t q = 0; q < d; q++)
                    s[p * d + q] += (a[p] - b[p]) * (a[q] - b[q]);
        }
}

/* ---- matrices
 *
 *
 * ---------------------------------------------------------------------------------------------- */

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

double *pair_project(int64_t d, int64_t k, const double *a, const double *v)
{
    double *av = product(d, d, k, a, v), *s = zeros(k * k);

    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            for (int64_t l = 0; l < d; l++)
                s[i * k + j] += (v[l * k + i] * av[l * k + j] + v[l * k + j] * av[l * k + i]) / 2;
    free(av);
    return s;
}

/* How many of the eigenvalues are there: those up to a part `noise` of the largest are 0, and set
 * so. */
static int64_t rank_of(int64_t n, double *values, double noise)
{
    int64_t rank = 0;
    while (rank < n && values[rank] > 0 && values[rank] > noise * values[0])
        rank++;
    for (int64_t j = rank; j < n; j++)
        values[j] = 0;
    return rank;
}

static void reverse(int64_t n, double *values, double *u)
{
    for (int64_t j = 0; j < n / 2; j++) {
        const double value = values[j];
        values[j] = values[n - 1 - j];
        values[n - 1 - j] = value;
        for (int64_t i = 0; i < n; i++) {
            const double entry = u[i * n + j];
            u[i * n + j] = u[i * n + n - 1 - j];
            u[i * n + n - 1 - j] = entry;
        }
    }
}

/* Columns from .. from + z - 1 of u [n x n] span a space of equal values: turn them into the
 * eigenvectors of diag(weight) restricted to it, ascending or (`up` 0) descending, and note the
 * restricted eigenvalues in ties. */
static void settle(int64_t n, int64_t from, int64_t z, const double *weight, int up, double *u,
                   double *ties)
{
    double *space = zeros(n * z), *diagonal = zeros(n * n), *values = zeros(z), *r = zeros(z * z);

    for (int64_t i = 0; i < n; i++) {
        diagonal[i * n + i] = weight[i];
        for (int64_t j = 0; j < z; j++)
            space[i * z + j] = u[i * n + from + j];
    }
    double *restricted = pair_project(n, z, diagonal, space);
    oracle_eigen(z, restricted, values, r);
    if (up)
        reverse(z, values, r);
    double *turned = product(n, z, z, space, r);
    for (int64_t j = 0; j < z; j++) {
        ties[from + j] = values[j];
        for (int64_t i = 0; i < n; i++)
            u[i * n + from + j] = turned[i * z + j];
    }
    free(space), free(diagonal), free(values), free(r), free(restricted), free(turned);
}

/* How many eigenvalues of s are there. The rank of V' s V, V invertible, is that of s, whose
 * eigenvalues carry no rounding errors of V. */
static int64_t rank_of_scatter(int64_t n, const double *s)
{
    double *values = zeros(n), *vectors = zeros(n * n);
    oracle_eigen(n, s, values, vectors);
    const int64_t rank = rank_of(n, values, NOISE);
    free(values), free(vectors);
    return rank;
}

/* ---- what the text says
 *
 *
 * ---------------------------------------------------------------------------------------------- */

typedef struct options {
    char method[16], target[32], total[16], columns[16], preprocess[128];
    double threshold, alpha, beta, ridge;
    int64_t dim; /* 0: all */
    int half, allow_fewer;
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
    char value[64];

    if (take(word, "threshold", value, sizeof value))
        o->threshold = strtod(value, NULL);
    else if (take(word, "alpha", value, sizeof value))
        o->alpha = strtod(value, NULL);
    else if (take(word, "beta", value, sizeof value))
        o->beta = strtod(value, NULL);
    else if (take(word, "ridge", value, sizeof value))
        o->ridge = strtod(value, NULL);
    else if (take(word, "dim", value, sizeof value))
        o->dim = is(value, "all") ? 0 : strtoll(value, NULL, 10);
    else if (take(word, "half", value, sizeof value))
        o->half = is(value, "true");
    else if (take(word, "allow_fewer", value, sizeof value))
        o->allow_fewer = is(value, "true");
    else if (take(word, "scale", value, sizeof value) || take(word, "pca", value, sizeof value)) {
        const size_t length = strlen(o->preprocess);
        snprintf(o->preprocess + length, sizeof o->preprocess - length, " %s", word);
    } else if (!take(word, "target", o->target, sizeof o->target)
               && !take(word, "total", o->total, sizeof o->total)
               && !take(word, "columns", o->columns, sizeof o->columns))
        abort();
}

static options read_options(const char *text)
{
    options o = { .target = "none",
                  .total = "",
                  .columns = "total",
                  .preprocess = "pca",
                  .alpha = 1,
                  .beta = 20 };
    char words[512], *save = NULL;

    snprintf(words, sizeof words, "%s", text);
    char *word = strtok_r(words, " ", &save);
    snprintf(o.method, sizeof o.method, "%s", word);
    o.threshold = is(o.method, "wbdr") ? 1 : 0.95;
    snprintf(o.total, sizeof o.total, "%s", is(o.method, "rca") ? "all" : "chunk");
    while ((word = strtok_r(NULL, " ", &save)))
        read_option(word, &o);
    return o;
}

/* ---- bwdr and wbdr
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* The largest j with lambda_1 + .. + lambda_j at most the share of the sum. */
static int64_t kept_share(int64_t q, const double *lambda, double share)
{
    double all = 0, sum = 0;
    int64_t kept = 0;

    for (int64_t j = 0; j < q; j++)
        all += lambda[j];
    for (int64_t j = 0; j < q; j++) {
        sum += lambda[j];
        if (j == q - 1 || all == 0)
            sum = all;
        if ((all > 0 ? sum / all : 1) <= share + 1e-12)
            kept = j + 1;
    }
    return kept;
}

/* Eigenvalues of the scatter s, how many of its directions are stretched, and to what: f->lambda,
 * rank, i_paper, i, level. */
static void find_level(const options *o, const double *s, pair_oracle *f, double *e)
{
    const int64_t q = f->q;
    double sum = 0;

    oracle_eigen(q, s, f->lambda, e);
    f->rank = rank_of(q, f->lambda, NOISE);
    f->i_paper = kept_share(q, f->lambda, o->threshold);
    const int64_t asked = o->dim > 0 ? o->dim : 1;
    f->i = f->i_paper > asked ? f->i_paper : asked;
    f->i = f->i < f->rank ? f->i : f->rank;
    for (int64_t j = 0; j < f->i; j++)
        sum += f->lambda[j];
    if (is(o->target, "none"))
        f->level = f->i == 0 ? 1 : is(o->method, "bwdr") ? f->lambda[0] : f->lambda[f->i - 1];
    else
        f->level = is(o->target, "mean") ? sum / (double)f->i : strtod(o->target, NULL);
}

/* Columns V u_j for the first columns of u [width x width], with the values they have. */
static void set_columns(pair_oracle *f, int64_t count, const double *values, const double *ties,
                        const double *u)
{
    const int64_t w = f->width;
    double *kept = zeros(w * count);

    f->count = count;
    f->values = zeros(count);
    f->ties = zeros(count);
    for (int64_t j = 0; j < count; j++) {
        f->values[j] = values[j];
        f->ties[j] = ties ? ties[j] : 0;
        for (int64_t i = 0; i < w; i++)
            kept[i * count + j] = u[i * w + j];
    }
    double *t = product(f->q, w, count, f->V, kept);
    f->W = product(f->d, f->q, count, f->basis, t);
    free(kept), free(t);
}

static void fit_bwdr(const options *o, pair_oracle *f)
{
    const int64_t q = f->q;
    double *e = zeros(q * q), most = 0;

    if (f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    f->lambda = zeros(q);
    find_level(o, f->SB, f, e);
    const int64_t w = f->width = f->i;
    double *mu = zeros(w), *u = zeros(w * w), *ties = zeros(w), *weight = zeros(w);
    int64_t z = 0;
    f->V = zeros(q * w);
    for (int64_t j = 0; j < w; j++) {
        weight[j] = f->level / f->lambda[j];
        for (int64_t i = 0; i < q; i++)
            f->V[i * w + j] = sqrt(weight[j]) * e[i * q + j];
    }
    double *s = pair_project(q, w, f->SW, f->V);
    oracle_eigen(w, s, mu, u);
    reverse(w, mu, u);
    most = w > 0 ? mu[w - 1] : 0;
    while (z < w && mu[z] <= NULL_SPACE * most)
        mu[z++] = 0;
    if (z > 1)
        settle(w, 0, z, weight, 1, u, ties);
    set_columns(f, w, mu, ties, u);
    free(e), free(mu), free(u), free(ties), free(weight), free(s);
}

static void fit_wbdr(const options *o, pair_oracle *f)
{
    const int64_t q = f->q;
    double *e = zeros(q * q), *mu = zeros(q), *u = zeros(q * q);

    if (f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    f->lambda = zeros(q);
    find_level(o, f->SW, f, e);
    f->width = q;
    f->V = zeros(q * q);
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < q; i++)
            f->V[i * q + j] = f->i == 0  ? i == j
                              : j < f->i ? sqrt(f->level / f->lambda[j]) * e[i * q + j]
                                         : e[i * q + j];
    double *s = pair_project(q, q, f->SB, f->V);
    oracle_eigen(q, s, mu, u);
    set_columns(f, rank_of_scatter(q, f->SB), mu, NULL, u);
    free(e), free(mu), free(u), free(s);
}

/* ---- ssdr and cmm
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* f->V: the eigenvectors of s with eigenvalues there are, each times its eigenvalue to the power
 * given; the eigenvalues. */
static double *span_of(pair_oracle *f, const double *s, double power)
{
    const int64_t q = f->q;
    double *values = zeros(q), *e = zeros(q * q);

    oracle_eigen(q, s, values, e);
    const int64_t w = f->width = rank_of(q, values, NOISE);
    f->V = zeros(q * w);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < w; j++)
            f->V[i * w + j] = pow(values[j], power) * e[i * q + j];
    free(e);
    return values;
}

static void fit_differences(double of_rows, double of_cannot, double of_must, pair_oracle *f)
{
    const int64_t q = f->q;
    double *variance = span_of(f, f->St, 0), *a = zeros(q * q), most = 0;
    const int64_t w = f->width;
    double *values = zeros(w), *ties = zeros(w), *u = zeros(w * w);
    int64_t from = 0, z = 0;

    for (int64_t i = 0; i < q * q; i++) {
        a[i] = of_rows * f->St[i];
        if (f->cannot > 0)
            a[i] += of_cannot * f->SB[i] / (double)f->cannot;
        if (f->must > 0)
            a[i] -= of_must * f->SW[i] / (double)f->must;
    }
    double *restricted = pair_project(q, w, a, f->V);
    oracle_eigen(w, restricted, values, u);
    for (int64_t j = 0; j < w; j++)
        most = fmax(most, fabs(values[j]));
    for (int64_t j = 0; j < w; j++) {
        from += values[j] > NULL_SPACE * most;
        z += fabs(values[j]) <= NULL_SPACE * most;
    }
    for (int64_t j = from; j < from + z; j++)
        values[j] = 0;
    if (z > 1)
        settle(w, from, z, variance, 0, u, ties);
    set_columns(f, w, values, ties, u);
    free(variance), free(a), free(values), free(ties), free(u), free(restricted);
}

/* ---- cfld and rca
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* The mean of the rows x of one chunklet; -1: of all rows that are in one; -2: of all rows; and how
 * many they are. */
static int64_t chunklet_mean(int64_t n, int64_t q, const double *x, const int64_t *chunklet,
                             int64_t which, double *mean)
{
    int64_t count = 0;

    memset(mean, 0, (size_t)q * sizeof *mean);
    for (int64_t i = 0; i < n; i++)
        if (which == -2 || (which == -1 && chunklet[i] >= 0)
            || (which >= 0 && chunklet[i] == which)) {
            count++;
            for (int64_t c = 0; c < q; c++)
                mean[c] += x[i * q + c];
        }
    for (int64_t c = 0; c < q; c++)
        mean[c] /= (double)count;
    return count;
}

/* Covariance within chunklets and in all, of the rows in chunklets or, the total, of all rows. */
static void chunklet_scatters(const options *o, int64_t n, const int *table, pair_oracle *f,
                              double *within, double *total)
{
    const int64_t q = f->q, whole = is(o->total, "all") ? -2 : -1;
    int64_t *chunklet = pair_chunklets(n, table, &f->chunklets);
    double *own = zeros(q), *common = zeros(q);

    f->chunklet_rows = chunklet_mean(n, q, f->x, chunklet, -1, own);
    const int64_t rows = chunklet_mean(n, q, f->x, chunklet, whole, common);
    for (int64_t i = 0; i < n; i++) {
        const double *x = f->x + i * q;
        if (chunklet[i] >= 0)
            chunklet_mean(n, q, f->x, chunklet, chunklet[i], own);
        for (int64_t a = 0; a < q; a++)
            for (int64_t b = 0; b < q; b++) {
                if (chunklet[i] >= 0)
                    within[a * q + b] +=
                        (x[a] - own[a]) * (x[b] - own[b]) / (double)f->chunklet_rows;
                if (chunklet[i] >= 0 || whole == -2)
                    total[a * q + b] += (x[a] - common[a]) * (x[b] - common[b]) / (double)rows;
            }
    }
    free(chunklet), free(own), free(common);
}

/* How long the columns are: a' St a = 1 as they come, or a' Sw a = 1, or |a| = 1. */
static void scale_columns(const options *o, pair_oracle *f, int64_t w, int64_t usable,
                          const double *theta, double *u)
{
    for (int64_t j = 0; j < usable; j++) {
        double square = 0;
        for (int64_t i = 0; i < f->q; i++) {
            double entry = 0;
            for (int64_t l = 0; l < w; l++)
                entry += f->V[i * w + l] * u[l * w + j];
            square += entry * entry;
        }
        const double size = is(o->columns, "within") ? sqrt(theta[j])
                            : is(o->columns, "unit") ? sqrt(square)
                                                     : 1;
        for (int64_t l = 0; l < w; l++)
            u[l * w + j] /= size;
    }
}

static void fit_cfld(const options *o, const double *within, const double *total, pair_oracle *f)
{
    double *variance = span_of(f, total, -0.5);
    const int64_t w = f->width;
    double *theta = zeros(w), *u = zeros(w * w), *ties = zeros(w), *weight = zeros(w);
    double *s = pair_project(f->q, w, within, f->V);
    int64_t z = 0, usable = 0;

    oracle_eigen(w, s, theta, u);
    reverse(w, theta, u);
    for (int64_t j = 0; j < w; j++) {
        weight[j] = 1 / variance[j];
        usable += theta[j] < 1 - NULL_SPACE;
    }
    while (z < w && theta[z] <= NULL_SPACE)
        theta[z++] = 0;
    if (z > 1)
        settle(w, 0, z, weight, 1, u, ties);
    if (is(o->columns, "within") && z > 0)
        f->status = PEN_SINGULAR_SCATTER;
    else
        scale_columns(o, f, w, usable, theta, u);
    set_columns(f, usable, theta, ties, u);
    free(variance), free(theta), free(u), free(ties), free(weight), free(s);
}

/* S_t w = value C w: with C = E diag(c) E', eigenvectors of diag(c)^-1/2 E' S_t E diag(c)^-1/2. */
static void fit_rca(const options *o, double *within, const double *total, pair_oracle *f)
{
    const int64_t q = f->q;
    double trace = 0;

    for (int64_t i = 0; i < q; i++)
        trace += within[i * q + i];
    for (int64_t i = 0; i < q; i++)
        within[i * q + i] += o->ridge * trace / (double)q;
    double *variance = span_of(f, within, -0.5);
    if (f->width < q)
        f->status = PEN_SINGULAR_SCATTER;
    const int64_t w = f->width;
    double *values = zeros(w), *u = zeros(w * w), *s = pair_project(q, w, total, f->V);
    oracle_eigen(w, s, values, u);
    set_columns(f, w < q ? w : rank_of_scatter(q, total), values, NULL, u);
    free(variance), free(values), free(u), free(s);
}

/* ---- fits
 *
 *
 * ---------------------------------------------------------------------------------------------- */

/* The coordinates of the method, by what the text says of preprocessing: as the other methods have
 * them. */
static void find_basis(const options *o, int64_t n, const double *x, pair_oracle *f)
{
    if (is(o->preprocess, "pca")) { /* and nothing behind it */
        f->q = f->d;
        f->basis = zeros(f->d * f->d);
        for (int64_t c = 0; c < f->d; c++)
            f->basis[c * f->d + c] = 1;
        return;
    }
    oracle *rows = oracle_fit(o->preprocess, n, f->d, x, NULL);
    f->q = rows->q;
    f->basis = zeros(f->d * f->q);
    if (f->q > 0)
        memcpy(f->basis, rows->basis, (size_t)(f->d * f->q) * sizeof *f->basis);
    oracle_free(rows);
}

static void preprocess(const options *o, const pen_data *data, pair_oracle *f)
{
    const int64_t n = data->x.rows, d = f->d = data->x.cols;
    double *x = zeros(n * d);

    f->mean = zeros(d);
    for (int64_t i = 0; i < n * d; i++) {
        x[i] = ((const double *)data->x.values)[i / d * data->x.stride + i % d];
        f->mean[i % d] += x[i] / (double)n;
    }
    find_basis(o, n, x, f);
    for (int64_t i = 0; i < n * d; i++)
        x[i] -= f->mean[i % d];
    f->x = product(n, d, f->q, x, f->basis);
    free(x);
}

static void scatters(int64_t n, const int *table, pair_oracle *f)
{
    f->SB = zeros(f->q * f->q);
    f->SW = zeros(f->q * f->q);
    f->St = zeros(f->q * f->q);
    pair_scatter(n, f->q, f->x, table, 1, f->SW);
    pair_scatter(n, f->q, f->x, table, -1, f->SB);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < f->q * f->q; c++)
            f->St[c] += f->x[i * f->q + c / f->q] * f->x[i * f->q + c % f->q] / (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            f->must += table[i * n + j] == 1;
            f->cannot += table[i * n + j] == -1;
        }
}

static void fit_method(const options *o, int64_t n, const int *table, pair_oracle *f)
{
    const double half = o->half ? 0.5 : 1;
    double *within = zeros(f->q * f->q), *total = zeros(f->q * f->q);

    if (is(o->method, "bwdr")) {
        fit_bwdr(o, f);
    } else if (is(o->method, "wbdr")) {
        fit_wbdr(o, f);
    } else if (is(o->method, "ssdr")) {
        fit_differences(1, half * o->alpha, half * o->beta, f);
    } else if (is(o->method, "cmm")) {
        if (f->must + f->cannot == 0)
            f->status = PEN_NO_PAIRS;
        fit_differences(0, 1, 1, f);
    } else if (f->must == 0) {
        f->status = PEN_NO_PAIRS;
    } else {
        chunklet_scatters(o, n, table, f, within, total);
        if (is(o->method, "cfld"))
            fit_cfld(o, within, total, f);
        else
            fit_rca(o, within, total, f);
    }
    free(within), free(total);
}

static void set_signs(pair_oracle *f)
{
    for (int64_t j = 0; j < f->count; j++) {
        const double sign =
            f->W[oracle_sign_row(f->d, f->W, f->count, j) * f->count + j] < 0 ? -1 : 1;
        for (int64_t i = 0; i < f->d; i++)
            f->W[i * f->count + j] *= sign;
    }
}

pair_oracle *pair_oracle_fit(const char *text, const pen_data *data)
{
    const options o = read_options(text);
    pair_oracle *f = calloc(1, sizeof *f);
    if (!f)
        abort();

    int *table = pair_table(data, &f->status, &f->duplicates, &f->contradictions);
    if (table) {
        preprocess(&o, data, f);
        scatters(data->x.rows, table, f);
        fit_method(&o, data->x.rows, table, f);
    }
    free(table);
    if (f->status != PEN_OK)
        f->count = 0;
    set_signs(f);
    f->gives = o.dim == 0 || o.dim > f->count ? f->count : o.dim;
    if (f->status == PEN_OK && (f->count == 0 || (o.dim > f->count && !o.allow_fewer)))
        f->status = PEN_RANK_TOO_SMALL;
    return f;
}

void pair_oracle_free(pair_oracle *f)
{
    if (!f)
        return;
    free(f->mean), free(f->basis), free(f->x), free(f->SB), free(f->SW), free(f->St),
        free(f->lambda), free(f->V);
    free(f->values), free(f->ties), free(f->W), free(f);
}
