/* test_compare.c - comparisons against loops of public calls: pairs of method and classifier,
 * tuning, baselines, predictions; candidates within a budget, and recommendations. */
#include "eval/trials/trials.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "kit/held_out.h"
#include "model/spec.h"

#include "classifiers/classifier.h"

#include <stdio.h>

/* columns/nearest, columns/lda, columns/logistic */
enum { N = 90, D = 6, CLASSES = 3, FOLDS = 3, BASELINES = 3 };

static const char *const three[] = { "nearest", "lda", "scores" };

/* A classifier of stored rows, used alone. */
#define BY_NEAREST .classifiers = three, .classifier_count = 1

/* Overlapping classes of 40, 24 and 8 labelled rows. */
static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        const int c = i % 9 == 0 ? 2 : i % 3 == 1;
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = (j < 3 ? 1 : 3) * check_normal(&rng);
        s.x[i * D + c] += 2.5;
        s.y[i] = i % 10 < 8 ? c : PEN_UNLABELLED;
    }
    return s;
}

/* Classes of 15 labelled rows that differ in two columns; the other columns are noise of larger
 * spread. */
static sample noisy(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = (j < 2 ? 0.6 : 2) * check_normal(&rng);
        s.x[i * D + i % 3 % 2] += i % 3 == 2 ? -3 : 2;
        s.y[i] = i % 2 ? i % 3 : PEN_UNLABELLED;
    }
    return s;
}

/* ---- literal trials ---- */

/* Predictions of a candidate for held-out rows, over all trials. */
struct counts {
    int64_t confusion[CLASSES * CLASSES];
    double accuracy[FOLDS], log_loss[FOLDS], brier[FOLDS];
    pen_calibration_bin bins[PEN_CALIBRATION_BINS]; /* sums */
};

/* Adds a held-out row of this fold: its class, p of all classes, and the predicted class `told`. */
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

/* Counts the predictions of the rows that each trial holds out. */
struct answers {
    int32_t fold[N], told[N];
    int64_t held[FOLDS];
    double p[N * CLASSES];
};

static void deal(const sample *s, struct answers *a)
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, D, D);

    memset(a, 0, sizeof *a);
    dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(0, 0), a->fold);
    for (int i = 0; i < N; i++)
        if (a->fold[i] >= 0)
            a->held[a->fold[i]]++;
}

static void keep_held(int f, const int32_t *told, const double *p, struct answers *a)
{
    for (int i = 0; i < N; i++)
        if (a->fold[i] == f) {
            a->told[i] = told[i];
            memcpy(a->p + i * CLASSES, p + i * CLASSES, CLASSES * sizeof *p);
        }
}

/* All held-out rows at the best temperature near the default of the named classifier. */
static void count_all(const char *classifier, const sample *s, struct answers *a,
                      struct counts *out)
{
    double p[N * CLASSES];
    int32_t truth[N];
    int64_t held = 0;

    for (int i = 0; i < N; i++)
        if (a->fold[i] >= 0) {
            memcpy(p + held * CLASSES, a->p + i * CLASSES, CLASSES * sizeof *p);
            truth[held++] = s->y[i];
        }
    const double T = best_temperature(held, CLASSES, p, truth, 1, usual_temperature(classifier));
    memset(out, 0, sizeof *out);
    temper(N, CLASSES, T, a->p);
    for (int i = 0; i < N; i++)
        if (a->fold[i] >= 0)
            count(out, a->fold[i], s->y[i], a->told[i], a->p + i * CLASSES,
                  (double)a->held[a->fold[i]]);
}

/* Predictions by models of the candidates' specs; other tests check their classifiers. */
static void by_models(const char *text, const sample *s, int inductive, struct counts *out)
{
    pen_spec *const spec = spec_with_defaults(text);
    struct answers a;
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "temperature", "none", &err), &err);
    deal(s, &a);
    for (int f = 0; f < FOLDS; f++) {
        const held_out t = { .s = s, .fold = a.fold, .f = f, .inductive = inductive };
        double p[N * CLASSES];
        int32_t told[N];
        held_out_predict(&t, spec, 0, p, told);
        keep_held(f, told, p, &a);
    }
    count_all(strstr(text, "classifier="), s, &a, out);
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

