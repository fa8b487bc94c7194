/* test_trials.c - trials of one spec, and tuning by them, against loops of fits and predictions by
 * public calls: accuracy, log-loss and Brier score by their formulas; threads; refused input. */
#include "eval/trials/trials.h"
#include "eval/measures/summary.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "kit/held_out.h"
#include "model/spec.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 84, D = 5, CLASSES = 3, FOLDS = 3, RUNS = 2, SEED = 13, TEXT = 200 };

static const char *const classifiers[] = { "nearest", "neighbors",     "means",
                                           "lda",     "self-training", "logistic" };

/* Three overlapping classes; two of three rows are labelled. */
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
static const pen_trials leaving_out = {
    .folds = FOLDS, .runs = RUNS, .seed = SEED, .inductive = 1
};

static void deal(const sample *s, int run, int32_t fold[N])
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, D, D);

    dealt_folds(&x, 1, s->y, FOLDS, 1, pen_run_seed(SEED, run), fold);
}

/* The labels or pairs drawn in a trial. */
static uint64_t draws_of(int run, int32_t f)
{
    return pen_rng_derive(pen_rng_derive(SEED, (uint64_t)run), (uint64_t)(1 + f));
}

/* ---- a literal trial ---- */

/* Measures of some rows. */
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

/* Held-out rows, and rows with hidden labels. */
static void try_by_hand(const char *text, const held_out *t, struct measured *held,
                        struct measured *dropped)
{
    pen_spec *const spec = spec_of(text);
    double p[N * CLASSES];
    int32_t told[N];

    held_out_predict(t, spec, 0, p, told);
    for (int64_t i = 0; i < N; i++)
        if (t->fold[i] == t->f)
            measure_row(p + i * CLASSES, told[i], t->s->y[i], held);
        else if (t->labels && t->s->y[i] >= 0 && t->labels[i] < 0)
            measure_row(p + i * CLASSES, told[i], t->s->y[i], dropped);
}

/* The labels of a trial that keeps some of each class. */
static void keep_labels(const sample *s, const char *each, const held_out *t, int run,
                        int32_t *labels)
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, D, D);
    const pen_label_sample keep = { .per_class = atoi(each), .seed = draws_of(run, t->f) };
    int64_t order[N];

    for (int64_t i = 0; i < N; i++)
        labels[i] = t->fold[i] == t->f ? PEN_UNLABELLED : s->y[i];
    content_order(&x, 1, order);
    pen_run *const held_by = check_run(0, NULL);
    assert_int_equal(pen_labels_draw(held_by, labels, N, order, &keep, labels), PEN_OK);
    pen_run_close(held_by);
}

/* Every trial of a spec. */
static void check_scores(const char *text, const sample *s, const pen_trials *trials)
{
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    double aside = 0, log_loss = 0, brier = 0;
    struct scores scores;
    pen_error err;

    CHECK_OK(evaluate(spec, &data, trials, NULL, 0, NULL, &scores, &err), &err);
    assert_int_equal(scores.trials, RUNS * FOLDS);
    for (int t = 0; t < RUNS * FOLDS; t++) {
        int32_t fold[N], labels[N];
        held_out trial = { .s = s, .fold = fold, .f = t % FOLDS, .inductive = trials->inductive };
        struct measured held = { .rows = 0 }, dropped = { .rows = 0 };
        deal(s, t / FOLDS, fold);
        if (trials->keep_labels) {
            keep_labels(s, trials->keep_labels, &trial, t / FOLDS, labels);
            trial.labels = labels;
        }
        try_by_hand(text, &trial, &held, &dropped);
        CHECK(fabs(scores.accuracy[t] - held.right / held.rows) < 1e-12, "%s, trial %d: %g, not %g",
              text, t, scores.accuracy[t], held.right / held.rows);
        log_loss += held.log_loss / held.rows / (RUNS * FOLDS);
        brier += held.brier / held.rows / (RUNS * FOLDS);
        aside += dropped.right / dropped.rows / (RUNS * FOLDS);
    }
    CHECK_CLOSE(scores.log_loss, log_loss, 1e-7, 1e-9);
    CHECK_CLOSE(scores.brier, brier, 1e-7, 1e-9);
    assert_true(isnan(scores.aside) == (trials->keep_labels == NULL));
    if (trials->keep_labels)
        CHECK_CLOSE(scores.aside, aside, 0, 1e-12);
}

static void check_classifiers(const char *text, const sample *s, const pen_trials *trials)
{
    char whole[TEXT];

    for (int r = 0; r < 2 * COUNT_OF(classifiers); r++) {
        if (!check_in_turn(r / 2 + r + trials->inductive, 2))
            continue;
        snprintf(whole, sizeof whole, "%.100s classifier=%s dim=%d", text, classifiers[r / 2],
                 r % 2 ? 3 : 1);
        check_scores(whole, s, trials);
    }
}

