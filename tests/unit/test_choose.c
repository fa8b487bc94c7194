/* test_choose.c - what is fitted where no method is named, and the comparison with PCA. */
#include "check.h"

#include "core/rng.h"

#include <math.h>
#include <stdio.h>

enum { N = 40, D = 6, MANY = 4000, WIDE = 30 };

static double x[N * D], many[MANY * WIDE];
static int32_t labels[N], many_labels[MANY];
static const int64_t pairs[] = { 0, 1, 2, 3 }, others[] = { 0, 2 };

/* Two classes that differ in the column of largest variance only; the others are noise. */
static void fill(double *values, int32_t *classes, int64_t n, int64_t d)
{
    pen_rng rng = { 3 };

    for (int64_t i = 0; i < n; i++) {
        classes[i] = (int32_t)(i % 2);
        for (int64_t j = 0; j < d; j++)
            values[i * d + j] = pen_rng_uniform(&rng) + (j == 0 ? 20 * classes[i] : 0);
    }
}

static pen_data rows_alone(void)
{
    fill(x, labels, N, D);
    return (pen_data){ .x = pen_dense(x, PEN_F64, N, D, D) };
}

/* "METHOD dim pca allow_fewer", or "trials"; the reason begins with `why`. */
static void check_choice(const pen_data *data, const char *expected, const char *why)
{
    char reason[160] = "", text[80] = "trials";
    double dim, pca, fewer;
    pen_spec *spec;
    pen_error err;

    CHECK_OK(pen_choose(data, &spec, reason, sizeof reason, &err), &err);
    if (spec && pen_spec_get(spec, "dim", &dim, NULL) == PEN_OK
        && pen_spec_get(spec, "pca", &pca, NULL) == PEN_OK
        && pen_spec_get(spec, "allow_fewer", &fewer, NULL) == PEN_OK)
        snprintf(text, sizeof text, "%s %g %g %g", pen_method_name(pen_spec_method(spec)), dim, pca,
                 fewer);
    CHECK(strcmp(text, expected) == 0, "chosen: %s, expected: %s", text, expected);
    CHECK(strncmp(reason, why, strlen(why)) == 0, "reason: %s, expected: %s", reason, why);
    assert_true(strlen(reason) < sizeof reason - 1);
    pen_spec_free(spec);
}

static void what_there_is_decides(void **state)
{
    pen_data data = rows_alone();

    (void)state;
    check_choice(&data, "pca 50 0.95 1", "there are neither labels nor pairs");
    data.must_link = pairs;
    data.must_link_count = 2;
    check_choice(&data, "ssdr 0 0 0", "there are must-links only");
    data.cannot_link = others;
    data.cannot_link_count = 1;
    check_choice(&data, "wbdr 0 0 0", "there are pairs of both kinds");
    data.must_link_count = 0;
    check_choice(&data, "ssdr 0 0 0", "there are cannot-links only");
    data.labels = labels;
    check_choice(&data, "trials", "labels can be held out");
    for (int i = 2; i < N; i++)
        labels[i] = PEN_UNLABELLED;
    check_choice(&data, "ssdr 0 0 0", "there are cannot-links only");
    data.cannot_link_count = 0;
    check_choice(&data, "fme 0 0 0", "classes have one label each");
    labels[2] = 0;
    check_choice(&data, "fme 0 0 0", "classes have one label each");
    labels[3] = 1;
    check_choice(&data, "trials", "labels can be held out");
    labels[1] = labels[3] = PEN_UNLABELLED; /* one class */
    check_choice(&data, "pca 50 0.95 1", "labels of one class say nothing");
}

/* The rule for rows alone can be fitted: at most 50 dimensions, and fewer where 95 % take fewer. */
static void components_are_at_most_fifty(void **state)
{
    const pen_data data = rows_alone();
    char reason[160];
    pen_model *model;
    pen_spec *spec;
    pen_error err;

    (void)state;
    CHECK_OK(pen_choose(&data, &spec, reason, sizeof reason, &err), &err);
    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    assert_int_equal(pen_model_output_dim(model), 1);
    pen_model_free(model);
    pen_spec_free(spec);
}

static pen_rival tried(const char *method, const pen_data *data, int64_t dim)
{
    pen_rival out;
    pen_spec *spec;
    pen_error err;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    CHECK_OK(pen_try_pca(spec, data, dim, NULL, &out, &err), &err);
    pen_spec_free(spec);
    return out;
}

