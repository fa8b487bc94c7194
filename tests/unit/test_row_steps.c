/* test_row_steps.c - row steps: against their formulas and printed numbers of twelve digits, in
 * model files, and refused options. */
#include "core/row_steps.h"

#include "core/spectrum.h"
#include "kit/check_fit.h"
#include "kit/embedded.h"
#include "kit/sparse_sample.h"

#include <float.h>
#include <stdio.h>

#define FOR_TEXTS "pca row_steps=total:median,log1p,idf,select:31,l2"
static const char *const all_steps[] = {
    "pca row_steps=total:100,log1p,select:57",
    FOR_TEXTS,
    "fda ridge=1 row_steps=log1p,idf",
    "pca row_steps=select:40 scale=standard pca=5",
    "pca kernel=rbf row_steps=total:median,select:50 dim=3",
    "pca row_steps=total:100,log1p,snv,derivative:11,select:60",
    "pca kernel=rbf row_steps=derivative:399,l2 dim=3",
};
enum { ALL_STEPS = sizeof all_steps / sizeof *all_steps };

static pen_data data_of(const sample *s, const pen_array *x)
{
    pen_data data = sample_data(s);
    data.x = *x;
    return data;
}

static void check_values(const char *text, const sample *s, const double right[3])
{
    pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d), sparse = sparse_of(&x, NO_ZEROS);

    for (int form = 0; form < 2; form++) {
        const pen_data data = data_of(s, form ? &sparse : &x);
        pen_model *const model = fit_data(text, &data);
        for (int64_t j = 0; j < 3; j++)
            CHECK(fabs(pen_model_tensor(model, "eigenvalues").values[j] - right[j])
                      <= 5e-12 * right[0],
                  "%s, form %d: eigenvalue %lld is %.17g, expected %.12g", text, form, (long long)j,
                  pen_model_tensor(model, "eigenvalues").values[j], right[j]);
        CHECK(pen_model_columns(model) == s->d, "%s: %lld columns", text,
              (long long)pen_model_columns(model));
    }
}

TEST(golden)
{
    sample s = sparse_golden();
    check_values("pca row_steps=total:100,log1p", &s,
                 (const double[]){ 423.804824213, 386.36317963, 356.645416084 });
    check_values("pca row_steps=total:100,log1p,select:57", &s,
                 (const double[]){ 186.41052847, 139.399009706, 127.024833942 });
    check_values("pca row_steps=log1p,idf,l2", &s,
                 (const double[]){ 6.98034588717, 6.37078298329, 5.87235509021 });
}

/* Learned values and mapped rows, against the formulas in long double. */
TEST(formulas)
{
    const pen_row_params asked = { .total = -1, .log1p = 1, .idf = 1, .select = 57 },
                         first = { .total = 100, .log1p = 1, .select = 57 };
    sample s = sparse_golden();
    const pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
    pen_control control = { .threads = 1 };
    pen_row_steps steps;
    pen_array out;
    pen_run *run;
    int64_t sum = 0;
    assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
    assert_int_equal(pen_row_steps_learn(run, &first, &x, &steps), PEN_OK);
    for (int64_t c = 0; c < 57; c++)
        sum += steps.selected[c];
    CHECK(sum == 11187, "the selected columns sum to %lld", (long long)sum);
    assert_int_equal(pen_row_steps_learn(run, &asked, &x, &steps), PEN_OK);
    CHECK(steps.total == 141, "the median of the totals is %g", steps.total);
    CHECK(fabs(steps.idf[0] - 2.91364928684) < 1e-11, "the first weight is %.12g", steps.idf[0]);
    assert_int_equal(pen_row_steps_apply(run, &steps, &x, 0, s.n, &out), PEN_OK);
    for (int64_t i = 0; i < s.n; i++) {
        const double *const row = s.x + i * s.d;
        long double total = 0;
        for (int64_t j = 0; j < s.d; j++)
            total += row[j];
        for (int64_t c = 0; c < steps.kept; c++) {
            const int64_t j = steps.selected[c];
            int64_t df = 0;
            for (int64_t r = 0; r < s.n; r++)
                df += s.x[r * s.d + j] != 0;
            const long double part = total > 0 ? row[j] * 141 / total : row[j],
                              right = logl(1 + part) * (logl((1 + 60.0L) / (1 + df)) + 1),
                              found = pen_value_at(&out, i, c);
            CHECK(fabsl(found - right) <= 1e-15L * (1 + right), "row %lld, column %lld: %Lg, %Lg",
                  (long long)i, (long long)j, found, right);
        }
    }
    pen_run_close(run);
}

