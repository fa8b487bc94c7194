/* test_magnitudes.c - every method on rows whose squares overflow or underflow, on one column far
 * larger than the rest, and on rows with little or no variation. */
#include "kit/embedded.h"

#include <stdio.h>

enum { N = 40, D = 4, CLASSES = 3, LARGE = 3, NARROW = 2 };

static const double LARGER = 1e12;

/* Methods that add a fixed weight to scatters, so that the result depends on units: beta and the
 * identity (self, self-mix, sda, tr-fsda, stsd), weights of distances next to weights of 1 (saloe),
 * regressions (fme, soge, asl). */
static const char *const with_units[] = { "self",  "self-mix", "sda",  "tr-fsda", "stsd",
                                          "saloe", "fme",      "soge", "asl" };

/* One column, or (-1) all of them. */
static sample column_times(const sample *s, int64_t column, double factor)
{
    sample out = sample_of(s->n, s->d, s->x, s->y);
    for (int64_t i = 0; i < s->n * s->d; i++)
        out.x[i] *= column < 0 || i % s->d == column ? factor : 1;
    return out;
}

static sample rows_times(const sample *s, double factor)
{
    return column_times(s, -1, factor);
}

static sample plain_rows(void)
{
    pen_rng rng = check_rng(77);
    return sample_random(&rng, N, D, CLASSES, 24);
}

static const char *name_at(int64_t method)
{
    return pen_method_at(method)->name;
}

static int has_units(const char *name)
{
    for (int64_t i = 0; i < COUNT_OF(with_units); i++)
        if (strcmp(with_units[i], name) == 0)
            return 1;
    return 0;
}

static void check_model_finite(const char *text, const pen_model *model)
{
    static const char *const names[] = { "projection", "mean", "eigenvalues", "bias" };

    for (int64_t t = 0; t < COUNT_OF(names); t++) {
        const pen_matrix numbers = pen_model_tensor(model, names[t]);
        CHECK(!numbers.values || all_finite(numbers.rows * numbers.cols, numbers.values),
              "%s: %s has nonfinite numbers", text, names[t]);
    }
}

/* The message reports the magnitude of the values and does not mention equal rows. */
TEST(squares_out_of_range)
{
    static const double factors[] = { 1e-310, 1e-300, 1e-200, 1e-160, 1e160, 1e200, 1e300 };
    sample s = plain_rows();

    for (int64_t m = 0; pen_method_at(m); m++)
        for (int64_t f = 0; f < COUNT_OF(factors); f++) {
            sample scaled = rows_times(&s, factors[f]);
            const pen_data data = sample_data(&scaled);
            CHECK_FIT_FAILS(name_at(m), &data, PEN_BAD_DATA,
                            factors[f] < 1 ? "values are too small: the largest deviation"
                                           : "values are too large: column");
            CHECK_FIT_FAILS(name_at(m), &data, PEN_BAD_DATA, "set scale standard");
        }
}

/* Products of squares overflow or underflow here, but the squares do not. */
TEST(squares_in_range)
{
    static const int powers[] = { -400, 400 };
    sample s = plain_rows();

    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_model *const plain = fit_sample(name_at(m), &s);
        for (int64_t p = 0; p < COUNT_OF(powers); p++) {
            sample scaled = rows_times(&s, ldexp(1, powers[p]));
            pen_model *const model = fit_sample(name_at(m), &scaled);
            const int64_t k = pen_model_dim(model);
            check_model_finite(name_at(m), model);
            if (!has_units(name_at(m))) {
                CHECK(k == pen_model_dim(plain), "%s: %lld dimensions", name_at(m), (long long)k);
                const double off =
                    check_subspaces(D, CLASSES - 1, model_values(plain, "projection"), k,
                                    model_values(model, "projection"), k);
                CHECK(off < 1e-6, "%s: the subspace is %g off", name_at(m), off);
            }
        }
    }
}

static double *embed(const char *text, const sample *s, int64_t *k)
{
    pen_model *const model = fit_sample(text, s);
    double *const z = embedded_rows(model, s->n, s->d, s->x);

    *k = pen_model_dim(model);
    check_model_finite(text, model);
    return z;
}

