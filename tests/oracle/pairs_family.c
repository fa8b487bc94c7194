/* pairs_family.c - see pairs_family.h. */
#include "oracle/pairs_family.h"
#include "check.h"
#include "kit/coordinates.h"

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

void pair_eigen_ascending(int64_t n, const double *a, double *values, double *u)
{
    dense_eigen(n, a, values, u);
    reverse(n, values, u);
}

void pair_settle(int64_t n, int64_t from, int64_t z, const double *weight, int up, double *u,
                 double *ties)
{
    double *space = dense_columns(n, n, from, 1, z, u), *diagonal = zeros(n * n),
           *values = zeros(z), *r = zeros(z * z);

    for (int64_t i = 0; i < n; i++)
        diagonal[i * n + i] = weight[i];
    double *restricted = dense_project(n, z, diagonal, space);
    dense_eigen(z, restricted, values, r);
    if (up)
        reverse(z, values, r);
    double *turned = dense_product(n, z, z, space, r);
    for (int64_t j = 0; j < z; j++) {
        ties[from + j] = values[j];
        for (int64_t i = 0; i < n; i++)
            u[i * n + from + j] = turned[i * z + j];
    }
}

void pair_set_columns(pair_oracle *f, int64_t r, const double *span, const double *u,
                      const double *values, const double *ties, int64_t count, int up)
{
    double *kept = dense_columns(r, r, up ? r - 1 : 0, up ? -1 : 1, count, u),
           *inner = span ? dense_product(f->q, r, count, span, kept) : dense_copy(r * count, kept),
           scale = 0;

    f->count = count;
    f->values = dense_columns(1, r, up ? r - 1 : 0, up ? -1 : 1, count, values);
    f->ties = ties ? dense_copy(count, ties) : zeros(count);
    for (int64_t j = 0; j < r; j++)
        scale = fmax(scale, fabs(values[j]));
    for (int64_t j = 0; j < count; j++)
        f->values[j] = fabs(f->values[j]) > DENSE_NOISE * scale ? f->values[j] : 0;
    f->W = dense_product(f->d, f->q, count, f->basis, inner);
}

/* The largest j with lambda_1 + .. + lambda_j at most this fraction of the sum. */
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

void pair_find_level(const fit_options *o, const double *s, pair_oracle *f, double *e)
{
    const int64_t q = f->q;
    double sum = 0;

    dense_eigen(q, s, f->lambda, e);
    f->rank = dense_rank(q, f->lambda);
    f->i_paper = kept_share(q, f->lambda, option(o, "threshold"));
    const int64_t dim = option_int(o, "dim"), asked = dim > 0 ? dim : 1;
    f->i = f->i_paper > asked ? f->i_paper : asked;
    f->i = f->i < f->rank ? f->i : f->rank;
    for (int64_t j = 0; j < f->i; j++)
        sum += f->lambda[j];
    if (option_is(o, "target", "none"))
        f->level = f->i == 0 ? 1 : options_are_of(o, "bwdr") ? f->lambda[0] : f->lambda[f->i - 1];
    else
        f->level = option_is(o, "target", "mean") ? sum / (double)f->i : option(o, "target");
}

/* Eigenvectors of a weighted difference of the scatters of rows and of means over pairs. */
static void pair_fit_differences(double of_rows, double of_cannot, double of_must, pair_oracle *f)
{
    const int64_t q = f->q;
    double *variance, *a = zeros(q * q), most = 0;
    f->V = dense_span(q, f->St, 0, &f->width, &variance);
    const int64_t w = f->width;
    double *values = zeros(w), *ties = zeros(w), *u = zeros(w * w);
    int64_t from = 0, z = 0;

    for (int64_t i = 0; i < q * q; i++) {
        a[i] = of_rows * f->St[i];
        if (f->cannot > 0)
            a[i] += of_cannot * f->SB[i] / f->cannot_weight;
        if (f->must > 0)
            a[i] -= of_must * f->SW[i] / f->must_weight;
    }
    double *restricted = dense_project(q, w, a, f->V);
    dense_eigen(w, restricted, values, u);
    for (int64_t j = 0; j < w; j++)
        most = fmax(most, fabs(values[j]));
    for (int64_t j = 0; j < w; j++) {
        from += values[j] > NULL_SPACE * most;
        z += fabs(values[j]) <= NULL_SPACE * most;
    }
    for (int64_t j = from; j < from + z; j++)
        values[j] = 0;
    if (z > 1)
        pair_settle(w, from, z, variance, 0, u, ties);
    pair_set_columns(f, w, f->V, u, values, ties, w, 0);
}

/* Spreads rows and cannot-links, contracts must-links. Zhang, Zhou, Chen: SDM 2007. */
static void ssdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    pair_fit_differences(1, option(o, "alpha"), option(o, "beta"), f);
}

/* Spreads cannot-links, contracts must-links. Wang, Chen, Li, Zhang: CIKM 2008. */
static void cmm_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    if (f->must + f->cannot == 0)
        f->status = PEN_NO_PAIRS;
    pair_fit_differences(0, 1, 1, f);
}

/* The mean of the rows x of one chunklet; -1: of rows in any chunklet; -2: of all rows; also their
 * number. */
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

/* The sum over pairs of rows of a chunklet of the strengths of their chains. */
static double strength_of(int64_t n, const int64_t *chunklet, int64_t which, const pair_oracle *f)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (chunklet[i] == which && chunklet[j] == which)
                sum += f->strengths[i * n + j];
    return sum;
}

