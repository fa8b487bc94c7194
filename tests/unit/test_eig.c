/* test_eig.c - the contract of the eigensolver interface for singular, badly scaled, clustered, and
 * large (iteratively solved) problems. The oracles of the methods check ordinary ones. */
#include "kit/opened.h"

#include "linalg/eig.h"

/* B = V'^-1 diag(values) V^-1, C = V'^-1 V^-1 for a random V [d x d]: the columns of V solve B v =
 * value C v. */
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

/* B and C are not modified; zero eigenvalues are not counted. */
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
        double outer, diagonal, identity, first; /* of C, and added to B */
        pen_status status;
        const char *phrase;
    } cases[] = {
        { 1, 0, 0, 0, PEN_SINGULAR_SCATTER, "scatter is singular" }, /* rank 1 */
        /* negligible compared with B, or equally small but exact */
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
