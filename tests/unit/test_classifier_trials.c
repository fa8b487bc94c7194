/* test_classifier_trials.c - trials whose classes classifiers tell, against loops of fits and
 * predictions by public calls: accuracy, log-loss and Brier score by their formulas, and tuning. */
#include "eval/trials/sample_rows.h"
#include "eval/trials/trials.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "model/spec.h"

#include "eval/measures/summary.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 84, D = 5, CLASSES = 3, FOLDS = 3, RUNS = 2, SEED = 13, TEXT = 200 };

static const char *const classifiers[] = { "nearest", "neighbors",     "means",
                                           "lda",     "self-training", "logistic" };
enum { CLASSIFIERS = 6 };

/* Three classes that overlap; two rows of three are labelled. */
static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = check_normal(&rng);
        s.x[i * D + i % 3 % 2] += i % 3 == 2 ? -1.5 : 1.5;
        s.y[i] = (i / 3) % 3 ? i % 3 : PEN_UNLABELLED;
    }
    return s;
}

static const pen_trials usual = { .folds = FOLDS, .runs = RUNS, .seed = SEED };

/* What is measured of some rows. */
struct measured {
    double rows, right, log_loss, brier;
};

static void measure_row(const double *p, int32_t told, int32_t truth, struct measured *m)
{
    double floored = 0, square = 0;

    for (int c = 0; c < CLASSES; c++) {
        floored += fmax(p[c], 1e-4);
        square += (p[c] - (c == truth)) * (p[c] - (c == truth));
    }
    m->rows++;
    m->right += told == truth;
    m->log_loss -= log(fmax(p[truth], 1e-4) / floored);
    m->brier += square;
}

/* One trial by hand: the labels of fold f hidden, or its rows left out; a fit with its classifier,
 * and its predictions; of a method that scores the rows of the fit alone, these scores. labels [N]:
 * of the fit, -1 where they are dropped. */
struct trial {
    const sample *s;
    const int32_t *fold;
    int32_t f;
    int inductive;
    const int32_t *labels;
};

/* p [N x CLASSES] and the classes told [N] of all rows. */
static void predict_all(const char *text, const struct trial *t, double *p, int32_t *told)
{
    double *const x = check_allocate(N * D, sizeof *x);
    const pen_array all = pen_dense(t->s->x, PEN_F64, N, D, D);
    int32_t labels[N];
    int64_t n = 0;
    pen_error err;

    for (int64_t i = 0; i < N; i++) {
        if (t->inductive && t->fold[i] == t->f)
            continue;
        memcpy(x + n * D, t->s->x + i * D, D * sizeof *x);
        labels[n++] = t->fold[i] == t->f ? PEN_UNLABELLED : t->labels[i];
    }
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, D, D), .labels = labels };
    pen_model *const model = fit_data(text, &data);
    CHECK(pen_model_class_count(model) == CLASSES, "%s: a class is gone", text);
    if (!model_text(model, "classifier")) {
        memcpy(p, pen_model_tensor(model, "probabilities").values, N * CLASSES * sizeof *p);
        for (int64_t i = 0; i < N; i++) {
            told[i] = 0;
            for (int32_t c = 1; c < CLASSES; c++)
                told[i] = p[i * CLASSES + c] > p[i * CLASSES + told[i]] ? c : told[i];
        }
    } else {
        CHECK_OK(pen_predict(model, &all, NULL, told, p, NULL, &err), &err);
    }
    pen_model_free(model);
    free(x);
}

/* Of the held-out rows, and of those whose labels are dropped. */
static void try_by_hand(const char *text, const struct trial *t, struct measured *held,
                        struct measured *dropped)
{
    double *const p = check_allocate(N * CLASSES, sizeof *p);
    int32_t told[N];

    predict_all(text, t, p, told);
    for (int64_t i = 0; i < N; i++)
        if (t->fold[i] == t->f)
            measure_row(p + i * CLASSES, told[i], t->s->y[i], held);
        else if (t->s->y[i] >= 0 && t->labels[i] < 0)
            measure_row(p + i * CLASSES, told[i], t->s->y[i], dropped);
    free(p);
}

