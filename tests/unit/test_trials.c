/* test_trials.c - trials, tuning, and comparing, against loops of public calls, and what must not
 * affect them: threads, held-out labels, names. */
#include "eval/trials/trials.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "model/spec.h"

#include "eval/measures/summary.h"

#include <stdio.h>

enum { N = 90, D = 6 };

/* Three classes that differ in two columns; the other columns are noise of larger spread. Every
 * second row is labelled. */
static sample problem(uint64_t tag)
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

/* ---- evaluate ---- */

static uint64_t draws; /* the seed of the sample of pairs in a trial */

/* The pairs that `sample_pairs` of the text draws from the labels, as lists; NULL: it has none. */
static pen_pairs *draw_pairs(const char *text, pen_data *data)
{
    const char *const drawn = strstr(text, "sample_pairs=");
    pen_pairs *pairs;
    char size[32];
    pen_error err;

    if (!drawn || sscanf(drawn, "sample_pairs=%31s", size) != 1)
        return NULL;
    CHECK_OK(pen_sample_pairs(data->labels, data->x.rows, size, draws, NULL, &pairs, &err), &err);
    data->labels = NULL;
    data->must_link = pairs->must_link;
    data->must_link_count = pairs->must_link_count;
    data->cannot_link = pairs->cannot_link;
    data->cannot_link_count = pairs->cannot_link_count;
    return pairs;
}

/* The classes predicted for rows when a fold is held out, by public calls and loops without
 * sorting. */
static void tell(const char *text, const sample *s, const int32_t *fold, int32_t f, int inductive,
                 int64_t dim, int32_t told[N])
{
    int32_t labels[N];
    double *x = check_allocate(N * D, sizeof *x);
    int64_t n = 0;
    pen_error err;

    for (int64_t i = 0; i < N; i++) {
        if (inductive && fold[i] == f)
            continue;
        memcpy(x + n * D, s->x + i * D, D * sizeof *x);
        labels[n++] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    }
    pen_data data = { .x = pen_dense(x, PEN_F64, n, D, D), .labels = labels };
    pen_pairs *const pairs = draw_pairs(text, &data);
    const pen_array all = pen_dense(s->x, PEN_F64, N, D, D);
    pen_model *model = fit_data(pairs ? "wbdr" : text, &data);
    const int64_t k = pen_model_dim(model);
    double *const z = check_allocate(N * k, sizeof *z);
    CHECK_OK(pen_transform(model, &all, NULL, PEN_F64, z, k, &err), &err);
    for (int64_t i = 0; i < N; i++) {
        double nearest = INFINITY;
        told[i] = -1;
        for (int64_t j = 0; j < N; j++) {
            double far = 0;
            for (int64_t c = 0; c < dim; c++)
                far += (z[i * k + c] - z[j * k + c]) * (z[i * k + c] - z[j * k + c]);
            if (fold[j] >= 0 && fold[j] != f && far < nearest) {
                nearest = far;
                told[i] = s->y[j];
            }
        }
    }
    pen_model_free(model);
    pen_pairs_free(pairs);
    free(x), free(z);
}

static double accuracy_of(const char *text, const sample *s, const int32_t *fold, int32_t f,
                          int inductive, int64_t dim)
{
    int64_t right = 0, held = 0;
    int32_t told[N];

    tell(text, s, fold, f, inductive, dim, told);
    for (int64_t i = 0; i < N; i++) {
        held += fold[i] == f;
        right += fold[i] == f && told[i] == s->y[i];
    }
    return (double)right / (double)held;
}

/* The share of the unlabelled rows that get the same class twice. */
static double agreement(const sample *s, const int32_t *a, const int32_t *b)
{
    int64_t same = 0, count = 0;

    for (int64_t i = 0; i < N; i++) {
        count += s->y[i] == PEN_UNLABELLED;
        same += s->y[i] == PEN_UNLABELLED && a[i] == b[i];
    }
    return (double)same / (double)count;
}

/* Every trial of two runs of four folds, in the first two dimensions. */
static void check_evaluate(const char *text, const sample *s, int inductive)
{
    static const int64_t dims[] = { 1, 2 };
    const pen_data data = sample_data(s);
    const pen_trials trials = { .folds = 4, .runs = 2, .seed = 11, .inductive = inductive };
    pen_spec *spec = spec_of(text);
    pen_error err;
    struct scores scores;

    CHECK_OK(evaluate(spec, &data, &trials, dims, 2, NULL, &scores, &err), &err);
    CHECK(scores.trials == 8, "%lld trials", (long long)scores.trials);
    for (int run = 0; run < 2; run++) {
        int32_t fold[N];
        const uint64_t seed = pen_rng_derive(pen_rng_derive(11, (uint64_t)run), 0);
        assert_true(pen_run_seed(11, run) == seed);
        dealt_folds(&data.x, 1, s->y, 4, 1, seed, fold);
        for (int f = 0; f < 4; f++)
            for (int c = 0; c < 2; c++) {
                draws = pen_rng_derive(pen_rng_derive(11, (uint64_t)run), (uint64_t)(1 + f));
                CHECK_CLOSE(scores.accuracy[(run * 4 + f) * 2 + c],
                            accuracy_of(text, s, fold, f, inductive, c + 1), 0, 1e-15);
            }
    }
    scores_free(&scores);
    pen_spec_free(spec);
}

