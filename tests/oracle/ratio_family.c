/* ratio_family.c - see ratio_family.h. */
#include "oracle/ratio_family.h"

#include "check.h"

#include <float.h>

static int positive_definite(int64_t n, const double *b, const double *c)
{
    double *values = zeros(n), *vectors = zeros(n * n);

    dense_eigen(n, c, values, vectors);
    const double least = (double)n * DBL_EPSILON;
    return values[n - 1] > least * values[0] && values[0] > least * dense_largest(n * n, b, 1);
}

static int64_t classes(int64_t n, const int32_t *y)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t j = 0;
        while (j < i && y[j] != y[i])
            j++;
        count += j == i && y[i] != -1;
    }
    return count;
}

static void solve(const fit_options *o, int64_t most, oracle *fit)
{
    const int64_t q = fit->q;

    fit->lambda = zeros(q);
    fit->phi = zeros(q * q);
    fit->metric = option_is(o, "column_scaling", "weighted") ? ORACLE_WEIGHTED
                  : option_is(o, "column_scaling", "plain")  ? ORACLE_PLAIN
                                                             : ORACLE_ORTHONORMAL;
    fit->singular = !positive_definite(q, fit->B, fit->C)
                    || !dense_generalized(q, fit->B, fit->C, fit->lambda, fit->phi);
    if (fit->singular)
        return;
    /* the number of positive eigenvalues of B, which does not depend on rounding errors of C */
    fit->k = dense_rank_of(q, fit->B) < most ? dense_rank_of(q, fit->B) : most;
    for (int64_t j = fit->k; j < q; j++)
        fit->lambda[j] = 0;
    fit->T = dense_copy(q * q, fit->phi);
    for (int64_t i = 0; i < q * q && fit->metric == ORACLE_WEIGHTED; i++)
        fit->T[i] *= sqrt(fit->lambda[i % q]);
    double *basis = check_basis(q, fit->metric == ORACLE_ORTHONORMAL ? fit->k : 0, fit->T, q);
    for (int64_t j = 0; fit->metric == ORACLE_ORTHONORMAL && j < fit->k; j++)
        for (int64_t i = 0; i < q; i++)
            fit->T[i * q + j] = basis[i * fit->k + j];
    fit->W = dense_product(fit->d, q, q, fit->basis, fit->T);
}

static oracle_affinities oracle_affinities_of(const fit_options *o, enum oracle_scaling scaling)
{
    const enum oracle_affinity kind = option_is(o, "affinity", "heat")  ? ORACLE_HEAT
                                      : option_is(o, "affinity", "knn") ? ORACLE_KNN
                                      : option_is(o, "affinity", "one") ? ORACLE_ONE
                                                                        : ORACLE_LOCAL;

    return (oracle_affinities){ kind, option_int(o, "neighbors"), scaling, option(o, "heat") };
}

/* The methods fill B and C [q x q], initially zero, from the rows x [n x q]. */

/* The total scatter relative to the identity. */
static void pca_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y,
                       oracle *fit)
{
    oracle_total(n, fit->q, x, fit->B);
    for (int64_t i = 0; i < fit->q; i++)
        fit->C[i * fit->q + i] = 1;
}

/* The scatter between classes relative to the scatter within them. */
static void fda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y,
                       oracle *fit)
{
    oracle_fisher(n, fit->q, x, y, fit->B, fit->C);
}

/* The local scatters of classes. Sugiyama: JMLR 8 (2007). */
static void lfda_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y,
                        oracle *fit)
{
    const enum oracle_scaling scaling = option_is(o, "scaling_rows", "all") ? ORACLE_ALL
                                        : option_is(o, "scaling_rows", "labelled")
                                            ? ORACLE_LABELLED
                                            : ORACLE_CLASSWISE;

    const oracle_affinities how = oracle_affinities_of(o, scaling);

    oracle_local(n, fit->q, x, y, &how, ORACLE_LB, fit->B);
    oracle_local(n, fit->q, x, y, &how, ORACLE_LW, fit->C);
}

/* lfda and pca, blended. Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61. */
static void self_oracle(const fit_options *o, int64_t n, const double *x, const int32_t *y,
                        oracle *fit)
{
    const int64_t q = fit->q, qq = q * q;
    const double beta = option(o, "beta"),
                 within = option_is(o, "beta_within", "same") ? beta : option(o, "beta_within");
    const oracle_affinities how = oracle_affinities_of(o, ORACLE_ALL);
    double *s = zeros(qq);

    if (beta < 1) {
        oracle_local(n, q, x, y, &how, ORACLE_LB, s);
        dense_add(qq, 1 - beta, s, fit->B);
    }
    if (within < 1) {
        oracle_local(n, q, x, y, &how, ORACLE_LW, s);
        dense_add(qq, 1 - within, s, fit->C);
    }
    if (beta > 0) {
        oracle_total(n, q, x, s);
        dense_add(qq, option_is(o, "total", "covariance") ? beta / (double)n : beta, s, fit->B);
    }
    for (int64_t i = 0; i < q; i++)
        fit->C[i * q + i] += within;
}

/* The identity replaces C = 0. */
static void add_ridge(const fit_options *o, int64_t q, const double *B, double *C)
{
    const double ridge = option(o, "ridge");
    double trace = 0, of_B = 0;
    for (int64_t i = 0; i < q; i++) {
        trace += C[i * q + i];
        of_B += B[i * q + i];
    }
    const int zero = trace <= DENSE_NOISE * of_B;
    for (int64_t i = 0; ridge > 0 && i < q; i++)
        C[i * q + i] += (zero ? of_B : ridge * trace) / (double)q;
}

oracle *oracle_fit(const char *text, int64_t n, int64_t d, const double *x, const int32_t *y)
{
    static const struct {
        const char *name;
        void (*fill)(const fit_options *o, int64_t n, const double *x, const int32_t *y,
                     oracle *fit);
    } methods[] = {
        { "pca", pca_oracle },
        { "fda", fda_oracle },
        { "lfda", lfda_oracle },
        { "self", self_oracle },
    };
    fit_options o = options_read(text);
    coordinates c = coordinates_of(&o, n, d, d, x);
    const int64_t q = c.q;
    oracle *fit = check_allocate(1, sizeof *fit);
    int known = 0;

    *fit = (oracle){ .d = d,
                     .q = q,
                     .mean = dense_copy(d, c.mean),
                     .basis = dense_copy(d * q, c.basis),
                     .unbasis = dense_copy(q * d, c.unbasis),
                     .B = zeros(q * q),
                     .C = zeros(q * q) };
    for (size_t i = 0; q > 0 && i < sizeof methods / sizeof *methods; i++)
        if (options_are_of(&o, methods[i].name)) {
            methods[i].fill(&o, n, c.x, y, fit);
            known = 1;
        }
    if (q > 0 && !known)
        abort();
    if (q > 0 && !options_are_of(&o, "pca"))
        add_ridge(&o, q, fit->B, fit->C);
    if (q > 0)
        solve(&o, options_are_of(&o, "fda") ? classes(n, y) - 1 : q, fit);
    return fit;
}