/* Scaled or normalized rows do not depend on the magnitude of the values. */
static void check_same_embedding(const char *text, const sample *s)
{
    static const int powers[] = { -1000, -664, -531, 531, 664, 996 };
    int64_t k, again;
    double *const plain = embed(text, s, &k);

    for (int64_t p = 0; p < COUNT_OF(powers); p++) {
        sample scaled = rows_times(s, ldexp(1, powers[p]));
        double *const z = embed(text, &scaled, &again);
        CHECK(again == k, "%s times 2^%d: %lld dimensions, %lld otherwise", text, powers[p],
              (long long)again, (long long)k);
        check_all_close(text, s->n * k, z, plain, 1e-9);
    }
}

TEST(scaled_rows_of_any_size)
{
    static const char *const ways[] = { "scale=standard", "scale=minmax", "row_steps=l2" };
    sample s = plain_rows();
    char text[80];

    for (int64_t m = 0; pen_method_at(m); m++)
        for (int64_t w = 0; w < COUNT_OF(ways); w++) {
            snprintf(text, sizeof text, "%s %s", name_at(m), ways[w]);
            check_same_embedding(text, &s);
        }
}

/* The warning of a model, or NULL. */
static const char *warning_of(const pen_model *model)
{
    return strstr(pen_model_info(model), "\"warning\":");
}

static const char *const column_names[D] = { "age", "height", "weight", "income" };

/* If the fit has fewer dimensions than for columns of similar size, the model or the error reports
 * why. */
TEST(a_larger_column_is_reported)
{
    sample s = plain_rows(), long_column = column_times(&s, LARGE, LARGER);
    pen_data data = sample_data(&long_column);
    char text[80];
    int told = 0;

    data.column_names = column_names;
    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_model *const plain = fit_sample(name_at(m), &s), *model;
        pen_error err;
        const pen_status status = fit_status(name_at(m), &data, &model, &err);
        if (status != PEN_OK) {
            CHECK(strstr(err.message, "column 3 (\"income\") varies 1e+12 times more than"),
                  "%s: %s", name_at(m), err.message);
            told++;
        } else if (pen_model_dim(model) < pen_model_dim(plain)) {
            const char *const warning = warning_of(model);
            CHECK(warning
                      && strstr(
                          warning,
                          "rank 1 of 4: column 3 (\\\"income\\\") varies 1e+12 times more than"),
                  "%s: %s", name_at(m), pen_model_info(model));
            told++;
        }
        CHECK(!warning_of(plain), "%s: %s", name_at(m), pen_model_info(plain));
        snprintf(text, sizeof text, "%s scale=standard", name_at(m));
        model = fit_data(text, &data);
        CHECK(!warning_of(model), "%s: %s", text, pen_model_info(model));
    }
    CHECK(told >= 10, "only %d methods lose dimensions", told);
}

TEST(reported_rank)
{
    sample s = plain_rows(), long_column = column_times(&s, LARGE, LARGER), wide = sample_new(3, D);
    pen_data data = sample_data(&long_column), of_wide = sample_data(&wide);
    pen_model *model;

    CHECK_FIT_FAILS("pca dim=3", &data, PEN_RANK_TOO_SMALL,
                    "got 3; rank 1 of 4: column 3 varies 1e+12 times more than column");
    CHECK_FIT_FAILS("pca pca=3", &data, PEN_RANK_TOO_SMALL,
                    "got 3; rank 1 of 4: column 3 varies 1e+12 times more than column");
    model = fit_data("pca dim=3 allow_fewer=true", &data);
    CHECK(pen_model_dim(model) == 1 && warning_of(model), "%s", pen_model_info(model));
    model = fit_data("pca dim=1", &data); /* the requested dimensions are available */
    CHECK(strstr(warning_of(model), "column 3 has 100 % of the variance"), "%s",
          pen_model_info(model));
    CHECK(!strstr(warning_of(model), "rank"), "%s", pen_model_info(model));

    /* With fewer rows than columns the singular values decide, so only a much larger column loses
     * dimensions. */
    for (int64_t i = 0; i < 3 * D; i++)
        wide.x[i] = (double)((7 * i * i + 3 * i) % 11) * (i % D == 0 ? 1e20 : 1);
    CHECK_FIT_FAILS("pca dim=2", &of_wide, PEN_RANK_TOO_SMALL, "rank 1 of 4: column 0 varies");
}

/* Duplicate columns lower the rank as well, in any units. */
TEST(dependent_columns_are_not_reported)
{
    sample s = plain_rows();

    for (int64_t i = 0; i < s.n; i++) {
        s.x[i * D + 1] = 1000 * s.x[i * D];
        s.x[i * D + 2] = 7;
    }
    pen_model *const model = fit_sample("pca", &s);
    CHECK(pen_model_dim(model) == 2 && !strstr(warning_of(model), "rank"), "%s",
          pen_model_info(model));
}

