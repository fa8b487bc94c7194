/* blend_fit.c - see blend_fit.h. */
#include "kit/blend_fit.h"
#include "kit/dense.h"

#include <stdio.h>

/* Both results have a rounding error of this much times the condition number of the inverted
 * matrix, divided by a small gap. */
static const double ROUNDING = 1e-13;

static double bilinear(int64_t d, const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            sum += a[i] * (m ? m[i * d + j] : i == j) * b[j];
    return sum;
}

/* Eigenvalues j - 1 and j relative to the largest. */
static double gap(const lpp_oracle *f, int64_t j, double largest)
{
    return j == 0 ? 1
                  : fabs(f->lambda[j - 1]
                         - (j < f->k      ? f->lambda[j]
                            : f->k < f->d ? 0
                                          : INFINITY))
                        / largest;
}

/* A t = lambda B t, with t'Bt as the metric defines it; t: columns of the model in scaled
 * coordinates. */
static void check_problem(const lpp_oracle *f, const pen_model *model, double tolerance,
                          const char *text)
{
    const int64_t d = f->d, r = pen_model_dim(model);
    const double *w = pen_model_tensor(model, "projection").values,
                 *lambda = pen_model_tensor(model, "eigenvalues").values;
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
    const int64_t d = f->d, r = pen_model_dim(model);
    const double *w = pen_model_tensor(model, "projection").values,
                 *lambda = pen_model_tensor(model, "eigenvalues").values, clear = 1e-3;
    const double largest = fmax(f->lambda[0], f->lambda[f->k - 1]);

    check_signs(model, text);
    for (int64_t c = 0; c < r; c++) {
        double size = 0;
        CHECK(fabs(lambda[c] - f->lambda[c]) <= tolerance * (f->lambda[c] + 1e-3 * largest),
              "%s: eigenvalue %lld is %.17g, expected %.17g", text, (long long)c, lambda[c],
              f->lambda[c]);
        if (!(gap(f, c + 1, largest) > clear))
            continue;
        const double apart = check_subspaces(d, c + 1, w, r, f->W, f->k);
        CHECK(apart <= tolerance, "%s: the spans of the first %lld columns are %.3g apart", text,
              (long long)c + 1, apart);
        const double sign = dense_sign(d, f->W, f->k, w, r, c);
        for (int64_t j = 0; j < d; j++)
            size = fmax(size, fabs(f->W[j * f->k + c]));
        for (int64_t j = 0; gap(f, c, largest) > clear && j < d; j++) {
            const double value = sign * w[j * r + c], right = f->W[j * f->k + c];
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
    if (f->status == PEN_SINGULAR_SCATTER && columns_depend(&data.x)) {
        /* solved without the dependent ones */
    } else if (f->status != PEN_OK) {
        CHECK_FIT_FAILS(text, &data, f->status, NULL);
    } else {
        pen_model *model = fit_data(text, &data);
        CHECK(strstr(text, "dim=") || pen_model_dim(model) == f->k,
              "%s: %lld dimensions, expected %lld", label, (long long)pen_model_dim(model),
              (long long)f->k);
        check_columns(f, model, tolerance + ROUNDING * f->condition, label);
        check_problem(f, model, tolerance, label);
        for (int64_t j = 0; j < f->d; j++)
            CHECK_CLOSE(pen_model_tensor(model, "mean").values[j], f->mean[j], 1e-13, 1e-13);
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

static void check_same_models(const pen_model *a, const pen_model *b, const double *turned,
                              double factor, double lambda_factor, const char *text)
{
    const int64_t d = pen_model_columns(b), k = pen_model_dim(b);
    const double *w = pen_model_tensor(a, "projection").values,
                 *v = turned ? turned : pen_model_tensor(b, "projection").values;

    CHECK(pen_model_dim(a) == k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(a), (long long)k);
    for (int64_t c = 0; c < k; c++) {
        double size = 0, dot = 0;
        CHECK_CLOSE(pen_model_tensor(a, "eigenvalues").values[c],
                    lambda_factor * pen_model_tensor(b, "eigenvalues").values[c], 1e-9, 0);
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
    const int64_t k = pen_model_dim(b);
    for (int64_t i = 0; i < s.d; i++)
        for (int64_t j = 0; j < s.d; j++)
            for (int64_t c = 0; c < k; c++)
                moved[i * k + c] +=
                    q[j * s.d + i] * pen_model_tensor(b, "projection").values[j * k + c];
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
        const size_t k = (size_t)pen_model_dim(models[0]);
        CHECK(pen_model_dim(models[i]) == (int64_t)k
                  && memcmp(pen_model_tensor(models[i], "projection").values,
                            pen_model_tensor(models[0], "projection").values,
                            (size_t)s->d * k * sizeof(double))
                         == 0
                  && memcmp(pen_model_tensor(models[i], "eigenvalues").values,
                            pen_model_tensor(models[0], "eigenvalues").values, k * sizeof(double))
                         == 0,
              "%s: %d threads give other bits than 1", text, threads[i]);
    }
    for (int i = 0; i < 3; i++)
        pen_model_free(models[i]);
    pen_spec_free(spec);
}
