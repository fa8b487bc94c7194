/* test_reconstruct.c - reconstruction weights of equal rows and of distances that are not stored,
 * the scatter of several blocks of rows, and that of few non-neighbors. The oracles of rssdr and
 * npssdr check weights and scatters. */
#include "check.h"

#include "scatter/scatter.h"

struct opened {
    double *values;
    int64_t n, d;
    pen_run *run;
    pen_rows x;
};

static struct opened open_rows(pen_rng *rng, int64_t n, int64_t d, int threads, pen_error *err)
{
    const pen_control control = { .threads = threads };
    struct opened o = { .values = check_allocate(n * d, sizeof(double)), .n = n, .d = d };

    for (int64_t i = 0; i < n * d; i++)
        o.values[i] = 50 + check_normal(rng);
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, n, d, d) };
    assert_int_equal(pen_run_open(&control, err, &o.run), PEN_OK);
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    return o;
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    free(o->values);
}

/* Distances that are not stored give the same weights. */
static void distances_not_stored(void **state)
{
    (void)state;
    enum { N = 40, K = 6 };
    pen_rng rng = check_rng(342);
    struct opened o = open_rows(&rng, N, 4, 1, NULL);
    pen_relative space;
    pen_reconstruction A[2];
    pen_neighbor *nearest;

    assert_int_equal(PEN_NEW(o.run, nearest, N * K), PEN_OK);
    for (int stored = 1; stored >= 0; stored--) {
        assert_int_equal(
            pen_relative_open(o.run, &o.x, NULL, 0, stored ? PEN_RELATIVE_BYTES : 0, &space),
            PEN_OK);
        if (stored)
            assert_int_equal(pen_relative_nearest(o.run, &space, K, nearest), PEN_OK);
        assert_int_equal(pen_reconstruct_relative(o.run, &space, K, nearest, 1e-3, &A[stored]),
                         PEN_OK);
    }
    for (int64_t i = 0; i < N * K; i++)
        CHECK_CLOSE(A[0].weight[i], A[1].weight[i], 1e-9, 1e-9);
    close_rows(&o);
}

/* Equal neighbors share the weight; dependent neighbors need a ridge. */
static void equal_rows(void **state)
{
    (void)state;
    pen_rng rng = check_rng(343);
    pen_error err;
    struct opened o = open_rows(&rng, 20, 3, 1, &err);
    pen_neighbor *nearest;
    pen_reconstruction A;
    pen_sym S;

    for (int64_t i = 0; i < 6; i++)
        memcpy(o.values + i * 3, o.values, 3 * sizeof *o.values);
    assert_int_equal(pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", 4, &nearest),
                     PEN_OK);
    assert_int_equal(pen_reconstruct_rows(o.run, &o.x, 4, nearest, 1e-3, &A), PEN_OK);
    for (int64_t c = 0; c < 6 * 4; c++)
        CHECK(A.weight[c] == 0.25, "weight %lld is %.17g", (long long)c, A.weight[c]);
    for (int64_t c = 6 * 4; c < 20 * 4; c++)
        nearest[c] = (pen_neighbor){ INFINITY, -1 };
    assert_int_equal(pen_sym_zero(o.run, 3, &S), PEN_OK);
    assert_int_equal(pen_scatter_reconstruction(o.run, 1, &o.x, &A, &S), PEN_OK);
    CHECK(pen_sym_largest(&S) == 0, "equal rows leave %g", pen_sym_largest(&S));
    assert_int_equal(pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", 4, &nearest),
                     PEN_OK);
    CHECK_STATUS(pen_reconstruct_rows(o.run, &o.x, 4, nearest, 0, &A), PEN_SINGULAR_SCATTER,
                 "its neighbors are linearly dependent, so that its weights are not unique; "
                 "set reconstruction_ridge above 0, got 0",
                 &err);
    close_rows(&o);
}

/* ---- scatters ---- */

static void check_close_matrix(int64_t d, const pen_sym *S, const double *right, const char *what)
{
    double most = 0;
    for (int64_t i = 0; i < d * d; i++)
        most = fmax(most, fabs(right[i]));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK(fabs(S->a[i * d + j] - right[i * d + j]) <= 1e-11 * most,
                  "%s: entry %lld, %lld is %.17g, expected %.17g", what, (long long)i, (long long)j,
                  S->a[i * d + j], right[i * d + j]);
}

