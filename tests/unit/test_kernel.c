/* test_kernel.c - kernel values against their definitions: every kernel, rows far from the origin,
 * duplicate rows, zero rows, values of any size; gamma against sorted distances; precomputed
 * values. (Types, layouts, threads, single rows: test_kernel_same.) */
#include "check.h"

#include "core/row_order.h"
#include "kit/dense.h"
#include "kit/kernel_rows.h"

#include "kernels/kernel_gamma.h"
#include "oracle/kernel_oracle.h"

#include <stdio.h>

enum { KINDS = 5 };

static const pen_kernel KERNELS[KINDS] = {
    { .kind = PEN_KERNEL_LINEAR },
    { .kind = PEN_KERNEL_RBF, .gamma = 0.05 },
    { .kind = PEN_KERNEL_LAPLACIAN, .gamma = 0.1 },
    { .kind = PEN_KERNEL_POLYNOMIAL, .gamma = 0.2, .degree = 3, .coef0 = 1.5 },
    { .kind = PEN_KERNEL_COSINE },
};

/* K [n x m] of all rows against the first m of them. */
static double *values_of(const pen_kernel *kernel, const pen_view *x, int64_t m, int threads)
{
    double *const K = check_allocate(x->n * m, sizeof *K);
    pen_kernel_set set;
    pen_error err;
    pen_run *run = check_run(threads, &err);

    CHECK_OK(pen_kernel_open(run, kernel, x, m, NULL, &set), &err);
    CHECK_OK(pen_kernel_values(run, PEN_SILENT, &set, 0, x, NULL, x->n, K, m), &err);
    pen_run_close(run);
    return K;
}

static void check_table(const pen_kernel *kernel, const pen_view *x, const double *rows, int64_t m,
                        double tolerance)
{
    double *const K = values_of(kernel, x, m, 2), *const expected = kernel_table(kernel, x->n, m,
                                                                                 x->d, rows, rows);

    for (int64_t i = 0; i < x->n; i++) {
        const double xx = kernel_value(kernel, x->d, rows + i * x->d, rows + i * x->d);
        for (int64_t j = 0; j < m; j++) {
            const double zz = kernel_value(kernel, x->d, rows + j * x->d, rows + j * x->d);
            CHECK_CLOSE(K[i * m + j], expected[i * m + j], 0, tolerance * sqrt(xx * zz));
        }
    }
}

/* Every kernel, for numbers of rows, landmarks and columns around block sizes. */
TEST(definitions)
{
    static const int64_t shapes[][3] = {
        { 1, 1, 1 }, { 2, 1, 9 }, { 64, 17, 8 }, { 65, 65, 3 }, { 130, 5, 40 }
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int k = 0; k < KINDS; k++) {
            const int64_t n = shapes[s][0], d = shapes[s][2];
            double *const x = normal_rows(1501 + s, n, d, 0.5);
            const pen_view rows = dense_from_0(x, n, d);
            check_table(&KERNELS[k], &rows, x, shapes[s][1], 1e-13);
        }
}

/* Rows around 1e6, where expanded distances about the origin lose most digits, in clusters so tight
 * that distances about the mean lose many as well. */
TEST(far_from_the_origin)
{
    enum { N = 90, D = 9 };
    double *const x = normal_rows(1511, N, D, 1e6);
    const pen_view rows = dense_from_0(x, N, D);
    check_table(&KERNELS[1], &rows, x, N, 1e-12);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = (i % 2 ? 1e6 : -1e6) + (x[i * D + j] - 1e6);
    check_table(&KERNELS[1], &rows, x, N, 1e-12);
    check_table(&KERNELS[2], &rows, x, N, 1e-12);
}

