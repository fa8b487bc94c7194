/* test_calibration.c - temperatures found by pen_fit against fits with hidden labels; and cases
 * without enough labels. */
#include "eval/trials/trials.h"
#include "kit/dealt.h"
#include "kit/held_out.h"
#include "kit/wine.h"
#include "model/model.h"

GROUP(wines_open, NULL);

enum { C = WINE_CLASSES, RUNS = 2, FOLDS = 4 };

static pen_model *fitted(const char *text, const char *temperature, const int32_t *labels)
{
    const pen_data d = { .x = pen_dense(wines->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                         .labels = labels };
    pen_spec *const spec = spec_with_defaults(text);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "temperature", temperature, &err), &err);
    CHECK_OK(pen_fit(spec, &d, NULL, &model, &err), &err);
    return keep_model(model);
}

/* The best temperature for predictions of held-out rows, or for those of the fit. */
static double by_hand(const char *text, int32_t *labels, int of_fit, double usual)
{
    const sample s = { WINES, WINE_COLUMNS, wines->x, labels };
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_with_defaults(text);
    double p[WINES * C], held[RUNS * WINES * C];
    int32_t fold[WINES], told[WINES], truth[RUNS * WINES];
    int64_t count = 0;
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "temperature", "none", &err), &err);
    for (int run = 0; run < RUNS; run++) {
        dealt_folds(&data.x, 1, labels, FOLDS, 1, pen_run_seed(0, run), fold);
        for (int f = 0; f < FOLDS; f++) {
            const held_out t = { .s = &s, .fold = fold, .f = f };
            held_out_predict(&t, spec, of_fit, p, told);
            count = held_out_take(&t, C, p, count, held, truth);
        }
    }
    return best_temperature(count, C, held, truth, RUNS, usual);
}

TEST(temperatures_are_the_best_of_trials)
{
    static const struct {
        const char *text;
        double usual;
    } rows[] = { { "fme", 0.45 },
                 { "pca dim=2 scale=none", 2 },
                 { "pca dim=2 classifier=nearest", 0.7 },
                 { "self classifier=logistic", 1 },
                 { "pca dim=3 classifier=self-training", 2 },
                 { "soda", 2 } };
    int32_t labels[WINES];
    wine_labels(wines, 6, labels);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        pen_model *const model = fitted(rows[r].text, "auto", labels);
        pen_model *const plain = fitted(rows[r].text, "none", labels);
        double beta; /* the parameter that the fit chose */
        char text[64];
        snprintf(text, sizeof text, "%s", rows[r].text);
        if (pen_model_value(model, "info.beta", &beta, NULL))
            snprintf(text, sizeof text, "%s beta=%g", rows[r].text, beta);
        const double T = by_hand(text, labels, 0, rows[r].usual);
        CHECK(fabs(log(model->temperature / T)) < 1e-12, "%s: T %g, by hand %g", rows[r].text,
              model->temperature, T);
        assert_true(plain->temperature == 0);
        const double *const found = pen_model_tensor(model, "probabilities").values,
                            *const before = pen_model_tensor(plain, "probabilities").values;
        const int scored = strcmp(rows[r].text, "fme") == 0;
        assert_true(!scored || found);
        const double of_fit = scored ? by_hand("fme", labels, 1, 0.45) : 0;
        for (int i = 0; found && i < WINES; i++) {
            double q[C];
            memcpy(q, before + i * C, sizeof q);
            if (scored)
                temper(1, C, of_fit, q);
            for (int k = 0; k < C; k++)
                CHECK_CLOSE(found[i * C + k], q[k], 1e-9, 1e-12);
        }
    }
}

/* Two labels per class, or none; a number is kept. The file stores the result. */
TEST(without_trials)
{
    static const double usual[] = { 0.449328964117, 0.670320046036, 2.01375270747 };
    static const char *const texts[] = { "fme", "pca classifier=nearest", "pca" };
    int32_t labels[WINES];
    for (int i = 0; i < WINES; i++)
        labels[i] =
            i == 0 || i == 1 || i == 70 || i == 71 || i == 140 ? wines->classes[i] : PEN_UNLABELLED;
    for (int r = 0; r < 3; r++) {
        pen_model *const model = fitted(texts[r], "auto", labels), *again;
        pen_error err;
        void *bytes;
        size_t size;
        CHECK_CLOSE(model->temperature, usual[r], 1e-11, 0);
        CHECK_OK(pen_model_to_bytes(model, &bytes, &size, &err), &err);
        CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
        assert_true(again->temperature == model->temperature);
        pen_free(bytes), keep_model(again);
    }
    pen_model *const given = fitted("fme", "1.5", labels);
    CHECK_CLOSE(given->temperature, 1.5, 0, 0);
    for (int i = 0; i < WINES; i++)
        labels[i] = PEN_UNLABELLED;
    pen_model *const none = fitted("pca", "auto", labels);
    assert_true(none->temperature == 0 && !model_text(none, "classifier"));
}
