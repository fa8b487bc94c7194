/* test_saloe.c - saloe against printed numbers, the oracle and the definition: Nie, Wang, Wang, Li:
 * IEEE Transactions on Knowledge and Data Engineering (2021). */
#include "kit/sale_fit.h"

#include <stdio.h>

static const char method[] = "saloe";

TEST(golden)
{
    check_sale_golden('A');
}

TEST(matches_the_oracle)
{
    check_all_sale_shapes(method, 4101);
    check_sale_lattice(method, 4119);
    check_sale_many_rows(method, 4118);
}

TEST(fits)
{
    check_sale_starts(method, 4103);
    check_sale_seeds(method, 4104);
    check_sale_stops(method, 4106);
}

/* With several starts, all reported values belong to the best one. */
TEST(best_start)
{
    enum { STARTS = 12 };
    static const char *const notes[] = { "residual", "iterations", "converged" };
    pen_rng rng = check_rng(4120);
    int early = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        sample s = sample_random(&rng, 60, 6, 3, 24);
        char text[80];
        snprintf(text, sizeof text, "saloe pca=off init=random seed=13 restarts=%d", STARTS);
        pen_model *best = fit_sample(text, &s);
        const double start = info_number(best, "restart");
        early += start < STARTS - 1;
        snprintf(text, sizeof text, "saloe pca=off init=random seed=%.0f", 13 + start);
        pen_model *alone = fit_sample(text, &s);
        check_same_bits(best, alone, text);
        for (int64_t i = 0; i < COUNT_OF(notes); i++)
            CHECK_CLOSE(info_number(best, notes[i]), info_number(alone, notes[i]), 0, 0);
    }
    CHECK(early > 0, "the last start is always best");
}

TEST(few_rows)
{
    check_sale_classes(method, 4113);
    check_sale_few_rows(method);
}

TEST(errors)
{
    check_sale_errors(method, 4114);
}

/* One class lies on both sides of the other. */
TEST(class_on_both_sides)
{
    enum { N = 240 };
    for (uint64_t seed = 0; seed < 3; seed++) {
        pen_rng rng = { pen_rng_derive(4115, seed) };
        int32_t right[N];
        sample s = sale_sides(&rng, N, 10, right);
        const double found = sale_accuracy("saloe pca=off dim=1", &s, right),
                     other = sale_accuracy("sda dim=1 allow_fewer=true", &s, right);
        CHECK(found >= 0.98 && other <= 0.85, "seed %d: saloe %g, sda %g", (int)seed, found, other);
    }
}
