/* blend_family.c - see blend_family.h. */
#include "oracle/blend_family.h"
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"
#include "kit/tables.h"

/* Below this fraction of the largest, an eigenvalue counts as 0; the values that the tests check
 * are far above. */
static const double SMALLEST = 1e-11;

/* Weights of lfda, pca and ilpp in B and C; whether C phi = lambda B phi is solved for the smallest
 * lambda. */
typedef struct blend {
    double lfda, pca, ilpp;
    int smallest;
} blend;

/* The affinity of two rows whose k-th neighbors are at the distances i and j. */
static double affinity(double distance, double i, double j, int mutual, int same)
{
    if (mutual && !same && !(distance <= i && distance <= j))
        return 0;
    return distance == 0 ? 1 : i * j == 0 ? 0 : exp(-distance * distance / (i * j));
}

void lpp_scatters(int64_t n, int64_t d, const double *x, int64_t neighbors, int mutual,
                  int about_mean, double *S_n, double *S_l)
{
    double *reach = zeros(n), *origin = about_mean ? dense_mean(n, d, x, NULL) : zeros(d),
           *distance2 = table_distances(n, d, x);
    int32_t *y = check_allocate(n, sizeof *y);

    oracle_sigma(n, d, x, y, neighbors, ORACLE_ALL, reach);
    memset(S_n, 0, (size_t)(d * d) * sizeof *S_n);
    memset(S_l, 0, (size_t)(d * d) * sizeof *S_l);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double A =
                affinity(sqrt(distance2[i * n + j]), reach[i], reach[j], mutual, i == j)
                / (double)n;
            if (A == 0)
                continue;
            dense_outer(d, 0.5 * A, x + i * d, x + j * d, S_l);
            dense_outer(d, A, x + i * d, origin, S_n);
        }
}

/* The rows, normalized and scaled as requested, not centered. */
static double *prepared(const fit_options *o, const sample *s, lpp_oracle *f)
{
    coordinates c = coordinates_of(o, s->n, s->d, s->d, s->x);
    double *x = dense_copy(s->n * s->d, c.rows);

    memcpy(f->mean, c.mean, (size_t)s->d * sizeof *f->mean);
    for (int64_t j = 0; j < s->d; j++)
        f->scale[j] = c.basis[j * s->d + j];
    for (int64_t i = 0; i < s->n * s->d; i++)
        x[i] *= f->scale[i % s->d];
    return x;
}

/* With B rescaled to unit diagonal; 0 unless B is positive definite. *condition: of that B. */
static int eigen_ratio(int64_t d, const double *A, const double *B, double *values, double *phi,
                       double *condition)
{
    double *a = zeros(d * d), *b = zeros(d * d), largest = 0;
    int good = 1;

    for (int64_t i = 0; i < d; i++)
        largest = fmax(largest, B[i * d + i]);
    for (int64_t i = 0; i < d; i++)
        good = good && B[i * d + i] > 1e-26 * largest; /* the mean of equal numbers is rounded */
    for (int64_t i = 0; good && i < d * d; i++) {
        const double roots = sqrt(B[i / d * (d + 1)]) * sqrt(B[i % d * (d + 1)]);
        a[i] = A[i] / roots;
        b[i] = (B[i] + B[i % d * d + i / d]) / 2 / roots;
    }
    dense_eigen(d, b, values, phi);
    good = good && values[d - 1] > SMALLEST * values[0];
    *condition = good ? values[0] / values[d - 1] : INFINITY;
    good = good && dense_generalized(d, a, b, values, phi);
    for (int64_t i = 0; good && i < d * d; i++)
        phi[i] /= sqrt(B[i / d * (d + 1)]);
    return good;
}

/* Columns of phi in the metric, best first. */
static void take_columns(lpp_oracle *f, const double *values, const double *phi, int smallest)
{
    const int64_t d = f->d;
    double *T = zeros(d * d);

    while (f->k < d && (smallest || values[f->k] > SMALLEST * values[0]))
        f->k++;
    for (int64_t c = 0; c < f->k; c++) {
        const int64_t from = smallest ? d - 1 - c : c;
        f->lambda[c] = values[from] > SMALLEST * values[0] ? values[from] : 0;
        for (int64_t j = 0; j < d; j++)
            T[j * f->k + c] = phi[j * d + from] * (f->weighted ? sqrt(values[from]) : 1);
    }
    double *q = f->orthonormal ? check_basis(d, f->k, T, f->k) : NULL;
    for (int64_t i = 0; i < d * f->k; i++)
        f->W[i] = (q ? q : T)[i] * f->scale[i / f->k];
}

