/* test_trace_ratio.c - the largest trace ratio: printed values of ten digits, optimality
 * conditions, and unbounded ratios. */
#include "kit/opened.h"

#include "solve/trace_ratio.h"

/* Sum of `count` outer products of random vectors, with columns scaled by powers of ten. */
static pen_sym random_scatter(pen_run *run, pen_rng *rng, int64_t d, int64_t count, double powers)
{
    double *v = check_allocate(d, sizeof *v);
    pen_sym A;

    CHECK_CALL(pen_sym_zero(run, d, &A));
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < d; j++)
            v[j] = check_normal(rng) * pow(10, powers * (double)j / (double)d);
        pen_sym_add_outer(1, v, &A);
    }
    pen_sym_note(&A, d, 0x1p-52);
    return A;
}

/* Garbage above the diagonal, which is not read. */
static void spoil(pen_sym *A)
{
    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = i + 1; j < A->d; j++)
            A->a[i * A->d + j] = 1e30;
}

static double form(const pen_sym *A, const pen_projection *m, int64_t a, int64_t b)
{
    double sum = 0;
    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = 0; j < A->d; j++)
            sum += m->W[i * m->k + a] * m->W[j * m->k + b]
                   * (j <= i ? A->a[i * A->d + j] : A->a[j * A->d + i]);
    return sum;
}

static double trace(const pen_sym *A, const pen_projection *m)
{
    double sum = 0;
    for (int64_t c = 0; c < m->k; c++)
        sum += form(A, m, c, c);
    return sum;
}

/* W is orthonormal; A - ratio B is diagonal in it, and its descending values sum to 0 and are the k
 * largest of all eigenvalues; the ratio is that of W. */
static void check_optimal(pen_run *run, const pen_sym *A, const pen_sym *B, const pen_projection *m,
                          double ratio)
{
    const int64_t d = A->d, k = m->k;
    const double size = fabs(pen_sym_trace(A)) + fabs(ratio) * pen_sym_trace(B);
    double sum = 0;
    pen_sym M, I;
    pen_eig e;

    CHECK_CALL(pen_sym_copy(run, A, &M));
    CHECK_CALL(pen_sym_zero(run, d, &I));
    pen_sym_add_identity(1, &I);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            M.a[i * d + j] -= ratio * B->a[i * d + j];
    CHECK_CALL(pen_eig_indefinite(run, &M, NULL, &e));
    for (int64_t a = 0; a < k; a++) {
        sum += m->eigenvalues[a];
        CHECK_CLOSE(m->eigenvalues[a], e.values[a], 0, 1e-12 * size);
        assert_true(a == 0 || m->eigenvalues[a] <= m->eigenvalues[a - 1]);
        for (int64_t b = 0; b <= a; b++) {
            CHECK_CLOSE(form(&I, m, a, b), a == b, 0, 1e-12);
            CHECK_CLOSE(form(&M, m, a, b), a == b ? m->eigenvalues[a] : 0, 0, 1e-12 * size);
        }
    }
    CHECK_CLOSE(sum, 0, 0, 1e-12 * size);
    CHECK_CLOSE(trace(A, m) / trace(B, m), ratio, 1e-12, 1e-12 * size / pen_sym_trace(B));
}

/* Scatters of six labelled rows of three columns, in two classes. */
TEST(golden)
{
    static const double rows[6][3] = { { 0.97, 0.75, -0.02 },   { -0.6, -1.43, 0.6 },
                                       { -1.21, -0.42, -0.78 }, { -0.28, -1.35, 0.1 },
                                       { 0.44, 0.84, 0.78 },    { 0.98, -1.47, 1.03 } };
    static const double expected[3][2] = { { -0.1226574639, -0.5542118631 },
                                           { 0.9117320762, 0.2647722811 },
                                           { -0.3920456196, 0.789141844 } };
    double mean[2][3] = { { 0 } }, all[3], v[3], ratio;
    pen_run *run = check_run(0, NULL);
    pen_sym A, B;

    CHECK_CALL(pen_sym_zero(run, 3, &A));
    CHECK_CALL(pen_sym_zero(run, 3, &B));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++)
            mean[i % 2][j] += rows[i][j] / 3;
    for (int j = 0; j < 3; j++)
        all[j] = (mean[0][j] + mean[1][j]) / 2;
    for (int c = 0; c < 2; c++) {
        for (int j = 0; j < 3; j++)
            v[j] = mean[c][j] - all[j];
        pen_sym_add_outer(3, v, &A);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 3; j++)
            v[j] = rows[i][j] - all[j];
        pen_sym_add_outer(1, v, &B);
    }
    pen_sym_add_identity(0.1, &B);
    for (int how = 0; how < 2; how++) {
        pen_projection m = { .k = 0 };
        CHECK_CALL(pen_solve_trace_ratio(run, &A, &B, 2, (enum pen_newton)how, &m, &ratio));
        CHECK_CLOSE(ratio, 0.8135669516, 0, 1e-10);
        CHECK_CLOSE(note_of(run, "ratio"), ratio, 0, 0);
        for (int c = 0; c < 2; c++)
            for (int j = 0; j < 3; j++)
                CHECK_CLOSE(m.W[j * 2 + c] * (m.W[(c ? 2 : 1) * 2 + c] < 0 ? -1 : 1),
                            expected[j][c], 0, 1e-10);
        check_optimal(run, &A, &B, &m, ratio);
    }
    pen_run_close(run);
}

