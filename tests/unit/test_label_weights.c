/* test_label_weights.c - weighted trials against literal weighted means; weights of biased labels
 * against known ratios of densities, and what must not affect them. */
#include "kit/check_fit.h"

#include <stdio.h>

enum { N = 90, D = 5, FOLDS = 3 };

/* Two classes that overlap; two rows of three are labelled. */
static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = check_normal(&rng) + (j < 2 ? 0.8 * (i % 2) : 0);
        s.y[i] = i % 3 ? i % 2 : PEN_UNLABELLED;
    }
    return s;
}

static void draw_weights(uint64_t tag, double *w)
{
    pen_rng rng = check_rng(tag);

    for (int i = 0; i < N; i++)
        w[i] = exp(check_normal(&rng));
}

/* ---- weighted means ---- */

/* The rows as the model of a trial embeds them: z [N x k] of a fit without the labels of fold f. */
static double *embed(const char *text, const sample *s, const int32_t *fold, int32_t f,
                     pen_model **model)
{
    const pen_array all = pen_dense(s->x, PEN_F64, N, D, D);
    int32_t labels[N];
    pen_error err;

    for (int i = 0; i < N; i++)
        labels[i] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    const pen_data data = { .x = all, .labels = labels };
    *model = fit_data(text, &data);
    const int64_t k = pen_model_output_dim(*model);
    double *const z = check_allocate(N * k, sizeof *z);
    CHECK_OK(pen_transform(*model, &all, PEN_F64, z, k, NULL, &err), &err);
    return z;
}

/* The class of row i by the nearest row of another fold, in the first r of k dimensions. */
static int32_t nearest(const sample *s, const int32_t *fold, int64_t i, const double *z, int64_t k,
                       int64_t r)
{
    double least = INFINITY;
    int32_t predicted = -1;

    for (int64_t j = 0; j < N; j++) {
        double far = 0;
        for (int64_t c = 0; c < r; c++)
            far += (z[i * k + c] - z[j * k + c]) * (z[i * k + c] - z[j * k + c]);
        if (fold[j] >= 0 && fold[j] != fold[i] && far < least) {
            least = far;
            predicted = s->y[j];
        }
    }
    return predicted;
}

static void votes_are_weighted(void **state)
{
    static const int64_t dims[] = { 1, 2, 4 };
    sample s = problem(9301);
    const pen_data data = sample_data(&s);
    double w[N];
    const pen_protocol protocol = { .folds = FOLDS, .runs = 1, .weights = w };
    pen_spec *spec = spec_of("pca");
    pen_scores *scores;
    int32_t fold[N];
    pen_error err;
    (void)state;

    draw_weights(9302, w);
    CHECK_OK(pen_evaluate(spec, &data, &protocol, dims, 3, NULL, &scores, &err), &err);
    CHECK_OK(pen_folds(s.y, N, FOLDS, 1, pen_run_seed(0, 0), fold, &err), &err);
    for (int f = 0; f < FOLDS; f++) {
        pen_model *model;
        double *const z = embed("pca", &s, fold, f, &model);
        for (int c = 0; c < 3; c++) {
            double right = 0, all = 0;
            for (int64_t i = 0; i < N; i++) {
                if (fold[i] != f)
                    continue;
                all += w[i];
                right += nearest(&s, fold, i, z, pen_model_output_dim(model), dims[c]) == s.y[i]
                             ? w[i]
                             : 0;
            }
            CHECK_CLOSE(scores->accuracy[f * 3 + c], right / all, 1e-12, 0);
        }
        pen_model_free(model);
        free(z);
    }
    pen_scores_free(scores);
    pen_spec_free(spec);
    sample_free(&s);
}

