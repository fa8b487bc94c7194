/* test_compare.c - pairs of method and classifier in a comparison, its baselines, and how
 * predictions went, against loops of public calls. */
#include "eval/trials/trials.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "model/spec.h"

#include "classifiers/classifier.h"

#include <stdio.h>

enum { N = 90, D = 6, CLASSES = 3, FOLDS = 3 };

/* Classes of 60, 20 and 10 labelled rows in `every` rows of ten, which overlap. */
static sample problem(uint64_t tag, int every)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        const int c = i % 9 == 0 ? 2 : i % 3 == 1;
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = (j < 3 ? 1 : 3) * check_normal(&rng);
        s.x[i * D + c] += 2.5;
        s.y[i] = i % 10 < every ? c : PEN_UNLABELLED;
    }
    return s;
}

/* ---- trials by hand ---- */

/* What a candidate says of the held-out rows, counted over all trials. */
struct counts {
    int64_t confusion[CLASSES * CLASSES];
    double accuracy[FOLDS], log_loss[FOLDS], brier[FOLDS];
    pen_calibration_bin bins[PEN_CALIBRATION_BINS]; /* sums */
};

/* A row that is held out in this fold, its class and the p of all classes; told: the class said. */
static void count(struct counts *to, int fold, int32_t truth, int32_t told, const double *p,
                  double held)
{
    int bin = 0;

    to->confusion[truth * CLASSES + told]++;
    to->accuracy[fold] += (told == truth) / held;
    for (int c = 0; c < CLASSES; c++)
        to->brier[fold] += (p[c] - (c == truth)) * (p[c] - (c == truth)) / held;
    to->log_loss[fold] -= log(p[truth]) / held;
    while (bin < PEN_CALIBRATION_BINS - 1 && p[told] >= (bin + 1) / (double)PEN_CALIBRATION_BINS)
        bin++;
    to->bins[bin].rows++;
    to->bins[bin].predicted += p[told];
    to->bins[bin].right += told == truth;
}

static void temper(double temperature, double *p)
{
    double sum = 0;

    for (int c = 0; c < CLASSES; c++)
        sum += p[c] = pow(fmax(p[c], 1e-4), 1 / temperature);
    for (int c = 0; c < CLASSES; c++)
        p[c] /= sum;
}

/* All held-out rows, at the temperature that suits them best and is not far from the usual one of
 * the classifier that is named. */
static void count_all(struct counts *to, const char *classifier, const sample *s,
                      const int32_t *fold, const int64_t *held, const int32_t *told, double *p)
{
    const double usual = strstr(classifier, "scores")    ? 0.45
                         : strstr(classifier, "nearest") ? 0.7
                         : strstr(classifier, "lda")     ? 2
                                                         : 1;
    double least = INFINITY, best = 0;

    for (int t = -16; t <= 20; t++) {
        const double temperature = exp(0.1 * t);
        double sum = pow(log(temperature / usual), 2);
        for (int i = 0; i < N; i++)
            if (fold[i] >= 0) {
                double q[CLASSES];
                memcpy(q, p + i * CLASSES, sizeof q);
                temper(temperature, q);
                sum -= log(0.98 * q[s->y[i]] + 0.02 / CLASSES);
            }
        best = sum < least ? temperature : best;
        least = fmin(least, sum);
    }
    for (int i = 0; i < N; i++)
        if (fold[i] >= 0) {
            temper(best, p + i * CLASSES);
            count(to, fold[i], s->y[i], told[i], p + i * CLASSES, (double)held[fold[i]]);
        }
}

static int64_t deal(const sample *s, int32_t fold[N], int64_t held[FOLDS])
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
    int64_t labelled = 0;

    dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(0, 0), fold);
    memset(held, 0, FOLDS * sizeof *held);
    for (int i = 0; i < N; i++)
        if (fold[i] >= 0) {
            held[fold[i]]++;
            labelled++;
        }
    return labelled;
}