TEST(both_ways)
{
    pen_rng rng = check_rng(440);
    pen_run *run = check_run(0, NULL);
    double saved = 0;

    for (int repeat = 0; repeat < 4 * check_repeats(1); repeat++)
        for (int64_t d = 1; d <= 25; d += 6)
            for (int64_t k = 1; k <= d; k += 1 + d / 4) {
                pen_sym A = random_scatter(run, &rng, d, 1 + repeat * 2, repeat % 2),
                        B = random_scatter(run, &rng, d, d + 3, repeat % 2);
                pen_projection m = { .k = 0 }, plain = { .k = 0 };
                double ratio, other, steps;
                pen_sym_add_identity(0.1, &B);
                if (repeat == 3) /* indefinite */
                    pen_sym_add_identity(-2, &A);
                spoil(&A);
                spoil(&B);
                CHECK_CALL(
                    pen_solve_trace_ratio(run, &A, &B, k, PEN_NEWTON_DECOMPOSED, &m, &ratio));
                steps = note_of(run, "iterations");
                check_optimal(run, &A, &B, &m, ratio);
                CHECK_CALL(pen_solve_trace_ratio(run, &A, &B, k, PEN_NEWTON_PLAIN, &plain, &other));
                CHECK_CLOSE(other, ratio, 1e-12, 1e-12);
                /* rounding */
                CHECK(steps <= note_of(run, "iterations") + 1, "%g steps, without decomposition %g",
                      steps, note_of(run, "iterations"));
                saved += note_of(run, "iterations") - steps;
                assert_true(check_subspaces(d, k, m.W, k, plain.W, k) < 1e-6);
            }
    CHECK(saved > 0, "decomposition saves %g steps in total", saved);
    pen_run_close(run);
}

TEST(degenerate)
{
    static const struct {
        int64_t a, b; /* the rank of A and B; a -1: A is 2 B; b -1: B is diag(1, 1, 1, last) */
        double last;
        int64_t k;
        double ratio; /* NAN: any, INFINITY: unbounded */
    } cases[] = {
        /* B of rank 2: its three smallest eigenvalues have a positive sum, the two smallest sum to
         * 0 */
        { 2, 2, 0, 3, NAN },
        { 2, 2, 0, 2, INFINITY },
        { 2, 0, 0, 4, INFINITY },
        /* rounding error does not bound the ratio */
        { 4, -1, 1e-14, 1, INFINITY },
        { 4, -1, 1e-11, 1, NAN },
        { 0, 8, 0, 2, 0 },
        { -1, 8, 0, 2, 2 },  /* all directions have the same ratio */
        { 2, 8, 0, 4, NAN }, /* all directions */
    };
    pen_rng rng = check_rng(442);

    for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
        const int64_t a = cases[c / 2].a, b = cases[c / 2].b, k = cases[c / 2].k;
        pen_projection m = { .k = 0 };
        pen_error err;
        pen_run *run = check_run(0, &err);
        double ratio;
        pen_sym B = random_scatter(run, &rng, 4, b, 0), A = random_scatter(run, &rng, 4, a, 0);
        for (int i = 0; i < 4 && b < 0; i++)
            B.a[i * 5] = i < 3 ? 1 : cases[c / 2].last;
        for (int time = 0; time < 2 && a < 0; time++)
            pen_sym_add(&B, &A);
        const pen_status status =
            pen_solve_trace_ratio(run, &A, &B, k, (enum pen_newton)(c % 2), &m, &ratio);
        if (isinf(cases[c / 2].ratio)) {
            CHECK_STATUS(status, PEN_SINGULAR_SCATTER, "the ratio is unbounded", &err);
        } else {
            CHECK_OK(status, &err);
            check_optimal(run, &A, &B, &m, ratio);
            if (!isnan(cases[c / 2].ratio))
                CHECK_CLOSE(ratio, cases[c / 2].ratio, 1e-14, 0);
            if (k == 4)
                CHECK_CLOSE(ratio, pen_sym_trace(&A) / pen_sym_trace(&B), 1e-13, 0);
        }
        pen_run_close(run);
    }
}