/* Trials share coordinates of a kernel, which depend on the rows alone. */
static void evaluate_literal(void **state)
{
    static const char *const texts[] = {
        "self beta=0.3 classifier=nearest",
        "self beta=0.3 kernel=rbf kernel_ridge=0.01 classifier=nearest",
        "self beta=0.3 kernel=polynomial kernel_landmarks=20 scale=standard classifier=nearest",
        "sda kernel=laplacian kernel_landmarks=random:30 pca=0.9 classifier=nearest",
        "wbdr classifier=nearest sample_pairs=15+20",
    };
    sample s = problem(9201);
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        for (int inductive = 0; inductive < 2; inductive++)
            check_evaluate(texts[i], &s, inductive);
    sample_free(&s);
}

/* A method that is fitted separately for each number of dimensions. */
static void evaluate_each_dim(void **state)
{
    static const int64_t dims[] = { 1, 3, 99 };
    sample s = problem(9202);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1 };
    pen_spec *spec = spec_of("bwdr classifier=nearest");
    int32_t fold[N];
    struct scores scores;
    pen_error err;
    (void)state;
    CHECK_OK(evaluate(spec, &data, &trials, dims, 3, NULL, &scores, &err), &err);
    dealt_folds(&data.x, 1, s.y, 3, 1, pen_rng_derive(pen_rng_derive(0, 0), 0), fold);
    for (int f = 0; f < 3; f++) {
        CHECK_CLOSE(scores.accuracy[f * 3], accuracy_of("bwdr dim=1", &s, fold, f, 0, 1), 0, 1e-15);
        CHECK_CLOSE(scores.accuracy[f * 3 + 1], accuracy_of("bwdr dim=3", &s, fold, f, 0, 3), 0,
                    1e-15);
        CHECK(isnan(scores.accuracy[f * 3 + 2]), "99 of %d dimensions", D);
    }
    scores_free(&scores);
    pen_spec_free(spec);
    sample_free(&s);
}

/* A trial does not depend on the labels of its held-out fold: swapping them changes which
 * predictions are correct, but not the predictions. With two classes, correct ones become wrong. */
