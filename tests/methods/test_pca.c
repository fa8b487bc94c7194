/* test_pca.c - principal component analysis against printed numbers, the oracle, and general
 * properties. */
#include "kit/oracle_fit.h"

#include <stdio.h>

TEST(golden)
{
    sample a = sample_golden('A');
    static const double lambda[] = { 56.52176285, 19.16573715 };
    static const double weighted[] = { 7.512759242, 0.1649198806, -0.2832162037, 4.374761546 };
    double unit[4];

    for (int i = 0; i < 4; i++)
        unit[i] = weighted[i] / hypot(weighted[i % 2], weighted[2 + i % 2]);
    check_golden("pca column_scaling=weighted", &a, 2, lambda, weighted);
    check_golden("pca column_scaling=plain", &a, 2, lambda, unit);
    check_golden("pca", &a, 2, lambda, unit); /* orthonormal is the default */
}

TEST(matches_the_oracle)
{
    check_all_shapes(1, 3,
                     "pca: column_scaling=weighted; column_scaling=plain dim=1; scale=standard; "
                     "scale=minmax column_scaling=weighted; row_steps=l2; "
                     "row_steps=l2 scale=standard; pca=rank; pca=0.9; pca=2 scale=minmax; "
                     "pca=0.75 row_steps=l2 column_scaling=weighted");
}

/* Enough rows for several blocks, and many more columns than rows. */
TEST(larger)
{
    pen_rng rng = check_rng(2);
    sample tall = sample_random(&rng, 2500, 6, 3, 10), wide = sample_random(&rng, 12, 90, 2, 6);

    check_like_oracle("pca", &tall, 1e-8);
    check_like_oracle("pca scale=standard", &tall, 1e-8);
    check_like_oracle("pca", &wide, 1e-8);
    check_like_oracle("pca scale=minmax column_scaling=weighted", &wide, 1e-8);
}

/* The eigenvalues sum to n times the total variance, and a fraction keeps that part. */
TEST(fraction_of_the_variance)
{
    pen_rng rng = check_rng(3);
    sample s = sample_random(&rng, 80, 9, 3, 0);
    pen_model *whole = fit_sample("pca", &s);
    const double *lambda = model_eigenvalues(whole);
    double all = 0, squares = 0, sum = 0;

    for (int64_t j = 0; j < 9; j++)
        all += lambda[j];
    for (int64_t i = 0; i < s.n * s.d; i++)
        squares += (s.x[i] - model_mean(whole)[i % s.d]) * (s.x[i] - model_mean(whole)[i % s.d]);
    CHECK_CLOSE(all, squares, 1e-12, 0);
    for (int64_t kept = 1; kept < 9; kept++) {
        char text[64];
        sum += lambda[kept - 1];
        snprintf(text, sizeof text, "pca pca=%.17g", (sum - lambda[kept - 1] / 2) / all);
        pen_model *part = fit_sample(text, &s);
        CHECK(pen_model_dim(part) == kept, "%s keeps %lld components, expected %lld", text,
              (long long)pen_model_dim(part), (long long)kept);
    }
}

TEST(ranks)
{
    pen_rng rng = check_rng(6);
    static const int64_t rank[SHAPES] = { 3, 7, 5, 19, 17, 4, 5, 4, 5, 5, 4, 1 };

    for (int which = 0; which < SHAPES; which++) {
        sample s = sample_shape(&rng, which);
        check_rank("pca", &s, rank[which]);
        check_rank("pca column_scaling=weighted", &s, rank[which]);
        check_rank("pca pca=rank", &s, rank[which]);
    }
}

/* A fraction of the variance can take more components than are searched, unless pca_most limits
 * them: 8300 pairs of rows, each pair with its only entries in one column. */
TEST(limited_fraction)
{
    enum { ROWS = 16700, COLUMNS = 8400, USED = 8300 };
    int64_t *const starts = check_allocate(ROWS + 1, sizeof *starts);
    int32_t *const columns = check_allocate(2 * USED, sizeof *columns);
    double *const values = check_allocate(2 * USED, sizeof *values);
    pen_error err;
    pen_model *model;
    starts[0] = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        starts[i + 1] = i < 2 * USED ? i + 1 : 2 * USED;
        if (i < 2 * USED) {
            columns[i] = (int32_t)(i / 2);
            values[i] = i % 2 ? 1 : -1;
        }
    }
    pen_data data = { .x = pen_csr(values, PEN_F64, starts, columns, ROWS, COLUMNS) };
    CHECK_FIT_FAILS("pca pca=0.95", &data, PEN_BAD_ARGUMENT, "takes more than 2048 components");
    CHECK_OK(fit_status("pca pca=0.95:50", &data, &model, &err), &err);
    assert_int_equal(pen_model_dim(model), 50);
    for (int j = 0; j < 50; j++)
        CHECK(fabs(model_eigenvalues(model)[j] - 2) < 1e-9, "eigenvalue %d is %.12g", j,
              model_eigenvalues(model)[j]);
}