/* Methods and classifiers with default parameters; kernels share coordinates. */
TEST(pairs_by_hand)
{
    const text_list
        methods = text_list_of("soge; fda; fme; pca/means; fda+rbf/nearest; "
                               "pca+polynomial/nearest; pca+laplacian/nearest"),
        pairs = text_list_of(
            "soge/nearest; soge/lda; soge/scores; fda/nearest; fda/lda; fme/nearest; fme/lda; "
            "fme/scores; pca/means; fda+rbf/nearest; pca+polynomial/nearest; "
            "pca+laplacian/nearest");
    sample s = problem(9501);
    const pen_data data = sample_data(&s);
    for (int inductive = 0; inductive < 2; inductive++) {
        const pen_trials protocol = { .folds = FOLDS, .runs = 1, .inductive = inductive };
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(methods.text, methods.count, &data, &protocol, NULL, &c, &err),
                 &err);
        assert_int_equal(c->count, pairs.count + BASELINES);
        for (int64_t i = 0; i < pairs.count; i++) {
            const char *const pair = pairs.text[i], *const classifier = strchr(pair, '/') + 1,
                              *const kernel = strchr(pair, '+');
            const pen_compared *const e = named(c, pair);
            struct counts by_hand;
            char text[80];
            pen_model *model;
            snprintf(text, sizeof text, "%.*s kernel=%.*s classifier=%s", (int)strcspn(pair, "+/"),
                     pair, kernel ? (int)strcspn(kernel + 1, "/") : 4, kernel ? kernel + 1 : "none",
                     classifier);
            by_models(text, &s, inductive, &by_hand);
            CHECK_CLOSE(e->untuned, mean_of(by_hand.accuracy), 0, 1e-12);
            check_candidate(c, pair, &by_hand);
            CHECK_OK(pen_fit(e->spec, &data, NULL, &model, &err), &err);
            assert_string_equal(model_text(model, "classifier"), classifier);
            assert_string_equal(e->classifier, classifier);
            pen_model_free(model);
        }
    }
}

/* The fraction of unlabelled rows with the same class in both. */
static double agreement(const sample *s, const int32_t *a, const int32_t *b)
{
    double same = 0, count = 0;

    for (int64_t i = 0; i < N; i++) {
        count += s->y[i] == PEN_UNLABELLED;
        same += s->y[i] == PEN_UNLABELLED && a[i] == b[i];
    }
    return same / count;
}

/* Trials of a spec tuned on the known rows of each trial: told [FOLDS x N], accuracies, and the
 * alpha of the last one. */
static double tune_by_hand(const char *text, const sample *s, int32_t *told, double *accuracy)
{
    const pen_protocol inner = { .folds = 3, .runs = 1 };
    pen_spec *const spec = spec_with_defaults(text);
    pen_data data = sample_data(s);
    double p[N * CLASSES], alpha = 0;
    int32_t labels[N];
    struct answers a;
    pen_error err;

    data.labels = labels;
    deal(s, &a);
    for (int f = 0; f < FOLDS; f++, told += N) {
        const held_out t = { .s = s, .fold = a.fold, .f = f };
        pen_tuning *found;
        pen_spec *best;
        for (int i = 0; i < N; i++)
            labels[i] = a.fold[i] == f ? PEN_UNLABELLED : s->y[i];
        CHECK_OK(tune(spec, &data, &inner, NULL, &found, &err), &err);
        CHECK_OK(pen_spec_copy(found->candidates[0].spec, &best, &err), &err);
        CHECK_OK(pen_spec_set(best, "temperature", "none", &err), &err);
        CHECK_OK(pen_spec_number(best, "alpha", &alpha, &err), &err);
        held_out_predict(&t, best, 0, p, told);
        accuracy[f] = 0;
        for (int i = 0; i < N; i++)
            accuracy[f] += a.fold[i] == f && told[i] == s->y[i] ? 1 / (double)a.held[f] : 0;
        pen_spec_free(best);
        pen_tuning_free(found);
    }
    return alpha;
}

