/* lpp_oracle.c - see lpp.h. The letters are those of Sugiyama, Ide, Nakajima, Sese: Machine
 * Learning 78 (2010) 35-61, sections 3.2 and 4.5.1. */
#define _POSIX_C_SOURCE 200809L

#include "oracle/lpp_oracle.h"

#include <stdio.h>

/* Below this part of the largest, an eigenvalue is 0; what the tests ask about lies far above. */
static const double NOISE = 1e-11;

/* Both answers are rounded by this much times the condition of what is inverted, divided by a small
 * gap. */
static const double ROUNDING = 1e-13;

static double *zeros(int64_t count)
{
    return check_allocate(count, sizeof(double));
}

/* ---- scatters ---- */

static double distance2(int64_t d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t c = 0; c < d; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The squared distance of row i to its k-th nearest other row, or the farthest. */
static double reach2(int64_t n, int64_t d, const double *x, int64_t i, int64_t k)
{
    double *all = zeros(n);
    int64_t count = 0;

    for (int64_t j = 0; j < n; j++)
        if (j != i)
            all[count++] = distance2(d, x + i * d, x + j * d);
    qsort(all, (size_t)count, sizeof *all, ascending);
    const double answer = count == 0 ? 0 : all[(k < count ? k : count) - 1];
    free(all);
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

/* ---- what the text says ---- */

struct options {
    char method[16], metric[16], total[16], graph[16], origin[16], scale[16], normalize[16],
        pca[16];
    double beta, gamma, ridge;
    int64_t neighbors;
};

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int take(const char *word, const char *name, char *value, size_t size)
{
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != '=')
        return 0;
    snprintf(value, size, "%s", word + length + 1);
    return 1;
}

static struct options read_options(const char *text)
{
    struct options o = { .total = "scatter",
                         .graph = "dense",
                         .origin = "zero",
                         .scale = "none",
                         .normalize = "none",
                         .beta = 0.5,
                         .neighbors = 7 };
    char words[512], number[64], *save = NULL;

    snprintf(words, sizeof words, "%s", text);
    snprintf(o.method, sizeof o.method, "%s", strtok_r(words, " ", &save));
    snprintf(o.metric, sizeof o.metric, "%s", is(o.method, "lpp") ? "plain" : "weighted");
    for (char *word; (word = strtok_r(NULL, " ", &save));) {
        if (take(word, "beta", number, sizeof number))
            o.beta = strtod(number, NULL);
        else if (take(word, "gamma", number, sizeof number))
            o.gamma = strtod(number, NULL);
        else if (take(word, "ridge", number, sizeof number))
            o.ridge = strtod(number, NULL);
        else if (take(word, "neighbors", number, sizeof number))
            o.neighbors = strtoll(number, NULL, 10);
        else if (!take(word, "metric", o.metric, sizeof o.metric)
                 && !take(word, "total", o.total, sizeof o.total)
                 && !take(word, "graph", o.graph, sizeof o.graph)
                 && !take(word, "origin", o.origin, sizeof o.origin)
                 && !take(word, "scale", o.scale, sizeof o.scale)
                 && !take(word, "normalize", o.normalize, sizeof o.normalize)
                 && !take(word, "dim", number, sizeof number))
            abort();
    }
    return o;
}

/* ---- preprocessing ---- */

/* The rows with lengths and columns as asked for; not centered. */
static double *prepared(const struct options *o, const sample *s, lpp_oracle *f)
{
    const int64_t n = s->n, d = s->d;
    double *x = zeros(n * d);

    memcpy(x, s->x, (size_t)(n * d) * sizeof *x);
    for (int64_t i = 0; is(o->normalize, "l2") && i < n; i++) {
        double square = 0;
        for (int64_t c = 0; c < d; c++)
            square += x[i * d + c] * x[i * d + c];
        for (int64_t c = 0; square > 0 && c < d; c++)
            x[i * d + c] /= sqrt(square);
    }
    for (int64_t i = 0; i < n * d; i++)
        f->mean[i % d] += x[i] / (double)n;
    for (int64_t c = 0; c < d; c++) {
        double variance = 0;
        for (int64_t i = 0; i < n; i++)
            variance += (x[i * d + c] - f->mean[c]) * (x[i * d + c] - f->mean[c]) / (double)n;
        f->scale[c] = is(o->scale, "standard") && variance > 1e-20 ? 1 / sqrt(variance) : 1;
    }
    for (int64_t i = 0; i < n * d; i++)
        x[i] *= f->scale[i % d];
    return x;
}

/* ---- the eigenproblem ---- */

/* Eigenvectors of F' A F for F = B^-1/2, through B brought to a diagonal of 1; 0 unless B is
 * positive definite.
 * *condition: of that B. */
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
    oracle_eigen(d, unit, b, u);
    good = good && b[d - 1] > NOISE * b[0];
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
        oracle_eigen(d, M, values, v);
    for (int64_t i = 0; good && i < d; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t k = 0; k < d; k++)
                phi[i * d + j] += F[i * d + k] * v[k * d + j];
    free(root), free(unit), free(b), free(u), free(F), free(half), free(M), free(v);
    return good;
}

