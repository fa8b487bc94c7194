/* test_orthonormal.c - Gram-Schmidt on dependent rows, within and across blocks. */
#include "kit/dense.h"
#include "kit/opened.h"

#include "linalg/orthonormal.h"

/* The distance of v [d] from the span of the first r orthonormal rows. */
static double distance(int64_t d, const double *v, int64_t r, const double *basis)
{
    double sum = 0;
    for (int64_t j = 0; j < d; j++) {
        double rest = v[j];
        for (int64_t b = 0; b < r; b++)
            rest -= dense_dot(d, v, basis + b * d) * basis[b * d + j];
        sum += rest * rest;
    }
    return sqrt(sum);
}

/* Every third row is a sum of earlier rows, one is 0, one is nearly parallel to another, and
 * lengths differ by 1e300. The basis is orthonormal, has the correct rank, and spans every leading
 * set of rows. */
TEST(dependent_rows)
{
    enum { COUNT = 200, D = 150 };
    pen_rng rng = check_rng(901);
    double *V = check_allocate(COUNT * D, sizeof *V), *basis = check_allocate(D * D, sizeof *basis);
    int adds[COUNT], rank = 0;
    pen_run *run;
    int64_t r = 0;

    for (int i = 0; i < COUNT; i++) {
        adds[i] = i % 3 != 2 && i != 100 && rank < D;
        rank += adds[i];
        for (int j = 0; j < D; j++)
            V[i * D + j] = i == 100       ? 0
                           : i % 3 == 2   ? V[(i - 1) * D + j] - 2 * V[(i - 2) * D + j]
                           : i % 50 == 40 ? V[(i - 1) * D + j] + 1e-6 * check_normal(&rng)
                                          : check_normal(&rng);
    }
    for (int j = 0; j < D; j++) {
        V[3 * D + j] *= 1e150;
        V[4 * D + j] *= 1e-150;
        V[5 * D + j] = 0;
    }
    run = check_run(0, NULL);
    CHECK_CALL(pen_orthonormal_append(run, COUNT, D, V, D, basis, &r));
    CHECK(r == rank, "rank is %d, got %lld", rank, (long long)r);
    for (int64_t a = 0; a < r; a++)
        for (int64_t b = 0; b <= a; b++)
            CHECK_CLOSE(dense_dot(D, basis + a * D, basis + b * D), a == b, 0, 1e-13);
    for (int i = 0, before = 0; i < COUNT; i++) {
        before += adds[i];
        const double length = sqrt(dense_dot(D, V + i * D, V + i * D));
        CHECK_CLOSE(distance(D, V + i * D, before, basis), 0, 0, 1e-12 * length);
        if (adds[i])
            CHECK(distance(D, V + i * D, before - 1, basis) > 1e-8 * length, "row %d adds", i);
    }
    pen_run_close(run);
}

/* Rows appended to an existing basis, up to its capacity. */
TEST(appended)
{
    static const double V[] = { 3, 0, 0, 4, 5, 0, 1, 1, 2 };
    double basis[9] = { 0, 0, 1 };
    pen_run *run;
    int64_t r = 1;

    run = check_run(0, NULL);
    CHECK_CALL(pen_orthonormal_append(run, 3, 3, V, 2, basis, &r));
    assert_int_equal(r, 2);
    CHECK_CLOSE(basis[3], 1, 0, 1e-15);
    CHECK_CALL(pen_orthonormal_append(run, 3, 3, V, 3, basis, &r));
    assert_int_equal(r, 3);
    CHECK_CLOSE(basis[7], 1, 0, 1e-15);
    pen_run_close(run);
}