static void held_out_labels_unseen(void **state)
{
    sample s = problem(9203);
    int32_t fold[N], swapped[N];
    const pen_trials trials = { .fold_of = fold };
    struct scores scores, others;
    pen_error err;
    (void)state;
    for (int i = 0; i < N; i++)
        s.y[i] = s.y[i] == 2 ? 0 : s.y[i];
    const pen_array x = pen_dense(s.x, PEN_F64, N, s.d, s.d);
    dealt_folds(&x, 1, s.y, 3, 0, pen_rng_derive(pen_rng_derive(0, 0), 0), fold);
    for (int i = 0; i < N; i++)
        swapped[i] = fold[i] == 1 ? 1 - s.y[i] : s.y[i];
    const pen_data data = sample_data(&s);
    pen_data other = data;
    other.labels = swapped;
    static const char *const texts[] = { "self", "wbdr", "sda", "fda ridge=0.1" };
    for (size_t m = 0; m < sizeof texts / sizeof texts[0]; m++) {
        pen_spec *spec = spec_of(texts[m]);
        CHECK_OK(evaluate(spec, &data, &trials, NULL, 0, NULL, &scores, &err), &err);
        CHECK_OK(evaluate(spec, &other, &trials, NULL, 0, NULL, &others, &err), &err);
        const double a = scores.accuracy[1], b = others.accuracy[1];
        CHECK(fabs(a + b - 1) < 1e-15, "%s: %g and %g", texts[m], a, b);
        scores_free(&scores), scores_free(&others);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

static int same_numbers(const double *a, const double *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return 0;
    return 1;
}

/* The number of threads does not change results, including those of dropped rows. */
static void evaluate_threads(void **state)
{
    sample s = problem(9204);
    const pen_data data = sample_data(&s);
    static const int64_t dims[] = { 1, 2, 3, 4 };
    const pen_trials trials = { .folds = 3, .runs = 3, .keep_labels = "4" };
    static const char *const texts[] = { "self classifier=neighbors:3", "sda",
                                         "pca pca=4 classifier=nearest", "ssdr" };
    (void)state;
    for (size_t m = 0; m < sizeof texts / sizeof texts[0]; m++) {
        pen_spec *spec = spec_of(texts[m]);
        struct scores scores[2];
        pen_error err;
        for (int t = 0; t < 2; t++) {
            const pen_control control = { .threads = 1 + 2 * t };
            CHECK_OK(evaluate(spec, &data, &trials, dims, 4, &control, &scores[t], &err), &err);
        }
        CHECK(scores[0].trials == 9 && scores[0].aside > 0, "3 runs of 3 folds, and rows aside");
        CHECK(same_numbers(scores[0].accuracy, scores[1].accuracy, 9 * 4)
                  && scores[0].aside == scores[1].aside,
              "%s: threads change scores", texts[m]);
        scores_free(&scores[0]), scores_free(&scores[1]);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

/* Uninformative labels: accuracy near chance, where the true labels give much more. */
static void shuffled_is_chance(void **state)
{
    static const char *const names[] = { "sda" };
    sample s = problem(9205);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .runs = 8, .shuffled = 1 };
    pen_comparison *c;
    pen_error err;
    (void)state;
    CHECK_OK(compare_named(names, 1, &data, &trials, NULL, &c, &err), &err);
    CHECK(c->candidates[0].score > 0.8 && c->shuffled < 0.55, "accuracy %g, shuffled %g",
          c->candidates[0].score, c->shuffled);
    pen_comparison_free(c);
    sample_free(&s);
}

static int stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)phase;
    (void)total;
    return done >= *(const int64_t *)user;
}

static void evaluate_refused(void **state)
{
    sample s = problem(9207), none = problem(9207), one = problem(9207);
    static const int64_t far[] = { 0, 4000 };
    pen_spec *spec = spec_of("self");
    struct scores scores;
    pen_error err;
    (void)state;
    for (int i = 0; i < N; i++) {
        none.y[i] = PEN_UNLABELLED;
        one.y[i] = one.y[i] < 0 ? -1 : 3;
    }
    const pen_data data = sample_data(&s), none_data = sample_data(&none),
                   one_data = sample_data(&one);
    pen_data pairs = data;
    pairs.must_link = far;
    pairs.must_link_count = 1;
    const pen_trials many = { .folds = 16 }, no = { .folds = -1 }, negative = { .runs = -1 };
    CHECK_STATUS(evaluate(spec, &none_data, NULL, NULL, 0, NULL, &scores, &err), PEN_NO_LABELS,
                 "nothing to hold out", &err);
    CHECK_STATUS(evaluate(spec, &one_data, NULL, NULL, 0, NULL, &scores, &err), PEN_ONE_CLASS,
                 "2 classes", &err);
    CHECK_STATUS(evaluate(spec, &data, &many, NULL, 0, NULL, &scores, &err), PEN_BAD_ARGUMENT,
                 "folds must be at most 15, the number of rows of the largest class, got 16", &err);
    for (int i = 0; i < N; i++)
        one.y[i] = i < 3 ? i : PEN_UNLABELLED;
    CHECK_STATUS(evaluate(spec, &one_data, NULL, NULL, 0, NULL, &scores, &err), PEN_NO_LABELS,
                 "no class has 2 labelled rows", &err);
    CHECK_STATUS(evaluate(spec, &data, &no, NULL, 0, NULL, &scores, &err), PEN_BAD_ARGUMENT,
                 "folds must be in [2, 45]", &err);
    CHECK_STATUS(evaluate(spec, &data, &negative, NULL, 0, NULL, &scores, &err), PEN_BAD_ARGUMENT,
                 "runs must be in [1, 100000], got -1", &err);
    CHECK_STATUS(evaluate(spec, &pairs, NULL, NULL, 0, NULL, &scores, &err), PEN_BAD_PAIR, "4000",
                 &err);
    pen_spec_free(spec);
    spec = spec_of("fda dim=40");
    CHECK_STATUS(evaluate(spec, &data, NULL, NULL, 0, NULL, &scores, &err), PEN_RANK_TOO_SMALL,
                 "requested 40 dimensions", &err);
    pen_spec_free(spec);
    sample_free(&s), sample_free(&none), sample_free(&one);
}

/* ---- tune ---- */

/* Scores are those of evaluate: pooled over the held-out rows, at the best number of dimensions. */
static void tune_like_evaluate(void **state)
{
    static const int64_t dims[] = { 1, 2, 3, 4, 5, 6 };
    sample s = problem(9208);
    const pen_data data = sample_data(&s);
    const pen_protocol protocol = { .folds = 3, .runs = 2, .seed = 5 };
    const pen_trials trials = { .folds = 3, .runs = 2, .seed = 5 };
    pen_spec *spec = spec_with_defaults("self scale=none neighbors=5 ridge=0");
    pen_tuning *tuning;
    pen_error err;
    (void)state;
    CHECK_OK(tune(spec, &data, &protocol, NULL, &tuning, &err), &err);
    CHECK(tuning->count == 6, "%lld candidates", (long long)tuning->count);
    for (int64_t c = 0; c < tuning->count; c++) {
        const pen_candidate *candidate = &tuning->candidates[c];
        double score[D], best = 0;
        int64_t best_dim = 0;
        struct scores scores;
        CHECK_OK(evaluate(candidate->spec, &data, &trials, dims, D, NULL, &scores, &err), &err);
        for (int64_t i = 0; i < D; i++) {
            double right = 0;
            for (int64_t t = 0; t < 6; t++)
                right += scores.accuracy[t * D + i] * 15; /* 45 labelled rows, 3 folds */
            score[i] = right / 90;
            best = fmax(best, score[i]);
        }
        while (score[best_dim] < best - sqrt(fmax(best * (1 - best), 1 / 180.0) / 45) - 1e-12)
            best_dim++;
        CHECK_CLOSE(candidate->score, score[best_dim++], 1e-12, 0);
        CHECK(candidate->dim == best_dim, "%lld dimensions", (long long)candidate->dim);
        CHECK(c == 0 || candidate->score <= tuning->candidates[c - 1].score,
              "candidates are not in order");
        scores_free(&scores);
    }
    pen_tuning_free(tuning);
    pen_spec_free(spec);
    sample_free(&s);
}

/* ---- compare ---- */

/* columns/nearest, columns/lda, columns/logistic */
enum { BASELINES = 3 };

/* Rows that vote, as the only classifier. */
static const char *const votes[] = { "nearest" };
#define BY_NEAREST .classifiers = votes, .classifier_count = 1

static void compare_ranks(void **state)
{
    static const char *const names[] = { "pca", "fda", "sda", "wbdr" };
    sample s = problem(9210);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 4, .runs = 1, .seed = 2, .effort = 1e-3, BY_NEAREST };
    pen_comparison *c[2];
    pen_error err;
    (void)state;
    for (int t = 0; t < 2; t++) {
        const pen_control control = { .threads = 1 + t };
        CHECK_OK(compare_named(names, 4, &data, &trials, &control, &c[t], &err), &err);
    }
    CHECK(c[0]->count == 4 + BASELINES && c[0]->trials == 4 && c[0]->tuned == 4, "%lld candidates",
          (long long)c[0]->count);
    CHECK_CLOSE(c[0]->chance, 15.0 / 45, 1e-15, 0);
    for (int64_t m = 0; m < c[0]->count; m++) {
        const pen_compared *e = &c[0]->candidates[m], *f = &c[1]->candidates[m];
        double mean = 0;
        CHECK(!*e->failure && e->spec, "%s: %s", e->method->name, e->failure);
        CHECK(e->method == f->method && same_numbers(e->trials, f->trials, 4)
                  && same_numbers(e->curve, f->curve, c[0]->dim_count)
                  && e->stability == f->stability,
              "threads change the comparison");
        for (int t = 0; t < 4; t++)
            mean += e->trials[t] / 4;
        CHECK_CLOSE(e->score, mean, 1e-14, 0);
        CHECK(m == 0 ? isnan(e->p) : e->p > 0 && e->p <= 1, "p is %g", e->p);
        CHECK(m == 0 || e->score <= c[0]->candidates[m - 1].score, "not in order");
        /* The noise has the larger variance: methods that use labels do better than those that do
         * not. */
        CHECK(e->baseline || e->score >= named(c[0], "pca/nearest")->score, "pca is not last");
    }
    pen_comparison_free(c[0]), pen_comparison_free(c[1]);
    sample_free(&s);
}