/* Columns of phi in the metric, the best first, the sign rule in the columns as given. */
static void take_columns(lpp_oracle *f, const double *values, const double *phi, int smallest)
{
    const int64_t d = f->d;
    double *T = zeros(d * d);

    while (f->k < d && (smallest || values[f->k] > NOISE * values[0]))
        f->k++;
    for (int64_t c = 0; c < f->k; c++) {
        const int64_t from = smallest ? d - 1 - c : c;
        f->lambda[c] = values[from] > NOISE * values[0] ? values[from] : 0;
        for (int64_t j = 0; j < d; j++)
            T[j * f->k + c] = phi[j * d + from] * (f->weighted ? sqrt(values[from]) : 1);
    }
    double *q = f->orthonormal ? check_basis(d, f->k, T, f->k) : NULL;
    for (int64_t i = 0; i < d * f->k; i++)
        f->W[i] = (q ? q : T)[i] * f->scale[i / f->k];
    for (int64_t c = 0; c < f->k; c++)
        if (f->W[oracle_sign_row(d, f->W, f->k, c) * f->k + c] < 0)
            for (int64_t j = 0; j < d; j++)
                f->W[j * f->k + c] *= -1;
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

static void add(int64_t count, double factor, const double *a, double *sum)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += factor * a[i];
}

/* B and C of section 3, with shares of LFDA, PCA and iLPP. */
static void blend(const struct options *o, const sample *s, const double *x, const double share[3],
                  double *B, double *C)
{
    const int64_t n = s->n, d = s->d, all = d * d;
    double *one = zeros(all), *two = zeros(all);

    if (share[0] > 0) {
        oracle_local(n, d, x, s->y, o->neighbors, ORACLE_ALL, ORACLE_LB_WEIGHTS, one);
        oracle_local(n, d, x, s->y, o->neighbors, ORACLE_ALL, ORACLE_LW, two);
        add(all, share[0], one, B);
        add(all, share[0], two, C);
    }
    if (share[1] > 0) {
        oracle_total(n, d, x, one);
        add(all, is(o->total, "covariance") ? share[1] / (double)n : share[1], one, B);
        for (int64_t j = 0; j < d; j++)
            C[j * d + j] += share[1];
    }
    if (share[2] > 0) {
        lpp_scatters(n, d, x, o->neighbors, is(o->graph, "mutual"), is(o->origin, "mean"), one,
                     two);
        add(all, share[2], one, B);
        add(all, share[2], two, C);
    }
    free(one), free(two);
}

