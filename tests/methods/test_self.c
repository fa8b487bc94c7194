/* test_self.c - SELF against printed numbers, the oracle, its two limits, and general
 * properties. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const struct {
        const char *text;
        double lambda[2], w[4];
    } cases[] = {
        { "self",
          { 28.41098978, 8.834007294 },
          { 4.315932383, -0.249598019, -0.03941582667, 2.689764746 } },
        { "self column_scaling=plain",
          { 28.41098978, 8.834007294 },
          { 0.8097136305, -0.08397736769, -0.007394817453, 0.9049725794 } },
        { "self column_scaling=orthonormal",
          { 28.41098978, 8.834007294 },
          { 0.9999583001, 0.009132252208, -0.009132252208, 0.9999583001 } },
        { "self total=covariance",
          { 12.64208941, 1.243689008 },
          { 2.764906473, -0.2685440621, 0.6038665959, 0.9913349964 } },
        { "self beta=1",
          { 56.52176285, 19.16573715 },
          { 7.512759242, 0.1649198806, -0.2832162037, 4.374761546 } },
        { "self neighbors=2",
          { 42.32124154, 12.52549915 },
          { 6.375772245, -0.4043882928, 0.2917449248, 3.782548255 } },
        { "self beta=0.25 neighbors=1",
          { 75.92090249, 8.391597509 },
          { 15.08140227, -2.902809953, 8.731260825, 5.013988872 } },
    };
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        sample s = sample_golden(i + 1 < COUNT_OF(cases) ? 'A' : 'C');
        check_golden(cases[i].text, &s, 2, cases[i].lambda, cases[i].w);
    }
    sample c = sample_golden('C');
    const pen_data data = sample_data(&c);
    /* every scale is 0, so S_lw = 0 */
    CHECK_FIT_FAILS("self beta=0 neighbors=1", &data, PEN_SINGULAR_SCATTER, NULL);
}

TEST(matches_the_oracle)
{
    check_all_shapes(301, 3,
                     "self: beta=0; beta=0.01 neighbors=3; beta=0.9 column_scaling=plain; "
                     "beta=0.3 neighbors=2 column_scaling=orthonormal; beta=1; total=covariance; "
                     "beta=0.2 ridge=0.1; beta=0 ridge=0.01 dim=1; neighbors=1 dim=1; "
                     "neighbors=100000; scale=standard; "
                     "scale=minmax row_steps=l2 column_scaling=orthonormal; "
                     "pca=3 total=covariance; pca=0.9 scale=standard; pca=rank beta=0.1");
}

TEST(larger)
{
    pen_rng rng = check_rng(302);
    sample tall = sample_random(&rng, 2500, 5, 3, 400), wide = sample_random(&rng, 12, 90, 3, 10);

    check_like_oracle("self", &tall, 1e-8);
    check_like_oracle("self scale=standard beta=0.05", &tall, 1e-8);
    check_like_oracle("self", &wide, 1e-8);
    check_like_oracle("self beta=0.1 neighbors=2 column_scaling=orthonormal", &wide, 1e-8);
    check_like_oracle("self scale=standard total=covariance column_scaling=plain", &wide, 1e-8);
    check_like_oracle("self ridge=0.3 beta=0.1", &wide, 1e-8);
}

TEST(limits)
{
    pen_rng rng = check_rng(303);

    for (int repeat = 0; repeat < check_repeats(5); repeat++) {
        sample s = sample_random(&rng, 50, 5, 3, 30), wide = sample_random(&rng, 15, 30, 3, 9);
        check_same_fit("self beta=0", &s, "lfda scaling_rows=all", &s, 1, 1, 1e-10);
        check_same_fit("self beta=0 column_scaling=orthonormal neighbors=3", &s,
                       "lfda scaling_rows=all column_scaling=orthonormal neighbors=3", &s, 1, 1,
                       1e-10);
        check_same_fit("self beta=0 ridge=0.2", &wide, "lfda scaling_rows=all ridge=0.2", &wide, 1,
                       1, 1e-10);
        check_same_fit("self beta=1", &s, "pca column_scaling=weighted", &s, 1, 1, 1e-10);
        check_same_fit("self beta=1 column_scaling=plain", &s, "pca", &s, 1, 1, 1e-10);
        check_same_fit("self beta=1 column_scaling=orthonormal", &wide,
                       "pca column_scaling=orthonormal", &wide, 1, 1, 1e-10);
        check_same_fit("self beta=1 total=covariance", &s, "pca column_scaling=weighted", &s,
                       sqrt(1.0 / 50), 1.0 / 50, 1e-10);
        check_same_fit("self beta=1 total=covariance", &wide, "pca column_scaling=weighted", &wide,
                       sqrt(1.0 / 15), 1.0 / 15, 1e-10);
    }
}

/* One labelled class or row adds nothing to S_lb; the fit is still defined for beta > 0. */
TEST(one_class)
{
    pen_rng rng = check_rng(311);
    sample s = sample_random(&rng, 40, 4, 1, 10);
    const pen_data data = sample_data(&s);

    check_like_oracle("self beta=0.5", &s, 1e-8);
    check_like_oracle("self beta=0.001 column_scaling=plain", &s, 1e-8);
    CHECK_FIT_FAILS("self beta=0", &data, PEN_ONE_CLASS, "class");
    for (int64_t i = 0, left = 1; i < s.n; i++)
        if (s.y[i] != PEN_UNLABELLED && left-- <= 0)
            s.y[i] = PEN_UNLABELLED;
    check_like_oracle("self beta=0.5", &s, 1e-8);
    CHECK_FIT_FAILS("self beta=0", &data, PEN_ONE_CLASS, "class");
}

TEST(singular_scatters)
{
    pen_rng rng = check_rng(312);
    sample constant = sample_shape(&rng, 6), wide = sample_shape(&rng, 3);
    const pen_data data[] = { sample_data(&constant), sample_data(&wide) };

    for (int i = 0; i < 2; i++) {
        CHECK_FIT_FAILS("self beta=0", &data[i], PEN_SINGULAR_SCATTER, "ridge");
        fit_data("self beta=0 ridge=0.001", &data[i]);
        fit_data("self beta=0 pca=2", &data[i]);
        fit_data("self beta=1e-6", &data[i]);
    }
}

/* beta = 1 is PCA in any unit of the columns: C = I, even if it is small compared with B. */
TEST(limits_in_any_unit)
{
    pen_rng rng = check_rng(420);
    sample s = sample_random(&rng, 60, 4, 2, 20);
    for (int64_t i = 0; i < s.n * s.d; i++)
        s.x[i] *= 1e12;
    pen_model *self = fit_sample("self beta=1", &s),
              *pca = fit_sample("pca column_scaling=weighted", &s);
    const expected e = expected_of(pca);
    check_model(self, &e, 1e-12, "self beta=1 on values of 1e12");
}
