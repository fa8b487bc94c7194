/* check_fit.c - see check_fit.h. */
#include "kit/check_fit.h"
#include "model/spec.h"

#include "eval/choose/select.h"

#include <stdio.h>

/* ---- rows ---- */

void sample_free(sample *s)
{
    free(s->x);
    free(s->y);
}

sample sample_new(int64_t n, int64_t d)
{
    const sample s = { n, d, check_allocate(n * d, sizeof *s.x), check_allocate(n, sizeof *s.y) };
    return s;
}

sample sample_of(int64_t n, int64_t d, const double *x, const int32_t *y)
{
    sample s = sample_new(n, d);
    memcpy(s.x, x, (size_t)(n * d) * sizeof *x);
    memcpy(s.y, y, (size_t)n * sizeof *y);
    return s;
}

sample sample_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled)
{
    sample s = sample_new(n, d);
    double *centers = check_allocate(classes * d, sizeof *centers);
    int64_t *order = check_allocate(n, sizeof *order);

    for (int64_t i = 0; i < classes * d; i++)
        centers[i] = 2 * check_normal(rng);
    pen_rng_permutation(rng, n, order);
    for (int64_t i = 0; i < n; i++) {
        const int64_t row = order[i], class = i % classes;
        for (int64_t c = 0; c < d; c++) {
            const double spread = 0.5 + 2 * (double)(c % 5) / 5;
            s.x[row * d + c] =
                rint(4096 * (centers[class * d + c] + spread * check_normal(rng))) / 4096;
        }
        s.y[row] = i < labelled ? (int32_t) class : PEN_UNLABELLED;
    }
    free(centers);
    free(order);
    return s;
}

pen_data sample_data(const sample *s)
{
    const pen_data data = { .x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d), .labels = s->y };
    return data;
}

/* ---- fits ---- */

pen_selection *select_data(const char *text, const pen_data *data, int threads)
{
    pen_spec *const spec = spec_of(text);
    pen_selection *found;
    pen_error err;

    CHECK_OK(pen_select(spec, data, &(pen_control){ .threads = threads }, &found, &err), &err);
    pen_spec_free(spec);
    return found;
}

pen_status fit_status(const char *text, const pen_data *data, pen_model **model, pen_error *err)
{
    pen_spec *spec = spec_of(text);
    pen_model *out = (pen_model *)(void *)&spec;
    const pen_status status = pen_fit(spec, data, NULL, &out, err);

    CHECK((status == PEN_OK) == (out != NULL), "%s: status %d, model %p", text, (int)status,
          (void *)out);
    pen_spec_free(spec);
    *model = out;
    return status;
}

pen_model *fit_data(const char *text, const pen_data *data)
{
    pen_model *model = NULL;
    pen_error err;
    const pen_status status = fit_status(text, data, &model, &err);
    CHECK(status == PEN_OK, "%s: %s (%lld rows of %lld)", text, err.message,
          (long long)data->x.rows, (long long)data->x.cols);
    return model;
}

pen_model *fit_sample(const char *text, const sample *s)
{
    const pen_data data = sample_data(s);
    return fit_data(text, &data);
}

/* ---- models ---- */

void check_fit_fails(const char *text, const pen_data *data, pen_status code, const char *phrase,
                     const char *file, int line)
{
    pen_model *none = NULL;
    pen_error err;
    char label[300];
    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)data->x.rows,
             (long long)data->x.cols);
    check_status(fit_status(text, data, &none, &err), code, phrase, &err, label, file, line);
}

expected expected_of(const pen_model *model)
{
    const int64_t d = pen_model_columns(model), k = pen_model_dim(model);
    return (expected){ d,
                       k,
                       k,
                       pen_model_tensor(model, "mean").values,
                       pen_model_tensor(model, "eigenvalues").values,
                       pen_model_tensor(model, "projection").values };
}

/* The gap between eigenvalues j - 1 and j relative to the largest: columns of nearly equal
 * eigenvalues are not uniquely defined. */
