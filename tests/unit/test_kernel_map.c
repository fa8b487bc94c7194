/* test_kernel_map.c - coordinates whose products are kernel values: all rows and landmarks, by
 * eigenvectors and by Cholesky, against the definition; invalid kernels; bits, limits. (Folded
 * maps, penalties: test_kernel_fit.) */
#include "check.h"

#include "kit/kernel_rows.h"

#include "kernels/kernel_map.h"
#include "kit/dense.h"
#include "oracle/kernel_oracle.h"

static const pen_kernel KERNELS[] = {
    { .kind = PEN_KERNEL_LINEAR },
    { .kind = PEN_KERNEL_RBF, .gamma = 0.1 },
    { .kind = PEN_KERNEL_LAPLACIAN, .gamma = 0.1 },
    { .kind = PEN_KERNEL_POLYNOMIAL, .gamma = 0.2, .degree = 2, .coef0 = 1 },
    { .kind = PEN_KERNEL_COSINE },
};
enum { KINDS = 5 };

/* A map and the coordinates of its rows. */
struct mapped {
    pen_run *run;
    pen_kernel_map map;
    double *phi, captured;
    pen_error err;
};

static void map_open(const pen_kernel *kernel, const pen_view *x, int64_t m, const int64_t *rows,
                     int threads, struct mapped *a)
{
    const pen_control control = { .threads = threads };

    assert_int_equal(pen_run_open(&control, &a->err, &a->run), PEN_OK);
    CHECK_OK(pen_kernel_map_open(a->run, kernel, x, m, rows, &a->map), &a->err);
    a->phi = check_allocate(x->n * a->map.q, sizeof *a->phi);
    CHECK_OK(pen_kernel_map_rows(a->run, &a->map, x, a->phi, &a->captured), &a->err);
}

/* The same by randomly pivoted Cholesky. */
static void map_cholesky(const pen_kernel *kernel, const pen_view *x, int64_t most, uint64_t seed,
                         int threads, struct mapped *a)
{
    const pen_control control = { .threads = threads };
    double *phi;

    assert_int_equal(pen_run_open(&control, &a->err, &a->run), PEN_OK);
    CHECK_OK(
        pen_kernel_map_cholesky(a->run, kernel, x, NULL, most, seed, &a->map, &phi, &a->captured),
        &a->err);
    assert_int_equal(a->map.q, a->map.m);
    assert_null(a->map.w);
    a->phi = check_allocate(x->n * a->map.q, sizeof *a->phi);
    memcpy(a->phi, phi, (size_t)(x->n * a->map.q) * sizeof *phi);
}

static void map_by(int cholesky, const pen_kernel *kernel, const pen_view *x, int64_t m,
                   int threads, struct mapped *a)
{
    if (cholesky)
        map_cholesky(kernel, x, m, 6, threads, a);
    else
        map_open(kernel, x, m, NULL, threads, a);
}

TEST(all_rows)
{
    enum { N = 75, D = 4 };
    double *const x = normal_rows(1701, N, D, 0);
    const pen_view rows = dense_from_0(x, N, D);
    memcpy(x + 70 * D, x + 3 * D, D * sizeof *x);
    for (int k = 0; k < KINDS; k++) {
        double *const K = kernel_table(&KERNELS[k], N, N, D, x, x);
        struct mapped a;
        map_open(&KERNELS[k], &rows, N, NULL, 2, &a);
        const int64_t q = a.map.q, expected = k == 0 || k == 4 ? D : k == 3 ? 15 : N - 1;
        CHECK(q == expected, "%s: %lld coordinates, expected %lld",
              pen_kernel_names[KERNELS[k].kind], (long long)q, (long long)expected);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                CHECK_CLOSE(dense_dot(q, a.phi + i * q, a.phi + j * q), K[i * N + j], 0,
                            1e-9 * sqrt(K[i * (N + 1)] * K[j * (N + 1)]));
        CHECK_CLOSE(a.captured, 1, 0, 1e-10);
        for (int64_t c = 1; c < q; c++) /* columns have the lengths of the eigenvalues */
            assert_true(a.map.w[c] <= a.map.w[c - 1] && a.map.w[c] > 0);
        assert_memory_equal(a.phi + 70 * q, a.phi + 3 * q, (size_t)q * sizeof *a.phi);
        pen_run_close(a.run);
    }
}

