/* test_reconstruct.c - reconstruction weights of equal rows and with computed distances; the
 * scatter of several blocks of rows, and of few non-neighbors. (Other rows: the oracles of rssdr
 * and npssdr.) */
#include "kit/opened.h"

#include "scatter/scatter.h"

/* Random rows; returns the values [n x d]. */
static double *open_random(uint64_t tag, int64_t n, int64_t d, int threads, opened *o)
{
    pen_rng rng = check_rng(tag);
    double *values = check_allocate(n * d, sizeof *values);

    for (int64_t i = 0; i < n * d; i++)
        values[i] = 50 + check_normal(&rng);
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d) };
    open_rows(&data, threads, o);
    return values;
}

/* Computed distances give the same weights as stored ones. */
TEST(distances_not_stored)
{
    enum { N = 40, K = 6 };
    opened o;
    open_random(342, N, 4, 1, &o);
    pen_relative space;
    pen_reconstruction A[2];
    pen_neighbor *nearest;

    CHECK_CALL(PEN_NEW(o.run, nearest, N * K));
    for (int stored = 1; stored >= 0; stored--) {
        CHECK_CALL(
            pen_relative_open(o.run, &o.p.rows, NULL, 0, stored ? PEN_RELATIVE_BYTES : 0, &space));
        if (stored)
            CHECK_CALL(pen_relative_nearest(o.run, &space, K, nearest));
        CHECK_CALL(pen_reconstruct_relative(o.run, &space, K, nearest, 1e-3, &A[stored]));
    }
    for (int64_t i = 0; i < N * K; i++)
        CHECK_CLOSE(A[0].weight[i], A[1].weight[i], 1e-9, 1e-9);
    pen_run_close(o.run);
}

/* Equal neighbors share the weight; dependent neighbors need a ridge. */
TEST(equal_rows)
{
    opened o;
    double *values = open_random(343, 20, 3, 1, &o);
    pen_neighbor *nearest;
    pen_reconstruction A;
    pen_sym S;

    for (int64_t i = 0; i < 6; i++)
        memcpy(values + i * 3, values, 3 * sizeof *values);
    CHECK_CALL(pen_graph_neighbors(o.run, &o.p, "k", 4, &nearest));
    CHECK_CALL(pen_reconstruct_rows(o.run, &o.p.rows, 4, nearest, 1e-3, &A));
    for (int64_t c = 0; c < 6 * 4; c++)
        CHECK(A.weight[c] == 0.25, "weight %lld is %.17g", (long long)c, A.weight[c]);
    for (int64_t c = 6 * 4; c < 20 * 4; c++)
        nearest[c] = (pen_neighbor){ INFINITY, -1 };
    CHECK_CALL(pen_sym_zero(o.run, 3, &S));
    CHECK_CALL(pen_scatter_reconstruction(o.run, 1, &o.p.rows, &A, &S));
    CHECK(pen_sym_largest(&S) == 0, "equal rows leave %g", pen_sym_largest(&S));
    CHECK_CALL(pen_graph_neighbors(o.run, &o.p, "k", 4, &nearest));
    CHECK_STATUS(pen_reconstruct_rows(o.run, &o.p.rows, 4, nearest, 0, &A), PEN_SINGULAR_SCATTER,
                 "its neighbors are linearly dependent, so that its weights are not unique; "
                 "set reconstruction_ridge above 0, got 0",
                 &o.err);
    pen_run_close(o.run);
}

/* X' (I - A)' (I - A) X with a full matrix A, for more rows than a block; the same bits on 1, 2,
 * and 5 threads. */
