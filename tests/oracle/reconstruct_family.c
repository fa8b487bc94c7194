/* reconstruct_family.c - see reconstruct_family.h. */
#include "oracle/reconstruct_family.h"
#include "check.h"
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"
#include "kit/tables.h"

/* The options of the text. */
typedef struct settings {
    int original; /* neighbors and weights in the input space, not in the relative space */
    double reconstruction_ridge, ridge;
    int64_t neighbors, landmark_count; /* no landmarks: all rows */
    const int64_t *landmarks;
    int mutual, unit, npssdr;
} settings;

static settings settings_of(const fit_options *o, const int64_t *landmarks)
{
    const int relative = options_are_of(o, "rssdr");
    char space[128] = "plain";

    if (relative)
        pen_spec_get(o->spec, "space", space, sizeof space);
    return (settings){
        .original = strcmp(space, "plain") == 0,
        .reconstruction_ridge = option(o, "reconstruction_ridge"),
        .ridge = option(o, "ridge"),
        .neighbors = option_int(o, "neighbors"),
        .landmark_count = strchr(space, ':') ? atoll(strchr(space, ':') + 1) : 0,
        .landmarks = landmarks,
        .npssdr = !relative,
        .mutual = relative && option_is(o, "neighborhood", "mutual"),
        .unit = relative && option_is(o, "column_scaling", "unit"),
    };
}

static void find_components(rssdr_oracle *o, const fit_options *opt, const double *x)
{
    coordinates c = coordinates_of(opt, o->n, o->d, o->d, x);
    double *span = oracle_span_of_rows(o->n, c.q, c.x, &o->p);

    o->mean = dense_copy(o->d, c.mean);
    o->V = dense_product(o->d, c.q, o->p, c.basis, span);
    o->z = dense_product(o->n, c.q, o->p, c.x, span);
}

static double distance(const rssdr_oracle *o, int64_t i, int64_t j)
{
    return sqrt(dense_distance2(o->p, o->z + i * o->p, o->z + j * o->p));
}

/* The weight of coordinate t of the relative space if the rows in `local` define it. */
static void count_coordinates(const rssdr_oracle *o, const settings *s, const int64_t *local,
                              int64_t locals, double *counts)
{
    double rest = 0;

    for (int64_t t = 0; t < o->n; t++)
        counts[t] = s->landmark_count == 0;
    for (int64_t l = 0; l < s->landmark_count; l++)
        counts[s->landmarks[l]] = 1;
    if (s->landmark_count == 0)
        return;
    for (int64_t l = 0; l < locals; l++)
        counts[local[l]] = 0;
    for (int64_t t = 0; t < o->n; t++)
        rest += counts[t];
    for (int64_t t = 0; rest > 0 && t < o->n; t++)
        counts[t] *= (double)(o->n - locals) / rest;
    for (int64_t l = 0; l < locals; l++)
        counts[local[l]] = 1;
}

static void find_distances(rssdr_oracle *o, const settings *s)
{
    const int64_t n = o->n;
    double *counts = zeros(n);

    o->r2 = zeros(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const int64_t both[] = { i, j };
            count_coordinates(o, s, both, 2, counts);
            for (int64_t t = 0; t < n && i != j; t++) {
                const double apart = distance(o, i, t) - distance(o, j, t);
                o->r2[i * n + j] += counts[t] * apart * apart;
            }
            if (s->original)
                o->r2[i * n + j] = distance(o, i, j) * distance(o, i, j);
        }
}

/* The k nearest rows of each row [n x k] by a table of distances, ties broken by row index. */
static int64_t *find_nearest(int64_t n, int64_t k, const double *distances)
{
    int64_t *nearest = check_allocate(n * k, sizeof *nearest);
    int *taken = check_allocate(n * n, sizeof *taken);

    for (int64_t c = 0; c < n * k; c++) {
        const int64_t i = c / k;
        nearest[c] = -1;
        for (int64_t j = 0; j < n; j++)
            if (j != i && !taken[i * n + j]
                && (nearest[c] < 0 || distances[i * n + j] < distances[i * n + nearest[c]]))
                nearest[c] = j;
        taken[i * n + nearest[c]] = 1;
    }
    return nearest;
}

/* Coordinate t of row a, in the space of the reconstruction. */
static double coordinate(const rssdr_oracle *o, const settings *s, int64_t a, int64_t t)
{
    return s->original ? o->z[a * o->p + t] : distance(o, a, t);
}

/* G w = 1, w scaled to a sum of 1. */
static void reconstruct(rssdr_oracle *o, const settings *s, int64_t i, const int64_t *J, int64_t k)
{
    const int64_t width = s->original ? o->p : o->n;
    double *counts = zeros(o->n + o->p), *G = zeros(k * k), *ones = zeros(k), t = 0, sum = 0;
    int64_t *local = check_allocate(k + 1, sizeof *local);

    local[0] = i;
    memcpy(local + 1, J, (size_t)k * sizeof *J);
    count_coordinates(o, s, local, k + 1, counts);
    for (int64_t c = 0; s->original && c < o->p; c++)
        counts[c] = 1;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++)
            for (int64_t c = 0; c < width; c++)
                G[a * k + b] += counts[c] * (coordinate(o, s, J[a], c) - coordinate(o, s, i, c))
                                * (coordinate(o, s, J[b], c) - coordinate(o, s, i, c));
    for (int64_t a = 0; a < k; a++)
        t += G[a * k + a];
    for (int64_t a = 0; a < k; a++) {
        G[a * k + a] += t > 0 ? s->reconstruction_ridge * t : 1;
        ones[a] = 1;
    }
    double *w = dense_solve(k, 1, G, ones);
    for (int64_t c = 0; c < k; c++)
        sum += w[c];
    for (int64_t c = 0; c < k; c++)
        o->A[i * o->n + J[c]] = w[c] / sum;
}