/* Each pair is tuned by its own accuracy on the known rows. */
TEST(pairs_tuned_alone)
{
    static const char *const classifiers[] = { "lda", "logistic" };
    pen_spec *const sda = spec_with_defaults("sda ridge=0.1 scale=standard");
    const pen_spec *const list = sda;
    const pen_trials protocol = {
        .folds = FOLDS, .runs = 1, .effort = 1, .classifiers = classifiers, .classifier_count = 2
    };
    int tuned = 0, kept = 0, differ = 0;
    for (uint64_t r = 0; r < 4; r++) {
        sample s = problem(9510 + r);
        const pen_data data = sample_data(&s);
        double alpha[2];
        pen_comparison *c;
        pen_error err;
        CHECK_OK(pen_compare(&list, 1, &data, &protocol, NULL, &c, &err), &err);
        for (int q = 0; q < 2; q++) {
            const pen_compared *const e = named(c, q ? "sda/logistic" : "sda/lda");
            int32_t told[FOLDS][N];
            double found[FOLDS];
            struct counts plain;
            char text[80];
            snprintf(text, sizeof text, "sda ridge=0.1 scale=standard classifier=%s",
                     classifiers[q]);
            alpha[q] = tune_by_hand(text, &s, told[0], found);
            CHECK(mean_of(found) < e->score + 1e-12, "%s: %g, not %g", e->name, e->score,
                  mean_of(found));
            if (mean_of(found) < e->untuned - 1e-12) { /* the defaults are used then */
                kept++;
                by_models(text, &s, 0, &plain);
                for (int f = 0; f < FOLDS; f++)
                    CHECK_CLOSE(e->trials[f], plain.accuracy[f], 0, 1e-12);
                assert_true(e->score == e->untuned && !pen_spec_is_set(e->spec, "alpha")
                            && !pen_spec_is_set(e->spec, "dim"));
                continue;
            }
            tuned++;
            for (int f = 0; f < FOLDS; f++)
                CHECK_CLOSE(e->trials[f], found[f], 0, 1e-12);
            CHECK_CLOSE(e->stability,
                        (agreement(&s, told[0], told[1]) + agreement(&s, told[0], told[2])
                         + agreement(&s, told[1], told[2]))
                            / 3,
                        0, 1e-12);
        }
        differ += alpha[0] != alpha[1];
        pen_comparison_free(c);
    }
    CHECK(tuned > 0 && kept > 0 && differ > 0, "%d tuned, %d not, %d differ", tuned, kept, differ);
}

/* ---- baselines ---- */

/* Standardized columns. */
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

/* Classifiers of the columns, without a model. */
static void by_columns(const sample *s, enum pen_classifier_kind kind, struct counts *out)
{
    const pen_classifier_params params = { .kind = kind, .neighbors = 5 };
    double z[N * D], p[N * CLASSES];
    int32_t labels[N], told[N];
    struct answers a;
    pen_error err;

    standardize(s, z);
    deal(s, &a);
    for (int f = 0; f < FOLDS; f++) {
        const pen_embedded_rows rows = {
            .z = z, .n = N, .k = D, .labels = labels, .classes = CLASSES
        };
        pen_classifier classifier;
        for (int i = 0; i < N; i++)
            labels[i] = a.fold[i] == f || s->y[i] == PEN_UNLABELLED ? -1 : s->y[i];
        pen_run *const run = check_run(0, &err);
        CHECK_OK(pen_classifier_fit(run, &rows, &params, &classifier), &err);
        CHECK_OK(pen_classifier_apply(run, &classifier, N, z, D, p, told), &err);
        keep_held(f, told, p, &a);
        pen_run_close(run);
    }
    count_all(pen_classifier_names[kind], s, &a, out);
}

