/* blend_family.c - see blend_family.h. */
#include "oracle/blend_family.h"
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"

/* Below this fraction of the largest, an eigenvalue counts as 0; the values that the tests check
 * are far above. */
static const double SMALLEST = 1e-11;

/* ---- scatters ---- */

static double distance2(int64_t d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t c = 0; c < d; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/* The squared distance of row i to its k-th nearest other row, or the farthest. */
static double reach2(int64_t n, int64_t d, const double *x, int64_t i, int64_t k)
{
    double *nearest = zeros(n); /* ascending, at most k of them */
    int64_t count = 0;

    for (int64_t j = 0; j < n; j++) {
        const double far = distance2(d, x + i * d, x + j * d);
        if (j == i || (count == k && far >= nearest[k - 1]))
            continue;
        int64_t at = count < k ? count++ : k - 1;
        for (; at > 0 && nearest[at - 1] > far; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = far;
    }
    const double answer = count == 0 ? 0 : nearest[count - 1];
    free(nearest);
    return answer;
}

static double affinity(double square, double reach_i, double reach_j, int mutual, int same)
{
    const double scale = sqrt(reach_i) * sqrt(reach_j);
    if (mutual && !same && !(square <= reach_i && square <= reach_j))
        return 0;
    return square == 0 ? 1 : scale == 0 ? 0 : exp(-square / scale);
}

void lpp_scatters(int64_t n, int64_t d, const double *x, int64_t neighbors, int mutual,
                  int about_mean, double *S_n, double *S_l)
{
    double *reach = zeros(n), *origin = zeros(d);

    for (int64_t i = 0; i < n; i++)
        reach[i] = reach2(n, d, x, i, neighbors);
    for (int64_t i = 0; about_mean && i < n * d; i++)
        origin[i % d] += x[i];
    for (int64_t j = 0; j < d; j++)
        origin[j] /= (double)n;
    memset(S_n, 0, (size_t)(d * d) * sizeof *S_n);
    memset(S_l, 0, (size_t)(d * d) * sizeof *S_l);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *a = x + i * d, *b = x + j * d;
            const double A =
                affinity(distance2(d, a, b), reach[i], reach[j], mutual, i == j) / (double)n;
            for (int64_t p = 0; A > 0 && p < d; p++)
                for (int64_t q = 0; q < d; q++) {
                    S_l[p * d + q] += 0.5 * A * (a[p] - b[p]) * (a[q] - b[q]);
                    S_n[p * d + q] += A * (a[p] - origin[p]) * (a[q] - origin[q]);
                }
        }
    free(reach), free(origin);
}

/* ---- preprocessing ---- */

/* The rows with lengths and columns as requested; not centered. */
static double *prepared(const fit_options *o, const sample *s, lpp_oracle *f)
{
    const int64_t n = s->n, d = s->d;
    const int standard = option_is(o, "scale", "standard");
    double *x = dense_copy(n * d, s->x);

    if (option_is(o, "row_steps", "l2"))
        normalize_rows(n, d, x);
    for (int64_t i = 0; i < n * d; i++)
        f->mean[i % d] += x[i] / (double)n;
    for (int64_t c = 0; c < d; c++) {
        double variance = 0;
        for (int64_t i = 0; i < n; i++)
            variance += (x[i * d + c] - f->mean[c]) * (x[i * d + c] - f->mean[c]) / (double)n;
        f->scale[c] = standard && variance > 1e-20 ? 1 / sqrt(variance) : 1;
    }
    for (int64_t i = 0; i < n * d; i++)
        x[i] *= f->scale[i % d];
    return x;
}

/* ---- the eigenproblem ---- */

/* Eigenvectors of F' A F for F = B^-1/2, with B rescaled to a unit diagonal; 0 unless B is positive
 * definite. *condition: of that B. */
static int eigen_ratio(int64_t d, const double *A, const double *B, double *values, double *phi,
                       double *condition)
{
    double *root = zeros(d), *unit = zeros(d * d), *b = zeros(d), *u = zeros(d * d),
           *F = zeros(d * d), *half = zeros(d * d);
    double *M = zeros(d * d), *v = zeros(d * d);
    int good = 1;
    double largest = 0;

    for (int64_t i = 0; i < d; i++)
        largest = fmax(largest, B[i * d + i]);
    for (int64_t i = 0; i < d; i++) {
        root[i] = sqrt(B[i * d + i]);
        good = good && B[i * d + i] > 1e-26 * largest; /* the mean of equal numbers is rounded */
    }
    for (int64_t i = 0; i < d * d; i++)
        unit[i] = good ? (B[i] + B[i % d * d + i / d]) / 2 / root[i / d] / root[i % d] : 0;
    dense_eigen(d, unit, b, u);
    good = good && b[d - 1] > SMALLEST * b[0];
    *condition = good ? b[0] / b[d - 1] : INFINITY;
    for (int64_t i = 0; good && i < d * d; i++)
        F[i] = u[i] / root[i / d] / sqrt(b[i % d]);
    for (int64_t i = 0; good && i < d; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t k = 0; k < d; k++)
                half[i * d + j] += A[i * d + k] * F[k * d + j];
    for (int64_t i = 0; good && i < d; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = 0; k < d; k++)
                sum += (F[k * d + i] * half[k * d + j] + F[k * d + j] * half[k * d + i]) / 2;
            M[i * d + j] = M[j * d + i] = sum;
        }
    if (good)
        dense_eigen(d, M, values, v);
    for (int64_t i = 0; good && i < d; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t k = 0; k < d; k++)
                phi[i * d + j] += F[i * d + k] * v[k * d + j];
    free(root), free(unit), free(b), free(u), free(F), free(half), free(M), free(v);
    return good;
}

