/* test_products.c - products of centered rows and small matrices against double loops, for rows of
 * every type, with and without normalization and scaling. */
#include "kit/dense.h"
#include "kit/neighbor_lists.h"

#include "linalg/products.h"

static double *random_numbers(pen_rng *rng, int64_t count)
{
    double *const numbers = check_allocate(count, sizeof *numbers);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = check_normal(rng);
    return numbers;
}

/* `found` is a b [n x k], up to rounding of the sums of absolute values. */
static void check_product(int64_t n, int64_t m, int64_t k, double *a, double *b,
                          const double *found)
{
    double *const right = dense_product(n, m, k, a, b);

    for (int64_t i = 0; i < n * m; i++)
        a[i] = fabs(a[i]);
    for (int64_t i = 0; i < m * k; i++)
        b[i] = fabs(b[i]);
    double *const size = dense_product(n, m, k, a, b);
    for (int64_t i = 0; i < n * k; i++)
        CHECK_CLOSE(found[i], right[i], 0, 1e-14 * size[i]);
}

static void check_shape(int64_t n, int64_t d, int64_t k, pen_dtype type, int unit,
                        enum pen_scale scale)
{
    pen_rng rng = check_rng(430);
    void *const values = check_allocate(n * d, sizeof(double));
    double *const V = random_numbers(&rng, d * k), *const w = random_numbers(&rng, n * k),
                  *const X = check_allocate(n * d, sizeof *X),
                  /* existing contents do not matter */
                      *const y = random_numbers(&rng, 2 * n * k),
                  *const G = random_numbers(&rng, 2 * d * k);
    const pen_data data = { .x = pen_dense(values, type, n, d, d) };

    for (int64_t i = 0; i < n * d; i++)
        set_value(values, type, i, (double)pen_rng_below(&rng, 256));
    for (int threads = 1; threads <= 4; threads += 3) {
        const int64_t at = threads > 1;
        pen_view x;
        pen_run *const run = check_run(threads, NULL);
        assert_int_equal(pen_rows_open(run, &data, unit, scale, &x), PEN_OK);
        assert_int_equal(pen_rows_multiply(run, &x, k, V, y + at * n * k), PEN_OK);
        assert_int_equal(pen_rows_gather(run, &x, k, w, G + at * d * k), PEN_OK);
        pen_rows_centered(&x, NULL, 0, n, X);
        pen_run_close(run);
    }
    assert_memory_equal(y, y + n * k, (size_t)(n * k) * sizeof *y);
    assert_memory_equal(G, G + d * k, (size_t)(d * k) * sizeof *G);
    double *const across = dense_transpose(n, d, X);
    check_product(n, d, k, X, V, y);
    check_product(d, n, k, across, w, G);
}

/* A product of two bands, with the factor transposed or not. */
TEST(dense)
{
    enum { M = 517, N = 331, K = 500 };
    pen_rng rng = check_rng(431);
    double *const a = random_numbers(&rng, M * K), *const b = random_numbers(&rng, K * N),
                  *const across = dense_transpose(M, K, a), *const c = random_numbers(&rng, M * N),
                  *const again = random_numbers(&rng, M * N);

    for (int threads = 1; threads <= 4; threads += 3) {
        pen_run *const run = check_run(threads, NULL);
        assert_int_equal(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, M, N, K, a, b, c), PEN_OK);
        assert_int_equal(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, M, N, K, across, b, again),
                         PEN_OK);
        pen_run_close(run);
        for (int64_t i = 0; i < M * N; i++)
            CHECK_CLOSE(again[i], c[i], 0, 1e-11);
    }
    check_product(M, K, N, a, b, c);
}

/* One row, partial blocks, more than one chunk, tile, and batch of chunks; bands of columns. */
TEST(shapes)
{
    static const int64_t list[][3] = { { 1, 1, 1 },     { 5, 3, 2 },      { 128, 4, 1 },
                                       { 129, 7, 3 },   { 3000, 5, 4 },   { 20000, 3, 2 },
                                       { 40, 700, 3 },  { 1100, 600, 2 }, { 10, 20, 0 },
                                       { 256, 257, 2 }, { 300, 4100, 3 }, { 20, 4096, 5 } };

    for (size_t s = 0; s < sizeof list / sizeof *list; s++)
        check_shape(list[s][0], list[s][1], list[s][2], PEN_F64, 0, PEN_SCALE_NONE);
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        check_shape(300, 11, 3, (pen_dtype)type, 1, PEN_SCALE_STANDARD);
        /* from 2^20 values on, blocks of floats and bytes may use single precision */
        check_shape(70000, 16, 2, (pen_dtype)type, 0, PEN_SCALE_NONE);
        check_shape(70, 4200, 2, (pen_dtype)type, 1, PEN_SCALE_STANDARD);
    }
}
