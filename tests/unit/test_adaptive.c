/* test_adaptive.c - adaptive graphs of degenerate input: small classes, equal rows, rows without
 * variance. The tests of saloe, salwe and asl check lists, weights, and objectives. */
#include "kit/opened.h"

#include "graph/adaptive.h"

/* The graphs of rows by the rules. */
static pen_status open_graphs(int64_t n, int64_t d, const double *values, const int32_t *labels,
                              pen_adaptive_rules rules, opened *o, pen_adaptive *graphs)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d), .labels = labels };

    open_rows(&data, 0, o);
    return pen_adaptive_open(o->run, &o->p.rows, &rules, graphs);
}

TEST(classes_of_few_rows)
{
    enum { N = 8 };
    static const int32_t mixed[N] = { 2, 2, 1, 1, 1, 5, 7, 7 },
                         ones[N] = { 3, 1, 2, -1, -1, -1, -1, -1 },
                         two[N] = { 0, 0, 0, 0, 6, 6, 6, 6 };
    static const struct {
        const int32_t *labels;
        pen_adaptive_rules rules;
        pen_status status;
        const char *phrase;
        int64_t count, least, cut, k[4]; /* number of groups */
    } cases[] = {
        { mixed, { 0.25, 2, 3 }, PEN_OK, "", 4, 0, 3, { 2, 1, 1, 3 } },
        { ones, { 0.25, 2, 3 }, PEN_OK, "", 1, 0, 3, { 3 } },
        { two, { 0.25, 4, 7 }, PEN_OK, "", 3, 3, 2, { 3, 3, 7 } },
        /* without a group of all rows its size does not matter */
        { two, { 0, 3, 1000 }, PEN_OK, "", 2, 3, 0, { 3, 3 } },
        { .labels = mixed,
          .rules = { 0.25, 2, 8 },
          .status = PEN_BAD_ARGUMENT,
          .phrase = "neighbors must be in [1, 7], the number of other rows, got 8" },
        { .labels = ones,
          .rules = { 0, 1, 3 },
          .status = PEN_BAD_DATA,
          .phrase = "alpha must be above 0 if every class has one labelled row" },
    };
    const double values[N] = { 3, -1, 4, 1, -5, 9, 2, 6 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pen_adaptive graphs;
        opened o;
        const pen_status status =
            open_graphs(N, 1, values, cases[c].labels, cases[c].rules, &o, &graphs);
        if (cases[c].status == PEN_OK) {
            assert_true(status == PEN_OK && graphs.count == cases[c].count
                        && graphs.least == cases[c].least && graphs.cut == cases[c].cut);
            for (int64_t i = 0; i < graphs.count; i++)
                assert_int_equal(graphs.groups[i].k, cases[c].k[i]);
        } else {
            CHECK_STATUS(status, cases[c].status, cases[c].phrase, &o.err);
        }
        pen_run_close(o.run);
    }
}

/* Equal or nearly equal rows share the weight of one row. */
TEST(equal_rows_share_the_weight)
{
    static const double values[] = { 0, 0, 1e-10, 1, 3, -2 };
    static const int32_t labels[] = { 0, 0, 0, 0, -1, -1 };
    const double tau = (1 + 9 + 4) / 6. - (2 / 6.) * (2 / 6.), least = 1e-12 * tau,
                 shared = 1 / (2 / least + 1), far = 1 / (2 / least + 1 + 1 / 4.);
    pen_adaptive graphs;
    opened o;
    double objective;
    CHECK_CALL(open_graphs(6, 1, values, labels, (pen_adaptive_rules){ 1, 3, 4 }, &o, &graphs));
    CHECK_CALL(pen_adaptive_nearest(o.run, &o.p, &graphs));
    CHECK_CALL(pen_adaptive_update(o.run, &o.p.rows, &graphs, &objective));
    const pen_adaptive_group *const within = &graphs.groups[0], *const all = within + 1;
    assert_true(within->found[0].row == 1 && within->found[1].row == 2
                && within->found[2].row == 3);
    CHECK_CLOSE(within->weight[0], shared / least, 1e-8, 0);
    assert_true(within->weight[0] == within->weight[1]);
    CHECK_CLOSE(within->weight[2], shared, 1e-8, 0);
    assert_true(all->found[0].row == 1 && all->found[2].row == 3 && all->found[3].row == 5);
    CHECK_CLOSE(all->weight[0], far / least, 1e-8, 0);
    CHECK_CLOSE(all->weight[3], far / 4, 1e-8, 0);
    /* within: three rows as above and one at distances 1, 1, 1; all: three at 1, 1, 1, 4 (to 3),
     * one at 4 9 9 9 (from 3), one at 4 4 4 9 (from -2) */
    const double far_rows = 1 / (3 + 1 / 4.) + 1 / (1 / 4. + 3 / 9.) + 1 / (3 / 4. + 1 / 9.);
    CHECK_CLOSE(objective, 3 * shared + 1 / 3. + 3 * far + far_rows, 1e-8, 0);
    pen_run_close(o.run);
}

/* If all rows are equal, so are the weights, and the objective is zero. */
TEST(rows_without_variance)
{
    enum { N = 12, D = 2 };
    double values[N * D], objective = 1;
    int32_t labels[N];
    pen_adaptive graphs;
    opened o;
    for (int i = 0; i < N; i++) {
        values[D * i] = 0.7;
        values[D * i + 1] = -3.1;
        labels[i] = i % 2;
    }
    CHECK_CALL(open_graphs(N, D, values, labels, (pen_adaptive_rules){ 0.25, 2, 5 }, &o, &graphs));
    CHECK_CALL(pen_adaptive_random(o.run, 0, &graphs));
    CHECK_CALL(pen_adaptive_update(o.run, &o.p.rows, &graphs, &objective));
    CHECK(fabs(objective) < 1e-30, "the objective is %g", objective);
    for (int64_t i = 0; i < graphs.count; i++) {
        const pen_adaptive_group *const g = &graphs.groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = g->rows.rows ? g->rows.rows[e / g->k] : e / g->k;
            assert_true(g->weight[e] == 1 / (double)g->k && g->found[e].row != row);
        }
    }
    pen_run_close(o.run);
}