/* The model of a trial: with the labels of this fold hidden, or without its rows. */
static pen_model *fit_trial(const char *text, const sample *s, const int32_t *fold, int f,
                            int inductive)
{
    int32_t labels[N];
    double x[N * D];
    int64_t n = 0;

    for (int i = 0; i < N; i++) {
        if (inductive && fold[i] == f)
            continue;
        memcpy(x + n * D, s->x + i * D, D * sizeof *x);
        labels[n++] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    }
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, D, D), .labels = labels };
    pen_spec *const spec = spec_with_defaults(text);
    pen_model *model;
    pen_error err;
    CHECK_OK(pen_spec_set(spec, "temperature", "none", &err), &err);
    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

/* By the models that the specs of candidates give, whose classifiers are tested elsewhere. */
static void by_models(const char *text, const sample *s, int inductive, struct counts *out)
{
    const pen_array all = pen_dense(s->x, PEN_F64, N, D, D);
    int32_t fold[N], told[N], told_held[N];
    double p[N * CLASSES], p_held[N * CLASSES];
    int64_t held[FOLDS];
    pen_error err;

    memset(out, 0, sizeof *out);
    deal(s, fold, held);
    for (int f = 0; f < FOLDS; f++) {
        pen_model *const model = fit_trial(text, s, fold, f, inductive);
        assert_int_equal(pen_model_class_count(model), CLASSES);
        CHECK_OK(pen_predict(model, &all, NULL, told, p, NULL, &err), &err);
        for (int i = 0; i < N; i++)
            if (fold[i] == f) {
                told_held[i] = told[i];
                memcpy(p_held + i * CLASSES, p + i * CLASSES, CLASSES * sizeof *p);
            }
        pen_model_free(model);
    }
    count_all(out, strstr(text, "classifier="), s, fold, held, told_held, p_held);
}

static double mean_of(const double *values)
{
    return (values[0] + values[1] + values[2]) / FOLDS;
}

static void check_candidate(const pen_comparison *c, const char *name, const struct counts *by_hand)
{
    const pen_compared *const e = named(c, name);

    CHECK(!*e->failure && e->combinations == 0, "%s: %s, %lld combinations", name, e->failure,
          (long long)e->combinations);
    for (int f = 0; f < FOLDS; f++)
        CHECK_CLOSE(e->trials[f], by_hand->accuracy[f], 0, 1e-12);
    CHECK_CLOSE(e->score, mean_of(by_hand->accuracy), 0, 1e-12);
    CHECK_CLOSE(e->log_loss, mean_of(by_hand->log_loss), 0, 1e-6);
    CHECK_CLOSE(e->brier, mean_of(by_hand->brier), 0, 1e-6);
}

static void check_outcome(const pen_comparison *c, const struct counts *by_hand)
{
    assert_int_equal(c->class_count, CLASSES);
    for (int a = 0; a < CLASSES; a++)
        assert_int_equal(c->classes[a], a);
    for (int a = 0; a < CLASSES * CLASSES; a++)
        assert_int_equal(c->confusion[a], by_hand->confusion[a]);
    for (int b = 0; b < PEN_CALIBRATION_BINS; b++) {
        const pen_calibration_bin *const bin = &c->calibration[b], *const sum = &by_hand->bins[b];
        assert_int_equal(bin->rows, sum->rows);
        assert_true(isnan(bin->predicted) == (sum->rows == 0));
        if (sum->rows > 0) {
            CHECK_CLOSE(bin->predicted, sum->predicted / (double)sum->rows, 0, 1e-7);
            CHECK_CLOSE(bin->right, sum->right / (double)sum->rows, 0, 1e-12);
        }
    }
}

/* ---- pairs ---- */

static const char *const three[] = { "nearest", "lda", "scores" };

/* Methods and classifiers with default parameters. The effort is too small to tune soge, so that
 * its trials are those of the defaults; of the others the mean of these is known. */
