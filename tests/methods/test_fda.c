/* test_fda.c - Fisher discriminant analysis against printed numbers, the oracle, and general
 * properties. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    sample b = sample_golden('B');
    static const double lambda[] = { 15.05958023 },
                        column[] = { 1.973268884, -0.9473345377, 1.716785298 };

    check_golden("fda", &b, 1, lambda, column);
    check_rank("fda", &b, 1);
    check_rank("fda column_scaling=plain", &b, 1);
}

TEST(matches_the_oracle)
{
    check_all_shapes(101, 3,
                     "fda: column_scaling=plain; column_scaling=orthonormal; dim=1; ridge=0.1; "
                     "ridge=1e-4 column_scaling=orthonormal; scale=standard; "
                     "scale=minmax row_steps=l2; pca=3; pca=0.9 scale=standard; "
                     "pca=rank ridge=0.01");
}

TEST(larger)
{
    pen_rng rng = check_rng(102);
    sample tall = sample_random(&rng, 3000, 6, 4, 2600), wide = sample_random(&rng, 12, 90, 3, 10);

    check_like_oracle("fda", &tall, 1e-8);
    check_like_oracle("fda ridge=0.5", &wide, 1e-8);
    check_like_oracle("fda pca=4", &wide, 1e-8);
}

/* Unlabelled rows change only the mean of the model, also in lfda if only labelled rows have
 * scales. */
TEST(unlabelled_rows_make_no_difference)
{
    const text_list texts =
        text_list_of("fda; fda column_scaling=orthonormal; lfda; lfda scaling_rows=labelled");
    pen_rng rng = check_rng(103);
    sample s = sample_random(&rng, 60, 4, 3, 30), labelled = sample_new(30, 4);
    int64_t count = 0;

    for (int64_t i = 0; i < s.n; i++)
        if (s.y[i] != PEN_UNLABELLED) {
            memcpy(labelled.x + count * 4, s.x + i * 4, 4 * sizeof *s.x);
            labelled.y[count++] = s.y[i];
        }
    for (int64_t i = 0; i < texts.count; i++)
        check_same_fit(texts.text[i], &labelled, texts.text[i], &s, 1, 1, 1e-9);
}

TEST(singular_scatters)
{
    pen_rng rng = check_rng(111);
    sample constant = sample_shape(&rng, 6), wide = sample_shape(&rng, 3);
    sample few = sample_random(&rng, 40, 8, 3, 10); /* n' - c = 7 < 8 */
    const pen_data data[] = { sample_data(&constant), sample_data(&wide), sample_data(&few) };

    for (int i = 0; i < 3; i++) {
        CHECK_FIT_FAILS("fda", &data[i], PEN_SINGULAR_SCATTER, "ridge");
        CHECK_FIT_FAILS("fda scale=standard", &data[i], PEN_SINGULAR_SCATTER, "pca");
        fit_data("fda ridge=0.001", &data[i]);
        fit_data("fda pca=2", &data[i]);
    }
}

/* Single precision is used for many rows of f32 or u8, but not if the product is inverted: a
 * dependent column is still detected. */
TEST(dependent_columns_in_any_type)
{
    enum { D = 60 };
    const int64_t N = check_many(20000);
    pen_rng rng = check_rng(421);
    double *wide = check_allocate(N * D, sizeof *wide);
    float *single = check_allocate(N * D, sizeof *single);
    uint8_t *bytes = check_allocate(N * D, sizeof *bytes);
    int32_t *y = check_allocate(N, sizeof *y);
    for (int64_t i = 0; i < N; i++) {
        y[i] = (int32_t)(i % 3);
        for (int64_t j = 0; j < D; j++)
            wide[i * D + j] =
                j < D - 1 ? (double)pen_rng_below(&rng, 100) + y[i] : wide[i * D] + wide[i * D + 1];
        for (int64_t j = 0; j < D; j++) {
            single[i * D + j] = (float)wide[i * D + j];
            bytes[i * D + j] = (uint8_t)wide[i * D + j];
        }
    }
    const pen_data data[] = { { .x = pen_dense(wide, PEN_F64, N, D, D), .labels = y },
                              { .x = pen_dense(single, PEN_F32, N, D, D), .labels = y },
                              { .x = pen_dense(bytes, PEN_U8, N, D, D), .labels = y } };
    const pen_data independent = { .x = pen_dense(wide, PEN_F64, N, D - 1, D), .labels = y };
    pen_model *without = fit_data("fda", &independent);
    for (int i = 0; i < 3; i++) {
        pen_model *model = fit_data("fda", &data[i]);
        for (int c = 0; c < 2; c++)
            CHECK_CLOSE(model_eigenvalues(model)[c], model_eigenvalues(without)[c], 1e-10, 0);
    }
}