/* The labels of a trial that keeps some of each class. */
static void keep_labels(const sample *s, const pen_trials *trials, const int32_t *fold, int run,
                        int32_t f, int32_t *labels)
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
    pen_label_sample keep = { .per_class = trials->keep_labels ? atoi(trials->keep_labels) : 0 };
    int64_t order[N];
    pen_run *held_by;

    for (int64_t i = 0; i < N; i++)
        labels[i] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    if (keep.per_class == 0)
        return;
    keep.seed = pen_rng_derive(pen_rng_derive(SEED, (uint64_t)run), (uint64_t)(1 + f));
    content_order(&x, 1, order);
    assert_int_equal(pen_run_open(NULL, NULL, &held_by), PEN_OK);
    assert_int_equal(pen_labels_draw(held_by, labels, N, order, &keep, labels), PEN_OK);
    pen_run_close(held_by);
}

/* Every trial of a spec. */
static void check_scores(const char *text, const sample *s, const pen_trials *trials)
{
    const pen_data data = sample_data(s);
    const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
    pen_spec *const spec = spec_of(text);
    double aside = 0, log_loss = 0, brier = 0;
    struct scores scores;
    pen_error err;

    CHECK_OK(evaluate(spec, &data, trials, NULL, 0, NULL, &scores, &err), &err);
    assert_int_equal(scores.trials, RUNS * FOLDS);
    for (int run = 0; run < RUNS; run++) {
        int32_t fold[N], labels[N];
        dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(SEED, run), fold);
        for (int32_t f = 0; f < FOLDS; f++) {
            const struct trial t = { s, fold, f, trials->inductive, labels };
            struct measured held = { .rows = 0 }, dropped = { .rows = 0 };
            keep_labels(s, trials, fold, run, f, labels);
            try_by_hand(text, &t, &held, &dropped);
            CHECK_CLOSE(scores.accuracy[run * FOLDS + f], held.right / held.rows, 0, 1e-12);
            log_loss += held.log_loss / held.rows / (RUNS * FOLDS);
            brier += held.brier / held.rows / (RUNS * FOLDS);
            aside += dropped.right / dropped.rows / (RUNS * FOLDS);
        }
    }
    CHECK_CLOSE(scores.log_loss, log_loss, 1e-7, 1e-9);
    CHECK_CLOSE(scores.brier, brier, 1e-7, 1e-9);
    assert_true(isnan(scores.aside) == (trials->keep_labels == NULL));
    if (trials->keep_labels)
        CHECK_CLOSE(scores.aside, aside, 0, 1e-12);
    scores_free(&scores);
    pen_spec_free(spec);
}

static void check_classifiers(const char *text, const sample *s, const pen_trials *trials)
{
    char whole[TEXT];

    for (int r = 0; r < 2 * CLASSIFIERS; r++) {
        snprintf(whole, sizeof whole, "%.100s classifier=%s dim=%d", text, classifiers[r / 2],
                 r % 2 ? 3 : 1);
        check_scores(whole, s, trials);
    }
}

static void classifiers_literal(void **state)
{
    static const char *const texts[] = { "self beta=0.3", "pca scale=standard",
                                         "sda kernel=rbf kernel_gamma=0.1",
                                         "self beta=0.3 pca=0.999:3 pca_scale=unit" };
    sample s = problem(9301);
    pen_trials trials = usual;
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        for (int inductive = 0; inductive < 2; inductive++) {
            trials.inductive = inductive;
            check_classifiers(texts[i], &s, &trials);
        }
    sample_free(&s);
}

/* Trials measure what the models of a method predict. */
static void as_predicted(void **state)
{
    sample s = problem(9310);
    (void)state;

    for (int64_t m = 0; m < pen_method_count(); m++)
        check_scores(pen_method_at(m)->name, &s, &usual);
    sample_free(&s);
}

static void dropped_labels(void **state)
{
    sample s = problem(9302);
    pen_trials trials = usual;
    (void)state;

    trials.keep_labels = "5";
    check_classifiers("self beta=0.5", &s, &trials);
    sample_free(&s);
}

/* Class scores, of rows of the fit and of others; soda scores no new rows. */
static void scores_literal(void **state)
{
    static const char *const texts[] = { "fme", "fme prior=uniform", "soge", "soda" };
    sample s = problem(9303);
    pen_trials trials = usual;
    char whole[TEXT];
    (void)state;

    for (int64_t i = 0; i < 2 * COUNT_OF(texts) - 1; i++) {
        trials.inductive = (int)(i % 2);
        snprintf(whole, sizeof whole, "%s classifier=scores", texts[i / 2]);
        check_scores(whole, &s, &trials);
    }
    sample_free(&s);
}

