/* test_select.c - the choice of a projection and a classifier: printed numbers of wine, the literal
 * rule, few labels, many rows, errors. */
#include "kit/embedded.h"
#include "kit/held_out.h"
#include "kit/wine.h"
#include "model/spec.h"

#include "eval/choose/select.h"

#include <math.h>
#include <stdio.h>

GROUP(wines_open, NULL);

/* Standardized columns, which scale auto does not change, have the printed numbers. */
static pen_selection *chosen(const pen_data *d, uint64_t seed, int threads)
{
    char text[40];

    snprintf(text, sizeof text, "auto seed=%d", (int)seed);
    return select_data(text, d, threads);
}

static double value_of(const pen_spec *spec, const char *name)
{
    double value;
    pen_error err;

    CHECK_OK(pen_spec_number(spec, name, &value, &err), &err);
    return value;
}

/* Standardized wines; every sixth row is labelled. */
static pen_data wines_with(int32_t labels[WINES])
{
    wine_labels(wines, 6, labels);
    return (pen_data){ .x = pen_dense(wines->z, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                       .labels = labels };
}

/* Correct predictions of 60 held-out rows in two runs of four folds, of candidates with printed
 * numbers. */
static const struct {
    const char *name;
    int right;
    int member;
} printed[] = {
    { "pca+rbf/self-training", 60, 1 }, { "self+rbf/lda", 60, 1 }, { "self+rbf/nearest", 60, 1 },
    { "fme+rbf/scores", 56, 0 },        { "fme/scores", 56, 0 },   { "pca/lda", 60, 1 },
    { "pca/self-training", 60, 1 },     { "pca/nearest", 59, 0 },
};
enum { PRINTED = sizeof printed / sizeof *printed };

TEST(wine_has_its_printed_numbers)
{
    int32_t labels[WINES];
    const pen_data d = wines_with(labels);

    pen_selection *const s = chosen(&d, 0, 2);
    assert_int_equal(s->count, PRINTED + 5);
    assert_int_equal(s->folds, 4);
    assert_int_equal(s->runs, 2);
    assert_int_equal(s->labelled, 30);
    CHECK_CLOSE(s->margin, 1.0 / 60, 1e-12, 0);
    for (int64_t i = 0; i < PRINTED; i++) {
        const pen_chosen *const e = &s->candidates[i];
        assert_string_equal(e->name, printed[i].name);
        CHECK_CLOSE(e->accuracy, printed[i].right / 60.0, 1e-12, 0);
        CHECK_CLOSE(e->score, e->accuracy - 0.001 * e->brier, 1e-12, 0);
        CHECK(e->member == printed[i].member, "%s: member %d", e->name, e->member);
    }
}

/* The names of the candidates: with more than 80 columns there are more, and some use
 * components. */
TEST(candidates_of_many_columns)
{
    static const struct {
        const char *name, *pca;
        int scale; /* 3: auto */
    } of_many[] = {
        { "fme/scores", "0.99:100", 3 },
        { "pca/lda", "0.99:100", 3 },
        { "pca/nearest", "0.99:100", 3 },
        { "pca+all/logistic", "off", 3 },
        { "pca+all/lda", "off", 3 },
        { "self+rbf/lda", "0.999:80", 3 },
        { "fme+unscaled/scores", "0.99:100", 0 },
        { "fme+laplacian/scores", "0.999:80", 3 },
    };
    pen_rng rng = check_rng(7605);

    for (int64_t d = 80; d <= 81; d++) {
        sample drawn = sample_random(&rng, 40, d, 2, 20);
        const pen_data all = sample_data(&drawn);
        pen_selection *const s = chosen(&all, 0, 2);
        assert_int_equal(s->count, d == 80 ? 13 : 14);
        for (size_t i = 0; d == 81 && i < sizeof of_many / sizeof *of_many; i++) {
            char text[64];
            int64_t at = 0;
            while (at < s->count && strcmp(s->candidates[at].name, of_many[i].name) != 0)
                at++;
            CHECK(at < s->count, "no candidate %s", of_many[i].name);
            const pen_spec *const spec = s->candidates[at].spec;
            CHECK(value_of(spec, "scale") == of_many[i].scale, "%s: scale", of_many[i].name);
            pen_spec_get(spec, "pca", text, sizeof text);
            CHECK(strcmp(of_many[i].pca, text) == 0, "%s: pca %s", of_many[i].name, text);
        }
    }
}

/* ---- spectra ---- */

enum { CURVES = 60, WAVES = 100 };

/* Standardized. */
static double noise(pen_rng *rng)
{
    return sqrt(12) * (pen_rng_uniform(rng) - 0.5);
}

/* Peaks of different heights in two classes, times the scatter of a row, on a larger baseline per
 * row; x [CURVES x WAVES]. */
static void draw_curves(pen_rng *rng, double *x, int32_t *labels)
{
    for (int64_t i = 0; i < CURVES; i++) {
        const double scatter = exp(0.3 * noise(rng)), level = noise(rng), slope = noise(rng),
                     peak = i % 2 ? 1 : 0.5;
        for (int64_t j = 0; j < WAVES; j++) {
            const double t = (double)j / WAVES;
            x[i * WAVES + j] =
                scatter * (exp(-300 * pow(t - 0.3, 2)) + peak * exp(-300 * pow(t - 0.7, 2))) + level
                + slope * t + 0.002 * noise(rng);
        }
        labels[i] = i < 20 ? (int32_t)(i % 2) : PEN_UNLABELLED;
    }
}

/* Candidates with steps for spectra are tried only for curves. The projection takes the steps of
 * its ensemble, and separates classes that no other candidate finds. */
TEST(spectra)
{
    double *const x = check_allocate(CURVES * WAVES, 8), *const other =
                                                             check_allocate(CURVES * WAVES, 8);
    int32_t labels[CURVES], told[CURVES];
    int64_t order[WAVES];
    int right = 0;
    pen_rng rng = check_rng(7606);
    pen_error err;

    draw_curves(&rng, x, labels);
    pen_rng_permutation(&rng, WAVES, order);
    pen_data d = { .x = pen_dense(x, PEN_F64, CURVES, WAVES, WAVES), .labels = labels };
    /* reordered columns; a common trend with noise; few columns */
    for (int form = 0; form < 3; form++) {
        for (int64_t i = 0; i < CURVES * WAVES; i++)
            other[i] =
                form == 0 ? x[i - i % WAVES + order[i % WAVES]] : (double)(i % WAVES) + noise(&rng);
        d.x = pen_dense(form == 2 ? x : other, PEN_F64, CURVES, form == 2 ? 29 : WAVES, WAVES);
        pen_selection *const s = chosen(&d, 0, 2);
        assert_int_equal(s->count, form == 2 ? 13 : 14);
    }
    d.x = pen_dense(x, PEN_F64, CURVES, WAVES, WAVES);
    pen_selection *const s = chosen(&d, 0, 2);
    assert_int_equal(s->count, 18);
    pen_model *const model = fit_data("auto", &d);
    CHECK(strstr(model_text(model, "parameters"), "\"row_steps\":\"snv,derivative:11\""),
          "parameters %s", model_text(model, "parameters"));
    CHECK_OK(pen_predict(model, &d.x, NULL, told, NULL, NULL, &err), &err);
    for (int64_t i = 0; i < CURVES; i++)
        right += told[i] == i % 2;
    CHECK(right >= CURVES - 2, "%d rows are correct", right);
}

/* ---- predictions ---- */

static pen_model *fitted(const pen_data *d, int together, int threads)
{
    const pen_control control = { .threads = threads };
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_fit(spec_of(together ? "auto ensemble=true" : "auto"), d, &control, &model, &err),
             &err);
    return keep_model(model);
}