static void pairs_by_hand(void **state)
{
    static const char *const methods[] = { "soge", "fda", "fme" };
    static const struct {
        const char *name, *text;
    } pairs[] = {
        { "soge/nearest", "soge classifier=nearest" }, { "soge/lda", "soge classifier=lda" },
        { "soge/scores", "soge classifier=scores" },   { "fda/nearest", "fda classifier=nearest" },
        { "fda/lda", "fda classifier=lda" },           { "fme/nearest", "fme classifier=nearest" },
        { "fme/lda", "fme classifier=lda" },           { "fme/scores", "fme classifier=scores" }
    };
    sample s = problem(9501, 8);
    const pen_data data = sample_data(&s);
    (void)state;

    for (int inductive = 0; inductive < 2; inductive++) {
        const pen_trials protocol = { .folds = FOLDS,
                                      .runs = 1,
                                      .effort = 8e-4,
                                      .inductive = inductive,
                                      .classifiers = three,
                                      .classifier_count = 3 };
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(methods, 3, &data, &protocol, NULL, &c, &err), &err);
        assert_int_equal(c->count, COUNT_OF(pairs) + 3);
        for (int64_t i = 0; i < COUNT_OF(pairs); i++) {
            struct counts by_hand;
            by_models(pairs[i].text, &s, inductive, &by_hand);
            CHECK_CLOSE(named(c, pairs[i].name)->untuned, mean_of(by_hand.accuracy), 0, 1e-12);
            if (i < 3)
                check_candidate(c, pairs[i].name, &by_hand);
        }
        pen_comparison_free(c);
    }
    sample_free(&s);
}

/* The text of a spec whose method has these grids. */
static void describe(const pen_spec *spec, const char *classifier, char *text, size_t size)
{
    static const char *const grid[] = { "alpha", "ridge", "scale" };
    const pen_param *param;
    char value[32];
    double number;
    pen_error err;

    snprintf(text, size, "sda classifier=%s", classifier);
    for (param = pen_method_named("sda")->params; param->name; param++)
        for (int64_t g = 0; g < COUNT_OF(grid); g++)
            if (strcmp(param->name, grid[g]) == 0) {
                CHECK_OK(pen_spec_number(spec, grid[g], &number, &err), &err);
                pen_param_text(param, number, value, sizeof value);
                snprintf(text + strlen(text), size - strlen(text), " %s=%s", grid[g], value);
            }
    CHECK_OK(pen_spec_number(spec, "dim", &number, &err), &err);
    if (number > 0)
        snprintf(text + strlen(text), size - strlen(text), " dim=%.0f", number);
}

/* Each pair is tuned by its own accuracy on the rows that are not held out. */
static void pairs_tuned_alone(void **state)
{
    static const char *const classifiers[] = { "lda", "logistic" }, *const sda = "sda";
    const pen_protocol inner = { .folds = 3, .runs = 1 };
    const pen_trials protocol = {
        .folds = FOLDS, .runs = 1, .effort = 1, .classifiers = classifiers, .classifier_count = 2
    };
    int tuned = 0, differ = 0;
    (void)state;

    for (uint64_t r = 0; r < 6; r++) {
        sample s = problem(9510 + r, 8);
        pen_data data = sample_data(&s);
        int32_t fold[N], labels[N];
        char text[2][200] = { "", "" };
        int64_t held[FOLDS];
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(&sda, 1, &data, &protocol, NULL, &c, &err), &err);
        deal(&s, fold, held);
        for (int q = 0; q < 2; q++) {
            const pen_compared *const e = named(c, q ? "sda/logistic" : "sda/lda");
            pen_spec *const spec =
                spec_with_defaults(q ? "sda classifier=logistic" : "sda classifier=lda");
            double found[FOLDS];
            for (int f = 0; f < FOLDS; f++) {
                struct counts by_hand;
                pen_tuning *t;
                data.labels = labels;
                for (int i = 0; i < N; i++)
                    labels[i] = fold[i] == f ? PEN_UNLABELLED : s.y[i];
                CHECK_OK(tune(spec, &data, &inner, NULL, &t, &err), &err);
                describe(t->candidates[0].spec, classifiers[q], text[q], sizeof text[q]);
                by_models(text[q], &s, 0, &by_hand);
                found[f] = by_hand.accuracy[f];
                pen_tuning_free(t);
            }
            CHECK(mean_of(found) < e->score + 1e-12, "%s: %g, not %g", e->name, e->score,
                  mean_of(found));
            if (mean_of(found) >= e->untuned) { /* otherwise the defaults are taken */
                tuned++;
                for (int f = 0; f < FOLDS; f++)
                    CHECK_CLOSE(e->trials[f], found[f], 0, 1e-12);
            }
            pen_spec_free(spec);
        }
        differ += strcmp(strstr(text[0], "alpha"), strstr(text[1], "alpha")) != 0;
        pen_comparison_free(c);
        sample_free(&s);
    }
    CHECK(tuned > 0 && differ > 0, "%d of 12 tuned, %d differ", tuned, differ);
}

