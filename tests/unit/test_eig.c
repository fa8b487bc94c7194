/* test_eig.c - the contract of the eigensolver interface, on problems constructed with known
 * solutions. */
#include "check.h"

#include "linalg/blas.h"
#include "linalg/decompose.h"
#include "linalg/eig.h"

/* B = V'^-1 diag(values) V^-1, C = V'^-1 V^-1 for a random V [d x d]: the eigenvectors of B v =
 * value C v are the columns of V. */
static void build(pen_run *run, pen_rng *rng, int64_t d, const double *values, pen_sym *B,
                  pen_sym *C)
{
    double *u = check_allocate(d * d, sizeof *u); /* rows of V^-1 */

    assert_int_equal(pen_sym_zero(run, d, B), PEN_OK);
    assert_int_equal(pen_sym_zero(run, d, C), PEN_OK);
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < d; j++)
            u[i * d + j] = (i == j ? 3 : 0) + check_normal(rng) / sqrt((double)d);
        pen_sym_add_outer(values[i], u + i * d, B);
        pen_sym_add_outer(1, u + i * d, C);
    }
    B->rank = d;
    free(u);
}

static double form(const pen_sym *A, const double *u, const double *v)
{
    double sum = 0;
    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = 0; j < A->d; j++)
            sum += u[i] * v[j] * (j <= i ? A->a[i * A->d + j] : A->a[j * A->d + i]);
    return sum;
}

static void check_eig(pen_run *run, pen_rng *rng, int64_t d, int64_t k)
{
    double *values = check_allocate(d, sizeof *values), *before;
    pen_sym B, C;
    pen_eig e;

    for (int64_t i = 0; i < d; i++)
        /* the last quarter is the null space */
        values[i] = i < d - d / 4 ? 10.0 / (double)(i + 1) : 0;
    build(run, rng, d, values, &B, &C);
    before = check_allocate(2 * d * d, sizeof *before);
    memcpy(before, B.a, (size_t)(d * d) * 8);
    memcpy(before + d * d, C.a, (size_t)(d * d) * 8);
    assert_int_equal(pen_eig_largest(run, &B, &C, k, &e), PEN_OK);
    assert_memory_equal(before, B.a, (size_t)(d * d) * 8);
    assert_memory_equal(before + d * d, C.a, (size_t)(d * d) * 8);
    CHECK(e.rank == (k < d - d / 4 ? k : d - d / 4), "d %lld k %lld: rank %lld", (long long)d,
          (long long)k, (long long)e.rank);
    CHECK(e.residual < 1e-13, "d %lld k %lld: residual %g", (long long)d, (long long)k, e.residual);
    for (int64_t i = 0; i < k; i++) {
        CHECK_CLOSE(e.values[i], values[i], 1e-11, 0);
        for (int64_t j = 0; j <= i && j < 4; j++) {
            CHECK_CLOSE(form(&C, e.vectors + i * d, e.vectors + j * d), i == j, 0, 1e-11);
            CHECK_CLOSE(form(&B, e.vectors + i * d, e.vectors + j * d), i == j ? values[i] : 0, 0,
                        1e-10);
        }
    }
    free(values);
    free(before);
}

static void ratio(void **state)
{
    pen_rng rng = check_rng(310);
    pen_run *run;
    (void)state;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    for (int64_t d = 1; d <= 41; d += 5)
        /* few and many vectors use different routines */
        for (int64_t k = 1; k <= d; k += 1 + d / 3)
            check_eig(run, &rng, d, k);
    pen_run_close(run);
}

