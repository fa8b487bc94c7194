/* test_regression.c - factors, polar factors, inverse roots, descent over orthonormal columns, and
 * regressions of scores, against the equations they solve. */
#include "check.h"

#include "linalg/blas.h"
#include "linalg/cholesky.h"
#include "linalg/preconditioner.h"
#include "solve/regression.h"
#include "solve/scores.h"
#include "solve/stiefel.h"

enum { MOST = 40 };

static pen_run *open_run(int threads, pen_error *err)
{
    const pen_control control = { .threads = threads };
    pen_run *run;
    assert_int_equal(pen_run_open(&control, err, &run), PEN_OK);
    return run;
}

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
    assert_int_equal(pen_sym_zero(run, d, S), PEN_OK);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int64_t r = 0; r < rows; r++)
                S->a[i * d + j] += x[r * d + i] * x[r * d + j];
}

/* ---- factors ---- */

static void solves(void **state)
{
    pen_rng rng = check_rng(8101);
    pen_error err;
    (void)state;
    for (int64_t d = 1; d <= MOST; d += 13) {
        pen_run *run = open_run(1, &err);
        pen_sym S, copy;
        pen_factor factor;
        double B[MOST * 3], x[MOST * 3];

        random_gram(run, &rng, d, d, &S);
        assert_int_equal(pen_sym_copy(run, &S, &copy), PEN_OK);
        random_numbers(&rng, d * 3, B);
        memcpy(x, B, sizeof x);
        assert_int_equal(pen_factor_open(run, &S, 0.5, &factor), PEN_OK);
        pen_factor_solve(&factor, 3, x);
        for (int64_t i = 0; i < d; i++)
            for (int64_t c = 0; c < 3; c++) {
                double sum = 0.5 * x[i * 3 + c];
                for (int64_t j = 0; j < d; j++)
                    sum += copy.a[i > j ? i * d + j : j * d + i] * x[j * 3 + c];
                CHECK_CLOSE(sum, B[i * 3 + c], 1e-10, 1e-10);
            }
        pen_run_close(run);
    }
}

static void singular_factors(void **state)
{
    pen_rng rng = check_rng(8102);
    pen_error err;
    pen_factor factor;
    pen_sym S;
    (void)state;

    pen_run *run = open_run(1, &err);
    random_gram(run, &rng, 4, 9, &S); /* rank 4 */
    CHECK_STATUS(pen_factor_open(run, &S, 0, &factor), PEN_SINGULAR_SCATTER, "ridge", &err);
    pen_run_close(run);
    run = open_run(1, &err);
    random_gram(run, &rng, 4, 9, &S);
    assert_int_equal(pen_factor_open(run, &S, 1e-6, &factor), PEN_OK);
    random_gram(run, &rng, 9, 9, &S);
    S.floor[3] = S.a[3 * 9 + 3] / 2; /* a column that is pure rounding error */
    CHECK_STATUS(pen_factor_open(run, &S, 0, &factor), PEN_SINGULAR_SCATTER, "constant", &err);
    pen_run_close(run);
    run = open_run(1, &err);
    random_gram(run, &rng, 9, 9, &S);
    S.a[0] = INFINITY;
    CHECK_STATUS(pen_factor_open(run, &S, 1, &factor), PEN_BAD_DATA, "overflow", &err);
    pen_run_close(run);
    run = open_run(1, &err);
    random_gram(run, &rng, 9, 9, &S);
    for (int64_t i = 0; i < 81; i++)
        S.a[i] *= 1e-310;
    CHECK_STATUS(pen_factor_open(run, &S, 1, &factor), PEN_BAD_DATA, "underflow", &err);
    pen_run_close(run);
}

/* ---- polar factors ---- */

/* P has orthonormal rows and X P' is symmetric positive semidefinite: this is the polar factor of
 * X, if X has full rank. */