/* A phi = lambda B phi: the largest lambda or, for lpp, the smallest. */
static pen_status solve(const struct options *o, const double *A, double *B, int smallest,
                        lpp_oracle *f)
{
    const int64_t d = f->d;
    double *values = zeros(d), *phi = zeros(d * d), trace = 0;

    for (int64_t j = 0; j < d; j++)
        trace += B[j * d + j];
    for (int64_t j = 0; j < d; j++)
        B[j * d + j] += o->ridge * trace / (double)d;
    memcpy(f->A, A, (size_t)(d * d) * sizeof *A);
    memcpy(f->B, B, (size_t)(d * d) * sizeof *B);
    const int good =
        !(smallest && is_zero(d * d, A)) && eigen_ratio(d, A, B, values, phi, &f->condition);
    if (good)
        take_columns(f, values, phi, smallest);
    free(values), free(phi);
    return !good ? PEN_SINGULAR_SCATTER : f->k == 0 ? PEN_RANK_TOO_SMALL : PEN_OK;
}

lpp_oracle *lpp_oracle_fit(const char *text, const sample *s)
{
    const struct options o = read_options(text);
    const int64_t n = s->n, d = s->d;
    const int lpp = is(o.method, "lpp"), mix = is(o.method, "self-mix"),
              ilpp = lpp || is(o.method, "ilpp");
    const double g = ilpp  ? 1
                     : mix ? o.gamma
                           : o.beta,
                 b = mix ? o.beta : 0, share[] = { 1 - b - g, b, g };
    lpp_oracle *f = check_allocate(1, sizeof *f);
    double *B = zeros(d * d), *C = zeros(d * d);

    *f = (lpp_oracle){ .d = d,
                       .mean = zeros(d),
                       .scale = zeros(d),
                       .A = zeros(d * d),
                       .B = zeros(d * d),
                       .W = zeros(d * d) };
    f->lambda = zeros(d);
    f->weighted = is(o.metric, "weighted");
    f->orthonormal = is(o.metric, "orthonormal");
    double *x = prepared(&o, s, f);
    blend(&o, s, x, share, B, C);
    f->status = g > 0 && n < d && is(o.origin, "zero") ? PEN_BAD_ARGUMENT
                : lpp                                  ? solve(&o, C, B, 1, f)
                                                       : solve(&o, B, C, 0, f);
    free(x), free(B), free(C);
    return f;
}

void lpp_oracle_free(lpp_oracle *f)
{
    free(f->mean), free(f->scale), free(f->A), free(f->B), free(f->lambda), free(f->W), free(f);
}

/* ---- models against the oracle ---- */

/* Eigenvalues j - 1 and j as a part of the largest of all. */
static double gap(const lpp_oracle *f, int64_t j, double largest)
{
    return j == 0 ? 1
                  : fabs(f->lambda[j - 1]
                         - (j < f->k      ? f->lambda[j]
                            : f->k < f->d ? 0
                                          : INFINITY))
                        / largest;
}

static double bilinear(int64_t d, const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            sum += a[i] * (m ? m[i * d + j] : i == j) * b[j];
    return sum;
}

/* A t = lambda B t and t'Bt as the metric has it, t: columns of the model in scaled coordinates. */
static void check_problem(const lpp_oracle *f, const pen_model *model, double tolerance,
                          const char *text)
{
    const int64_t d = f->d, r = pen_model_output_dim(model);
    const double *w = pen_model_projection(model), *lambda = pen_model_eigenvalues(model);
    double *t = zeros(r * d), size_a = 0, size_b = 0;

    for (int64_t i = 0; i < r * d; i++)
        t[i] = w[i % d * r + i / d] / f->scale[i % d];
    for (int64_t i = 0; i < d * d; i++) {
        size_a += f->A[i] * f->A[i];
        size_b += f->B[i] * f->B[i];
    }
    for (int64_t c = 0; c < r; c++) {
        const double *own = t + c * d, unit = f->weighted ? lambda[c] : 1;
        double residual = 0, square = 0;
        for (int64_t i = 0; i < d; i++) {
            double sum = 0;
            for (int64_t j = 0; j < d; j++)
                sum += (f->A[i * d + j] - lambda[c] * f->B[i * d + j]) * own[j];
            residual += sum * sum;
            square += own[i] * own[i];
        }
        const double most = tolerance * (sqrt(size_a) + lambda[c] * sqrt(size_b)) * sqrt(square);
        CHECK(f->orthonormal || sqrt(residual) <= most,
              "%s: column %lld leaves the residual %.3g, at most %.3g", text, (long long)c,
              sqrt(residual), most);
        for (int64_t e = 0; e <= c; e++) {
            const double dot = bilinear(d, t + e * d, f->orthonormal ? NULL : f->B, own),
                         scale = f->weighted ? sqrt(lambda[e] * unit) : 1;
            CHECK(fabs(dot - (e == c ? unit : 0)) <= 100 * tolerance * scale,
                  "%s: columns %lld and %lld have the product %.17g", text, (long long)e,
                  (long long)c, dot);
        }
    }
    free(t);
}

