/* test_cg.c - conjugate gradients on full matrices with known solutions, and errors for systems
 * without one. */
#include "kit/opened.h"

#include "linalg/cg.h"

/* A system with a full matrix that counts multiplied columns. */
struct system {
    pen_cg how;
    int64_t n, k;
    double *a, *diagonal; /* [n x n], [n] */
    double *rhs, *x;      /* [n x k] */
    int64_t columns;
};

static pen_status multiply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    struct system *s = (struct system *)(uintptr_t)context;

    s->columns += k;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;
            for (int64_t j = 0; j < s->n; j++)
                sum += s->a[i * s->n + j] * v[j * k + c];
            y[i * k + c] = sum;
        }
    return PEN_OK;
}

/* Zeros. */
static struct system *system_new(int64_t n, int64_t k, double tol)
{
    struct system *s = check_allocate(1, sizeof *s);

    *s = (struct system){ .n = n, .k = k };
    s->a = check_allocate(n * n, sizeof *s->a);
    s->diagonal = check_allocate(n, sizeof *s->diagonal);
    s->rhs = check_allocate(n * k, sizeof *s->rhs);
    s->x = check_allocate(n * k, sizeof *s->x);
    s->how = (pen_cg){ "solving", n, multiply, s, s->diagonal, NULL, NULL, tol, 100000, NULL };
    return s;
}

/* G G' / n + shift I with rows and columns scaled by powers of ten, so that the diagonal spans the
 * same powers; random right-hand sides. */
static struct system *system_random(pen_rng *rng, int64_t n, int64_t k, double shift, double powers,
                                    double tol)
{
    struct system *s = system_new(n, k, tol);
    double *g = check_allocate(n * n, sizeof *g), *scale = check_allocate(n, sizeof *scale);

    for (int64_t i = 0; i < n * n; i++)
        g[i] = check_normal(rng);
    for (int64_t i = 0; i < n; i++)
        scale[i] = pow(10, powers * (pen_rng_uniform(rng) - 0.5));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = i == j ? shift : 0;
            for (int64_t c = 0; c < n; c++)
                sum += g[i * n + c] * g[j * n + c] / (double)n;
            s->a[i * n + j] = sum * scale[i] * scale[j];
        }
    for (int64_t i = 0; i < n; i++)
        s->diagonal[i] = s->a[i * n + i];
    for (int64_t i = 0; i < n * k; i++)
        s->rhs[i] = check_normal(rng);
    return s;
}

static pen_status solve(struct system *s, int threads, pen_error *err)
{
    pen_run *const run = check_run(threads, err);
    const pen_status status = pen_cg_solve(run, &s->how, s->k, s->rhs, s->x);
    pen_run_close(run);
    return status;
}

/* Checks that |rhs_c - A x_c| / |rhs_c| is at most `most`. */
static void check_residuals(struct system *s, double most)
{
    double *y = check_allocate(s->n * s->k, sizeof *y);

    multiply(NULL, s, s->k, s->x, y);
    for (int64_t c = 0; c < s->k; c++) {
        double rr = 0, bb = 0;
        for (int64_t i = c; i < s->n * s->k; i += s->k) {
            rr += (s->rhs[i] - y[i]) * (s->rhs[i] - y[i]);
            bb += s->rhs[i] * s->rhs[i];
        }
        CHECK(sqrt(rr / bb) <= most, "n %lld, column %lld of %lld: residual %g, at most %g",
              (long long)s->n, (long long)c, (long long)s->k, sqrt(rr / bb), most);
    }
}

/* The preconditioner solves a diagonal matrix in one step; an exact start or a zero column needs no
 * step. */
TEST(easy_columns)
{
    enum { N = 40, K = 3 };
    int64_t iterations = 0;
    struct system *s = system_new(N, K, 1e-12);
    s->how.iterations = &iterations;
    for (int i = 0; i < N; i++) {
        s->a[i * N + i] = s->diagonal[i] = 1 + i * i;
        s->rhs[i * K + 1] = s->diagonal[i] * (i - 7);
        s->x[i * K + 1] = i - 7;
        s->rhs[i * K + 2] = 1;
        s->x[i * K + 2] = 5;
    }
    s->x[0] = 3; /* start for the zero column */
    CHECK_CALL(solve(s, 1, NULL));
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(s->x[i * K], 0, 0, 0);
        CHECK_CLOSE(s->x[i * K + 1], i - 7, 0, 0);
        CHECK_CLOSE(s->x[i * K + 2], 1 / s->diagonal[i], 0, 1e-11);
    }
    assert_true(iterations == 1);
    s->k = 0;
    CHECK_CALL(solve(s, 1, NULL));
    assert_true(iterations == 1); /* the maximum over all calls */
}

/* A column has the same bits alone and together with others, and is not multiplied once solved. */
TEST(columns_alone)
{
    enum { N = 120, K = 4 };
    pen_rng rng = check_rng(421);
    struct system *s = system_random(&rng, N, K, 1e-3, 0, 1e-10), one = *s;
    double rhs[N], x[N], x0[N * K];
    /* column 2: the image of a constant vector, which is also the start, up to 1e-9 */
    for (int i = 0; i < N; i++) {
        s->rhs[i * K + 2] = 0;
        for (int j = 0; j < N; j++)
            s->rhs[i * K + 2] += s->a[i * N + j];
        s->x[i * K + 2] = 1 + 1e-9;
    }
    memcpy(x0, s->x, sizeof x0);
    CHECK_CALL(solve(s, 1, NULL));
    one.how.context = &one;
    one.k = 1;
    one.rhs = rhs;
    one.x = x;
    for (int c = 0; c < K; c++) {
        for (int i = 0; i < N; i++) {
            rhs[i] = s->rhs[i * K + c];
            x[i] = x0[i * K + c];
        }
        CHECK_CALL(solve(&one, 1, NULL));
        for (int i = 0; i < N; i++)
            CHECK(x[i] == s->x[i * K + c], "row %d of column %d: %.17g alone, %.17g among others",
                  i, c, x[i], s->x[i * K + c]);
    }
    CHECK(s->columns <= one.columns, "%lld products of columns together, %lld alone",
          (long long)s->columns, (long long)one.columns);
}