static double spectral_gap(const expected *e, int64_t j)
{
    return j == 0 ? 1 : (e->lambda[j - 1] - (j < e->k ? e->lambda[j] : 0)) / e->lambda[0];
}

static double largest_entry(int64_t d, const double *w, int64_t stride, int64_t column)
{
    double most = 0;
    for (int64_t i = 0; i < d; i++)
        most = fmax(most, fabs(w[i * stride + column]));
    return most;
}

void check_signs(const pen_model *model, const char *text)
{
    const int64_t d = pen_model_columns(model), r = pen_model_dim(model);
    const double *const w = pen_model_tensor(model, "projection").values,
                        *const by = pen_model_tensor(model, "deviation").values;

    for (int64_t j = 0; j < r; j++) {
        double most = 0, first = 0;
        for (int64_t i = 0; i < d; i++)
            most = fmax(most, by[i] * fabs(w[i * r + j]));
        for (int64_t i = d - 1; i >= 0; i--)
            first = by[i] * fabs(w[i * r + j]) >= most * (1 - 1e-9) ? w[i * r + j] : first;
        CHECK(first > 0, "%s: column %lld breaks the sign rule", text, (long long)j);
    }
}

/* Column j up to sign, to `tolerance` of its largest entry. */
static void check_column(const expected *e, const double *w, int64_t k, int64_t j, double tolerance,
                         const char *text)
{
    const double size = largest_entry(e->d, e->w, e->stride, j),
                 sign = dense_sign(e->d, e->w, e->stride, w, k, j);

    for (int64_t i = 0; i < e->d; i++) {
        const double value = sign * w[i * k + j], right = e->w[i * e->stride + j];
        CHECK(fabs(value - right) <= tolerance * size,
              "%s: projection[%lld][%lld] is %.17g, expected %.17g", text, (long long)i,
              (long long)j, value, right);
    }
}

void check_model(const pen_model *model, const expected *e, double tolerance, const char *text)
{
    const int64_t r = pen_model_dim(model), d = pen_model_columns(model);
    const double *lambda = pen_model_tensor(model, "eigenvalues").values,
                 *w = pen_model_tensor(model, "projection").values,
                 *mean = pen_model_tensor(model, "mean").values;
    const double clear = 1e-3;

    CHECK(d == e->d && r >= 1 && r <= e->k,
          "%s: the model maps %lld to %lld, expected %lld to at most %lld", text, (long long)d,
          (long long)r, (long long)e->d, (long long)e->k);
    check_signs(model, text);
    for (int64_t j = 0; j < r; j++) {
        CHECK(fabs(lambda[j] - e->lambda[j]) <= tolerance * (e->lambda[j] + 1e-3 * e->lambda[0]),
              "%s: eigenvalue %lld is %.17g, expected %.17g", text, (long long)j, lambda[j],
              e->lambda[j]);
        if (spectral_gap(e, j + 1) > clear) {
            const double apart = check_subspaces(d, j + 1, w, r, e->w, e->stride);
            CHECK(apart <= tolerance, "%s: the spans of the first %lld columns are %.3g apart",
                  text, (long long)j + 1, apart);
        }
        if (spectral_gap(e, j) > clear && spectral_gap(e, j + 1) > clear)
            check_column(e, w, r, j, tolerance, text);
    }
    for (int64_t i = 0; e->mean && i < d; i++)
        CHECK(fabs(mean[i] - e->mean[i]) <= 1e-13 * (1 + fabs(e->mean[i])),
              "%s: mean[%lld] is %.17g, expected %.17g", text, (long long)i, mean[i], e->mean[i]);
}

/* ---- models against the oracle ---- */

static double frobenius(int64_t count, const double *a)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * a[i];
    return sqrt(sum);
}

/* a' m b */
static double bilinear(int64_t q, const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++)
            sum += a[i] * m[i * q + j] * b[j];
    return sum;
}

/* Column j of the model in the coordinates of the method. */
static double *method_column(const oracle *o, const double *w, int64_t r, int64_t j)
{
    double *t = check_allocate(o->q, sizeof *t);
    for (int64_t i = 0; i < o->q; i++)
        for (int64_t c = 0; c < o->d; c++)
            t[i] += o->unbasis[i * o->d + c] * w[c * r + j];
    return t;
}

