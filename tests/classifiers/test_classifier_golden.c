/* test_classifier_golden.c - printed numbers of classifiers on wine, computed in NumPy:
 * probabilities, classes of hidden rows, cross-validation and its measures. */
#include "classifiers/class_mass.h"
#include "classifiers/predictions.h"
#include "kit/dealt.h"
#include "kit/read_rows.h"
#include "kit/wine.h"
#include "oracle/classifier_oracle.h"

GROUP(wines_open, NULL);

static pen_embedded_rows embedded(const double *z, int64_t k, const int32_t *labels)
{
    return (
        pen_embedded_rows){ .z = z, .n = WINES, .k = k, .labels = labels, .classes = WINE_CLASSES };
}

/* The number of hidden rows that are classified correctly. */
static int64_t right_of_hidden(const double *z, int64_t k, const int32_t *labels,
                               const pen_classifier_params *params, double *p)
{
    const pen_embedded_rows e = embedded(z, k, labels);
    int32_t classes[WINES];
    int64_t right = 0;

    read_well(&e, params, 1, WINES, z, p, classes);
    for (int i = 0; i < WINES; i++)
        right += labels[i] < 0 && classes[i] == wines->classes[i];
    return right;
}

/* Scales the probabilities of one row by a temperature and mixes them with equal ones. */
static double mixed_loss(const double *p, int32_t truth, double temperature)
{
    double q[WINE_CLASSES];

    memcpy(q, p, sizeof q);
    pen_temper(WINE_CLASSES, temperature, q);
    return -log(0.98 * q[truth] + 0.02 / WINE_CLASSES);
}

/* Two runs of stratified folds; held-out rows stay in the fit without labels. losses [count]: mean
 * mixed losses at these temperatures. */
static pen_predictions cross_validate(const double *z, int64_t k, const int32_t *labels,
                                      const pen_classifier_params *params, int64_t folds, int count,
                                      const double *temperatures, double *losses)
{
    double p[WINES * WINE_CLASSES], q[WINE_CLASSES];
    int32_t fold[WINES], kept[WINES], classes[WINES];
    pen_predictions answer, part;

    memset(losses, 0, (size_t)count * sizeof *losses);
    pen_predictions_open(WINE_CLASSES, &answer);
    for (uint64_t run = 0; run < 2; run++) {
        const uint64_t seed = pen_rng_derive(pen_rng_derive(0, run), 0);
        folds_by_number(labels, WINES, folds, seed, fold);
        for (int32_t f = 0; f < folds; f++) {
            for (int i = 0; i < WINES; i++)
                kept[i] = fold[i] == f ? -1 : labels[i];
            const pen_embedded_rows e = embedded(z, k, kept);
            read_well(&e, params, 1, WINES, z, p, classes);
            pen_predictions_open(WINE_CLASSES, &part);
            for (int i = 0; i < WINES; i++) {
                if (fold[i] != f)
                    continue;
                pen_predictions_add(&part, p + i * WINE_CLASSES, classes[i], labels[i], q);
                for (int t = 0; t < count; t++)
                    losses[t] += mixed_loss(p + i * WINE_CLASSES, labels[i], temperatures[t]);
            }
            pen_predictions_merge(&part, &answer);
        }
    }
    for (int t = 0; t < count; t++)
        losses[t] /= (double)answer.rows;
    return answer;
}

/* p of classes 0 and 1 of rows 1, 70 and 177; correct hidden and held-out rows. */
static const struct golden {
    enum pen_classifier_kind kind;
    int64_t hidden, held_out;
    double mixed_loss;
} golden[] = {
    { PEN_CLASSIFIER_NEAREST, 153, 25, 0.3275551642 },
    { PEN_CLASSIFIER_NEIGHBORS, 155, 25, 0.4610650198 },
    { PEN_CLASSIFIER_MEANS, 157, 30, 0.0473199540 },
    { PEN_CLASSIFIER_LDA, 155, 29, 0.0666485454 },
    { PEN_CLASSIFIER_LOGISTIC, 158, 28, 0.1953001734 },
};
static const double golden_p[][6] = {
    { 0.8331169800, 0.1212281576, 0.0965543632, 0.3028972601, 0.0245138790, 0.0339258986 },
    { 0.9848288164, 0.0110207416, 0.0087776694, 0.5729906600, 0.0022285345, 0.1849023544 },
    { 0.9190902835, 0.0806431149, 0.0061135487, 0.7589574816, 0.0001496921, 0.0006987303 },
    { 0.9999443104, 0.0000556896, 0.0000000102, 0.9964358222, 0.0000000000, 0.0000000000 },
    { 0.8604122391, 0.1310405462, 0.0231181124, 0.7646597378, 0.0135314235, 0.0069392592 },
};

TEST(classifiers)
{
    static const int rows[] = { 1, 70, 177 };
    int32_t labels[WINES];
    wine_labels(wines, 12, labels);
    for (size_t g = 0; g < sizeof golden / sizeof *golden; g++) {
        const struct golden *const right = &golden[g];
        const pen_classifier_params params = { .kind = right->kind,
                                               .neighbors = 5,
                                               .prior = PEN_PRIOR_LABELS };
        const double *const z = wines->z;
        const char *const name = pen_classifier_names[right->kind];
        double p[WINES * WINE_CLASSES];

        const int64_t hidden = right_of_hidden(z, WINE_COLUMNS, labels, &params, p);
        for (int i = 0; i < 6; i++)
            CHECK(fabs(p[rows[i / 2] * WINE_CLASSES + i % 2] - golden_p[g][i]) < 1e-9,
                  "%s, row %d: %.12f, expected %.10f", name, rows[i / 2],
                  p[rows[i / 2] * WINE_CLASSES + i % 2], golden_p[g][i]);
        CHECK(hidden == right->hidden, "%s: %lld of 163 right", name, (long long)hidden);
        const double half = 0.5;
        double loss;
        const pen_predictions s =
            cross_validate(z, WINE_COLUMNS, labels, &params, 3, 1, &half, &loss);
        CHECK_CLOSE(pen_predictions_accuracy(&s), (double)right->held_out / 30, 0, 1e-15);
        CHECK(fabs(loss - right->mixed_loss) < 1e-9, "%s: loss %.12f, expected %.10f", name, loss,
              right->mixed_loss);
    }
}