/* Trials share coordinates of kernels and components, which depend on the rows alone. */
TEST(classifiers_literal)
{
    static const char *const kernel = "sda kernel=rbf kernel_gamma=0.1";
    const pen_trials few = { .folds = FOLDS, .runs = RUNS, .seed = SEED, .keep_labels = "5" };
    sample s = problem(9301);
    check_classifiers("self beta=0.3", &s, &usual);
    check_classifiers("self beta=0.5", &s, &few);
    check_classifiers("pca scale=standard", &s, &leaving_out);
    check_classifiers(kernel, &s, &usual);
    check_classifiers(kernel, &s, &leaving_out);
    check_classifiers("self beta=0.3 pca=0.999:3 pca_scale=unit", &s, &usual);
}

/* Trials measure the predictions of a method's models. */
TEST(predictions_of_models)
{
    static const char *const others[] = {
        /* a temperature changes probabilities as in a model */
        "self beta=0.3 dim=2 temperature=4 classifier=lda",
        "fme prior=uniform classifier=scores",
        "soge classifier=scores",
        "self kernel=polynomial kernel_landmarks=20 scale=standard classifier=nearest",
        "sda kernel=laplacian kernel_landmarks=random:30 pca=0.9 classifier=nearest",
        "soda classifier=scores", /* gives no scores of new rows */
    };
    sample s = problem(9310);
    for (int64_t m = 0; m < pen_method_count(); m++)
        check_scores(pen_method_at(m)->name, &s, &usual);
    for (int64_t i = 0; i < COUNT_OF(others); i++)
        for (int inductive = 0; inductive < (i < COUNT_OF(others) - 1 ? 2 : 1); inductive++)
            check_scores(others[i], &s, inductive ? &leaving_out : &usual);
}

/* Each trial draws its own pairs from its known labels. */
TEST(pairs_are_drawn)
{
    sample s = problem(9302);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("wbdr classifier=nearest sample_pairs=15+20");
    struct scores scores;
    pen_error err;
    CHECK_OK(evaluate(spec, &data, &usual, NULL, 0, NULL, &scores, &err), &err);
    for (int t = 0; t < RUNS * FOLDS; t++) {
        int32_t fold[N], labels[N], told[N];
        double held = 0, right = 0, z[N * D];
        pen_pairs *pairs;
        deal(&s, t / FOLDS, fold);
        for (int64_t i = 0; i < N; i++)
            labels[i] = fold[i] == t % FOLDS ? PEN_UNLABELLED : s.y[i];
        CHECK_OK(pen_sample_pairs(labels, N, "15+20", draws_of(t / FOLDS, t % FOLDS), NULL, &pairs,
                                  &err),
                 &err);
        const pen_data some = { .x = data.x,
                                .must_link = pairs->must_link,
                                .must_link_count = pairs->must_link_count,
                                .cannot_link = pairs->cannot_link,
                                .cannot_link_count = pairs->cannot_link_count };
        pen_model *const model = fit_data("wbdr", &some);
        const int64_t k = pen_model_dim(model);
        CHECK_OK(pen_transform(model, &data.x, NULL, PEN_F64, z, k, &err), &err);
        const pen_data embedded = { .x = pen_dense(z, PEN_F64, N, k, k), .labels = labels };
        pen_model *const votes = fit_data("none classifier=nearest", &embedded);
        CHECK_OK(pen_predict(votes, &embedded.x, NULL, told, NULL, NULL, &err), &err);
        for (int64_t i = 0; i < N; i++) {
            held += fold[i] == t % FOLDS;
            right += fold[i] == t % FOLDS && told[i] == s.y[i];
        }
        CHECK_CLOSE(scores.accuracy[t], right / held, 0, 1e-15);
        pen_pairs_free(pairs);
    }
}

/* ---- numbers of dimensions ---- */

/* Accuracies in several numbers of dimensions equal those of each alone, also for a method that is
 * fitted for each; unavailable dimensions have none. */