/* A row is mapped to the same numbers when sparse, dense, alone, with any number of threads, and by
 * a loaded model; unselected columns have no weight. */
TEST(same_rows)
{
    sample s = sparse_golden();
    pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d), sparse = sparse_of(&x, SOME_ZEROS);
    const pen_data data = data_of(&s, &x);
    pen_error err;
    size_t size;
    void *bytes;
    for (int t = 0; t < ALL_STEPS; t++) {
        pen_model *const model = fit_data(all_steps[t], &data), *loaded;
        const int64_t k = pen_model_dim(model), n = s.n;
        double *const z = check_allocate(n * k, 8), *const w = check_allocate(n * k, 8);
        CHECK_OK(pen_model_to_bytes(model, &bytes, &size, &err), &err);
        CHECK_OK(pen_model_from_bytes(bytes, size, &loaded, &err), &err);
        pen_free(bytes);
        CHECK(pen_model_columns(loaded) == s.d, "%s: %lld columns", all_steps[t],
              (long long)pen_model_columns(loaded));
        CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, k, &err), &err);
        CHECK_OK(pen_transform(loaded, &x, NULL, PEN_F64, w, k, &err), &err);
        CHECK(memcmp(z, w, (size_t)(n * k) * 8) == 0, "%s: loaded", all_steps[t]);
        for (int64_t i = 0; i < n; i++) {
            const pen_array row = pen_dense(s.x + i * s.d, PEN_F64, 1, s.d, s.d);
            CHECK_OK(pen_transform(model, &row, NULL, PEN_F64, w, k, &err), &err);
            CHECK(memcmp(z + i * k, w, (size_t)k * 8) == 0, "%s: row %lld alone", all_steps[t],
                  (long long)i);
        }
        const int spectra = strstr(all_steps[t], "derivative") != NULL;
        CHECK(pen_transform(model, &sparse, NULL, PEN_F64, w, k, &err)
                  == (spectra ? PEN_BAD_ARGUMENT : PEN_OK),
              "%s, sparse: %s", all_steps[t], err.message);
        for (int64_t i = 0; !spectra && i < n * k; i++)
            CHECK(fabs(z[i] - w[i]) <= 1e-11, "%s: sparse %.17g, dense %.17g", all_steps[t], w[i],
                  z[i]);
        pen_model_free(loaded);
    }
}

/* The tensors of a model have their own sizes and embed a row by hand; landmarks have only the
 * selected columns. */
TEST(kernel_by_hand)
{
    enum { K = 3, S = 50 };
    sample s = sparse_golden();
    const pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
    const pen_data data = data_of(&s, &x);
    pen_model *const model =
        fit_data("pca kernel=rbf row_steps=log1p,idf,select:50 scale=standard dim=3", &data);
    const pen_matrix at = pen_model_tensor(model, "landmarks"),
                     origin = pen_model_tensor(model, "kernel_origin"),
                     scale = pen_model_tensor(model, "kernel_scale"),
                     selected = pen_model_tensor(model, "selected"),
                     idf = pen_model_tensor(model, "idf"),
                     W = pen_model_tensor(model, "projection"),
                     mean = pen_model_tensor(model, "mean");
    const double gamma = model_number(model, "kernel.gamma");
    double *const z = embedded_rows(model, s.n, s.d, s.x);
    assert_true((double)at.rows == model_number(model, "kernel.landmarks") && at.cols == S
                && origin.rows == S && scale.rows == S);
    assert_true(selected.rows == S && selected.cols == 1 && idf.rows == s.d && W.cols == K);
    assert_true(W.rows == at.rows && mean.rows == at.rows);
    assert_true(!pen_model_tensor(model, "eigen").values && !pen_model_tensor(model, NULL).values);
    assert_true(!pen_model_tensor(NULL, "mean").values);
    for (int64_t i = 0; i < s.n; i++) {
        double right[K] = { 0 };
        for (int64_t l = 0; l < at.rows; l++) {
            double far = 0;
            for (int64_t c = 0; c < S; c++) {
                const int64_t j = (int64_t)selected.values[c];
                const double v = log1p(s.x[i * s.d + j]) * idf.values[j],
                             u = scale.values[c] * (v - origin.values[c]) - at.values[l * S + c];
                far += u * u;
            }
            for (int64_t j = 0; j < K; j++)
                right[j] += (exp(-gamma * far) - mean.values[l]) * W.values[l * K + j];
        }
        for (int64_t j = 0; j < K; j++)
            CHECK(fabs(z[i * K + j] - right[j]) <= 1e-9, "row %lld: %.17g, %.17g", (long long)i,
                  z[i * K + j], right[j]);
    }
}