static void polar_factors(void **state)
{
    pen_rng rng = check_rng(8103);
    (void)state;
    for (int64_t d = 1; d <= MOST; d += 3)
        for (int64_t n = 1; n <= d; n += 4) {
            double x[MOST * MOST], p[MOST * MOST], H[MOST * MOST],
                *work = check_allocate(pen_lapack_polar_size(n), sizeof *work);

            random_numbers(&rng, n * d, x);
            memcpy(p, x, sizeof p);
            assert_int_equal(pen_lapack_polar(d, n, p, work), 0);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) {
                    double length = 0, h = 0;
                    for (int64_t t = 0; t < d; t++) {
                        length += p[i * d + t] * p[j * d + t];
                        h += x[i * d + t] * p[j * d + t];
                    }
                    CHECK_CLOSE(length, i == j, 0, 1e-13);
                    H[i * n + j] = h;
                }
            for (int64_t i = 0; i < n; i++) {
                for (int64_t j = 0; j < i; j++)
                    CHECK_CLOSE(H[i * n + j], H[j * n + i], 1e-12, 1e-12);
                H[i * n + i] += 1e-10;
            }
            CHECK(pen_lapack_cholesky(n, H) == 0, "%lld rows of %lld: not positive definite",
                  (long long)n, (long long)d);
            free(work);
        }
}

/* ---- inverse roots ---- */

/* A ring of n rows with random weights and a hub. The diagonal exceeds the row sums by `extra`;
 * `least` is the smallest excess relative to the diagonal. */
static pen_csr_sym ring(pen_run *run, pen_rng *rng, int64_t n, double extra, double *least)
{
    pen_graph graph = { .n = n, .edges = 0 };
    pen_csr_sym A;
    double *diagonal;

    assert_int_equal(PEN_NEW(run, graph.first, n + 1), PEN_OK);
    assert_int_equal(PEN_NEW(run, graph.other, 2 * n), PEN_OK);
    assert_int_equal(PEN_NEW(run, graph.weight, 2 * n), PEN_OK);
    assert_int_equal(PEN_NEW(run, diagonal, n), PEN_OK);
    for (int64_t i = 0; i < n; i++) {
        graph.first[i] = graph.edges;
        for (int64_t j = i + 1; j < n; j++)
            if (j == i + 1 || i == 0) {
                graph.other[graph.edges] = j;
                graph.weight[graph.edges++] = pen_rng_uniform(rng);
            }
    }
    graph.first[n] = graph.edges;
    assert_int_equal(pen_graph_csr(run, &graph, 1, &A), PEN_OK);
    *least = 1;
    for (int64_t i = 0; i < n; i++) {
        diagonal[i] = A.diagonal[i] + extra;
        *least = fmin(*least, extra / diagonal[i]);
    }
    A.diagonal = diagonal;
    return A;
}

/* M A v is v within 0.15 in the norm of A, M is symmetric, and columns are independent of each
 * other. */
static void inverses(void **state)
{
    enum { N = 30 };
    static const double extras[] = { 0.05, 1, 30 };
    pen_rng rng = check_rng(8104);
    pen_error err;
    (void)state;
    for (int64_t e = 0; e < 3; e++) {
        pen_run *run = open_run(2, &err);
        double least, v[N], w[N], Av[N], MAv[N], Mw[N], off[N], Aoff[N], given[2 * N], both[2 * N],
            left = 0, right = 0, wrong = 0, length = 0;
        const pen_csr_sym A = ring(run, &rng, N, extras[e], &least);
        pen_preconditioner M;

        assert_int_equal(pen_preconditioner_open(run, &A, least, &M), PEN_OK);
        random_numbers(&rng, N, v);
        random_numbers(&rng, N, w);
        assert_int_equal(pen_csr_apply(run, &A, 1, v, Av), PEN_OK);
        assert_int_equal(pen_preconditioner_apply(run, &M, 1, Av, MAv), PEN_OK);
        assert_int_equal(pen_preconditioner_apply(run, &M, 1, w, Mw), PEN_OK);
        for (int64_t i = 0; i < N; i++) {
            off[i] = MAv[i] - v[i];
            given[2 * i] = Av[i];
            given[2 * i + 1] = w[i];
        }
        assert_int_equal(pen_csr_apply(run, &A, 1, off, Aoff), PEN_OK);
        for (int64_t i = 0; i < N; i++) {
            left += w[i] * MAv[i];
            right += Mw[i] * Av[i];
            wrong += off[i] * Aoff[i];
            length += v[i] * Av[i];
        }
        CHECK_CLOSE(left, right, 1e-11, 1e-11);
        CHECK(sqrt(wrong) < (extras[e] < 1 ? 0.95 : 0.15) * sqrt(length), "extra %g: %g of %g",
              extras[e], sqrt(wrong), sqrt(length));
        assert_int_equal(pen_preconditioner_apply(run, &M, 2, given, both), PEN_OK);
        for (int64_t i = 0; i < N; i++)
            CHECK_CLOSE(both[2 * i], MAv[i], 1e-14, 1e-14);
        pen_run_close(run);
    }
}