/* The oracle checks the shrinkage of self-training. */
TEST(shrinkage)
{
    int32_t labels[WINES];
    wine_labels(wines, 12, labels);
    for (int two = 0; two < 2; two++) {
        const double *const z = two ? wines->pc : wines->z;
        const pen_embedded_rows e = embedded(z, two ? 2 : 13, labels);
        double p[WINES * WINE_CLASSES];

        for (int kind = PEN_CLASSIFIER_LDA; kind <= PEN_CLASSIFIER_SELF_TRAINING; kind++) {
            const pen_classifier_params params = { .kind = (enum pen_classifier_kind)kind,
                                                   .prior = PEN_PRIOR_LABELS };
            const read_result found = read_well(&e, &params, 1, WINES, z, p, NULL);
            const classifier_oracle o = classifier_oracle_read(&e, &params, WINES, z, p);
            CHECK_CLOSE(found.rho, o.rho, 0, 1e-10);
            if (kind == PEN_CLASSIFIER_LDA) {
                CHECK_CLOSE(found.rho, two ? 1 : 0.803889774653, 0, 1e-11);
                assert_true(isnan(found.rounds) && isnan(found.pseudo));
                continue;
            }
            assert_true(o.refits > 1);
            CHECK_CLOSE(found.rounds, o.refits, 0, 0);
            CHECK_CLOSE(found.pseudo, (double)o.pseudo[o.refits - 1], 0, 0);
        }
    }
}

/* Without labels of class 2 it does not matter whether the class is known. */
TEST(two_classes)
{
    static const double right[] = { 0.1865525712, 0.9621744593, 0.7346900440 };
    static const int rows[] = { 1, 70, 177 };
    const pen_classifier_params params = { .kind = PEN_CLASSIFIER_LOGISTIC,
                                           .prior = PEN_PRIOR_LABELS };
    int32_t labels[WINES];
    wine_labels(wines, 12, labels);
    for (int i = 0; i < WINES; i++)
        labels[i] = labels[i] == 2 ? -1 : labels[i];
    for (int64_t classes = 2; classes <= 3; classes++) {
        pen_embedded_rows e = embedded(wines->z, 13, labels);
        double p[WINES * WINE_CLASSES];
        e.classes = classes;
        read_well(&e, &params, 1, WINES, wines->z, p, NULL);
        for (int i = 0; i < 3; i++) {
            CHECK_CLOSE(p[rows[i] * classes + 1], right[i], 0, 1e-9);
            CHECK(classes == 2 || p[rows[i] * classes + 2] == 0, "a class without labels");
        }
    }
}

/* Every sixth label, three and four folds: correct rows of 60, temperature, loss, and all measures
 * of the nearest row in unscaled columns. */
TEST(measures)
{
    static const struct {
        enum pen_classifier_kind kind;
        int columns_as_they_are;
        int64_t folds, right;
        double temperature, mixed_loss;
        int64_t hidden;
    } rows[] = {
        { PEN_CLASSIFIER_LDA, 0, 3, 60, 0.5, 0.0135269607, 142 },
        { PEN_CLASSIFIER_LDA, 0, 4, 60, 0.5, 0.0177800751, 142 },
        { PEN_CLASSIFIER_NEAREST, 1, 3, 38, 4, 0.7426767579, 102 },
        { PEN_CLASSIFIER_NEAREST, 1, 4, 45, 2, 0.5984586896, 102 },
    };
    static const double temperatures[] = { 0.5, 1, 2, 4, 8 };
    static const double right[] = { 1.5306776889, 1.1776306852, 0.8139684977, 0.7426767579,
                                    0.8394171520 };
    double p[WINES * WINE_CLASSES];
    int32_t labels[WINES];
    wine_labels(wines, 6, labels);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const pen_classifier_params params = { .kind = rows[r].kind, .prior = PEN_PRIOR_LABELS };
        const double *const z = rows[r].columns_as_they_are ? wines->x : wines->z;
        double losses[5], loss;
        cross_validate(z, 13, labels, &params, rows[r].folds, 1, &rows[r].temperature, &loss);
        const pen_predictions s =
            cross_validate(z, 13, labels, &params, rows[r].folds, 5, temperatures, losses);
        CHECK_CLOSE(pen_predictions_accuracy(&s), (double)rows[r].right / 60, 0, 1e-15);
        CHECK_CLOSE(loss, rows[r].mixed_loss, 0, 1e-9);
        assert_int_equal(right_of_hidden(z, 13, labels, &params, p), rows[r].hidden);
        if (rows[r].kind != PEN_CLASSIFIER_NEAREST || rows[r].folds != 3)
            continue;
        for (int t = 0; t < 5; t++)
            CHECK_CLOSE(losses[t], right[t], 0, 1e-9);
        CHECK_CLOSE(pen_predictions_brier(&s, 0), 0.6323016407, 0, 1e-9);
        CHECK_CLOSE(pen_predictions_score(&s), 0.6327010317, 0, 1e-9);
    }
}