/* A trial of a comparison equals that of a method tuned on the remaining rows only. */
static void compare_is_nested(void **state)
{
    static const char *const names[] = { "sda" };
    sample s = problem(9211);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1 };
    const pen_protocol inner = { .folds = 3, .runs = 1 };
    const pen_compared *e;
    pen_comparison *c;
    int32_t fold[N], labels[N], told[3][N];
    pen_error err;
    (void)state;
    CHECK_OK(compare_named(names, 1, &data, &trials, NULL, &c, &err), &err);
    e = named(c, "sda/nearest");
    dealt_folds(&data.x, 1, s.y, 3, 1, pen_rng_derive(pen_rng_derive(0, 0), 0), fold);
    for (int f = 0; f < 3; f++) {
        pen_spec *spec = spec_with_defaults("sda classifier=nearest");
        pen_data rest = data;
        pen_tuning *tuning;
        char text[128], value[32];
        double dim;
        rest.labels = labels;
        for (int i = 0; i < N; i++)
            labels[i] = fold[i] == f ? PEN_UNLABELLED : s.y[i];
        CHECK_OK(tune(spec, &rest, &inner, NULL, &tuning, &err), &err);
        strcpy(text, "sda");
        for (const char *const *name = (const char *const[]){ "alpha", "ridge", "scale", NULL };
             *name; name++) {
            const pen_param *param;
            double number;
            CHECK_OK(pen_spec_number(tuning->candidates[0].spec, *name, &number, &err), &err);
            for (param = pen_method_named("sda")->params; strcmp(param->name, *name) != 0;)
                param++;
            pen_param_text(param, number, value, sizeof value);
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s=%s", *name, value);
        }
        CHECK_OK(pen_spec_number(tuning->candidates[0].spec, "dim", &dim, &err), &err);
        CHECK_CLOSE(e->trials[f], accuracy_of(text, &s, fold, f, 0, (int64_t)dim), 0, 1e-15);
        tell(text, &s, fold, f, 0, (int64_t)dim, told[f]);
        pen_tuning_free(tuning);
        pen_spec_free(spec);
    }
    const double stable = (agreement(&s, told[0], told[1]) + agreement(&s, told[0], told[2])
                           + agreement(&s, told[1], told[2]))
                          / 3;
    CHECK_CLOSE(e->stability, stable, 0, 1e-15);
    pen_comparison_free(c);
    sample_free(&s);
}

/* Few labels and much noise: tuning picks a candidate by chance and often makes results worse. */
static void compare_keeps_defaults_if_tuning_hurts(void **state)
{
    static const char *const names[] = { "sda", "self", "ssdr" };
    int spoilt = 0;
    (void)state;
    for (uint64_t r = 0; r < 8; r++) {
        sample s = problem(9300 + r);
        const pen_data data = sample_data(&s);
        const pen_trials trials = { .folds = 5, .runs = 1, .seed = r, .effort = 1e-3, BY_NEAREST };
        pen_comparison *c, *plain;
        pen_error err;
        CHECK_OK(compare_named(names, 3, &data, &trials, NULL, &c, &err), &err);
        CHECK(c->tuned == 3, "%lld were tuned", (long long)c->tuned);
        const pen_trials untuned = { .folds = 5, .runs = 1, .seed = r, BY_NEAREST };
        CHECK_OK(compare_named(names, 3, &data, &untuned, NULL, &plain, &err), &err);
        for (int64_t m = 0; m < c->count; m++) {
            const pen_compared *const e = &c->candidates[m];
            int same = !e->baseline;
            CHECK(e->score >= e->untuned - 1e-12, "%g, and %g untuned", e->score, e->untuned);
            for (int t = 0; t < 5; t++)
                same &= e->trials[t] == named(plain, e->name)->trials[t];
            for (int64_t p = 0; same && e->method->params[p].name; p++)
                same = strcmp(e->method->params[p].name, "classifier") == 0
                       || !pen_spec_is_set(e->spec, e->method->params[p].name);
            spoilt += same && !pen_spec_is_set(e->spec, "dim");
        }
        pen_comparison_free(c), pen_comparison_free(plain);
        sample_free(&s);
    }
    CHECK(spoilt > 0, "none of 24 is taken as it is");
}

