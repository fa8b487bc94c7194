/* test_label_propagation.c - label propagation on a graph against elimination with partial
 * pivoting, row by row, even if weights differ by hundreds of powers of ten; soft scatters against
 * their definition. */
#include "check.h"

#include "graph/label_propagation.h"
#include "graph/affinity_graph.h"
#include "scatter/scatter.h"
#include "scatter/soft_scatter.h"

/* Rows on a line with labels, as the methods see them. */
struct opened {
    double *values;
    int32_t *labels;
    pen_data data;
    pen_run *run;
    pen_rows x;
    pen_error err;
};

static struct opened *open_rows(int64_t n, int64_t d, const double *values, const int32_t *labels,
                                int threads)
{
    const pen_control control = { .threads = threads };
    struct opened *o = check_allocate(1, sizeof *o);

    o->values = check_allocate(n * d, sizeof *o->values);
    o->labels = check_allocate(n, sizeof *o->labels);
    memcpy(o->values, values, (size_t)(n * d) * sizeof *values);
    memcpy(o->labels, labels, (size_t)n * sizeof *labels);
    o->data = (pen_data){ .x = pen_dense(o->values, PEN_F64, n, d, d), .labels = o->labels };
    assert_int_equal(pen_run_open(&control, &o->err, &o->run), PEN_OK);
    CHECK_OK(pen_rows_open(o->run, &o->data, 0, PEN_SCALE_NONE, &o->x), &o->err);
    return o;
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    free(o->values);
    free(o->labels);
    free(o);
}

/* (I - diag(a) P) F = (I - diag(a)) [Y, u], all columns, by elimination: rows of the system sum to
 * 1 - a, so no entry grows. */
static double *eliminate(const pen_rows *x, const pen_graph *g, double alpha)
{
    const int64_t n = x->n, k = x->classes + 1;
    double *a = check_allocate(n * n, sizeof *a), *f = check_allocate(n * k, sizeof *f),
           *degree = check_allocate(n, sizeof *degree);

    for (int64_t i = 0; i < n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            a[i * n + g->other[e]] = a[g->other[e] * n + i] = g->weight[e];
            degree[i] += g->weight[e];
            degree[g->other[e]] += g->weight[e];
        }
    for (int64_t i = 0; i < n; i++)
        f[i * k + k - 1] = 1;
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t m = x->starts[c]; m < x->starts[c + 1]; m++) {
            f[x->members[m] * k + c] = 1;
            f[x->members[m] * k + k - 1] = 0;
        }
    for (int64_t i = 0; i < n; i++) {
        const double take = f[i * k + k - 1] == 1 ? alpha : 0;
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = (i == j) - (take > 0 ? take * (a[i * n + j] / degree[i]) : 0);
        for (int64_t c = 0; c < k; c++)
            f[i * k + c] *= 1 - take;
    }
    /* a diagonally dominant M-matrix: no pivoting is needed */
    for (int64_t p = 0; p < n; p++)
        for (int64_t i = 0; i < n; i++) {
            const double factor = a[i * n + p] / a[p * n + p];
            if (i == p || factor == 0)
                continue;
            for (int64_t j = p; j < n; j++)
                a[i * n + j] -= factor * a[p * n + j];
            for (int64_t c = 0; c < k; c++)
                f[i * k + c] -= factor * f[p * k + c];
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++)
            f[i * k + c] /= a[i * n + i];
    free(a);
    free(degree);
    return f;
}