static const struct {
    const char *name;
    enum pen_classifier_kind kind;
} baselines[BASELINES] = { { "columns/nearest", PEN_CLASSIFIER_NEAREST },
                           { "columns/lda", PEN_CLASSIFIER_LDA },
                           { "columns/logistic", PEN_CLASSIFIER_LOGISTIC } };

TEST(baselines_by_hand)
{
    static const char *const fda = "fda";
    sample s = problem(9504);
    const pen_data data = sample_data(&s);
    const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = 1 };
    struct counts by_hand;
    pen_comparison *c;
    pen_error err;
    CHECK_OK(compare_named(&fda, 1, &data, &protocol, NULL, &c, &err), &err);
    for (int b = 0; b < BASELINES; b++) {
        by_columns(&s, baselines[b].kind, &by_hand);
        check_candidate(c, baselines[b].name, &by_hand);
    }
    for (int64_t m = 0; m < c->count; m++)
        assert_int_equal(c->candidates[m].baseline,
                         strncmp(c->candidates[m].name, "columns/", 8) == 0);
    CHECK_CLOSE(c->chance, 40 / 72., 1e-15, 0);
}

/* A noise column far larger than the rest spoils methods that do not scale: a baseline is
 * recommended, with the same outcome as the literal one. */
TEST(baseline_that_stands_alone)
{
    static const char *const names[] = { "pca/nearest", "fda/lda" };
    for (int both = 0; both < 2; both++) {
        sample s = problem(9505);
        pen_rng rng = check_rng(9506);
        const pen_data data = sample_data(&s);
        const pen_trials protocol = { .folds = FOLDS, .runs = 1, .effort = both ? 1e-3 : 1e-9 };
        int stands_alone = 1;
        pen_comparison *c;
        pen_error err;
        for (int i = 0; i < N; i++)
            s.x[i * D + 5] = 1e4 * check_normal(&rng);
        CHECK_OK(compare_named(names, 1 + both, &data, &protocol, NULL, &c, &err), &err);
        const pen_compared *const taken = &c->candidates[c->chosen];
        for (int64_t m = 0; m < c->count; m++)
            stands_alone &= c->candidates[m].baseline
                            || !(c->candidates[m].score >= c->candidates[0].score - c->margin);
        CHECK(taken->baseline == stands_alone, "%s is recommended", taken->name);
        assert_true(stands_alone || both);
        for (int b = 0; b < BASELINES; b++)
            if (strcmp(taken->name, baselines[b].name) == 0) {
                struct counts by_hand;
                by_columns(&s, baselines[b].kind, &by_hand);
                check_outcome(c, &by_hand);
            }
    }
}

/* The counts of a tuned pair are consistent: each row is held out once per run. */
TEST(outcome_adds_up)
{
    static const char *const names[] = { "fda/lda", "fda/nearest" };
    for (int i = 0; i < 2; i++) {
        sample s = problem(9512);
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
        /* folds differ by at most one row, so the mean of their accuracies is about that of all
         * rows */
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
    }
}

/* ---- ranks ---- */

