/* test_cg.c - conjugate gradients on full matrices with known solutions, and the errors for systems
 * without a solution. */
#include "check.h"

#include "linalg/cg.h"

/* A full symmetric matrix that counts its multiplications and the columns multiplied. */
struct full {
    int64_t n;
    double *a;
    int64_t calls, columns;
};

static pen_status multiply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    struct full *f = (struct full *)(uintptr_t)context;

    (void)run;
    f->calls++;
    f->columns += k;
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;
            for (int64_t j = 0; j < f->n; j++)
                sum += f->a[i * f->n + j] * v[j * k + c];
            y[i * k + c] = sum;
        }
    return PEN_OK;
}

/* y = 2 v over the diagonal. */
static pen_status divide(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const struct full *const f = context;

    (void)run;
    for (int64_t i = 0; i < f->n * k; i++)
        y[i] = 2 * v[i] / f->a[i / k * (f->n + 1)];
    return PEN_OK;
}

static pen_run *open_run(int threads, pen_error *err)
{
    const pen_control control = { .threads = threads };
    pen_run *run;

    assert_int_equal(pen_run_open(&control, err, &run), PEN_OK);
    return run;
}

/* G G' / n + shift I with rows and columns scaled by powers of ten, so the diagonal varies by the
 * same powers. */
static struct full random_full(pen_rng *rng, int64_t n, double shift, double powers)
{
    struct full f = { .n = n };
    double *g = check_allocate(n * n, sizeof *g), *scale = check_allocate(n, sizeof *scale);

    f.a = check_allocate(n * n, sizeof *f.a);
    for (int64_t i = 0; i < n * n; i++)
        g[i] = check_normal(rng);
    for (int64_t i = 0; i < n; i++)
        scale[i] = pow(10, powers * (pen_rng_uniform(rng) - 0.5));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = i == j ? shift : 0;
            for (int64_t c = 0; c < n; c++)
                sum += g[i * n + c] * g[j * n + c] / (double)n;
            f.a[i * n + j] = sum * scale[i] * scale[j];
        }
    free(g);
    free(scale);
    return f;
}

static double *diagonal_of(const struct full *f)
{
    double *diagonal = check_allocate(f->n, sizeof *diagonal);
    for (int64_t i = 0; i < f->n; i++)
        diagonal[i] = f->a[i * f->n + i];
    return diagonal;
}

static double *random_numbers(pen_rng *rng, int64_t count)
{
    double *numbers = check_allocate(count, sizeof *numbers);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = check_normal(rng);
    return numbers;
}

/* |rhs_c - A x_c| / |rhs_c|. */
static double residual(struct full *f, int64_t k, const double *rhs, const double *x, int64_t c)
{
    double *y = check_allocate(f->n * k, sizeof *y), rr = 0, bb = 0;

    multiply(NULL, f, k, x, y);
    for (int64_t i = 0; i < f->n; i++) {
        const double b = rhs[i * k + c], r = b - y[i * k + c];
        rr += r * r;
        bb += b * b;
    }
    free(y);
    return sqrt(rr / bb);
}

static void solutions(void **state)
{
    static const double tolerances[] = { 1e-3, 1e-8, 1e-12 };
    pen_rng rng = check_rng(420);
    int64_t iterations = 0;
    pen_run *run = open_run(1, NULL);
    (void)state;

    for (int64_t n = 1; n <= 91; n += 30)
        for (int64_t k = 1; k <= 7; k += 3)
            for (int t = 0; t < 3; t++) {
                struct full f = random_full(&rng, n, 0.1, t == 1 ? 4 : 0);
                double *diagonal = diagonal_of(&f), *rhs = random_numbers(&rng, n * k),
                       *x = random_numbers(&rng, n * k);
                const pen_cg how = {
                    "solving",     n,     multiply,   &f, diagonal, t == 1 ? divide : NULL, &f,
                    tolerances[t], 10000, &iterations
                };
                assert_int_equal(pen_cg_solve(run, &how, k, rhs, x), PEN_OK);
                for (int64_t c = 0; c < k; c++)
                    CHECK(residual(&f, k, rhs, x, c) <= tolerances[t] * 1.001,
                          "n %lld, column %lld of %lld: residual %g, tol %g", (long long)n,
                          (long long)c, (long long)k, residual(&f, k, rhs, x, c), tolerances[t]);
                free(f.a);
                free(diagonal);
                free(rhs);
                free(x);
            }
    assert_true(iterations >= 31);
    pen_run_close(run);
}