static void check_diffusion(struct opened *o, int64_t neighbors, enum pen_edge_weights weights,
                            double heat, double alpha)
{
    const pen_affinity_rules how = { neighbors, weights, heat };
    const int64_t c = o->x.classes;
    double *F = check_allocate(o->x.n * c, sizeof *F), *expected;
    pen_graph g;

    CHECK_OK(pen_graph_affinities(o->run, &(pen_problem){ .rows = o->x }, &how, &g), &o->err);
    CHECK_OK(pen_propagate_labels(o->run, &o->x, &g, alpha, F), &o->err);
    expected = eliminate(&o->x, &g, alpha);
    for (int64_t i = 0; i < o->x.n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < c; j++) {
            CHECK_CLOSE(F[i * c + j], expected[i * (c + 1) + j], 0, 4e-14 / (1 - alpha));
            assert_true(F[i * c + j] >= 0);
            sum += F[i * c + j];
        }
        CHECK_CLOSE(sum + expected[i * (c + 1) + c], 1, 0, 4e-14 / (1 - alpha));
        if (o->labels[i] >= 0)
            assert_true(sum == 1);
    }
    free(F);
    free(expected);
}

static void random_rows(void **state)
{
    static const double alphas[] = { 0.1, 0.9, 0.99, 0.9999 };
    enum { N = 90, D = 3 };
    pen_rng rng = check_rng(450);
    double values[N * D];
    int32_t labels[N];
    (void)state;

    for (int repeat = 0; repeat < check_repeats(8); repeat++) {
        for (int i = 0; i < N * D; i++)
            values[i] = check_normal(&rng);
        for (int i = 0; i < N; i++)
            labels[i] = pen_rng_below(&rng, 4) == 0 ? (int32_t)pen_rng_below(&rng, 3) : -1;
        labels[0] = 0;
        labels[1] = 1;
        struct opened *o = open_rows(N, D, values, labels, 1);
        check_diffusion(o, 3 + repeat % 4, repeat % 2 ? PEN_EDGES_BINARY : PEN_EDGES_HEAT, 0,
                        alphas[repeat % 4]);
        close_rows(o);
    }
}

/* Groups at increasing distances, joined by weights of 1e-10 to 1e-300, one of them isolated: each
 * row is accurate relative to its own size. */
static void far_rows(void **state)
{
    enum { GROUPS = 7, SIZE = 5, N = GROUPS * SIZE };
    static const double gaps[GROUPS] = { 0, 5, 12, 18, 22, 25, 400 };
    pen_rng rng = check_rng(451);
    double values[N], at = 0;
    int32_t labels[N];
    (void)state;

    for (int g = 0; g < GROUPS; g++) {
        at += gaps[g];
        for (int i = 0; i < SIZE; i++) {
            values[g * SIZE + i] = at;
            labels[g * SIZE + i] = -1;
            /* within a group, weights of all magnitudes */
            at += g % 2 ? 0.3 + pen_rng_uniform(&rng) : 3 + g * pen_rng_uniform(&rng);
        }
    }
    labels[0] = 0;
    labels[2] = 1;
    labels[3 * SIZE] = 1;
    for (int k = 1; k < 8; k += 2)
        for (int strong = 0; strong < 2; strong++) {
            struct opened *o = open_rows(N, 1, values, labels, 1);
            check_diffusion(o, k, PEN_EDGES_HEAT, 1, strong ? 0.99 : 0.5);
            close_rows(o);
        }
}

static void edges(void **state)
{
    const double values[8] = { 0, 1, 2, 3, 4, 5, 6, 1000 };
    const int32_t labels[8] = { 4, -1, 9, -1, -1, -1, -1, -1 };
    const pen_affinity_rules how = { 2, PEN_EDGES_HEAT, 1 }, binary = { 1, PEN_EDGES_BINARY, 0 };
    struct opened *o = open_rows(8, 1, values, labels, 1);
    double F[16];
    pen_graph g;
    (void)state;

    CHECK_OK(pen_propagate_labels(o->run, &o->x, NULL, 0, F),
             &o->err); /* no graph: the labels are unchanged */
    for (int i = 0; i < 16; i++)
        assert_true(F[i] == (i == 0 || i == 5 ? 1 : 0));
    CHECK_OK(pen_graph_affinities(o->run, &(pen_problem){ .rows = o->x }, &binary, &g), &o->err);
    CHECK_OK(pen_propagate_labels(o->run, &o->x, &g, 0, F), &o->err);
    for (int i = 0; i < 16; i++)
        assert_true(F[i] == (i == 0 || i == 5 ? 1 : 0));
    CHECK_OK(pen_graph_affinities(o->run, &(pen_problem){ .rows = o->x }, &how, &g), &o->err);
    CHECK_STATUS(pen_propagate_labels(o->run, &o->x, &g, 0.5, F), PEN_BAD_DATA,
                 "row 7 (counted from 0) is isolated", &o->err);
    assert_non_null(strstr(o->err.message, "set a larger heat, or graph binary"));
    close_rows(o);
}

