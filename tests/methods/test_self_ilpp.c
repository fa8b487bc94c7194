/* test_self_ilpp.c - SELF' against printed numbers, the oracle, and its two limits. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double lambda[] = { 25.56806427, 2.095957006 },
                        w[] = { 3.709756144, -0.3158411332, 0.8853482025, 1.090357483 };
    sample a = sample_golden('A');
    check_golden("self-ilpp neighbors=2", &a, 2, lambda, w);
    check_golden("self_ilpp beta=0.5 neighbors=2", &a, 2, lambda, w);
}

TEST(matches_the_oracle)
{
    check_all_shapes(1241, 2,
                     "self-ilpp: beta=0.1 neighbors=3 graph=mutual; beta=0.9 origin=mean; "
                     "beta=0.3 ridge=0.1 origin=mean column_scaling=plain; "
                     "beta=0.01 scale=standard column_scaling=orthonormal; beta=0.7 neighbors=1; "
                     "beta=1 neighbors=4; beta=0 ridge=0.1; row_steps=l2 graph=mutual dim=1");
}

TEST(limits)
{
    pen_rng rng = check_rng(1242);
    for (int repeat = 0; repeat < check_repeats(5); repeat++) {
        sample s = sample_random(&rng, 50, 4, 3, 30), wide = sample_random(&rng, 15, 30, 3, 9);
        check_same_fit("self-ilpp beta=0", &s, "lfda scaling_rows=all", &s, 1, 1, 1e-8);
        check_same_fit("self-ilpp beta=0 origin=mean neighbors=3 column_scaling=plain", &s,
                       "lfda scaling_rows=all neighbors=3 column_scaling=plain", &s, 1, 1, 1e-8);
        check_same_fit("self-ilpp beta=0 ridge=0.2", &wide, "lfda scaling_rows=all ridge=0.2",
                       &wide, 1, 1, 1e-8);
        check_same_fit("self-ilpp beta=1", &s, "ilpp", &s, 1, 1, 1e-8);
        check_same_fit("self-ilpp beta=1 graph=mutual neighbors=9 ridge=0.2", &s,
                       "ilpp graph=mutual neighbors=9 ridge=0.2", &s, 1, 1, 1e-8);
        check_same_fit("self-ilpp beta=1 origin=mean ridge=0.1 column_scaling=orthonormal", &wide,
                       "ilpp origin=mean ridge=0.1 column_scaling=orthonormal", &wide, 1, 1, 1e-8);
    }
}

TEST(labels)
{
    pen_rng rng = check_rng(1248);
    sample s = sample_random(&rng, 40, 3, 1, 10), few = sample_random(&rng, 40, 6, 2, 4);
    const pen_data one_class = sample_data(&s), little = sample_data(&few);
    pen_data none = one_class;
    none.labels = NULL;
    CHECK_FIT_FAILS("self-ilpp beta=0", &one_class, PEN_ONE_CLASS, "class");
    check_like_oracle("self-ilpp beta=0.5", &s, 1e-8);
    check_like_oracle("self-ilpp beta=0.001", &s, 1e-8);
    CHECK_FIT_FAILS("self-ilpp", &none, PEN_NO_LABELS, "label");
    CHECK_FIT_FAILS("self-ilpp beta=0", &none, PEN_NO_LABELS, "label");
    fit_data("self-ilpp beta=1", &none);
    CHECK_FIT_FAILS("self-ilpp beta=0", &little, PEN_SINGULAR_SCATTER, "ridge");
    check_like_oracle("self-ilpp beta=0.01", &few, 1e-8);
}

TEST(degenerate_input)
{
    pen_rng rng = check_rng(1249);
    sample wide = sample_random(&rng, 10, 20, 2, 6), equal = sample_new(8, 2);
    const pen_data data[] = { sample_data(&wide), sample_data(&equal) };
    for (int64_t i = 0; i < equal.n; i++)
        equal.y[i] = (int32_t)(i % 2);
    CHECK_FIT_FAILS("self-ilpp", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    /* the origin does not matter */
    CHECK_FIT_FAILS("self-ilpp beta=0", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("self-ilpp origin=mean", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    fit_data("self-ilpp origin=mean ridge=0.1", &data[0]);
    fit_data("self-ilpp ridge=0.1", &data[0]);
    fit_data("self-ilpp origin=mean pca=rank", &data[0]);
    CHECK_FIT_FAILS("self-ilpp", &data[1], PEN_SINGULAR_SCATTER, NULL);
    CHECK_FIT_FAILS("self-ilpp beta=0", &data[1], PEN_SINGULAR_SCATTER, NULL);
}
