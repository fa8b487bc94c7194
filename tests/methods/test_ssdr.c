/* test_ssdr.c - ssdr against printed numbers, the oracle and pca: Zhang, Zhou, Chen: SDM 2007. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    check_pair_golden("ssdr");
}

TEST(matches_the_oracle)
{
    check_all_shapes(701, 4,
                     "ssdr: alpha=2 beta=0.5; alpha=0; beta=0; alpha=0.3 beta=1 dim=2; dim=1; "
                     "dim=40; scale=standard; scale=minmax dim=2; pca=3; "
                     "pca=0.9 scale=standard beta=1; pca=rank");
}

/* Weights of 0, or no pairs: principal components, with variances as eigenvalues. */
TEST(pca_is_its_limit)
{
    pen_rng rng = check_rng(703);

    for (int which = 0; which < 4; which++) {
        linked l = which % 2 == 0 ? linked_random(&rng, 50, 6, 3, 30, 30)
                                  : linked_random(&rng, 15, 24, 3, 20, 20);
        pen_data data = linked_data(&l), rows = data;
        rows.must_link = rows.cannot_link = NULL;
        rows.must_link_count = rows.cannot_link_count = 0;
        pen_model *model = fit_data(which < 2 ? "ssdr alpha=0 beta=0" : "ssdr",
                                    which < 2 ? &data : &rows),
                  *pca = fit_data("pca", &rows);
        const int64_t r = pen_model_dim(pca), d = l.s.d;
        CHECK(pen_model_dim(model) == r, "%lld dimensions, expected %lld",
              (long long)pen_model_dim(model), (long long)r);
        for (int64_t j = 0; j < r; j++)
            CHECK_CLOSE(model_eigenvalues(model)[j] * (double)l.s.n, model_eigenvalues(pca)[j],
                        1e-10, 0);
        for (int64_t i = 0; i < d * r; i++)
            CHECK_CLOSE(model_columns(model)[i], model_columns(pca)[i], 0, 1e-9);
    }
}