/* rbf and laplacian of equal rows are exactly 1, wherever the rows are. */
TEST(equal_rows)
{
    enum { N = 200, D = 37 };
    double *const x = normal_rows(1531, N, D, 1e4);
    const pen_view rows = dense_from_0(x, N, D);
    for (int64_t i = 3; i < N; i++)
        if (i % 3 == 0)
            memcpy(x + i * D, x + 2 * D, D * sizeof *x);
    for (int k = 1; k <= 2; k++) {
        double *const K = values_of(&KERNELS[k], &rows, 100, 1);
        for (int64_t i = 0; i < 100; i++) {
            CHECK(K[i * 100 + i] == 1, "row %lld with itself: %.17g", (long long)i, K[i * 100 + i]);
            CHECK(i % 3 || i == 0 || K[i * 100 + 2] == 1, "row %lld with its duplicate: %.17g",
                  (long long)i, K[i * 100 + 2]);
        }
    }
}

/* A zero row has cosine 0 with all rows; rows of any length have cosines; a distance that overflows
 * gives 0, one that underflows 1. */
TEST(extreme_rows)
{
    static const double x[] = { 0, 0, 3e200, 4e200, 4e-300, -3e-300, 3, 4, 1e-200, 0 };
    static const double cosines[] = { 0, 0, 0, 0, 0, 0, 1, 0, 1, 0.6, 0, 0, 1, 0, 0.8 };
    const pen_view rows = dense_from_0(x, 5, 2);
    double *K = values_of(&KERNELS[4], &rows, 5, 1);
    for (int i = 0; i < 15; i++)
        CHECK_CLOSE(K[i], cosines[i], 0, 1e-15);
    K = values_of(&KERNELS[1], &rows, 5, 1);
    CHECK(K[0] == 1 && K[1] == 0 && K[2] == 1 && K[6] == 1 && K[8] == 0, "%g %g %g %g %g", K[0],
          K[1], K[2], K[6], K[8]);
    for (int huge = 0; huge < 2; huge++) { /* gamma: all rows are similar, or none */
        const pen_kernel kernel = { .kind = PEN_KERNEL_RBF, .gamma = huge ? 1e300 : 1e-300 };
        const double close[] = { 0, 1, 2, 3.5 };
        const pen_view line = dense_from_0(close, 4, 1);
        K = values_of(&kernel, &line, 4, 1);
        for (int i = 0; i < 16; i++)
            CHECK(K[i] == (huge ? i % 5 == 0 : 1), "gamma %g: %g", kernel.gamma, K[i]);
    }
}

TEST(diagonals)
{
    enum { N = 100, D = 7 };
    double *const x = normal_rows(1561, N, D, 1), diagonal[N], some[3];
    const pen_view rows = dense_from_0(x, N, D);
    const int64_t members[] = { 99, 3, 3 };
    memset(x + 3 * D, 0, D * sizeof *x);
    for (int k = 0; k < KINDS; k++) {
        pen_run *run = check_run(2, NULL);
        assert_int_equal(pen_kernel_diagonal(run, &KERNELS[k], &rows, NULL, N, diagonal), PEN_OK);
        for (int64_t i = 0; i < N; i++)
            CHECK_CLOSE(diagonal[i], kernel_value(&KERNELS[k], D, x + i * D, x + i * D), 1e-13, 0);
        assert_int_equal(pen_kernel_diagonal(run, &KERNELS[k], &rows, members, 3, some), PEN_OK);
        for (int i = 0; i < 3; i++)
            assert_true(some[i] == diagonal[members[i]]);
        pen_run_close(run);
    }
}

/* Status and message of kernel values with the first rows (or of the diagonal, or of checking a
 * square matrix). */
enum call { VALUES, DIAGONAL, SQUARE };

static void check_refused(const pen_kernel *kernel, enum call call, const pen_view *x,
                          pen_status code, const char *message)
{
    double *const K = check_allocate(x->n, sizeof *K);
    pen_kernel_set set;
    pen_error err;
    pen_run *run = check_run(2, &err);

    CHECK_OK(pen_kernel_open(run, kernel, x, 1, NULL, &set), &err);
    CHECK_STATUS(call == VALUES ? pen_kernel_values(run, PEN_SILENT, &set, 0, x, NULL, x->n, K, 1)
                 : call == DIAGONAL ? pen_kernel_diagonal(run, kernel, x, NULL, x->n, K)
                                    : pen_kernel_check_square(run, x),
                 code, NULL, &err);
    CHECK_MESSAGE(&err, message);
    pen_run_close(run);
}

