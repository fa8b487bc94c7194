/* test_constant_columns.c - constant columns: every method gives the same bits as without them, and
 * 0 for the constant columns. */
#include "kit/embedded.h"
#include "kit/sparse_sample.h"

#include <stdio.h>

enum { N = 60, D = 5, CONSTANTS = 4, WIDE = D + CONSTANTS, CLASSES = 3 };

/* The indices of varying and constant columns, and the constant values. */
static const int64_t places[D] = { 1, 2, 4, 5, 7 }, others[CONSTANTS] = { 0, 3, 6, 8 };
static const double held[CONSTANTS] = { 0, 7.25, 0x3p59, 0.3 };

/* The rows without and with constant columns, which are zeros for normalized rows. The last one
 * varies only by rounding. */
typedef struct tables {
    sample narrow, wide;
} tables;

static tables tables_new(uint64_t tag, int zeros)
{
    pen_rng rng = check_rng(tag);
    tables t = { sample_random(&rng, N, D, CLASSES, 30), sample_new(N, WIDE) };

    memcpy(t.wide.y, t.narrow.y, N * sizeof *t.narrow.y);
    for (int64_t i = 0; i < N; i++) {
        t.narrow.x[i * D + 1] = i < 30 ? 1.5 : -2; /* varies only between the halves */
        for (int64_t j = 0; j < D; j++)
            t.wide.x[i * WIDE + places[j]] = t.narrow.x[i * D + j];
        for (int64_t j = 0; j < CONSTANTS && !zeros; j++)
            t.wide.x[i * WIDE + others[j]] = j == 3 && i % 2 ? 0.1 + 0.2 : held[j];
    }
    return t;
}

/* What the models compute from their rows. */
static void check_answers(const char *what, const pen_model *model, const pen_array *x,
                          const pen_model *right, const pen_array *rows, double tolerance)
{
    const int64_t k = pen_model_dim(right), c = pen_model_class_count(right);
    double *const z = embedded(model, x), *const of_right = embedded(right, rows),
                  *const p = zeros(2 * N * c);
    int32_t of[2 * N];
    pen_error err;

    check_all_close(what, N * k, z, of_right, tolerance);
    CHECK(!model_text(model, "classifier") == !model_text(right, "classifier"), "%s: classifier",
          what);
    if (model_text(right, "classifier")) {
        CHECK_OK(pen_predict(model, x, NULL, of, p, NULL, &err), &err);
        CHECK_OK(pen_predict(right, rows, NULL, of + N, p + N * c, NULL, &err), &err);
        assert_memory_equal(of, of + N, N * sizeof *of);
        check_all_close(what, N * c, p, p + N * c, tolerance);
    }
}

/* `model` has all columns, `right` the varying ones. */
static void check_same(const char *what, const pen_model *model, const pen_model *right, int zeros,
                       double tolerance)
{
    const int64_t k = pen_model_dim(right);
    const double *const w = model_values(model, "projection"), *const mean =
                                                                   model_values(model, "mean");

    CHECK(pen_model_columns(model) == WIDE && pen_model_dim(model) == k, "%s: %lld to %lld", what,
          (long long)pen_model_columns(model), (long long)pen_model_dim(model));
    CHECK(model_number(model, "info.constant_columns") == CONSTANTS, "%s: info constant_columns",
          what);
    assert_null(model_text(right, "info.constant_columns"));
    if (model_values(right, "eigenvalues"))
        check_all_close(what, k, model_values(model, "eigenvalues"),
                        model_values(right, "eigenvalues"), tolerance);
    if (strstr(what, "kernel="))
        return;
    for (int64_t j = 0; j < D; j++) {
        check_all_close(what, k, w + places[j] * k, model_values(right, "projection") + j * k,
                        tolerance);
        check_all_close(what, 1, mean + places[j], model_values(right, "mean") + j, tolerance);
    }
    for (int64_t j = 0; j < CONSTANTS; j++) {
        for (int64_t c = 0; c < k; c++)
            CHECK(w[others[j] * k + c] == 0, "%s: column %lld has the weight %g", what,
                  (long long)others[j], w[others[j] * k + c]);
        CHECK_CLOSE(mean[others[j]], zeros ? 0 : held[j], j == 3 ? 1e-7 : 0, 0);
    }
}

enum form { DOUBLES, FLOATS, SPARSE, FORMS };