/* By the probabilities that a model with this reader predicts. */
static void probabilities_are_weighted(void **state)
{
    static const int64_t dims[] = { 2 };
    const char *const text = "self beta=0.5 dim=2 reader=lda";
    sample s = problem(9303);
    const pen_data data = sample_data(&s);
    const pen_array all = pen_dense(s.x, PEN_F64, N, D, D);
    double w[N], p[N * 2];
    const pen_protocol protocol = { .folds = FOLDS, .runs = 1, .weights = w };
    pen_spec *spec = spec_of(text);
    pen_scores *scores;
    int32_t fold[N], predicted[N];
    pen_error err;
    (void)state;

    draw_weights(9304, w);
    CHECK_OK(pen_evaluate(spec, &data, &protocol, dims, 1, NULL, &scores, &err), &err);
    CHECK_OK(pen_folds(s.y, N, FOLDS, 1, pen_run_seed(0, 0), fold, &err), &err);
    for (int f = 0; f < FOLDS; f++) {
        double right = 0, loss = 0, brier = 0, sum = 0;
        pen_model *model;
        free(embed(text, &s, fold, f, &model));
        CHECK_OK(pen_predict(model, &all, predicted, p, NULL, &err), &err);
        for (int i = 0; i < N; i++) {
            if (fold[i] != f)
                continue;
            sum += w[i];
            right += predicted[i] == s.y[i] ? w[i] : 0;
            loss -= w[i] * log(fmax(p[2 * i + s.y[i]], 1e-4));
            brier += w[i] * 2 * (1 - p[2 * i + s.y[i]]) * (1 - p[2 * i + s.y[i]]);
        }
        CHECK_CLOSE(scores->accuracy[f], right / sum, 1e-9, 0);
        CHECK_CLOSE(scores->brier[f], brier / sum, 1e-9, 0);
        CHECK_CLOSE(scores->log_loss[f], loss / sum, 1e-3, 0); /* the floor takes a share of p */
        pen_model_free(model);
    }
    pen_scores_free(scores);
    pen_spec_free(spec);
    sample_free(&s);
}

/* ---- equal weights ---- */

static void check_same(int64_t count, const double *a, const double *b, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        CHECK(memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i])),
              "%s: %.17g %.17g", what, a[i], b[i]);
}

/* Any constant gives the bits of no weights, in evaluate, tune and compare. */
static void equal_weights_change_nothing(void **state)
{
    static const char *const methods[] = { "self", "sda" };
    sample s = problem(9305);
    const pen_data data = sample_data(&s);
    double w[N];
    pen_spec *spec = spec_of("self reader=lda"), *tuned = spec_of("self");
    pen_scores *scores[2];
    pen_tuning *tunings[2];
    pen_comparison *comparisons[2];
    pen_error err;
    (void)state;

    for (int i = 0; i < N; i++)
        w[i] = s.y[i] == PEN_UNLABELLED ? -1 : 0.3; /* of unlabelled rows it does not matter */
    for (int t = 0; t < 2; t++) {
        const pen_protocol p = { .folds = 3, .runs = 1, .effort = 0.01, .weights = t ? w : NULL };
        CHECK_OK(pen_evaluate(spec, &data, &p, NULL, 0, NULL, &scores[t], &err), &err);
        CHECK_OK(pen_tune(tuned, &data, &p, 3, 0, NULL, &tunings[t], &err), &err);
        CHECK_OK(pen_compare(methods, 2, &data, &p, 0, NULL, &comparisons[t], &err), &err);
    }
    check_same(scores[0]->trials * scores[0]->dim_count, scores[0]->accuracy, scores[1]->accuracy,
               "accuracy");
    check_same(scores[0]->trials * scores[0]->dim_count, scores[0]->brier, scores[1]->brier,
               "Brier");
    for (int64_t c = 0; c < tunings[0]->count; c++)
        check_same(1, &tunings[0]->candidates[c].score, &tunings[1]->candidates[c].score, "tuned");
    for (int64_t c = 0; c < comparisons[0]->count; c++)
        check_same(1, &comparisons[0]->candidates[c].score, &comparisons[1]->candidates[c].score,
                   "compared");
    for (int t = 0; t < 2; t++) {
        pen_scores_free(scores[t]);
        pen_tuning_free(tunings[t]);
        pen_comparison_free(comparisons[t]);
    }
    pen_spec_free(spec), pen_spec_free(tuned);
    sample_free(&s);
}

/* ---- tune and compare ---- */

