/* test_edges.c - data at the limits of floating-point precision; regression tests. */
#include "kit/check_fit.h"

static int64_t dimensions(const char *text, const pen_data *data)
{
    pen_model *model = fit_data(text, data);
    const int64_t k = pen_model_dim(model);
    return k;
}

TEST(a_tiny_fraction_keeps_one_component)
{
    const double x[] = { 1e-3, 0, 0, 1e-3, 0, 0 };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 3, 2, 2) };
    assert_int_equal(dimensions("pca pca=5e-324", &data), 1);
}

/* x2 = x0 + x1, far from 128 and nearly constant: the sums of products about 128 cancel almost
 * completely. */
TEST(a_dependent_column_of_bytes)
{
    enum { D = 3 };
    const int64_t N = check_many(350000);
    pen_rng rng = check_rng(500);
    uint8_t *x = check_allocate(N * D, 1);
    double *wide = check_allocate(N * D, sizeof *wide);
    float *single = check_allocate(N * D, sizeof *single);
    int32_t *y = check_allocate(N, sizeof *y);

    for (int64_t i = 0; i < N; i++) {
        x[i * D] = (uint8_t)(40 + pen_rng_below(&rng, 12));
        x[i * D + 1] = (uint8_t)(20 + pen_rng_below(&rng, 14));
        x[i * D + 2] = (uint8_t)(x[i * D] + x[i * D + 1]);
        y[i] = i < 400 ? (int32_t)(i % 2) : PEN_UNLABELLED;
        for (int64_t j = 0; j < D; j++) {
            wide[i * D + j] = x[i * D + j];
            single[i * D + j] = x[i * D + j];
        }
    }
    const pen_data data[] = { { .x = pen_dense(x, PEN_U8, N, D, D), .labels = y },
                              { .x = pen_dense(single, PEN_F32, N, D, D), .labels = y },
                              { .x = pen_dense(wide, PEN_F64, N, D, D), .labels = y } };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dimensions("pca", &data[i]), 2);
        assert_int_equal(dimensions("self", &data[i]), 2);
        assert_int_equal(dimensions("lfda", &data[i]), 2);
        assert_int_equal(dimensions("fda", &data[i]), 1);
    }
}

/* A column a billion times longer must not make the other columns vanish, with fewer rows than
 * columns or more. */
TEST(one_long_column)
{
    for (int64_t n = 40; n <= 200; n += 160) {
        enum { D = 60 };
        pen_rng rng = check_rng(501);
        double *x = check_allocate(n * D, sizeof *x);
        int32_t *y = check_allocate(n, sizeof *y);
        for (int64_t i = 0; i < n; i++) {
            y[i] = (int32_t)(i % 2);
            for (int64_t j = 0; j < D; j++)
                x[i * D + j] = (j == 0 ? 3e8 : 1) * check_normal(&rng) + (j == 1 ? 8 * y[i] : 0);
        }
        const pen_data data = { .x = pen_dense(x, PEN_F64, n, D, D), .labels = y };
        assert_int_equal(dimensions("self beta=0.1", &data), n < D ? n - 1 : D);
        if (n > D)
            assert_int_equal(dimensions("fda", &data), 1);
    }
}

TEST(lengths_and_ranges_at_the_ends_of_a_double)
{
    const double huge[] = { 1.7e308, 1.7e308, 1, 2, -3, 1, 0, 5 },
                 tiny[] = { 1e-310, 1e-310, 1, 2, -3, 1, 0, 5 };
    const double wide[] = { 1.6e308, 1, -1.6e308, 2, 0, 3, 5, 5 },
                 narrow[] = { 1e-310, 1, 0, 2, 0, 3, 0, 5 };
    const pen_data a = { .x = pen_dense(huge, PEN_F64, 4, 2, 2) },
                   b = { .x = pen_dense(tiny, PEN_F64, 4, 2, 2) };
    const pen_data c = { .x = pen_dense(wide, PEN_F64, 4, 2, 2) },
                   d = { .x = pen_dense(narrow, PEN_F64, 4, 2, 2) };
    pen_model *model;
    pen_error err;
    double z[4], w[4];

    model = fit_data("pca row_steps=l2 dim=1", &a);
    CHECK_OK(pen_transform(model, &a.x, NULL, PEN_F64, z, 1, &err), &err);
    CHECK_OK(pen_transform(model, &b.x, NULL, PEN_F64, w, 1, &err), &err);
    CHECK_CLOSE(z[0], w[0], 1e-12, 0); /* both rows are mapped to (1, 1) */
    CHECK_CLOSE(z[1], w[1], 0, 0);
    CHECK_FIT_FAILS("pca scale=minmax", &c, PEN_BAD_DATA, "too large");
    CHECK_FIT_FAILS("pca scale=minmax", &d, PEN_BAD_DATA, "column 0: its range is too small");
}

/* Floats whose products overflow or underflow in single precision use double precision. */
TEST(floats_of_any_size)
{
    enum { D = 2 };
    const int64_t N = check_many(525000);
    float *x = check_allocate(N * D, sizeof *x);

    for (int power = -23; power <= 18; power += 41) {
        pen_rng rng = check_rng(502);
        double sum[D] = { 0 };
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < D; j++) {
                x[i * D + j] =
                    (float)((pen_rng_uniform(&rng) - 0.5) * (j ? 1 : 2) * pow(10, power));
                sum[j] += (double)x[i * D + j] * (double)x[i * D + j];
            }
        const pen_data data = { .x = pen_dense(x, PEN_F32, N, D, D) };
        pen_model *model = fit_data("pca", &data);
        for (int64_t j = 0; j < D; j++)
            CHECK_CLOSE(model_values(model, "eigenvalues")[j], sum[j], 1e-3, 0);
    }
}