/* Adds the probabilities of a model for its fitted rows, or for any rows. */
static void add_probabilities(const pen_model *model, const pen_array *x, int of_fit, double *sum)
{
    const int64_t c = pen_model_class_count(model);
    const double *shares = of_fit ? pen_model_tensor(model, "probabilities").values : NULL;
    int32_t *classes = check_allocate(x->rows, sizeof *classes);
    double *p = check_allocate(x->rows * c, sizeof *p);
    pen_error err;

    CHECK_OK(pen_predict(model, x, NULL, classes, p, NULL, &err), &err);
    for (int64_t i = 0; i < x->rows * c; i++)
        sum[i] += shares ? shares[i] : p[i];
}

/* Correct predictions of the 148 hidden wines. */
static int right_of_hidden(const double *p, const int32_t *labels)
{
    int right = 0;

    for (int i = 0; i < WINES; i++) {
        const double *const row = p + i * WINE_CLASSES;
        const int told = row[0] >= row[1] && row[0] >= row[2] ? 0 : row[1] >= row[2] ? 1 : 2;
        right += labels[i] < 0 && told == wines->classes[i];
    }
    return right;
}

TEST(mean_of_the_ensemble)
{
    static const struct {
        int row;
        double p[2];
    } rows[] = { { 1, { 0.9997079042, 0.0002918372 } },
                 { 70, { 0.0000185994, 0.9990714680 } },
                 { 177, { 0.0000000100, 0.0000000502 } } };
    int32_t labels[WINES], told[WINES];
    double mean[2][WINES * WINE_CLASSES] = { { 0 } }, found[WINES * WINE_CLASSES];
    double of_printed[WINES * WINE_CLASSES] = { 0 };
    const pen_data d = wines_with(labels);
    int members = 0;
    pen_error err;

    pen_selection *const s = chosen(&d, 0, 1);
    pen_model *const model = fitted(&d, 1, 3);
    for (int64_t i = 0; i < s->count; i++) {
        /* the printed mean excludes candidate 1; its temperature is 1/2 and its prior that of the
         * labels; only to 1e-7, because its self-training has the prior of all rows */
        const int member = s->candidates[i].member,
                  is_printed = i < PRINTED && printed[i].member && i != 1;
        if (!member && !is_printed)
            continue;
        pen_model *alone;
        CHECK_OK(pen_fit(s->candidates[i].spec, &d, NULL, &alone, &err), &err);
        if (member)
            add_probabilities(alone, &d.x, 0, mean[0]);
        if (member)
            add_probabilities(alone, &d.x, 1, mean[1]);
        pen_model_free(alone);
        members += member;
        if (!is_printed)
            continue;
        pen_spec *spec;
        CHECK_OK(pen_spec_copy(s->candidates[i].spec, &spec, &err), &err);
        CHECK_OK(pen_spec_set_number(spec, "temperature", 0.5, &err), &err);
        if (i != 2) /* nearest has no prior */
            CHECK_OK(pen_spec_set(spec, "prior", "labels", &err), &err);
        CHECK_OK(pen_fit(spec, &d, NULL, &alone, &err), &err);
        pen_spec_free(spec);
        add_probabilities(alone, &d.x, 1, of_printed);
        pen_model_free(alone);
    }
    assert_true(members > 4);
    assert_true(model_number(model, "members") == members);
    assert_true(!pen_model_member(model, members) && !pen_model_member(model, -1));
    CHECK_OK(pen_predict(model, &d.x, NULL, told, found, NULL, &err), &err);
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < WINES * WINE_CLASSES; i++)
            mean[which][i] /= members;
        temper(WINES, WINE_CLASSES, s->mean_temperature, mean[which]);
    }
    const double *const shares = pen_model_tensor(model, "probabilities").values;
    for (int i = 0; i < WINES * WINE_CLASSES; i++) {
        const int32_t label = labels[i / WINE_CLASSES];
        CHECK_CLOSE(found[i], mean[0][i], 1e-9, 1e-12);
        CHECK_CLOSE(shares[i], label < 0 ? mean[1][i] : label == i % WINE_CLASSES, 1e-9, 1e-12);
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int k = 0; k < 2; k++)
            CHECK_CLOSE(of_printed[rows[r].row * WINE_CLASSES + k] / 4, rows[r].p[k], 2e-5, 1e-7);
    assert_int_equal(right_of_hidden(of_printed, labels), 144);
    CHECK(right_of_hidden(shares, labels) >= 140, "%d right", right_of_hidden(shares, labels));
    /* embeds like the projection alone */
    pen_model *const plain = fitted(&d, 0, 1);
    assert_int_equal(pen_model_dim(plain), pen_model_dim(model));
    assert_memory_equal(pen_model_tensor(plain, "projection").values,
                        pen_model_tensor(model, "projection").values,
                        (size_t)pen_model_dim(plain) * WINE_COLUMNS * sizeof(double));
}