/* The preconditioner solves a diagonal matrix in one step; an exact start and a zero column need no
 * step. */
static void easy_columns(void **state)
{
    enum { N = 40, K = 3 };
    int64_t iterations = 0;
    double a[N * N] = { 0 }, diagonal[N], rhs[N * K], x[N * K];
    struct full f = { .n = N, .a = a };
    const pen_cg how = {
        "solving", N, multiply, &f, diagonal, NULL, NULL, 1e-12, 100, &iterations
    };
    pen_run *run = open_run(1, NULL);
    (void)state;

    for (int i = 0; i < N; i++) {
        a[i * N + i] = diagonal[i] = 1 + i * i;
        rhs[i * K] = x[i * K] = 0;
        rhs[i * K + 1] = diagonal[i] * (i - 7);
        x[i * K + 1] = i - 7;
        rhs[i * K + 2] = 1;
        x[i * K + 2] = 5;
    }
    x[0] = 3; /* start for the zero column */
    assert_int_equal(pen_cg_solve(run, &how, K, rhs, x), PEN_OK);
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(x[i * K], 0, 0, 0);
        CHECK_CLOSE(x[i * K + 1], i - 7, 0, 0);
        CHECK_CLOSE(x[i * K + 2], 1 / diagonal[i], 0, 1e-11);
    }
    assert_true(iterations == 1);
    assert_true(pen_cg_solve(run, &how, 0, NULL, NULL) == PEN_OK);
    assert_true(iterations == 1); /* the maximum over all calls */
    pen_run_close(run);
}

/* A column has the same bits alone and together with others, and is not multiplied once solved. */
static void columns_alone(void **state)
{
    enum { N = 120, K = 4 };
    pen_rng rng = check_rng(421);
    struct full f = random_full(&rng, N, 1e-3, 0);
    double *diagonal = diagonal_of(&f), *rhs = random_numbers(&rng, N * K), x[N * K] = { 0 },
           one_rhs[N], one[N];
    const pen_cg how = { "solving", N, multiply, &f, diagonal, NULL, NULL, 1e-10, 10000, NULL };
    pen_run *run = open_run(1, NULL);
    int64_t alone = 0;
    (void)state;

    for (int i = 0; i < N; i++) {
        /* column 2: the image of a constant vector, which is also the start, up to 1e-9 */
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += f.a[i * N + j];
        rhs[i * K + 2] = sum;
        x[i * K + 2] = 1 + 1e-9;
    }
    double x0[N * K];
    memcpy(x0, x, sizeof x);
    assert_int_equal(pen_cg_solve(run, &how, K, rhs, x), PEN_OK);
    const int64_t together = f.columns;
    for (int c = 0; c < K; c++) {
        for (int i = 0; i < N; i++) {
            one_rhs[i] = rhs[i * K + c];
            one[i] = x0[i * K + c];
        }
        f.columns = 0;
        assert_int_equal(pen_cg_solve(run, &how, 1, one_rhs, one), PEN_OK);
        alone += f.columns;
        for (int i = 0; i < N; i++)
            CHECK(one[i] == x[i * K + c], "row %d of column %d: %.17g alone, %.17g among others",
                  i, c, one[i], x[i * K + c]);
    }
    CHECK(together <= alone, "%lld products of columns together, %lld alone", (long long)together,
          (long long)alone);
    free(f.a);
    free(diagonal);
    free(rhs);
    pen_run_close(run);
}