static int same_numbers(const double *a, const double *b, int64_t count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Ranked by mean accuracy. Noise has the larger variance, so that supervised methods are better. */
static void check_order(const pen_comparison *c)
{
    for (int64_t m = 0; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        double mean = 0;
        CHECK(!*e->failure && e->spec, "%s: %s", e->method->name, e->failure);
        for (int64_t t = 0; t < c->trials; t++)
            mean += e->trials[t] / (double)c->trials;
        CHECK_CLOSE(e->score, mean, 1e-14, 0);
        CHECK(m == 0 ? isnan(e->p) : e->p > 0 && e->p <= 1, "p is %g", e->p);
        CHECK(m == 0 || e->score <= e[-1].score, "not in order");
        CHECK(e->baseline || e->score >= named(c, "pca/nearest")->score, "pca is not last");
    }
}

/* Of the methods within one standard error of the best score, the most stable one is recommended;
 * the best one if all rows are labelled. */
TEST(prefers_stable_methods)
{
    static const char *const names[] = { "pca", "fda", "sda", "self", "cmm", "lfda" };
    int others = 0;
    for (uint64_t r = 0; r < 6; r++) {
        sample s = noisy(9400 + r / 2);
        const pen_data data = sample_data(&s);
        const pen_trials trials = { .folds = 5, .runs = 1, .seed = r, .effort = 1e-3, BY_NEAREST };
        const int all = r % 2;
        int64_t taken = -1, alike = 0;
        pen_comparison *c;
        pen_error err;
        for (int i = 0; i < N && all; i++)
            s.y[i] = i % 3;
        CHECK_OK(compare_named(names, 6, &data, &trials, NULL, &c, &err), &err);
        CHECK(c->count == 6 + BASELINES && c->trials == 5 && c->tuned == 6, "%lld candidates",
              (long long)c->count);
        check_order(c);
        const double best = c->candidates[0].score, rows = all ? N : 45;
        CHECK_CLOSE(c->margin, sqrt(fmax(best * (1 - best), 1 / (4 * rows)) / rows), 0, 1e-14);
        for (int64_t m = 0; m < c->count; m++) {
            const pen_compared *const e = &c->candidates[m];
            CHECK(all ? isnan(e->stability) : e->stability > 0 && e->stability <= 1, "stability %g",
                  e->stability);
            alike += e->score >= best - c->margin;
            if (!e->baseline && e->score >= best - c->margin
                && (taken < 0 || e->stability > c->candidates[taken].stability))
                taken = m;
        }
        taken = taken < 0 ? 0 : taken; /* a baseline, if no method is as good */
        CHECK(c->chosen == taken && c->alike == alike, "%lld is chosen, not %lld; %lld alike",
              (long long)c->chosen, (long long)taken, (long long)c->alike);
        others += !all && c->chosen > 0;
    }
    CHECK(others > 0, "always the best");
}

struct asked {
    int stopped;
    int64_t later; /* calls after the stop */
};

/* Stops once all four methods and the baseline have been tried once. */
static int stop_once(void *user, const char *phase, int64_t done, int64_t total)
{
    struct asked *const a = user;
    a->later += a->stopped;
    a->stopped |= strcmp(phase, "trials") == 0 && done > 10;
    return a->stopped && a->later == 0;
}

TEST(stopped)
{
    static const char *const names[] = { "pca", "fda", "sda", "self" };
    sample s = noisy(9213);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .effort = 1, BY_NEAREST };
    for (int threads = 1; threads <= 3; threads++) {
        struct asked asked = { 0, 0 };
        const pen_control control = { .threads = threads, .progress = stop_once, .user = &asked };
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(names, 4, &data, &trials, &control, &c, &err), &err);
        /* on a busy machine the running trials may be the last ones */
        CHECK(c->tuned == 0 && c->trials >= 1 && c->trials <= 10 && c->candidates[0].score > 0.5,
              "%lld tuned, %lld trials", (long long)c->tuned, (long long)c->trials);
        CHECK(asked.later == 0, "%lld calls after the stop", (long long)asked.later);
    }
}

/* ---- few labels, small budgets ---- */

/* The first `each` rows of every class are labelled. */
static void keep_labels(sample *s, int each)
{
    for (int i = 0; i < N; i++)
        s->y[i] = i / 3 < each ? i % 3 : PEN_UNLABELLED;
}

