/* test_sda.c - discriminant analysis with a graph of all rows against printed numbers, the oracle
 * and Fisher's analysis: Cai, He, Han: ICCV 2007. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { -0.1066925754, 0.9376496126, -0.3308019021 },
                        value[] = { 0.7436860817 };
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    check_printed_fit("sda alpha=0.1 ridge=0.1 neighbors=3 dim=1", &data, 1, value, w, 1e-7);
    /* as the authors set it */
    check_printed_fit("sda neighbors=3 dim=1", &data, 1, value, w, 1e-7);
    check_like("sda neighbors=3", &data, NULL, 1e-8);
}

TEST(matches_the_oracle)
{
    check_all_shapes(3701, 1,
                     "sda: alpha=2 neighbors=3; graph=heat; graph=adaptive; "
                     "graph=heat heat=4 alpha=0.5 ridge=3 dim=1; alpha=0 ridge=0.01; "
                     "alpha=0 ridge=0; ridge=0 neighbors=12; scale=standard graph=adaptive; pca=3; "
                     "pca=rank scale=minmax ridge=0.001; dim=40; alpha=0 neighbors=1000");
}

/* With all rows labelled and no further terms: Fisher's subspace, with value / (1 + value) for each
 * value. */
TEST(fisher_is_its_limit)
{
    pen_rng rng = check_rng(3711);
    sample s = sample_random(&rng, 60, 5, 4, 60);
    pen_model *model = fit_sample("sda alpha=0 ridge=0 neighbors=1000", &s),
              *fda = fit_sample("fda column_scaling=plain", &s);
    CHECK(pen_model_dim(model) == 3 && pen_model_dim(fda) == 3, "%lld dimensions",
          (long long)pen_model_dim(model));
    for (int64_t j = 0; j < 3; j++) {
        const double value = model_eigenvalues(fda)[j];
        CHECK_CLOSE(model_eigenvalues(model)[j], value / (1 + value), 1e-10, 0);
        CHECK(check_subspaces(5, 1, model_columns(model) + j, 3, model_columns(fda) + j, 3) < 1e-8,
              "column %lld", (long long)j);
    }
}

TEST(errors)
{
    pen_rng rng = check_rng(3708);
    sample s = sample_random(&rng, 30, 4, 3, 12), wide = sample_random(&rng, 12, 20, 2, 8),
           equal = sample_random(&rng, 30, 4, 3, 12);
    for (int64_t i = 0; i < 120; i++)
        equal.x[i] = 0.1;
    const pen_data wide_data = sample_data(&wide), equal_data = sample_data(&equal);
    CHECK_FIT_FAILS("sda ridge=0", &wide_data, PEN_SINGULAR_SCATTER, "ridge");
    fit_data("sda ridge=1e-3", &wide_data);
    CHECK_FIT_FAILS("sda", &equal_data, PEN_RANK_TOO_SMALL, NULL);
    CHECK_FIT_FAILS("sda graph=heat", &equal_data, PEN_BAD_DATA,
                    "heat auto: all neighbors are equal rows");
    check_rank("sda", &s, 3);
}