/* A classifier next to others has the scores that it has alone. */
static void classifiers_do_not_meet(void **state)
{
    static const char *const names[] = { "self", "fda+rbf", "soda/scores" };
    sample s = problem(9502, 6);
    const pen_data data = sample_data(&s);
    const pen_trials both = {
        .folds = FOLDS, .runs = 1, .effort = 1, .classifiers = three, .classifier_count = 2
    };
    pen_comparison *c, *alone;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 3, &data, &both, NULL, &c, &err), &err);
    assert_int_equal(c->count, 5 + 3);
    assert_true(!*named(c, "soda/scores")->failure);
    for (int q = 0; q < 2; q++) {
        const pen_trials one = {
            .folds = FOLDS, .runs = 1, .effort = 1, .classifiers = three + q, .classifier_count = 1
        };
        CHECK_OK(compare_named(names, 2, &data, &one, NULL, &alone, &err), &err);
        assert_int_equal(alone->count, 2 + 3);
        for (int64_t m = 0; m < alone->count; m++) {
            const pen_compared *const a = &alone->candidates[m], *const b = named(c, a->name);
            CHECK(a->combinations == b->combinations && a->dim == b->dim, "%s", a->name);
            for (int f = 0; f < FOLDS; f++)
                assert_true(a->trials[f] == b->trials[f]);
        }
        pen_comparison_free(alone);
    }
    pen_comparison_free(c);
    sample_free(&s);
}

static void specs_have_the_classifier(void **state)
{
    static const char *const names[] = { "fda", "fme", "pca/means" };
    const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = 1e-3 };
    sample s = problem(9503, 8);
    const pen_data data = sample_data(&s);
    pen_comparison *c;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 3, &data, &protocol, NULL, &c, &err), &err);
    assert_int_equal(c->count, 2 + 3 + 1 + 3);
    for (int64_t m = 0; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        pen_model *model;
        CHECK_OK(pen_fit(e->spec, &data, NULL, &model, &err), &err);
        assert_string_equal(model_text(model, "classifier"), e->classifier);
        assert_string_equal(strchr(e->name, '/') + 1, e->classifier);
        pen_model_free(model);
    }
    pen_comparison_free(c);
    sample_free(&s);
}

/* ---- baselines ---- */

/* Each column less its mean, divided by its standard deviation. */
static void standardize(const sample *s, double *z)
{
    for (int j = 0; j < D; j++) {
        double mean = 0, square = 0;
        for (int i = 0; i < N; i++)
            mean += s->x[i * D + j] / N;
        for (int i = 0; i < N; i++)
            square += (s->x[i * D + j] - mean) * (s->x[i * D + j] - mean) / N;
        for (int i = 0; i < N; i++)
            z[i * D + j] = (s->x[i * D + j] - mean) / sqrt(square);
    }
}

/* Classifiers of the columns themselves, without a model. */
static void by_columns(const sample *s, enum pen_classifier_kind kind, struct counts *out)
{
    int32_t fold[N], labels[N], told[N], told_held[N];
    double z[N * D], p[N * CLASSES], p_held[N * CLASSES];
    int64_t held[FOLDS];
    pen_error err;

    memset(out, 0, sizeof *out);
    standardize(s, z);
    deal(s, fold, held);
    for (int f = 0; f < FOLDS; f++) {
        const pen_embedded_rows rows = {
            .z = z, .n = N, .k = D, .labels = labels, .classes = CLASSES
        };
        const pen_classifier_params params = { .kind = kind, .neighbors = 5 };
        pen_classifier classifier;
        pen_run *run;
        for (int i = 0; i < N; i++)
            labels[i] = fold[i] == f ? -1 : s->y[i] == PEN_UNLABELLED ? -1 : s->y[i];
        CHECK_OK(pen_run_open(NULL, &err, &run), &err);
        CHECK_OK(pen_classifier_fit(run, &rows, &params, &classifier), &err);
        CHECK_OK(pen_classifier_apply(run, &classifier, N, z, D, p, told), &err);
        for (int i = 0; i < N; i++)
            if (fold[i] == f) {
                told_held[i] = told[i];
                memcpy(p_held + i * CLASSES, p + i * CLASSES, CLASSES * sizeof *p);
            }
        pen_run_close(run);
    }
    count_all(out, pen_classifier_names[kind], s, fold, held, told_held, p_held);
}

