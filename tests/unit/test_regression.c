/* test_regression.c - cases beyond the oracles of fme, soge, and asl: factors of singular matrices,
 * the accuracy of an approximate inverse, balanced regressions of scores, rows that no label
 * reaches. */
#include "kit/opened.h"

#include "linalg/cholesky.h"
#include "linalg/preconditioner.h"
#include "solve/regression.h"
#include "solve/scores.h"
#include "solve/stiefel.h"

enum { MOST = 40 };

static void random_numbers(pen_rng *rng, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = check_normal(rng);
}

/* X'X of random rows. */
static void random_gram(pen_run *run, pen_rng *rng, int64_t rows, int64_t d, pen_sym *S)
{
    double x[MOST * MOST];

    random_numbers(rng, rows * d, x);
    CHECK_CALL(pen_sym_zero(run, d, S));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int64_t r = 0; r < rows; r++)
                S->a[i * d + j] += x[r * d + i] * x[r * d + j];
}

TEST(singular_factors)
{
    enum { D = 9 };
    static const struct {
        int64_t rows; /* factors whose product is the matrix */
        double unit, first, floor, ridge;
        pen_status status;
        const char *phrase;
    } cases[] = {
        { 4, 1, 0, 0, 0, PEN_SINGULAR_SCATTER, "ridge" },
        { 4, 1, 0, 0, 1e-6, PEN_OK, "" },
        /* a column of rounding errors */
        { D, 1, 0, 0.5, 0, PEN_SINGULAR_SCATTER, "constant" },
        { D, 1, INFINITY, 0, 1, PEN_BAD_DATA, "overflow" },
        { D, 1e-310, 0, 0, 1, PEN_BAD_DATA, "underflow" },
    };
    pen_rng rng = check_rng(8102);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pen_error err;
        pen_run *run = check_run(1, &err);
        pen_factor factor;
        pen_sym S;

        random_gram(run, &rng, cases[c].rows, D, &S);
        for (int64_t i = 0; i < D * D; i++)
            S.a[i] *= cases[c].unit;
        S.a[0] += cases[c].first;
        S.floor[3] += cases[c].floor * S.a[3 * D + 3];
        const pen_status status = pen_factor_open(run, &S, cases[c].ridge, &factor);
        if (cases[c].status == PEN_OK)
            CHECK_OK(status, &err);
        else
            CHECK_STATUS(status, cases[c].status, cases[c].phrase, &err);
        pen_run_close(run);
    }
}

/* The Laplacian of a random graph with a hub. Diagonal entries exceed the row sums by `extra`;
 * `least` is the smallest excess relative to the diagonal. */
static pen_csr_sym hub(pen_run *run, pen_rng *rng, int64_t n, double extra, double *least)
{
    pen_graph graph = random_graph(run, rng, n, 1, 1);
    pen_csr_sym A;
    double *diagonal;

    for (int64_t e = 0; e < graph.edges; e++)
        graph.weight[e] = fmin(1, fabs(graph.weight[e]));
    CHECK_CALL(PEN_NEW(run, diagonal, n));
    CHECK_CALL(pen_graph_csr(run, &graph, 1, &A));
    *least = 1;
    for (int64_t i = 0; i < n; i++) {
        diagonal[i] = A.diagonal[i] + extra;
        *least = fmin(*least, extra / diagonal[i]);
    }
    A.diagonal = diagonal;
    return A;
}

/* M A v is v within 0.15 in the norm of A, or 0.95 if A is nearly singular; M is symmetric, and
 * columns are independent of each other. */
TEST(inverses)
{
    enum { N = 30 };
    static const double extras[] = { 0.05, 1, 30 };
    pen_rng rng = check_rng(8104);
    pen_error err;
    for (int64_t e = 0; e < 3; e++) {
        pen_run *run = check_run(2, &err);
        double least, v[N], w[N], Av[N], MAv[N], Mw[N], off[N], Aoff[N], given[2 * N], both[2 * N],
            left = 0, right = 0, wrong = 0, length = 0;
        const pen_csr_sym A = hub(run, &rng, N, extras[e], &least);
        pen_preconditioner M;

        CHECK_CALL(pen_preconditioner_open(run, &A, least, &M));
        random_numbers(&rng, N, v);
        random_numbers(&rng, N, w);
        CHECK_CALL(pen_csr_apply(run, &A, 1, v, Av));
        CHECK_CALL(pen_preconditioner_apply(run, &M, 1, Av, MAv));
        CHECK_CALL(pen_preconditioner_apply(run, &M, 1, w, Mw));
        for (int64_t i = 0; i < N; i++) {
            off[i] = MAv[i] - v[i];
            given[2 * i] = Av[i];
            given[2 * i + 1] = w[i];
        }
        CHECK_CALL(pen_csr_apply(run, &A, 1, off, Aoff));
        for (int64_t i = 0; i < N; i++) {
            left += w[i] * MAv[i];
            right += Mw[i] * Av[i];
            wrong += off[i] * Aoff[i];
            length += v[i] * Av[i];
        }
        CHECK_CLOSE(left, right, 1e-11, 1e-11);
        CHECK(sqrt(wrong) < (extras[e] < 1 ? 0.95 : 0.15) * sqrt(length), "extra %g: %g of %g",
              extras[e], sqrt(wrong), sqrt(length));
        CHECK_CALL(pen_preconditioner_apply(run, &M, 2, given, both));
        for (int64_t i = 0; i < N; i++)
            CHECK_CLOSE(both[2 * i], MAv[i], 1e-14, 1e-14);
        pen_run_close(run);
    }
}

