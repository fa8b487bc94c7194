/* test_few_eigenvalues.c - a few eigenvalues by products alone: found where they can be, and never
 * fewer than there are. */
#include "check.h"

#include "linalg/blas.h"
#include "linalg/few_eigenvalues.h"

enum { D = 1100, K = 20 };

/* Solves diag(values), or diag(values) v = value 2 v with a denominator. *found as reported. */
static void solve(const double values[D], int ratio, int *found, double first[K])
{
    double *const B = check_allocate(D * D, sizeof *B), *const C = check_allocate(D * D, sizeof *C),
                  *const L = check_allocate(D * D, sizeof *L),
                  *const vectors = check_allocate(D * K, sizeof *vectors);
    pen_run *run;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    for (int64_t i = 0; i < D; i++) {
        B[i * D + i] = values[i];
        C[i * D + i] = L[i * D + i] = 2;
    }
    assert_int_equal(pen_lapack_cholesky(D, L), 0);
    assert_int_equal(
        pen_few_largest(run, D, K, B, ratio ? C : NULL, ratio ? L : NULL, first, vectors, found),
        PEN_OK);
    pen_run_close(run);
    free(B), free(C), free(L), free(vectors);
}

static void found(void **state)
{
    double values[D], first[K];
    int done;
    (void)state;

    for (int64_t i = 0; i < D; i++)
        values[i] = pow(0.8, (double)i);
    for (int ratio = 0; ratio < 2; ratio++) {
        solve(values, ratio, &done, first);
        CHECK(done, "ratio %d: not found", ratio);
        for (int64_t c = 0; c < K; c++)
            CHECK_CLOSE(first[K - 1 - c], values[c] / (1 + ratio), 0, 1e-12);
    }
}

/* A block of eight sees eight copies of a value until rounding adds to them. */
static void repeated(void **state)
{
    double values[D], first[K];
    int done;
    (void)state;

    for (int64_t i = 0; i < D; i++)
        values[i] = i < 12 ? 1 : 1 / (double)(i - 10);
    for (int ratio = 0; ratio < 2; ratio++) {
        solve(values, ratio, &done, first);
        for (int64_t c = 0; done && c < K; c++)
            CHECK_CLOSE(first[K - 1 - c], values[c] / (1 + ratio), 0, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(found), cmocka_unit_test(repeated) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
