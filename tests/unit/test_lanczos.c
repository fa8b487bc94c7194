/* test_lanczos.c - eigenvalues by products with diagonal matrices: repeated, clustered, zero, of
 * both signs. (Dense matrices against LAPACK: test_eig.c.) */
#include "kit/dense.h"
#include "kit/opened.h"

#include "linalg/lanczos.h"

#include <float.h>

struct matrix {
    int64_t n;
    const double *diagonal; /* [n] */
};

static pen_status apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const struct matrix *A = context;

    for (int64_t i = 0; i < A->n * k; i++)
        y[i] = A->diagonal[i / k] * v[i];
    return PEN_OK;
}

static pen_lanczos problem_of(const struct matrix *A, int64_t k, int64_t block, double tol)
{
    return (pen_lanczos){ .phase = "eigenvalues",
                          .n = A->n,
                          .k = k,
                          .apply = apply,
                          .context = A,
                          .block = block,
                          .tol = tol };
}

/* The vectors are orthonormal eigenvectors: |A v - value v| <= most. */
static void check_pairs(pen_run *run, const struct matrix *A, const pen_lanczos *p,
                        const pen_lanczos_pairs *e, double most)
{
    const int64_t n = p->n, k = p->k;
    double *const y = check_allocate(n * k, sizeof *y);

    CHECK_CALL(apply(run, A, k, e->vectors, y));
    for (int64_t c = 0; c < k; c++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += pow(y[i * k + c] - e->values[c] * e->vectors[i * k + c], 2);
        CHECK(sqrt(sum) <= most, "pair %lld: residual %g", (long long)c, sqrt(sum));
        for (int64_t o = 0; o <= c; o++) {
            double dot = 0;
            for (int64_t i = 0; i < n; i++)
                dot += e->vectors[i * k + c] * e->vectors[i * k + o];
            CHECK_CLOSE(dot, o == c, 0, 1e-13);
        }
        int64_t largest = 0;
        for (int64_t i = 0; i < n; i++)
            if (fabs(e->vectors[i * k + c]) > fabs(e->vectors[largest * k + c]))
                largest = i;
        CHECK(e->vectors[largest * k + c] > 0, "pair %lld has the other sign", (long long)c);
    }
}

/* The largest difference to the known values. */
static double solve(int threads, const struct matrix *A, int64_t k, int64_t block, double tol)
{
    pen_error err;
    pen_run *const run = check_run(threads, &err);
    pen_lanczos p = problem_of(A, k, block, tol);
    pen_lanczos_pairs e;
    double *const known = check_allocate(A->n, sizeof *known), off = 0;

    memcpy(known, A->diagonal, (size_t)A->n * sizeof *known);
    dense_sort(A->n, known);
    const double size = fmax(fabs(known[0]), fabs(known[A->n - 1]));
    CHECK_OK(pen_lanczos_solve(run, &p, &e), &err);
    CHECK(e.residual <= tol, "residual %g", e.residual);
    check_pairs(run, A, &p, &e, (tol + 1e-14) * size);
    for (int64_t c = 0; c < k; c++)
        off = fmax(off, fabs(e.values[c] - known[A->n - 1 - c]));
    pen_run_close(run);
    return size > 0 ? off / size : off;
}

/* 1, 1/2, 1/3, ..., each four times: with one vector at a time only rounding finds further copies,
 * so the search for missed values must find them. 1 twenty times, with eight vectors. */
TEST(repeated)
{
    double diagonal[1600];
    const struct matrix A = { 1600, diagonal };
    for (int64_t i = 0; i < A.n; i++)
        diagonal[(7 * i) % A.n] = 1 / (double)(1 + i / 4);
    for (int64_t block = 1; block <= 16; block *= 2) {
        const double off = solve(1, &A, 12, block, 1e-10);
        CHECK(off < 1e-13, "block %lld: off by %g", (long long)block, off);
    }
    for (int64_t i = 0; i < A.n; i++)
        diagonal[(7 * i) % A.n] = i < 20 ? 1 : 1 / (double)(i - 18);
    const double off = solve(1, &A, 25, 8, 1e-10);
    CHECK(off < 1e-13, "off by %g", off);
}

/* Hard or degenerate spectra; sizes from one. */
TEST(known_spectra)
{
    enum { MOST = 1500 };
    static const int64_t sizes[] = { 1, 2, 5, 60, 90, 400, MOST };
    double *const diagonal = check_allocate(MOST, sizeof *diagonal);
    for (int64_t s = 0; s < 7; s++)
        for (int kind = 0; kind < 7; kind++) {
            const struct matrix A = { sizes[s], diagonal };
            for (int64_t i = 0; i < A.n; i++) {
                const double x = (double)i / (double)A.n;
                diagonal[i] = kind == 0   ? 0                                /* zero */
                              : kind == 1 ? (i < 3 ? 3 - (double)i : 0)      /* rank 3 */
                              : kind == 2 ? 1                                /* I */
                              : kind == 3 ? 1 + (i < 7 ? 1 : 1e-3 * x)       /* a far cluster */
                              : kind == 4 ? 1e-120 * pow(0.5, (double)i)     /* geometric, tiny */
                              : kind == 5 ? -1 - x                           /* negative */
                                          : 1e100 * (i % 2 ? 1 - x : x - 1); /* of both signs */
            }
            for (int64_t k = 1; k <= pen_min(A.n, 10); k += 9) {
                const double off = solve(1, &A, k, 4, kind == 6 ? 1e-6 : 1e-10);
                CHECK(off < (kind == 6 ? 1e-6 : 1e-13), "kind %d, n %lld, k %lld: off by %g", kind,
                      (long long)A.n, (long long)k, off);
            }
        }
}