TEST(files_store_the_ensemble)
{
    int32_t labels[WINES];
    const pen_data d = wines_with(labels);
    pen_model *again;
    size_t size;
    pen_error err;

    pen_selection *const s = chosen(&d, 0, 2);
    pen_model *const model = fitted(&d, 1, 1), *const same = fitted(&d, 1, 2);
    check_same_model(model, same, "threads");
    unsigned char *const bytes = model_bytes(model, &size);
    CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
    assert_string_equal(pen_model_info(again), pen_model_info(model));
    assert_true(pen_model_tensor(again, "mean_temperature").values[0] == s->mean_temperature);
    check_same_model(model, again, "from its file");
    keep_model(again);
}

/* ---- few labels, many rows ---- */

/* Unlabelled rows have the probabilities of the only model in the ensemble, as fitted rows. */
static void check_alone(const pen_spec *spec, const pen_data *d, double temperature,
                        const double *found)
{
    double own[WINES * WINE_CLASSES] = { 0 };
    pen_model *alone;
    pen_error err;

    CHECK_OK(pen_fit(spec, d, NULL, &alone, &err), &err);
    add_probabilities(alone, &d->x, 1, own);
    temper(WINES, WINE_CLASSES, temperature, own);
    for (int i = 0; i < WINES * WINE_CLASSES; i++)
        if (d->labels[i / WINE_CLASSES] < 0)
            CHECK_CLOSE(found[i], own[i], 1e-9, 1e-12);
    pen_model_free(alone);
}

