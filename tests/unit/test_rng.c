/* test_rng.c - random numbers: published draws of SplitMix64, and functions built on it. */
#include "check.h"

/* Draws for seed 1234567, commonly used to check implementations of SplitMix64. */
TEST(draws_are_those_of_splitmix)
{
    static const uint64_t expected[] = { 6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u,
                                         16408922859458223821u };
    pen_rng rng = { 1234567 };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_true(pen_rng_next(&rng) == expected[i]);
}

/* n numbers are uniform over the bins: chi-square with 99 degrees of freedom exceeds 160 with
 * probability below 1 in 10000. */
static void check_even(const int64_t *bins, int64_t count, int64_t draws)
{
    const double mean = (double)draws / (double)count;
    double chi = 0;
    for (int64_t i = 0; i < count; i++)
        chi += ((double)bins[i] - mean) * ((double)bins[i] - mean) / mean;
    CHECK(chi < 160 && chi > 55, "chi squared is %g", chi);
}

TEST(numbers_are_in_range_and_even)
{
    enum { BINS = 100, DRAWS = 100000 };
    pen_rng rng = { 42 };
    int64_t below[BINS] = { 0 }, uniform[BINS] = { 0 };
    for (int i = 0; i < DRAWS; i++) {
        const int64_t k = pen_rng_below(&rng, BINS);
        const double u = pen_rng_uniform(&rng);
        assert_true(k >= 0 && k < BINS && u >= 0 && u < 1 && u * 0x1p53 == floor(u * 0x1p53));
        below[k]++;
        uniform[(int)(u * BINS)]++;
    }
    check_even(below, BINS, DRAWS);
    check_even(uniform, BINS, DRAWS);
    assert_int_equal(pen_rng_below(&rng, 1), 0);
}

/* Every permutation of four elements appears about equally often. */
TEST(permutations_are_even)
{
    enum { DRAWS = 24000 };
    pen_rng rng = { 7 };
    int64_t counts[256] = { 0 };
    int orders = 0;
    for (int i = 0; i < DRAWS; i++) {
        int64_t order[4];
        int seen = 0, code = 0;
        pen_rng_permutation(&rng, 4, order);
        for (int k = 0; k < 4; k++) {
            assert_true(order[k] >= 0 && order[k] < 4);
            seen |= 1 << order[k];
            code = 4 * code + (int)order[k];
        }
        assert_int_equal(seen, 15);
        counts[code]++;
    }
    for (int code = 0; code < 256; code++) {
        orders += counts[code] > 0;
        CHECK(counts[code] == 0 || llabs(counts[code] - DRAWS / 24) < 160,
              "an order occurs %d times in %d", (int)counts[code], DRAWS);
    }
    assert_int_equal(orders, 24);
}

TEST(derived_streams_differ)
{
    uint64_t seeds[200];
    for (uint64_t i = 0; i < 200; i++)
        seeds[i] = pen_rng_derive(i / 20, i % 20);
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < i; j++)
            assert_true(seeds[i] != seeds[j]);
    assert_true(pen_rng_derive(3, 5) == pen_rng_derive(3, 5));
}
