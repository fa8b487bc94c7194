/* test_score_summary.c - summary numbers of trials, and the embedding of one trial. */
#include "kit/check_fit.h"

enum { N = 80, D = 5 };

/* Three classes, every second row labelled. */
static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, N, D, 3, N / 2);

    return s;
}

/* ---- summaries ---- */

static void summary_printed(void **state)
{
    double accuracy[] = { 0.5, 0.75, NAN, 0.5, 0.25, 1, 0.5, 0.5, 1 };
    int64_t dims[] = { 1, 3, 4 };
    pen_scores s = { .trials = 3, .done = 3, .dim_count = 3, .dims = dims, .accuracy = accuracy };
    double mean, deviation;
    (void)state;

    pen_scores_summary(&s, s.accuracy, 1, &mean, &deviation);
    CHECK(mean == 0.5 && deviation == 0.25, "mean %g, deviation %g", mean, deviation);
    pen_scores_summary(&s, s.accuracy, 2, &mean, &deviation);
    CHECK(isnan(mean) && isnan(deviation), "mean %g, deviation %g", mean, deviation);
    CHECK(pen_scores_best(&s) == 0, "the first of equal means is not taken");
    CHECK(pen_scores_error_area(&s) == 0.5, "error area %g", pen_scores_error_area(&s));
    pen_scores_mean_error(&s, &mean, &deviation); /* of trials: 3/8, 5/8, 1/2 */
    CHECK(mean == 0.5 && deviation == 0.125, "mean error %g, deviation %g", mean, deviation);
    s.done = 1;
    pen_scores_summary(&s, s.accuracy, 1, &mean, &deviation);
    CHECK(mean == 0.75 && isnan(deviation), "mean %g, deviation %g", mean, deviation);
    CHECK(pen_scores_best(&s) == 1, "best is %lld", (long long)pen_scores_best(&s));
    CHECK(pen_scores_error_area(&s) == 0.375, "error area %g", pen_scores_error_area(&s));
    dims[2] = 8;
    accuracy[2] = 0.75; /* far away: more of the area, a third of the mean */
    pen_scores_mean_error(&s, &mean, &deviation);
    CHECK_CLOSE(mean, 1.0 / 3, 0, 1e-15);
    CHECK(isnan(deviation), "deviation %g of one trial", deviation);
    CHECK_CLOSE(pen_scores_error_area(&s), (2 * 0.375 + 5 * 0.25) / 7, 0, 1e-15);
    accuracy[2] = (double)NAN;
    dims[1] = 0; /* chosen by the method: not a position on the axis */
    pen_scores_mean_error(&s, &mean, NULL);
    CHECK(isnan(mean), "a mean over one number of dimensions");
    CHECK(isnan(pen_scores_error_area(&s)), "an area over one number of dimensions");
}

static void summary_of_nothing(void **state)
{
    const pen_scores none = { .trials = 3, .dim_count = 0 };
    double mean = 0, deviation = 0;
    (void)state;

    pen_scores_summary(NULL, NULL, 0, &mean, &deviation);
    CHECK(isnan(mean) && isnan(deviation), "mean %g, deviation %g", mean, deviation);
    pen_scores_summary(&none, none.accuracy, 0, NULL, NULL);
    CHECK(pen_scores_best(NULL) == -1 && pen_scores_best(&none) == -1, "there is a best of none");
    CHECK(isnan(pen_scores_error_area(NULL)), "there is an area of none");
    pen_scores_mean_error(NULL, &mean, &deviation);
    CHECK(isnan(mean) && isnan(deviation), "mean error %g, deviation %g of none", mean, deviation);
    pen_scores_mean_error(&none, NULL, NULL);
}

/* A failed trial sets the hints of its error. */
static void failed_trial(void **state)
{
    const pen_protocol protocol = { .folds = 2, .runs = 1 };
    sample s = problem(9403);
    for (int64_t i = 0; i < N; i++)
        s.x[i * D] = 1; /* a singular scatter */
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("rca");
    pen_scores *scores;
    pen_error err;
    (void)state;

    CHECK_STATUS(pen_evaluate(spec, &data, &protocol, NULL, 0, NULL, &scores, &err),
                 PEN_SINGULAR_SCATTER, "run 1, fold 1", &err);
    CHECK(err.hints & PEN_HINT_OTHER_METHOD, "hints are %d", err.hints);
    pen_spec_free(spec);
    sample_free(&s);
}

/* ---- one trial ---- */

