/* test_groups.c - rows of one sample: in folds, in trials, and in choices within a fit. A trial
 * that separates near copies with random labels would report high accuracy. */
#include "eval/choose/select.h"
#include "kit/compared.h"

#include <math.h>

enum { SAMPLES = 60, SCANS = 3, N = SAMPLES * SCANS, D = 20 };

/* Scans of samples with random labels, in any order, and the group of each. */
static sample scans(pen_rng *rng, int32_t *group)
{
    sample s = sample_new(N, D);
    double center[SAMPLES][D];
    int64_t order[N];

    for (int64_t i = 0; i < SAMPLES; i++)
        for (int64_t j = 0; j < D; j++)
            center[i][j] = check_normal(rng);
    pen_rng_permutation(rng, N, order);
    for (int64_t i = 0; i < N; i++) {
        const int64_t row = order[i], of = i % SAMPLES;
        for (int64_t j = 0; j < D; j++)
            s.x[row * D + j] = center[of][j] + .01 * check_normal(rng);
        s.y[row] = (int32_t)(of * 7 % 5 % 2);
        group[row] = (int32_t)(1000 - 13 * of);
    }
    return s;
}

/* Groups of one class and size stay whole and are spread evenly within each class, whatever their
 * names. */
TEST(whole_and_even)
{
    pen_rng rng = check_rng(7101);
    for (int repeat = 0; repeat < check_repeats(30); repeat++) {
        const int k = 2 + (int)pen_rng_below(&rng, 6), stratified = repeat % 2;
        int32_t group[N], renamed[N], fold[N], again[N];
        int size[2][8] = { { 0 } };
        sample s = scans(&rng, group);
        for (int64_t i = 0; i < N; i++) {
            s.y[i] = i % 11 == 0 ? -1 : s.y[i];
            renamed[i] = -2 - group[i];
        }
        assert_int_equal(pen_deal_folds(s.y, group, N, k, stratified, 3, fold, NULL), PEN_OK);
        assert_int_equal(pen_deal_folds(s.y, renamed, N, k, stratified, 3, again, NULL), PEN_OK);
        assert_memory_equal(fold, again, sizeof fold);
        for (int64_t i = 0; i < N; i++) {
            assert_int_equal(s.y[i] == -1, fold[i] == -1);
            for (int64_t j = 0; j < i; j++)
                if (group[i] == group[j] && fold[i] >= 0 && fold[j] >= 0)
                    assert_int_equal(fold[i], fold[j]);
            if (fold[i] >= 0)
                size[stratified ? s.y[i] : 0][fold[i]]++;
        }
        for (int c = 0; c <= stratified; c++)
            for (int f = 0; f < k; f++)
                for (int g = 0; g < k; g++)
                    CHECK(size[c][f] > 0 && abs(size[c][f] - size[c][g]) <= SCANS,
                          "class %d: folds of %d and %d rows", c, size[c][f], size[c][g]);
    }
}

TEST(refused)
{
    static const int32_t labels[] = { 0, 0, 1, 1, -1 }, two[] = { 5, 5, 8, 8, 9 },
                         none[] = { -1, -1, -1, -1, -1 };
    int32_t fold[5];
    pen_error err;
    CHECK_STATUS(pen_deal_folds(labels, two, 5, 3, 1, 0, fold, &err), PEN_BAD_ARGUMENT,
                 "folds must be in [2, 2], the number of groups with labelled rows, got 3", &err);
    CHECK_OK(pen_deal_folds(labels, none, 5, 4, 1, 0, fold, &err), &err);
}

static double accuracy(const pen_data *data, const pen_trials *trials)
{
    pen_spec *const spec = spec_with_defaults("none classifier=nearest");
    double sum = 0;
    struct scores scores;

    assert_int_equal(evaluate(spec, data, trials, NULL, 0, NULL, &scores, NULL), PEN_OK);
    for (int64_t t = 0; t < scores.trials; t++)
        sum += scores.accuracy[t] / (double)scores.trials;
    return sum;
}