/* Columns of phi in the metric, best first, with the sign rule in the columns as given. */
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
    free(q);
    free(T);
}

static int is_zero(int64_t count, const double *a)
{
    for (int64_t i = 0; i < count; i++)
        if (a[i] != 0)
            return 0;
    return 1;
}

/* B and C of section 3, with shares of LFDA, PCA and iLPP. */
static void add_shares(const fit_options *o, const sample *s, const double *x, const blend *share,
                       double *B, double *C)
{
    const int64_t n = s->n, d = s->d, all = d * d;
    double *one = zeros(all), *two = zeros(all);

    if (share->lfda > 0) {
        oracle_local(n, d, x, s->y, option_int(o, "neighbors"), ORACLE_ALL, ORACLE_LB_WEIGHTS, one);
        oracle_local(n, d, x, s->y, option_int(o, "neighbors"), ORACLE_ALL, ORACLE_LW, two);
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
    free(one), free(two);
}

/* Projects rows on the span of the centered ones, found by Gram-Schmidt, applied twice. Adds
 * `outside` times the projector on the rest to A. */
static void project_on_span(int64_t n, int64_t d, double *x, double outside, double *A)
{
    double *mean = zeros(d), *basis = zeros(n * d);
    int64_t rank = 0;

    for (int64_t i = 0; i < n * d; i++)
        mean[i % d] += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        double *const v = basis + rank * d, before = 0, after = 0;
        for (int64_t j = 0; j < d; j++) {
            v[j] = x[i * d + j] - mean[j];
            before += v[j] * v[j];
        }
        for (int64_t c = 0; c < 2 * rank; c++) {
            const double *const u = basis + c % rank * d, dot = dense_dot(d, u, v);
            for (int64_t j = 0; j < d; j++)
                v[j] -= dot * u[j];
        }
        after = dense_dot(d, v, v);
        for (int64_t j = 0; j < d; j++)
            v[j] /= sqrt(after);
        rank += after > 1e-20 * before;
    }
    for (int64_t i = 0; i < n; i++) {
        double *const row = x + i * d, *to = zeros(d);
        for (int64_t c = 0; c < rank; c++) {
            const double dot = dense_dot(d, basis + c * d, row);
            for (int64_t j = 0; j < d; j++)
                to[j] += dot * basis[c * d + j];
        }
        memcpy(row, to, (size_t)d * sizeof *row);
        free(to);
    }
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++) {
            double inside = 0;
            for (int64_t c = 0; c < rank; c++)
                inside += basis[c * d + i] * basis[c * d + j];
            A[i * d + j] += outside * ((i == j) - inside);
        }
    free(mean), free(basis);
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
    const int good =
        !(smallest && is_zero(d * d, A)) && eigen_ratio(d, A, B, values, phi, &f->condition);
    if (good)
        take_columns(f, values, phi, smallest);
    free(values), free(phi);
    return !good ? PEN_SINGULAR_SCATTER : f->k == 0 ? PEN_RANK_TOO_SMALL : PEN_OK;
}

/* ---- fits ---- */

lpp_oracle *lpp_oracle_fit(const char *text, const sample *s)
{
    fit_options o = options_read(text);
    const int64_t n = s->n, d = s->d;
    const blend share = options_are_of(&o, "lpp")         ? lpp_oracle_blend(&o)
                        : options_are_of(&o, "ilpp")      ? ilpp_oracle_blend(&o)
                        : options_are_of(&o, "self-ilpp") ? self_ilpp_oracle_blend(&o)
                                                          : self_mix_oracle_blend(&o);
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
    if (share.ilpp > 0 && n < d) /* lpp: what is constant in all rows comes last, not first */
        project_on_span(n, d, x, share.smallest ? 1e3 : 0, C);
    add_shares(&o, s, x, &share, B, C);
    f->status = share.smallest ? solve(&o, C, B, 1, f) : solve(&o, B, C, 0, f);
    free(x), free(B), free(C);
    options_free(&o);
    return f;
}

void lpp_oracle_free(lpp_oracle *f)
{
    free(f->mean), free(f->scale), free(f->A), free(f->B), free(f->lambda), free(f->W), free(f);
}
