/* test_reconstruct.c - reconstruction weights against the equations they solve, and their scatters
 * and those of non-neighbors against full matrices and double loops. */
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

/* The coordinates of row i used for its reconstruction: its own, or its distances to all rows. */
static double coordinate(const struct opened *o, int relative, int64_t i, int64_t t)
{
    double sum = 0;
    if (!relative)
        return o->values[i * o->d + t];
    for (int64_t c = 0; c < o->d; c++)
        sum += (o->values[i * o->d + c] - o->values[t * o->d + c])
               * (o->values[i * o->d + c] - o->values[t * o->d + c]);
    return sqrt(sum);
}

/* The weights of row i sum to 1, and (G + ridge t I) w has equal entries. */
static void check_weights(const struct opened *o, int relative, const pen_reconstruction *A,
                          int64_t i, double ridge)
{
    const int64_t k = A->k, width = relative ? o->n : o->d;
    const pen_neighbor *const nearest = A->nearest + i * k;
    const double *const w = A->weight + i * k;
    double *left = check_allocate(k, sizeof *left), sum = 0, trace = 0;
    int64_t count = 0;

    while (count < k && nearest[count].row >= 0)
        count++;
    for (int64_t t = 0; t < width; t++) {
        double rest = 0;
        for (int64_t c = 0; c < count; c++)
            rest +=
                w[c] * (coordinate(o, relative, nearest[c].row, t) - coordinate(o, relative, i, t));
        for (int64_t c = 0; c < count; c++) {
            const double difference =
                coordinate(o, relative, nearest[c].row, t) - coordinate(o, relative, i, t);
            left[c] += difference * rest;
            trace += difference * difference;
        }
    }
    for (int64_t c = 0; c < count; c++) {
        sum += w[c];
        CHECK_CLOSE(left[c] + ridge * trace * w[c], left[0] + ridge * trace * w[0], 1e-9,
                    1e-9 * trace);
    }
    for (int64_t c = count; c < k; c++)
        CHECK(w[c] == 0, "row %lld: neighbor %lld, which is not there, has weight %g", (long long)i,
              (long long)c, w[c]);
    if (count > 0)
        CHECK_CLOSE(sum, 1, 1e-12, 0);
    free(left);
}

static void weights(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {
        { 30, 4, 3 }, { 30, 4, 8 }, { 12, 1, 2 }, { 70, 6, 5 }, { 9, 3, 8 }
    };
    static const double ridges[] = { 1e-3, 0.5, 1e-6 };
    pen_rng rng = check_rng(341);

    for (int64_t s = 0; s < 5; s++)
        for (int r = 0; r < 3; r++)
            for (int mutual = 0; mutual < 2; mutual++) {
                const int64_t n = shapes[s][0], k = shapes[s][2];
                struct opened o = open_rows(&rng, n, shapes[s][1], 2, NULL);
                pen_neighbor *nearest, *far;
                pen_relative space;
                pen_reconstruction A, B;
                assert_int_equal(
                    pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", k, &nearest),
                    PEN_OK);
                assert_int_equal(
                    pen_relative_open(o.run, &o.x, NULL, 0, PEN_RELATIVE_BYTES, &space), PEN_OK);
                assert_int_equal(PEN_NEW(o.run, far, n * k), PEN_OK);
                assert_int_equal(pen_relative_nearest(o.run, &space, k, far), PEN_OK);
                if (mutual) {
                    assert_int_equal(pen_neighbors_mutual(o.run, n, k, nearest), PEN_OK);
                    assert_int_equal(pen_neighbors_mutual(o.run, n, k, far), PEN_OK);
                }
                assert_int_equal(pen_reconstruct_rows(o.run, &o.x, k, nearest, ridges[r], &A),
                                 PEN_OK);
                assert_int_equal(pen_reconstruct_relative(o.run, &space, k, far, ridges[r], &B),
                                 PEN_OK);
                for (int64_t i = 0; i < n; i++) {
                    check_weights(&o, 0, &A, i, ridges[r]);
                    check_weights(&o, 1, &B, i, ridges[r]);
                }
                close_rows(&o);
            }
}

/* Using all rows as landmarks equals using no landmarks; scaling the rows, or not storing
 * distances, does not change any weight. */