/* The model's columns solve the oracle's problem: B phi = lambda C phi, phi' C phi = I or T' C T =
 * diag(lambda), T' T = I if orthonormal. */
static void check_solution(const pen_model *model, const oracle *o, double tolerance,
                           const char *text)
{
    const int64_t r = pen_model_dim(model), q = o->q;
    const double *lambda = pen_model_tensor(model, "eigenvalues").values,
                 *w = pen_model_tensor(model, "projection").values;
    const double size_b = frobenius(q * q, o->B), size_c = frobenius(q * q, o->C);
    const int weighted = o->metric == ORACLE_WEIGHTED,
              orthonormal = o->metric == ORACLE_ORTHONORMAL;
    double *identity = check_allocate(q * q, sizeof *identity);

    for (int64_t i = 0; i < q; i++)
        identity[i * q + i] = 1;
    for (int64_t j = 0; j < r; j++) {
        double *t = method_column(o, w, r, j);
        double residual = 0;
        for (int64_t i = 0; i < q && !orthonormal; i++) {
            double sum = 0;
            for (int64_t c = 0; c < q; c++)
                sum += (o->B[i * q + c] - lambda[j] * o->C[i * q + c]) * t[c];
            residual += sum * sum;
        }
        const double most = tolerance * (size_b + lambda[j] * size_c) * frobenius(q, t);
        CHECK(sqrt(residual) <= most, "%s: column %lld leaves the residual %.3g, at most %.3g",
              text, (long long)j, sqrt(residual), most);
        for (int64_t i = 0; i <= j; i++) {
            double *s = method_column(o, w, r, i);
            const double dot = bilinear(q, s, orthonormal ? identity : o->C, t),
                         unit = weighted ? sqrt(lambda[i] * lambda[j]) : 1;
            CHECK(fabs(dot - (i == j ? unit : 0)) <= 100 * tolerance * unit,
                  "%s: T' C T [%lld][%lld] is %.17g, expected %.17g", text, (long long)i,
                  (long long)j, dot, i == j ? unit : 0);
            free(s);
        }
        free(t);
    }
    free(identity);
}

void check_labelled_rows_equal(const char *text, const sample *s)
{
    const pen_data data = sample_data(s);
    pen_model *model = NULL;
    pen_error err;
    const pen_status status = fit_status(text, &data, &model, &err);
    CHECK(status == PEN_SINGULAR_SCATTER || status == PEN_RANK_TOO_SMALL,
          "%s with all labelled rows equal: status %d %s, eigenvalue %g", text, (int)status,
          status ? err.message : "", model ? pen_model_tensor(model, "eigenvalues").values[0] : 0);
}

int columns_depend(const pen_array *x)
{
    const int64_t n = x->rows, d = x->cols, most = n - 1 < d ? n - 1 : d;
    double *rest = check_allocate(n * d, sizeof *rest); /* columns, less their parts in others */
    int64_t rank = 0;

    for (int64_t j = 0; j < d; j++) {
        double mean = 0, before = 0, after = 0;
        double *const column = rest + rank * n;
        for (int64_t i = 0; i < n; i++)
            mean += ((const double *)x->values)[i * d + j] / (double)n;
        for (int64_t i = 0; i < n; i++) {
            column[i] = ((const double *)x->values)[i * d + j] - mean;
            before += column[i] * column[i];
        }
        for (int64_t c = 0; c < 2 * rank; c++) {
            double dot = 0;
            for (int64_t i = 0; i < n; i++)
                dot += rest[c % rank * n + i] * column[i];
            for (int64_t i = 0; i < n; i++)
                column[i] -= dot * rest[c % rank * n + i];
        }
        for (int64_t i = 0; i < n; i++)
            after += column[i] * column[i];
        for (int64_t i = 0; i < n; i++)
            column[i] /= sqrt(after);
        rank += after > 1e-20 * before && rank < most;
    }
    free(rest);
    return rank < most;
}