TEST(refusals)
{
    enum { N = 1200 };
    const pen_kernel high = { PEN_KERNEL_POLYNOMIAL, 1, 101, 0 };
    double *const x = normal_rows(1571, N, 2, 3);
    const pen_view rows = dense_from_0(x, N, 2), first = dense_from_0(x, 800, 2);
    static const char not_finite[] =
        "values must be finite, got NaN at row 700, column 1 (counted from 0)";
    x[0] = 10, x[1] = 10;
    x[2 * 700] = x[2 * 900] = 1e100;
    check_refused(&high, VALUES, &rows, PEN_BAD_DATA,
                  "row 700 (counted from 0): its polynomial kernel value with landmark 0 "
                  "overflows");
    x[2 * 700] = x[2 * 900] = 1e308;
    check_refused(&KERNELS[0], VALUES, &rows, PEN_BAD_DATA,
                  "row 700 (counted from 0): its linear kernel value with landmark 0 overflows");
    check_refused(
        &KERNELS[0], DIAGONAL, &rows, PEN_BAD_DATA,
        "row 700 (counted from 0): its linear kernel value with itself must be finite and "
        ">= 0, got inf");
    x[2 * 700 + 1] = (double)NAN;
    for (int k = 0; k < KINDS; k++)
        check_refused(&KERNELS[k], VALUES, &first, PEN_NOT_FINITE, not_finite);
    check_refused(&KERNELS[0], DIAGONAL, &rows, PEN_NOT_FINITE, not_finite);
}

/* Columns of landmarks, and checks of a matrix with several tiles. */
TEST(precomputed)
{
    enum { N = 140 };
    const pen_kernel given = { .kind = PEN_KERNEL_PRECOMPUTED };
    double *const x = normal_rows(1581, N, 6, 0),
                  *const K = kernel_table(&KERNELS[1], N, N, 6, x, x), found[2 * N], diagonal[2];
    const int64_t columns[] = { 139, 7 }, members[] = { 5, 130 };
    const pen_view rows = dense_from_0(K, N, N), wide = dense_from_0(K, N - 1, N);
    pen_kernel_set set;
    pen_error err;
    pen_run *run = check_run(2, &err);
    CHECK_OK(pen_kernel_open(run, &given, &rows, 2, columns, &set), &err);
    CHECK_OK(pen_kernel_values(run, PEN_SILENT, &set, 0, &rows, NULL, N, found, 2), &err);
    for (int64_t i = 0; i < N; i++)
        assert_true(found[2 * i] == K[i * N + 139] && found[2 * i + 1] == K[i * N + 7]);
    K[5 * N + 5] = 4;
    CHECK_OK(pen_kernel_diagonal(run, &given, &rows, members, 2, diagonal), &err);
    assert_true(diagonal[0] == 4 && diagonal[1] == 1);
    K[130 * N + 20] += 1e-7; /* rounding of values up to 4 */
    CHECK_OK(pen_kernel_check_square(run, &rows), &err);
    pen_run_close(run);

    K[130 * N + 20] = 3;
    K[20 * N + 130] = K[130 * N + 129] = K[129 * N + 130] = 0.5;
    check_refused(&given, SQUARE, &rows, PEN_BAD_DATA,
                  "a precomputed kernel must be symmetric, got 3 at row 130, column 20 (counted "
                  "from 0), 0.5 across");
    K[130 * N + 20] = 0.5;
    K[130 * N + 129] = 1.5; /* in a tile on the diagonal */
    check_refused(&given, SQUARE, &rows, PEN_BAD_DATA,
                  "a precomputed kernel must be symmetric, got 1.5 at row 130, column 129 (counted "
                  "from 0), 0.5 across");
    check_refused(&given, SQUARE, &wide, PEN_BAD_DATA,
                  "a precomputed kernel must have as many columns as rows, got 139 rows, 140 "
                  "columns");
    K[9 * N + 9] = -0.5;
    check_refused(&given, DIAGONAL, &rows, PEN_BAD_DATA,
                  "row 9 (counted from 0): its precomputed kernel value with itself must be finite "
                  "and >= 0, got -0.5");
}