/* No tolerance and no scale is too small: the solution reaches double precision. */
static void rounding(void **state)
{
    static const double scales[] = { 1, 1e-300, 1e300, 1e-160, 1e160 };
    enum { N = 60 };
    pen_rng rng = check_rng(422);
    pen_run *run = open_run(1, NULL);
    (void)state;

    for (int s = 0; s < 5; s++)
        for (int hard = 0; hard < 2; hard++) {
            struct full f = random_full(&rng, N, hard ? 1e-9 : 1, 0);
            double *diagonal = diagonal_of(&f), *rhs = random_numbers(&rng, N), x[N] = { 0 };
            const pen_cg how = {
                "solving", N, multiply, &f, diagonal, NULL, NULL, 0, 100000, NULL
            };
            for (int i = 0; i < N; i++)
                rhs[i] *= scales[s];
            assert_int_equal(pen_cg_solve(run, &how, 1, rhs, x), PEN_OK);
            double most = 0, largest = 0; /* relative to |A| |x| */
            double *const y = check_allocate(N, sizeof *y);
            multiply(run, &f, 1, x, y);
            for (int i = 0; i < N; i++) {
                most = fmax(most, fabs(rhs[i] - y[i]));
                largest = fmax(largest, fabs(x[i]));
            }
            CHECK(most <= 1e-14 * N * (largest + scales[s]), "scale %g: off by %g, x up to %g",
                  scales[s], most, largest);
            free(y);
            free(f.a);
            free(diagonal);
            free(rhs);
        }
    pen_run_close(run);
}

/* A start so far away that its rounding error exceeds the tolerance: the true residual decides. */
static void far_start(void **state)
{
    enum { N = 50, K = 2 };
    pen_rng rng = check_rng(426);
    struct full f = random_full(&rng, N, 0.1, 0);
    double *diagonal = diagonal_of(&f), *rhs = random_numbers(&rng, N * K),
           *x = random_numbers(&rng, N * K);
    const pen_cg how = { "solving", N, multiply, &f, diagonal, NULL, NULL, 1e-13, 10000, NULL };
    pen_run *run = open_run(1, NULL);
    (void)state;

    for (int i = 0; i < N; i++)
        x[i * K] *= 1e12;
    assert_int_equal(pen_cg_solve(run, &how, K, rhs, x), PEN_OK);
    for (int c = 0; c < K; c++)
        CHECK(residual(&f, K, rhs, x, c) < 1e-12, "column %d: residual %g", c,
              residual(&f, K, rhs, x, c));
    pen_run_close(run);
    free(f.a);
    free(diagonal);
    free(rhs);
    free(x);
}

static void refusals(void **state)
{
    double a[4] = { 1, 2, 2, 1 }, diagonal[2] = { 1, 1 }, rhs[2] = { 1, -1 }, x[2] = { 0, 0 };
    struct full f = { .n = 2, .a = a };
    pen_cg how = { "label propagation", 2, multiply, &f, diagonal, NULL, NULL, 1e-10, 100, NULL };
    pen_rng rng = check_rng(423);
    pen_error err;
    pen_run *run;
    (void)state;

    run = open_run(1, &err); /* (1, -1) has eigenvalue -1 */
    CHECK_STATUS(pen_cg_solve(run, &how, 1, rhs, x), PEN_SINGULAR_SCATTER, "not positive definite",
                 &err);
    CHECK(strstr(err.message, "label propagation: ") == err.message, "message: %s", err.message);
    pen_run_close(run);

    a[1] = a[2] = 1; /* (1, -1) has eigenvalue 0 */
    run = open_run(1, &err);
    CHECK_STATUS(pen_cg_solve(run, &how, 1, rhs, x), PEN_SINGULAR_SCATTER, "p'Ap = 0", &err);
    pen_run_close(run);

    rhs[1] = 1; /* singular but consistent: a solution is found */
    x[0] = x[1] = 0;
    run = open_run(1, &err);
    CHECK_OK(pen_cg_solve(run, &how, 1, rhs, x), &err);
    CHECK_CLOSE(x[0] + x[1], 1, 1e-12, 0);
    pen_run_close(run);

    diagonal[1] = 0;
    run = open_run(1, &err);
    CHECK_STATUS(pen_cg_solve(run, &how, 1, rhs, x), PEN_SINGULAR_SCATTER, "got 0 in row 1", &err);
    pen_run_close(run);

    diagonal[1] = 1;
    rhs[1] = NAN;
    run = open_run(1, &err);
    CHECK_STATUS(pen_cg_solve(run, &how, 1, rhs, x), PEN_BAD_DATA, "overflows", &err);
    pen_run_close(run);

    f = random_full(&rng, 50, 1e-6, 0);
    double *many = random_numbers(&rng, 50), *start = check_allocate(50, sizeof *start),
           *ones = diagonal_of(&f);
    how = (pen_cg){ "graph system", 50, multiply, &f, ones, NULL, NULL, 1e-12, 4, NULL };
    run = open_run(1, &err);
    CHECK_STATUS(pen_cg_solve(run, &how, 1, many, start), PEN_NOT_CONVERGED,
                 "graph system: not converged after 4 iterations: residual ", &err);
    assert_non_null(strstr(err.message, "tolerance 1e-12"));
    pen_run_close(run);
    free(many);
    free(start);
    free(ones);
    free(f.a);
}

