/* test_adaptive.c - adaptive graphs of degenerate input: classes of few rows, equal rows, rows
 * without variance. The tests of saloe, salwe and asl check lists, weights, and objectives. */
#include "check.h"

#include "graph/adaptive.h"

/* Rows with labels as the methods see them, and their graphs by the rules. */
struct opened {
    pen_run *run;
    pen_error err;
    pen_problem p;
    pen_adaptive graphs;
};

static pen_status open_graphs(int64_t n, int64_t d, const double *values, const int32_t *labels,
                              pen_adaptive_rules rules, struct opened *o)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d), .labels = labels };

    *o = (struct opened){ .run = NULL };
    assert_int_equal(pen_run_open(NULL, &o->err, &o->run), PEN_OK);
    assert_int_equal(pen_rows_open(o->run, &data, 0, PEN_SCALE_NONE, &o->p.rows), PEN_OK);
    return pen_adaptive_open(o->run, &o->p.rows, &rules, &o->graphs);
}

static void classes_of_few_rows(void **state)
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
        int64_t count, least, cut, k[4]; /* of groups */
    } cases[] = {
        { mixed, { 0.25, 2, 3 }, PEN_OK, "", 4, 0, 3, { 2, 1, 1, 3 } },
        { ones, { 0.25, 2, 3 }, PEN_OK, "", 1, 0, 3, { 3 } },
        { two, { 0.25, 4, 7 }, PEN_OK, "", 3, 3, 2, { 3, 3, 7 } },
        /* no group of all rows, so its size does not matter */
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
    (void)state;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct opened o;
        const pen_status status = open_graphs(N, 1, values, cases[c].labels, cases[c].rules, &o);
        if (cases[c].status == PEN_OK) {
            assert_true(status == PEN_OK && o.graphs.count == cases[c].count
                        && o.graphs.least == cases[c].least && o.graphs.cut == cases[c].cut);
            for (int64_t i = 0; i < o.graphs.count; i++)
                assert_int_equal(o.graphs.groups[i].k, cases[c].k[i]);
        } else {
            CHECK_STATUS(status, cases[c].status, cases[c].phrase, &o.err);
        }
        pen_run_close(o.run);
    }
}

/* Equal or nearly equal rows share the weight of one row. */
static void equal_rows_share_the_weight(void **state)
{
    static const double values[] = { 0, 0, 1e-10, 1, 3, -2 };
    static const int32_t labels[] = { 0, 0, 0, 0, -1, -1 };
    const double tau = (1 + 9 + 4) / 6. - (2 / 6.) * (2 / 6.), least = 1e-12 * tau,
                 shared = 1 / (2 / least + 1), far = 1 / (2 / least + 1 + 1 / 4.);
    struct opened o;
    double objective;
    (void)state;

    assert_int_equal(open_graphs(6, 1, values, labels, (pen_adaptive_rules){ 1, 3, 4 }, &o),
                     PEN_OK);
    assert_int_equal(pen_adaptive_nearest(o.run, &o.p, &o.graphs), PEN_OK);
    assert_int_equal(pen_adaptive_update(o.run, &o.p.rows, &o.graphs, &objective), PEN_OK);
    const pen_adaptive_group *const within = &o.graphs.groups[0], *const all = within + 1;
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
static void rows_without_variance(void **state)
{
    enum { N = 12, D = 2 };
    double values[N * D], objective = 1;
    int32_t labels[N];
    struct opened o;
    (void)state;

    for (int i = 0; i < N; i++) {
        values[D * i] = 0.7;
        values[D * i + 1] = -3.1;
        labels[i] = i % 2;
    }
    assert_int_equal(open_graphs(N, D, values, labels, (pen_adaptive_rules){ 0.25, 2, 5 }, &o),
                     PEN_OK);
    assert_int_equal(pen_adaptive_random(o.run, 0, &o.graphs), PEN_OK);
    assert_int_equal(pen_adaptive_update(o.run, &o.p.rows, &o.graphs, &objective), PEN_OK);
    CHECK(fabs(objective) < 1e-30, "the objective is %g", objective);
    for (int64_t i = 0; i < o.graphs.count; i++) {
        const pen_adaptive_group *const g = &o.graphs.groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = g->rows.rows ? g->rows.rows[e / g->k] : e / g->k;
            assert_true(g->weight[e] == 1 / (double)g->k && g->found[e].row != row);
        }
    }
    pen_run_close(o.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_few_rows),
        cmocka_unit_test(equal_rows_share_the_weight),
        cmocka_unit_test(rows_without_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
