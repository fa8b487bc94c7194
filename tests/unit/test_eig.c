/* test_eig.c - the contract of the eigensolver interface on singular, badly scaled, and clustered
 * problems, and on those that are large enough to be solved by products. Every method's oracle
 * checks the others. */
#include "kit/dense.h"
#include "kit/opened.h"

#include "linalg/blas.h"
#include "linalg/decompose.h"
#include "linalg/eig.h"
#include "linalg/few_eigenvalues.h"

/* B = V'^-1 diag(values) V^-1, C = V'^-1 V^-1 for a random V [d x d]: the eigenvectors of B v =
 * value C v are the columns of V. */
static void build(pen_run *run, pen_rng *rng, int64_t d, const double *values, pen_sym *B,
                  pen_sym *C)
{
    double *u = check_allocate(d * d, sizeof *u); /* rows of V^-1 */

    CHECK_CALL(pen_sym_zero(run, d, B));
    CHECK_CALL(pen_sym_zero(run, d, C));
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < d; j++)
            u[i * d + j] = (i == j ? 3 : 0) + check_normal(rng) / sqrt((double)d);
        pen_sym_add_outer(values[i], u + i * d, B);
        pen_sym_add_outer(1, u + i * d, C);
    }
    B->rank = d;
}

static double form(const pen_sym *A, const double *u, const double *v)
{
    double sum = 0;
    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = 0; j < A->d; j++)
            sum += u[i] * v[j] * (j <= i ? A->a[i * A->d + j] : A->a[j * A->d + i]);
    return sum;
}

/* Nothing is written to B and C; eigenvalues that are 0 are not counted. */
TEST(inputs_stay)
{
    enum { D = 17, K = 15, RANK = 13 };
    double values[D] = { 0 }, before[2 * D * D];
    pen_rng rng = check_rng(310);
    pen_run *run;
    pen_sym B, C;
    pen_eig e;
    run = check_run(0, NULL);
    for (int i = 0; i < RANK; i++)
        values[i] = 10.0 / (i + 1);
    build(run, &rng, D, values, &B, &C);
    memcpy(before, B.a, sizeof before / 2);
    memcpy(before + D * D, C.a, sizeof before / 2);
    CHECK_CALL(pen_eig_largest(run, &B, &C, K, &e));
    assert_memory_equal(before, B.a, sizeof before / 2);
    assert_memory_equal(before + D * D, C.a, sizeof before / 2);
    assert_int_equal(e.rank, RANK);
    CHECK(e.residual < 1e-13, "residual %g", e.residual);
    for (int64_t i = 0; i < K; i++) {
        CHECK_CLOSE(e.values[i], values[i], 1e-11, 0);
        for (int64_t j = 0; j <= i; j++)
            CHECK_CLOSE(form(&C, e.vectors + i * D, e.vectors + j * D), i == j, 0, 1e-11);
    }
    pen_run_close(run);
}

TEST(refusals)
{
    enum { D = 6 };
    static const struct {
        double outer, diagonal, identity, first; /* of C, and what is added to B */
        pen_status status;
        const char *phrase;
    } cases[] = {
        { 1, 0, 0, 0, PEN_SINGULAR_SCATTER, "scatter is singular" }, /* rank 1 */
        /* negligible compared with B, or equally small, but exactly so */
        { 0, 1e-20, 0, 0, PEN_SINGULAR_SCATTER, "the denominator scatter is zero" },
        { 0, 0, 1e-20, 0, PEN_OK, "" },
        { 0, 1, 0, INFINITY, PEN_BAD_DATA, "too large" },
    };
    const double values[D] = { 6, 5, 4, 3, 2, 1 }, v[D] = { 1, 1, 1, 1, 1, 1 };
    pen_rng rng = check_rng(311);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pen_error err;
        pen_run *run;
        pen_sym B, C;
        pen_eig e;
        run = check_run(0, &err);
        build(run, &rng, D, values, &B, &C);
        CHECK_CALL(pen_sym_zero(run, D, &C));
        pen_sym_add_outer(cases[c].outer, v, &C);
        for (int i = 0; i < D; i++)
            C.a[i * (D + 1)] += cases[c].diagonal;
        if (cases[c].identity > 0)
            pen_sym_add_identity(cases[c].identity, &C);
        B.a[D] += cases[c].first;
        const pen_status status = pen_eig_largest(run, &B, &C, 2, &e);
        if (cases[c].status == PEN_OK)
            CHECK_OK(status, &err);
        else
            CHECK_STATUS(status, cases[c].status, cases[c].phrase, &err);
        pen_run_close(run);
    }
}

