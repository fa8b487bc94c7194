/* test_landmarks.c - randomly pivoted Cholesky: the rows drawn by a literal version on a stored
 * residual, the rank, duplicate rows, precomputed values, a stopped call. */
#include "check.h"

#include "kit/kernel_rows.h"

#include "kernels/landmarks.h"
#include "oracle/kernel_oracle.h"

static const pen_kernel LINEAR = { .kind = PEN_KERNEL_LINEAR },
                        RBF = { .kind = PEN_KERNEL_RBF, .gamma = 0.3 },
                        LAPLACIAN = { .kind = PEN_KERNEL_LAPLACIAN, .gamma = 0.3 },
                        POLYNOMIAL = { PEN_KERNEL_POLYNOMIAL, 0.5, 2, 1 },
                        COSINE = { .kind = PEN_KERNEL_COSINE },
                        PRECOMPUTED = { .kind = PEN_KERNEL_PRECOMPUTED };

/* Landmarks rows [most] and the fraction of the trace they explain; returns their number. */
static int64_t choose(const pen_kernel *kernel, const pen_view *x, int64_t most, uint64_t seed,
                      int threads, int64_t *rows, double *captured)
{
    const int64_t *found;
    int64_t count;
    double *F;
    pen_error err;

    pen_run *const run = check_run(threads, &err);
    CHECK_OK(pen_landmarks_cholesky(run, kernel, x, NULL, most, seed, &found, &count, &F, captured),
             &err);
    memcpy(rows, found, (size_t)count * sizeof *rows);
    pen_run_close(run);
    return count;
}

static void check_literal(const pen_kernel *kernel, const pen_view *x, const double *K,
                          int64_t most, uint64_t seed)
{
    int64_t *const rows = check_allocate(most, sizeof *rows), *const expected = check_allocate(
                                                                  most, sizeof *expected);
    double captured, left;
    const int64_t count = choose(kernel, x, most, seed, 2, rows, &captured),
                  literal = kernel_landmarks(x->n, K, most, seed, expected, &left);

    CHECK(count == literal, "%lld landmarks, expected %lld", (long long)count, (long long)literal);
    for (int64_t i = 0; i < count; i++)
        CHECK(rows[i] == expected[i], "seed %llu: landmark %lld is row %lld, expected %lld",
              (unsigned long long)seed, (long long)i, (long long)rows[i], (long long)expected[i]);
    CHECK_CLOSE(captured, 1 - left, 0, 1e-9);
    CHECK_CLOSE(1 - captured, kernel_residual(x->n, K, count, rows), 0, 1e-9);
}

TEST(literal)
{
    static const pen_kernel *const kernels[] = { &RBF, &LAPLACIAN, &POLYNOMIAL, &LINEAR, &COSINE };
    enum { N = 190, D = 7 }; /* rounds of more than 64 rows */
    double *const x = normal_rows(1601, N, D, 0);
    const pen_view rows = dense_from_0(x, N, D);
    for (int k = 0; k < 5; k++) {
        /* at most the rank, beyond which rounding decides */
        const int64_t most = k == 0 ? 140 : k == 1 ? 70 : k == 2 ? 25 : 5;
        double *const K = kernel_table(kernels[k], N, N, D, x, x);
        const pen_view given = dense_from_0(K, N, N);
        for (uint64_t seed = 0; seed < 3; seed++)
            check_literal(kernels[k], &rows, K, seed == 0 ? most : 1 + most / 2, seed);
        check_literal(&PRECOMPUTED, &given, K, most, 5);
    }
}

/* Selection ends at the rank and takes one of several equal rows. */
TEST(rank_reached)
{
    enum { N = 300, D = 6, DISTINCT = 20 };
    double *const x = normal_rows(1631, N, D, 0), captured;
    const pen_view rows = dense_from_0(x, N, D), one = dense_from_0(x, 1, D);
    int64_t found[N];
    CHECK(choose(&LINEAR, &rows, 100, 1, 1, found, &captured) == D, "the rank is %d", D);
    CHECK_CLOSE(captured, 1, 0, 1e-12);
    for (int64_t i = DISTINCT; i < N; i++)
        memcpy(x + i * D, x + i % DISTINCT * D, D * sizeof *x);
    for (uint64_t seed = 0; seed < 4; seed++) {
        const pen_kernel *const kernel = seed % 2 ? &RBF : &LAPLACIAN;
        int taken[DISTINCT] = { 0 };
        const int64_t count = choose(kernel, &rows, N, seed, 1, found, &captured);
        CHECK(count == DISTINCT, "%lld landmarks", (long long)count);
        for (int64_t i = 0; i < count; i++)
            CHECK(taken[found[i] % DISTINCT]++ == 0, "row %lld has a duplicate landmark",
                  (long long)found[i]);
    }
    CHECK(choose(&RBF, &one, 1, 0, 1, found, &captured) == 1 && found[0] == 0 && captured == 1,
          "one row");
    /* the residual of zero rows is 0 from the start */
    memset(x, 0, 7 * D * sizeof *x);
    const int64_t count = choose(&COSINE, &rows, 5, 0, 1, found, &captured);
    assert_int_equal(count, 5);
    for (int64_t i = 0; i < count; i++)
        assert_true(found[i] >= 7);
}