/* The score is the weighted share over all held-out rows, here of one combination. */
static void tuning_is_weighted(void **state)
{
    sample s = problem(9306);
    const pen_data data = sample_data(&s);
    double w[N], right = 0, all = 0;
    const pen_protocol protocol = { .folds = FOLDS, .runs = 1, .weights = w };
    pen_spec *spec = spec_of("pca dim=2");
    pen_tuning *tuning;
    int32_t fold[N];
    pen_error err;
    (void)state;

    draw_weights(9307, w);
    CHECK_OK(pen_folds(s.y, N, FOLDS, 1, pen_run_seed(0, 0), fold, &err), &err);
    for (int f = 0; f < FOLDS; f++) {
        pen_model *model;
        double *const z = embed("pca dim=2", &s, fold, f, &model);
        for (int64_t i = 0; i < N; i++)
            if (fold[i] == f) {
                all += w[i];
                right += nearest(&s, fold, i, z, 2, 2) == s.y[i] ? w[i] : 0;
            }
        pen_model_free(model);
        free(z);
    }
    CHECK_OK(pen_tune(spec, &data, &protocol, 0, 0, NULL, &tuning, &err), &err);
    CHECK_CLOSE(tuning->candidates[0].score, right / all, 1e-12, 0);
    pen_tuning_free(tuning);
    pen_spec_free(spec);
    sample_free(&s);
}

/* The margin is that of the rows that the weights are worth, and inner trials have weights, whether
 * or not held-out rows are left out of them. */
static void comparing_is_weighted(void **state)
{
    static const char *const methods[] = { "self" };
    sample s = problem(9308);
    const pen_data data = sample_data(&s);
    double w[N];
    pen_error err;
    (void)state;

    draw_weights(9309, w);
    for (int inductive = 0; inductive < 2; inductive++) {
        const pen_protocol protocol = {
            .folds = 3, .runs = 1, .effort = 0.05, .inductive = inductive, .weights = w
        };
        pen_comparison *found;
        CHECK_OK(pen_compare(methods, 1, &data, &protocol, 0, NULL, &found, &err), &err);
        const int64_t worth = llround(pen_effective_rows(w, s.y, N));
        CHECK(worth < found->held_out, "%lld rows are worth %lld", (long long)found->held_out,
              (long long)worth);
        CHECK_CLOSE(found->margin, pen_standard_error(found->candidates[0].score, worth), 1e-12, 0);
        CHECK(found->tuned > 0, "inductive %d: none is tuned", inductive);
        pen_comparison_free(found);
    }
    sample_free(&s);
}

/* ---- estimated weights ---- */

enum { MANY = 4000, WIDE = 3 };

static double chance(const double *x)
{
    return 1 / (1 + exp(1 - 1.2 * x[0] + 0.6 * x[1]));
}

/* Normal rows, of which `chance` decides whether they are labelled. */
static sample biased(uint64_t tag, int64_t n)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(n, WIDE);

    for (int64_t i = 0; i < n; i++) {
        for (int j = 0; j < WIDE; j++)
            s.x[i * WIDE + j] = check_normal(&rng);
        s.y[i] = pen_rng_uniform(&rng) < chance(s.x + i * WIDE) ? (int32_t)(i % 2) : PEN_UNLABELLED;
    }
    return s;
}

static double *estimate(const sample *s)
{
    const pen_data data = sample_data(s);
    double *const w = check_allocate(s->n, sizeof *w);
    pen_error err;

    CHECK_OK(pen_estimate_weights(&data, NULL, w, &err), &err);
    return w;
}

/* The ratio of the densities is 1 / chance up to a factor: the estimate is near it, and near 1 on
 * average. A mean of x_1 over labelled rows, which is off, becomes that of all rows, 0. */
static void known_ratio(void **state)
{
    sample s = biased(9310, MANY);
    double *const w = estimate(&s), true_sum = 0, off = 0, plain = 0, weighted = 0, sum = 0;
    int64_t labelled = 0;
    (void)state;

    for (int64_t i = 0; i < s.n; i++)
        if (s.y[i] != PEN_UNLABELLED) {
            labelled++;
            sum += w[i];
            true_sum += 1 / chance(s.x + i * WIDE);
            plain += s.x[i * WIDE];
            weighted += w[i] * s.x[i * WIDE];
        } else
            CHECK(w[i] == 0, "unlabelled row %lld weighs %g", (long long)i, w[i]);
    for (int64_t i = 0; i < s.n; i++)
        if (s.y[i] != PEN_UNLABELLED) {
            const double ratio = (double)labelled / chance(s.x + i * WIDE) / true_sum;
            off += w[i] * fabs(log(w[i] / ratio)) / (double)labelled;
        }
    CHECK_CLOSE(sum / (double)labelled, 1, 1e-12, 0);
    CHECK(off < 0.2, "the estimated ratio is off by a factor of exp(%g)", off);
    plain /= (double)labelled, weighted /= (double)labelled;
    CHECK(plain > 0.5 && fabs(weighted) < 0.12, "means %g and %g", plain, weighted);
    free(w);
    sample_free(&s);
}

