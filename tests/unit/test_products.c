/* test_products.c - products of centered rows and small matrices against double loops, for rows of
 * every type, with and without normalization and scaling. */
#include "kit/neighbor_lists.h"

#include "linalg/products.h"

enum { TYPES = 3 };

/* Rows of one type, with values that every type can represent. */
static struct searched open_rows(uint64_t tag, int64_t n, int64_t d, pen_dtype type, int unit,
                                 enum pen_scale scale, int threads)
{
    pen_rng rng = check_rng(tag);
    void *const values = check_allocate(n * d, sizeof(double));

    for (int64_t i = 0; i < n * d; i++)
        set_value(values, type, i, (double)pen_rng_below(&rng, 256));
    struct searched r = searched_open(values, type, n, d, unit, threads);
    const pen_data data = { .x = r.rows.values };
    assert_int_equal(pen_rows_open(r.run, &data, unit, scale, &r.rows), PEN_OK);
    return r;
}

static double *random_numbers(uint64_t tag, int64_t count)
{
    pen_rng rng = check_rng(tag);
    double *numbers = check_allocate(count, sizeof *numbers);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = check_normal(&rng);
    return numbers;
}

static void check_shape(int64_t n, int64_t d, int64_t k, pen_dtype type, int normalize,
                        enum pen_scale scale)
{
    struct searched r = open_rows(430, n, d, type, normalize, scale, 1);
    double *V = random_numbers(431, d * k), *w = random_numbers(432, n * k),
           *X = check_allocate(n * d, sizeof *X);
    /* existing contents do not matter */
    double *y = check_allocate(n * k, sizeof *y), *G = random_numbers(433, d * k);

    pen_rows_centered(&r.rows, NULL, 0, n, X);
    assert_int_equal(pen_rows_multiply(r.run, &r.rows, k, V, y), PEN_OK);
    assert_int_equal(pen_rows_gather(r.run, &r.rows, k, w, G), PEN_OK);
    for (int64_t i = 0; i < n; i += 1 + n / 50)
        for (int64_t c = 0; c < k; c++) {
            double sum = 0, size = 0;
            for (int64_t j = 0; j < d; j++) {
                sum += X[i * d + j] * V[j * k + c];
                size += fabs(X[i * d + j] * V[j * k + c]);
            }
            CHECK_CLOSE(y[i * k + c], sum, 0, 1e-14 * size);
        }
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++) {
            double sum = 0, size = 0;
            for (int64_t i = 0; i < n; i++) {
                sum += X[i * d + j] * w[i * k + c];
                size += fabs(X[i * d + j] * w[i * k + c]);
            }
            CHECK_CLOSE(G[j * k + c], sum, 0, 1e-14 * size);
        }
    free(V);
    free(w);
    free(X);
    free(y);
    free(G);
    searched_close(&r);
}

/* One row, partial blocks, more than one chunk, tile, and batch of chunks; bands of columns. */
static void shapes(void **state)
{
    static const int64_t list[][3] = { { 1, 1, 1 },     { 5, 3, 2 },      { 128, 4, 1 },
                                       { 129, 7, 3 },   { 3000, 5, 4 },   { 20000, 3, 2 },
                                       { 40, 700, 3 },  { 1100, 600, 2 }, { 10, 20, 0 },
                                       { 256, 257, 2 }, { 300, 4100, 3 }, { 20, 4096, 5 } };
    (void)state;

    for (size_t s = 0; s < sizeof list / sizeof *list; s++)
        check_shape(list[s][0], list[s][1], list[s][2], PEN_F64, 0, PEN_SCALE_NONE);
}

/* 2^20 values and more: blocks of floats and bytes could be in single precision. */
static void types(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++) {
        check_shape(300, 11, 3, (pen_dtype)type, 1, PEN_SCALE_STANDARD);
        check_shape(70000, 16, 2, (pen_dtype)type, 0, PEN_SCALE_NONE);
        check_shape(70, 4200, 2, (pen_dtype)type, 1, PEN_SCALE_STANDARD);
    }
}

static void check_threads(int64_t n, int64_t d)
{
    enum { K = 3 };
    double *const V = random_numbers(434, d * K), *const w = random_numbers(435, n * K),
                  *const y = check_allocate(2 * n * K, sizeof *y),
                  *const G = check_allocate(2 * d * K, sizeof *G);

    for (int count = 1; count <= 5; count++) {
        struct searched r = open_rows(436, n, d, PEN_F64, 0, PEN_SCALE_NONE, count);
        const int b = count > 1;
        assert_int_equal(pen_rows_multiply(r.run, &r.rows, K, V, y + b * n * K), PEN_OK);
        assert_int_equal(pen_rows_gather(r.run, &r.rows, K, w, G + b * d * K), PEN_OK);
        searched_close(&r);
        if (b) {
            assert_memory_equal(y, y + n * K, (size_t)(n * K) * sizeof *y);
            assert_memory_equal(G, G + d * K, (size_t)(d * K) * sizeof *G);
        }
    }
    free(V), free(w), free(y), free(G);
}

static void threads(void **state)
{
    (void)state;
    check_threads(20000, 40);
    check_threads(300, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shapes), cmocka_unit_test(types),
                                        cmocka_unit_test(threads) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
