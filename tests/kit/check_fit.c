/* check_fit.c - see check_fit.h. */
#include "kit/check_fit.h"
#include "kit/keep.h"
#include "model/model.h"

#include "eval/choose/select.h"

#include <stdio.h>

/* ---- rows ---- */

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
    return s;
}

pen_data sample_data(const sample *s)
{
    const pen_data data = { .x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d), .labels = s->y };
    return data;
}

/* ---- fits ---- */

static void release_selection(void *found)
{
    pen_selection_free(found);
}

pen_selection *select_data(const char *text, const pen_data *data, int threads)
{
    pen_spec *const spec = spec_of(text);
    pen_selection *found;
    pen_error err;

    CHECK_OK(pen_select(spec, data, &(pen_control){ .threads = threads }, &found, &err), &err);
    return keep_until_end(found, release_selection);
}

pen_status fit_status(const char *text, const pen_data *data, pen_model **model, pen_error *err)
{
    pen_spec *spec = spec_of(text);
    pen_model *out = (pen_model *)(void *)&spec;
    const pen_status status = pen_fit(spec, data, NULL, &out, err);

    CHECK((status == PEN_OK) == (out != NULL), "%s: status %d, model %p", text, (int)status,
          (void *)out);
    *model = keep_model(out);
    return status;
}

static void release_model(void *model)
{
    pen_model_free(model);
}

pen_model *keep_model(pen_model *model)
{
    return keep_until_end(model, release_model);
}

static void release_stats(void *stats)
{
    pen_stats_free(stats);
}

pen_stats *keep_stats(pen_stats *stats)
{
    return keep_until_end(stats, release_stats);
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
    return (expected){
        d, k, k, model_mean(model), .lambda = model_eigenvalues(model), .w = model_columns(model)
    };
}

int all_finite(int64_t count, const double *a)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return 0;
    return 1;
}

void check_array(const char *text, const char *what, int64_t count, const double *found,
                 const double *right, double tolerance)
{
    char label[400];

    snprintf(label, sizeof label, "%s: %s", text, what);
    CHECK(found, "%s: none", label);
    check_all_close(label, count, found, right, tolerance);
}

void check_signs(const pen_model *model, const char *text)
{
    const int64_t d = pen_model_columns(model), r = pen_model_dim(model);
    const double *const w = model_columns(model), *const by =
                                                      pen_model_tensor(model, "deviation").values;

    for (int64_t j = 0; j < r; j++) {
        double most = 0, first = 0;
        for (int64_t i = 0; i < d; i++)
            most = fmax(most, by[i] * fabs(w[i * r + j]));
        for (int64_t i = d - 1; i >= 0; i--)
            first = by[i] * fabs(w[i * r + j]) >= most * (1 - 1e-9) ? w[i * r + j] : first;
        CHECK(first > 0, "%s: column %lld breaks the sign rule", text, (long long)j);
    }
}

/* The gap between columns j - 1 and j, relative to the largest value, or, if both values are 0, by
 * the order criterion. Columns of nearly equal values are not defined individually. */
static double gap_before(const expected *e, int64_t j)
{
    const double largest = e->lambda ? dense_largest(e->k, e->lambda, 1) : 0;

    if (j == 0 || !e->lambda)
        return INFINITY;
    if (j == e->k)
        return fabs(e->lambda[j - 1] - e->after) / largest;
    if (e->ties && e->lambda[j - 1] == 0 && e->lambda[j] == 0)
        return fabs(e->ties[j] - e->ties[j - 1]) / dense_largest(e->k, e->ties, 1);
    return fabs(e->lambda[j - 1] - e->lambda[j]) / largest;
}

/* Entry (i, l) of W W' over columns from .. to - 1. */
static double gram(const double *w, int64_t stride, int64_t from, int64_t to, int64_t i, int64_t l)
{
    double sum = 0;
    for (int64_t j = from; j < to; j++)
        sum += w[i * stride + j] * w[l * stride + j];
    return sum;
}