/* The accuracy of the embedding by literal search equals that of the trial. */
static void check_trial(const sample *s, const pen_protocol *protocol, const char *text,
                        int64_t trial)
{
    static const int64_t dims[] = { 2 };
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    pen_trial_embedding *e;
    pen_scores *scores;
    double right = 0, held = 0;
    pen_error err;

    CHECK_OK(pen_evaluate(spec, &data, protocol, dims, 1, NULL, &scores, &err), &err);
    CHECK_OK(pen_embed_trial(spec, &data, protocol, trial, 2, NULL, &e, &err), &err);
    CHECK(e->rows == N && e->dim == 2, "%lld rows of %lld", (long long)e->rows, (long long)e->dim);
    for (int64_t i = 0; i < N; i++) {
        double nearest = INFINITY;
        int32_t class = -1;
        CHECK((e->roles[i] == PEN_ROW_UNLABELLED) == (s->y[i] == PEN_UNLABELLED),
              "row %lld has role %d", (long long)i, (int)e->roles[i]);
        for (int64_t j = 0; j < N; j++) {
            const double a = e->z[2 * i] - e->z[2 * j], b = e->z[2 * i + 1] - e->z[2 * j + 1];
            if (e->roles[j] == PEN_ROW_KNOWN && a * a + b * b < nearest) {
                nearest = a * a + b * b;
                class = s->y[j];
            }
        }
        held += e->roles[i] == PEN_ROW_HELD_OUT;
        right += e->roles[i] == PEN_ROW_HELD_OUT && class == s->y[i];
    }
    CHECK(right / held == scores->accuracy[trial], "%g of %g, expected %g", right, held,
          scores->accuracy[trial]);
    pen_trial_embedding_free(e);
    pen_scores_free(scores);
    pen_spec_free(spec);
}

static void trial_embedded(void **state)
{
    sample s = problem(9404);
    pen_protocol protocol = { .folds = 4, .runs = 2, .seed = 3 };
    (void)state;

    check_trial(&s, &protocol, "pca", 0);
    check_trial(&s, &protocol, "lfda", 7);
    protocol.inductive = 1;
    check_trial(&s, &protocol, "lfda", 5);
    protocol.labels.per_class = 3;
    check_trial(&s, &protocol, "fda", 1);
    sample_free(&s);
}

/* Fewer dimensions, the method's own number of dimensions, and rows whose labels were dropped. */
static void trial_of_other_dims(void **state)
{
    const pen_protocol protocol = { .folds = 4, .runs = 1, .labels = { .per_class = 5 } };
    sample s = problem(9405);
    const pen_data data = sample_data(&s);
    pen_spec *const fda = spec_of("fda"), *const fme = spec_of("fme");
    int64_t known = 0, dropped = 0;
    pen_trial_embedding *e;
    pen_error err;
    (void)state;

    CHECK_OK(pen_embed_trial(fda, &data, &protocol, 3, 4, NULL, &e, &err), &err);
    CHECK(e->dim == 2, "fda of three classes gives %lld dimensions", (long long)e->dim);
    for (int64_t i = 0; i < N; i++) {
        known += e->roles[i] == PEN_ROW_KNOWN;
        dropped += e->roles[i] == PEN_ROW_DROPPED;
    }
    CHECK(known == 15 && dropped > 0, "%lld known, %lld dropped", (long long)known,
          (long long)dropped);
    pen_trial_embedding_free(e);
    CHECK_OK(pen_embed_trial(fme, &data, &protocol, 0, 2, NULL, &e, &err), &err);
    CHECK(e->dim == 3, "fme gives %lld dimensions", (long long)e->dim);
    pen_trial_embedding_free(e);
    pen_trial_embedding_free(NULL);
    pen_spec_free(fda);
    pen_spec_free(fme);
    sample_free(&s);
}

static void trial_refused(void **state)
{
    const pen_protocol protocol = { .folds = 4, .runs = 1 };
    sample s = problem(9406);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("pca");
    pen_trial_embedding *e = (pen_trial_embedding *)&protocol;
    pen_error err;
    (void)state;

    CHECK_STATUS(pen_embed_trial(spec, &data, &protocol, 4, 2, NULL, &e, &err), PEN_BAD_ARGUMENT,
                 "trial must be in [0, 3], got 4", &err);
    assert_null(e);
    CHECK_STATUS(pen_embed_trial(spec, &data, &protocol, 0, 0, NULL, &e, &err), PEN_BAD_ARGUMENT,
                 "dim must be >= 1, got 0", &err);
    CHECK_STATUS(pen_embed_trial(NULL, &data, &protocol, 0, 2, NULL, &e, &err), PEN_BAD_ARGUMENT,
                 "spec", &err);
    CHECK_STATUS(pen_embed_trial(spec, &data, &protocol, 0, 2, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "out", &err);
    pen_spec_free(spec);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_printed),     cmocka_unit_test(summary_of_nothing),
        cmocka_unit_test(failed_trial),        cmocka_unit_test(trial_embedded),
        cmocka_unit_test(trial_of_other_dims), cmocka_unit_test(trial_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
