/* test_label_propagation.c - label propagation on graphs whose weights differ by hundreds of powers
 * of ten, against elimination, and without edges. (Other rows: the oracle of soda.) */
#include "kit/dense.h"
#include "kit/opened.h"

#include "graph/label_propagation.h"
#include "graph/affinity_graph.h"

/* Rows on a line with labels. */
static void open_line(int64_t n, const double *values, const int32_t *labels, opened *o)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, 1, 1), .labels = labels };
    open_rows(&data, 0, o);
}

/* (I - diag(a) P) F = (I - diag(a)) [Y, u] by elimination, all columns. Rows of the system sum to 1
 * - a, so no entry grows. */
static double *eliminate(const pen_view *x, const pen_graph *g, double alpha)
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
    double *F = dense_solve(n, k, a, f);
    return F;
}

static void check_diffusion(opened *o, int64_t neighbors, double alpha)
{
    const pen_affinity_rules how = { neighbors, PEN_EDGES_HEAT, 1 };
    const pen_view *const x = &o->p.rows;
    const int64_t c = x->classes;
    double *F = check_allocate(x->n * c, sizeof *F), *expected;
    pen_graph g;

    CHECK_OK(pen_graph_affinities(o->run, &o->p, &how, &g), &o->err);
    CHECK_OK(pen_propagate_labels(o->run, x, &g, alpha, F), &o->err);
    expected = eliminate(x, &g, alpha);
    for (int64_t i = 0; i < x->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < c; j++) {
            CHECK_CLOSE(F[i * c + j], expected[i * (c + 1) + j], 0, 4e-14 / (1 - alpha));
            assert_true(F[i * c + j] >= 0);
            sum += F[i * c + j];
        }
        CHECK_CLOSE(sum + expected[i * (c + 1) + c], 1, 0, 4e-14 / (1 - alpha));
    }
    for (int64_t l = 0; l < x->labelled; l++)
        assert_true(F[x->members[l] * c] + F[x->members[l] * c + 1] == 1);
}

/* Groups at increasing distances, joined by weights of 1e-10 to 1e-300, one isolated: each row is
 * accurate relative to its own size. */
TEST(far_rows)
{
    enum { GROUPS = 7, SIZE = 5, N = GROUPS * SIZE };
    static const double gaps[GROUPS] = { 0, 5, 12, 18, 22, 25, 400 };
    pen_rng rng = check_rng(451);
    double values[N], at = 0;
    int32_t labels[N];

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
            opened o;
            open_line(N, values, labels, &o);
            check_diffusion(&o, k, strong ? 0.99 : 0.5);
            pen_run_close(o.run);
        }
}

TEST(few_edges)
{
    const double values[8] = { 0, 1, 2, 3, 4, 5, 6, 1000 };
    const int32_t labels[8] = { 4, -1, 9, -1, -1, -1, -1, -1 };
    const pen_affinity_rules how = { 2, PEN_EDGES_HEAT, 1 }, binary = { 1, PEN_EDGES_BINARY, 0 };
    opened o;
    double F[16];
    pen_graph g;

    open_line(8, values, labels, &o);
    CHECK_OK(pen_graph_affinities(o.run, &o.p, &binary, &g), &o.err);
    for (int none = 0; none < 2; none++) { /* the labels are unchanged */
        CHECK_OK(pen_propagate_labels(o.run, &o.p.rows, none ? NULL : &g, 0, F), &o.err);
        for (int i = 0; i < 16; i++)
            assert_true(F[i] == (i == 0 || i == 5 ? 1 : 0));
    }
    CHECK_OK(pen_graph_affinities(o.run, &o.p, &how, &g), &o.err);
    CHECK_STATUS(pen_propagate_labels(o.run, &o.p.rows, &g, 0.5, F), PEN_BAD_DATA,
                 "row 7 (counted from 0) is isolated", &o.err);
    assert_non_null(strstr(o.err.message, "set a larger heat, or graph binary"));
    pen_run_close(o.run);
}
