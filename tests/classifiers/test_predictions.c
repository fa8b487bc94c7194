/* test_predictions.c - measures of predictions against literal sums for any partition of the rows,
 * and probabilities at temperatures. */
#include "check.h"
#include "classifiers/predictions.h"

enum { ROWS = 60, MOST_C = 6 };

static const double temperatures[] = { 0.5, 1, 2, 4, 8 };

static void normalize(int64_t c, double *p)
{
    double sum = 0;
    for (int64_t a = 0; a < c; a++)
        sum += p[a];
    for (int64_t a = 0; a < c; a++)
        p[a] /= sum;
}

static double share(int64_t c, double temperature, const double *p, int64_t of)
{
    double rest = 0;
    for (int64_t a = 0; a < c; a++)
        rest += exp((log(fmax(p[a], 1e-4)) - log(fmax(p[of], 1e-4))) / temperature);
    return 1 / rest;
}

TEST(tempered_probabilities)
{
    pen_rng rng = check_rng(5301);
    for (int repeat = 0; repeat < 100; repeat++) {
        const int64_t c = 1 + repeat % MOST_C;
        const double temperature = temperatures[repeat % 5] * (repeat % 7 == 0 ? 0.001 : 1);
        double p[MOST_C], q[MOST_C];
        for (int64_t a = 0; a < c; a++)
            p[a] = pow(pen_rng_uniform(&rng), 8);
        normalize(c, p);
        memcpy(q, p, sizeof q);
        pen_temper(c, 0, q);
        assert_memory_equal(q, p, (size_t)c * sizeof *q);
        pen_temper(c, temperature, q);
        for (int64_t a = 0; a < c; a++)
            CHECK_CLOSE(q[a], share(c, temperature, p, a), 1e-11, 1e-15);
    }
    double sure[] = { 1, 0, 0 }, unsure[] = { 0.25, 0.4, 0.35 };
    pen_temper(3, 1e-4, unsure); /* only powers of smaller p may underflow */
    CHECK(unsure[0] == 0 && unsure[1] == 1, "%g %g %g", unsure[0], unsure[1], unsure[2]);
    pen_temper(3, 1, sure);
    CHECK_CLOSE(sure[0], 1 / 1.0002, 1e-14, 0);
    CHECK_CLOSE(sure[2], 1e-4 / 1.0002, 1e-14, 0);
}

TEST(measures)
{
    pen_rng rng = check_rng(5302);
    for (int64_t c = 2; c <= MOST_C; c++) {
        double p[ROWS * MOST_C], q[MOST_C], mixed[PEN_TEMPERATURES] = { 0 },
                                            plain[PEN_TEMPERATURES] = { 0 },
                                            squares[PEN_TEMPERATURES + 1] = { 0 }, right = 0;
        pen_bins bins[PEN_TEMPERATURES + 1] = { 0 }, by_hand[PEN_TEMPERATURES + 1] = { 0 };
        int32_t predicted[ROWS], truth[ROWS];
        pen_predictions all, parts[2];

        pen_predictions_open(c, &all);
        all.bins = bins;
        pen_predictions_open(c, &parts[0]);
        pen_predictions_open(c, &parts[1]);
        for (int i = 0; i < ROWS; i++) {
            truth[i] = (int32_t)pen_rng_below(&rng, c);
            predicted[i] = (int32_t)pen_rng_below(&rng, c);
            for (int64_t a = 0; a < c; a++)
                p[i * c + a] = pow(pen_rng_uniform(&rng), (double)(2 * c)) + (a == truth[i]);
            normalize(c, p + i * c);
            if (i % 9 == 0) /* certain and wrong */
                for (int64_t a = 0; a < c; a++)
                    p[i * c + a] = a == (truth[i] + 1) % c;
            right += predicted[i] == truth[i];
            for (int t = 0; t <= PEN_TEMPERATURES; t++)
                for (int64_t a = 0; a < c; a++) {
                    const double one = t == PEN_TEMPERATURES
                                           ? p[i * c + a]
                                           : share(c, exp((t - 16) * 0.1), p + i * c, a);
                    pen_calibration_bin *const bin = &by_hand[t][one < 1 ? (int)(10 * one) : 9];
                    squares[t] += pow(one - (a == truth[i]), 2) / ROWS;
                    bin->rows += a == predicted[i];
                    bin->predicted += a == predicted[i] ? one : 0;
                    bin->right += a == predicted[i] && a == truth[i];
                }
            for (int t = 0; t < PEN_TEMPERATURES; t++) {
                const double own = share(c, exp((t - 16) * 0.1), p + i * c, truth[i]);
                mixed[t] -= log(0.98 * own + 0.02 / (double)c);
                plain[t] -= log(own);
            }
            pen_predictions_add(&all, p + i * c, predicted[i], truth[i], q);
            pen_predictions_add(&parts[i % 3 == 0], p + i * c, predicted[i], truth[i], q);
        }
        CHECK_CLOSE(pen_predictions_accuracy(&all), right / ROWS, 1e-15, 0);
        CHECK_CLOSE(pen_predictions_brier(&all, 0), squares[PEN_TEMPERATURES], 1e-13, 0);
        CHECK_CLOSE(pen_predictions_score(&all), right / ROWS - squares[PEN_TEMPERATURES] / 1000,
                    1e-13, 0);
        for (int t = 0; t <= PEN_TEMPERATURES; t++) {
            const double T = t < PEN_TEMPERATURES ? pen_temperature_at(t) : 0;
            assert_int_equal(pen_temperature_place(T), t);
            CHECK_CLOSE(pen_predictions_brier(&all, T), squares[t], 1e-12, 0);
            for (int b = 0; b < PEN_CALIBRATION_BINS; b++) {
                assert_int_equal(bins[t][b].rows, by_hand[t][b].rows);
                assert_true(bins[t][b].right == by_hand[t][b].right);
                CHECK_CLOSE(bins[t][b].predicted, by_hand[t][b].predicted, 1e-12, 0);
            }
        }
        CHECK_CLOSE(pen_predictions_log_loss(&all, 0), plain[16] / ROWS, 1e-12, 0);
        for (int t = 0; t < PEN_TEMPERATURES; t++) {
            CHECK_CLOSE(all.mixed_loss[t], mixed[t], 1e-12, 0);
            CHECK_CLOSE(pen_predictions_log_loss(&all, pen_temperature_at(t)), plain[t] / ROWS,
                        1e-12, 0);
        }
        for (int64_t runs = 1; runs <= 2; runs++)
            for (double usual = 0.3; usual < 5; usual *= 3) {
                int best = 0;
                for (int t = 1; t < PEN_TEMPERATURES; t++)
                    if (mixed[t] / (double)runs + pow((t - 16) * 0.1 - log(usual), 2)
                        < mixed[best] / (double)runs + pow((best - 16) * 0.1 - log(usual), 2))
                        best = t;
                CHECK_CLOSE(pen_predictions_temperature(&all, runs, usual), exp((best - 16) * 0.1),
                            1e-14, 0);
            }
        pen_predictions_merge(&parts[1], &parts[0]);
        assert_int_equal(parts[0].rows, ROWS);
        CHECK_CLOSE(pen_predictions_score(&parts[0]), pen_predictions_score(&all), 1e-13, 0);
        CHECK_CLOSE(parts[0].mixed_loss[3], all.mixed_loss[3], 1e-13, 0);
        CHECK_CLOSE(pen_predictions_log_loss(&parts[0], 0), pen_predictions_log_loss(&all, 0),
                    1e-13, 0);
    }
}