/* The number of folds follows the largest class unless it is given. */
TEST(folds_of_few_labels)
{
    static const char *const names[] = { "pca", "sda", "fme" };
    sample s = noisy(9214);
    const pen_data data = sample_data(&s);
    for (int each = 2; each <= 6; each++) {
        const int folds = each < 5 ? each : 5, left = each - (each + folds - 1) / folds;
        pen_comparison *c;
        pen_error err;
        keep_labels(&s, each);
        const pen_trials few = { .effort = 1e-3, BY_NEAREST };
        CHECK_OK(compare_named(names, 3, &data, &few, NULL, &c, &err), &err);
        CHECK(c->folds == folds && c->trials == 2 * folds && c->held_out == 3 * each,
              "%d labels per class: %lld folds, %lld trials, %lld held-out rows", each,
              (long long)c->folds, (long long)c->trials, (long long)c->held_out);
        CHECK(c->inner_folds
                      == (left < 2   ? 0
                          : left < 3 ? left
                                     : 3)
                  && c->tuned == (left < 2 ? 0 : 3),
              "%d labels per class: %lld inner folds, %lld tuned", each, (long long)c->inner_folds,
              (long long)c->tuned);
        for (int64_t m = 0; m < c->count; m++)
            CHECK(c->candidates[m].dim >= 1 && c->candidates[m].dim <= D, "%lld dimensions",
                  (long long)c->candidates[m].dim);
        const pen_trials more = { .folds = each + 1 };
        CHECK_STATUS(compare_named(names, 3, &data, &more, NULL, &c, &err), PEN_BAD_ARGUMENT,
                     "folds must be at most", &err);
    }
    keep_labels(&s, 1);
    pen_comparison *c;
    pen_error err;
    CHECK_STATUS(compare_named(names, 3, &data, NULL, NULL, &c, &err), PEN_NO_LABELS,
                 "no class has 2 labelled rows", &err);
}

/* A small budget omits methods and baselines, or their tuning; the cheapest of each is always
 * tried. */
TEST(within_budget)
{
    static const char *const names[] = { "fme", "fda", "lol", "self" };
    static const double efforts[] = { 1e-9, 3e-5, 3e-4, 1 };
    sample s = noisy(9215);
    const pen_data data = sample_data(&s);
    int64_t before = -1, baselines_before = 0;
    for (int e = 0; e < 4; e++) {
        const pen_trials trials = { .folds = 2, .effort = efforts[e], BY_NEAREST };
        int64_t tried[2] = { 0 }, combinations = 0;
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(names, 4, &data, &trials, NULL, &c, &err), &err);
        for (int64_t m = 0; m < c->count; m++) {
            const pen_compared *const a = &c->candidates[m];
            tried[a->baseline] += a->tried == PEN_TRIED;
            combinations += a->combinations;
            CHECK(a->tried == PEN_TRIED || (*a->failure && a->cost > 0),
                  "%s is omitted without a reason", a->method->name);
            CHECK(e < 3 || a->baseline || a->combinations == a->grid,
                  "%s: %lld of %lld combinations", a->method->name, (long long)a->combinations,
                  (long long)a->grid);
        }
        CHECK(tried[0] >= (e == 3 ? 4 : 1) && tried[0] <= (e == 0 ? 1 : 4), "effort %g: %lld tried",
              efforts[e], (long long)tried[0]);
        CHECK(combinations + tried[0] > before, "a larger budget does not try more");
        assert_int_equal(named(c, "columns/lda")->tried, PEN_TRIED);
        assert_true(tried[1] >= baselines_before && (e > 0 || tried[1] == 1)
                    && (e < 3 || tried[1] == BASELINES));
        before = combinations + tried[0];
        baselines_before = tried[1];
    }
}

/* ---- kernels, copies, many columns ---- */

/* Two concentric rings: on the line of fda they overlap; kernel components of two columns are more
 * than two, and one of them is the radius. */
