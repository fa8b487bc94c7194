/* test_choose.c - fits without trials if no method is named. */
#include "kit/check_fit.h"

#include "core/rng.h"
#include "eval/choose/select.h"
#include "model/spec.h"

#include <stdio.h>

enum { N = 40, D = 6 };

static double x[N * D];
static int32_t labels[N];
static const int64_t pairs[] = { 0, 1, 2, 3 }, others[] = { 0, 3 };

/* Two classes that differ only in the direction of largest variance; the rest is noise. */
static pen_data rows_alone(void)
{
    pen_rng rng = { 3 };

    for (int64_t i = 0; i < N; i++) {
        labels[i] = (int32_t)(i % 2);
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = pen_rng_uniform(&rng) + 20 * labels[i];
    }
    return (pen_data){ .x = pen_dense(x, PEN_F64, N, D, D) };
}

/* Expects "METHOD dim pca allow_fewer", or "trials"; the reason begins with `why`, or is absent. */
static void check_choice(const char *how, const pen_data *data, const char *right, const char *why)
{
    char text[80] = "trials";
    char pca[40];
    double dim, fewer;

    pen_selection *const found = select_data(how, data, 1);
    const pen_spec *const spec = found->spec;
    assert_int_equal(found->count > 0, strcmp(right, "trials") == 0);
    if (found->count == 0 && pen_spec_number(spec, "dim", &dim, NULL) == PEN_OK
        && pen_spec_get(spec, "pca", pca, sizeof pca) > 0
        && pen_spec_number(spec, "allow_fewer", &fewer, NULL) == PEN_OK)
        snprintf(text, sizeof text, "%s %g %s %g", pen_spec_method(spec)->name, dim, pca, fewer);
    CHECK(strcmp(text, right) == 0, "chosen: %s, expected: %s", text, right);
    CHECK(strncmp(found->reason, why, strlen(why)) == 0 && !*why == !*found->reason,
          "reason: %s, expected: %s", found->reason, why);
    assert_true(strlen(found->reason) < sizeof found->reason - 1);
}

TEST(supervision_selects_the_method)
{
    static const char plain[] = "auto effort=0.001",
                      sampled[] = "auto effort=0.001 sample_pairs=100%";
    pen_data data = rows_alone();

    check_choice(plain, &data, "pca 50 0.95 1", "there are neither labels nor pairs");
    data.must_link = pairs;
    data.must_link_count = 2;
    check_choice(plain, &data, "ssdr 0 off 0", "there are must-links only");
    data.cannot_link = others;
    data.cannot_link_count = 1;
    check_choice(plain, &data, "wbdr 0 off 0", "there are pairs of both kinds");
    data.must_link_count = 0;
    check_choice(plain, &data, "ssdr 0 off 0", "there are cannot-links only");
    data.labels = labels;
    check_choice(plain, &data, "trials", "");
    for (int i = 2; i < N; i++)
        labels[i] = PEN_UNLABELLED;
    check_choice(plain, &data, "ssdr 0 off 0", "there are cannot-links only");
    data.cannot_link_count = 0;
    check_choice(sampled, &data, "fme 0 off 0", "classes have one label each");
    labels[2] = 0;
    check_choice(sampled, &data, "fme 0 off 0", "classes have one label each");
    labels[3] = 1;
    check_choice(sampled, &data, "trials", "");
    labels[1] = labels[3] = PEN_UNLABELLED; /* one class */
    for (int i = 0; i < 2; i++)
        check_choice(i ? plain : sampled, &data, "pca 50 0.95 1",
                     "labels of one class say nothing");
}

/* The spec for unlabelled rows alone can be fitted: at most 50 dimensions, or fewer that have 95 %
 * of the variance. */
TEST(components_are_at_most_fifty)
{
    const pen_data data = rows_alone();

    for (int dim = 1; dim <= 2; dim++) {
        pen_model *const model = fit_data(dim == 1 ? "auto" : "auto dim=1", &data);
        assert_string_equal(model_text(model, "method"), "pca");
        assert_int_equal(pen_model_dim(model), 1);
    }
    CHECK_FIT_FAILS("auto dim=2", &data, PEN_RANK_TOO_SMALL,
                    "dim must be at most 1, the number of dimensions");
}

/* All methods; those without pair support ignore the pairs. The model is that of the recommended
 * method. */
TEST(labels_and_pairs_are_compared)
{
    pen_data data = rows_alone();

    data.labels = labels;
    data.must_link_count = 1;
    data.must_link = (const int64_t[]){ 0, 2 };
    pen_selection *const found = select_data("auto effort=0.001 seed=3", &data, 1);
    pen_model *const model = fit_data("auto effort=0.001 seed=3", &data);
    assert_string_equal(model_text(model, "method"), pen_spec_method(found->spec)->name);
    assert_true(found->count > 20 && found->accuracy > 0.9 && found->predicts);
    CHECK(strstr(pen_model_info(model), found->candidates[found->best].name), "%s",
          pen_model_info(model));
}

/* Options for pairs apply in trials and to a method chosen without trials. */
TEST(pair_options_apply)
{
    static const int64_t against[] = { 0, 2 };
    pen_data data = rows_alone();
    char drop[8], closure[8], drawn[8], seed[8];

    data.must_link = data.cannot_link = against;
    data.must_link_count = data.cannot_link_count = 1;
    for (int with_labels = 0; with_labels < 2; with_labels++) {
        data.labels = with_labels ? labels : NULL;
        CHECK_FIT_FAILS("auto effort=0.001", &data, PEN_CONTRADICTION, "rows 0 and 2");
    }
    data.labels = NULL;
    data.cannot_link = others;
    pen_selection *const found =
        select_data("auto contradictions=drop closure=true sample_pairs=1+2 seed=7", &data, 1);
    pen_spec_get(found->spec, "contradictions", drop, sizeof drop);
    pen_spec_get(found->spec, "closure", closure, sizeof closure);
    pen_spec_get(found->spec, "sample_pairs", drawn, sizeof drawn);
    pen_spec_get(found->spec, "seed", seed, sizeof seed);
    CHECK(strcmp(drop, "drop") == 0 && strcmp(closure, "true") == 0 && strcmp(drawn, "1+2") == 0
              && strcmp(seed, "7") == 0,
          "%s, %s, %s, %s", drop, closure, drawn, seed);
}

TEST(no_ensemble_without_trials)
{
    pen_data data = rows_alone();

    CHECK_FIT_FAILS("auto ensemble=true", &data, PEN_NO_LABELS, "got 0 labelled rows of 0 classes");
    data.must_link = pairs;
    data.must_link_count = 2;
    data.labels = labels;
    CHECK_FIT_FAILS("auto ensemble=true", &data, PEN_BAD_ARGUMENT, "without pairs");
    for (int i = 2; i < N; i++)
        labels[i] = PEN_UNLABELLED;
    CHECK_FIT_FAILS("auto classifier=lda", &data, PEN_BAD_ARGUMENT, "without pairs");
    labels[1] = PEN_UNLABELLED;
    data.must_link_count = 0;
    CHECK_FIT_FAILS("auto ensemble=true", &data, PEN_ONE_CLASS, "labelled rows of 1 classes");
}
