/* test_stsd.c - discriminant analysis with tangent spaces against printed numbers, the oracle and
 * other tangents: Zhou, Sun: International Journal of Machine Learning and Cybernetics 6 (2015). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { 0.001802669088, 0.2912793851, -0.08883455329 },
                        value[] = { 0.5013427749 };
    static const char text[] = "stsd alpha=0.3 gamma=1 beta=1e-4 neighbors=3 tangent_dim=1";
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    check_printed_fit(text, &data, 1, value, w, 1e-9);
    check_like(text, &data, NULL, 1e-9);
}

TEST(matches_the_oracle)
{
    /* 6 is the number of tangent dimensions */
    check_shapes(4601, 1, 2, 1e-7,
                 "stsd: alpha=2 neighbors=4 dim=1; graph=heat gamma=3; "
                 "graph=heat heat=4 alpha=0.5 beta=0.1; alpha=0; tangent_dim=1 gamma=0.2; "
                 "tangent_dim=3 neighbors=9; tangent_dim=6 neighbors=3; "
                 "scale=standard graph=heat; pca=3; dim=40; alpha=0 beta=0.5 neighbors=1000");
    pen_rng rng = check_rng(4602);
    sample s = sample_random(&rng, 40, 1, 2, 12);
    const pen_data data = sample_data(&s);
    check_like("stsd tangent_dim=1", &data, NULL, 1e-8);
    check_like("stsd", &data, NULL, 1e-8); /* one column: one direction */
}

/* With as many tangents as columns any tangent basis is equivalent, so equal local variances do not
 * matter. */
TEST(whole_space_as_tangents)
{
    pen_rng rng = check_rng(4605);
    sample s = sample_random(&rng, 40, 3, 3, 18);
    const pen_data data = sample_data(&s);
    check_like("stsd tangent_dim=3 neighbors=5", &data, NULL, 1e-8);
    pen_model *two = fit_data("stsd tangent_dim=2", &data),
              *three = fit_data("stsd tangent_dim=3", &data);
    CHECK(fabs(model_eigenvalues(two)[0] - model_eigenvalues(three)[0]) > 1e-6,
          "tangent_dim makes no difference");
}