/* A separate run fails; `message`: a phrase of the error. */
static void fails(const pen_lanczos *p, pen_status status, const char *message)
{
    pen_error err;
    pen_run *const run = check_run(1, &err);
    pen_lanczos_pairs e;

    CHECK_STATUS(pen_lanczos_solve(run, p, &e), status, message, &err);
    pen_run_close(run);
}

TEST(refusals)
{
    double diagonal[2000];
    const struct matrix A = { 2000, diagonal };
    pen_lanczos p = problem_of(&A, 20, 1, 1e-12);
    for (int64_t i = 0; i < A.n; i++)
        diagonal[i] = 1 - pow((double)i / (double)A.n, 2); /* dense at the top */
    fails(&p, PEN_NOT_CONVERGED, "of 20 eigenvalues converged");
    for (int64_t i = 0; i < A.n; i++)
        diagonal[i] = DBL_MAX;
    p.tol = 1e-10;
    fails(&p, PEN_BAD_DATA, "products overflow");
}

/* The matrix after a number of its products. */
struct changing {
    struct matrix A;
    int64_t *left;
};

static pen_status apply_changing(pen_run *run, const void *context, int64_t k, const double *v,
                                 double *y)
{
    const struct changing *c = context;

    *c->left -= k;
    PEN_TRY(apply(run, &c->A, k, v, y));
    for (int64_t i = 0; *c->left < 0 && i < c->A.n * k; i++)
        y[i] += 1e-6 * v[c->A.n * k - 1 - i];
    return PEN_OK;
}

/* The residual is computed from true products, not predicted from earlier ones. */
TEST(verified)
{
    double diagonal[400];
    int64_t left;
    const struct changing c = { { 400, diagonal }, &left };
    pen_lanczos p = problem_of(&c.A, 4, 4, 1e-10);
    pen_lanczos_pairs e;
    pen_error err;
    pen_run *const run = check_run(1, &err);
    for (int64_t i = 0; i < 400; i++)
        diagonal[i] = pow(0.5, (double)i);
    p.context = &c;
    p.apply = apply_changing;
    left = 4 * 400;
    CHECK_OK(pen_lanczos_solve(run, &p, &e), &err);
    const int64_t before = e.products;
    left = before - 4; /* only the residuals use another matrix */
    const pen_status status = pen_lanczos_solve(run, &p, &e);
    CHECK(status == PEN_NOT_CONVERGED || (status == PEN_OK && e.products > before),
          "status %d after %lld products, residual %g", (int)status, (long long)e.products,
          e.residual);
    pen_run_close(run);
}

static pen_status apply_noisy(pen_run *run, const void *context, int64_t k, const double *v,
                              double *y)
{
    static pen_rng rng;
    const struct matrix *A = context;

    PEN_TRY(apply(run, A, k, v, y));
    for (int64_t i = 0; i < A->n * k; i++)
        y[i] += 1e-8 * check_normal(&rng);
    return PEN_OK;
}

/* Products with rounding above the tolerance: an error. */
TEST(noisy)
{
    double diagonal[400];
    const struct matrix A = { 400, diagonal };
    pen_lanczos p = problem_of(&A, 4, 4, 1e-10);
    for (int64_t i = 0; i < 400; i++)
        diagonal[i] = pow(0.5, (double)i);
    p.apply = apply_noisy;
    fails(&p, PEN_NOT_CONVERGED, "a residual is");
}

TEST(threads)
{
    enum { N = 5000, K = 6 };
    static double diagonal[N], first[K * (N + 1)];
    const struct matrix A = { N, diagonal };
    const pen_lanczos p = problem_of(&A, K, 4, 1e-10);
    pen_lanczos_pairs e;
    for (int64_t i = 0; i < N; i++)
        diagonal[i] = 1 / (double)(1 + i * 31 % N);
    for (int count = 1; count <= 4; count++) {
        pen_run *const run = check_run(count, NULL);
        CHECK_CALL(pen_lanczos_solve(run, &p, &e));
        if (count == 1) {
            memcpy(first, e.values, K * sizeof *first);
            memcpy(first + K, e.vectors, K * N * sizeof *first);
        }
        assert_memory_equal(first, e.values, K * sizeof *first);
        assert_memory_equal(first + K, e.vectors, K * N * sizeof *first);
        pen_run_close(run);
    }
}