TEST(in_each_number_of_dimensions)
{
    static const struct {
        const char *text;
        int64_t dims[4], given; /* dimensions from 1 on; -1: the number of classes */
    } cases[] = { { "self beta=0.3 classifier=nearest", { 1, 2, 3, 99 }, D },
                  { "bwdr classifier=nearest", { 1, 2, 3, 99 }, D },
                  { "fme classifier=scores", { 1, 2, 3, 4 }, -1 },
                  { "fme classifier=lda", { 1, 2, 3, 4 }, -1 } };
    sample s = problem(9306);
    const pen_data data = sample_data(&s);
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_spec *const spec = spec_of(cases[i].text);
        struct scores scores, alone;
        pen_error err;
        CHECK_OK(evaluate(spec, &data, &usual, cases[i].dims, 4, NULL, &scores, &err), &err);
        for (int k = 0; k < 4; k++) {
            char text[TEXT];
            const int64_t dim = cases[i].dims[k];
            const int given = cases[i].given < 0 ? dim == CLASSES : dim <= cases[i].given;
            for (int64_t t = 0; t < scores.trials; t++)
                assert_true(isnan(scores.accuracy[t * 4 + k]) == !given);
            if (!given)
                continue;
            snprintf(text, sizeof text, "%s dim=%d", cases[i].text, (int)dim);
            pen_spec *const one = spec_of(text);
            CHECK_OK(evaluate(one, &data, &usual, NULL, 0, NULL, &alone, &err), &err);
            for (int64_t t = 0; t < scores.trials; t++)
                CHECK_CLOSE(scores.accuracy[t * 4 + k], alone.accuracy[t], 0, 1e-15);
        }
    }
}

/* fda has at most two dimensions for three classes; more fail, or with allow_fewer are evaluated in
 * two. */
TEST(fewer_dimensions)
{
    static const char *const texts[] = { "fda classifier=nearest dim=2",
                                         "fda classifier=nearest dim=4 allow_fewer=true",
                                         "fda classifier=nearest dim=4" };
    sample s = problem(9229);
    const pen_data data = sample_data(&s);
    struct scores found[3];
    pen_error err;
    for (int i = 0; i < 3; i++) {
        pen_spec *const spec = spec_with_defaults(texts[i]);
        const pen_status status = evaluate(spec, &data, &usual, NULL, 0, NULL, &found[i], &err);
        assert_int_equal(status, i < 2 ? PEN_OK : PEN_RANK_TOO_SMALL);
    }
    for (int t = 0; t < RUNS * FOLDS; t++)
        assert_true(found[1].accuracy[t] == found[0].accuracy[t] && found[0].accuracy[t] > 0.4);
}

/* ---- threads ---- */

static int same_numbers(const double *a, const double *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return 0;
    return 1;
}

/* Threads change neither scores nor the tried candidates, with a budget for some and for all. */
TEST(threads)
{
    static const char *const names[] = { "self", "sda", "pca+rbf", "ssdr", "lol" };
    static const int64_t dims[] = { 1, 2, 3, 4 };
    static const double efforts[] = { 3e-5, 1e-3 };
    sample s = problem(9204);
    const pen_data data = sample_data(&s);
    for (int e = 0; e < 2; e++) {
        const pen_trials trials = { .folds = 3,
                                    .runs = 2,
                                    .keep_labels = "4",
                                    .effort = efforts[e],
                                    .dims = dims,
                                    .dim_count = 4 };
        pen_comparison *c[2];
        pen_error err;
        for (int t = 0; t < 2; t++) {
            const pen_control control = { .threads = 1 + 2 * t };
            CHECK_OK(compare_named(names, 5, &data, &trials, &control, &c[t], &err), &err);
        }
        assert_int_equal(c[0]->count, c[1]->count);
        for (int64_t m = 0; m < c[0]->count; m++) {
            const pen_compared *const a = &c[0]->candidates[m], *const b = &c[1]->candidates[m];
            CHECK(strcmp(a->name, b->name) == 0 && a->tried == b->tried && a->dim == b->dim
                      && a->combinations == b->combinations
                      && strcmp(a->same_as ? a->same_as : "", b->same_as ? b->same_as : "") == 0,
                  "%s: threads change the candidates", a->name);
            CHECK(same_numbers(a->trials, b->trials, c[0]->trials)
                      && same_numbers(a->curve_trials, b->curve_trials, 4 * c[0]->trials)
                      && same_numbers(&a->stability, &b->stability, 1)
                      && same_numbers(&a->aside, &b->aside, 1),
                  "%s: threads change scores", a->name);
        }
    }
}

/* ---- refused input ---- */