/* The accuracy in one dimension by pen_evaluate itself. */
static double evaluated(const char *method, const pen_data *data)
{
    const pen_protocol protocol = { .runs = 1 };
    const int64_t one = 1;
    pen_scores *scores;
    pen_spec *spec;
    pen_error err;
    double mean;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    CHECK_OK(pen_evaluate(spec, data, &protocol, &one, 1, NULL, &scores, &err), &err);
    pen_scores_summary(scores, scores->accuracy, 0, &mean, NULL);
    pen_scores_free(scores);
    pen_spec_free(spec);
    return mean;
}

static void pca_and_the_method_have_the_same_trials(void **state)
{
    pen_data data = rows_alone();

    (void)state;
    data.labels = labels;
    pen_rival out = tried("lpp", &data, 1);
    assert_int_equal(out.rows, N);
    assert_int_equal(out.of_rows, N);
    assert_true(fabs(out.pca - evaluated("pca", &data)) < 1e-12);
    assert_true(fabs(out.method - evaluated("lpp", &data)) < 1e-12);
    assert_true(out.pca == 1 && !out.better == !(out.method < 1));
    out = tried("fda", &data, 1);
    assert_true(out.method > 0.9 && !out.better);
}

static void nothing_is_tried_without_labels_to_hold_out(void **state)
{
    pen_data data = rows_alone();

    (void)state;
    assert_int_equal(tried("lpp", &data, 1).rows, 0);
    data.labels = labels;
    assert_int_equal(tried("pca", &data, 1).rows, 0);
    for (int i = 10; i < N; i++)
        labels[i] = PEN_UNLABELLED;
    assert_int_equal(tried("lpp", &data, 1).rows, 10);
    labels[9] = PEN_UNLABELLED;
    assert_int_equal(tried("lpp", &data, 1).rows, 0);
}

/* Trials of thousands of rows would take as long as the fit: unlabelled rows are left out, and
 * where all are labelled there are none. */
static void many_rows_are_thinned_out(void **state)
{
    pen_data data;

    (void)state;
    fill(many, many_labels, MANY, WIDE);
    data = (pen_data){ .x = pen_dense(many, PEN_F64, MANY, WIDE, WIDE), .labels = many_labels };
    assert_int_equal(tried("self", &data, 2).rows, 0);
    for (int i = 20; i < MANY; i++)
        many_labels[i] = PEN_UNLABELLED;
    const pen_rival out = tried("sda", &data, 2);
    assert_int_equal(out.rows, 20);
    assert_true(out.of_rows > 20 && out.of_rows < MANY / 2);
    assert_true(out.pca == 1);
    data.must_link = pairs; /* row numbers would change */
    data.must_link_count = 2;
    assert_int_equal(tried("wbdr", &data, 2).of_rows % MANY, 0);
}

static void mistakes_are_named(void **state)
{
    const pen_data data = rows_alone();
    pen_rival out;
    pen_spec *spec;
    char text[8];
    pen_error err;

    (void)state;
    CHECK_STATUS(pen_choose(NULL, &spec, text, sizeof text, &err), PEN_BAD_ARGUMENT,
                 "data must not be NULL", &err);
    CHECK_STATUS(pen_choose(&data, NULL, text, sizeof text, &err), PEN_BAD_ARGUMENT,
                 "out must not be NULL", &err);
    CHECK_STATUS(pen_choose(&data, &spec, NULL, 1, &err), PEN_BAD_ARGUMENT,
                 "reason must not be NULL", &err);
    CHECK_OK(pen_spec_new("fda", &spec, &err), &err);
    assert_string_equal(pen_method_name(pen_spec_method(spec)), "fda");
    assert_null(pen_spec_method(NULL));
    CHECK_STATUS(pen_try_pca(spec, &data, 0, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "dim must be >= 1, got 0", &err);
    CHECK_STATUS(pen_try_pca(NULL, &data, 1, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "spec must not be NULL", &err);
    CHECK_STATUS(pen_try_pca(spec, NULL, 1, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "data must not be NULL", &err);
    CHECK_STATUS(pen_try_pca(spec, &data, 1, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "out must not be NULL", &err);
    pen_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_there_is_decides),
        cmocka_unit_test(components_are_at_most_fifty),
        cmocka_unit_test(pca_and_the_method_have_the_same_trials),
        cmocka_unit_test(nothing_is_tried_without_labels_to_hold_out),
        cmocka_unit_test(many_rows_are_thinned_out),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