/* An error about rows that differ only in their last digits explains why they count as equal. */
TEST(rows_that_differ_by_rounding)
{
    sample s = sample_new(20, NARROW);
    int told = 0;

    for (int64_t i = 0; i < s.n; i++) {
        s.y[i] = i < 10 ? (int32_t)(i % 2) : PEN_UNLABELLED;
        for (int64_t j = 0; j < NARROW; j++)
            s.x[i * NARROW + j] = 1e8 + 1.5e-8 * (double)(j > 0 ? i % 4 : i / 4);
    }
    const pen_data data = sample_data(&s);
    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_model *model;
        pen_error err;
        const pen_status status = fit_status(name_at(m), &data, &model, &err);
        if (pen_method_at(m)->traits & PEN_BASELINE) { /* this method keeps any columns */
            CHECK_OK(status, &err);
            continue;
        }
        CHECK(status == PEN_RANK_TOO_SMALL || status == PEN_SINGULAR_SCATTER, "%s: %d %s",
              name_at(m), (int)status, err.message);
        if (status != PEN_RANK_TOO_SMALL)
            continue;
        CHECK(strstr(err.message, "no column varies by more than rounding"), "%s: %s", name_at(m),
              err.message);
        told++;
    }
    CHECK(told >= 10, "only %d methods report equal rows", told);
}

/* A fit with 1 neighbor in every neighbor search of the method. */
static pen_status fit_of_few(int64_t method, const pen_data *data, pen_model **model,
                             pen_error *err)
{
    const pen_param *param;
    char text[200];

    int used = snprintf(text, sizeof text, "%s", name_at(method));
    for (param = pen_method_at(method)->params; param->name; param++)
        if (strstr(param->name, "neighbors"))
            used += snprintf(text + used, sizeof text - (size_t)used, " %s=1", param->name);
    return fit_status(text, data, model, err);
}

/* Every method returns finite numbers or an error with a reason. */
static void check_ends(const char *what, int64_t n, int64_t d, const double *x, const int32_t *y,
                       int may_fit)
{
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, d, d), .labels = y };

    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_model *model;
        pen_error err;
        const pen_status status = fit_of_few(m, &data, &model, &err);
        CHECK(status != PEN_INTERNAL && status != PEN_NOT_FINITE && status != PEN_NOT_CONVERGED,
              "%s of %s: %d %s", name_at(m), what, (int)status, err.message);
        CHECK(status != PEN_OK || may_fit || pen_method_at(m)->traits & PEN_BASELINE,
              "%s of %s: a model without columns", name_at(m), what);
        if (model)
            check_model_finite(name_at(m), model);
    }
}

TEST(rows_with_little_variation)
{
    enum { ROWS = 20, COLUMNS = 3 };
    static const double few[] = { 0, 1, 2, 3, 5, 4, 1, 1, 7 };
    static const int32_t two_labels[] = { 0, 1, PEN_UNLABELLED }, twice[] = { 0, 1, 0 },
                         three[] = { 0, 1, 2 };
    double x[ROWS * COLUMNS] = { 0 };
    int32_t y[ROWS];

    for (int64_t i = 0; i < ROWS; i++)
        y[i] = i < 10 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    check_ends("zeros", ROWS, COLUMNS, x, y, 0);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = 0.1;
    check_ends("a constant", ROWS, COLUMNS, x, y, 0);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = (double)(i / COLUMNS % 2 * (i % COLUMNS + 1));
    check_ends("two rows again and again", ROWS, COLUMNS, x, y, 1);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = (double)(i / COLUMNS % 5 * (i % COLUMNS + 1) * 7 % 11);
    check_ends("five rows again and again", ROWS, COLUMNS, x, y, 1);
    for (int64_t i = 0; i < ROWS; i++)
        x[i] = (double)(i * i % 17 + 3 * (i % 2));
    check_ends("one column", ROWS, 1, x, y, 1);
    for (int64_t d = 1; d <= COLUMNS; d++) {
        check_ends("two rows", 2, d, few, two_labels, 1);
        check_ends("three rows", 3, d, few, two_labels, 1);
        check_ends("three labelled rows", 3, d, few, twice, 1);
        check_ends("three rows of three classes", 3, d, few, three, 1);
    }
}