/* Scatters of soft classes and their largest diagonal entry, by definition; hard classes give the
 * scatters of labels. */
static void soft_scatters(void **state)
{
    enum { N = 70, D = 4, C = 3 };
    pen_rng rng = check_rng(452);
    double values[N * D], F[N * C], largest;
    int32_t labels[N];
    (void)state;

    for (int hard = 0; hard < 2; hard++) {
        double mean[C * D] = { 0 }, all[D] = { 0 }, size[C] = { 0 }, total = 0, B[D * D] = { 0 },
                        W[D * D] = { 0 };
        for (int i = 0; i < N; i++) {
            labels[i] = i % 5 == 0 ? -1 : i % C;
            for (int j = 0; j < D; j++)
                values[i * D + j] = check_normal(&rng) + 100 + 10 * (i % C);
            for (int c = 0; c < C; c++) {
                F[i * C + c] = hard ? labels[i] == c : i % 7 == 0 ? 0 : pen_rng_uniform(&rng) / C;
                size[c] += F[i * C + c];
                for (int j = 0; j < D; j++)
                    mean[c * D + j] += F[i * C + c] * values[i * D + j];
            }
        }
        for (int c = 0; c < C; c++) {
            total += size[c];
            for (int j = 0; j < D; j++) {
                all[j] += mean[c * D + j];
                mean[c * D + j] /= size[c];
            }
        }
        for (int c = 0; c < C; c++)
            for (int a = 0; a < D; a++)
                for (int b = 0; b < D; b++) {
                    B[a * D + b] += size[c] * (mean[c * D + a] - all[a] / total)
                                    * (mean[c * D + b] - all[b] / total);
                    for (int i = 0; i < N; i++)
                        W[a * D + b] += F[i * C + c] * (values[i * D + a] - mean[c * D + a])
                                        * (values[i * D + b] - mean[c * D + b]);
                }
        struct opened *o = open_rows(N, D, values, labels, 1);
        pen_sym S_b, S_w, L_b, L_w;
        assert_int_equal(pen_sym_zero(o->run, D, &S_b), PEN_OK);
        assert_int_equal(pen_sym_zero(o->run, D, &S_w), PEN_OK);
        assert_int_equal(pen_sym_zero(o->run, D, &L_b), PEN_OK);
        assert_int_equal(pen_sym_zero(o->run, D, &L_w), PEN_OK);
        CHECK_OK(pen_scatter_soft(o->run, &o->x, F, &S_b, &S_w, &largest), &o->err);
        CHECK_OK(pen_scatter_classes(o->run, 1, &o->x, &L_b, &L_w), &o->err);
        double most = 0;
        for (int a = 0; a < D; a++)
            for (int b = 0; b <= a; b++) {
                CHECK_CLOSE(S_b.a[a * D + b], B[a * D + b], 1e-10, 1e-9);
                CHECK_CLOSE(S_w.a[a * D + b], W[a * D + b], 1e-10, 1e-9);
                most = fmax(most, S_w.a[a * D + b]);
                if (hard) {
                    CHECK_CLOSE(S_b.a[a * D + b], L_b.a[a * D + b], 1e-12, 1e-10);
                    CHECK_CLOSE(S_w.a[a * D + b], L_w.a[a * D + b], 1e-12, 1e-10);
                }
            }
        CHECK_CLOSE(largest, most, 0, 0);
        close_rows(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_rows), cmocka_unit_test(far_rows),
                                        cmocka_unit_test(edges), cmocka_unit_test(soft_scatters) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