/* The same from pairs of rows: within chunklet c the mean over its rows of sums over pairs,
 * weighted by the mean strength of the chunklet; the total adds the chunklet means. */
static void weighted_scatters(int all, int64_t n, const int *table, pair_oracle *f, double *within,
                              double *total)
{
    const int64_t q = f->q;
    int64_t *chunklet = pair_chunklets(n, table, &f->chunklets), count = f->chunklets;
    double *means = zeros(count * q), *size = zeros(count), *mass = zeros(count), *mean = zeros(q),
           sum = 0;

    for (int64_t c = 0; c < count; c++) {
        size[c] = (double)chunklet_mean(n, q, f->x, chunklet, c, means + c * q);
        mass[c] = strength_of(n, chunklet, c, f) / (size[c] - 1) * 2;
        sum += mass[c];
    }
    for (int64_t c = 0; c < count * q; c++)
        mean[c % q] += mass[c / q] / sum * means[c];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (chunklet[i] >= 0 && chunklet[i] == chunklet[j])
                dense_outer(q, f->strengths[i * n + j] / size[chunklet[i]] / sum, f->x + i * q,
                            f->x + j * q, within);
    for (int64_t i = 0; i < q * q; i++)
        total[i] = all ? f->St[i] : within[i];
    for (int64_t c = 0; c < count && !all; c++)
        dense_outer(q, mass[c] / sum, means + c * q, mean, total);
    f->chunklet_rows = chunklet_mean(n, q, f->x, chunklet, -1, mean);
}

void pair_chunklet_scatters(int all, int64_t n, const int *table, pair_oracle *f, double *within,
                            double *total)
{
    if (f->weighted) {
        weighted_scatters(all, n, table, f, within, total);
        return;
    }
    const int64_t q = f->q, whole = all ? -2 : -1;
    int64_t *chunklet = pair_chunklets(n, table, &f->chunklets);
    double *own = zeros(q), *common = zeros(q);

    f->chunklet_rows = chunklet_mean(n, q, f->x, chunklet, -1, own);
    const int64_t rows = chunklet_mean(n, q, f->x, chunklet, whole, common);
    for (int64_t i = 0; i < n; i++) {
        const double *x = f->x + i * q;
        if (chunklet[i] >= 0) {
            chunklet_mean(n, q, f->x, chunklet, chunklet[i], own);
            dense_outer(q, 1 / (double)f->chunklet_rows, x, own, within);
        }
        if (chunklet[i] >= 0 || whole == -2)
            dense_outer(q, 1 / (double)rows, x, common, total);
    }
}

void pair_oracle_place(const fit_options *o, const pen_data *data, pair_oracle *f)
{
    coordinates c = coordinates_of(o, data->x.rows, data->x.cols, data->x.stride, data->x.values);

    f->d = c.d;
    f->q = c.q;
    f->mean = dense_copy(c.d, c.mean);
    f->basis = dense_copy(c.d * c.q, c.basis);
    f->x = dense_copy(c.n * c.q, c.x);
}

void pair_oracle_count(const fit_options *o, pair_oracle *f)
{
    const int64_t dim = option_int(o, "dim");
    f->gives = dim == 0 || dim > f->count ? f->count : dim;
    if (f->status == PEN_OK
        && (f->count == 0 || (dim > f->count && !option_is(o, "allow_fewer", "true"))))
        f->status = PEN_RANK_TOO_SMALL;
}

static void scatters(int64_t n, const int *table, pair_oracle *f)
{
    f->SB = zeros(f->q * f->q);
    f->SW = zeros(f->q * f->q);
    f->St = zeros(f->q * f->q);
    pair_scatter(n, f->q, f->x, table, f->weights, 1, f->SW);
    pair_scatter(n, f->q, f->x, table, f->weights, -1, f->SB);
    for (int64_t i = 0; i < n; i++)
        dense_outer(f->q, 1 / (double)n, f->x + i * f->q, NULL, f->St);
    f->must = pair_count(n, table, 1);
    f->cannot = pair_count(n, table, -1);
    f->must_weight = pair_total(n, table, f->weights, 1);
    f->cannot_weight = pair_total(n, table, f->weights, -1);
}

pair_oracle *pair_oracle_fit(const char *text, const pen_data *data)
{
    static const struct {
        const char *name;
        void (*fit)(const fit_options *o, int64_t n, const int *table, pair_oracle *f);
    } methods[] = {
        { "bwdr", bwdr_oracle }, { "wbdr", wbdr_oracle }, { "ssdr", ssdr_oracle },
        { "cmm", cmm_oracle },   { "cfld", cfld_oracle }, { "rca", rca_oracle },
    };
    fit_options o = options_read(text);
    pair_oracle *f = check_allocate(1, sizeof *f);
    int *table =
            pair_table(pair_rules_of(o.spec), data, &f->status, &f->duplicates, &f->contradictions),
        known = 0;

    if (table) {
        pair_oracle_place(&o, data, f);
        f->weighted = data->must_link_weights || data->cannot_link_weights;
        f->weights = pair_weights(pair_rules_of(o.spec), data, table, 0);
        f->strengths = f->weighted ? pair_weights(pair_rules_of(o.spec), data, table, 1) : NULL;
        scatters(data->x.rows, table, f);
    }
    for (size_t i = 0; table && i < sizeof methods / sizeof *methods; i++)
        if (options_are_of(&o, methods[i].name)) {
            methods[i].fit(&o, data->x.rows, table, f);
            known = 1;
        }
    if (table && !known)
        abort();
    if (f->status != PEN_OK)
        f->count = 0;
    pair_oracle_count(&o, f);
    return f;
}