static void refusals(void **state)
{
    double values[6] = { 6, 5, 4, 3, 2, 1 }, v[6] = { 1, 1, 1, 1, 1, 1 };
    pen_rng rng = check_rng(311);
    pen_error err;
    pen_run *run;
    pen_sym B, C;
    pen_eig e;
    (void)state;

    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    build(run, &rng, 6, values, &B, &C);
    assert_int_equal(pen_sym_zero(run, 6, &C), PEN_OK);
    pen_sym_add_outer(1, v, &C); /* rank 1 */
    CHECK_STATUS(pen_eig_largest(run, &B, &C, 2, &e), PEN_SINGULAR_SCATTER, "scatter is singular",
                 &err);
    pen_run_close(run);

    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    build(run, &rng, 6, values, &B, &C);
    assert_int_equal(pen_sym_zero(run, 6, &C), PEN_OK);
    for (int i = 0; i < 6; i++)
        C.a[i * 7] = 1e-20; /* negligible compared with B */
    CHECK_STATUS(pen_eig_largest(run, &B, &C, 2, &e), PEN_SINGULAR_SCATTER,
                 "the denominator scatter is zero", &err);
    pen_run_close(run);

    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    build(run, &rng, 6, values, &B, &C);
    assert_int_equal(pen_sym_zero(run, 6, &C), PEN_OK);
    pen_sym_add_identity(1e-20, &C); /* equally small, but exactly so */
    CHECK_OK(pen_eig_largest(run, &B, &C, 2, &e), &err);
    pen_run_close(run);

    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    build(run, &rng, 6, values, &B, &C);
    B.a[6] = INFINITY;
    CHECK_STATUS(pen_eig_largest(run, &B, &C, 2, &e), PEN_BAD_DATA, "too large", &err);
    pen_run_close(run);
}

/* Badly scaled columns do not make a problem singular: 1e-8 < d epsilon^(1/2). */
static void scales(void **state)
{
    pen_run *run;
    pen_sym B, C;
    pen_eig e;
    (void)state;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_sym_zero(run, 2, &B), PEN_OK);
    assert_int_equal(pen_sym_zero(run, 2, &C), PEN_OK);
    B.a[0] = 2e12, B.a[3] = 3e-1, C.a[0] = 1e12, C.a[3] = 1e-1;
    B.rank = 2;
    assert_int_equal(pen_eig_largest(run, &B, &C, 2, &e), PEN_OK);
    assert_true(e.rank == 2);
    CHECK_CLOSE(e.values[0], 3, 1e-14, 0);
    CHECK_CLOSE(e.values[1], 2, 1e-14, 0);
    pen_run_close(run);
}

/* Repeated eigenvalues: the requested number of orthonormal vectors, even if the range ends inside
 * a cluster. */
static void clusters(void **state)
{
    (void)state;
    pen_rng rng = check_rng(72);
    for (int repeat = 0; repeat < check_repeats(60); repeat++) {
        const int64_t d = 30 + pen_rng_below(&rng, 40), distinct = 1 + pen_rng_below(&rng, 4),
                      k = 1 + pen_rng_below(&rng, d / 5);
        pen_run *run;
        pen_sym G, B;
        pen_eig basis, e;
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        assert_int_equal(pen_sym_zero(run, d, &G), PEN_OK);
        assert_int_equal(pen_sym_zero(run, d, &B), PEN_OK);
        for (int64_t i = 0; i < d * d; i++)
            G.a[i] = check_normal(&rng);
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = 0; j < i; j++)
                G.a[j * d + i] = G.a[i * d + j];
        assert_int_equal(pen_eig_indefinite(run, &G, NULL, &basis), PEN_OK);
        for (int64_t c = 0; c < d; c++)
            pen_sym_add_outer(c < distinct ? (double)(2 + distinct - c) : 1, basis.vectors + c * d,
                              &B);
        pen_sym_note(&B, d, 0x1p-52);
        assert_int_equal(pen_eig_largest(run, &B, NULL, k, &e), PEN_OK);
        assert_true(e.rank == k);
        for (int64_t c = 0; c < k; c++) {
            CHECK_CLOSE(e.values[c], c < distinct ? (double)(2 + distinct - c) : 1, 1e-12, 0);
            for (int64_t b = 0; b <= c; b++) {
                double dot = 0;
                for (int64_t j = 0; j < d; j++)
                    dot += e.vectors[c * d + j] * e.vectors[b * d + j];
                CHECK_CLOSE(dot, b == c, 1e-12, 1e-12);
            }
        }
        CHECK(e.residual < 1e-13, "residual %g", e.residual);
        pen_run_close(run);
    }
}

/* v [d] becomes orthogonal to the eight columns that a search by products starts with. */
static void hide(int64_t d, double *v)
{
    enum { BLOCK = 8 };
    double *const start = check_allocate(BLOCK * d, sizeof *start), *const work = check_allocate(
                                                                        33 * BLOCK, sizeof *work);
    pen_rng rng = { 0 };

    for (int64_t i = 0; i < d; i++)
        for (int64_t c = 0; c < BLOCK; c++)
            start[c * d + i] = 2 * pen_rng_uniform(&rng) - 1;
    assert_int_equal(pen_lapack_orthonormalize(d, BLOCK, start, work), 0);
    for (int64_t c = 0; c < 2 * BLOCK; c++) {
        const double *const column = start + c % BLOCK * d;
        double dot = 0;
        for (int64_t i = 0; i < d; i++)
            dot += column[i] * v[i];
        for (int64_t i = 0; i < d; i++)
            v[i] -= dot * column[i];
    }
    free(start), free(work);
}