static void check_columns(const lpp_oracle *f, const pen_model *model, double tolerance,
                          const char *text)
{
    const int64_t d = f->d, r = pen_model_output_dim(model);
    const double *w = pen_model_projection(model), *lambda = pen_model_eigenvalues(model),
                 clear = 1e-3;
    const double largest = fmax(f->lambda[0], f->lambda[f->k - 1]);

    for (int64_t c = 0; c < r; c++) {
        double size = 0, dot = 0;
        CHECK(fabs(lambda[c] - f->lambda[c]) <= tolerance * (f->lambda[c] + 1e-3 * largest),
              "%s: eigenvalue %lld is %.17g, expected %.17g", text, (long long)c, lambda[c],
              f->lambda[c]);
        CHECK(w[oracle_sign_row(d, w, r, c) * r + c] > 0, "%s: column %lld breaks the sign rule",
              text, (long long)c);
        if (!(gap(f, c + 1, largest) > clear))
            continue;
        const double apart = check_subspaces(d, c + 1, w, r, f->W, f->k);
        CHECK(apart <= tolerance, "%s: the spans of the first %lld columns are %.3g apart", text,
              (long long)c + 1, apart);
        for (int64_t j = 0; j < d; j++) {
            size = fmax(size, fabs(f->W[j * f->k + c]));
            dot += f->W[j * f->k + c] * w[j * r + c];
        }
        for (int64_t j = 0; gap(f, c, largest) > clear && j < d; j++) {
            const double value = (dot < 0 ? -1 : 1) * w[j * r + c], right = f->W[j * f->k + c];
            CHECK(fabs(value - right) <= tolerance * size,
                  "%s: projection[%lld][%lld] is %.17g, expected %.17g", text, (long long)j,
                  (long long)c, value, right);
        }
    }
}

void check_like_lpp_oracle(const char *text, const sample *s, double tolerance)
{
    lpp_oracle *f = lpp_oracle_fit(text, s);
    const pen_data data = sample_data(s);
    char label[300];

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)s->n, (long long)s->d);
    if (f->status != PEN_OK) {
        CHECK_FIT_FAILS(text, &data, f->status,
                        f->status == PEN_BAD_ARGUMENT ? "origin must be mean" : NULL);
    } else {
        pen_model *model = fit_data(text, &data);
        CHECK(strstr(text, "dim=") || pen_model_output_dim(model) == f->k,
              "%s: %lld dimensions, expected %lld", label, (long long)pen_model_output_dim(model),
              (long long)f->k);
        check_columns(f, model, tolerance + ROUNDING * f->condition, label);
        check_problem(f, model, tolerance, label);
        for (int64_t j = 0; j < f->d; j++)
            CHECK_CLOSE(pen_model_mean(model)[j], f->mean[j], 1e-13, 1e-13);
        pen_model_free(model);
    }
    lpp_oracle_free(f);
}

void check_all_lpp_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats)
{
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(repeats); repeat++)
        for (int which = 0; which < SHAPES; which++) {
            sample s = sample_shape(&rng, which);
            for (int64_t i = 0; i < count; i++)
                check_like_lpp_oracle(texts[i], &s, 1e-8);
            sample_free(&s);
        }
}

/* ---- what holds for all of them ---- */

