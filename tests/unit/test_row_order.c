/* test_row_order.c - the order of rows by content: the sums of docs/sampling.md, the same for each
 * type of values, with blocks of floats, on several threads. */
#include "core/row_order.h"
#include "kit/check_fit.h"

#include <math.h>

enum { N = 3000, D = 400 }; /* many values: bytes and floats are passed as floats */

/* The squared distance of row i from the mean, to 30 bits. */
static double near(const double *x, const double *mean, int64_t i)
{
    double sum = 0;
    int exponent;

    for (int64_t j = 0; j < D; j++)
        sum += (x[i * D + j] - mean[j]) * (x[i * D + j] - mean[j]);
    const double mantissa = frexp(sum, &exponent);
    return ldexp(nearbyint(mantissa * 0x1p30), exponent - 30);
}

TEST(each_type)
{
    pen_rng rng = check_rng(6300);
    sample s = sample_random(&rng, N, D, 3, 10);
    double mean[D] = { 0 };
    int64_t first[N], *order;
    sample_to_bytes(&s);
    for (int64_t i = 0; i < N * D; i++)
        mean[i % D] += s.x[i] / N;
    for (int type = 0; type < 3; type++)
        for (int threads = 1; threads <= 5; threads += 4) {
            const pen_data data = { .x = recast(&s, (pen_dtype)type, type) };
            pen_error err;
            pen_run *const run = check_run(threads, &err);
            pen_view x;
            CHECK_OK(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), &err);
            CHECK_OK(pen_rows_order(run, &x, &order), &err);
            for (int64_t i = 1; i < N; i++) /* up to rounding of the mean */
                CHECK(near(s.x, mean, order[i - 1]) <= (1 + 0x1p-28) * near(s.x, mean, order[i]),
                      "type %d: rows %lld and %lld", type, (long long)order[i - 1],
                      (long long)order[i]);
            if (type == 0 && threads == 1)
                memcpy(first, order, sizeof first);
            CHECK(memcmp(first, order, sizeof first) == 0, "type %d, %d threads", type, threads);
            pen_run_close(run);
        }
}