/* Columns from .. to - 1 have the expected span and lengths. */
static void check_space(const expected *e, const double *w, int64_t r, int64_t from, int64_t to,
                        double tolerance, const char *text)
{
    double most = 0;

    for (int64_t i = 0; i < e->d; i++)
        most = fmax(most, gram(e->w, e->stride, from, to, i, i));
    for (int64_t i = 0; i < e->d * e->d; i++) {
        const double value = gram(w, r, from, to, i / e->d, i % e->d),
                     right = gram(e->w, e->stride, from, to, i / e->d, i % e->d);
        CHECK(fabs(value - right) <= tolerance * most,
              "%s: columns %lld to %lld: (W W')[%lld][%lld] is %.17g, expected %.17g (of %g)", text,
              (long long)from, (long long)to - 1, (long long)(i / e->d), (long long)(i % e->d),
              value, right, most);
    }
}

static void check_values(const expected *e, const double *found, int64_t r, double tolerance,
                         const char *text)
{
    const double least = (e->least > 0 ? e->least : 1e-3) * dense_largest(e->k, e->lambda, 1);

    for (int64_t j = 0; j < r; j++)
        CHECK(fabs(found[j] - e->lambda[j]) <= tolerance * fmax(fabs(e->lambda[j]), least),
              "%s: eigenvalue %lld is %.17g, expected %.17g", text, (long long)j, found[j],
              e->lambda[j]);
}

void check_model(const pen_model *model, const expected *e, double tolerance, const char *text)
{
    const int64_t r = pen_model_dim(model), d = pen_model_columns(model);
    const double *w = model_columns(model), clear = e->clear > 0 ? e->clear : 1e-3;

    CHECK(d == e->d && r >= 1 && r <= e->k,
          "%s: the model maps %lld to %lld, expected %lld to at most %lld", text, (long long)d,
          (long long)r, (long long)e->d, (long long)e->k);
    check_signs(model, text);
    if (e->lambda)
        check_values(e, model_eigenvalues(model), r, tolerance, text);
    for (int64_t from = 0, to = 1; from < r; from = to++) {
        while (to < e->k && gap_before(e, to) <= clear)
            to++;
        if (to > r || gap_before(e, to) <= clear)
            continue;
        check_space(e, w, r, from, to, tolerance, text);
        const double apart = check_subspaces(d, to, w, r, e->w, e->stride);
        CHECK(apart <= tolerance, "%s: the spans of the first %lld columns are %.3g apart", text,
              (long long)to, apart);
    }
    for (int64_t i = 0; e->mean && i < d; i++)
        CHECK(fabs(model_mean(model)[i] - e->mean[i]) <= 1e-13 * (1 + fabs(e->mean[i])),
              "%s: mean[%lld] is %.17g, expected %.17g", text, (long long)i, model_mean(model)[i],
              e->mean[i]);
}

/* ---- models of changed rows ---- */

/* Entry (i, j) of the columns of `base` after the change. */
static double changed_entry(const pen_model *base, const relation *r, int64_t i, int64_t j)
{
    const int64_t k = pen_model_dim(base);
    const double *w = model_columns(base);
    double sum = r->q ? 0 : w[i * k + j];

    for (int64_t c = 0; r->q && c < pen_model_columns(base); c++)
        sum += r->q[c * pen_model_columns(base) + i] * w[c * k + j];
    return r->columns * sum;
}

/* Row i, class c of `right` is that of the base. */
static void check_by_class(const pen_model *base, const relation *r, const char *what, int64_t rows,
                           const double *found, const double *of_base, double tolerance,
                           const char *text)
{
    const int64_t c = pen_model_class_count(base);
    double *right = check_allocate(rows * c, sizeof *right);

    CHECK(!found == !of_base, "%s: %s, not", text, what);
    for (int64_t i = 0; of_base && i < rows * c; i++)
        right[i / c * c + (r->class ? r->class[i % c] : i % c)] =
            of_base[(r->row && rows == base->rows ? r->row[i / c] : i / c) * c + i % c];
    if (of_base)
        check_array(text, what, rows * c, found, right, tolerance);
}