static int among(const int64_t *list, int64_t k, int64_t row)
{
    for (int64_t c = 0; c < k; c++)
        if (list[c] == row)
            return 1;
    return 0;
}

static void find_weights(rssdr_oracle *o, const settings *s)
{
    const int64_t n = o->n, k = o->k;
    int64_t *J = check_allocate(k, sizeof *J);

    o->A = zeros(n * n);
    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t c = 0; c < k; c++)
            if (!s->mutual || among(o->nearest + o->nearest[i * k + c] * k, k, i))
                J[count++] = o->nearest[i * k + c];
        if (count > 0)
            reconstruct(o, s, i, J, count);
        else
            o->A[i * n + i] = 1; /* the residual is 0 */
    }
}

static void find_rest(rssdr_oracle *o)
{
    const int64_t n = o->n, p = o->p;
    double *Az = dense_product(n, n, p, o->A, o->z);

    o->Sr = zeros(p * p);
    for (int64_t i = 0; i < n; i++)
        dense_outer(p, 1, o->z + i * p, Az + i * p, o->Sr);
}

static void find_non_neighbors(rssdr_oracle *o)
{
    const int64_t n = o->n, k = o->k;
    double *d2 = table_distances(n, o->p, o->z);
    int64_t *nearest = find_nearest(n, k, d2);
    int *table = check_allocate(n * n, sizeof *table);

    for (int64_t i = 0; i < n * n; i++)
        table[i] = !among(nearest + i / n * k, k, i % n) && !among(nearest + i % n * k, k, i / n);
    o->Sf = zeros(o->p * o->p);
    pair_scatter(n, o->p, o->z, table, NULL, 1, o->Sf);
}

/* The problem: Num and Den of q cannot-links and m must-links. */

/* Cannot-links and non-neighbors relative to must-links and reconstruction residuals. Cai, Wen,
 * Wei, Yu: Applied Soft Computing 16 (2014). */
static void rssdr_terms(const fit_options *o, rssdr_oracle *f)
{
    const double alpha = option(o, "alpha"), beta = option(o, "beta");

    for (int64_t c = 0; c < f->p * f->p; c++) {
        f->Num[c] = f->Sc[c] + alpha * f->Sf[c];
        f->Den[c] = f->Sm[c] + beta * f->Sr[c];
    }
}

/* The terms as means, combined as a sum or a ratio. Wei, Peng: Electronics Letters 44 (2008). */
static void npssdr_terms(const fit_options *o, double q, double m, rssdr_oracle *f)
{
    const double alpha = option(o, "alpha"), beta = option(o, "beta"), mu = option(o, "mu");

    f->difference = option_is(o, "form", "difference");
    for (int64_t c = 0; c < f->p * f->p; c++) {
        f->Num[c] = f->difference
                        ? (q > 0 ? alpha / q * f->Sc[c] : 0) - (m > 0 ? beta / m * f->Sm[c] : 0)
                              - mu / (double)f->n * f->Sr[c]
                        : f->Sc[c];
        f->Den[c] = f->difference ? c % (f->p + 1) == 0 : f->Sm[c] + beta * f->Sr[c];
    }
}

static void set_up(const fit_options *o, rssdr_oracle *f, const settings *s, const int *table,
                   const double *weights)
{
    const int64_t p = f->p;
    const double q = pair_total(f->n, table, weights, -1), m = pair_total(f->n, table, weights, 1);
    double trace = 0;

    f->Sc = zeros(p * p);
    f->Sm = zeros(p * p);
    pair_scatter(f->n, p, f->z, table, weights, -1, f->Sc);
    pair_scatter(f->n, p, f->z, table, weights, 1, f->Sm);
    f->Num = zeros(p * p);
    f->Den = zeros(p * p);
    if (s->npssdr)
        npssdr_terms(o, q, m, f);
    else
        rssdr_terms(o, f);
    for (int64_t c = 0; c < p; c++)
        trace += f->Den[c * p + c];
    for (int64_t c = 0; c < p && !f->difference; c++)
        f->Den[c * p + c] += s->ridge * trace / (double)p;
}

static void solve(rssdr_oracle *o, int unit)
{
    const int64_t p = o->p, d = o->d;
    double *v = zeros(p * p);

    o->values = zeros(p);
    CHECK(dense_generalized(p, o->Num, o->Den, o->values, v), "the denominator is singular");
    o->W = dense_product(d, p, p, o->V, v);
    for (int64_t j = 0; j < p && unit; j++) {
        double *column = dense_columns(d, p, j, 0, 1, o->W);
        for (int64_t r = 0; r < d; r++)
            o->W[r * p + j] /= sqrt(dense_dot(d, column, column));
    }
}

rssdr_oracle *rssdr_oracle_fit(const char *text, const pen_data *data, const int64_t *landmarks)
{
    fit_options opt = options_read(text);
    const settings s = settings_of(&opt, landmarks);
    rssdr_oracle *o = check_allocate(1, sizeof *o);
    pen_status status;
    int *table = pair_table(pair_rules_of(opt.spec), data, &status, NULL, NULL);

    if (!table)
        abort();
    o->n = data->x.rows;
    o->d = data->x.cols;
    o->k = s.neighbors;
    find_components(o, &opt, data->x.values);
    find_distances(o, &s);
    o->nearest = find_nearest(o->n, o->k, o->r2);
    find_weights(o, &s);
    find_rest(o);
    find_non_neighbors(o);
    double *weights = pair_weights(pair_rules_of(opt.spec), data, table, 0);
    set_up(&opt, o, &s, table, weights);
    solve(o, s.unit);
    return o;
}