/* Rows of any size, and kernels for which all rows are equal or none are similar. */
TEST(extremes)
{
    enum { N = 200, D = 3 };
    const pen_kernel all_equal = { .kind = PEN_KERNEL_RBF, .gamma = 1e-30 },
                     none_alike = { .kind = PEN_KERNEL_RBF, .gamma = 1e30 };
    double *const x = normal_rows(1641, N, D, 0), captured;
    const pen_view rows = dense_from_0(x, N, D);
    int64_t found[N], before[N];
    CHECK(choose(&all_equal, &rows, 50, 0, 1, found, &captured) == 1 && captured == 1, "all equal");
    CHECK(choose(&none_alike, &rows, 50, 0, 1, found, &captured) == 50, "none similar");
    CHECK_CLOSE(captured, 0.25, 1e-12, 0);
    CHECK(choose(&none_alike, &rows, N, 0, 1, found, &captured) == N && captured == 1, "all rows");
    choose(&LINEAR, &rows, 2, 9, 1, before, &captured);
    for (int64_t i = 0; i < N * D; i++)
        x[i] *= 0x1p400;
    choose(&LINEAR, &rows, 2, 9, 1, found, &captured);
    assert_memory_equal(found, before, 2 * sizeof *found);
}

/* Stops once half of the landmarks are found. */
static int stop_in_the_middle(void *user, const char *phase, int64_t done, int64_t total)
{
    return strcmp(phase, "landmarks") == 0 && 2 * done >= total;
}

/* Selecting `most` rows fails with this status and phrase. */
static void check_refused(const pen_kernel *kernel, const pen_view *x, int64_t most,
                          pen_progress_fn progress, pen_status code, const char *phrase)
{
    const pen_control control = { .threads = 2, .progress = progress };
    const int64_t *found;
    int64_t count;
    double *F, captured;
    pen_error err;
    pen_run *run;

    assert_int_equal(pen_run_open(&control, &err, &run), PEN_OK);
    CHECK_STATUS(
        pen_landmarks_cholesky(run, kernel, x, NULL, most, 0, &found, &count, &F, &captured), code,
        phrase, &err);
    pen_run_close(run);
}

TEST(refusals)
{
    enum { N = 600, D = 30, M = 300, SQUARE = 40 };
    double *const x = normal_rows(1661, N, D, 0), K[SQUARE * SQUARE];
    const pen_view rows = dense_from_0(x, N, D), square = dense_from_0(K, SQUARE, SQUARE);
    check_refused(&RBF, &rows, M, stop_in_the_middle, PEN_CANCELLED, NULL);
    memset(x, 0, N * D * sizeof *x);
    check_refused(&LINEAR, &rows, M, NULL, PEN_BAD_DATA,
                  "the sum of the linear kernel values of rows with themselves must be finite and "
                  "> 0, got 0");
    x[5 * D] = (double)INFINITY;
    check_refused(&RBF, &rows, M, NULL, PEN_NOT_FINITE, "row 5");
    /* positive eigenvalues of the selected rows do not make a kernel of all rows */
    for (int64_t i = 0; i < SQUARE; i++)
        for (int64_t j = 0; j < SQUARE; j++)
            K[i * SQUARE + j] =
                i == j ? 1 : 0.9 * ((i + j) % 2 ? -1 : 1) * (i / 20 == j / 20 ? 1 : -1);
    K[1] = K[SQUARE] = 0.99; /* 0 and 1 are similar, but differ in their similarity to other rows */
    check_refused(&PRECOMPUTED, &square, 30, NULL, PEN_BAD_DATA,
                  "the precomputed kernel matrix is not positive semidefinite");
}
