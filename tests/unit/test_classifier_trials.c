/* test_classifier_trials.c - trials whose classes classifiers tell, against loops of fits and
 * predictions by public calls: accuracy, log-loss and Brier score by their formulas, several
 * classifiers at once, and tuning. */
#include "eval/thin.h"
#include "kit/check_fit.h"
#include "kit/dealt.h"
#include "model/spec.h"

#include "eval/summary.h"

#include <stdio.h>

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

static const pen_protocol usual = { .folds = FOLDS, .runs = RUNS, .seed = SEED };

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
static void keep_labels(const sample *s, const pen_protocol *protocol, const int32_t *fold, int run,
                        int32_t f, int32_t *labels)
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
    pen_label_sample keep = protocol->labels;
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

/* Every trial of entry i, `dim` dimensions, of the scores. */
static void check_scores(const char *text, const char *classifier, const sample *s,
                         const pen_protocol *protocol, const pen_scores *scores, int64_t i)
{
    char whole[TEXT], dim[TEXT / 4] = "";

    if (scores->dims[i])
        snprintf(dim, sizeof dim, " dim=%lld", (long long)scores->dims[i]);
    snprintf(whole, sizeof whole, "%.100s classifier=%s%s", text, classifier, dim);
    for (int run = 0; run < RUNS; run++) {
        int32_t fold[N], labels[N];
        const pen_array x = pen_dense(s->x, PEN_F64, N, s->d, s->d);
        dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(SEED, run), fold);
        for (int32_t f = 0; f < FOLDS; f++) {
            const int64_t at = (run * FOLDS + f) * scores->dim_count + i;
            const struct trial t = { s, fold, f, protocol->inductive, labels };
            struct measured held = { .rows = 0 }, dropped = { .rows = 0 };
            keep_labels(s, protocol, fold, run, f, labels);
            try_by_hand(whole, &t, &held, &dropped);
            CHECK_CLOSE(scores->accuracy[at], held.right / held.rows, 0, 1e-12);
            CHECK_CLOSE(scores->log_loss[at], held.log_loss / held.rows, 1e-7, 1e-9);
            CHECK_CLOSE(scores->brier[at], held.brier / held.rows, 1e-7, 1e-9);
            if (scores->dropped)
                CHECK_CLOSE(scores->dropped[at], dropped.right / dropped.rows, 0, 1e-12);
        }
    }
}

static void check_classifiers(const char *text, const sample *s, const pen_protocol *protocol)
{
    static const int64_t dims[] = { 1, 3 };
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    pen_scores *scores[CLASSIFIERS];
    pen_error err;

    CHECK_OK(pen_evaluate_classifiers(spec, classifiers, CLASSIFIERS, &data, protocol, dims, 2,
                                      NULL, scores, &err),
             &err);
    for (int r = 0; r < CLASSIFIERS; r++) {
        CHECK(scores[r]->done == RUNS * FOLDS, "%lld trials", (long long)scores[r]->done);
        for (int64_t i = 0; i < 2; i++)
            check_scores(text, classifiers[r], s, protocol, scores[r], i);
        pen_scores_free(scores[r]);
    }
    pen_spec_free(spec);
}

static void classifiers_literal(void **state)
{
    static const char *const texts[] = { "self beta=0.3", "pca scale=standard",
                                         "sda kernel=rbf kernel_gamma=0.1",
                                         "self beta=0.3 pca=0.999:3 pca_scale=unit" };
    sample s = problem(9301);
    pen_protocol protocol = usual;
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        for (int inductive = 0; inductive < 2; inductive++) {
            protocol.inductive = inductive;
            check_classifiers(texts[i], &s, &protocol);
        }
    sample_free(&s);
}