void check_like_oracle(const char *text, const sample *s, double tolerance)
{
    oracle *o = oracle_fit(text, s->n, s->d, s->x, s->y);
    const pen_data data = sample_data(s);
    char label[300];

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)s->n, (long long)s->d);
    if (o->q == 0) {
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, NULL);
    } else if (o->singular && frobenius(o->q * o->q, o->B) == 0) {
        check_labelled_rows_equal(text, s);
    } else if (o->singular && columns_depend(&data.x)) {
        /* solved without the dependent ones */
    } else if (o->singular) {
        CHECK_FIT_FAILS(text, &data, PEN_SINGULAR_SCATTER, "the denominator scatter is");
    } else if (o->k == 0) {
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, NULL);
    } else {
        pen_model *model = fit_data(text, &data);
        const expected e = { o->d, o->k, o->q, o->mean, o->lambda, o->W };
        check_model(model, &e, tolerance, label);
        check_solution(model, o, tolerance, label);
        CHECK(strstr(text, "dim=") || pen_model_dim(model) == o->k,
              "%s: %lld dimensions, expected all %lld", label, (long long)pen_model_dim(model),
              (long long)o->k);
        pen_model_free(model);
    }
    oracle_free(o);
}

/* ---- rows and models for every method ---- */

sample sample_shape(pen_rng *rng, int which)
{
    sample s;
    switch (which) {
    case 0: /* few columns */
        return sample_random(rng, 40, 3, 2, 12);
    case 1: /* three classes */
        return sample_random(rng, 60, 7, 3, 30);
    case 2: /* all labelled */
        return sample_random(rng, 50, 5, 4, 50);
    case 3: /* more columns than rows */
        return sample_random(rng, 20, 33, 3, 12);
    case 4: /* as many columns as rows */
        return sample_random(rng, 18, 18, 2, 10);
    case 5: /* 15 rows three times each: with few neighbors, some distances are 0 */
        s = sample_random(rng, 45, 4, 3, 30);
        for (int64_t i = 15; i < 45; i++)
            memcpy(s.x + i * s.d, s.x + (i % 15) * s.d, (size_t)s.d * sizeof *s.x);
        return s;
    case 6: /* a column that varies in unlabelled rows alone */
        s = sample_random(rng, 40, 5, 3, 24);
        for (int64_t i = 0; i < s.n; i++)
            if (s.y[i] != PEN_UNLABELLED)
                s.x[i * s.d + 2] = 0.1;
        return s;
    case 7: /* one labelled row in a class, and arbitrary integers as labels */
        s = sample_random(rng, 50, 4, 2, 24);
        for (int64_t i = 0, left = 1; i < s.n; i++)
            s.y[i] = s.y[i] == 0 ? INT32_MIN : s.y[i] == 1 && left-- > 0 ? -7 : PEN_UNLABELLED;
        return s;
    case 8: /* classes of very different sizes */
        s = sample_random(rng, 90, 5, 9, 70);
        for (int64_t i = 0; i < s.n; i++)
            s.y[i] = s.y[i] > 1 ? 5 : s.y[i];
        return s;
    case 9: /* linearly dependent columns */
        s = sample_random(rng, 30, 6, 3, 20);
        for (int64_t i = 0; i < s.n; i++)
            s.x[i * s.d + 5] = s.x[i * s.d + 1] - 2 * s.x[i * s.d + 3];
        return s;
    case 10: /* more columns than rows, of rank 4 */
        s = sample_random(rng, 16, 24, 2, 10);
        for (int64_t i = 0; i < s.n; i++)
            for (int64_t c = 4; c < s.d; c++)
                s.x[i * s.d + c] = s.x[i * s.d + c % 4] + s.x[i * s.d + (c + 1) % 4];
        return s;
    default: /* many rows with one column */
        return sample_random(rng, 300, 1, 2, 40);
    }
}