/* B and C of section 3, with weights of LFDA, PCA and iLPP. */
static void add_shares(const fit_options *o, const sample *s, const double *x, const blend *share,
                       double *B, double *C)
{
    const int64_t n = s->n, d = s->d, all = d * d;
    double *one = zeros(all), *two = zeros(all);

    if (share->lfda > 0) {
        const oracle_affinities how = { ORACLE_LOCAL, option_int(o, "neighbors"), ORACLE_ALL, 0 };
        oracle_local(n, d, x, s->y, &how, ORACLE_LB, one);
        oracle_local(n, d, x, s->y, &how, ORACLE_LW, two);
        dense_add(all, share->lfda, one, B);
        dense_add(all, share->lfda, two, C);
    }
    if (share->pca > 0) {
        oracle_total(n, d, x, one);
        dense_add(all, option_is(o, "total", "covariance") ? share->pca / (double)n : share->pca,
                  one, B);
        for (int64_t j = 0; j < d; j++)
            C[j * d + j] += share->pca;
    }
    if (share->ilpp > 0) {
        lpp_scatters(n, d, x, option_int(o, "neighbors"), option_is(o, "graph", "mutual"),
                     option_is(o, "origin", "mean"), one, two);
        dense_add(all, share->ilpp, one, B);
        dense_add(all, share->ilpp, two, C);
    }
}

/* Projects on the span of the centered rows. Adds `outside` times the projector on its complement
 * to A. */
static void project_on_span(int64_t n, int64_t d, double *x, double outside, double *A)
{
    int64_t rank;
    double *basis = oracle_span_of_rows(n, d, x, &rank), *t = dense_transpose(d, rank, basis),
           *inside = dense_product(d, rank, d, basis, t), *to = dense_product(n, d, d, x, inside);

    memcpy(x, to, (size_t)(n * d) * sizeof *x);
    for (int64_t i = 0; i < d * d; i++)
        A[i] += outside * ((i / d == i % d) - inside[i]);
}

/* A phi = lambda B phi: the largest lambda or, for lpp, the smallest. */
static pen_status solve(const fit_options *o, const double *A, double *B, int smallest,
                        lpp_oracle *f)
{
    const double ridge = option(o, "ridge");
    const int64_t d = f->d;
    double *values = zeros(d), *phi = zeros(d * d), trace = 0;

    for (int64_t j = 0; j < d; j++)
        trace += B[j * d + j];
    for (int64_t j = 0; j < d; j++)
        B[j * d + j] += ridge * trace / (double)d;
    memcpy(f->A, A, (size_t)(d * d) * sizeof *A);
    memcpy(f->B, B, (size_t)(d * d) * sizeof *B);
    const int good = !(smallest && dense_dot(d * d, A, A) == 0)
                     && eigen_ratio(d, A, B, values, phi, &f->condition);
    if (good)
        take_columns(f, values, phi, smallest);
    return !good ? PEN_SINGULAR_SCATTER : f->k == 0 ? PEN_RANK_TOO_SMALL : PEN_OK;
}

/* lpp keeps neighbors close, ilpp is its inverse; the self methods blend lfda and pca with it. */
static blend blend_of(const fit_options *o)
{
    if (options_are_of(o, "lpp") || options_are_of(o, "ilpp"))
        return (blend){ .ilpp = 1, .smallest = options_are_of(o, "lpp") };
    const double beta = option(o, "beta");
    if (options_are_of(o, "self-ilpp"))
        return (blend){ .lfda = 1 - beta, .ilpp = beta };
    const double gamma = option(o, "gamma");
    return (blend){ .lfda = 1 - beta - gamma, .pca = beta, .ilpp = gamma };
}

lpp_oracle *lpp_oracle_fit(const char *text, const sample *s)
{
    fit_options o = options_read(text);
    const int64_t n = s->n, d = s->d;
    const blend share = blend_of(&o);
    lpp_oracle *f = check_allocate(1, sizeof *f);
    double *B = zeros(d * d), *C = zeros(d * d);

    *f = (lpp_oracle){ .d = d,
                       .mean = zeros(d),
                       .scale = zeros(d),
                       .A = zeros(d * d),
                       .B = zeros(d * d),
                       .W = zeros(d * d) };
    f->lambda = zeros(d);
    f->weighted = option_is(&o, "column_scaling", "weighted");
    f->orthonormal = option_is(&o, "column_scaling", "orthonormal");
    double *x = prepared(&o, s, f);
    if (share.ilpp > 0 && n < d) /* lpp: directions constant in all rows come last, not first */
        project_on_span(n, d, x, share.smallest ? 1e3 : 0, C);
    add_shares(&o, s, x, &share, B, C);
    f->status = share.smallest ? solve(&o, C, B, 1, f) : solve(&o, B, C, 0, f);
    return f;
}