static void baselines_by_hand(void **state)
{
    static const char *const names[] = { "fda" };
    sample s = problem(9504, 8);
    const pen_data data = sample_data(&s);
    const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = 1 };
    int64_t sizes[CLASSES] = { 0 }, labelled = 0;
    struct counts by_hand;
    pen_comparison *c;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 1, &data, &protocol, NULL, &c, &err), &err);
    by_columns(&s, PEN_CLASSIFIER_NEAREST, &by_hand);
    check_candidate(c, "columns/nearest", &by_hand);
    by_columns(&s, PEN_CLASSIFIER_LDA, &by_hand);
    check_candidate(c, "columns/lda", &by_hand);
    by_columns(&s, PEN_CLASSIFIER_LOGISTIC, &by_hand);
    check_candidate(c, "columns/logistic", &by_hand);
    for (int64_t m = 0; m < c->count; m++)
        assert_int_equal(c->candidates[m].baseline,
                         strncmp(c->candidates[m].name, "columns/", 8) == 0);
    for (int i = 0; i < N; i++)
        if (s.y[i] != PEN_UNLABELLED) {
            sizes[s.y[i]]++;
            labelled++;
        }
    assert_true(sizes[0] > sizes[1] && sizes[0] > sizes[2]);
    CHECK_CLOSE(c->chance, (double)sizes[0] / (double)labelled, 0, 1e-15);
    pen_comparison_free(c);
    sample_free(&s);
}

/* That of a baseline, literally: soge is far worse on columns of other units. */
static void outcome_of_baseline(void **state)
{
    static const char *const names[] = { "soge/nearest" };
    static const struct {
        const char *name;
        enum pen_classifier_kind kind;
    } classifiers[] = { { "columns/nearest", PEN_CLASSIFIER_NEAREST },
                        { "columns/lda", PEN_CLASSIFIER_LDA },
                        { "columns/logistic", PEN_CLASSIFIER_LOGISTIC } };
    const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = 1e-3 };
    sample s = problem(9512, 8);
    const pen_data data = sample_data(&s);
    struct counts by_hand;
    pen_comparison *c;
    pen_error err;
    (void)state;

    for (int i = 0; i < N; i++)
        s.x[i * D + 5] *= 1e4;
    CHECK_OK(compare_named(names, 1, &data, &protocol, NULL, &c, &err), &err);
    const pen_compared *const taken = &c->candidates[c->chosen];
    assert_true(taken->baseline);
    for (int64_t i = 0; i < COUNT_OF(classifiers); i++)
        if (strcmp(taken->name, classifiers[i].name) == 0) {
            by_columns(&s, classifiers[i].kind, &by_hand);
            check_outcome(c, &by_hand);
        }
    pen_comparison_free(c);
    sample_free(&s);
}

