/* test_column_units.c - scale auto against its formula, with outliers, and for rows in other units.
 * The factors are those of the method none. */
#include "core/array.h"
#include "kit/check_fit.h"
#include "kit/sparse_sample.h"

#include <stdio.h>

/* From row `first` on: log10 t_j = m + sign(L_j) max(|L_j| - 3/4, 0), L_j = log10 v_j - m; a
 * variance of 0 counts as the median. */
static void literal_factors(const sample *s, int64_t first, double *factors)
{
    const double n = (double)(s->n - first);
    double *const logs = check_allocate(s->d, sizeof *logs);
    int64_t count = 0;

    for (int64_t j = 0; j < s->d; j++) {
        double mean = 0, variance = 0;
        for (int64_t i = first; i < s->n; i++)
            mean += s->x[i * s->d + j] / n;
        for (int64_t i = first; i < s->n; i++)
            variance += pow(s->x[i * s->d + j] - mean, 2) / n;
        factors[j] = log10(variance);
        if (variance > 0)
            logs[count++] = factors[j];
    }
    dense_sort(count, logs);
    const double m = count % 2 ? logs[count / 2] : (logs[count / 2 - 1] + logs[count / 2]) / 2;
    for (int64_t j = 0; j < s->d; j++) {
        const double L = isfinite(factors[j]) ? factors[j] - m : 0;
        factors[j] = pow(10, -(L > 0.75 ? m + L - 0.75 : L < -0.75 ? m + L + 0.75 : m) / 2);
    }
}

/* The first `far` rows are outliers, and are reported as such. */
static void check_factors(const char *what, const sample *s, const pen_array *x, int64_t far)
{
    const pen_data data = { .x = *x };
    pen_model *const model = fit_data("none scale=auto", &data);
    const char *const told = model_text(model, "info.far_rows"), *const warning = model_text(
                                                                     model, "info.warning");
    double *const factors = check_allocate(s->d, sizeof *factors);

    literal_factors(s, far, factors);
    for (int64_t i = 0; i < s->d * s->d; i++)
        CHECK_CLOSE(pen_model_tensor(model, "projection").values[i],
                    i / s->d == i % s->d ? factors[i % s->d] : 0, 1e-12, 0);
    CHECK(far == 0 ? !told && !warning : told && strtod(told, NULL) == (double)far && warning,
          "%s: %s far rows", what, told ? told : "no");
    if (far > 0)
        CHECK(strstr(warning, far == 1 ? "1 row is far from all other rows, as codes for missing "
                                         "values are: 0 (counted from 0)"
                                       : "2 rows are far from all other rows, as codes for "
                                         "missing values are: 0, 1 (counted from 0)"),
              "%s: %s", what, warning);
}

static void check_dense_and_sparse(const char *what, const sample *s, int64_t far)
{
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    pen_array sparse = sparse_of(&x, NO_ZEROS);

    check_factors(what, s, &x, far);
    check_factors(what, s, &sparse, far);
}

/* Even and odd numbers of columns, in units from 1e-4 to 1e4; a third of the entries. */
TEST(factors_literal)
{
    pen_rng rng = check_rng(1);
    for (int64_t d = 1; d < 10; d++) {
        sample s = sample_random(&rng, 50, d, 3, 0);
        for (int64_t i = 0; i < s.n * d; i++)
            s.x[i] *= pen_rng_below(&rng, 3) > 0 ? 0 : pow(10, (double)(i % d * 5 % 9) - 4);
        check_dense_and_sparse("units", &s, 0);
    }
}

/* Rows of digits after some rows of -9999, which have no influence if they are at least a hundredth
 * of at least 30 rows. Some columns vary only in them. */
TEST(rows_far_from_all_others)
{
    static const struct {
        int64_t rows, of_no_data, far;
    } cases[] = { { 200, 0, 0 }, { 200, 1, 1 }, { 200, 2, 2 },
                  { 200, 3, 0 }, { 30, 1, 1 },  { 29, 1, 0 } };
    const pen_read_options options = { .label_column = "class" };
    pen_table *table;
    pen_error err;
    CHECK_OK(pen_read(EXAMPLE_DATA "/digits.csv", &options, &table, &err), &err);
    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        char what[60];
        int64_t d = 0;
        sample s = sample_new(cases[c].rows, table->x.cols);
        for (int64_t j = 0; j < table->x.cols; j++) { /* varying columns */
            int varies = cases[c].of_no_data > 0;
            for (int64_t i = 1; i < s.n; i++)
                varies |= pen_value_at(&table->x, i, j) != pen_value_at(&table->x, 0, j);
            for (int64_t i = 0; varies && i < s.n; i++)
                s.x[i * s.d + d] = i < cases[c].of_no_data ? -9999 : pen_value_at(&table->x, i, j);
            d += varies;
        }
        for (int64_t i = 0; i < s.n; i++)
            memmove(s.x + i * d, s.x + i * s.d, (size_t)d * sizeof *s.x);
        s.d = d;
        snprintf(what, sizeof what, "%lld of %lld rows", (long long)cases[c].of_no_data,
                 (long long)s.n);
        check_dense_and_sparse(what, &s, cases[c].far);
    }
    pen_table_free(table);
}

static int32_t *classes_of(const char *text, const sample *s)
{
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_with_defaults(text);
    int32_t *const of = check_allocate(s->n, sizeof *of);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    CHECK(model_text(model, "classifier") != NULL, "%s has no classes", text);
    CHECK_OK(pen_predict(model, &data.x, NULL, of, NULL, NULL, &err), &err);
    pen_model_free(model);
    return of;
}

TEST(any_unit)
{
    static const double units[] = { 1e-8, 1e8 };
    pen_rng rng = check_rng(2);
    sample s = sample_random(&rng, 80, 5, 3, 24);
    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const name = pen_method_at(m)->name;
        int32_t *const right = classes_of(name, &s);
        int64_t differ = 0;
        for (int64_t i = 1; i < s.n; i++)
            differ += right[i] != right[0];
        CHECK(differ > 0, "%s: all rows have one class, so the test proves nothing", name);
        for (int u = 0; u < 2; u++) {
            sample scaled = sample_of(s.n, s.d, s.x, s.y);
            for (int64_t i = 0; i < s.n * s.d; i++)
                scaled.x[i] *= units[u];
            int32_t *const of = classes_of(name, &scaled);
            for (int64_t i = 0; i < s.n; i++)
                CHECK(of[i] == right[i], "%s, rows times %g: row %lld has class %d, not %d", name,
                      units[u], (long long)i, (int)of[i], (int)right[i]);
        }
    }
}
