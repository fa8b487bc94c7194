/* test_lpp.c - lpp against printed numbers, the oracle, and ilpp, which has the same columns with
 * different lengths. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double lambda[] = { 0.04280778537, 0.3982457819 },
                        w[] = { 0.1303928786, -0.1031128633, 0.02897599575, 0.3813958079 };
    sample a = sample_golden('A');
    check_golden("lpp neighbors=2", &a, 2, lambda, w);
    check_golden("lpp neighbors=2 column_scaling=plain", &a, 2, lambda, w);
}

TEST(matches_the_oracle)
{
    check_all_shapes(1221, 2,
                     "lpp: neighbors=2; neighbors=3 graph=mutual; origin=mean; ridge=0.01 dim=1; "
                     "neighbors=100000 column_scaling=orthonormal; scale=standard neighbors=20; "
                     "graph=mutual neighbors=20; "
                     "scale=standard row_steps=l2 origin=mean column_scaling=orthonormal");
}

/* The same vectors with reciprocal values, in the same order: the same subspace for every dimension
 * that a gap defines. */
TEST(subspaces_of_ilpp)
{
    static const char *const texts[][2] = {
        { "lpp", "ilpp column_scaling=plain" },
        { "lpp origin=mean neighbors=3", "ilpp origin=mean neighbors=3 column_scaling=plain" },
        { "lpp graph=mutual neighbors=10",
          "ilpp graph=mutual neighbors=10 column_scaling=plain" }
    };
    pen_rng rng = check_rng(1222);
    for (int repeat = 0; repeat < check_repeats(3); repeat++)
        for (int64_t i = 0; i < COUNT_OF(texts); i++) {
            sample s = sample_random(&rng, 80, 5, 3, 0);
            pen_model *lpp = fit_sample(texts[i][0], &s), *ilpp = fit_sample(texts[i][1], &s);
            const double *small = model_eigenvalues(lpp), *large = model_eigenvalues(ilpp);
            for (int64_t c = 0; c < 5; c++) {
                CHECK_CLOSE(small[c] * large[c], 1, 1e-10, 0);
                const double gap = c == 4 ? 1 : (small[c + 1] - small[c]) / small[4];
                const double apart =
                    check_subspaces(5, c + 1, model_columns(lpp), 5, model_columns(ilpp), 5);
                CHECK(gap < 1e-3 || apart < 1e-10,
                      "%s: the first %lld columns are %.3g from those of ilpp", texts[i][0],
                      (long long)c + 1, apart);
                for (int64_t j = 0;
                     gap > 1e-3 && j < 5 && (c == 0 || small[c] - small[c - 1] > 1e-3 * small[4]);
                     j++)
                    CHECK_CLOSE(model_columns(lpp)[j * 5 + c] * sqrt(large[c]),
                                model_columns(ilpp)[j * 5 + c], 1e-7, 1e-8);
            }
        }
}

/* Neighbors are equal in one column: its value is exactly 0, never negative. */
TEST(equal_among_neighbors)
{
    pen_rng rng = check_rng(1226);
    sample s = sample_random(&rng, 50, 3, 2, 0);
    for (int64_t i = 0; i < s.n; i++)
        s.x[i * 3 + 1] = i % 2 ? 300 : -500;
    pen_model *model = fit_sample("lpp", &s);
    CHECK(model_eigenvalues(model)[0] >= 0 && model_eigenvalues(model)[0] < 1e-14,
          "the first value is %g", model_eigenvalues(model)[0]);
    CHECK(fabs(model_columns(model)[0]) < 1e-10 * model_columns(model)[3],
          "the constant direction is not the first column");
}

TEST(degenerate_input)
{
    pen_rng rng = check_rng(1227);
    sample wide = sample_random(&rng, 10, 20, 2, 0), dependent = sample_random(&rng, 30, 3, 2, 0),
           copies = sample_new(60, 3), one = sample_new(1, 1);
    const pen_data data[] = { sample_data(&wide), sample_data(&dependent), sample_data(&copies),
                              sample_data(&one) };
    for (int64_t i = 0; i < copies.n * copies.d; i++)
        copies.x[i] = i < 3 * 10 ? check_normal(&rng) : copies.x[i - 3 * 10];
    for (int64_t i = 0; i < dependent.n; i++)
        dependent.x[i * 3 + 2] = dependent.x[i * 3] - 2 * dependent.x[i * 3 + 1];
    one.x[0] = 1;
    CHECK_FIT_FAILS("lpp", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("lpp origin=mean", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    fit_data("lpp origin=mean ridge=0.01 dim=2", &data[0]);
    pen_model *without = fit_data("lpp", &data[1]);
    CHECK(pen_model_dim(without) == 2, "a dependent column adds a dimension");
    fit_data("lpp ridge=0.01", &data[1]);
    CHECK_FIT_FAILS("lpp neighbors=5", &data[2], PEN_SINGULAR_SCATTER,
                    "or more duplicates; set neighbors higher");
    CHECK_FIT_FAILS("lpp neighbors=5 graph=mutual", &data[2], PEN_SINGULAR_SCATTER,
                    "each has 5 or more duplicates");
    CHECK_FIT_FAILS("lpp", &data[3], PEN_SINGULAR_SCATTER, "all rows are equal");
}
