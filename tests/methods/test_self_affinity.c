/* test_self_affinity.c - SELF and LFDA with other affinities and separate blend weights of the
 * scatters, against literal sums and equivalent settings. */
#include "kit/oracle_fit.h"

#include <stdio.h>

TEST(matches_the_oracle)
{
    check_all_shapes(1301, 2,
                     "self affinity=heat: heat=3 beta=0.1; beta=0.001 neighbors=3; "
                     "neighbors=2 scale=standard beta=0.01");
    check_all_shapes(1301, 2,
                     "self affinity=knn: neighbors=1 beta=0.2; beta=0.95 neighbors=3; "
                     "neighbors=3 beta=0 ridge=0.1; neighbors=1000 beta=0.1; "
                     "beta_within=0 beta=0.3 ridge=0.01");
    check_all_shapes(1301, 2,
                     "self affinity=one: beta=0.001; beta=0.9 beta_within=0.02; "
                     "beta=0.05 total=covariance; beta=0.3 beta_within=0.05 column_scaling=plain");
    check_all_shapes(1301, 2,
                     "self: beta=0.1 beta_within=0.7; beta=0.7 beta_within=0.1 total=covariance; "
                     "beta=0 beta_within=0.2; beta=1 beta_within=0.2; beta=0.2 beta_within=1");
    check_all_shapes(1301, 2,
                     "lfda ridge=0.1: affinity=heat; affinity=heat heat=50 scaling_rows=all; "
                     "affinity=one; affinity=knn neighbors=2; "
                     "affinity=knn neighbors=2 scaling_rows=labelled; "
                     "affinity=knn neighbors=2 scaling_rows=all");
}

/* More rows of a class than a tile holds. */
static void same_model(const char *one, const char *other, const sample *s)
{
    pen_model *a = fit_sample(one, s), *b = fit_sample(other, s);
    const expected e = expected_of(b);

    CHECK(pen_model_dim(a) == e.k, "%s gives %lld dimensions, %s %lld", one,
          (long long)pen_model_dim(a), other, (long long)e.k);
    check_model(a, &e, 1e-9, one);
}

TEST(settings_that_are_the_same)
{
    pen_rng rng = check_rng(1303);

    for (int repeat = 0; repeat < check_repeats(5); repeat++) {
        sample s = sample_random(&rng, 60, 5, 3, 30);
        same_model("self affinity=one beta=0 dim=2", "fda column_scaling=weighted dim=2", &s);
        same_model("lfda affinity=one dim=2", "fda column_scaling=weighted dim=2", &s);
        same_model("self affinity=one beta=1", "pca column_scaling=weighted", &s);
        same_model("self beta=0.3", "self beta=0.3 beta_within=0.3", &s);
        same_model("self beta=0 affinity=heat", "lfda scaling_rows=all affinity=heat", &s);
        same_model("self beta=0 affinity=knn", "lfda scaling_rows=all affinity=knn", &s);
        /* all rows of a class are neighbors, and a wide kernel is 1 everywhere */
        same_model("self affinity=knn neighbors=60", "self affinity=one", &s);
        same_model("self affinity=heat heat=1e14", "self affinity=one", &s);
    }
}

/* Cross-validation keeps a weight that is given. */
TEST(auto_with_a_given_weight)
{
    pen_rng rng = check_rng(1304);
    sample s = sample_random(&rng, 80, 4, 2, 40);
    const pen_data data = sample_data(&s);
    static const char *const others[] = { "", " affinity=knn", " affinity=heat", " affinity=one" };

    for (int64_t i = 0; i < COUNT_OF(others); i++)
        for (int given = 0; given < 2; given++) {
            char text[160];
            snprintf(text, sizeof text, "self beta=auto%s%s", others[i],
                     given ? " beta_within=0.125" : "");
            pen_model *chosen = fit_data(text, &data);
            const double beta = model_number(chosen, "info.beta");
            CHECK(!isnan(beta), "%s: no beta", text);
            snprintf(text, sizeof text, "self beta=%.17g beta_within=%.17g%s", beta,
                     given ? 0.125 : beta, others[i]);
            pen_model *set = fit_data(text, &data);
            const expected e = expected_of(set);
            check_model(chosen, &e, 1e-12, text);
        }
}

/* beta = 0 with too few labelled rows: C is singular, and a positive weight of I, however given,
 * makes it regular. */
TEST(weight_makes_it_regular)
{
    pen_rng rng = check_rng(1307);
    sample s = sample_random(&rng, 50, 8, 2, 6);
    const pen_data data = sample_data(&s);

    CHECK_FIT_FAILS("self beta=0", &data, PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("self beta=0.5 beta_within=0", &data, PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("self beta=0 affinity=one", &data, PEN_SINGULAR_SCATTER, "ridge");
    fit_data("self beta=0.5 beta_within=1e-6", &data);
    fit_data("self beta=0 beta_within=1e-6", &data);
}

TEST(rejected_input)
{
    sample a = sample_golden('A'), c = sample_golden('C');
    pen_data data = sample_data(&a);

    /* the labels that one scatter needs */
    data.labels = NULL;
    CHECK_FIT_FAILS("self beta=1 beta_within=0.5", &data, PEN_NO_LABELS, "label");
    fit_data("self beta=1 beta_within=1", &data);
    /* every neighbor of a labelled row is its copy: the width is 0 */
    for (int64_t i = 0; i < c.n; i++)
        for (int64_t j = 0; j < 2; j++)
            c.x[i * 2 + j] = (double)(i / 4);
    data = sample_data(&c);
    same_model("self affinity=heat neighbors=1", "self neighbors=1", &c);
    fit_data("self affinity=heat neighbors=1 heat=2 dim=1", &data);
}