/* phi phi' = K_nL K_LL^-1 K_Ln, in [n x n]. */
static double *nystroem(int64_t n, const double *K, int64_t m, const int64_t *landmarks)
{
    double *const inner = zeros(m * m), *const across = zeros(m * n), *const product = zeros(n * n);

    for (int64_t i = 0; i < m; i++) {
        memcpy(across + i * n, K + landmarks[i] * n, (size_t)n * sizeof *K);
        for (int64_t j = 0; j < m; j++)
            inner[i * m + j] = K[landmarks[i] * n + landmarks[j]];
    }
    double *const solved = dense_solve(m, n, inner, across);
    for (int64_t l = 0; l < m; l++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                product[i * n + j] += across[l * n + i] * solved[l * n + j];
    return product;
}

/* Products of the coordinates equal the Nystroem approximation from the landmarks, whose fraction
 * of the trace is reported. */
static void check_products(const struct mapped *a, int64_t n, const double *K, int64_t m,
                           const int64_t *landmarks)
{
    double *const expected = nystroem(n, K, m, landmarks);

    assert_int_equal(a->map.q, m);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            CHECK_CLOSE(dense_dot(m, a->phi + i * m, a->phi + j * m), expected[i * n + j], 0,
                        1e-11);
    CHECK_CLOSE(a->captured, 1 - kernel_residual(n, K, m, landmarks), 0, 1e-11);
}

/* Duplicate landmarks change nothing; a stored matrix gives the coordinates of its rows. */
TEST(some_rows)
{
    enum { N = 90, D = 3, M = 12 };
    static const int64_t landmarks[M + 2] = { 80, 3, 17, 4, 5, 60, 61, 2, 33, 41, 0, 9, 89, 3 };
    const pen_kernel given = { .kind = PEN_KERNEL_PRECOMPUTED };
    double *const x = normal_rows(1711, N, D, 0);
    memcpy(x + 89 * D, x + 4 * D, D * sizeof *x);
    for (int k = 1; k < 3; k++) {
        double *const K = kernel_table(&KERNELS[k], N, N, D, x, x);
        const pen_view rows[] = { dense_from_0(x, N, D), dense_from_0(K, N, N) };
        for (int way = 0; way < 2; way++)
            for (int64_t m = M; m <= M + 2; m += 2) {
                struct mapped a;
                map_open(way ? &given : &KERNELS[k], &rows[way], m, landmarks, 2, &a);
                check_products(&a, N, K, M, landmarks);
                pen_run_close(a.run);
            }
    }
}

/* Products, new rows by kernel values, the fraction of the trace: with rounds of 64 rows and of
 * more, and blocks of 128 and less; with rows and with their stored matrix. */
TEST(by_cholesky)
{
    enum { N = 150, D = 5, M = 100 };
    const pen_kernel kernels[] = { { .kind = PEN_KERNEL_RBF, .gamma = 0.5 },
                                   { .kind = PEN_KERNEL_LAPLACIAN, .gamma = 0.5 },
                                   { .kind = PEN_KERNEL_PRECOMPUTED } };
    double *const x = normal_rows(1761, N, D, 0), *const again = zeros(N * M);
    double *const stored = kernel_table(&kernels[0], N, N, D, x, x);
    for (int k = 0; k < 3; k++) {
        const pen_view rows = k < 2 ? dense_from_0(x, N, D) : dense_from_0(stored, N, N);
        double *const K = kernel_table(&kernels[k % 2], N, N, D, x, x);
        struct mapped a;
        map_cholesky(&kernels[k], &rows, M, 7, 2, &a);
        assert_int_equal(a.map.m, M);
        check_products(&a, N, K, M, a.map.rows);
        CHECK_OK(pen_kernel_apply(a.run, "rows", &a.map.set, &rows, NULL, a.map.T, M, PEN_F64,
                                  again, M, NULL),
                 &a.err);
        for (int64_t i = 0; i < N * M; i++)
            CHECK_CLOSE(again[i], a.phi[i], 0, 1e-10);
        pen_run_close(a.run);
    }
}

/* On both routes equal rows have equal bits anywhere, for any number of threads; so do all rows
 * after rows of zeros are inserted before them, which change no landmark. */
TEST(same_bits)
{
    enum { N = 1300, D = 13, M = 90, SHIFT = 37 };
    static const int64_t copies[] = { 5, 64, 127, 128, 200, 511, 512, 600, 640, 641, 1298, 1299 };
    double *const x = normal_rows(1801, N + SHIFT, D, 0);
    const pen_view all = dense_from_0(x, N + SHIFT, D), rows = dense_from_0(x + SHIFT * D, N, D);
    for (int c = 1; c < 12; c++)
        memcpy(x + (SHIFT + copies[c]) * D, x + (SHIFT + 5) * D, D * sizeof *x);
    memset(x, 0, SHIFT * D * sizeof *x);
    for (int k = 1; k < KINDS; k++)
        for (int cholesky = 0; cholesky < 2; cholesky++) {
            struct mapped one, more;
            map_by(cholesky, &KERNELS[k], &rows, M, 1, &one);
            const int64_t q = one.map.q;
            const size_t size = (size_t)q * sizeof *one.phi;
            for (int c = 1; c < 12; c++)
                CHECK(memcmp(one.phi + 5 * q, one.phi + copies[c] * q, size) == 0, "%s: row %lld",
                      pen_kernel_names[KERNELS[k].kind], (long long)copies[c]);
            for (int threads = 2; threads <= 5; threads += 3) {
                map_by(cholesky, &KERNELS[k], &rows, M, threads, &more);
                assert_int_equal(more.map.q, q);
                assert_memory_equal(one.phi, more.phi, N * size);
                assert_memory_equal(one.map.T, more.map.T, (size_t)one.map.m * size);
                assert_memory_equal(&one.captured, &more.captured, sizeof one.captured);
                pen_run_close(more.run);
            }
            if (KERNELS[k].kind == PEN_KERNEL_COSINE && cholesky) {
                map_cholesky(&KERNELS[k], &all, M, 6, 2, &more);
                assert_int_equal(more.map.q, q);
                for (int64_t l = 0; l < one.map.m; l++)
                    assert_int_equal(more.map.rows[l], one.map.rows[l] + SHIFT);
                assert_memory_equal(one.phi, more.phi + SHIFT * q, N * size);
                pen_run_close(more.run);
            }
            pen_run_close(one.run);
        }
}

TEST(refusals)
{
    enum { MANY = 5001 };
    static const int64_t order[MANY];
    const pen_kernel given = { .kind = PEN_KERNEL_PRECOMPUTED };
    static const double indefinite[] = { 1, 2, 2, 1 }, large[] = { 1e300, -1e300 },
                        eigen[] = { 1.2e154, -1.2e154 }; /* values of 1.44e308 */
    double *const many = check_allocate(MANY, sizeof *many);
    const pen_view square = dense_from_0(indefinite, 2, 2), long_rows = dense_from_0(many, MANY, 1),
                   nothing = dense_from_0(many, 5, 3), huge = dense_from_0(large, 2, 1),
                   far = dense_from_0(eigen, 2, 1);
    const struct {
        const pen_kernel *kernel;
        const pen_view *x;
        int64_t m; /* negative: by Cholesky */
        const int64_t *rows;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { &given, &square, 2, NULL, PEN_BAD_DATA,
          "the precomputed kernel matrix is not positive semidefinite: eigenvalue -1, of at most "
          "3" },
        { &KERNELS[1], &long_rows, MANY, NULL, PEN_BAD_ARGUMENT,
          "kernel_landmarks must be at most 5000, got all 5001 rows; set it to a number, such as "
          "1000" },
        { &KERNELS[1], &nothing, 6, order, PEN_BAD_ARGUMENT,
          "kernel_landmarks must be at most 5, the number of rows, got 6" },
        { &KERNELS[1], &long_rows, -MANY, NULL, PEN_BAD_ARGUMENT,
          "kernel_landmarks must be at most 5000" },
        { &KERNELS[0], &nothing, -2, NULL, PEN_BAD_DATA, "must be finite and > 0, got 0" },
        { &KERNELS[0], &nothing, 5, NULL, PEN_BAD_DATA, "the linear kernel matrix is zero" },
        { &KERNELS[0], &huge, 2, NULL, PEN_BAD_DATA, "row 0 (counted from 0): its linear" },
        { &KERNELS[0], &far, 2, NULL, PEN_BAD_DATA,
          "the eigenvalues of the linear kernel matrix overflow" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pen_kernel_map map;
        double *phi, captured;
        pen_error err;
        pen_run *const run = check_run(0, &err);
        CHECK_STATUS(cases[i].m < 0
                         ? pen_kernel_map_cholesky(run, cases[i].kernel, cases[i].x, NULL,
                                                   -cases[i].m, 0, &map, &phi, &captured)
                         : pen_kernel_map_open(run, cases[i].kernel, cases[i].x, cases[i].m,
                                               cases[i].rows, &map),
                     cases[i].code, cases[i].phrase, &err);
        pen_run_close(run);
    }
}

/* An eigenvalue that is negative by rounding is no error and gives no coordinate. */
TEST(almost_indefinite)
{
    static const double K[] = { 1, 1 + 1e-9, 1 + 1e-9, 1 };
    const pen_kernel given = { .kind = PEN_KERNEL_PRECOMPUTED };
    const pen_view square = dense_from_0(K, 2, 2);
    struct mapped a;
    map_open(&given, &square, 2, NULL, 1, &a);
    assert_int_equal(a.map.q, 1);
    CHECK_CLOSE(a.captured, 1, 0, 1e-8);
    pen_run_close(a.run);
}

/* Single-precision values are rounded, on both routes: an eigenvalue of -1e-7 of the largest is no
 * error and gives no coordinate. */
TEST(single_precision)
{
    enum { N = 60, D = 3, MOST = 20 };
    const pen_kernel given = { .kind = PEN_KERNEL_PRECOMPUTED };
    double *const x = normal_rows(1799, N, D, 0), *const K =
                                                      kernel_table(&KERNELS[0], N, N, D, x, x);
    float *const single = check_allocate(N * N, sizeof *single);
    pen_view square = dense_from_0(K, N, N);
    pen_kernel_map map;
    double *phi, captured;
    struct mapped a;
    for (int64_t i = 0; i < N * N; i++)
        single[i] = (float)K[i];
    square.values = pen_dense(single, PEN_F32, N, N, N);
    map_open(&given, &square, N, NULL, 1, &a);
    assert_int_equal(a.map.q, D);
    CHECK_OK(pen_kernel_map_cholesky(a.run, &given, &square, NULL, MOST, 0, &map, &phi, &captured),
             &a.err);
    assert_int_equal(map.m, D);
    CHECK_CLOSE(captured, 1, 0, 1e-5);
    pen_run_close(a.run);
}

/* One row, equal rows, tiny and large values; a constant column. */
TEST(degenerate)
{
    static const double sizes[] = { 1e-100, 1, 1e100 }, line[] = { 0, 7, 1, 7, 2, 7, 3, 7 };
    struct mapped a;
    for (int64_t n = 1; n <= 4; n += 3)
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < KINDS; k++) {
                double x[8];
                if (k == 3 && s != 1)
                    continue; /* its coef0 has a unit */
                for (int i = 0; i < 8; i++)
                    x[i] = (i % 2 ? 1 : 2) * sizes[s];
                const pen_view rows = dense_from_0(x, n, 2);
                map_open(&KERNELS[k], &rows, n, NULL, 1, &a);
                assert_int_equal(a.map.q, 1);
                CHECK_CLOSE(a.phi[0] * a.phi[0], kernel_value(&KERNELS[k], 2, x, x), 1e-12, 0);
                CHECK_CLOSE(a.captured, 1, 0, 1e-12);
                pen_run_close(a.run);
            }
    const pen_view rows = dense_from_0(line, 4, 2);
    map_open(&KERNELS[0], &rows, 4, NULL, 1, &a);
    assert_int_equal(a.map.q, 2);
    pen_run_close(a.run);
}