int is_at_rest(int64_t count, const double *course)
{
    return count >= 2 && fabs(course[count - 1] - course[count - 2]) <= 1e-13 * course[0];
}

void check_course(const pen_model *model, const char *key, int64_t count, const double *right,
                  int rests, double factor, double tolerance, const char *text)
{
    double *list = check_allocate(count, sizeof *list);
    const int64_t length = model_list(model, key, count, list);

    CHECK(length == count || rests, "%s: %s has %lld values, expected %lld", text, key,
          (long long)length, (long long)count);
    for (int64_t i = 0; i < count && i < length; i++)
        CHECK(fabs(list[i] - factor * right[i])
                  <= tolerance * factor * (right[i] + 1e-3 * right[0]),
              "%s: %s[%lld] is %.17g, expected %.17g", text, key, (long long)i, list[i],
              factor * right[i]);
}

static void check_related_columns(const pen_model *model, const pen_model *base, const relation *r,
                                  double tolerance, const char *text)
{
    const int64_t d = pen_model_columns(base), k = pen_model_dim(base),
                  c = pen_model_class_count(base);
    expected e = expected_of(base);
    double *w = check_allocate(d * k, sizeof *w), *lambda = check_allocate(k, sizeof *lambda);

    for (int64_t i = 0; i < d * k; i++) {
        const int64_t j = i % k, block = c > 0 ? j / c * c : 0;
        const int64_t to =
            model_bias(base) && r->class && block + c <= k ? block + r->class[j % c] : j;
        w[i / k * k + to] = changed_entry(base, r, i / k, j);
    }
    for (int64_t j = 0; e.lambda && j < k; j++)
        lambda[j] = r->values * e.lambda[j];
    e.mean = r->moved ? NULL : e.mean;
    e.w = w;
    e.after = INFINITY;
    /* a single eigenvalue of a difference at the best ratio is 0 up to rounding */
    e.lambda = e.lambda && (k > 1 || isnan(model_number(base, "info.ratio"))) ? lambda : NULL;
    if (model_bias(base))
        check_array(text, "projection", d * k, model_columns(model), w, tolerance);
    else
        check_model(model, &e, tolerance, text);
}

void check_related(const pen_model *model, const pen_model *base, const relation *r,
                   double tolerance, const char *text)
{
    static const char *const lists[] = { "info.objective", "info.objective_projection" };

    CHECK(pen_model_dim(model) == pen_model_dim(base)
              && !model_eigenvalues(model) == !model_eigenvalues(base)
              && !model_bias(model) == !model_bias(base),
          "%s: %lld dimensions, expected %lld", text, (long long)pen_model_dim(model),
          (long long)pen_model_dim(base));
    check_related_columns(model, base, r, tolerance, text);
    check_by_class(base, r, "bias", 1, model_bias(model), model_bias(base), tolerance, text);
    check_by_class(base, r, "class_mass", 2, model->class_mass, base->class_mass, tolerance, text);
    check_by_class(base, r, "propagated", base->rows, model_shares(model), model_shares(base),
                   tolerance, text);
    if (!isnan(model_number(base, "info.ratio")))
        CHECK_CLOSE(model_number(model, "info.ratio"), model_number(base, "info.ratio"), tolerance,
                    0);
    for (int i = 0; model_eigenvalues(base) && i < 2; i++) {
        const int64_t count = model_list(base, lists[i], 0, NULL);
        double *right = check_allocate(count, sizeof *right);
        model_list(base, lists[i], count, right);
        check_course(model, lists[i], count, right, is_at_rest(count, right), r->values, tolerance,
                     text);
    }
}

static void check_bits(const char *text, const char *what, int64_t count, const double *one,
                       const double *other)
{
    CHECK(!one == !other, "%s: %s, or not", text, what);
    for (int64_t i = 0; one && i < count; i++)
        CHECK(memcmp(one + i, other + i, sizeof *one) == 0, "%s: %s[%lld] is %.17g, and %.17g",
              text, what, (long long)i, one[i], other[i]);
}