/* Of the methods within one standard error of the best score, the one with the most stable classes
 * is chosen; the best one if all rows are labelled. */
static void compare_prefers_stable_methods(void **state)
{
    static const char *const names[] = { "pca", "fda", "sda", "self", "cmm", "lfda" };
    int others = 0;
    (void)state;
    for (uint64_t r = 0; r < 5; r++) {
        sample s = problem(9400 + r);
        const pen_data data = sample_data(&s);
        const pen_trials trials = { .folds = 5, .runs = 1, .seed = r, .effort = 1e-3, BY_NEAREST };
        pen_comparison *c;
        pen_error err;
        int64_t taken = -1, alike = 0;
        CHECK_OK(compare_named(names, 6, &data, &trials, NULL, &c, &err), &err);
        const double best = c->candidates[0].score;
        CHECK_CLOSE(c->margin, sqrt(fmax(best * (1 - best), 1 / 180.0) / 45), 0, 1e-14);
        for (int64_t m = 0; m < c->count; m++) {
            const pen_compared *const e = &c->candidates[m];
            CHECK(e->stability > 0 && e->stability <= 1, "stability %g", e->stability);
            alike += e->score >= best - c->margin;
            if (!e->baseline && e->score >= best - c->margin
                && (taken < 0 || e->stability > c->candidates[taken].stability))
                taken = m;
        }
        taken = taken < 0 ? 0 : taken; /* a baseline, if no method is as good */
        CHECK(c->chosen == taken, "%lld is taken, not %lld", (long long)c->chosen,
              (long long)taken);
        CHECK(c->alike == alike, "%lld score alike, not %lld", (long long)c->alike,
              (long long)alike);
        others += c->chosen > 0;
        pen_comparison_free(c);
        for (int i = 0; i < N; i++)
            s.y[i] = i % 3;
        CHECK_OK(compare_named(names, 6, &data, &trials, NULL, &c, &err), &err);
        taken = 0;
        while (taken < c->count
               && (c->candidates[taken].baseline
                   || c->candidates[taken].score < c->candidates[0].score - c->margin))
            taken++;
        taken = taken < c->count ? taken : 0;
        CHECK(c->chosen == taken && isnan(c->candidates[taken].stability), "%lld is taken",
              (long long)c->chosen);
        pen_comparison_free(c);
        sample_free(&s);
    }
    CHECK(others > 0, "always the best");
}

struct asked {
    int stopped;
    int64_t later; /* calls after the stop */
};

/* Requests a stop once, after all four methods and the baseline were tried once. */
static int stop_once(void *user, const char *phase, int64_t done, int64_t total)
{
    struct asked *const a = user;
    (void)total;
    a->later += a->stopped;
    a->stopped |= strcmp(phase, "trials") == 0 && done > 10;
    return a->stopped && a->later == 0;
}

static void compare_stopped(void **state)
{
    static const char *const names[] = { "pca", "fda", "sda", "self" };
    sample s = problem(9213);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .effort = 1, BY_NEAREST };
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        struct asked asked = { 0, 0 };
        const pen_control control = { .threads = threads, .progress = stop_once, .user = &asked };
        pen_comparison *c;
        pen_error err;
        CHECK_OK(compare_named(names, 4, &data, &trials, &control, &c, &err), &err);
        /* on a busy machine the trials under way may be the last ones */
        CHECK(c->tuned == 0 && c->trials >= 1 && c->trials <= 10 && c->candidates[0].score > 0.5,
              "%lld tuned, %lld trials", (long long)c->tuned, (long long)c->trials);
        CHECK(asked.later == 0, "asked %lld times after the stop", (long long)asked.later);
        pen_comparison_free(c);
    }
    sample_free(&s);
}

/* ---- few labels, small budgets ---- */

/* The first `each` rows of every class are labelled. */
static void keep_labels(sample *s, int each)
{
    for (int i = 0; i < N; i++)
        s->y[i] = i / 3 < each ? i % 3 : PEN_UNLABELLED;
}

/* The definition by hand. */
static void standard_error(void **state)
{
    (void)state;

    CHECK_CLOSE(pen_standard_error(0.5, 100), 0.05, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(1, 4), 0.125, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(0, 1), 0.5, 1e-15, 0);
    CHECK_CLOSE(pen_standard_error(0.9, 25), 0.06, 1e-15, 0);
    assert_true(isnan(pen_standard_error(0.5, 0)));
    assert_true(isnan(pen_standard_error((double)NAN, 5)));
}