/* ---- orthonormal columns ---- */

/* W'W = I, the objective never increases, and at the end (s I - Q) W + C = W S with S symmetric
 * positive semidefinite. */
static void descents(void **state)
{
    static const int64_t sizes[][2] = { { 3, 3 }, { 7, 2 }, { 12, 1 }, { 20, 5 } };
    pen_rng rng = check_rng(8105);
    pen_error err;
    (void)state;
    for (int64_t s = 0; s < 4; s++)
        for (int balanced = 0; balanced < (sizes[s][1] > 1 ? 2 : 1); balanced++) {
            const int64_t d = sizes[s][0], k = sizes[s][1];
            const pen_alternation rules = { "test", 0, 1, 5000 };
            pen_run *run = open_run(1, &err);
            double C[MOST * MOST], W[MOST * MOST], M[MOST * MOST], S[MOST * MOST];
            pen_sym Q;
            pen_eig e;

            random_gram(run, &rng, d, d, &Q);
            random_numbers(&rng, d * k, C);
            for (int64_t i = 0; balanced && i < d; i++) {
                double sum = 0;
                for (int64_t c = 0; c < k; c++)
                    sum += C[i * k + c];
                for (int64_t c = 0; c < k; c++)
                    C[i * k + c] -= sum / (double)k;
            }
            assert_int_equal(pen_stiefel_balanced(d, k, C), balanced);
            const pen_stiefel problem = { &Q, C, k, 7, 0 };
            assert_int_equal(pen_stiefel_descend(run, &problem, &rules, W), PEN_OK);
            assert_int_equal(pen_eig_indefinite(run, &Q, NULL, &e), PEN_OK);
            double objective = 7;
            for (int64_t i = 0; i < d; i++)
                for (int64_t c = 0; c < k; c++) {
                    double sum = 0;
                    for (int64_t j = 0; j < d; j++)
                        sum += Q.a[i > j ? i * d + j : j * d + i] * W[j * k + c];
                    M[i * k + c] = e.values[0] * W[i * k + c] - sum + C[i * k + c];
                    objective += W[i * k + c] * (sum - 2 * C[i * k + c]);
                }
            for (int64_t a = 0; a < k; a++)
                for (int64_t b = 0; b < k; b++) {
                    double length = 0;
                    S[a * k + b] = 0;
                    for (int64_t i = 0; i < d; i++) {
                        length += W[i * k + a] * W[i * k + b];
                        S[a * k + b] += W[i * k + a] * M[i * k + b];
                    }
                    CHECK_CLOSE(length, a == b, 0, 1e-13);
                }
            for (int64_t i = 0; i < d; i++)
                for (int64_t c = 0; c < k; c++) {
                    double sum = 0;
                    for (int64_t a = 0; a < k; a++)
                        sum += W[i * k + a] * S[a * k + c];
                    CHECK_CLOSE(sum, M[i * k + c], 1e-5, 1e-5 * e.values[0]);
                }
            for (int64_t a = 0; a < k; a++) {
                for (int64_t b = 0; b < a; b++)
                    CHECK_CLOSE(S[a * k + b], S[b * k + a], 1e-5, 1e-5 * e.values[0]);
                S[a * k + a] += 1e-6 * e.values[0];
            }
            CHECK(pen_lapack_cholesky(k, S) == 0, "S is not positive semi-definite");
            const pen_trace_list *trace = pen_trace_at(run, 0);
            for (int64_t i = 1; i < trace->count; i++)
                CHECK(trace->values[i] <= trace->values[i - 1] + 1e-11 * e.values[0],
                      "it rose: %.17g, %.17g", trace->values[i - 1], trace->values[i]);
            CHECK_CLOSE(trace->values[trace->count - 1], objective, 1e-10, 1e-10);
            pen_run_close(run);
        }
}

/* Row sums of C that are rounding error change almost nothing, although they affect a decomposition
 * of C. */