/* What the counts of a tuned pair add up to: its rows are held out once in each run. */
static void outcome_adds_up(void **state)
{
    static const char *const names[] = { "fda/lda", "fda/nearest" };
    (void)state;

    for (int i = 0; i < 2; i++) {
        sample s = problem(9512, 8);
        pen_data data = sample_data(&s);
        const pen_trials protocol = { .folds = 1 + FOLDS, .runs = 2, .effort = 1 };
        int64_t sizes[CLASSES] = { 0 }, right = 0, rows = 0, labelled = 0;
        double sure = 0, correct = 0;
        pen_comparison *c;
        pen_error err;
        for (int r = 0; r < N; r++) {
            s.x[r * D + (r % 9 == 0 ? 2 : r % 3 == 1)] += 3;
            if (s.y[r] != PEN_UNLABELLED) {
                sizes[s.y[r]]++;
                s.y[r] = 7 - 2 * s.y[r]; /* labels 3, 5, 7 */
                labelled++;
            }
        }
        CHECK_OK(compare_named(names + i, 1, &data, &protocol, NULL, &c, &err), &err);
        const pen_compared *const taken = &c->candidates[c->chosen];
        CHECK(!taken->baseline, "%s is recommended", taken->name);
        for (int a = 0; a < CLASSES; a++) {
            int64_t sum = 0;
            assert_int_equal(c->classes[a], 3 + 2 * a);
            for (int b = 0; b < CLASSES; b++)
                sum += c->confusion[a * CLASSES + b];
            assert_int_equal(sum, 2 * sizes[CLASSES - 1 - a]);
            right += c->confusion[a * CLASSES + a];
        }
        /* folds differ by a row, so the mean of their shares is about that of all */
        CHECK_CLOSE((double)right / (2 * (double)labelled), taken->score, 0, 0.01);
        for (int b = 0; b < PEN_CALIBRATION_BINS; b++)
            if (c->calibration[b].rows > 0) {
                rows += c->calibration[b].rows;
                correct += c->calibration[b].right * (double)c->calibration[b].rows;
                sure = c->calibration[b].predicted;
                assert_true(sure >= b / (double)PEN_CALIBRATION_BINS
                            && sure <= (b + 1) / (double)PEN_CALIBRATION_BINS);
            }
        assert_int_equal(rows, 2 * labelled);
        CHECK_CLOSE(correct, (double)right, 0, 1e-9);
        pen_comparison_free(c);
        sample_free(&s);
    }
}

/* A column of noise, far larger than the others, spoils a method that takes columns as they are. */
static void baseline_that_stands_alone(void **state)
{
    static const char *const names[] = { "pca/nearest", "fda/lda" };
    const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = 1e-9 };
    pen_comparison *c;
    pen_error err;
    (void)state;

    for (int both = 0; both < 2; both++) {
        sample s = problem(9505, 8);
        pen_rng rng = check_rng(9506);
        const pen_data data = sample_data(&s);
        const pen_trials asked = { .folds = FOLDS, .runs = 1, .effort = 1e-3 };
        int stands_alone = 1;
        for (int i = 0; i < N; i++)
            s.x[i * D + 5] = 1e4 * check_normal(&rng);
        CHECK_OK(compare_named(names, 1 + both, &data, both ? &asked : &protocol, NULL, &c, &err),
                 &err);
        const pen_compared *const taken = &c->candidates[c->chosen];
        for (int64_t m = 0; m < c->count; m++)
            stands_alone &= c->candidates[m].baseline
                            || !(c->candidates[m].score >= c->candidates[0].score - c->margin);
        CHECK(taken->baseline == stands_alone, "%s is recommended", taken->name);
        assert_true(stands_alone || both);
        pen_comparison_free(c);
        sample_free(&s);
    }
}

/* ---- the budget, and mistakes ---- */

static void baselines_within_budget(void **state)
{
    static const char *const names[] = { "fda", "self" };
    sample s = problem(9507, 8);
    const pen_data data = sample_data(&s);
    int before = 0;
    (void)state;

    for (int e = 0; e < 4; e++) {
        const pen_trials protocol = { .folds = FOLDS,
                                      .runs = 1,
                                      .effort = (double[]){ 1e-9, 4e-5, 1e-4, 1e-2 }[e] };
        pen_comparison *c;
        pen_error err;
        int tried = 0;
        CHECK_OK(compare_named(names, 2, &data, &protocol, NULL, &c, &err), &err);
        for (int64_t m = 0; m < c->count; m++)
            tried += c->candidates[m].baseline && c->candidates[m].tried == PEN_TRIED;
        assert_int_equal(named(c, "columns/lda")->tried, PEN_TRIED);
        assert_true(tried >= before && (e > 0 || tried == 1) && (e < 3 || tried == 3));
        before = tried;
        pen_comparison_free(c);
    }
    sample_free(&s);
}