void check_all_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats)
{
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(repeats); repeat++)
        for (int which = 0; which < SHAPES; which++) {
            sample s = sample_shape(&rng, which);
            for (int64_t i = 0; i < count; i++) {
                check_like_oracle(texts[i], &s, 1e-8);
            }
            sample_free(&s);
        }
}

void check_golden(const char *text, const sample *s, int64_t k, const double *lambda,
                  const double *w)
{
    char asked[256];
    snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)k);
    pen_model *model = fit_sample(asked, s);

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)k);
    for (int64_t j = 0; j < k; j++) {
        const double sign =
            dense_sign(s->d, pen_model_tensor(model, "projection").values, k, w, k, j);
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[j], lambda[j], 1e-8, 0);
        for (int64_t i = 0; i < s->d; i++)
            CHECK_CLOSE(sign * pen_model_tensor(model, "projection").values[i * k + j],
                        w[i * k + j], 1e-8, 1e-8 * largest_entry(s->d, w, k, j));
    }
    pen_model_free(model);
}

/* ---- equivalent forms of the same rows ---- */

pen_array recast(const sample *s, pen_dtype dtype, int64_t gap)
{
    const int64_t stride = s->d + gap, count = s->n * stride;
    const size_t size = dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
    void *values = check_allocate(count, size);

    for (int64_t i = 0; i < count; i++) {
        const int64_t row = i / stride, column = i % stride;
        const double value = column < s->d ? s->x[row * s->d + column] : NAN;
        if (dtype == PEN_F64)
            ((double *)values)[i] = value;
        else if (dtype == PEN_F32)
            ((float *)values)[i] = (float)value;
        else
            ((uint8_t *)values)[i] = column < s->d ? (uint8_t)value : 255;
    }
    return pen_dense(values, dtype, s->n, s->d, stride);
}

void recast_free(pen_array *array)
{
    free((void *)(uintptr_t)array->values);
}

void sample_to_bytes(sample *s)
{
    for (int64_t i = 0; i < s->n * s->d; i++)
        s->x[i] = fmin(255, fmax(0, rint(128 + 20 * s->x[i])));
}

void check_types(const char *text, const sample *of, double tolerance)
{
    sample s = sample_of(of->n, of->d, of->x, of->y);
    sample_to_bytes(&s);
    pen_model *right = fit_sample(text, &s);
    const expected e = expected_of(right);

    for (int kind = 0; kind < 6; kind++) {
        pen_data data = { .x = recast(&s, (pen_dtype)(kind % 3), kind < 3 ? 0 : 3), .labels = s.y };
        pen_model *model = fit_data(text, &data);
        CHECK(pen_model_dim(model) == e.k, "%s: type %d gives %lld dimensions, expected %lld", text,
              kind % 3, (long long)pen_model_dim(model), (long long)e.k);
        check_model(model, &e, tolerance, text);
        pen_model_free(model);
        recast_free(&data.x);
    }
    pen_model_free(right);
    sample_free(&s);
}

void check_nested(const char *text, const sample *s)
{
    char asked[256];
    pen_model *whole = fit_sample(text, s);
    const expected e = expected_of(whole);

    for (int64_t r = 1; r <= e.k; r++) {
        snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)r);
        pen_model *model = fit_sample(asked, s);
        CHECK(pen_model_dim(model) == r, "%s: %lld dimensions", asked,
              (long long)pen_model_dim(model));
        check_model(model, &e, 1e-9, asked);
        pen_model_free(model);
    }
    pen_model_free(whole);
}

/* ---- invariances ---- */

void check_related(const char *text, const sample *s, const sample *of, const double *q,
                   double factor, double lambda_factor, double tolerance)
{
    pen_model *model = fit_sample(text, s), *base = fit_sample(text, of);
    expected e = expected_of(base);
    double *w = check_allocate(e.d * e.k, sizeof *w), *lambda = check_allocate(e.k, sizeof *lambda);

    for (int64_t j = 0; j < e.k; j++) {
        lambda[j] = lambda_factor * e.lambda[j];
        for (int64_t i = 0; i < e.d; i++)
            for (int64_t c = 0; c < e.d; c++)
                w[i * e.k + j] += (q ? q[c * e.d + i] : c == i ? 1 : 0) * factor * e.w[c * e.k + j];
    }
    CHECK(pen_model_dim(model) == e.k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)e.k);
    e.mean = NULL;
    e.lambda = lambda;
    e.w = w;
    check_model(model, &e, tolerance, text);
    pen_model_free(model);
    pen_model_free(base);
    free(w);
    free(lambda);
}