TEST(scatter_of_the_complement)
{
    enum { N = 2100, D = 5, K = 4 };
    double first[D * D];

    for (int t = 0; t < 3; t++) {
        opened o;
        double *values = open_random(345, N, D, t == 2 ? 5 : t + 1, &o);
        pen_neighbor *nearest;
        pen_reconstruction A;
        pen_sym S;
        double right[D * D] = { 0 };
        CHECK_CALL(pen_graph_neighbors(o.run, &o.p, "k", K, &nearest));
        CHECK_CALL(pen_neighbors_mutual(o.run, N, K, nearest));
        CHECK_CALL(pen_reconstruct_rows(o.run, &o.p.rows, K, nearest, 1e-3, &A));
        for (int64_t i = 0; i < N; i++) {
            double e[D] = { 0 };
            for (int64_t j = 0; j < D && nearest[i * K].row >= 0; j++)
                e[j] = values[i * D + j];
            for (int64_t c = 0; c < K * D && nearest[i * K + c / D].row >= 0; c++)
                e[c % D] -=
                    A.weight[i * K + c / D] * values[nearest[i * K + c / D].row * D + c % D];
            for (int64_t j = 0; j < D * D; j++)
                right[j] += 4.5 * e[j / D] * e[j % D];
        }
        CHECK_CALL(pen_sym_zero(o.run, D, &S));
        /* the scatter is added */
        CHECK_CALL(pen_scatter_reconstruction(o.run, 3, &o.p.rows, &A, &S));
        CHECK_CALL(pen_scatter_reconstruction(o.run, 1.5, &o.p.rows, &A, &S));
        CHECK_CALL(pen_scatter_reconstruction(o.run, 0, &o.p.rows, &A, &S));
        check_scatter_is(&S, right, 1, 1e-11, "rest");
        if (t == 0)
            memcpy(first, S.a, sizeof first);
        for (int64_t i = 0; i < D; i++)
            assert_memory_equal(first + i * D, S.a + i * D, (size_t)(i + 1) * sizeof *first);
        pen_run_close(o.run);
    }
}

/* The smallest eigenvalue relative to the largest. */
TEST(condition)
{
    pen_sym S;

    for (int zero = 0; zero < 2; zero++) {
        pen_run *run = check_run(1, NULL);
        CHECK_CALL(pen_sym_zero(run, 2, &S));
        S.a[0] = zero ? 0 : 8, S.a[3] = zero ? 0 : 2;
        CHECK_CALL(pen_scatter_note_condition(run, &S));
        CHECK_CLOSE(note_of(run, "denominator_smallest"), zero ? 0 : 0.25, 1e-14, 0);
        pen_run_close(run);
    }
}

/* Most pairs are edges. The list of a row ends where the next begins with a row that would continue
 * it: the only non-neighbors are {0, 2}, {0, 3}, {1, 2}. With all edges there are none. */
TEST(few_non_neighbors)
{
    static const double x[4][2] = { { 1, 0 }, { 3, 5 }, { -2, 1 }, { 0, 7 } };
    static const int none[3][2] = { { 0, 2 }, { 0, 3 }, { 1, 2 } };
    int64_t some[5] = { 0, 1, 2, 3, 3 }, other[3] = { 1, 3, 3 }, all[5] = { 0, 3, 5, 6, 6 },
            others[6] = { 1, 2, 3, 2, 3, 3 };
    double weight[6] = { 1, 1, 1, 1, 1, 1 }, right[4] = { 0 };
    const pen_graph graphs[] = {
        { .n = 4, .edges = 3, .first = some, .other = other, .weight = weight },
        { .n = 4, .edges = 6, .first = all, .other = others, .weight = weight }
    };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 4, 2, 2) };
    opened o;
    pen_sym S;
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b <= a; b++)
                right[a * 2 + b] +=
                    (x[none[k][0]][a] - x[none[k][1]][a]) * (x[none[k][0]][b] - x[none[k][1]][b]);
    open_rows(&data, 1, &o);
    CHECK_CALL(pen_sym_zero(o.run, 2, &S));
    CHECK_CALL(pen_scatter_non_neighbors(o.run, 1, &o.p.rows, &graphs[1], &S));
    CHECK(pen_sym_largest(&S) == 0, "without non-neighbors the scatter is %g", pen_sym_largest(&S));
    CHECK_CALL(pen_scatter_non_neighbors(o.run, 1, &o.p.rows, &graphs[0], &S));
    check_scatter_is(&S, right, 1, 1e-11, "non-neighbors by hand");
    pen_run_close(o.run);
}