/* Two texts each of grids and classifiers, and the labels to keep. */
static void refused(void **state)
{
    static const struct {
        const char *names[2], *classifiers[2], *grid[2], *keep, *phrase;
        pen_status code;
    } wrong[] = {
        { { "self/scores" }, { NULL }, { NULL }, NULL, "self does not", PEN_BAD_ARGUMENT },
        { { "self", "self/lda" },
          { NULL },
          { NULL },
          NULL,
          "self is named twice",
          PEN_BAD_ARGUMENT },
        { { "self+rbf/lda", "self+rbf" },
          { NULL },
          { NULL },
          NULL,
          "self is named twice",
          PEN_BAD_ARGUMENT },
        { { "self/none" },
          { NULL },
          { NULL },
          NULL,
          "classifier none tells no classes",
          PEN_BAD_ARGUMENT },
        { { "self" },
          { "nonesuch" },
          { NULL },
          NULL,
          "self-training|logistic|scores",
          PEN_UNKNOWN_NAME },
        { { "self" }, { "none" }, { NULL }, NULL, "classifiers must be among", PEN_BAD_ARGUMENT },
        { { "self" },
          { "lda", "lda" },
          { NULL },
          NULL,
          "classifier lda is named twice",
          PEN_BAD_ARGUMENT },
        { { "self" },
          { "scores" },
          { NULL },
          NULL,
          "self: the models of this method have no",
          PEN_BAD_ARGUMENT },
        { { "self" }, { NULL }, { "beta" }, NULL, "a grid must be NAME=V1,V2", PEN_BAD_ARGUMENT },
        { { "self" },
          { NULL },
          { "delta=1" },
          NULL,
          "unknown parameter \"delta\"",
          PEN_UNKNOWN_NAME },
        { { "self" },
          { NULL },
          { "beta=0.1", "beta=0.2" },
          NULL,
          "the grid of beta is given twice",
          PEN_BAD_ARGUMENT },
        { { "self" }, { NULL }, { "beta=2" }, NULL, "beta must be in [0, 1]", PEN_BAD_ARGUMENT },
        { { "self" },
          { NULL },
          { "classifier=lda" },
          NULL,
          "classifiers are compared side by side",
          PEN_BAD_ARGUMENT },
        { { "self" }, { NULL }, { NULL }, "0", "at least 1, or a percentage", PEN_BAD_ARGUMENT },
        { { "self" }, { NULL }, { NULL }, "101%", "got \"101%\"", PEN_BAD_ARGUMENT },
        { { "self" }, { NULL }, { NULL }, "1.5", "got \"1.5\"", PEN_BAD_ARGUMENT },
    };
    sample s = problem(9508, 8);
    const pen_data data = sample_data(&s);
    pen_comparison *c;
    pen_error err;
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(wrong); i++) {
        const pen_trials trials = { .classifiers =
                                        wrong[i].classifiers[0] ? wrong[i].classifiers : NULL,
                                    .classifier_count = wrong[i].classifiers[1] ? 2 : 1,
                                    .grid = wrong[i].grid[0] ? wrong[i].grid : NULL,
                                    .grid_count = wrong[i].grid[1] ? 2 : 1,
                                    .keep_labels = wrong[i].keep };
        CHECK_STATUS(compare_named(wrong[i].names, wrong[i].names[1] ? 2 : 1, &data, &trials, NULL,
                                   &c, &err),
                     wrong[i].code, wrong[i].phrase, &err);
        assert_null(c);
    }
    const pen_trials none = { .classifiers = three, .classifier_count = 0 },
                     holed = { .classifiers = (const char *const[]){ "lda", NULL },
                               .classifier_count = 2 },
                     effort = { .effort = -1 };
    CHECK_STATUS(pen_compare(NULL, 0, &data, &none, NULL, &c, &err), PEN_BAD_ARGUMENT,
                 "classifier_count must be >= 1, got 0", &err);
    CHECK_STATUS(pen_compare(NULL, 0, &data, &holed, NULL, &c, &err), PEN_BAD_ARGUMENT,
                 "the name of a classifier must not be NULL", &err);
    CHECK_STATUS(pen_compare(NULL, 0, &data, &effort, NULL, &c, &err), PEN_BAD_ARGUMENT,
                 "effort must be in", &err);
    sample_free(&s);
}

/* ---- values to try ---- */

/* Of a grid these values alone are tried, in each trial and on all labels, and methods without the
 * parameter are not tuned; specs of one method are told apart. */