/* A method that gives one number of dimensions has no scores in others. */
static void dimensions_of_scores(void **state)
{
    static const int64_t dims[] = { 1, 2, 3, 4 };
    sample s = problem(9306);
    const pen_data data = sample_data(&s);
    (void)state;

    for (int r = 0; r < 2; r++) {
        pen_spec *const spec = spec_of(r ? "fme classifier=lda" : "fme classifier=scores");
        struct scores scores;
        pen_error err;
        CHECK_OK(evaluate(spec, &data, &usual, dims, 4, NULL, &scores, &err), &err);
        for (int64_t i = 0; i < scores.trials * 4; i++)
            assert_true(isnan(scores.accuracy[i]) == (dims[i % 4] != CLASSES));
        scores_free(&scores);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

/* A temperature changes the probabilities that are measured, as it does those of a model. */
static void tempered(void **state)
{
    sample s = problem(9307);
    (void)state;

    check_scores("self beta=0.3 dim=2 temperature=4 classifier=lda", &s, &usual);
    sample_free(&s);
}

static void check_refused(const char *text, const sample *s, pen_status code, const char *phrase)
{
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    const pen_spec *const list = spec;
    pen_comparison *found;
    pen_error err;

    CHECK_STATUS(pen_compare(&list, 1, &data, NULL, NULL, &found, &err), code, phrase, &err);
    assert_null(found);
    pen_spec_free(spec);
}

static void refused(void **state)
{
    sample s = problem(9308);
    (void)state;

    check_refused("fda classifier=none", &s, PEN_BAD_ARGUMENT, "classifier none tells no classes");
    check_refused("fda classifier=scores", &s, PEN_BAD_ARGUMENT, "and fda does not");
    check_refused(
        "fda prior=uniform classifier=means", &s, PEN_BAD_ARGUMENT,
        "prior is of the classifiers scores, lda, self-training and logistic, got classifier "
        "means");
    sample_free(&s);
}

/* ---- tuning ---- */

/* The accuracy over all held-out rows of a spec's text in `dim` dimensions. */
static double pooled(const char *text, const sample *s, int64_t dim)
{
    struct measured held = { .rows = 0 }, none = { .rows = 0 };
    char whole[TEXT];

    snprintf(whole, sizeof whole, "%.150s dim=%lld", text, (long long)dim);
    for (int run = 0; run < RUNS; run++) {
        int32_t fold[N];
        const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
        dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(SEED, run), fold);
        for (int32_t f = 0; f < FOLDS; f++) {
            const struct trial t = { s, fold, f, 0, s->y };
            try_by_hand(whole, &t, &held, &none);
        }
    }
    return held.right / held.rows;
}

/* Candidates are scored by the classifier, in the fewest dimensions within a standard error. */
static void tune_by_classifier(void **state)
{
    static const char *const texts[] = { "fda scale=none classifier=lda",
                                         "fda scale=none classifier=neighbors:3" };
    sample s = problem(9309);
    const pen_data data = sample_data(&s);
    const pen_protocol protocol = { .folds = FOLDS, .runs = RUNS, .seed = SEED };
    int64_t labelled = 0;
    (void)state;

    for (int64_t i = 0; i < N; i++)
        labelled += s.y[i] >= 0;
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_spec *const spec = spec_with_defaults(texts[i]);
        pen_tuning *tuning;
        pen_error err;
        CHECK_OK(tune(spec, &data, &protocol, NULL, &tuning, &err), &err);
        CHECK(tuning->count > 1, "%lld candidates", (long long)tuning->count);
        for (int64_t c = 0; c < tuning->count; c++) {
            const pen_candidate *const candidate = &tuning->candidates[c];
            double ridge, score[2], best = 0;
            char text[TEXT];
            CHECK_OK(pen_spec_number(candidate->spec, "ridge", &ridge, &err), &err);
            if (ridge < 0) /* auto */
                continue;
            snprintf(text, sizeof text, "%s ridge=%.17g", texts[i], ridge);
            for (int64_t d = 0; d < 2; d++) /* three classes have two dimensions */
                best = fmax(best, score[d] = pooled(text, &s, d + 1));
            const double least = best - pen_standard_error(best, labelled) - PEN_SAME_SCORE;
            const int64_t dim = score[0] >= least ? 1 : 2;
            CHECK_CLOSE(candidate->score, score[dim - 1], 1e-12, 0);
            CHECK(candidate->dim == dim, "%lld dimensions", (long long)candidate->dim);
        }
        pen_tuning_free(tuning);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classifiers_literal),
        cmocka_unit_test(as_predicted),
        cmocka_unit_test(dropped_labels),
        cmocka_unit_test(scores_literal),
        cmocka_unit_test(dimensions_of_scores),
        cmocka_unit_test(tempered),
        cmocka_unit_test(refused),
        cmocka_unit_test(tune_by_classifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