/* X' (I - A)' (I - A) X with A as a full matrix, of more rows than one block; the same bits on 1,
 * 2, and 5 threads. */
static void scatter_of_the_complement(void **state)
{
    (void)state;
    enum { N = 2100, D = 5, K = 4 };
    double first[D * D];

    for (int t = 0; t < 3; t++) {
        pen_rng rng = check_rng(345);
        struct opened o = open_rows(&rng, N, D, t == 2 ? 5 : t + 1, NULL);
        pen_neighbor *nearest;
        pen_reconstruction A;
        pen_sym S;
        double right[D * D] = { 0 };
        assert_int_equal(
            pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", K, &nearest), PEN_OK);
        assert_int_equal(pen_neighbors_mutual(o.run, N, K, nearest), PEN_OK);
        assert_int_equal(pen_reconstruct_rows(o.run, &o.x, K, nearest, 1e-3, &A), PEN_OK);
        for (int64_t i = 0; i < N; i++) {
            double e[D] = { 0 };
            for (int64_t j = 0; j < D && nearest[i * K].row >= 0; j++)
                e[j] = o.values[i * D + j];
            for (int64_t c = 0; c < K * D && nearest[i * K + c / D].row >= 0; c++)
                e[c % D] -=
                    A.weight[i * K + c / D] * o.values[nearest[i * K + c / D].row * D + c % D];
            for (int64_t j = 0; j < D * D; j++)
                right[j] += 4.5 * e[j / D] * e[j % D];
        }
        assert_int_equal(pen_sym_zero(o.run, D, &S), PEN_OK);
        /* the scatter is added */
        assert_int_equal(pen_scatter_reconstruction(o.run, 3, &o.x, &A, &S), PEN_OK);
        assert_int_equal(pen_scatter_reconstruction(o.run, 1.5, &o.x, &A, &S), PEN_OK);
        assert_int_equal(pen_scatter_reconstruction(o.run, 0, &o.x, &A, &S), PEN_OK);
        check_close_matrix(D, &S, right, "rest");
        if (t == 0)
            memcpy(first, S.a, sizeof first);
        for (int64_t i = 0; i < D; i++)
            assert_memory_equal(first + i * D, S.a + i * D, (size_t)(i + 1) * sizeof *first);
        close_rows(&o);
    }
}

/* The smallest eigenvalue relative to the largest. */
static void condition(void **state)
{
    (void)state;
    const pen_remark *remark;
    pen_run *run;
    pen_sym S;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_sym_zero(run, 2, &S), PEN_OK);
    S.a[0] = 8, S.a[3] = 2;
    assert_int_equal(pen_scatter_note_condition(run, &S), PEN_OK);
    remark = pen_note_at(run, 0);
    assert_string_equal(remark->name, "denominator_smallest");
    CHECK_CLOSE(remark->number, 0.25, 1e-14, 0);
    S.a[0] = S.a[3] = 0;
    assert_int_equal(pen_scatter_note_condition(run, &S), PEN_OK);
    CHECK(pen_note_at(run, 0)->number == 0, "of nothing: %g", pen_note_at(run, 0)->number);
    pen_run_close(run);
}

/* Most pairs are edges, and the list of a row ends where the next begins with a row that would
 * continue it: the only non-neighbors are {0, 2}, {0, 3}, {1, 2}. With all edges there are none. */
static void few_non_neighbors(void **state)
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
    pen_rows rows;
    pen_sym S;
    pen_run *run;
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b <= a; b++)
                right[a * 2 + b] +=
                    (x[none[k][0]][a] - x[none[k][1]][a]) * (x[none[k][0]][b] - x[none[k][1]][b]);
    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), PEN_OK);
    assert_int_equal(pen_sym_zero(run, 2, &S), PEN_OK);
    assert_int_equal(pen_scatter_non_neighbors(run, 1, &rows, &graphs[1], &S), PEN_OK);
    CHECK(pen_sym_largest(&S) == 0, "without non-neighbors there is %g", pen_sym_largest(&S));
    assert_int_equal(pen_scatter_non_neighbors(run, 1, &rows, &graphs[0], &S), PEN_OK);
    check_close_matrix(2, &S, right, "non-neighbors by hand");
    pen_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_not_stored),      cmocka_unit_test(equal_rows),
        cmocka_unit_test(scatter_of_the_complement), cmocka_unit_test(condition),
        cmocka_unit_test(few_non_neighbors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