/* Six rows of three classes, two default temperatures; printed numbers. */
TEST(golden_temperatures)
{
    static const double p[] = { .5, .3, .2, .4, .5, .1, .2, .2, .6,
                                .6, .3, .1, .3, .4, .3, .1, .3, .6 };
    static const int32_t truth[] = { 0, 1, 2, 0, 0, 2 };
    static const struct {
        double usual, J;
        int i;
    } right[] = { { 1, 3.4859100216, -7 }, { .45, 2.5843769061, -12 } };
    pen_predictions answer;
    double q[3];
    pen_predictions_open(3, &answer);
    for (int i = 0; i < 6; i++)
        pen_predictions_add(&answer, p + 3 * i, 0, truth[i], q);
    for (int r = 0; r < 2; r++) {
        const double T = pen_predictions_temperature(&answer, 1, right[r].usual);
        CHECK_CLOSE(T, exp(right[r].i * 0.1), 1e-14, 0);
        CHECK_CLOSE(answer.mixed_loss[16 + right[r].i] + pow(log(T / right[r].usual), 2),
                    right[r].J, 0, 1e-10);
    }
}

/* Fitting a temperature to p that have one recovers it; certain rows do not count. */
TEST(recovered_temperatures)
{
    pen_rng rng = check_rng(5303);
    double p[ROWS * 3], to[ROWS * 3];
    for (int at = 4; at < PEN_TEMPERATURES; at += 8) {
        for (int i = 0; i < ROWS; i++) {
            for (int a = 0; a < 3; a++)
                p[i * 3 + a] = 0.05 + pow(pen_rng_uniform(&rng), 3);
            normalize(3, p + i * 3);
            for (int a = 0; a < 3; a++)
                to[i * 3 + a] = i % 4 == 0 ? a == 1 : share(3, exp((at - 16) * 0.1), p + i * 3, a);
        }
        CHECK_CLOSE(pen_temperature_like(ROWS, 3, p, to, 1.2), exp((at - 16) * 0.1), 1e-14, 0);
    }
    CHECK_CLOSE(pen_temperature_like(1, 3, p, to, 1.2), 1.2, 0, 0);
}

/* Without rows, or with one class, all temperatures are equally good, so the default is kept. */
TEST(uninformative_rows)
{
    const double p[] = { 1 };
    pen_predictions answer;
    double q[1];
    pen_predictions_open(1, &answer);
    CHECK_CLOSE(
        pen_predictions_temperature(&answer, 1, pen_usual_temperature(PEN_CLASSIFIER_SCORES)),
        exp(-0.8), 1e-14, 0);
    pen_predictions_add(&answer, p, 0, 0, q);
    CHECK_CLOSE(pen_predictions_temperature(&answer, 2, 1.2), exp(0.2), 1e-14, 0);
    CHECK_CLOSE(pen_predictions_accuracy(&answer), 1, 0, 0);
    CHECK_CLOSE(pen_predictions_log_loss(&answer, 0), 0, 0, 1e-15);
}