/* Unless another classifier is named, trials measure what the models of a method predict. */
static void as_predicted(void **state)
{
    static const int64_t own = 0;
    sample s = problem(9310);
    const pen_data data = sample_data(&s);
    (void)state;

    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const name = pen_method_at(m)->name;
        pen_spec *const spec = spec_of(name);
        pen_scores *scores;
        pen_error err;
        CHECK_OK(pen_evaluate(spec, &data, &usual, &own, 1, NULL, &scores, &err), &err);
        check_scores(name, "auto", &s, &usual, scores, 0);
        pen_scores_free(scores);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

static void dropped_labels(void **state)
{
    sample s = problem(9302);
    pen_protocol protocol = usual;
    (void)state;

    protocol.labels.per_class = 5;
    check_classifiers("self beta=0.5", &s, &protocol);
    sample_free(&s);
}

/* Class scores, of rows of the fit and of others. */
static void scores_literal(void **state)
{
    static const char *const texts[] = { "fme", "fme prior=uniform", "soge", "soda" };
    static const char *const both[] = { "lda", "scores" };
    static const int64_t own = 0;
    sample s = problem(9303);
    const pen_data data = sample_data(&s);
    pen_protocol protocol = usual;
    (void)state;

    for (int64_t i = 0; i < 2 * COUNT_OF(texts) - 1; i++) { /* soda scores no new rows */
        pen_spec *const spec = spec_of(texts[i / 2]);
        pen_scores *scores[2];
        pen_error err;
        protocol.inductive = (int)(i % 2);
        CHECK_OK(
            pen_evaluate_classifiers(spec, both, 2, &data, &protocol, &own, 1, NULL, scores, &err),
            &err);
        check_scores(texts[i / 2], "lda", &s, &protocol, scores[0], 0);
        check_scores(texts[i / 2], "scores", &s, &protocol, scores[1], 0);
        pen_scores_free(scores[0]);
        pen_scores_free(scores[1]);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

/* ---- several classifiers ---- */

static void check_same(const char *what, int64_t count, const double *a, const double *b)
{
    CHECK((a == NULL) == (b == NULL), "%s: only one has it", what);
    for (int64_t i = 0; a && i < count; i++)
        CHECK(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])), "%s: %.17g and %.17g", what, a[i],
              b[i]);
}

/* One call for several classifiers has the bits of a call for each. */
static void together_as_alone(void **state)
{
    static const char *const names[] = { "lda", "auto", "logistic", "scores", "nearest" };
    static const int64_t dims[] = { 0, 3 };
    sample s = problem(9304);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("fme");
    pen_scores *all[5], *alone;
    pen_error err;
    (void)state;

    CHECK_OK(pen_evaluate_classifiers(spec, names, 5, &data, &usual, dims, 2, NULL, all, &err),
             &err);
    for (int r = 0; r < 5; r++) {
        CHECK_OK(pen_spec_set(spec, "classifier", names[r], &err), &err);
        CHECK_OK(pen_evaluate(spec, &data, &usual, dims, 2, NULL, &alone, &err), &err);
        const int64_t count = alone->trials * 2;
        check_same("accuracy", count, all[r]->accuracy, alone->accuracy);
        check_same("log-loss", count, all[r]->log_loss, alone->log_loss);
        check_same("Brier", count, all[r]->brier, alone->brier);
        assert_string_equal(all[r]->classifier, alone->classifier);
        assert_string_equal(alone->classifier, strcmp(names[r], "auto") ? names[r] : "scores");
        assert_true(all[r]->held_out == alone->held_out && all[r]->done == alone->done);
        pen_scores_free(alone);
        pen_scores_free(all[r]);
    }
    pen_spec_free(spec);
    sample_free(&s);
}

/* Results do not depend on the number of threads. */
static void threads(void **state)
{
    static const int counts[] = { 1, 3 };
    sample s = problem(9305);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("self beta=0.3");
    pen_scores *scores[2][CLASSIFIERS];
    pen_error err;
    (void)state;

    for (int t = 0; t < 2; t++) {
        const pen_control control = { .threads = counts[t] };
        CHECK_OK(pen_evaluate_classifiers(spec, classifiers, CLASSIFIERS, &data, &usual, NULL, 0,
                                          &control, scores[t], &err),
                 &err);
    }
    for (int r = 0; r < CLASSIFIERS; r++) {
        const int64_t count = scores[0][r]->trials * scores[0][r]->dim_count;
        check_same("accuracy", count, scores[0][r]->accuracy, scores[1][r]->accuracy);
        check_same("log-loss", count, scores[0][r]->log_loss, scores[1][r]->log_loss);
        pen_scores_free(scores[0][r]);
        pen_scores_free(scores[1][r]);
    }
    pen_spec_free(spec);
    sample_free(&s);
}

/* A method that gives one number of dimensions has no scores in others. */
static void dimensions_of_scores(void **state)
{
    static const int64_t dims[] = { 1, 2, 3, 4 };
    static const char *const both[] = { "scores", "lda" };
    sample s = problem(9306);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("fme");
    pen_scores *scores[2];
    pen_error err;
    (void)state;

    CHECK_OK(pen_evaluate_classifiers(spec, both, 2, &data, &usual, dims, 4, NULL, scores, &err),
             &err);
    for (int r = 0; r < 2; r++) {
        for (int64_t i = 0; i < scores[r]->trials * 4; i++) {
            assert_true(isnan(scores[r]->accuracy[i]) == (dims[i % 4] != CLASSES));
            assert_true(isnan(scores[r]->log_loss[i]) == isnan(scores[r]->accuracy[i]));
        }
        check_scores("fme", both[r], &s, &usual, scores[r], 2);
        pen_scores_free(scores[r]);
    }
    pen_spec_free(spec);
    sample_free(&s);
}