static void check_same_models(const pen_model *a, const pen_model *b, const double *turned,
                              double factor, double lambda_factor, const char *text)
{
    const int64_t d = pen_model_input_dim(b), k = pen_model_output_dim(b);
    const double *w = pen_model_projection(a), *v = turned ? turned : pen_model_projection(b);

    CHECK(pen_model_output_dim(a) == k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_output_dim(a), (long long)k);
    for (int64_t c = 0; c < k; c++) {
        double size = 0, dot = 0;
        CHECK_CLOSE(pen_model_eigenvalues(a)[c], lambda_factor * pen_model_eigenvalues(b)[c], 1e-9,
                    0);
        for (int64_t j = 0; j < d; j++) {
            size = fmax(size, fabs(factor * v[j * k + c]));
            dot += w[j * k + c] * v[j * k + c];
        }
        for (int64_t j = 0; j < d; j++)
            CHECK(fabs((dot < 0 ? -1 : 1) * w[j * k + c] - factor * v[j * k + c]) <= 1e-7 * size,
                  "%s: projection[%lld][%lld] is %.17g", text, (long long)j, (long long)c,
                  w[j * k + c]);
    }
}

void check_lpp_same(const char *one, const char *other, const sample *s, const sample *of,
                    double factor, double lambda_factor)
{
    pen_model *a = fit_sample(one, s), *b = fit_sample(other, of);
    check_same_models(a, b, NULL, factor, lambda_factor, one);
    pen_model_free(a);
    pen_model_free(b);
}

void check_lpp_invariances(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 50, 4, 3, 24), other = sample_new(s.n, s.d), turned;
    int64_t *order = check_allocate(s.n, sizeof *order);
    double *random = zeros(s.d * s.d), *moved = zeros(s.d * s.d);

    pen_rng_permutation(&rng, s.n, order);
    for (int64_t i = 0; i < s.n; i++) {
        memcpy(other.x + i * s.d, s.x + order[i] * s.d, (size_t)s.d * sizeof *s.x);
        other.y[i] = s.y[order[i]] == PEN_UNLABELLED ? PEN_UNLABELLED : 7 - 3 * s.y[order[i]];
    }
    check_lpp_same(text, text, &other, &s, 1, 1);
    for (int64_t i = 0; i < s.d * s.d; i++)
        random[i] = check_normal(&rng);
    double *q = check_basis(s.d, s.d, random, s.d);
    turned = sample_times(&s, q);
    pen_model *a = fit_sample(text, &turned), *b = fit_sample(text, &s);
    const int64_t k = pen_model_output_dim(b);
    for (int64_t i = 0; i < s.d; i++)
        for (int64_t j = 0; j < s.d; j++)
            for (int64_t c = 0; c < k; c++)
                moved[i * k + c] += q[j * s.d + i] * pen_model_projection(b)[j * k + c];
    check_same_models(a, b, moved, 1, 1, text);
    pen_model_free(a);
    pen_model_free(b);
    free(q), free(random), free(moved), free(order);
    sample_free(&turned);
    sample_free(&other);
    sample_free(&s);
}

void check_lpp_threads(const char *text, const sample *s)
{
    static const int threads[] = { 1, 2, 5 };
    const pen_data data = sample_data(s);
    pen_spec *spec = spec_of(text);
    pen_model *models[3];
    pen_error err;

    for (int i = 0; i < 3; i++) {
        const pen_control control = { .threads = threads[i] };
        CHECK_OK(pen_fit(spec, &data, &control, &models[i], &err), &err);
        const size_t k = (size_t)pen_model_output_dim(models[0]);
        CHECK(pen_model_output_dim(models[i]) == (int64_t)k
                  && memcmp(pen_model_projection(models[i]), pen_model_projection(models[0]),
                            (size_t)s->d * k * sizeof(double))
                         == 0
                  && memcmp(pen_model_eigenvalues(models[i]), pen_model_eigenvalues(models[0]),
                            k * sizeof(double))
                         == 0,
              "%s: %d threads give other bits than 1", text, threads[i]);
    }
    for (int i = 0; i < 3; i++)
        pen_model_free(models[i]);
    pen_spec_free(spec);
}