/* The number of folds follows the largest class; an explicit number does not. */
static void folds_of_few_labels(void **state)
{
    static const char *const names[] = { "pca", "sda", "fme" };
    sample s = problem(9214);
    const pen_data data = sample_data(&s);
    (void)state;
    for (int each = 2; each <= 6; each++) {
        const int folds = each < 5 ? each : 5, left = each - (each + folds - 1) / folds;
        pen_comparison *c;
        pen_error err;
        keep_labels(&s, each);
        const pen_trials few = { .effort = 1e-3, BY_NEAREST };
        CHECK_OK(compare_named(names, 3, &data, &few, NULL, &c, &err), &err);
        CHECK(c->folds == folds && c->trials == 2 * folds && c->held_out == 3 * each,
              "%d labels a class: %lld folds, %lld trials, %lld held-out rows", each,
              (long long)c->folds, (long long)c->trials, (long long)c->held_out);
        CHECK(c->inner_folds
                      == (left < 2   ? 0
                          : left < 3 ? left
                                     : 3)
                  && c->tuned == (left < 2 ? 0 : 3),
              "%d labels a class: %lld inner folds, %lld tuned", each, (long long)c->inner_folds,
              (long long)c->tuned);
        for (int64_t m = 0; m < c->count; m++)
            CHECK(c->candidates[m].dim >= 1 && c->candidates[m].dim <= D, "%lld dimensions",
                  (long long)c->candidates[m].dim);
        pen_comparison_free(c);
        const pen_trials more = { .folds = each + 1 };
        CHECK_STATUS(compare_named(names, 3, &data, &more, NULL, &c, &err), PEN_BAD_ARGUMENT,
                     "folds must be at most", &err);
    }
    keep_labels(&s, 1);
    pen_comparison *c;
    pen_error err;
    CHECK_STATUS(compare_named(names, 3, &data, NULL, NULL, &c, &err), PEN_NO_LABELS,
                 "no class has 2 labelled rows", &err);
    sample_free(&s);
}

/* A small budget leaves methods out or untuned, the same ones for any number of threads; the
 * cheapest is always tried. */
static void compare_within_budget(void **state)
{
    static const char *const names[] = { "fme", "fda", "lol", "self" };
    sample s = problem(9215);
    const pen_data data = sample_data(&s);
    int64_t before = -1;
    (void)state;
    for (int e = 0; e < 4; e++) {
        const pen_trials trials = { .folds = 2,
                                    .effort = (double[]){ 1e-9, 3e-5, 3e-4, 1 }[e],
                                    BY_NEAREST };
        pen_comparison *c[2];
        int64_t tried = 0, combinations = 0;
        pen_error err;
        for (int t = 0; t < 2; t++) {
            const pen_control control = { .threads = 1 + 2 * t };
            CHECK_OK(compare_named(names, 4, &data, &trials, &control, &c[t], &err), &err);
        }
        for (int64_t m = 0; m < c[0]->count; m++) {
            const pen_compared *const a = &c[0]->candidates[m], *const b = &c[1]->candidates[m];
            tried += a->tried == PEN_TRIED && !a->baseline;
            combinations += a->combinations;
            CHECK(a->method == b->method && a->tried == b->tried && a->dim == b->dim
                      && a->combinations == b->combinations
                      && strcmp(a->same_as ? a->same_as : "", b->same_as ? b->same_as : "") == 0
                      && same_numbers(a->trials, b->trials, c[0]->trials),
                  "%s: threads change what is tried", a->method->name);
            CHECK(a->tried == PEN_TRIED || (*a->failure && a->cost > 0),
                  "%s is left out without a "
                  "reason",
                  a->method->name);
            CHECK(e < 3 || a->baseline || a->combinations == a->grid,
                  "%s: %lld of %lld combinations", a->method->name, (long long)a->combinations,
                  (long long)a->grid);
        }
        CHECK(tried >= (e == 3 ? 4 : 1) && tried <= (e == 0 ? 1 : 4), "effort %g: %lld tried",
              trials.effort, (long long)tried);
        CHECK(combinations + tried > before, "a larger budget tries no more");
        before = combinations + tried;
        pen_comparison_free(c[0]), pen_comparison_free(c[1]);
    }
    sample_free(&s);
}

/* ---- kernels ---- */

/* Two rings, one around the other, which no linear projection separates. */
static sample rings(uint64_t tag, int64_t n)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(n, 2);

    for (int64_t i = 0; i < n; i++) {
        const double angle = 8 * atan(1) * pen_rng_uniform(&rng), radius = i % 2 ? 1 : 2;
        s.x[2 * i] = radius * cos(angle) + 0.05 * check_normal(&rng);
        s.x[2 * i + 1] = radius * sin(angle) + 0.05 * check_normal(&rng);
        s.y[i] = i < 60 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    }
    return s;
}

/* x_i.x_j [n x n]; free() it. */
static double *products_of(const sample *s)
{
    double *const K = check_allocate(s->n * s->n, sizeof *K);

    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            K[i * s->n + j] = s->x[2 * i] * s->x[2 * j] + s->x[2 * i + 1] * s->x[2 * j + 1];
    return K;
}

/* fda finds a line, on which the rings lie over each other. */
static void kernels_compared(void **state)
{
    static const char *const names[] = { "fda", "fda+rbf", "pca+polynomial" };
    sample s = rings(9221, 150);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1, BY_NEAREST };
    pen_comparison *c;
    pen_error err;
    double value;
    (void)state;

    CHECK_OK(compare_named(names, 3, &data, &trials, NULL, &c, &err), &err);
    assert_int_equal(c->count, 3 + BASELINES);
    const pen_compared *const line = named(c, "fda/nearest"), *const bent =
                                                                  named(c, "fda+rbf/nearest");
    CHECK(line->score < 0.9, "fda scores %g", line->score);
    CHECK(bent->score > 0.95, "fda+rbf scores %g", bent->score);
    assert_int_equal(bent->grid, pen_min(3 * line->grid, 24));
    CHECK_OK(pen_spec_number(bent->spec, "kernel", &value, &err), &err);
    assert_true(value == 2);
    CHECK_OK(pen_spec_number(line->spec, "kernel", &value, &err), &err);
    assert_true(value == 0);
    assert_string_equal(named(c, "pca+polynomial/nearest")->method->name, "pca");
    pen_comparison_free(c);
    sample_free(&s);
}