static void grid_of_some(void **state)
{
    static const char *const grid[] = { "alpha=0.1,5" };
    const pen_trials trials = { .folds = FOLDS, .runs = 1, .grid = grid, .grid_count = 1 };
    sample s = problem(9513, 8);
    const pen_data data = sample_data(&s);
    pen_spec *specs[] = { spec_with_defaults("sda classifier=lda"),
                          spec_with_defaults("sda ridge=0.5 classifier=lda"),
                          spec_with_defaults("fda classifier=lda") };
    pen_comparison *c;
    pen_error err;
    (void)state;

    CHECK_OK(pen_compare((const pen_spec *const *)specs, 3, &data, &trials, NULL, &c, &err), &err);
    assert_int_equal(c->count, 3 + 3);
    assert_int_equal(named(c, "fda/lda")->combinations, 0);
    for (int i = 0; i < 2; i++) {
        const pen_compared *const e = named(c, i ? "sda (2)/lda" : "sda/lda");
        double alpha, ridge;
        assert_int_equal(e->combinations, 2);
        assert_int_equal(e->found->count, 2);
        for (int f = 0; f < 2; f++) {
            CHECK_OK(pen_spec_number(e->found->candidates[f].spec, "alpha", &alpha, &err), &err);
            CHECK_OK(pen_spec_number(e->found->candidates[f].spec, "ridge", &ridge, &err), &err);
            assert_true((alpha == 0.1 || alpha == 5) && (ridge == 0.5) == i);
        }
        assert_true(e->found->candidates[0].score >= e->found->candidates[1].score);
    }
    for (int i = 0; i < 3; i++)
        pen_spec_free(specs[i]);
    pen_comparison_free(c);
    sample_free(&s);
}

/* ---- what is said ---- */

/* Is each line of the table at most 80 columns? Sentences may be longer. */
static void check_widths(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int columns = 0;
        const size_t length = strcspn(line, "\n");
        for (size_t i = 0; i < length; i++)
            columns += ((unsigned char)line[i] & 0xc0) != 0x80;
        CHECK(columns <= 80, "%d columns: %.*s", columns, (int)length, line);
    }
}

/* The texts agree with the numbers, also with long names; the spec of each rank is there. */
static void texts(void **state)
{
    static const char *const names[] = { "self-ilpp+polynomial/self-training", "self", "rca" };
    static const int64_t dims[] = { 1, 2, 3, 20 };
    const pen_trials trials = {
        .folds = FOLDS, .runs = 2, .dims = dims, .dim_count = 4, .shuffled = 1
    };
    sample s = problem(9514, 8);
    const pen_data data = sample_data(&s);
    char line[100];
    pen_comparison *c;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 3, &data, &trials, NULL, &c, &err), &err);
    const char *const text = pen_comparison_text(c, 0), *const json = pen_comparison_json(c);
    check_widths(text);
    check_widths(pen_comparison_text(c, 1));
    assert_non_null(strstr(text, "72 labels, held out in 2 runs of 3 folds;\n"));
    assert_non_null(strstr(text, "with shuffled labels "));
    snprintf(line, sizeof line, "\"recommended\":\"%s\"", c->candidates[c->chosen].name);
    assert_non_null(strstr(json, line));
    snprintf(line, sizeof line, " >%3d  ", (int)c->chosen + 1);
    assert_non_null(strstr(text, line));
    assert_ptr_equal(pen_comparison_spec(c, 0), c->candidates[c->chosen].spec);
    for (int64_t m = 0; m < c->count; m++)
        assert_ptr_equal(pen_comparison_spec(c, m + 1), c->candidates[m].spec);
    assert_null(pen_comparison_spec(c, c->count + 1));
    assert_null(pen_comparison_spec(c, -1));
    pen_comparison_free(c);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_hand),
        cmocka_unit_test(pairs_tuned_alone),
        cmocka_unit_test(classifiers_do_not_meet),
        cmocka_unit_test(specs_have_the_classifier),
        cmocka_unit_test(baselines_by_hand),
        cmocka_unit_test(baseline_that_stands_alone),
        cmocka_unit_test(outcome_of_baseline),
        cmocka_unit_test(outcome_adds_up),
        cmocka_unit_test(baselines_within_budget),
        cmocka_unit_test(refused),
        cmocka_unit_test(grid_of_some),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
