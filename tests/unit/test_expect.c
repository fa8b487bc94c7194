/* test_expect.c - temperatures and expected accuracy of a choice without a method, against fits
 * with hidden labels and on new rows. */
#include "kit/held_out.h"

#include "eval/choose/select.h"
#include "eval/trials/trials.h"

#include <math.h>
#include <stdio.h>

enum { N = 90, CLASSES = 3, LABELLED = 27, NEW = 4000 };

/* Rows around (0, 0), (apart, 0) and (0, apart); the first ones are labelled. */
static sample drawn(pen_rng *rng, int64_t n, int64_t labelled, double apart)
{
    sample s = sample_new(n, 4);

    for (int64_t i = 0; i < n; i++) {
        const int64_t class = i % CLASSES;
        for (int64_t j = 0; j < s.d; j++)
            s.x[i * s.d + j] = check_normal(rng) + (j + 1 == class ? apart : 0);
        s.y[i] = i < labelled ? (int32_t) class : PEN_UNLABELLED;
    }
    return s;
}

/* Predictions of a candidate for rows held out in trials, by fits without their labels: p [held x
 * CLASSES], without temperature, and truth [held]. Returns their number. */
static int64_t tell_held(const sample *rows, const pen_selection *s, pen_spec *spec, double *p,
                         int32_t *truth)
{
    const pen_data d = sample_data(rows);
    const pen_protocol protocol = { .folds = s->folds, .runs = s->runs, .seed = s->seed };
    double of_rows[N * CLASSES];
    int32_t told[N];
    pen_trial_set trials;
    int64_t held = 0;
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "temperature", "none", &err), &err);
    pen_run *const run = check_run(0, &err);
    CHECK_OK(pen_trials_open(run, &d, &protocol, &trials), &err);
    for (int64_t t = 0; t < trials.count; t++) {
        const held_out trial = { .s = rows,
                                 .fold = trials.folds + t / s->folds * N,
                                 .f = (int32_t)(t % s->folds) };
        held_out_predict(&trial, spec, 1, of_rows, told);
        held = held_out_take(&trial, CLASSES, of_rows, held, p, truth);
    }
    pen_run_close(run);
    return held;
}

TEST(temperatures_are_the_best_of_the_trials)
{
    static double p[2 * LABELLED * CLASSES], mean[2 * LABELLED * CLASSES];
    pen_rng rng = check_rng(8201);
    sample s = drawn(&rng, N, LABELLED, 2.5);
    const pen_data d = sample_data(&s);
    pen_selection *const found = select_data("auto seed=3", &d, 2);
    int32_t truth[2 * LABELLED];
    int members = 0;
    memset(mean, 0, sizeof mean);
    for (int64_t i = 0; i < found->count; i++) {
        pen_chosen *const e = &found->candidates[i];
        const int64_t held = tell_held(&s, found, e->spec, p, truth);
        assert_int_equal(held, COUNT_OF(truth));
        const double T =
            best_temperature(held, CLASSES, p, truth, 2, usual_temperature(strchr(e->name, '/')));
        CHECK_CLOSE(e->temperature, T, 1e-12, 0);
        members += e->member;
        temper(held, CLASSES, T, p);
        for (int64_t h = 0; h < COUNT_OF(mean) && e->member; h++)
            mean[h] += p[h];
    }
    for (int64_t i = 0; i < COUNT_OF(mean); i++)
        mean[i] /= members;
    CHECK_CLOSE(found->mean_temperature,
                best_temperature(COUNT_OF(truth), CLASSES, mean, truth, 2, 1.2), 1e-12, 0);
}

enum { ROUNDS = 8 };

/* The mean difference, over rounds, between expected accuracy and accuracy on new rows. */
static double bias(uint64_t tag, int64_t labelled, double apart, double least, double most)
{
    pen_rng rng = check_rng(tag);
    double sum = 0;

    for (int round = 0; round < check_repeats(ROUNDS); round++) {
        sample s = drawn(&rng, N, labelled, apart), more = drawn(&rng, NEW, NEW, apart);
        int32_t told[NEW];
        char text[40];
        pen_error err;
        const pen_data d = sample_data(&s), other = sample_data(&more);
        snprintf(text, sizeof text, "auto seed=%d", round);
        pen_selection *const found = select_data(text, &d, 2);
        const double half = 1.645 * found->error;
        pen_model *const model = fit_data(text, &d);
        CHECK_OK(pen_predict(model, &other.x, NULL, told, NULL, NULL, &err), &err);
        for (int64_t i = 0; i < NEW; i++)
            sum -= (told[i] == more.y[i]) / (double)NEW / ROUNDS;
        sum += found->accuracy / ROUNDS;
        CHECK(half > least && half < most, "%g", half);
    }
    return sum;
}

/* If all rows are labelled, the accuracy is that of new rows: a fitted row votes for its own class.
 * If some are, it is that of fitted rows, and the interval is that of few labels, although there
 * are many rows. */
TEST(the_expected_accuracy_is_found)
{
    for (int apart = 0; apart <= 2; apart += 2) { /* 0: labels are uninformative */
        const double all = bias(8202, N, apart, 0.05, 0.1),
                     few = bias(8203, LABELLED, apart, 0.1, 0.2);
        const bool all_rounds = check_repeats(ROUNDS) == ROUNDS; /* fewer have another mean */
        CHECK(!all_rounds || fabs(all) < 0.07, "%g", all);
        CHECK(!all_rounds || fabs(few) < 0.12, "%g", few);
    }
}

/* Without its only label a class is unknown, and the other class is predicted: five of six are
 * correct. */
TEST(the_only_label_of_a_class_may_be_held_out)
{
    pen_rng rng = check_rng(8204);
    sample s = drawn(&rng, N, LABELLED, 20);
    int64_t ones = 0;
    for (int64_t i = 0; i < N; i++)
        s.y[i] = i == 0 ? 0 : s.y[i] == 1 && ones++ < 5 ? 1 : PEN_UNLABELLED;
    const pen_data d = sample_data(&s);
    pen_selection *const found = select_data("auto seed=3", &d, 2);
    CHECK_CLOSE(found->accuracy, 5.0 / 6, 0, 1e-15);
    fit_data("auto seed=3", &d);
}