/* Kernel components of rows of two columns are more than two. */
static void kernel_dimensions_tried(void **state)
{
    static const char *const names[] = { "pca", "pca+rbf" };
    sample s = rings(9227, 60);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1 };
    const pen_protocol protocol = { .folds = 3, .runs = 1 };
    pen_spec *const spec = spec_with_defaults("pca kernel=rbf scale=none kernel_gamma=1 "
                                              "classifier=nearest");
    pen_comparison *c;
    pen_tuning *t;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 2, &data, &trials, NULL, &c, &err), &err);
    assert_int_equal(c->dim_count, 9);
    assert_true(isnan(named(c, "pca/nearest")->curve[2])
                && !isnan(named(c, "pca+rbf/nearest")->curve[8]));
    pen_comparison_free(c);
    /* two dimensions show one ring within the other, another one their radius */
    CHECK_OK(tune(spec, &data, &protocol, NULL, &t, &err), &err);
    assert_true(t->candidates[0].dim > 2);
    pen_tuning_free(t);
    pen_spec_free(spec);
    sample_free(&s);
}

/* Kernel values have no scale that could vary. */
static void precomputed_tuned(void **state)
{
    sample s = rings(9228, 40);
    double *const K = products_of(&s);
    const pen_protocol protocol = { .folds = 2, .runs = 1 };
    pen_spec *const spec = spec_with_defaults("fda kernel=precomputed");
    pen_tuning *t;
    pen_error err;
    (void)state;

    const pen_data data = { .x = pen_dense(K, PEN_F64, 40, 40, 40), .labels = s.y };
    CHECK_OK(tune(spec, &data, &protocol, NULL, &t, &err), &err);
    assert_int_equal(t->count, 3); /* three values of ridge */
    for (int64_t i = 0; i < t->count; i++)
        CHECK(!*t->candidates[i].failure, "%s", t->candidates[i].failure);
    pen_tuning_free(t);
    pen_spec_free(spec);
    free(K);
    sample_free(&s);
}

/* The curve of each is that of its default values alone, in dimensions that are asked for. */
static void compared_as_evaluated(void **state)
{
    static const char *const names[] = { "pca+polynomial", "pca+laplacian", "pca+rbf", "pca" },
                             *const texts[] = { "pca kernel=polynomial classifier=nearest",
                                                "pca kernel=laplacian classifier=nearest",
                                                "pca kernel=rbf classifier=nearest",
                                                "pca classifier=nearest" };
    sample s = rings(9225, 80);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1 },
                     plain = { .folds = 3, .runs = 1 };
    pen_comparison *c;
    pen_error err;
    (void)state;

    CHECK_OK(compare_named(names, 4, &data, &trials, NULL, &c, &err), &err);
    for (int i = 0; i < 4; i++) {
        pen_spec *const spec = spec_with_defaults(texts[i]);
        struct scores scores;
        char text[48];
        snprintf(text, sizeof text, "%s/nearest", names[i]);
        const int64_t count = c->dim_count;
        CHECK_OK(evaluate(spec, &data, &plain, c->dims, count, NULL, &scores, &err), &err);
        for (int64_t k = 0; k < count; k++) {
            const double curve = named(c, text)->curve[k];
            const double mean =
                (scores.accuracy[k] + scores.accuracy[count + k] + scores.accuracy[2 * count + k])
                / 3;
            assert_true(isnan(mean) == isnan(curve));
            if (!isnan(mean))
                CHECK_CLOSE(curve, mean, 0, 1e-12);
        }
        scores_free(&scores);
        pen_spec_free(spec);
    }
    pen_comparison_free(c);
    sample_free(&s);
}

/* Rows of a kernel matrix cannot be left out. */
static void precomputed_inductive(void **state)
{
    sample s = rings(9224, 40);
    double *const K = products_of(&s);
    pen_spec *const spec = spec_with_defaults("pca kernel=precomputed");
    struct scores scores;
    pen_error err;
    (void)state;

    const pen_data data = { .x = pen_dense(K, PEN_F64, 40, 40, 40), .labels = s.y };
    pen_trials trials = { .folds = 2 };
    CHECK_OK(evaluate(spec, &data, &trials, NULL, 0, NULL, &scores, &err), &err);
    scores_free(&scores);
    trials.inductive = 1;
    CHECK_STATUS(evaluate(spec, &data, &trials, NULL, 0, NULL, &scores, &err), PEN_BAD_ARGUMENT,
                 "inductive trials leave rows out, and rows of a precomputed", &err);
    pen_spec_free(spec);
    free(K);
    sample_free(&s);
}