/* The solution reaches double precision for any tolerance and scale. */
TEST(rounding)
{
    static const double scales[] = { 1, 1e-300, 1e300, 1e-160, 1e160 };
    enum { N = 60 };
    pen_rng rng = check_rng(422);
    double y[N];
    for (int s = 0; s < 5; s++)
        for (int hard = 0; hard < 2; hard++) {
            struct system *f = system_random(&rng, N, 1, hard ? 1e-9 : 1, 0, 0);
            double most = 0, largest = 0; /* relative to |A| |x| */
            for (int i = 0; i < N; i++)
                f->rhs[i] *= scales[s];
            CHECK_CALL(solve(f, 1, NULL));
            multiply(NULL, f, 1, f->x, y);
            for (int i = 0; i < N; i++) {
                most = fmax(most, fabs(f->rhs[i] - y[i]));
                largest = fmax(largest, fabs(f->x[i]));
            }
            CHECK(most <= 1e-14 * N * (largest + scales[s]), "scale %g: off by %g, x up to %g",
                  scales[s], most, largest);
        }
}

/* The start is so far away that its rounding error exceeds the tolerance: the true residual
 * decides. */
TEST(far_start)
{
    pen_rng rng = check_rng(426);
    struct system *s = system_random(&rng, 50, 2, 0.1, 0, 1e-13);
    for (int i = 0; i < 100; i++)
        s->x[i] = check_normal(&rng) * (i % 2 ? 1 : 1e12);
    CHECK_CALL(solve(s, 1, NULL));
    check_residuals(s, 1e-12);
}

TEST(refusals)
{
    /* matrices with unit diagonal; (1, -1) is an eigenvector of value 1 - off */
    static const struct {
        double off, diagonal, rhs;
        pen_status status;
        const char *phrase;
    } cases[] = {
        { 2, 1, -1, PEN_SINGULAR_SCATTER,
          "label propagation: the system is not positive definite" },
        { 1, 1, -1, PEN_SINGULAR_SCATTER, "p'Ap = 0" },
        { 1, 1, 1, PEN_OK, "" }, /* singular but consistent: a solution is found */
        { 1, 0, 1, PEN_SINGULAR_SCATTER, "got 0 in row 1" },
        { 1, 1, NAN, PEN_BAD_DATA, "overflows" },
    };
    pen_rng rng = check_rng(423);
    pen_error err;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct system *s = system_new(2, 1, 1e-10);
        s->how.phase = "label propagation";
        s->a[0] = s->a[3] = s->diagonal[0] = s->rhs[0] = 1;
        s->a[1] = s->a[2] = cases[c].off;
        s->diagonal[1] = cases[c].diagonal;
        s->rhs[1] = cases[c].rhs;
        const pen_status status = solve(s, 1, &err);
        if (cases[c].status == PEN_OK)
            CHECK(status == PEN_OK && fabs(s->x[0] + s->x[1] - 1) < 1e-12, "x is %g, %g", s->x[0],
                  s->x[1]);
        else
            CHECK_STATUS(status, cases[c].status, cases[c].phrase, &err);
    }
    struct system *s = system_random(&rng, 50, 1, 1e-6, 0, 1e-12);
    s->how.phase = "graph system";
    s->how.most = 4;
    CHECK_STATUS(solve(s, 1, &err), PEN_NOT_CONVERGED,
                 "graph system: not converged after 4 iterations: residual ", &err);
    assert_non_null(strstr(err.message, "tolerance 1e-12"));
}

TEST(cancelled)
{
    struct check_stop stop = { .at = 2 };
    const pen_control control = { .threads = 1, .progress = check_stop_at, .user = &stop };
    pen_rng rng = check_rng(424);
    struct system *s = system_random(&rng, 40, 1, 1e-3, 0, 1e-10);
    pen_error err;
    pen_run *run;
    CHECK_CALL(pen_run_open(&control, &err, &run));
    CHECK_STATUS(pen_cg_solve(run, &s->how, 1, s->rhs, s->x), PEN_CANCELLED, NULL, &err);
    assert_string_equal(stop.phase, "solving");
    assert_int_equal(stop.reports, 3);
    pen_run_close(run);
}

/* More rows than one chunk. */
TEST(threads)
{
    enum { N = 1200, K = 2 };
    pen_rng rng = check_rng(425);
    struct system *s = system_new(N, K, 1e-12);
    double *first = check_allocate(N * K, sizeof *first);
    for (int i = 0; i < N; i++) {
        s->a[i * N + i] = s->diagonal[i] = 3;
        s->a[i * N + (i * 7 + 1) % N] += 0.5;
        s->a[((i * 7 + 1) % N) * N + i] += 0.5;
    }
    for (int i = 0; i < N * K; i++)
        s->rhs[i] = check_normal(&rng);
    for (int count = 1; count <= 4; count++) {
        memset(s->x, 0, N * K * sizeof *s->x);
        CHECK_CALL(solve(s, count, NULL));
        if (count == 1)
            memcpy(first, s->x, N * K * sizeof *first);
        assert_memory_equal(first, s->x, N * K * sizeof *first);
    }
    check_residuals(s, 1.001e-12);
}
