/* test_self_mix.c - the blend of LFDA, PCA and iLPP against printed numbers, the oracle, and the
 * methods at its limits. */
#include "kit/oracle_fit.h"

#include <stdio.h>

TEST(golden)
{
    static const double lambda[] = { 31.67114022, 5.894841851 },
                        w[] = { 4.702279798, -0.443076239, 0.743324377, 2.127648918 };
    sample a = sample_golden('A');
    check_golden("self-mix beta=0.25 gamma=0.25 neighbors=2", &a, 2, lambda, w);
}

TEST(matches_the_oracle)
{
    check_all_shapes(1261, 2,
                     "self-mix: beta=0.25 gamma=0.25; "
                     "beta=0.25 gamma=0.5 origin=mean neighbors=3; "
                     "beta=0.1 gamma=0.3 origin=mean graph=mutual total=covariance; "
                     "beta=0.5 gamma=0.5 origin=mean column_scaling=plain; "
                     "beta=0 gamma=0.4 ridge=0.1 origin=mean column_scaling=orthonormal; "
                     "beta=0.05 gamma=0.9 scale=standard; "
                     "beta=0.3 gamma=0.3 row_steps=l2 origin=mean ridge=0.2 dim=1");
}

TEST(limits)
{
    static const char *const texts[][2] = {
        { "self-mix beta=0.3", "self beta=0.3" },
        { "self-mix beta=0.3 gamma=0 total=covariance column_scaling=plain",
          "self beta=0.3 total=covariance column_scaling=plain" },
        { "self-mix", "self" },
        { "self-mix beta=1", "pca column_scaling=weighted" },
        { "self-mix beta=0", "lfda scaling_rows=all" },
        { "self-mix beta=0 gamma=0.3", "self-ilpp beta=0.3" },
        { "self-mix beta=0 gamma=0.6 origin=mean graph=mutual neighbors=9",
          "self-ilpp beta=0.6 origin=mean graph=mutual neighbors=9" },
        { "self-mix beta=0 gamma=1", "ilpp" },
    };
    pen_rng rng = check_rng(1262);
    for (int repeat = 0; repeat < check_repeats(5); repeat++) {
        sample s = sample_random(&rng, 50, 4, 3, 30), wide = sample_random(&rng, 15, 30, 3, 9);
        for (int64_t i = 0; i < COUNT_OF(texts); i++)
            check_same_fit(texts[i][0], &s, texts[i][1], &s, 1, 1, 1e-8);
        /* without iLPP the origin does not matter */
        check_same_fit("self-mix beta=0.4", &wide, "self beta=0.4", &wide, 1, 1, 1e-8);
    }
}

/* Blend weights in hundredths that sum to 1 leave no weight for labels. */
TEST(blend_weights)
{
    sample a = sample_golden('A');
    pen_data data = sample_data(&a);
    char text[100];
    CHECK_FIT_FAILS("self-mix beta=0.7 gamma=0.6", &data, PEN_BAD_ARGUMENT,
                    "beta + gamma must be at most 1, got 0.7 + 0.6");
    CHECK_FIT_FAILS("self-mix gamma=0.51", &data, PEN_BAD_ARGUMENT,
                    "beta + gamma must be at most 1, got 0.5 + 0.51");
    data.labels = NULL;
    for (int part = 0; part <= 100; part++) {
        snprintf(text, sizeof text, "self-mix beta=%g gamma=%g", part / 100.0,
                 (100 - part) / 100.0);
        fit_data(text, &data);
    }
    CHECK_FIT_FAILS("self-mix beta=0.5 gamma=0.4999999", &data, PEN_NO_LABELS, "label");
    CHECK_FIT_FAILS("self-mix", &data, PEN_NO_LABELS, "label");
}

TEST(degenerate_input)
{
    pen_rng rng = check_rng(1266);
    sample wide = sample_random(&rng, 10, 20, 2, 6), one_class = sample_random(&rng, 30, 3, 1, 9);
    const pen_data data[] = { sample_data(&wide), sample_data(&one_class) };
    check_like_oracle("self-mix beta=0.3 gamma=0.3", &wide, 1e-8);
    fit_data("self-mix beta=0.3 gamma=0.3 origin=mean", &data[0]);
    CHECK_FIT_FAILS("self-mix beta=0 gamma=0.3 origin=mean", &data[0], PEN_SINGULAR_SCATTER,
                    "ridge");
    CHECK_FIT_FAILS("self-mix beta=0", &data[1], PEN_ONE_CLASS, "class");
    check_like_oracle("self-mix beta=0.3 gamma=0.3", &one_class, 1e-8);
    check_like_oracle("self-mix beta=0 gamma=0.3", &one_class, 1e-8);
}