static double *rotation(pen_rng *rng, int64_t d)
{
    double *a = check_allocate(d * d, sizeof *a);
    for (int64_t i = 0; i < d * d; i++)
        a[i] = check_normal(rng);
    double *q = check_basis(d, d, a, d);
    free(a);
    return q;
}

/* A: 2-D, two labelled rows per class. B: 3-D, all labelled. C: 2-D, with duplicate rows, so that
 * sigma is 0 with one neighbor. */
sample sample_golden(char which)
{
    static const double a[] = { 0.5, 1, 2, 0, 1.5, 2.5, 6, 1.5, 7.5, 3, 5, -1, 3, 4, 8, 0.5 };
    static const int32_t a_labels[] = { 0, 0, -1, 1, 1, -1, -1, -1 };
    static const double b[] = { 1, 2, 0.5, 2, 1, 0, 1.5, 3,   2, 0, 2.5,
                                1, 4, 0.5, 3, 5, 2, 2.5, 4.5, 1, 4 };
    static const int32_t b_labels[] = { 0, 0, 0, 0, 1, 1, 1 };
    static const double c[] = { 0, 0, 0, 0, 1, 0.5, 3, 1, 3, 1, 4, 3, 2, -1, 0.5, 2 };
    static const int32_t c_labels[] = { 0, 0, 0, 1, 1, 1, -1, -1 };

    return which == 'A'   ? sample_of(8, 2, a, a_labels)
           : which == 'B' ? sample_of(7, 3, b, b_labels)
                          : sample_of(8, 2, c, c_labels);
}

sample sample_times(const sample *s, const double *m)
{
    sample out = sample_of(s->n, s->d, s->x, s->y);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->d; j++) {
            double sum = 0;
            for (int64_t c = 0; c < s->d; c++)
                sum += s->x[i * s->d + c] * m[c * s->d + j];
            out.x[i * s->d + j] = sum;
        }
    return out;
}

void check_invariances(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 50, 5, 3, 30);
    sample other = sample_new(s.n, s.d);
    int64_t *order = check_allocate(s.n, sizeof *order);
    static const int32_t names[] = { INT32_MAX, -2, 0 };

    pen_rng_permutation(&rng, s.n, order);
    for (int64_t i = 0; i < s.n; i++) {
        memcpy(other.x + i * s.d, s.x + order[i] * s.d, (size_t)s.d * sizeof *s.x);
        other.y[i] = s.y[order[i]];
    }
    check_related(text, &other, &s, NULL, 1, 1, 1e-10);
    for (int64_t i = 0; i < s.n; i++)
        other.y[i] = other.y[i] == PEN_UNLABELLED ? PEN_UNLABELLED : names[other.y[i]];
    check_related(text, &other, &s, NULL, 1, 1, 1e-10);
    for (int64_t i = 0; i < s.n * s.d; i++)
        other.x[i] += i % s.d == 1 ? 1e6 : 1000;
    check_related(text, &other, &s, NULL, 1, 1, 1e-9);

    double *q = rotation(&rng, s.d);
    sample turned = sample_times(&s, q);
    check_related(text, &turned, &s, q, 1, 1, 1e-9);
    free(q);
    free(order);
    sample_free(&turned);
    sample_free(&other);
    sample_free(&s);
}

void check_scaled(const char *text, uint64_t tag, double factor, double column_factor,
                  double lambda_factor)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 40, 4, 3, 24), scaled = sample_of(s.n, s.d, s.x, s.y);

    for (int64_t i = 0; i < s.n * s.d; i++)
        scaled.x[i] *= factor;
    check_related(text, &scaled, &s, NULL, column_factor, lambda_factor, 1e-9);
    sample_free(&s);
    sample_free(&scaled);
}