/* The slope at column j of the least-squares parabola a + b t + c t^2 in a window, from the normal
 * equations by Cramer's rule. */
static long double slope_of(const double *x, int64_t n, int64_t window, int64_t j)
{
    const int64_t half = window / 2, middle = j < half ? half : j > n - 1 - half ? n - 1 - half : j;
    long double s[5] = { 0 }, y[3] = { 0 };

    for (int64_t k = -half; k <= half; k++)
        for (int p = 0; p < 5; p++) {
            s[p] += powl(k, p);
            y[p % 3] += p < 3 ? powl(k, p) * x[middle + k] : 0;
        }
    const long double det = s[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (s[1] * s[4] - s[3] * s[2])
                            + s[2] * (s[1] * s[3] - s[2] * s[2]),
                      b = s[0] * (y[1] * s[4] - s[3] * y[2]) - y[0] * (s[1] * s[4] - s[3] * s[2])
                          + s[2] * (s[1] * y[2] - y[1] * s[2]),
                      c = s[0] * (s[2] * y[2] - y[1] * s[3]) - s[1] * (s[1] * y[2] - y[1] * s[2])
                          + y[0] * (s[1] * s[3] - s[2] * s[2]);
    return (b + 2 * c * (j - middle)) / det;
}

/* Steps for spectra against their formulas in long double, for values of any magnitude; constant
 * rows become zeros, bit for bit. */
TEST(spectra)
{
    enum { N = 40 };
    static const double units[] = { 1, 1e300, 1e-300 };
    static const int64_t sizes[][2] = { { N, 3 }, { N, 11 }, { N, 39 }, { 7, 7 }, { 3, 3 } };
    double x[N], found[N], flat[N];
    for (int u = 0; u < 3; u++)
        for (int c = 0; c < 5; c++) {
            const int64_t n = sizes[c][0], window = sizes[c][1];
            long double mean = 0, squares = 0;
            for (int64_t j = 0; j < n; j++) {
                x[j] = units[u] * (3 + sin(0.3 * (double)j) + 0.01 * (double)(j * j % 7));
                flat[j] = units[u] / 3;
                mean += (long double)x[j] / n;
            }
            for (int64_t j = 0; j < n; j++)
                squares += (x[j] - mean) * (x[j] - mean) / (n - 1);
            pen_derivative(n, window, x, found);
            for (int64_t j = 0; j < n; j++)
                CHECK(fabsl(found[j] - slope_of(x, n, window, j)) <= 1e-14L * units[u],
                      "window %lld, column %lld: %.17g, %.17Lg", (long long)window, (long long)j,
                      found[j], slope_of(x, n, window, j));
            memcpy(found, x, sizeof x);
            pen_standard_normal(n, found);
            for (int64_t j = 0; j < n; j++)
                CHECK(fabsl(found[j] - (x[j] - mean) / sqrtl(squares)) <= 1e-13L, "snv: %.17g",
                      found[j]);
            pen_derivative(n, window, flat, found);
            pen_standard_normal(n, flat);
            for (int64_t j = 0; j < n; j++)
                CHECK(found[j] == 0 && flat[j] == 0, "of a constant: %g, %g", found[j], flat[j]);
        }
}

/* The units of a row, of any type and stride, do not matter after snv. The window applies to given
 * columns, including columns that are constant in the fit. */
TEST(units_of_rows)
{
    sample s = sparse_golden();
    const int64_t wide = 2 * s.d;
    double *const apart = check_allocate(s.n * wide, sizeof *apart), *p[2];
    int32_t classes[200];
    pen_error err;
    for (int64_t i = 0; i < s.n * s.d; i++) {
        s.x[i] = i % s.d % 10 == 0 ? 5 : s.x[i];
        apart[2 * i] = ldexp(s.x[i], (int)(i / s.d % 3) * 300) * 3 + 2 * (double)(i / s.d % 3 == 0);
    }
    pen_array again = pen_dense(apart, PEN_F64, s.n, s.d, wide);
    again.step = 2;
    const pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
    pen_model *const model =
        fit_sample("fda row_steps=snv,derivative:5 ridge=1 classifier=lda", &s);
    const int64_t c = pen_model_class_count(model);
    for (int i = 0; i < 2; i++) {
        p[i] = check_allocate(s.n * c, sizeof **p);
        CHECK_OK(pen_predict(model, i ? &again : &x, NULL, classes, p[i], NULL, &err), &err);
    }
    for (int64_t i = 0; i < s.n * c; i++)
        CHECK(fabs(p[0][i] - p[1][i]) <= 1e-9, "%g, %g", p[0][i], p[1][i]);
}

/* Columns of equal variance: the lower ones. Zeros of a sparse column count: with them, 6 6 0 0
 * varies more than 7 2 7 2; the median of totals 1 2 4 8 is 3. */
TEST(choices)
{
    static const pen_row_params two = { .select = 2 }, one = { .select = 1 },
                                median = { .total = -1 };
    static const double same[] = { 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0 },
                        uneven[] = { 7, 6, 2, 6, 7, 0, 2, 0 },
                        totals[] = { 1, 0, 2, 0, 0, 4, 8, 0 };
    const struct {
        pen_array x;
        const pen_row_params *asked;
        int64_t last; /* of the selected columns */
        double total;
    } cases[] = { { pen_dense(same, PEN_F64, 4, 4, 4), &two, 1, 0 },
                  { pen_dense(uneven, PEN_F64, 4, 2, 2), &one, 1, 0 },
                  { pen_dense(totals, PEN_F64, 4, 2, 2), &median, 0, 3 } };
    pen_run *const run = check_run(0, NULL);
    for (int c = 0; c < 6; c++) {
        pen_array sparse = sparse_of(&cases[c / 2].x, NO_ZEROS);
        pen_row_steps steps;
        assert_int_equal(
            pen_row_steps_learn(run, cases[c / 2].asked, c % 2 ? &sparse : &cases[c / 2].x, &steps),
            PEN_OK);
        assert_true(steps.total == cases[c / 2].total);
        for (int64_t s = 0; s < cases[c / 2].asked->select; s++)
            assert_int_equal(steps.selected[s],
                             cases[c / 2].last + 1 - cases[c / 2].asked->select + s);
    }
    pen_run_close(run);
}

TEST(refused)
{
    static const struct {
        double at[2]; /* of row 7 in columns 3 and 5; 0: unchanged */
        const char *text;
        pen_status status;
        const char *part;
    } cases[] = {
        { { 0, 0 }, "pca row_steps=select:401", PEN_BAD_ARGUMENT, "at most 400" },
        { { 0, 0 },
          "pca row_steps=derivative:4",
          PEN_BAD_ARGUMENT,
          "odd and at most 400, the number" },
        { { 0, 0 },
          "pca row_steps=derivative:401",
          PEN_BAD_ARGUMENT,
          "odd and at most 400, the number" },
        { { DBL_MAX, -DBL_MAX },
          "pca row_steps=derivative:3",
          PEN_BAD_DATA,
          "row 7 (counted from 0): the derivative" },
        { { -0.5, 0 }, "pca row_steps=total:10", PEN_BAD_DATA, "row 7, column 3" },
        { { -1, 0 }, "pca row_steps=log1p", PEN_BAD_DATA, "> -1, got -1 at row 7, column 3" },
        { { NAN, 0 }, "pca row_steps=log1p", PEN_NOT_FINITE, "row 7, column 3" },
    };
    sample s = sparse_golden();
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const pen_data data = sample_data(&s);
        for (int c = 0; c < 2; c++)
            if (cases[i].at[c] != 0)
                s.x[7 * s.d + 3 + 2 * c] = cases[i].at[c];
        CHECK_FIT_FAILS(cases[i].text, &data, cases[i].status, cases[i].part);
    }
    memset(s.x, 0, (size_t)(s.n * s.d) * 8);
    const pen_data zeros_only = sample_data(&s);
    CHECK_FIT_FAILS("pca row_steps=total:median", &zeros_only, PEN_BAD_DATA, "positive sum");
}