TEST(few_labels_need_no_trials)
{
    int32_t labels[WINES];
    const pen_data d = wines_with(labels);

    for (int each = 1; each <= 3; each++) {
        int given[WINE_CLASSES] = { 0 };
        double sum[WINES * WINE_CLASSES] = { 0 };
        for (int i = 0; i < WINES; i++)
            labels[i] = given[wines->classes[i]]++ < each ? wines->classes[i] : PEN_UNLABELLED;
        pen_selection *const s = chosen(&d, 0, 2);
        CHECK((s->folds > 0) == (each == 3), "%d labels per class: %lld folds", each,
              (long long)s->folds);
        for (int together = 0; together < 2; together++) {
            pen_model *const model = fitted(&d, together, 2);
            memset(sum, 0, sizeof sum);
            add_probabilities(model, &d.x, 1, sum);
            const int right = right_of_hidden(sum, labels);
            CHECK(right > 120, "%d labels per class: %d correct", each, right);
        }
        if (each < 3) {
            const pen_chosen *const best = &s->candidates[s->best];
            assert_string_equal(best->name, "fme+rbf/scores");
            assert_true(isnan(s->accuracy) && best->member);
            check_alone(best->spec, &d, s->mean_temperature, sum);
        }
    }
}

TEST(many_rows_are_a_sample)
{
    enum { N = 5600, SOME = 500 };
    pen_rng rng = check_rng(7602);
    sample s = sample_random(&rng, N, 3, 2, 60);
    const pen_data d = sample_data(&s);
    int exact = 0;

    for (int64_t i = 0; i < N; i++) /* classes are apart */
        s.x[i * s.d] += s.y[i] == 1 ? 4 : 0;
    if (check_in_turn(1, 2)) {
        pen_selection *const all = chosen(&d, 5, 2);
        assert_true(all->rows == 5000 && all->labelled == 60 && all->accuracy > 0.8);
    }
    pen_selection *const one = select_data("auto seed=5 effort=0.1", &d, 1),
                         *const two = select_data("auto seed=5 effort=0.1", &d, 2);
    assert_true(one->rows == SOME && one->labelled == 60);
    fit_data("auto seed=5 effort=0.1", &d);
    for (int64_t i = 0, at = 0; i < N; i++) {
        const int taken = at < one->rows && one->sample[at] == i;
        assert_true(taken || s.y[i] == PEN_UNLABELLED);
        at += taken;
    }
    assert_memory_equal(one->sample, two->sample, SOME * sizeof *one->sample);
    for (int64_t i = 0; i < one->count; i++)
        CHECK(one->candidates[i].score == two->candidates[i].score, "%s depends on threads",
              one->candidates[i].name);
    assert_true(one->p_value == 0.001 && one->predicts && one->p_value == two->p_value);
    assert_true(one->accuracy == two->accuracy && one->error == two->error);
    assert_true(one->temperature == two->temperature);
    assert_true(one->mean_temperature == two->mean_temperature);
    /* Ends of Wilson's interval: p is 1.645 standard errors of p from the accuracy, for 60 labelled
     * rows and the rest */
    for (int side = -1; side <= 1; side += 2) {
        double low = side < 0 ? 0 : one->accuracy, high = side < 0 ? one->accuracy : 1;
        for (int i = 0; i < 100; i++) {
            const double p = (low + high) / 2;
            const int far =
                fabs(one->accuracy - p) > 1.645 * sqrt(p * (1 - p) * (1.0 / 60 + 1.0 / (N - 60)));
            *(far == (side < 0) ? &low : &high) = p;
        }
        const double reach = fabs(low - one->accuracy);
        CHECK(reach <= 1.645 * one->error + 1e-9, "%g is in the interval", low);
        exact |= fabs(reach - 1.645 * one->error) < 1e-9;
    }
    assert_true(exact);
}

