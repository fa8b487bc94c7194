/* test_sym.c - sums of products of rows against triple loops, with several tiles, chunks, and
 * blocks; the scatter of bytes. */
#include "kit/opened.h"

#include "core/isa.h"
#include "linalg/reduce.h"

struct rows {
    int64_t d;
    const double *values;
    pen_dtype type;
};

static void fill(const void *context, int64_t first, int64_t count, void *block)
{
    const struct rows *r = context;
    for (int64_t i = 0; i < count * r->d; i++) {
        if (r->type == PEN_F64)
            ((double *)block)[i] = r->values[first * r->d + i];
        else
            ((float *)block)[i] = (float)r->values[first * r->d + i];
    }
}

/* weight X'Y + weight Y'X (or weight X'X) added to a matrix of ones. */
static void check_product(pen_run *run, pen_rng *rng, pen_dtype type, int64_t n, int64_t d,
                          double weight, int two)
{
    double *x = check_allocate(n * d, sizeof *x), *y = check_allocate(n * d, sizeof *y);
    const struct rows rows = { d, x, type };
    pen_sym A;

    for (int64_t i = 0; i < n * d; i++) { /* small integers, which are exact in float */
        x[i] = (double)(pen_rng_below(rng, 17) - 8);
        y[i] = (double)(pen_rng_below(rng, 17) - 8);
    }
    CHECK_CALL(pen_sym_zero(run, d, &A));
    for (int64_t i = 0; i < d * d; i++)
        A.a[i] = 1;
    if (two)
        CHECK_CALL(pen_sym_add_product(run, weight, n, x, y, &A));
    else
        CHECK_CALL(pen_sym_add_gram(run, "test", weight, type, n, fill, &rows, &A));
    for (int64_t i = 0; i < d; i += 1 + d / 40)
        for (int64_t j = 0; j <= i; j += 1 + d / 40) {
            double sum = 0;
            for (int64_t r = 0; r < n; r++)
                sum += two ? x[r * d + i] * y[r * d + j] + y[r * d + i] * x[r * d + j]
                           : x[r * d + i] * x[r * d + j];
            CHECK(A.a[i * d + j] == 1 + weight * sum,
                  "n %lld d %lld type %d: entry %lld, %lld is %g, expected %g", (long long)n,
                  (long long)d, (int)type, (long long)i, (long long)j, A.a[i * d + j],
                  1 + weight * sum);
        }
}

TEST(products)
{
    static const int64_t sizes[][2] = { { 1, 1 },      { 3, 5 },      { 129, 7 },
                                        { 1500, 3 },   { 5000, 31 },  { 2100, 257 },
                                        { 1100, 520 }, { 150, 1030 }, { 300, 2100 } };
    pen_rng rng = check_rng(300);

    for (int threads = 1; threads <= 3; threads += 2)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int kind = 0; kind < 3; kind++) {
                pen_run *run = check_run(threads, NULL);
                check_product(run, &rng, kind == 1 ? PEN_F32 : PEN_F64, sizes[i][0], sizes[i][1],
                              kind < 2 ? 0.5 : -2, kind == 2);
                pen_run_close(run);
            }
}

static void check_bytes(const pen_data *data, const int64_t *gram, const int64_t *sums)
{
    const int64_t n = data->x.rows, d = data->x.cols;
    pen_run *run;
    pen_view x;
    pen_sym S;

    run = check_run(0, NULL);
    CHECK_CALL(pen_rows_open(run, data, 0, PEN_SCALE_NONE, &x));
    assert_int_equal(x.work, PEN_F32);
    CHECK_CALL(pen_sym_zero(run, d, &S));
    CHECK_CALL(pen_rows_scatter(run, &x, 1, &S));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK_CLOSE(S.a[i * d + j],
                        (double)gram[i * d + j] - (double)(sums[i] * sums[j]) / (double)n, 1e-12,
                        1e-12 * (double)gram[i * d + i]);
    pen_run_close(run);
}

/* Many bytes use single precision with integer block sums: the scatter is exact in every
 * instruction set. */
TEST(bytes)
{
    enum { N = 40000, D = 30 };
    const pen_isa before = pen_isa_now();
    pen_rng rng = check_rng(78);
    uint8_t *const values = check_allocate(N * D, 1);
    int64_t *const gram = check_allocate(D * D, sizeof *gram), sums[D] = { 0 };
    const pen_data data = { .x = pen_dense(values, PEN_U8, N, D, D) };

    for (int64_t i = 0; i < N * D; i++)
        values[i] = (uint8_t)pen_rng_below(&rng, 256);
    for (int64_t r = 0; r < N; r++)
        for (int64_t i = 0; i < D; i++) {
            sums[i] += values[r * D + i] - 128;
            for (int64_t j = 0; j <= i; j++)
                gram[i * D + j] += (values[r * D + i] - 128) * (values[r * D + j] - 128);
        }
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (pen_isa_has((pen_isa)isa)) {
            pen_isa_use((pen_isa)isa);
            check_bytes(&data, gram, sums);
        }
    pen_isa_use(before);
}