static void weights_are_invariant(void **state)
{
    (void)state;
    enum { N = 40, K = 6 };
    pen_rng rng = check_rng(342);
    struct opened o = open_rows(&rng, N, 4, 1, NULL);
    int64_t all[N];
    pen_relative space[3];
    pen_reconstruction A[3];
    pen_neighbor *nearest;

    for (int64_t i = 0; i < N; i++)
        all[i] = i;
    assert_int_equal(PEN_NEW(o.run, nearest, N * K), PEN_OK);
    for (int which = 0; which < 3; which++) {
        assert_int_equal(pen_relative_open(o.run, &o.x, which == 1 ? all : NULL, N,
                                           which == 2 ? 0 : PEN_RELATIVE_BYTES, &space[which]),
                         PEN_OK);
        if (which == 0)
            assert_int_equal(pen_relative_nearest(o.run, &space[0], K, nearest), PEN_OK);
        assert_int_equal(
            pen_reconstruct_relative(o.run, &space[which], K, nearest, 1e-3, &A[which]), PEN_OK);
        for (int64_t i = 0; i < N * K; i++)
            CHECK_CLOSE(A[which].weight[i], A[0].weight[i], 1e-9, 1e-9);
    }
    for (int64_t i = 0; i < N * 4; i++)
        o.values[i] *= 1024;
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, N, 4, 4) };
    pen_rows x;
    pen_relative scaled;
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
    assert_int_equal(pen_relative_open(o.run, &x, NULL, 0, PEN_RELATIVE_BYTES, &scaled), PEN_OK);
    assert_int_equal(pen_reconstruct_relative(o.run, &scaled, K, nearest, 1e-3, &A[1]), PEN_OK);
    for (int64_t i = 0; i < N * K; i++)
        CHECK_CLOSE(A[1].weight[i], A[0].weight[i], 1e-9, 1e-9);
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
    for (int64_t i = 6; i < 20; i++)
        check_weights(&o, 0, &A, i, 1e-3);
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