TEST(kernels)
{
    enum { RINGS = 100 };
    static const char *const names[] = { "fda", "fda+rbf", "pca", "pca+rbf" };
    pen_rng rng = check_rng(9221);
    sample s = sample_new(RINGS, 2);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1, BY_NEAREST };
    pen_comparison *c;
    pen_error err;
    double value;
    for (int64_t i = 0; i < RINGS; i++) {
        const double angle = 8 * atan(1) * pen_rng_uniform(&rng), radius = i % 2 ? 1 : 2;
        s.x[2 * i] = radius * cos(angle) + 0.05 * check_normal(&rng);
        s.x[2 * i + 1] = radius * sin(angle) + 0.05 * check_normal(&rng);
        s.y[i] = i < 60 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    }
    CHECK_OK(compare_named(names, 4, &data, &trials, NULL, &c, &err), &err);
    assert_int_equal(c->count, 4 + BASELINES);
    const pen_compared *const line = named(c, "fda/nearest"),
                              *const bent = named(c, "fda+rbf/nearest"),
                              *const components = named(c, "pca+rbf/nearest");
    CHECK(line->score < 0.9, "fda scores %g", line->score);
    CHECK(bent->score > 0.95, "fda+rbf scores %g", bent->score);
    assert_int_equal(bent->grid, pen_min(3 * line->grid, 24));
    CHECK_OK(pen_spec_number(bent->spec, "kernel", &value, &err), &err);
    assert_true(value == 2);
    CHECK_OK(pen_spec_number(line->spec, "kernel", &value, &err), &err);
    assert_true(value == 0);
    assert_string_equal(components->method->name, "pca");
    assert_int_equal(c->dim_count, 9);
    assert_true(isnan(named(c, "pca/nearest")->curve[2]) && !isnan(components->curve[8]));
    CHECK(components->dim > 2, "%lld dimensions", (long long)components->dim);
}

/* self and self-mix with gamma 0 are the same. */
TEST(equal_predictions_are_named)
{
    static const char *const names[] = { "self", "self-mix", "pca" };
    sample s = noisy(9216);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1, BY_NEAREST };
    pen_comparison *c;
    pen_error err;
    CHECK_OK(compare_named(names, 3, &data, &trials, NULL, &c, &err), &err);
    CHECK(!c->candidates[0].same_as, "the best candidate equals another one");
    for (int64_t m = 1; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        if (e->same_as) {
            const pen_compared *const other = named(c, e->same_as);
            CHECK(other < e && same_numbers(e->trials, other->trials, 3),
                  "%s and %s score differently", e->name, e->same_as);
        }
    }
    CHECK(named(c, "self/nearest")->same_as || named(c, "self-mix/nearest")->same_as,
          "self and self-mix, which are the same, predict differently");
}

/* More than a hundred columns: components are computed first, unless a method does not need
 * them. */
TEST(wide_rows_use_components)
{
    static const char *const names[] = { "pca", "lol", "self", "lpp" };
    enum { ROWS = 40, WIDE = 120 };
    pen_rng rng = check_rng(9217);
    sample s = sample_random(&rng, ROWS, WIDE, 2, ROWS);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 2, .runs = 1, .effort = 2e-3 };
    pen_comparison *c;
    pen_error err;
    CHECK_OK(compare_named(names, 4, &data, &trials, NULL, &c, &err), &err);
    for (int64_t m = 0; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        const int plain =
            strcmp(e->method->name, "pca") == 0 || strcmp(e->method->name, "lol") == 0;
        CHECK(!*e->failure, "%s: %s", e->method->name, e->failure);
        CHECK(pen_spec_is_set(e->spec, "pca") == !plain, "%s: pca", e->method->name);
    }
}

/* With random labels the accuracy is near chance; with the true ones it is far better. */
TEST(shuffled_is_chance)
{
    static const char *const names[] = { "sda" };
    sample s = noisy(9205);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .runs = 8, .shuffled = 1 };
    pen_comparison *c;
    pen_error err;
    CHECK_OK(compare_named(names, 1, &data, &trials, NULL, &c, &err), &err);
    CHECK(c->candidates[0].score > 0.8 && c->shuffled < 0.55, "accuracy %g, shuffled %g",
          c->candidates[0].score, c->shuffled);
}

/* ---- errors ---- */