/* A random matrix with `rank` values above 0: 1, q, q^2, ... If hidden is not 0, it is the first
 * value instead, and its vector is hidden. */
static void large(pen_run *run, pen_rng *rng, int64_t d, int64_t rank, double hidden, pen_sym *B)
{
    double *const x = check_allocate(rank * d, sizeof *x), *const work = check_allocate(
                                                               33 * rank, sizeof *work);

    for (int64_t i = 0; i < rank * d; i++)
        x[i] = check_normal(rng);
    if (hidden != 0)
        hide(d, x);
    assert_int_equal(pen_lapack_orthonormalize(d, rank, x, work), 0);
    for (int64_t i = 0; i < rank; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] *= sqrt(i == 0 && hidden != 0 ? hidden : pow(0.95, (double)i));
    assert_int_equal(pen_sym_zero(run, d, B), PEN_OK);
    pen_blas_syrk(PEN_F64, d, rank, x, d, 0, B->a, d);
    pen_sym_note(B, d, 0x1p-52);
    free(x), free(work);
}

/* A few values of a large matrix are found by products, and are those of LAPACK: where ranks are
 * low, where products cannot see one of the vectors, and with a denominator. For any number of
 * threads. */
static void few_of_many(void **state)
{
    enum { D = 1250, K = 25 };
    static const struct {
        int64_t rank;
        double hidden;
        int ratio;
    } kinds[] = { { 400, 0, 0 }, { 6, 0, 0 }, { 400, 0.28, 0 }, { 400, 0, 1 }, { 6, 0, 1 } };
    pen_rng rng = check_rng(73);
    double values[K], *const all = check_allocate(D, sizeof *all);
    const double effort = check_effort(); /* valgrind takes minutes for one kind */
    (void)state;

    for (int kind = 0; kind < (effort < 0.05 ? 0 : effort < 0.5 ? 1 : 5); kind++) {
        const int64_t rank = kinds[kind].rank;
        pen_run *run;
        pen_sym B, C, copy, M;
        pen_eig e;
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        large(run, &rng, D, rank, kinds[kind].hidden, &B);
        large(run, &rng, D, D, 0, &C);
        pen_sym_add_identity(1, &C);
        const pen_sym *const below = kinds[kind].ratio ? &C : NULL;
        assert_int_equal(pen_sym_copy(run, &C, &copy), PEN_OK);
        assert_int_equal(pen_sym_copy(run, &B, &M), PEN_OK);
        if (below) {
            assert_int_equal(pen_lapack_cholesky(D, copy.a), 0);
            assert_int_equal(pen_lapack_reduce(D, M.a, copy.a), 0);
        }
        assert_int_equal(pen_decompose(run, D, D, M.a, all, NULL), PEN_OK);
        for (int threads = 1; threads <= 4; threads += 3) {
            const pen_control control = { .threads = threads };
            pen_run *own;
            assert_int_equal(pen_run_open(&control, NULL, &own), PEN_OK);
            assert_int_equal(pen_eig_largest(own, &B, below, K, &e), PEN_OK);
            assert_int_equal(e.rank, pen_min(rank, K));
            CHECK(e.residual < 1e-13, "kind %d: residual %g", kind, e.residual);
            for (int64_t i = 0; i < K; i++)
                CHECK_CLOSE(e.values[i], i < e.rank ? all[D - 1 - i] : 0, 0, 1e-12 * all[D - 1]);
            for (int64_t i = 0; i < e.rank; i++)
                for (int64_t j = 0; j <= i; j += 3)
                    CHECK_CLOSE(form(below ? below : &(pen_sym){ .d = 0 }, e.vectors + i * D,
                                     e.vectors + j * D),
                                below && i == j, 0, 1e-11);
            if (threads > 1)
                assert_memory_equal(values, e.values, sizeof values);
            memcpy(values, e.values, sizeof values);
            pen_run_close(own);
        }
        pen_run_close(run);
    }
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ratio), cmocka_unit_test(refusals),
                                        cmocka_unit_test(scales), cmocka_unit_test(clusters),
                                        cmocka_unit_test(few_of_many) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