/* ---- input that every method rejects ---- */

static void check_bad_arrays(const char *method, const sample *s)
{
    const pen_data good = sample_data(s);
    pen_data bad = good;

    bad.x.rows = 0;
    CHECK_FIT_FAILS(method, &bad, PEN_BAD_DATA, "row");
    bad = good;
    bad.x.cols = 0;
    CHECK_FIT_FAILS(method, &bad, PEN_BAD_DATA, "col");
    bad = good;
    bad.x.values = NULL;
    CHECK_FIT_FAILS(method, &bad, PEN_BAD_ARGUMENT, "x.values must not be NULL");
    bad = good;
    bad.x.stride = s->d - 1;
    CHECK_FIT_FAILS(method, &bad, PEN_BAD_ARGUMENT, "stride");
    bad = good;
    bad.x.dtype = (pen_dtype)7;
    CHECK_FIT_FAILS(method, &bad, PEN_BAD_ARGUMENT, "7");
}

static void check_bad_values(const char *method, const sample *s)
{
    static const double values[] = { NAN, INFINITY, -INFINITY };
    const pen_data data = sample_data(s);

    for (int64_t i = 0; i < COUNT_OF(values); i++) {
        const double kept = s->x[3 * s->d + 1];
        s->x[3 * s->d + 1] = values[i];
        CHECK_FIT_FAILS(method, &data, PEN_NOT_FINITE, "row 3, column 1");
        s->x[3 * s->d + 1] = kept;
    }
}

static void check_bad_parameters(const char *method)
{
    pen_error err;
    double before, after;
    pen_spec *spec = spec_of(method);

    CHECK_STATUS(pen_spec_set_number(spec, "dimension", 2, &err), PEN_UNKNOWN_NAME,
                 "did you mean dim?", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "xyzzy", 0.5, &err), PEN_UNKNOWN_NAME, "xyzzy", &err);
    CHECK(strstr(err.message, "dim") && strstr(err.message, "pca"),
          "the message does not list the parameters: %s", err.message);
    CHECK_STATUS(pen_spec_set(spec, "column_scaling", "euclidean", &err), PEN_UNKNOWN_NAME,
                 "weighted, plain, orthonormal", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "dim", -1, &err), PEN_BAD_ARGUMENT, "dim", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "dim", 1.5, &err), PEN_BAD_ARGUMENT, "1.5", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "dim", NAN, &err), PEN_BAD_ARGUMENT, "dim", &err);
    CHECK_STATUS(pen_spec_set(spec, "allow_fewer", "perhaps", &err), PEN_BAD_ARGUMENT, "perhaps",
                 &err);
    CHECK_STATUS(pen_spec_set(spec, "pca", "-1", &err), PEN_BAD_ARGUMENT, "pca", &err);
    CHECK_OK(pen_spec_set_number(spec, "dim", 2, &err), &err);
    CHECK_OK(pen_spec_number(spec, "dim", &before, &err), &err);
    CHECK_STATUS(pen_spec_set(spec, "dim", "two", &err), PEN_BAD_ARGUMENT, "two", &err);
    CHECK_OK(pen_spec_number(spec, "dim", &after, &err), &err);
    CHECK(before == 2 && after == 2, "dim was %g and is %g", before, after);
    pen_spec_free(spec);
}

void check_refusals(const char *method, const sample *s)
{
    check_bad_arrays(method, s);
    check_bad_values(method, s);
    check_bad_parameters(method);
}

int all_finite(int64_t count, const double *a)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return 0;
    return 1;
}