/* Each row: two texts of names, of grids and of classifiers, and the labels to keep. */
TEST(refused)
{
    static const struct {
        pen_status code;
        const char *phrase, *names[2], *classifiers[2], *grid[2], *keep;
    } wrong[] = {
        { PEN_UNKNOWN_NAME, "nonesuch", .names = { "pca", "nonesuch" } },
        { PEN_BAD_ARGUMENT, "self does not", .names = { "self/scores" } },
        { PEN_BAD_ARGUMENT, "pca is named twice", .names = { "pca", "pca" } },
        { PEN_BAD_ARGUMENT, "self is named twice", .names = { "self", "self/lda" } },
        { PEN_BAD_ARGUMENT, "self is named twice", .names = { "self+rbf/lda", "self+rbf" } },
        { PEN_BAD_ARGUMENT, "classifier none predicts no classes", .names = { "self/none" } },
        { PEN_UNKNOWN_NAME, "self-training|logistic|scores", .classifiers = { "nonesuch" } },
        { PEN_BAD_ARGUMENT, "classifiers must be among", .classifiers = { "none" } },
        { PEN_BAD_ARGUMENT, "classifier lda is named twice", .classifiers = { "lda", "lda" } },
        { PEN_BAD_ARGUMENT, "self: the models of this method", .classifiers = { "scores" } },
        { PEN_BAD_ARGUMENT, "a grid must be NAME=V1,V2", .grid = { "beta" } },
        { PEN_UNKNOWN_NAME, "unknown parameter \"delta\"", .grid = { "delta=1" } },
        { PEN_BAD_ARGUMENT, "grid of beta is given twice", .grid = { "beta=0.1", "beta=0.2" } },
        { PEN_BAD_ARGUMENT, "beta must be in [0, 1]", .grid = { "beta=2" } },
        { PEN_BAD_ARGUMENT, "classifiers are compared side by", .grid = { "classifier=lda" } },
        { PEN_BAD_ARGUMENT, "at least 1, or a percentage", .keep = "0" },
        { PEN_BAD_ARGUMENT, "got \"101%\"", .keep = "101%" },
        { PEN_BAD_ARGUMENT, "got \"1.5\"", .keep = "1.5" },
    };
    static const char *const self[] = { "self", NULL };
    sample s = problem(9508);
    const pen_data data = sample_data(&s);
    pen_comparison *c;
    pen_error err;
    for (int64_t i = 0; i < COUNT_OF(wrong); i++) {
        const char *const *const names = wrong[i].names[0] ? wrong[i].names : self,
                                 *const *const grid = wrong[i].grid,
                                 *const *const own = wrong[i].classifiers;
        const pen_trials trials = { .classifiers = own[0] ? own : NULL,
                                    .classifier_count = own[1] ? 2 : 1,
                                    .grid = grid[0] ? grid : NULL,
                                    .grid_count = grid[1] ? 2 : 1,
                                    .keep_labels = wrong[i].keep };
        CHECK_STATUS(compare_named(names, names[1] ? 2 : 1, &data, &trials, NULL, &c, &err),
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
}

/* ---- grids of the caller ---- */

/* Exactly these values are tried, in each trial and on all labels. Methods without the parameter
 * are not tuned; specs of one method are distinguished. */
TEST(grid_of_some)
{
    static const char *const grid[] = { "alpha=0.1,5" };
    const pen_trials trials = { .folds = FOLDS, .runs = 1, .grid = grid, .grid_count = 1 };
    sample s = problem(9513);
    const pen_data data = sample_data(&s);
    pen_spec *specs[] = { spec_with_defaults("sda classifier=lda"),
                          spec_with_defaults("sda ridge=0.5 classifier=lda"),
                          spec_with_defaults("fda classifier=lda") };
    pen_comparison *c;
    pen_error err;
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
    pen_comparison_free(c);
}

/* ---- printed texts ---- */

/* True if the lines of the table have at most 80 columns. Sentences may be longer. */
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

/* The texts agree with the numbers, also with long names; the spec of each rank is shown. */
TEST(texts)
{
    static const char *const names[] = { "self-ilpp+polynomial/self-training", "self", "rca" };
    static const int64_t dims[] = { 1, 2, 3, 20 };
    const pen_trials trials = {
        .folds = FOLDS, .runs = 2, .dims = dims, .dim_count = 4, .shuffled = 1
    };
    sample s = problem(9514);
    const pen_data data = sample_data(&s);
    char line[100];
    pen_comparison *c;
    pen_error err;
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
}