static void mutual_lists(void **state)
{
    (void)state;
    enum { N = 60, K = 5 };
    pen_rng rng = check_rng(344);
    struct opened o = open_rows(&rng, N, 3, 1, NULL);
    pen_neighbor *nearest, before[N * K];
    int64_t dropped = 0;

    assert_int_equal(pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", K, &nearest),
                     PEN_OK);
    memcpy(before, nearest, sizeof before);
    assert_int_equal(pen_neighbors_mutual(o.run, N, K, nearest), PEN_OK);
    for (int64_t i = 0; i < N; i++) {
        int64_t at = 0;
        for (int64_t c = 0; c < K; c++) {
            int mutual = 0;
            for (int64_t b = 0; b < K; b++)
                mutual = mutual || before[before[i * K + c].row * K + b].row == i;
            if (mutual)
                CHECK(nearest[i * K + at++].row == before[i * K + c].row,
                      "row %lld lost neighbor %lld", (long long)i, (long long)c);
        }
        for (; at < K; at++, dropped++)
            CHECK(nearest[i * K + at].row == -1, "row %lld kept neighbor %lld", (long long)i,
                  (long long)nearest[i * K + at].row);
    }
    CHECK(dropped > 0, "all neighbors are mutual");
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

/* X' (I - A)' (I - A) X with A as a full matrix; the same bits on 1, 2, and 5 threads; more rows
 * than one block. */
static void scatter_of_the_complement(void **state)
{
    (void)state;
    static const int64_t sizes[] = { 7, 100, 2100 };
    enum { D = 5, K = 4 };

    for (int s = 0; s < 3; s++) {
        const int64_t n = sizes[s];
        double first[D * D];
        for (int t = 0; t < 3; t++) {
            pen_rng rng = check_rng(345);
            struct opened o = open_rows(&rng, n, D, t == 2 ? 5 : t + 1, NULL);
            pen_neighbor *nearest;
            pen_reconstruction A;
            pen_sym S;
            double right[D * D] = { 0 };
            assert_int_equal(
                pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", K, &nearest),
                PEN_OK);
            if (s == 1)
                assert_int_equal(pen_neighbors_mutual(o.run, n, K, nearest), PEN_OK);
            assert_int_equal(pen_reconstruct_rows(o.run, &o.x, K, nearest, 1e-3, &A), PEN_OK);
            for (int64_t i = 0; i < n; i++) {
                double e[D] = { 0 };
                for (int64_t c = 0; c < K && nearest[i * K].row >= 0; c++)
                    for (int64_t j = 0; j < D && nearest[i * K + c].row >= 0; j++)
                        e[j] -= A.weight[i * K + c] * o.values[nearest[i * K + c].row * D + j];
                for (int64_t j = 0; j < D && nearest[i * K].row >= 0; j++)
                    e[j] += o.values[i * D + j];
                for (int64_t j = 0; j < D * D; j++)
                    right[j] += 3 * e[j / D] * e[j % D];
            }
            assert_int_equal(pen_sym_zero(o.run, D, &S), PEN_OK);
            assert_int_equal(pen_scatter_reconstruction(o.run, 3, &o.x, &A, &S), PEN_OK);
            check_close_matrix(D, &S, right, "rest");
            for (int64_t j = 0; j < D * D; j++)
                right[j] *= 1.5;
            /* the scatter is added */
            assert_int_equal(pen_scatter_reconstruction(o.run, 1.5, &o.x, &A, &S), PEN_OK);
            assert_int_equal(pen_scatter_reconstruction(o.run, 0, &o.x, &A, &S), PEN_OK);
            check_close_matrix(D, &S, right, "rest, added");
            if (t == 0)
                memcpy(first, S.a, sizeof first);
            for (int64_t i = 0; i < D; i++)
                for (int64_t j = 0; j <= i; j++)
                    CHECK(first[i * D + j] == S.a[i * D + j], "threads make a difference");
            close_rows(&o);
        }
    }
}

/* Sums over all pairs of non-neighbors; together with the sum over neighbors they equal n S_t. */
static void scatter_of_non_neighbors(void **state)
{
    (void)state;
    enum { N = 40, D = 4 };
    pen_rng rng = check_rng(346);

    for (int64_t k = 1; k < N; k += k < 4 ? 1 : k < 30 ? 9 : 3) {
        struct opened o = open_rows(&rng, N, D, 2, NULL);
        pen_neighbor *nearest;
        pen_graph graph;
        pen_sym S;
        double right[D * D] = { 0 };
        int joined[N][N] = { { 0 } };
        assert_int_equal(
            pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", k, &nearest), PEN_OK);
        assert_int_equal(pen_graph_of_neighbors(o.run, N, k, nearest, PEN_JOIN_UNION, &graph),
                         PEN_OK);
        for (int64_t i = 0; i < N * k; i++)
            joined[i / k][nearest[i].row] = joined[nearest[i].row][i / k] = 1;
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < i; j++)
                for (int64_t c = 0; !joined[i][j] && c < D * D; c++)
                    right[c] += 2 * (o.values[i * D + c / D] - o.values[j * D + c / D])
                                * (o.values[i * D + c % D] - o.values[j * D + c % D]);
        assert_int_equal(pen_sym_zero(o.run, D, &S), PEN_OK);
        assert_int_equal(pen_scatter_non_neighbors(o.run, 2, &o.x, &graph, &S), PEN_OK);
        check_close_matrix(D, &S, right, "non-neighbors");
        CHECK(k < N - 1 || pen_sym_largest(&S) == 0, "without non-neighbors there is %g",
              pen_sym_largest(&S));
        if (k < N - 1)
            assert_int_equal(pen_scatter_graph(o.run, 2, &o.x, &graph, NULL, &S), PEN_OK);
        pen_sym total;
        assert_int_equal(pen_sym_zero(o.run, D, &total), PEN_OK);
        assert_int_equal(pen_scatter_total_precise(o.run, 2 * N, &o.x, PEN_TOTAL_SCATTER, &total),
                         PEN_OK);
        for (int64_t i = 0; k < N - 1 && i < D; i++)
            for (int64_t j = 0; j <= i; j++)
                CHECK_CLOSE(S.a[i * D + j], total.a[i * D + j], 1e-10,
                            1e-10 * pen_sym_largest(&total));
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
 * continue it: the only non-neighbors are {0, 2}, {0, 3}, {1, 2}. */
static void complement_by_hand(void **state)
{
    static const double x[4][2] = { { 1, 0 }, { 3, 5 }, { -2, 1 }, { 0, 7 } };
    static const int none[3][2] = { { 0, 2 }, { 0, 3 }, { 1, 2 } };
    int64_t first[5] = { 0, 1, 2, 3, 3 }, other[3] = { 1, 3, 3 };
    double weight[3] = { 1, 1, 1 }, right[4] = { 0 };
    const pen_graph graph = {
        .n = 4, .edges = 3, .first = first, .other = other, .weight = weight
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
    assert_int_equal(pen_scatter_non_neighbors(run, 1, &rows, &graph, &S), PEN_OK);
    check_close_matrix(2, &S, right, "non-neighbors by hand");
    pen_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights),
        cmocka_unit_test(weights_are_invariant),
        cmocka_unit_test(equal_rows),
        cmocka_unit_test(mutual_lists),
        cmocka_unit_test(scatter_of_the_complement),
        cmocka_unit_test(scatter_of_non_neighbors),
        cmocka_unit_test(condition),
        cmocka_unit_test(complement_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