/* A temperature changes the probabilities that are measured, as it does those of a model. */
static void tempered(void **state)
{
    static const int64_t dims[] = { 2 };
    sample s = problem(9307);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("self beta=0.3 classifier=lda temperature=4");
    pen_scores *scores;
    pen_error err;
    (void)state;

    CHECK_OK(pen_evaluate(spec, &data, &usual, dims, 1, NULL, &scores, &err), &err);
    check_scores("self beta=0.3 temperature=4", "lda", &s, &usual, scores, 0);
    pen_scores_free(scores);
    pen_spec_free(spec);
    sample_free(&s);
}

static void check_refused(const char *text, const char *name, const pen_protocol *protocol,
                          const sample *s, pen_status code, const char *phrase)
{
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    pen_scores *scores[2] = { (pen_scores *)spec, (pen_scores *)spec };
    const char *const names[] = { name, "lda" };
    pen_error err;

    CHECK_STATUS(
        pen_evaluate_classifiers(spec, names, 1, &data, protocol, NULL, 0, NULL, scores, &err),
        code, phrase, &err);
    assert_null(scores[0]);
    assert_ptr_equal(scores[1], spec);
    pen_spec_free(spec);
}

static void refused(void **state)
{
    sample s = problem(9308);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("fda classifier=lda"), *const none =
                                                              spec_of("fda classifier=none");
    pen_scores *scores[2];
    pen_tuning *tuning;
    pen_error err;
    (void)state;

    check_refused("fda", "none", NULL, &s, PEN_BAD_ARGUMENT, "classifier none tells no classes");
    check_refused("fda", "ldb", NULL, &s, PEN_UNKNOWN_NAME, "self-training, logistic, scores");
    check_refused("fda", NULL, NULL, &s, PEN_BAD_ARGUMENT,
                  "the name of a classifier must not be NULL");
    check_refused("fda", "scores", NULL, &s, PEN_BAD_ARGUMENT, "and fda does not");
    check_refused(
        "fda prior=uniform", "means", NULL, &s, PEN_BAD_ARGUMENT,
        "prior is of the classifiers scores, lda, self-training and logistic, got classifier "
        "means");
    CHECK_STATUS(pen_tune(none, &data, NULL, 2, NULL, &tuning, &err), PEN_BAD_ARGUMENT,
                 "classifier none tells no classes", &err);
    CHECK_STATUS(pen_evaluate_classifiers(spec, NULL, 1, &data, NULL, NULL, 0, NULL, scores, &err),
                 PEN_BAD_ARGUMENT, "classifiers must not be NULL", &err);
    CHECK_STATUS(
        pen_evaluate_classifiers(spec, classifiers, 0, &data, NULL, NULL, 0, NULL, scores, &err),
        PEN_BAD_ARGUMENT, "the number of classifiers must be >= 1, got 0", &err);
    CHECK_STATUS(
        pen_evaluate_classifiers(spec, classifiers, 1, &data, NULL, NULL, 0, NULL, NULL, &err),
        PEN_BAD_ARGUMENT, "out must not be NULL", &err);
    pen_spec_free(none);
    pen_spec_free(spec);
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
    enum { MOST_DIMS = 3 };
    static const char *const texts[] = { "fda scale=none classifier=lda",
                                         "fda scale=none classifier=neighbors:3" };
    sample s = problem(9309);
    const pen_data data = sample_data(&s);
    int64_t labelled = 0;
    (void)state;

    for (int64_t i = 0; i < N; i++)
        labelled += s.y[i] >= 0;
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_spec *const spec = spec_with_defaults(texts[i]);
        pen_tuning *tuning;
        pen_error err;
        CHECK_OK(pen_tune(spec, &data, &usual, MOST_DIMS, NULL, &tuning, &err), &err);
        CHECK(tuning->count == tuning->planned && tuning->count > 1, "%lld of %lld candidates",
              (long long)tuning->count, (long long)tuning->planned);
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
        cmocka_unit_test(together_as_alone),
        cmocka_unit_test(threads),
        cmocka_unit_test(dimensions_of_scores),
        cmocka_unit_test(tempered),
        cmocka_unit_test(refused),
        cmocka_unit_test(tune_by_classifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