static void rounded_balance(void **state)
{
    enum { D = 7, K = 3 };
    const pen_alternation rules = { "test", 0, 1, 2 };
    pen_rng rng = check_rng(8109);
    pen_run *run = open_run(1, NULL);
    double C[D * K], rounded[D * K], W[D * K], other[D * K];
    pen_sym Q;
    (void)state;

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
        assert_int_equal(pen_stiefel_descend(run, &problem, &rules, p ? other : W), PEN_OK);
    }
    for (int i = 0; i < D * K; i++)
        CHECK_CLOSE(other[i], W[i], 0, 1e-8);
    pen_run_close(run);
}

/* ---- scores ---- */

struct labelled {
    double *values;
    int32_t *labels;
    pen_run *run;
    pen_rows x;
    double *centered; /* [n x d] */
};

static struct labelled open_rows(pen_rng *rng, int64_t n, int64_t d, int32_t classes,
                                 int64_t labelled, pen_error *err)
{
    struct labelled o = { .values = check_allocate(n * d, sizeof(double)),
                          .labels = check_allocate(n, sizeof(int32_t)),
                          .run = open_run(2, err) };

    random_numbers(rng, n * d, o.values);
    for (int64_t i = 0; i < n; i++)
        o.labels[i] = i < labelled ? (int32_t)(i % classes) : PEN_UNLABELLED;
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, n, d, d), .labels = o.labels };
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    o.centered = check_allocate(n * d, sizeof(double));
    pen_rows_centered(&o.x, NULL, 0, n, o.centered);
    return o;
}

static void close_rows(struct labelled *o)
{
    pen_run_close(o->run);
    free(o->values), free(o->labels), free(o->centered);
}

/* The gradient of the weighted squares is zero in W and b; zero rows contribute nothing. */
static void regressions(void **state)
{
    enum { N = 300, D = 6, C = 3 };
    pen_rng rng = check_rng(8106);
    pen_error err;
    (void)state;
    for (int some = 0; some < 2; some++) {
        struct labelled o = open_rows(&rng, N, D, C, 30, &err);
        double q[N * C], W[D * C], b[C], gradient[(D + 1) * C] = { 0 };
        pen_scores_map map = { D, C, W, b };

        for (int64_t i = 0; i < N * C; i++)
            q[i] = some && i / C % 4 != 1 ? 0 : pen_rng_uniform(&rng);
        assert_int_equal(pen_regress_scores(o.run, &o.x, 0.7, q, &map), PEN_OK);
        for (int64_t i = 0; i < N; i++) {
            double s = 0;
            for (int64_t k = 0; k < C; k++)
                s += q[i * C + k];
            for (int64_t k = 0; k < C; k++) {
                double f = b[k];
                for (int64_t j = 0; j < D; j++)
                    f += o.centered[i * D + j] * W[j * C + k];
                for (int64_t j = 0; j <= D; j++)
                    gradient[j * C + k] +=
                        (s * f - q[i * C + k]) * (j == D ? 1 : o.centered[i * D + j]);
            }
        }
        for (int64_t j = 0; j <= D; j++)
            for (int64_t k = 0; k < C; k++)
                CHECK_CLOSE(gradient[j * C + k] + (j == D ? 0 : 0.7 * W[j * C + k]), 0, 0, 1e-10);
        close_rows(&o);
    }
}

/* A row halfway between the classes gets the first of them. */
static void equal_scores(void **state)
{
    double values[] = { -1, 1, 0 };
    const int32_t labels[] = { 0, 1, PEN_UNLABELLED };
    const pen_data data = { .x = pen_dense(values, PEN_F64, 3, 1, 1), .labels = labels };
    pen_run *run = open_run(1, NULL);
    pen_soft_labels soft;
    double objective;
    pen_rows x;
    (void)state;

    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
    assert_int_equal(pen_soft_labels_open(run, &x, 1, 0.5, &soft), PEN_OK);
    CHECK(soft.scores[4] == soft.scores[5], "scores %.17g and %.17g", soft.scores[4],
          soft.scores[5]);
    assert_int_equal(pen_soft_labels_step(run, &soft, &objective), PEN_OK);
    CHECK(soft.p[4] == 1 && soft.p[5] == 0, "shares %g and %g", soft.p[4], soft.p[5]);
    pen_run_close(run);
}

