/* test_byte_gram.c - X'X of bytes less 128 by integers is the sum of whole numbers, to the bit: in
 * every instruction set, for every layout and any number of threads. */
#include "check.h"

#include "core/isa.h"
#include "linalg/byte_gram.h"
#include "linalg/reduce.h"

enum { LAYOUTS = 3 };

/* [n x d] bytes as rows, with room between rows, or in columns. */
static pen_array lay_out(const uint8_t *values, int64_t n, int64_t d, int layout, uint8_t *memory)
{
    const int64_t stride = layout == 2 ? 1 : d + layout * 5, step = layout == 2 ? n + 1 : 1;
    pen_array x = pen_dense(memory, PEN_U8, n, d, stride);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            memory[i * stride + j * step] = values[i * d + j];
    x.step = step;
    return x;
}

static int64_t *literal(const uint8_t *values, int64_t n, int64_t d, double *sums)
{
    int64_t *const gram = check_allocate(d * d, sizeof *gram);

    memset(sums, 0, (size_t)d * sizeof *sums);
    for (int64_t r = 0; r < n; r++)
        for (int64_t i = 0; i < d; i++) {
            const int64_t one = values[r * d + i] - 128;
            sums[i] += (double)one;
            for (int64_t j = 0; j <= i; j++)
                gram[i * d + j] += one * (values[r * d + j] - 128);
        }
    return gram;
}

static void check_gram(const pen_array *x, const double *sums, const int64_t *right, int threads)
{
    const pen_control control = { .threads = threads };
    pen_run *run;
    pen_sym A;

    assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
    assert_int_equal(pen_sym_zero(run, x->cols, &A), PEN_OK);
    for (int64_t i = 0; i < x->cols; i++)
        A.a[i * x->cols] = 3; /* what is there stays */
    assert_int_equal(pen_sym_add_gram_of_bytes(run, "gram", 2, x, sums, &A), PEN_OK);
    for (int64_t i = 0; i < x->cols; i++)
        for (int64_t j = 0; j <= i; j++) {
            const int64_t at = i * x->cols + j;
            CHECK(A.a[at] == 2 * (double)right[at] + (j == 0 ? 3 : 0),
                  "%s, %lld x %lld, step %lld: element %lld, %lld is %.17g, expected %lld",
                  pen_isa_name(pen_isa_now()), (long long)x->rows, (long long)x->cols,
                  (long long)x->step, (long long)i, (long long)j, A.a[at],
                  2 * (long long)right[at] + (j == 0 ? 3 : 0));
        }
    pen_run_close(run);
}

/* extreme: 1 for nothing but 0, 2 for 0 and 255 in turn; otherwise random. */
static void check_shape(int64_t n, int64_t d, int extreme, int best_only)
{
    const pen_isa before = pen_isa_now();
    pen_rng rng = check_rng((uint64_t)(n * 4099 + d));
    uint8_t *const values = check_allocate(n * d, 1), *const memory =
                                                          check_allocate(n * (d + 9), 2);
    double *const sums = check_allocate(d, sizeof *sums);

    for (int64_t i = 0; i < n * d; i++)
        values[i] = (uint8_t)(extreme == 1   ? 0
                              : extreme == 2 ? i % 2 * 255
                                             : pen_rng_below(&rng, 256));
    int64_t *const right = literal(values, n, d, sums);
    for (int isa = best_only ? (int)before : 0; isa < PEN_ISA_COUNT; isa++) {
        if (!pen_isa_has((pen_isa)isa))
            continue;
        pen_isa_use((pen_isa)isa);
        for (int layout = 0; layout < LAYOUTS; layout++) {
            const pen_array x = lay_out(values, n, d, layout, memory);
            check_gram(&x, sums, right, 1 + layout);
        }
    }
    pen_isa_use(before);
    free(right);
    free(sums);
    free(memory);
    free(values);
}

static void shapes(void **state)
{
    static const int64_t list[][2] = { { 1, 1 },   { 3, 2 },    { 4, 16 },  { 5, 17 },
                                       { 64, 32 }, { 511, 33 }, { 513, 5 }, { 1500, 70 } };
    (void)state;

    for (size_t s = 0; s < sizeof list / sizeof *list; s++)
        check_shape(list[s][0], list[s][1], 0, 0);
}

/* More than one square. */
static void wide(void **state)
{
    (void)state;
    check_shape(9, 1100, 0, 0);
}

/* Sums of chunks as large as they can be, and more chunks than are held at a time. */
static void large(void **state)
{
    (void)state;
    check_shape(70000, 3, 1, 0);
    check_shape(70000, 2, 2, 0);
    check_shape(check_many(1200000), 2, 2, 1);
}

/* Rows of a fit take this way, and what comes out is the scatter. */
static void scatter(void **state)
{
    enum { N = 40000, D = 30 };
    pen_rng rng = check_rng(78);
    uint8_t *const values = check_allocate(N * D, 1);
    double sums[D];
    pen_run *run;
    pen_rows x;
    pen_sym S;
    (void)state;

    for (int64_t i = 0; i < N * D; i++)
        values[i] = (uint8_t)pen_rng_below(&rng, 256);
    int64_t *const right = literal(values, N, D, sums);
    const pen_data data = { .x = pen_dense(values, PEN_U8, N, D, D) };
    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_rows_open(run, &data, &(pen_common){ .dim = 0 }, &x), PEN_OK);
    assert_int_equal(x.work, PEN_F32);
    assert_int_equal(pen_sym_zero(run, D, &S), PEN_OK);
    assert_int_equal(pen_rows_scatter(run, &x, 1, &S), PEN_OK);
    for (int64_t i = 0; i < D; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK_CLOSE(S.a[i * D + j], (double)right[i * D + j] - sums[i] * sums[j] / N, 1e-12,
                        1e-12 * (double)right[i * D + i]);
    pen_run_close(run);
    free(right);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shapes), cmocka_unit_test(wide),
                                        cmocka_unit_test(large), cmocka_unit_test(scatter) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