/* Shift and scale of columns, order of rows, classes of labels. */
static void invariances(void **state)
{
    sample s = biased(9311, 300), moved = biased(9311, 300), turned = biased(9311, 300);
    const double *const w = estimate(&s);
    (void)state;

    for (int64_t i = 0; i < s.n; i++) {
        for (int j = 0; j < WIDE; j++) {
            moved.x[i * WIDE + j] = 100 * j + s.x[i * WIDE + j] * pow(0.05, j);
            turned.x[(s.n - 1 - i) * WIDE + j] = s.x[i * WIDE + j];
        }
        moved.y[i] = s.y[i] == PEN_UNLABELLED ? PEN_UNLABELLED : 7;
        turned.y[s.n - 1 - i] = s.y[i];
    }
    double *const a = estimate(&moved), *const b = estimate(&turned);
    for (int64_t i = 0; i < s.n; i++) {
        CHECK_CLOSE(a[i], w[i], 1e-6, 0);
        CHECK_CLOSE(b[s.n - 1 - i], w[i], 1e-6, 0);
    }
    free((void *)(uintptr_t)w), free(a), free(b);
    sample_free(&s), sample_free(&moved), sample_free(&turned);
}

/* Fewer columns than components, more than rows, all labelled, none labelled, refusals. */
static void edges(void **state)
{
    pen_rng rng = check_rng(9312);
    sample wide = sample_new(30, 200), s = problem(9313);
    pen_data data = sample_data(&s);
    double w[N], *v;
    pen_scores *scores = NULL;
    const pen_protocol protocol = { .weights = w };
    pen_spec *spec = spec_of("pca");
    pen_error err;
    (void)state;

    for (int64_t i = 0; i < 30 * 200; i++)
        wide.x[i] = check_normal(&rng);
    for (int64_t i = 0; i < 30; i++)
        wide.y[i] = i < 8 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    v = estimate(&wide);
    for (int64_t i = 0; i < 30; i++)
        CHECK(isfinite(v[i]) && (v[i] > 0) == (i < 8), "row %lld weighs %g", (long long)i, v[i]);
    free(v);
    for (int i = 0; i < N; i++)
        s.y[i] = i % 2;
    v = estimate(&s);
    for (int i = 0; i < N; i++)
        assert_true(v[i] == 1);
    free(v);
    draw_weights(9314, w);
    w[4] = 0;
    CHECK_STATUS(pen_evaluate(spec, &data, &protocol, NULL, 0, NULL, &scores, &err),
                 PEN_BAD_ARGUMENT, "for row 4", &err);
    w[4] = (double)NAN;
    CHECK_STATUS(pen_evaluate(spec, &data, &protocol, NULL, 0, NULL, &scores, &err),
                 PEN_BAD_ARGUMENT, "a number > 0", &err);
    w[4] = 1e-300;
    CHECK_STATUS(pen_evaluate(spec, &data, &protocol, NULL, 0, NULL, &scores, &err),
                 PEN_BAD_ARGUMENT, "of the largest", &err);
    for (int i = 0; i < N; i++)
        s.y[i] = PEN_UNLABELLED;
    CHECK_STATUS(pen_estimate_weights(&data, NULL, w, &err), PEN_NO_LABELS, "unlabelled", &err);
    pen_spec_free(spec);
    sample_free(&wide), sample_free(&s);
}

static void effective_rows(void **state)
{
    const double w[] = { 3, 1, 0, 100 };
    const int32_t y[] = { 0, 1, 1, PEN_UNLABELLED };
    (void)state;

    CHECK_CLOSE(pen_effective_rows(w, y, 4), 16.0 / 10, 1e-15, 0);
    CHECK_CLOSE(pen_effective_rows(NULL, y, 4), 3, 1e-15, 0);
    CHECK_CLOSE(pen_effective_rows(w, NULL, 2), 16.0 / 10, 1e-15, 0);
    assert_true(pen_effective_rows(w, y, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes_are_weighted),
        cmocka_unit_test(probabilities_are_weighted),
        cmocka_unit_test(equal_weights_change_nothing),
        cmocka_unit_test(tuning_is_weighted),
        cmocka_unit_test(comparing_is_weighted),
        cmocka_unit_test(known_ratio),
        cmocka_unit_test(invariances),
        cmocka_unit_test(edges),
        cmocka_unit_test(effective_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