/* Random labels. */
TEST(random_labels_are_reported)
{
    pen_rng rng = check_rng(7605);
    int predicts = 0;

    for (int round = 0; round < 10; round++) {
        sample s = sample_random(&rng, 60, 4, 1, 60);
        for (int64_t i = 0; i < s.n; i++)
            s.y[i] = (int32_t)(i % 3 == 0 ? PEN_UNLABELLED : i % 3 - 1);
        const pen_data d = sample_data(&s);
        pen_selection *const found = chosen(&d, (uint64_t)round, 2);
        assert_int_equal(found->predicts, found->p_value <= 0.05);
        predicts += found->predicts;
    }
    CHECK(predicts <= 2, "%d of 10 predict", predicts);
}

/* ---- auto as a spec ---- */

/* The model of auto reports the trials, and only the seed matters; effort 0 holds nothing out. */
TEST(auto_is_an_ordinary_spec)
{
    pen_rng rng = check_rng(7603);
    sample s = sample_random(&rng, 60, 4, 2, 24);
    const pen_data d = sample_data(&s);
    pen_spec *spec;
    pen_error err;

    for (int effort = 0; effort < 2; effort++) {
        char text[40];
        snprintf(text, sizeof text, "auto effort=%d seed=7", effort);
        pen_selection *const found = select_data(text, &d, 2);
        pen_model *const model = fit_data(text, &d);
        const char *const trials = strstr(pen_model_info(model), "\"trials\":{"),
                          *const accuracy = strstr(trials, "\"accuracy\":");
        assert_int_equal(found->folds > 0, effort);
        assert_int_equal(accuracy != NULL, effort);
        if (effort)
            assert_true(strtod(accuracy + strlen("\"accuracy\":"), NULL) == found->accuracy);
        CHECK((strstr(trials, "\"reason\":\"effort is 0\"") == NULL) == effort, "%s", trials);
        assert_string_equal(model_text(model, "method"), "auto");
        const double *const p = pen_model_tensor(model, "probabilities").values;
        for (int64_t i = 0; i < s.n; i++)
            assert_true(s.y[i] < 0 || p[2 * i + s.y[i]] == 1);
    }
    /* row steps come first: the length of a row does not matter */
    pen_model *const unit = fit_data("auto row_steps=l2", &d);
    int32_t told[2][60];
    for (int i = 0; i < 2; i++) {
        CHECK_OK(pen_predict(unit, &d.x, NULL, told[i], NULL, NULL, &err), &err);
        for (int64_t j = 0; j < s.n * s.d; j++)
            s.x[j] *= 8;
    }
    assert_memory_equal(told[0], told[1], sizeof told[0]);
    CHECK(strstr(model_text(unit, "parameters"), "\"row_steps\":\"l2\""), "%s",
          model_text(unit, "parameters"));
    assert_null(pen_method_at(pen_method_count()));
    for (int64_t i = 0; i < pen_method_count(); i++)
        assert_true(pen_method_at(i) != pen_method_named("auto"));
    CHECK_OK(pen_spec_new(NULL, &spec, &err), &err);
    assert_ptr_equal(pen_spec_method(spec), pen_method_named("auto"));
    CHECK_STATUS(pen_spec_set(spec, "kernel", "rbf", &err), PEN_UNKNOWN_NAME,
                 "for auto; it has:", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "effort", -1, &err), PEN_BAD_ARGUMENT, "effort", &err);
    pen_spec_free(spec);
    CHECK_FIT_FAILS("auto classifier=scores", &d, PEN_BAD_ARGUMENT,
                    "must be one of nearest to logistic, got scores");
    CHECK_FIT_FAILS("auto dim=9", &d, PEN_RANK_TOO_SMALL, "dim must be at most 4");
}