void check_same_bits(const pen_model *a, const pen_model *b, const char *text)
{
    const int64_t d = pen_model_columns(a), r = pen_model_dim(a), c = pen_model_class_count(a);

    CHECK(d == pen_model_columns(b) && r == pen_model_dim(b), "%s: %lld dimensions, expected %lld",
          text, (long long)r, (long long)pen_model_dim(b));
    check_bits(text, "projection", d * r, model_columns(a), model_columns(b));
    check_bits(text, "eigenvalues", r, model_eigenvalues(a), model_eigenvalues(b));
    check_bits(text, "mean", d, model_mean(a), model_mean(b));
    check_bits(text, "bias", c, model_bias(a), model_bias(b));
    check_bits(text, "class_mass", 2 * c, a->class_mass, b->class_mass);
    check_bits(text, "propagated", a->rows * c, model_shares(a), model_shares(b));
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
    case 6: /* a column that varies only in unlabelled rows */
        s = sample_random(rng, 40, 5, 3, 24);
        for (int64_t i = 0; i < s.n; i++)
            if (s.y[i] != PEN_UNLABELLED)
                s.x[i * s.d + 2] = 0.1;
        return s;
    case 7: /* one labelled row in a class, and arbitrary integer labels */
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

void check_up_to_sign(const char *text, int64_t d, int64_t k, const double *found, int64_t stride,
                      const double *right, int64_t right_stride, double tolerance)
{
    for (int64_t j = 0; j < k; j++) {
        const double sign = dense_sign(d, found, stride, right, right_stride, j),
                     most = dense_largest(d, right + j, right_stride);
        for (int64_t i = 0; i < d; i++) {
            const double value = sign * found[i * stride + j], wanted = right[i * right_stride + j];
            CHECK(fabs(value - wanted) <= tolerance * most,
                  "%s: projection[%lld][%lld] is %.17g, expected %.10g", text, (long long)i,
                  (long long)j, value, wanted);
        }
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
    for (int64_t j = 0; j < k; j++)
        CHECK_CLOSE(model_eigenvalues(model)[j], lambda[j], 1e-8, 0);
    check_up_to_sign(text, s->d, k, model_columns(model), k, w, k, 1e-8);
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

void sample_to_bytes(sample *s)
{
    for (int64_t i = 0; i < s->n * s->d; i++)
        s->x[i] = fmin(255, fmax(0, rint(128 + 20 * s->x[i])));
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

void check_rank(const char *text, const sample *s, int64_t gives)
{
    char asked[256], phrase[48];
    const pen_data data = sample_data(s);

    snprintf(phrase, sizeof phrase, "dim must be at most %lld,", (long long)gives);
    for (int64_t more = 1; more < 1000000; more *= 100) {
        snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)(gives + more));
        CHECK_FIT_FAILS(asked, &data, PEN_RANK_TOO_SMALL, phrase);
        snprintf(asked, sizeof asked, "%s dim=%lld allow_fewer=true", text,
                 (long long)(gives + more));
        pen_model *model = fit_data(asked, &data);
        CHECK(pen_model_dim(model) == gives, "%s: %lld dimensions, expected %lld", asked,
              (long long)pen_model_dim(model), (long long)gives);
    }
}

void check_merged_model(const pen_model *found, const pen_model *all, const char *text)
{
    const int64_t d = pen_model_columns(all), k = pen_model_dim(all);
    const double *const values = model_eigenvalues(all);

    CHECK(pen_model_dim(found) == k, "%s: %lld dimensions, not %lld", text,
          (long long)pen_model_dim(found), (long long)k);
    if (values)
        check_array(text, "eigenvalues", k, model_eigenvalues(found), values, 1e-10);
    const double sine =
        check_subspaces(d, k < d ? k : d, model_columns(found), k, model_columns(all), k);
    CHECK(sine <= 1e-9, "%s: the spans differ by %g", text, sine);
    for (int64_t j = 0; j < d; j++)
        CHECK_CLOSE(model_mean(found)[j], model_mean(all)[j], 1e-12, 1e-300);
}
