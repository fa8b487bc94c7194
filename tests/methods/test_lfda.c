/* test_lfda.c - local Fisher discriminant analysis against printed numbers, the oracle, and general
 * properties. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    sample a = sample_golden('A'), b = sample_golden('B');
    static const double three[] = { 40.01461271, 1.035972289, 0.951888189 },
                        all[] = { 18.89140177, 0.2053736301 },
                        small[] = { 28.95222604, 0.8761812814 },
                        seven[] = { 15.37416156, 0.04310918618 };
    static const double w_three[] = { 5.233209146,  -0.1030082567, 0.5869711337,
                                      -2.600007848, 0.712909309,   0.6330463883,
                                      4.418161339,  0.4515694912,  -0.5967416538 };
    static const double w_all[] = { 2.505931355,  -0.0514689039, -1.205124222,
                                    0.1852507151, 2.08287037,    0.1538111595 };
    static const double w_small[] = { 3.413462318,  0.5260587429, -2.397977649,
                                      0.6899199434, 3.543598177,  -0.4738121343 };
    static const double w_seven[] = { 2.581775941, -0.05429108209, 0.6562587146, 0.1702986932 };

    check_golden("lfda neighbors=2", &b, 3, three, w_three); /* classwise is the default */
    check_golden("lfda neighbors=4 scaling_rows=all", &b, 2, all, w_all);
    /* every row of B is labelled */
    check_golden("lfda neighbors=4 scaling_rows=labelled", &b, 2, all, w_all);
    /* 7 neighbors: the classes are smaller */
    check_golden("lfda", &b, 2, small, w_small);
    check_golden("lfda scaling_rows=all", &a, 2, seven, w_seven);
}

TEST(matches_the_oracle)
{
    check_all_shapes(202, 3,
                     "lfda: scaling_rows=labelled; scaling_rows=all neighbors=3; "
                     "neighbors=1 column_scaling=plain; "
                     "neighbors=2 scaling_rows=labelled column_scaling=orthonormal; "
                     "neighbors=100000 dim=1; ridge=0.1; "
                     "ridge=1e-4 column_scaling=orthonormal scaling_rows=all; scale=standard; "
                     "scale=minmax row_steps=l2 scaling_rows=labelled; pca=3; "
                     "pca=0.9 scale=standard scaling_rows=all; pca=rank ridge=0.01");
}

TEST(larger)
{
    pen_rng rng = check_rng(203);
    sample tall = sample_random(&rng, 2500, 5, 3, 400), wide = sample_random(&rng, 12, 90, 3, 10),
           classes = sample_random(&rng, 700, 4, 2, 620);

    check_like_oracle("lfda scaling_rows=all", &tall, 1e-8);
    check_like_oracle("lfda", &classes, 1e-8);
    check_like_oracle("lfda ridge=0.5", &wide, 1e-8);
    check_like_oracle("lfda pca=4 neighbors=2", &wide, 1e-8);
}

/* All rows are so close that affinities are nearly 1: LFDA equals FDA. */
TEST(affinity_one_is_fda)
{
    pen_rng rng = check_rng(204);
    sample s = sample_random(&rng, 60, 3, 2, 60);
    const double far = 1e6; /* the affinities are 1 - 1e-10 here */

    /* One distant unlabelled row is the neighbor that determines all scales. */
    s.y[0] = PEN_UNLABELLED;
    s.x[0] = far;
    pen_model *fisher = fit_sample("fda dim=1", &s);
    pen_model *local = fit_sample("lfda scaling_rows=all neighbors=100000 dim=1", &s);
    CHECK_CLOSE(model_eigenvalues(local)[0], model_eigenvalues(fisher)[0], 1e-8, 0);
    CHECK(check_subspaces(3, 1, model_columns(local), 1, model_columns(fisher), 1) < 1e-7,
          "the directions differ");
}

TEST(singular_scatters)
{
    pen_rng rng = check_rng(213);
    sample constant = sample_shape(&rng, 6), wide = sample_shape(&rng, 3), c = sample_golden('C');
    sample few = sample_random(&rng, 40, 8, 3, 10); /* n' - c = 7 < 8 */
    const pen_data data[] = { sample_data(&constant), sample_data(&wide), sample_data(&few),
                              sample_data(&c) };

    for (int i = 0; i < 3; i++) {
        CHECK_FIT_FAILS("lfda", &data[i], PEN_SINGULAR_SCATTER, "ridge");
        CHECK_FIT_FAILS("lfda scaling_rows=all scale=standard", &data[i], PEN_SINGULAR_SCATTER,
                        "pca");
        fit_data("lfda ridge=0.001", &data[i]);
        fit_data("lfda pca=2", &data[i]);
    }
    /* every scale is 0, so S_lw = 0 */
    CHECK_FIT_FAILS("lfda scaling_rows=all neighbors=1", &data[3], PEN_SINGULAR_SCATTER, NULL);
    fit_data("lfda scaling_rows=all neighbors=1 ridge=1", &data[3]);
}