/* The gradients of the criterion in F, W, and b are zero for any weights. */
static void flexible_scores(void **state)
{
    enum { N = 200, D = 5, C = 3 };
    static const double settings[][4] = { { 1, 1, 10, 0 },
                                          { 1e-4, 1e3, 2, 0 },
                                          { 50, 0.01, 1, 0.3 },
                                          { 0, 1, 10, 0.01 },
                                          { 1, 1e9, 1e4, 0 } };
    pen_rng rng = check_rng(8107);
    pen_error err;
    (void)state;
    for (int64_t s = 0; s < 5; s++) {
        const double mu = settings[s][0], gamma = settings[s][1];
        const pen_label_weights weights = { settings[s][2], settings[s][3] };
        const pen_affinity_rules how = { 4, PEN_EDGES_HEAT, 0 };
        struct labelled o = open_rows(&rng, N, D, C, 20, &err);
        double LF[N * C];
        pen_graph graph;
        pen_csr_sym L;
        pen_projection map = { .k = 0 };

        assert_int_equal(pen_graph_affinities(o.run, &(pen_problem){ .rows = o.x }, &how, &graph),
                         PEN_OK);
        assert_int_equal(pen_graph_csr(o.run, &graph, 1, &L), PEN_OK);
        assert_int_equal(pen_scores_flexible(o.run, &o.x, &graph, &weights, mu, gamma, &map),
                         PEN_OK);
        assert_int_equal(pen_csr_apply(o.run, &L, C, map.propagated, LF), PEN_OK);
        double in_W[D * C] = { 0 }, in_b[C] = { 0 };
        for (int64_t i = 0; i < N; i++)
            for (int64_t k = 0; k < C; k++) {
                double off = map.bias[k] - map.propagated[i * C + k];
                for (int64_t j = 0; j < D; j++)
                    off += o.centered[i * D + j] * map.W[j * C + k];
                for (int64_t j = 0; j < D; j++)
                    in_W[j * C + k] += off * o.centered[i * D + j];
                in_b[k] += off;
                const double y = o.labels[i] == k,
                             u = o.labels[i] >= 0 ? weights.labelled : weights.unlabelled;
                CHECK_CLOSE(u * (map.propagated[i * C + k] - y) + LF[i * C + k] - mu * gamma * off,
                            0, 0, 1e-7 * (1 + weights.labelled));
            }
        for (int64_t k = 0; k < C; k++)
            CHECK_CLOSE(in_b[k], 0, 0, 1e-9);
        for (int64_t i = 0; i < D * C; i++)
            CHECK_CLOSE(in_W[i] + map.W[i] / gamma, 0, 0, 1e-9);
        close_rows(&o);
    }
}

/* A component of the graph without a label: an error that names the problem if mu is 0, otherwise a
 * result. */
static void unreached_rows(void **state)
{
    enum { N = 40, D = 3 };
    const pen_label_weights weights = { 10, 0 }, pulled = { 10, 0.1 };
    const pen_affinity_rules how = { 3, PEN_EDGES_BINARY, 0 };
    pen_rng rng = check_rng(8108);
    pen_error err;
    pen_projection map = { .k = 0 };
    pen_graph graph;
    (void)state;

    struct labelled o = open_rows(&rng, N, D, 2, 10, &err);
    for (int64_t i = 20; i < N; i++)
        o.values[i * D] += 1000;
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, N, D, D), .labels = o.labels };
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    assert_int_equal(pen_graph_affinities(o.run, &(pen_problem){ .rows = o.x }, &how, &graph),
                     PEN_OK);
    assert_int_equal(pen_scores_flexible(o.run, &o.x, &graph, &weights, 1e-6, 1, &map), PEN_OK);
    assert_int_equal(pen_scores_flexible(o.run, &o.x, &graph, &pulled, 0, 1, &map), PEN_OK);
    for (int64_t i = 20 * 2; i < N * 2; i++)
        CHECK_CLOSE(map.propagated[i], 0, 0, 1e-9);
    CHECK_STATUS(pen_scores_flexible(o.run, &o.x, &graph, &weights, 0, 1, &map),
                 PEN_SINGULAR_SCATTER, "20 of 40 rows are not connected", &err);
    close_rows(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),          cmocka_unit_test(singular_factors),
        cmocka_unit_test(polar_factors),   cmocka_unit_test(inverses),
        cmocka_unit_test(descents),        cmocka_unit_test(rounded_balance),
        cmocka_unit_test(regressions),     cmocka_unit_test(equal_scores),
        cmocka_unit_test(flexible_scores), cmocka_unit_test(unreached_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