/* Badly scaled columns do not make a problem singular: 1e-8 < d epsilon^(1/2). */
TEST(scales)
{
    pen_run *run;
    pen_sym B, C;
    pen_eig e;
    run = check_run(0, NULL);
    CHECK_CALL(pen_sym_zero(run, 2, &B));
    CHECK_CALL(pen_sym_zero(run, 2, &C));
    B.a[0] = 2e12, B.a[3] = 3e-1, C.a[0] = 1e12, C.a[3] = 1e-1;
    B.rank = 2;
    CHECK_CALL(pen_eig_largest(run, &B, &C, 2, &e));
    assert_true(e.rank == 2);
    CHECK_CLOSE(e.values[0], 3, 1e-14, 0);
    CHECK_CLOSE(e.values[1], 2, 1e-14, 0);
    pen_run_close(run);
}

/* Repeated eigenvalues: the requested number of orthonormal vectors, even if the range ends inside
 * a cluster. The vectors of B are the columns of a reflection. */
TEST(clusters)
{
    pen_rng rng = check_rng(72);
    for (int repeat = 0; repeat < check_repeats(60); repeat++) {
        const int64_t d = 30 + pen_rng_below(&rng, 40), distinct = 1 + pen_rng_below(&rng, 4),
                      k = 1 + pen_rng_below(&rng, d / 5);
        double u[70], v[70], square = 0;
        pen_run *run = check_run(0, NULL);
        pen_sym B, I;
        pen_eig e;
        CHECK_CALL(pen_sym_zero(run, d, &B));
        CHECK_CALL(pen_sym_zero(run, d, &I));
        pen_sym_add_identity(1, &I);
        for (int64_t i = 0; i < d; i++) {
            u[i] = check_normal(&rng);
            square += u[i] * u[i];
        }
        for (int64_t c = 0; c < d; c++) {
            for (int64_t i = 0; i < d; i++)
                v[i] = (i == c) - 2 * u[i] * u[c] / square;
            pen_sym_add_outer(c < distinct ? (double)(2 + distinct - c) : 1, v, &B);
        }
        pen_sym_note(&B, d, 0x1p-52);
        CHECK_CALL(pen_eig_largest(run, &B, NULL, k, &e));
        assert_true(e.rank == k);
        for (int64_t c = 0; c < k; c++) {
            CHECK_CLOSE(e.values[c], c < distinct ? (double)(2 + distinct - c) : 1, 1e-12, 0);
            for (int64_t b = 0; b <= c; b++)
                CHECK_CLOSE(form(&I, e.vectors + c * d, e.vectors + b * d), b == c, 1e-12, 1e-12);
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
    CHECK_CALL(pen_sym_zero(run, d, B));
    pen_blas_syrk(PEN_F64, d, rank, x, d, 0, B->a, d);
    pen_sym_note(B, d, 0x1p-52);
}

/* A few values of a large matrix are found by products, and are those of LAPACK: where ranks are
 * low, where products cannot see one of the vectors, and with a denominator. For any number of
 * threads. */
TEST(few_of_many)
{
    enum { D = 1250, K = 25 };
    static const struct {
        int64_t rank;
        double hidden;
        int ratio;
    } kinds[] = { { 400, 0, 0 }, { 6, 0, 0 }, { 400, 0.28, 0 }, { 400, 0, 1 }, { 6, 0, 1 } };
    pen_rng rng = check_rng(73);
    double values[K], *const all = check_allocate(D, sizeof *all);
    const double effort = check_effort(); /* valgrind and emulators take minutes for one kind */
    for (int kind = 0; kind < (effort < 0.08 ? 0 : effort < 0.5 ? 1 : 5); kind++) {
        const int64_t rank = kinds[kind].rank;
        pen_run *run;
        pen_sym B, C, copy, M;
        pen_eig e;
        run = check_run(0, NULL);
        large(run, &rng, D, rank, kinds[kind].hidden, &B);
        large(run, &rng, D, D, 0, &C);
        pen_sym_add_identity(1, &C);
        const pen_sym *const below = kinds[kind].ratio ? &C : NULL;
        CHECK_CALL(pen_sym_copy(run, &C, &copy));
        CHECK_CALL(pen_sym_copy(run, &B, &M));
        if (below) {
            assert_int_equal(pen_lapack_cholesky(D, copy.a), 0);
            assert_int_equal(pen_lapack_reduce(D, M.a, copy.a), 0);
        }
        CHECK_CALL(pen_decompose(run, D, D, M.a, all, NULL));
        for (int threads = 1; threads <= 4; threads += 3) {
            pen_run *own = check_run(threads, NULL);
            CHECK_CALL(pen_eig_largest(own, &B, below, K, &e));
            assert_int_equal(e.rank, pen_min(rank, K));
            CHECK(e.residual < 1e-13, "kind %d: residual %g", kind, e.residual);
            for (int64_t i = 0; i < K; i++)
                CHECK_CLOSE(e.values[i], i < e.rank ? all[D - 1 - i] : 0, 0, 1e-12 * all[D - 1]);
            for (int64_t i = 0; i < e.rank; i++)
                for (int64_t j = i % 3; j <= i; j += 3) {
                    const double *const u = e.vectors + i * D, *const v = e.vectors + j * D;
                    CHECK_CLOSE(below ? form(below, u, v) : dense_dot(D, u, v), i == j, 0, 1e-11);
                }
            if (threads > 1)
                assert_memory_equal(values, e.values, sizeof values);
            memcpy(values, e.values, sizeof values);
            pen_run_close(own);
        }
        pen_run_close(run);
    }
}

/* A few eigenvalues by products alone, of diag(values), or of diag(values) v = value 2 v: those of
 * 0.8^i are found; a block of eight sees eight copies of a value until rounding adds to them, and
 * then either all are found or the answer is that they are not. */
TEST(by_products)
{
    enum { MOST = 1100, K = 20 };
    const int64_t D = check_many(MOST);
    double *const B = check_allocate(D * D, sizeof *B), *const C = check_allocate(D * D, sizeof *C);
    double *const L = check_allocate(D * D, sizeof *L), *const vectors =
                                                            check_allocate(D * K, sizeof *vectors);
    for (int64_t i = 0; i < D; i++)
        C[i * (D + 1)] = L[i * (D + 1)] = 2;
    assert_int_equal(pen_lapack_cholesky(D, L), 0);
    for (int way = 0; way < 4; way++) {
        const int ratio = way % 2, repeated = way / 2;
        double first[K], values[MOST];
        int found;
        if (!check_in_turn(way, 3))
            continue;
        pen_run *run = check_run(0, NULL);
        memset(B, 0, (size_t)(D * D) * sizeof *B); /* which the call has overwritten */
        for (int64_t i = 0; i < D; i++)
            B[i * (D + 1)] = values[i] = !repeated ? pow(0.8, (double)i)
                                         : i < 12  ? 1
                                                   : 1 / (double)(i - 10);
        CHECK_CALL(pen_few_largest(run, D, K, B, ratio ? C : NULL, ratio ? L : NULL, first, vectors,
                                   &found));
        CHECK(found || repeated, "ratio %d: not found", ratio);
        for (int64_t c = 0; found && c < K; c++) {
            const double *const v = vectors + c * D;
            CHECK_CLOSE(first[K - 1 - c], values[c] / (1 + ratio), 0, 1e-12);
            for (int64_t b = 0; b <= c; b++)
                CHECK_CLOSE(dense_dot(D, v, vectors + b * D), b == c, 0, 1e-12);
            for (int64_t i = 0; i < D; i++)
                CHECK_CLOSE(values[i] / (1 + ratio) * v[i], first[c] * v[i], 0, 1e-12);
        }
        pen_run_close(run);
    }
}