/* Row sums of C at rounding level change almost nothing, although they affect a decomposition of
 * C. */
TEST(rounded_balance)
{
    enum { D = 7, K = 3 };
    const pen_alternation rules = { "test", 0, 1, 2 };
    pen_rng rng = check_rng(8109);
    pen_run *run = check_run(1, NULL);
    double C[D * K], rounded[D * K], W[D * K], other[D * K];
    pen_sym Q;
    random_gram(run, &rng, D, D, &Q);
    random_numbers(&rng, D * K, C);
    for (int i = 0; i < D; i++) {
        const double mean = (C[i * K] + C[i * K + 1] + C[i * K + 2]) / K,
                     off = 1e-11 * check_normal(&rng);
        for (int c = 0; c < K; c++) {
            C[i * K + c] -= mean;
            rounded[i * K + c] = C[i * K + c] + off;
        }
    }
    for (int p = 0; p < 2; p++) {
        const pen_stiefel problem = { &Q, p ? rounded : C, K, 0, 0 };
        assert_true(pen_stiefel_balanced(D, K, problem.C));
        CHECK_CALL(pen_stiefel_descend(run, &problem, &rules, p ? other : W));
    }
    for (int i = 0; i < D * K; i++)
        CHECK_CLOSE(other[i], W[i], 0, 1e-8);
    pen_run_close(run);
}

/* A row halfway between the classes gets the first one. */
TEST(equal_scores)
{
    double values[] = { -1, 1, 0 };
    const int32_t labels[] = { 0, 1, PEN_UNLABELLED };
    const pen_data data = { .x = pen_dense(values, PEN_F64, 3, 1, 1), .labels = labels };
    pen_run *run = check_run(1, NULL);
    pen_soft_labels soft;
    double objective;
    pen_view x;
    CHECK_CALL(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x));
    CHECK_CALL(pen_soft_labels_open(run, &x, 1, 0.5, &soft));
    CHECK(soft.scores[4] == soft.scores[5], "scores %.17g and %.17g", soft.scores[4],
          soft.scores[5]);
    CHECK_CALL(pen_soft_labels_step(run, &soft, &objective));
    CHECK(soft.p[4] == 1 && soft.p[5] == 0, "shares %g and %g", soft.p[4], soft.p[5]);
    pen_run_close(run);
}

/* A component of the graph without labels: if mu is 0 an error with the reason, otherwise a
 * result. */
TEST(unreached_rows)
{
    enum { N = 40, D = 3 };
    const pen_label_weights weights = { 10, 0 }, pulled = { 10, 0.1 };
    const pen_affinity_rules how = { 3, PEN_EDGES_BINARY, 0 };
    pen_rng rng = check_rng(8108);
    pen_error err;
    pen_projection map = { .k = 0 };
    pen_graph graph;
    pen_view x;
    pen_run *run = check_run(2, &err);
    double values[N * D];
    int32_t labels[N];
    random_numbers(&rng, N * D, values);
    for (int64_t i = 0; i < N; i++) {
        labels[i] = i < 10 ? (int32_t)(i % 2) : PEN_UNLABELLED;
        values[i * D] += i < 20 ? 0 : 1000;
    }
    const pen_data data = { .x = pen_dense(values, PEN_F64, N, D, D), .labels = labels };
    CHECK_CALL(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x));
    CHECK_CALL(pen_graph_affinities(run, &(pen_problem){ .rows = x }, &how, &graph));
    CHECK_CALL(pen_scores_flexible(run, &x, &graph, &weights, 1e-6, 1, &map));
    CHECK_CALL(pen_scores_flexible(run, &x, &graph, &pulled, 0, 1, &map));
    for (int64_t i = 20 * 2; i < N * 2; i++)
        CHECK_CLOSE(map.propagated[i], 0, 0, 1e-9);
    CHECK_STATUS(pen_scores_flexible(run, &x, &graph, &weights, 0, 1, &map), PEN_SINGULAR_SCATTER,
                 "20 of 40 rows are not connected", &err);
    pen_run_close(run);
}