/* pca and self with beta 1 are rotations of each other, or the same. */
static void same_answers_named(void **state)
{
    static const char *const names[] = { "self", "self-mix", "pca" };
    sample s = problem(9216);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1e-9, BY_NEAREST };
    pen_comparison *c;
    pen_error err;
    (void)state;
    CHECK_OK(compare_named(names, 2, &data, &trials, NULL, &c, &err), &err);
    CHECK(!c->candidates[0].same_as, "the best has the answer of another");
    pen_comparison_free(c);
    const pen_trials all = { .folds = 3, .runs = 1, .effort = 1, BY_NEAREST };
    CHECK_OK(compare_named(names, 3, &data, &all, NULL, &c, &err), &err);
    for (int64_t m = 1; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        for (int64_t o = 0; e->same_as && o < c->count; o++)
            if (strcmp(c->candidates[o].name, e->same_as) == 0)
                CHECK(o < m && same_numbers(e->trials, c->candidates[o].trials, 3),
                      "%s and %s do not score alike", e->method->name, e->same_as);
    }
    const pen_compared *const self = named(c, "self/nearest"), *const second =
                                                                   self->same_as
                                                                       ? self
                                                                       : named(c,
                                                                               "self-mix/nearest");
    CHECK(second->same_as != NULL, "self and self-mix, which are the same, have other answers");
    pen_comparison_free(c);
    sample_free(&s);
}

/* More than a hundred columns: components first, except where a method does well without. */
static void wide_gets_components(void **state)
{
    static const char *const names[] = { "pca", "lol", "self", "lpp" };
    enum { ROWS = 40, WIDE = 120 };
    pen_rng rng = check_rng(9217);
    sample s = sample_random(&rng, ROWS, WIDE, 2, ROWS);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 2, .runs = 1, .effort = 0.01 };
    pen_comparison *c;
    pen_error err;
    (void)state;
    CHECK_OK(compare_named(names, 4, &data, &trials, NULL, &c, &err), &err);
    for (int64_t m = 0; m < c->count; m++) {
        const pen_compared *const e = &c->candidates[m];
        const int plain =
            strcmp(e->method->name, "pca") == 0 || strcmp(e->method->name, "lol") == 0;
        CHECK(!*e->failure, "%s: %s", e->method->name, e->failure);
        CHECK(pen_spec_is_set(e->spec, "pca") == !plain, "%s: pca", e->method->name);
    }
    pen_comparison_free(c);
    sample_free(&s);
}

static void compare_refused(void **state)
{
    static const char *const unknown[] = { "pca", "nonesuch" };
    sample s = problem(9212);
    const pen_data data = sample_data(&s);
    pen_comparison *c;
    int64_t when = 0;
    const pen_control stop = { .threads = 1, .progress = stop_at, .user = &when };
    pen_error err;
    (void)state;
    CHECK_STATUS(compare_named(unknown, 2, &data, NULL, NULL, &c, &err), PEN_UNKNOWN_NAME,
                 "nonesuch", &err);
    CHECK_STATUS(compare_named(unknown, 1, &data, NULL, &stop, &c, &err), PEN_CANCELLED,
                 "cancelled", &err);
    CHECK_STATUS(
        compare_named((const char *const[]){ "pca", "pca" }, 2, &data, NULL, NULL, &c, &err),
        PEN_BAD_ARGUMENT, "named twice", &err);
    sample_free(&s);
}

/* fda has no more than two dimensions of three classes; what is asked of it beyond these fails, or
 * with allow_fewer is read in two. */
static void fewer_dimensions(void **state)
{
    sample s = problem(9229);
    const pen_data data = sample_data(&s);
    const pen_trials trials = { .folds = 3, .runs = 1 };
    static const char *const texts[] = { "fda classifier=nearest dim=2",
                                         "fda classifier=nearest dim=4 allow_fewer=true",
                                         "fda classifier=nearest dim=4" };
    struct scores found[3];
    pen_error err;
    (void)state;

    for (int i = 0; i < 3; i++) {
        pen_spec *const spec = spec_with_defaults(texts[i]);
        const pen_status status = evaluate(spec, &data, &trials, NULL, 0, NULL, &found[i], &err);
        pen_spec_free(spec);
        assert_int_equal(status, i < 2 ? PEN_OK : PEN_RANK_TOO_SMALL);
    }
    for (int t = 0; t < 3; t++)
        assert_true(found[1].accuracy[t] == found[0].accuracy[t] && found[0].accuracy[t] > 0.5);
    scores_free(&found[0]), scores_free(&found[1]);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluate_literal),
        cmocka_unit_test(evaluate_each_dim),
        cmocka_unit_test(fewer_dimensions),
        cmocka_unit_test(held_out_labels_unseen),
        cmocka_unit_test(evaluate_threads),
        cmocka_unit_test(shuffled_is_chance),
        cmocka_unit_test(evaluate_refused),
        cmocka_unit_test(tune_like_evaluate),
        cmocka_unit_test(compare_ranks),
        cmocka_unit_test(compare_is_nested),
        cmocka_unit_test(compare_refused),
        cmocka_unit_test(compare_keeps_defaults_if_tuning_hurts),
        cmocka_unit_test(compare_prefers_stable_methods),
        cmocka_unit_test(compare_stopped),
        cmocka_unit_test(standard_error),
        cmocka_unit_test(folds_of_few_labels),
        cmocka_unit_test(compare_within_budget),
        cmocka_unit_test(kernels_compared),
        cmocka_unit_test(kernel_dimensions_tried),
        cmocka_unit_test(precomputed_tuned),
        cmocka_unit_test(compared_as_evaluated),
        cmocka_unit_test(precomputed_inductive),
        cmocka_unit_test(same_answers_named),
        cmocka_unit_test(wide_gets_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
