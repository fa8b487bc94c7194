/* test_wbdr.c - wbdr against printed numbers, the oracle, and the propositions of the paper: Long,
 * Meng, Sioutis: IEEE Access 8 (2020). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    check_pair_golden("wbdr");
}

TEST(matches_the_oracle)
{
    check_all_shapes(601, 4,
                     "wbdr: threshold=0.5; threshold=0.95; threshold=0.01 dim=3; target=1; "
                     "target=mean; target=0.3 threshold=0.8; dim=1; dim=2; dim=40; "
                     "scale=standard; scale=minmax threshold=0.7; pca=3; "
                     "pca=0.9 scale=standard dim=2; pca=rank target=mean");
}

/* Columns of different size, one a sum of others. Must-links are compressed strongly, so that
 * rounding errors of that column stay uncompressed; they must not become a column. */
TEST(no_columns_of_noise)
{
    static const char *const texts[] = { "wbdr", "wbdr target=1", "wbdr target=0.001" };
    pen_rng rng = check_rng(625);

    for (int repeat = 0; repeat < check_repeats(20); repeat++) {
        linked l = linked_random(&rng, 60, 6, 3, 60, 70);
        if (repeat % 2 == 1)
            linked_label(&rng, &l, 30);
        for (int64_t i = 0; i < 60; i++) {
            double *x = l.s.x + 6 * i;
            for (int c = 0; repeat % 4 >= 2 && c < 6; c++)
                x[c] *= pow(10, c - 1);
            x[5] = x[1] - 2 * x[3];
        }
        const pen_data data = linked_data(&l);
        for (int64_t t = 0; t < COUNT_OF(texts); t++) {
            pen_model *model = fit_data(texts[t], &data);
            CHECK(pen_model_dim(model) == 5,
                  "%s: %lld dimensions of rows of rank 5, the last with the eigenvalue %g of %g",
                  texts[t], (long long)pen_model_dim(model),
                  model_eigenvalues(model)[pen_model_dim(model) - 1], model_eigenvalues(model)[0]);
        }
    }
}