static pen_array array_of(const sample *s, enum form form)
{
    pen_array x = recast(s, form == FLOATS ? PEN_F32 : PEN_F64, 0);

    if (form != SPARSE)
        return x;
    const pen_array sparse = sparse_of(&x, NO_ZEROS);
    return sparse;
}

static void compare(const char *text, const tables *t, int zeros)
{
    for (enum form form = 0; form < FORMS; form++) {
        char what[100];
        pen_array x = array_of(&t->wide, form), rows = array_of(&t->narrow, form);
        const pen_data all = { .x = x, .labels = t->wide.y },
                       alone = { .x = rows, .labels = t->narrow.y };
        snprintf(what, sizeof what, "%s, form %d", text, (int)form);
        pen_model *const model = fit_defaults(text, &all), *const right =
                                                               fit_defaults(text, &alone);
        check_same(what, model, right, zeros, 0);
        check_answers(what, model, &x, right, &rows, 0);
    }
}

TEST(every_method)
{
    static const char *const more[] = {
        "self scale=none",          "fda scale=standard",
        "pca scale=minmax pca=0.9", "fme pca=3",
        "fda kernel=rbf",           "fme kernel=rbf kernel_landmarks=30",
        "pca kernel=laplacian",     "self kernel=polynomial scale=none"
    };
    tables t = tables_new(1, 0), none = tables_new(2, 1);

    for (int64_t m = 0; pen_method_at(m); m++) {
        char text[64];
        compare(pen_method_at(m)->name, &t, 0);
        snprintf(text, sizeof text, "%s row_steps=l2", pen_method_at(m)->name);
        compare(text, &none, 1);
    }
    for (int64_t i = 0; i < COUNT_OF(more); i++)
        compare(more[i], &t, 0);
}

/* Merged statistics of two halves; one column varies only between the halves. */
static pen_model *fit_merged(const char *text, const sample *s)
{
    pen_spec *const spec = spec_with_defaults(text);
    pen_stats *half[2], *all;
    pen_model *model;
    pen_error err;

    for (int h = 0; h < 2; h++) {
        const pen_stats_block block = { .id = h };
        const pen_data data = { .x = pen_dense(s->x + h * 30 * s->d, PEN_F64, 30, s->d, s->d),
                                .labels = s->y + h * 30 };
        CHECK_OK(pen_stats_new(spec, &data, &block, NULL, &half[h], &err), &err);
    }
    CHECK_OK(pen_stats_merge((const pen_stats *const *)half, 2, 0, NULL, &all, &err), &err);
    CHECK_OK(pen_stats_fit(spec, all, NULL, NULL, &model, &err), &err);
    pen_stats_free(half[0]), pen_stats_free(half[1]), pen_stats_free(all);
    return keep_model(model);
}

TEST(statistics)
{
    static const char *const texts[] = { "pca", "fda", "lfda", "self affinity=one beta=0.5" };
    tables t = tables_new(3, 0);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        const pen_data wide = sample_data(&t.wide), narrow = sample_data(&t.narrow);
        pen_model *const model = fit_merged(texts[i], &t.wide), *const right =
                                                                    fit_merged(texts[i], &t.narrow);
        check_same(texts[i], model, right, 0, 1e-12);
        check_answers(texts[i], model, &wide.x, right, &narrow.x, 1e-10);
    }
}

/* A nonfinite value is refused with its index among all columns. All column names are kept. */
TEST(columns_of_the_caller)
{
    static const char *const names[WIDE] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
    tables t = tables_new(4, 0);
    pen_data data = sample_data(&t.wide);

    data.column_names = names;
    pen_model *const model = fit_data("fda", &data);
    for (int64_t j = 0; j < WIDE; j++)
        assert_string_equal(pen_model_column_name(model, j), names[j]);
    for (int64_t j = 6; j < 8; j++) {
        char phrase[40];
        const double kept = t.wide.x[31 * WIDE + j];
        t.wide.x[31 * WIDE + j] = (double)NAN;
        snprintf(phrase, sizeof phrase, "row 31, column %lld", (long long)j);
        for (enum form form = 0; form < FORMS; form++) {
            pen_array x = array_of(&t.wide, form);
            data.x = x;
            CHECK_FIT_FAILS("fda", &data, PEN_NOT_FINITE, phrase);
        }
        t.wide.x[31 * WIDE + j] = kept;
    }
}
