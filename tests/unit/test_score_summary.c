/* test_score_summary.c - summary numbers of trials. */
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
        s.x[i * D] = (double)s.y[i]; /* a singular scatter within classes */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_printed),
        cmocka_unit_test(summary_of_nothing),
        cmocka_unit_test(failed_trial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