/* 1 / the median of nonzero values, by sorting. */
static double expected_gamma(enum pen_kernel_kind kind, int64_t count, const int64_t *rows,
                             int64_t d, const double *x)
{
    double *const all = check_allocate(count * count, sizeof *all);
    int64_t kept = 0;

    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < (kind == PEN_KERNEL_POLYNOMIAL ? 1 : i); j++) {
            double sum = 0;
            for (int64_t c = 0; c < d; c++) {
                const double a = x[(rows ? rows[i] : i) * d + c],
                             b = kind == PEN_KERNEL_POLYNOMIAL ? 0
                                                               : x[(rows ? rows[j] : j) * d + c];
                sum += kind == PEN_KERNEL_LAPLACIAN ? fabs(a - b) : (a - b) * (a - b);
            }
            if (sum > 0)
                all[kept++] = sum;
        }
    dense_sort(kept, all);
    const double median = (all[(kept - 1) / 2] + all[kept / 2]) / 2;
    return 1 / median;
}

/* The gamma of a kernel, or a failure with this phrase. */
static double gamma_of(enum pen_kernel_kind kind, const pen_view *x, uint64_t seed,
                       const char *refused)
{
    const pen_kernel kernel = { .kind = kind };
    pen_error err;
    pen_run *run = check_run(2, &err);
    double gamma = -1;

    CHECK_STATUS(pen_kernel_gamma(run, &kernel, x, seed, &gamma), refused ? PEN_BAD_DATA : PEN_OK,
                 refused, &err);
    pen_run_close(run);
    return gamma;
}

TEST(gammas)
{
    static const enum pen_kernel_kind kinds[] = { PEN_KERNEL_RBF, PEN_KERNEL_LAPLACIAN,
                                                  PEN_KERNEL_POLYNOMIAL };
    enum { N = 2100, D = 4 };
    double *const x = normal_rows(1591, N, D, 1);
    const pen_view all = dense_from_0(x, N, D), few = dense_from_0(x, 60, D),
                   one = dense_from_0(x, 1, D);
    int64_t *turn;
    pen_run *run = check_run(1, NULL);
    for (int64_t i = 20; i < 40; i++) /* zero distances do not count */
        memcpy(x + i * D, x + 20 * D, D * sizeof *x);
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE(gamma_of(kinds[k], &few, 17, NULL), expected_gamma(kinds[k], 60, NULL, D, x),
                    1e-13, 0);
        CHECK(gamma_of(kinds[k], &one, 17, NULL) == (k < 2 ? 1 : gamma_of(kinds[k], &one, 3, NULL)),
              "one row");
    }
    assert_int_equal(pen_rows_draw(run, &all, 500, 17, &turn), PEN_OK);
    CHECK_CLOSE(gamma_of(PEN_KERNEL_RBF, &all, 17, NULL),
                expected_gamma(PEN_KERNEL_RBF, 500, turn, D, x), 1e-13, 0);
    assert_true(gamma_of(PEN_KERNEL_COSINE, &few, 0, NULL) == 1);
    memset(x, 0, 60 * D * sizeof *x);
    for (int k = 0; k < 3; k++)
        assert_true(gamma_of(kinds[k], &few, 0, NULL) == 1);
    x[0] = 1e-158; /* its square has no reciprocal */
    gamma_of(PEN_KERNEL_RBF, &few, 0, "kernel_gamma must be finite and > 0, got 1 / ");
    pen_run_close(run);
}