void check_extreme_values(const char *text)
{
    static const double factors[] = { 1e-310, 1e-170, 1e-155, 1e-100, 1e100,
                                      1e150,  1e154,  1e155,  1e300,  1e307 };
    pen_rng rng = check_rng(77);
    sample s = sample_random(&rng, 40, 4, 3, 24);

    for (int64_t f = 0; f < COUNT_OF(factors); f++) {
        sample scaled = sample_of(s.n, s.d, s.x, s.y);
        for (int64_t i = 0; i < s.n * s.d; i++)
            scaled.x[i] *= factors[f];
        const pen_data data = sample_data(&scaled);
        pen_model *model = NULL;
        pen_error err;
        const pen_status status = fit_status(text, &data, &model, &err);
        CHECK(status == PEN_OK || status == PEN_BAD_DATA || status == PEN_SINGULAR_SCATTER
                  || status == PEN_RANK_TOO_SMALL,
              "%s times %g: %d %s", text, factors[f], (int)status, err.message);
        if (model) {
            const expected e = expected_of(model);
            double *z = check_allocate(s.n * e.k, sizeof *z);
            CHECK(all_finite(e.d * e.k, e.w) && all_finite(e.k, e.lambda)
                      && all_finite(e.d, e.mean),
                  "%s times %g: the model is not finite", text, factors[f]);
            if (pen_transform(model, &data.x, NULL, PEN_F64, z, e.k, &err) == PEN_OK)
                CHECK(all_finite(s.n * e.k, z), "%s times %g: embedded rows are not finite", text,
                      factors[f]);
            free(z);
        }
        pen_model_free(model);
        sample_free(&scaled);
    }
    sample_free(&s);
}

void check_rank(const char *text, const sample *s, int64_t gives)
{
    char asked[256], phrase[32];
    const pen_data data = sample_data(s);

    snprintf(phrase, sizeof phrase, "%lld", (long long)gives);
    for (int64_t more = 1; more < 1000000; more *= 100) {
        snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)(gives + more));
        CHECK_FIT_FAILS(asked, &data, PEN_RANK_TOO_SMALL, phrase);
        snprintf(asked, sizeof asked, "%s dim=%lld allow_fewer=true", text,
                 (long long)(gives + more));
        pen_model *model = fit_data(asked, &data);
        CHECK(pen_model_dim(model) == gives, "%s: %lld dimensions, expected %lld", asked,
              (long long)pen_model_dim(model), (long long)gives);
        pen_model_free(model);
    }
}

void check_nothing_there(const char *text)
{
    sample s = sample_new(6, 3);
    for (int64_t i = 0; i < s.n; i++) {
        s.x[i * 3] = 0.1, s.x[i * 3 + 1] = 1e6 + 0.3, s.x[i * 3 + 2] = -7;
        s.y[i] = (int32_t)(i % 2);
    }
    const pen_data data = sample_data(&s);
    CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, "nothing to project on");
    s.n = 1;
    const pen_data one = sample_data(&s);
    CHECK_FIT_FAILS(text, &one, PEN_RANK_TOO_SMALL, "nothing to project on");
    sample_free(&s);
}

void check_merged_model(const pen_model *found, const pen_model *all, const char *text)
{
    const int64_t d = pen_model_columns(all), k = pen_model_dim(all);
    const double *const x = pen_model_tensor(found, "eigenvalues").values,
                        *const y = pen_model_tensor(all, "eigenvalues").values;
    double largest = 0;

    CHECK(pen_model_dim(found) == k, "%s: %lld dimensions, not %lld", text,
          (long long)pen_model_dim(found), (long long)k);
    for (int64_t c = 0; y && c < k; c++)
        largest = fmax(largest, fabs(y[c]));
    for (int64_t c = 0; y && c < k; c++)
        CHECK(fabs(x[c] - y[c]) <= 1e-10 * largest, "%s: eigenvalue %lld: %.15g, not %.15g", text,
              (long long)c, x[c], y[c]);
    const double sine =
        check_subspaces(d, k < d ? k : d, pen_model_tensor(found, "projection").values, k,
                        pen_model_tensor(all, "projection").values, k);
    CHECK(sine <= 1e-9, "%s: the spans differ by %g", text, sine);
    for (int64_t j = 0; j < d; j++)
        CHECK_CLOSE(pen_model_tensor(found, "mean").values[j],
                    pen_model_tensor(all, "mean").values[j], 1e-12, 1e-300);
}
