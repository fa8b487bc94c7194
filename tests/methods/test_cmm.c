/* test_cmm.c - the margin between cannot-links and must-links against printed numbers, the oracle,
 * and its limits: Wang, Chen, Li, Zhang: CIKM 2008. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    check_pair_golden("cmm");
}

TEST(matches_the_oracle)
{
    check_all_shapes(801, 4,
                     "cmm: dim=1; dim=3; dim=40; scale=standard; scale=minmax dim=2; pca=3; "
                     "pca=0.9 scale=standard");
}

/* ssdr with large weights equals cmm. */
TEST(heavy_weights_of_ssdr)
{
    pen_rng rng = check_rng(804);
    linked l = linked_random(&rng, 40, 5, 3, 40, 40);
    const pen_data data = linked_data(&l);
    pen_model *cmm = fit_data("cmm", &data), *ssdr = fit_data("ssdr alpha=1e9 beta=1e9", &data);

    for (int64_t j = 0; j < 5; j++)
        CHECK_CLOSE(model_eigenvalues(ssdr)[j] / 1e9, model_eigenvalues(cmm)[j], 1e-6, 1e-6);
    for (int64_t i = 0; i < 25; i++)
        CHECK_CLOSE(model_columns(ssdr)[i], model_columns(cmm)[i], 0, 1e-6);
}

TEST(errors)
{
    pen_rng rng = check_rng(813);
    linked l = linked_random(&rng, 30, 4, 2, 0, 0);
    pen_data data = linked_data(&l);

    CHECK_FIT_FAILS("cmm", &data, PEN_NO_PAIRS, NULL);
    for (int64_t i = 1; i < 30; i++)
        l.s.y[i] = PEN_UNLABELLED;
    data.labels = l.s.y; /* one labelled row forms no pair */
    CHECK_FIT_FAILS("cmm", &data, PEN_NO_PAIRS, NULL);
}