static int stop_at_third(void *user, const char *phase, int64_t done, int64_t total)
{
    int *const calls = user;
    assert_string_equal(phase, "solving");
    assert_true(done >= 0 && done <= total);
    return ++*calls == 3;
}

static void cancelled(void **state)
{
    int calls = 0;
    const pen_control control = { .threads = 1, .progress = stop_at_third, .user = &calls };
    pen_rng rng = check_rng(424);
    struct full f = random_full(&rng, 40, 1e-3, 0);
    double *diagonal = diagonal_of(&f), *rhs = random_numbers(&rng, 40), x[40] = { 0 };
    const pen_cg how = { "solving", 40, multiply, &f, diagonal, NULL, NULL, 1e-10, 1000, NULL };
    pen_error err;
    pen_run *run;
    (void)state;

    assert_int_equal(pen_run_open(&control, &err, &run), PEN_OK);
    CHECK_STATUS(pen_cg_solve(run, &how, 1, rhs, x), PEN_CANCELLED, NULL, &err);
    assert_int_equal(calls, 3);
    pen_run_close(run);
    free(f.a);
    free(diagonal);
    free(rhs);
}

/* More rows than one chunk. */
static void threads(void **state)
{
    enum { N = 1200, K = 2 };
    pen_rng rng = check_rng(425);
    struct full f = { .n = N };
    double *rhs = random_numbers(&rng, N * K), *diagonal, *x = check_allocate(N * K, sizeof *x),
           *first = NULL;
    (void)state;

    f.a = check_allocate(N * N, sizeof *f.a);
    for (int i = 0; i < N; i++) {
        f.a[i * N + i] = 3;
        f.a[i * N + (i * 7 + 1) % N] += 0.5;
        f.a[((i * 7 + 1) % N) * N + i] += 0.5;
    }
    diagonal = diagonal_of(&f);
    const pen_cg how = { "solving", N, multiply, &f, diagonal, NULL, NULL, 1e-12, 1000, NULL };
    for (int count = 1; count <= 4; count++) {
        pen_run *run = open_run(count, NULL);
        memset(x, 0, N * K * sizeof *x);
        assert_int_equal(pen_cg_solve(run, &how, K, rhs, x), PEN_OK);
        CHECK(residual(&f, K, rhs, x, 1) < 1.001e-12, "residual %g", residual(&f, K, rhs, x, 1));
        if (!first) {
            first = check_allocate(N * K, sizeof *first);
            memcpy(first, x, N * K * sizeof *x);
        }
        assert_memory_equal(first, x, N * K * sizeof *x);
        pen_run_close(run);
    }
    free(first);
    free(x);
    free(rhs);
    free(diagonal);
    free(f.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions),     cmocka_unit_test(easy_columns),
        cmocka_unit_test(columns_alone), cmocka_unit_test(rounding),
        cmocka_unit_test(far_start),     cmocka_unit_test(refusals),
        cmocka_unit_test(cancelled),     cmocka_unit_test(threads)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