/* Trials of every kind know the labels of near copies, unless they are of the same group. */
TEST(random_labels_are_not_learned)
{
    static const char *const fda[] = { "fda/nearest" };
    pen_rng rng = check_rng(7102);
    int32_t group[N];
    sample s = scans(&rng, group);
    pen_data data = sample_data(&s);
    for (int grouped = 0; grouped < 2; grouped++) {
        const pen_trials usual = { .effort = .01 }, inductive = { .inductive = 1 };
        const pen_protocol protocol = { .runs = 1 };
        pen_comparison *compared;
        pen_selection *chosen;
        pen_tuning *tuned;
        pen_spec *const spec = spec_with_defaults("pca classifier=nearest");
        data.groups = grouped ? group : NULL;
        assert_int_equal(tune(spec, &data, &protocol, NULL, &tuned, NULL), PEN_OK);
        assert_int_equal(compare_named(fda, 1, &data, &usual, NULL, &compared, NULL), PEN_OK);
        chosen = select_data("auto", &data, 1);
        const double found[] = { accuracy(&data, NULL), accuracy(&data, &inductive),
                                 tuned->candidates[0].score, compared->candidates[0].score,
                                 chosen->candidates[chosen->best].accuracy };
        for (int64_t i = 0; i < COUNT_OF(found); i++)
            CHECK(grouped ? found[i] < .9 : found[i] > .85, "%s: %lld scores %g",
                  grouped ? "groups" : "rows", (long long)i, found[i]);
        pen_tuning_free(tuned);
    }
}

/* A row with a hidden label is not a test if its group is known. */
TEST(dropped_labels)
{
    pen_rng rng = check_rng(7103);
    int32_t group[N];
    sample s = scans(&rng, group);
    pen_data data = sample_data(&s);
    const pen_trials few = { .keep_labels = "25%" };
    pen_spec *const spec = spec_with_defaults("none classifier=nearest");
    struct scores scores;
    data.groups = group;
    assert_int_equal(evaluate(spec, &data, &few, NULL, 0, NULL, &scores, NULL), PEN_OK);
    CHECK(scores.aside > .2 && scores.aside < .8, "hidden labels of known samples score %g",
          scores.aside);
}

static void check_message(const pen_data *data, const pen_trials *trials, pen_status code,
                          const char *phrase)
{
    static const char *const pca[] = { "pca" };
    pen_comparison *found;
    pen_error err;

    CHECK_STATUS(compare_named(pca, 1, data, trials, NULL, &found, &err), code, phrase, &err);
}

TEST(messages)
{
    pen_rng rng = check_rng(7104);
    int32_t group[N], fold[N], classes[N];
    sample s = scans(&rng, group);
    pen_data data = sample_data(&s);
    const pen_trials many = { .folds = 50 }, given = { .fold_of = fold };
    for (int64_t i = 0; i < N; i++) {
        fold[i] = (int32_t)(i % 2);
        classes[i] = s.y[i];
    }
    data.groups = group;
    check_message(&data, &many, PEN_BAD_ARGUMENT,
                  "the number of groups with rows of one class, got 50");
    check_message(&data, &given, PEN_BAD_ARGUMENT,
                  "are in one group, but run 1 holds out only one of them");
    data.groups = classes;
    check_message(&data, NULL, PEN_NO_LABELS, "no class has labelled rows in 2 groups");
}

/* The choice of beta counts errors of held-out rows: none if copies are known, and about half of
 * the labels if copies are held out as well. */
TEST(beta_of_self)
{
    pen_rng rng = check_rng(7105);
    int32_t group[N];
    sample s = scans(&rng, group);
    pen_data data = sample_data(&s);
    for (int grouped = 0; grouped < 2; grouped++) {
        data.groups = grouped ? group : NULL;
        pen_model *const model = fit_data("self beta=auto", &data);
        double errors[5], least = N;
        assert_int_equal(model_list(model, "info.beta_errors", 5, errors), 5);
        for (int i = 0; i < 5; i++)
            least = fmin(least, errors[i]);
        CHECK(grouped ? least > N / 8. : least < N / 10., "%s: %g errors",
              grouped ? "groups" : "rows", least);
    }
}
