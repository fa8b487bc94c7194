/* test_answer.c - measures of predictions against literal sums, for any split of the rows, and
 * tempered probabilities. */
#include "check.h"
#include "readers/answer.h"

enum { ROWS = 60, MOST_C = 6 };

static const double temperatures[] = { 0.5, 1, 2, 4, 8 };

static double share(int64_t c, double temperature, const double *p, int64_t of)
{
    double rest = 0;
    for (int64_t a = 0; a < c; a++)
        rest += exp((log(fmax(p[a], 1e-4)) - log(fmax(p[of], 1e-4))) / temperature);
    return 1 / rest;
}

static void tempers(void **state)
{
    pen_rng rng = check_rng(5301);
    (void)state;
    for (int repeat = 0; repeat < 100; repeat++) {
        const int64_t c = 1 + repeat % MOST_C;
        const double temperature = temperatures[repeat % 5] * (repeat % 7 == 0 ? 0.001 : 1);
        double p[MOST_C], q[MOST_C], sum = 0;
        for (int64_t a = 0; a < c; a++)
            sum += p[a] = pow(pen_rng_uniform(&rng), 8);
        for (int64_t a = 0; a < c; a++)
            p[a] /= sum;
        memcpy(q, p, sizeof q);
        pen_temper(c, 0, q);
        assert_memory_equal(q, p, (size_t)c * sizeof *q);
        pen_temper(c, temperature, q);
        for (int64_t a = 0; a < c; a++)
            CHECK_CLOSE(q[a], share(c, temperature, p, a), 1e-11, 1e-15);
    }
    double sure[] = { 1, 0, 0 }, unsure[] = { 0.25, 0.4, 0.35 };
    pen_temper(3, 1e-4, unsure); /* no power underflows but those of lesser p */
    CHECK(unsure[0] == 0 && unsure[1] == 1, "%g %g %g", unsure[0], unsure[1], unsure[2]);
    pen_temper(3, 1, sure);
    CHECK_CLOSE(sure[0], 1 / 1.0002, 1e-14, 0);
    CHECK_CLOSE(sure[2], 1e-4 / 1.0002, 1e-14, 0);
}

static void measures(void **state)
{
    pen_rng rng = check_rng(5302);
    (void)state;
    for (int64_t c = 2; c <= MOST_C; c++) {
        double p[ROWS * MOST_C], q[MOST_C], mixed[5] = { 0 }, plain[5] = { 0 }, brier = 0,
                                            right = 0;
        int32_t predicted[ROWS], truth[ROWS];
        pen_answer all, parts[2];
        pen_answer_summary s, merged;
        int best = 0;

        pen_answer_open(c, &all);
        pen_answer_open(c, &parts[0]);
        pen_answer_open(c, &parts[1]);
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            truth[i] = (int32_t)pen_rng_below(&rng, c);
            predicted[i] = (int32_t)pen_rng_below(&rng, c);
            for (int64_t a = 0; a < c; a++)
                sum += p[i * c + a] = pow(pen_rng_uniform(&rng), (double)(2 * c)) + (a == truth[i]);
            for (int64_t a = 0; a < c; a++)
                p[i * c + a] /= sum;
            if (i % 9 == 0) /* surely wrong */
                for (int64_t a = 0; a < c; a++)
                    p[i * c + a] = a == (truth[i] + 1) % c;
            right += predicted[i] == truth[i];
            for (int64_t a = 0; a < c; a++)
                brier += pow(p[i * c + a] - (a == truth[i]), 2) / ROWS;
            for (int t = 0; t < 5; t++) {
                const double own = share(c, temperatures[t], p + i * c, truth[i]);
                mixed[t] -= log(0.98 * own + 0.02 / (double)c) / ROWS;
                plain[t] -= log(own) / ROWS;
            }
            pen_answer_add(&all, p + i * c, predicted[i], truth[i], q);
            pen_answer_add(&parts[i % 3 == 0], p + i * c, predicted[i], truth[i], q);
        }
        for (int t = 1; t < 5; t++)
            best = mixed[t] < mixed[best] ? t : best;
        pen_answer_summarize(&all, &s);
        CHECK_CLOSE(s.accuracy, right / ROWS, 1e-15, 0);
        CHECK_CLOSE(s.brier, brier, 1e-13, 0);
        CHECK_CLOSE(s.score, right / ROWS - brier / 1000, 1e-13, 0);
        CHECK_CLOSE(s.temperature, temperatures[best], 0, 0);
        CHECK_CLOSE(s.mixed_loss, mixed[best], 1e-12, 0);
        CHECK_CLOSE(s.log_loss, plain[1], 1e-12, 0);
        CHECK_CLOSE(s.tempered_log_loss, plain[best], 1e-12, 0);
        for (int t = 0; t < 5; t++) {
            CHECK_CLOSE(s.mixed_losses[t], mixed[t], 1e-12, 0);
            CHECK_CLOSE(pen_temperatures[t], temperatures[t], 0, 0);
        }
        pen_answer_merge(&parts[1], &parts[0]);
        pen_answer_summarize(&parts[0], &merged);
        assert_int_equal(parts[0].rows, ROWS);
        CHECK_CLOSE(merged.score, s.score, 1e-13, 0);
        CHECK_CLOSE(merged.mixed_loss, s.mixed_loss, 1e-13, 0);
        CHECK_CLOSE(merged.log_loss, s.log_loss, 1e-13, 0);
    }
}

/* One class: no temperature is better than another, so the first is taken. */
static void equal_losses(void **state)
{
    const double p[] = { 1 };
    pen_answer_summary s;
    pen_answer answer;
    double q[1];
    (void)state;
    pen_answer_open(1, &answer);
    pen_answer_add(&answer, p, 0, 0, q);
    pen_answer_summarize(&answer, &s);
    CHECK_CLOSE(s.temperature, 0.5, 0, 0);
    CHECK_CLOSE(s.accuracy, 1, 0, 0);
    CHECK_CLOSE(s.log_loss, 0, 0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tempers),
        cmocka_unit_test(measures),
        cmocka_unit_test(equal_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