TEST(refused)
{
    enum { NONE = 1, ONE_CLASS, ONE_EACH, FAR_PAIR }; /* errors in the data */
    static const struct {
        const char *text;
        int wrong;
        pen_trials trials;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { "self", NONE, { .folds = 0 }, PEN_NO_LABELS, "nothing to hold out" },
        { "self", ONE_CLASS, { .folds = 0 }, PEN_ONE_CLASS, "2 classes" },
        { "self", ONE_EACH, { .folds = 0 }, PEN_NO_LABELS, "no class has 2 labelled rows" },
        { "self", FAR_PAIR, { .folds = 0 }, PEN_BAD_PAIR, "4000" },
        { "self",
          0,
          { .folds = 19 },
          PEN_BAD_ARGUMENT,
          "folds must be at most 18, the number of rows of the largest class, got 19" },
        { "self", 0, { .folds = -1 }, PEN_BAD_ARGUMENT, "folds must be in [2, 54]" },
        { "self", 0, { .runs = -1 }, PEN_BAD_ARGUMENT, "runs must be in [1, 100000], got -1" },
        { "fda dim=40", 0, { .folds = 0 }, PEN_RANK_TOO_SMALL, "requested 40 dimensions" },
        { "fda classifier=none",
          0,
          { .folds = 0 },
          PEN_BAD_ARGUMENT,
          "classifier none predicts no classes" },
        { "fda classifier=scores", 0, { .folds = 0 }, PEN_BAD_ARGUMENT, "and fda does not" },
        { "fda prior=uniform classifier=means",
          0,
          { .folds = 0 },
          PEN_BAD_ARGUMENT,
          "prior applies to the classifiers scores, lda, self-training and logistic, got "
          "classifier means" },
    };
    static const int64_t far[] = { 0, 4000 };
    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        sample s = problem(9207);
        const int wrong = cases[c].wrong;
        pen_data data = sample_data(&s);
        pen_spec *const spec = spec_of(cases[c].text);
        const pen_spec *const list = spec;
        pen_comparison *found;
        pen_error err;
        for (int i = 0; i < N && wrong > 0 && wrong < FAR_PAIR; i++)
            s.y[i] = wrong == ONE_CLASS && s.y[i] >= 0  ? 3
                     : wrong == ONE_EACH && i < CLASSES ? i
                                                        : PEN_UNLABELLED;
        data.must_link = far;
        data.must_link_count = wrong == FAR_PAIR;
        CHECK_STATUS(pen_compare(&list, 1, &data, &cases[c].trials, NULL, &found, &err),
                     cases[c].code, cases[c].phrase, &err);
        assert_null(found);
    }
}

/* Rows of a kernel matrix cannot be held out, and kernel values have no scale to vary. */
TEST(precomputed)
{
    sample s = problem(9224);
    double K[N * N] = { 0 };
    pen_trials trials = { .folds = 2 };
    const pen_protocol protocol = { .folds = 2, .runs = 1 };
    pen_spec *const spec = spec_with_defaults("fda kernel=precomputed");
    struct scores scores;
    pen_tuning *tuning;
    pen_error err;
    for (int i = 0; i < N * N; i++)
        for (int j = 0; j < D; j++)
            K[i] += s.x[i / N * D + j] * s.x[i % N * D + j];
    const pen_data data = { .x = pen_dense(K, PEN_F64, N, N, N), .labels = s.y };
    CHECK_OK(evaluate(spec, &data, &trials, NULL, 0, NULL, &scores, &err), &err);
    trials.inductive = 1;
    CHECK_STATUS(evaluate(spec, &data, &trials, NULL, 0, NULL, &scores, &err), PEN_BAD_ARGUMENT,
                 "inductive trials leave rows out, but rows of a precomputed", &err);
    CHECK_OK(tune(spec, &data, &protocol, NULL, &tuning, &err), &err);
    assert_int_equal(tuning->count, 3); /* three values of ridge */
    for (int64_t i = 0; i < tuning->count; i++)
        CHECK(!*tuning->candidates[i].failure, "%s", tuning->candidates[i].failure);
    pen_tuning_free(tuning);
}

/* ---- tuning ---- */

/* The accuracy over all held-out rows of a spec's text in `dim` dimensions. */
static double pooled(const char *text, const sample *s, int64_t dim)
{
    struct measured held = { .rows = 0 }, none = { .rows = 0 };
    char whole[TEXT];

    snprintf(whole, sizeof whole, "%.150s dim=%lld", text, (long long)dim);
    for (int t = 0; t < RUNS * FOLDS; t++) {
        int32_t fold[N];
        const held_out trial = { .s = s, .fold = fold, .f = t % FOLDS };
        deal(s, t / FOLDS, fold);
        try_by_hand(whole, &trial, &held, &none);
    }
    return held.right / held.rows;
}

/* Candidates are scored by the classifier, in the fewest dimensions within a standard error. */
TEST(tune_by_classifier)
{
    static const char *const texts[] = { "fda scale=none classifier=lda",
                                         "fda scale=none classifier=neighbors:3" };
    sample s = problem(9309);
    const pen_data data = sample_data(&s);
    const pen_protocol protocol = { .folds = FOLDS, .runs = RUNS, .seed = SEED };
    int64_t labelled = 0;
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
            CHECK(c == 0 || candidate->score <= candidate[-1].score, "not in order");
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
    }
}

/* By definition. */
TEST(standard_error)
{
    CHECK_CLOSE(pen_standard_error(0.5, 100), 0.05, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(1, 4), 0.125, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(0, 1), 0.5, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(0.9, 25), 0.06, 1e-15, 0);
    assert_true(isnan(pen_standard_error(0.5, 0)));
    assert_true(isnan(pen_standard_error((double)NAN, 5)));
}
