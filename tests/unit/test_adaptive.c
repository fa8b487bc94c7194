/* test_adaptive.c - adaptive graphs with the optimal weights for given distances: rows, supports,
 * and weights against double loops, worse alternative weights, duplicate rows, the classes of a
 * row, random graphs, and the combined graph against a table. */
#include "check.h"

#include "graph/adaptive.h"
#include "scatter/scatter.h"

#include <stdio.h>

enum { N = 60, D = 3 };

static const double ALPHA = 0.25;

/* Rows with labels as the methods see them. */
struct opened {
    double *values;
    int32_t *labels;
    int64_t n, d;
    pen_run *run;
    pen_rows x;
};

static void open_rows(int64_t n, int64_t d, const double *values, const int32_t *labels,
                      int threads, struct opened *o)
{
    const pen_control control = { .threads = threads };

    *o = (struct opened){ .n = n,
                          .d = d,
                          .values = check_allocate(n * d, sizeof *o->values),
                          .labels = check_allocate(n, sizeof *o->labels) };
    memcpy(o->values, values, (size_t)(n * d) * sizeof *values);
    memcpy(o->labels, labels, (size_t)n * sizeof *labels);
    const pen_data data = { .x = pen_dense(o->values, PEN_F64, n, d, d), .labels = o->labels };
    assert_int_equal(pen_run_open(&control, NULL, &o->run), PEN_OK);
    assert_int_equal(pen_rows_open(o->run, &data, 0, PEN_SCALE_NONE, &o->x), PEN_OK);
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    free(o->values);
    free(o->labels);
}

/* Half of the rows are labelled, with classes 0 .. 2; `copies` of them are copies of row 0. */
static void open_random(pen_rng *rng, int64_t n, int64_t d, int64_t copies, int threads,
                        struct opened *o)
{
    double *values = check_allocate(n * d, sizeof *values);
    int32_t *labels = check_allocate(n, sizeof *labels);

    for (int64_t i = 0; i < n * d; i++)
        values[i] = check_normal(rng);
    for (int64_t i = 1; i <= copies; i++)
        memcpy(values + (i * 7 % n) * d, values, (size_t)d * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        labels[i] = i % 2 ? PEN_UNLABELLED : (int32_t)(i / 2 % 3);
    open_rows(n, d, values, labels, threads, o);
    free(values);
    free(labels);
}

static double distance2(const struct opened *o, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t c = 0; c < o->d; c++)
        sum += (o->values[i * o->d + c] - o->values[j * o->d + c])
               * (o->values[i * o->d + c] - o->values[j * o->d + c]);
    return sum;
}

/* The mean squared distance from the mean. */
static double spread(const struct opened *o)
{
    double sum = 0;
    for (int64_t i = 0; i < o->n; i++)
        for (int64_t j = 0; j < i; j++)
            sum += distance2(o, i, j);
    return sum / (double)(o->n * o->n);
}

static int64_t row_at(const pen_adaptive_group *g, int64_t i)
{
    return g->rows.rows ? g->rows.rows[i] : i;
}

/* Every list has k distinct other rows of the group and positive weights that sum to 1. */
static void check_lists(const pen_adaptive *graphs, const int32_t *labels)
{
    int64_t entries = 0;

    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        entries += g->rows.count * g->k;
        for (int64_t r = 0; r < g->rows.count; r++) {
            const pen_neighbor *const found = g->found + r * g->k;
            double sum = 0;
            for (int64_t t = 0; t < g->k; t++) {
                const int64_t j = found[t].row;
                CHECK(j >= 0 && j < graphs->n && j != row_at(g, r),
                      "row %lld has the neighbor %lld", (long long)row_at(g, r), (long long)j);
                CHECK(!g->rows.rows || labels[j] == labels[row_at(g, r)],
                      "row %lld has %lld of another class", (long long)row_at(g, r), (long long)j);
                for (int64_t s = 0; s < t; s++)
                    CHECK(found[s].row != j, "row %lld has %lld twice", (long long)row_at(g, r),
                          (long long)j);
                CHECK(g->weight[r * g->k + t] > 0, "weight %g", g->weight[r * g->k + t]);
                sum += g->weight[r * g->k + t];
            }
            CHECK_CLOSE(sum, 1, 1e-14, 0);
        }
    }
    assert_int_equal(entries, graphs->entries);
}

/* The k nearest rows of a group by a double loop, up to rounding; ties go to the lower row. */
static void check_nearest(const struct opened *o, const pen_adaptive *graphs)
{
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = row_at(g, e / g->k), t = e % g->k;
            const pen_neighbor own = g->found[e];
            int64_t nearer = 0, farther = 0;
            CHECK_CLOSE(own.distance2, distance2(o, row, own.row), 1e-12, 0);
            for (int64_t s = 0; s < g->rows.count; s++) {
                const double v = distance2(o, row, row_at(g, s));
                nearer += row_at(g, s) != row && v < own.distance2 * (1 - 1e-12);
                farther += v > own.distance2 * (1 + 1e-12);
            }
            CHECK(nearer <= t && t < g->rows.count - 1 - farther,
                  "number %lld of row %lld has %lld before it and %lld after it", (long long)t,
                  (long long)row, (long long)nearer, (long long)farther);
            if (t > 0 && g->found[e - 1].distance2 == own.distance2)
                CHECK(g->found[e - 1].row < own.row, "row %lld has %lld before %lld",
                      (long long)row, (long long)g->found[e - 1].row, (long long)own.row);
        }
    }
}

/* The objective of the lists by definition; distances below `least` count as `least`. */
static double value_of(const struct opened *o, const pen_adaptive *graphs, double least)
{
    double sum = 0;
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++)
            sum += g->share * g->weight[e] * g->weight[e]
                   * fmax(least, distance2(o, row_at(g, e / g->k), g->found[e].row));
    }
    return sum;
}

static void groups_are_classes_and_all(void **state)
{
    const pen_adaptive_rules rules = { ALPHA, 2, 10 }, wide = { ALPHA, 12, 59 },
                             alone = { 0, 3, 1000 };
    pen_rng rng = check_rng(1);
    struct opened o;
    pen_adaptive graphs;
    (void)state;

    open_random(&rng, N, D, 0, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_true(graphs.n == N && graphs.count == 4 && graphs.least == 2 && graphs.cut == 0
                && graphs.entries == 30 * 2 + N * 10);
    for (int64_t e = 0; e < N * 10; e++) /* no list yet to start a search from */
        assert_true(graphs.groups[3].found[e].row == -1
                    && graphs.groups[e % 3].found[e % 20].row == -1);
    for (int c = 0; c < 3; c++)
        assert_true(graphs.groups[c].k == 2 && graphs.groups[c].share == 1
                    && graphs.groups[c].rows.count == 10);
    assert_true(graphs.groups[3].k == 10 && graphs.groups[3].share == ALPHA
                && !graphs.groups[3].rows.rows);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &wide, &graphs), PEN_OK);
    assert_true(graphs.least == 9 && graphs.cut == 3 && graphs.groups[0].k == 9
                && graphs.groups[3].k == 59);
    /* no group of all rows, so its size does not matter */
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &alone, &graphs), PEN_OK);
    assert_true(graphs.count == 3 && graphs.least == 3 && graphs.cut == 0);
    close_rows(&o);
}

static pen_status try_rules(struct opened *o, const pen_adaptive_rules *rules, pen_error *err)
{
    pen_adaptive graphs;
    pen_run *run;

    CHECK_OK(pen_run_open(NULL, err, &run), err);
    const pen_status status = pen_adaptive_open(run, &o->x, rules, &graphs);
    pen_run_close(run);
    return status;
}

static void classes_of_few_rows(void **state)
{
    static const int32_t mixed[] = { 2, 2, 1, 1, 1, 5, 7, 7 },
                         ones[] = { 3, 1, 2, -1, -1, -1, -1, -1 };
    const pen_adaptive_rules rules = { ALPHA, 2, 3 }, alone = { 0, 1, 3 }, many = { ALPHA, 2, 8 };
    pen_rng rng = check_rng(2);
    double values[8 * 2];
    struct opened o;
    pen_adaptive graphs;
    pen_error err;
    (void)state;

    for (int i = 0; i < 16; i++)
        values[i] = check_normal(&rng);
    open_rows(8, 2, values, mixed, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_true(graphs.count == 4 && graphs.groups[0].k == 2 && graphs.groups[1].k == 1
                && graphs.least == 0 && graphs.cut == 3);
    CHECK_STATUS(try_rules(&o, &many, &err), PEN_BAD_ARGUMENT,
                 "neighbors must be in [1, 7], the number of other rows, got 8", &err);
    close_rows(&o);

    open_rows(8, 2, values, ones, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_true(graphs.count == 1 && graphs.least == 0 && graphs.cut == 3);
    CHECK_STATUS(try_rules(&o, &alone, &err), PEN_BAD_DATA,
                 "alpha must be above 0 if every class has one labelled row", &err);
    close_rows(&o);
}

static void the_first_lists_have_equal_weights(void **state)
{
    const pen_adaptive_rules rules = { ALPHA, 4, 7 };
    pen_rng rng = check_rng(3);
    struct opened o;
    pen_adaptive graphs;
    (void)state;

    open_random(&rng, N, D, 5, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_int_equal(pen_adaptive_nearest(o.run, &(pen_problem){ .rows = o.x }, &graphs), PEN_OK);
    check_lists(&graphs, o.labels);
    check_nearest(&o, &graphs);
    for (int64_t i = 0; i < graphs.count; i++)
        for (int64_t e = 0; e < graphs.groups[i].rows.count * graphs.groups[i].k; e++)
            assert_true(graphs.groups[i].weight[e] == 1 / (double)graphs.groups[i].k);
    close_rows(&o);
}

/* Other lists of the same length with other weights do not lower the objective. */
static void check_best(pen_rng *rng, const struct opened *o, const pen_adaptive *graphs,
                       double least)
{
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t r = 0; r < g->rows.count; r++) {
            double own = 0, other = 0, sum = 0, weight[N];
            int64_t order[N];
            for (int64_t e = r * g->k; e < (r + 1) * g->k; e++)
                own += g->weight[e] * g->weight[e]
                       * fmax(least, distance2(o, row_at(g, r), g->found[e].row));
            pen_rng_permutation(rng, g->rows.count, order);
            for (int64_t t = 0; t < g->k; t++) {
                weight[t] = 1e-3 + pen_rng_uniform(rng);
                sum += weight[t];
            }
            for (int64_t t = 0, s = 0; t < g->k; s++)
                if (order[s] != r) {
                    other += weight[t] / sum * weight[t] / sum
                             * fmax(least, distance2(o, row_at(g, r), row_at(g, order[s])));
                    t++;
                }
            CHECK(own <= other * (1 + 1e-12), "row %lld comes to %.17g, and could to %.17g",
                  (long long)row_at(g, r), own, other);
        }
    }
}

static void weights_are_the_best(void **state)
{
    pen_rng rng = check_rng(4);
    (void)state;

    for (int repeat = 0; repeat < check_repeats(30); repeat++) {
        const pen_adaptive_rules rules = { ALPHA, 1 + pen_rng_below(&rng, 12),
                                           1 + pen_rng_below(&rng, N - 1) };
        struct opened o;
        pen_adaptive graphs;
        double objective, again;
        open_random(&rng, N, D, repeat % 3 ? 0 : 4, 1, &o);
        const double least = 1e-12 * spread(&o);
        assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
        if (repeat % 2)
            assert_int_equal(pen_adaptive_random(o.run, (uint64_t)repeat, &graphs), PEN_OK);
        else
            assert_int_equal(pen_adaptive_nearest(o.run, &(pen_problem){ .rows = o.x }, &graphs),
                             PEN_OK);
        assert_int_equal(pen_adaptive_update(o.run, &o.x, &graphs, &objective), PEN_OK);
        check_lists(&graphs, o.labels);
        check_nearest(&o, &graphs);
        CHECK_CLOSE(objective, value_of(&o, &graphs, least), 1e-11, 0);
        check_best(&rng, &o, &graphs, least);
        /* starting from the lists themselves */
        assert_int_equal(pen_adaptive_update(o.run, &o.x, &graphs, &again), PEN_OK);
        assert_true(again == objective);
        close_rows(&o);
    }
}

/* Equal or nearly equal rows share the weight of one row. */
static void equal_rows_share_the_weight(void **state)
{
    static const double values[] = { 0, 0, 1e-10, 1, 3, -2 };
    static const int32_t labels[] = { 0, 0, 0, 0, -1, -1 };
    const pen_adaptive_rules rules = { 1, 3, 4 };
    const double tau = (1 + 9 + 4) / 6. - (2 / 6.) * (2 / 6.), least = 1e-12 * tau,
                 shared = 1 / (2 / least + 1), far = 1 / (2 / least + 1 + 1 / 4.);
    struct opened o;
    pen_adaptive graphs;
    double objective;
    (void)state;

    open_rows(6, 1, values, labels, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_int_equal(pen_adaptive_nearest(o.run, &(pen_problem){ .rows = o.x }, &graphs), PEN_OK);
    assert_int_equal(pen_adaptive_update(o.run, &o.x, &graphs, &objective), PEN_OK);
    const pen_adaptive_group *const within = &graphs.groups[0], *const all = &graphs.groups[1];
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
    close_rows(&o);
}

/* If all rows are equal, so are the weights, and the objective is zero. */
static void rows_without_variance(void **state)
{
    const pen_adaptive_rules rules = { ALPHA, 2, 5 };
    double values[12 * 2], objective = 1;
    int32_t labels[12];
    struct opened o;
    pen_adaptive graphs;
    (void)state;

    for (int i = 0; i < 12; i++) {
        values[2 * i] = 0.7;
        values[2 * i + 1] = -3.1;
        labels[i] = i % 2;
    }
    open_rows(12, 2, values, labels, 1, &o);
    assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
    assert_int_equal(pen_adaptive_random(o.run, 0, &graphs), PEN_OK);
    assert_int_equal(pen_adaptive_update(o.run, &o.x, &graphs, &objective), PEN_OK);
    CHECK(fabs(objective) < 1e-30, "the objective is %g", objective);
    check_lists(&graphs, o.labels);
    for (int64_t i = 0; i < graphs.count; i++)
        for (int64_t e = 0; e < graphs.groups[i].rows.count * graphs.groups[i].k; e++)
            assert_true(graphs.groups[i].weight[e] == 1 / (double)graphs.groups[i].k);
    close_rows(&o);
}

/* Tiny and huge distances do not overflow, and the scale does not change the weights. */
static void any_scale(void **state)
{
    static const double scales[] = { 1e-120, 1, 1e120 };
    const pen_adaptive_rules rules = { ALPHA, 3, 6 };
    double first[30 * 3], objectives[3];
    (void)state;

    for (int s = 0; s < 3; s++) {
        pen_rng rng = check_rng(5);
        struct opened o;
        pen_adaptive graphs;
        open_random(&rng, N, D, 0, 1, &o);
        for (int64_t i = 0; i < N * D; i++)
            o.values[i] *= scales[s];
        struct opened scaled;
        open_rows(N, D, o.values, o.labels, 1, &scaled);
        assert_int_equal(pen_adaptive_open(scaled.run, &scaled.x, &rules, &graphs), PEN_OK);
        assert_int_equal(
            pen_adaptive_nearest(scaled.run, &(pen_problem){ .rows = scaled.x }, &graphs), PEN_OK);
        assert_int_equal(pen_adaptive_update(scaled.run, &scaled.x, &graphs, &objectives[s]),
                         PEN_OK);
        for (int c = 0; c < 3; c++)
            for (int e = 0; e < 30; e++) {
                if (s == 0)
                    first[c * 30 + e] = graphs.groups[c].weight[e];
                CHECK_CLOSE(graphs.groups[c].weight[e], first[c * 30 + e], 1e-12, 0);
            }
        CHECK_CLOSE(objectives[s],
                    objectives[0] * (scales[s] / scales[0]) * (scales[s] / scales[0]), 1e-12, 0);
        close_rows(&scaled);
        close_rows(&o);
    }
}

static void random_graphs(void **state)
{
    pen_rng rng = check_rng(6);
    struct opened o;
    (void)state;

    open_random(&rng, N, D, 0, 1, &o);
    for (int64_t k = 1; k < N; k += 7) {
        const pen_adaptive_rules rules = { ALPHA, k, k };
        double times[N] = { 0 };
        pen_adaptive one, same, other;
        int64_t different = 0;
        for (uint64_t seed = 0; seed < 40; seed++) {
            assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &one), PEN_OK);
            assert_int_equal(pen_adaptive_random(o.run, seed, &one), PEN_OK);
            check_lists(&one, o.labels);
            for (int64_t e = 0; e < N * k; e++)
                times[one.groups[3].found[e].row]++;
        }
        /* each row is a neighbor as often as expected by chance, within 5 standard deviations */
        for (int64_t j = 0; j < N; j++)
            CHECK(fabs(times[j] - 40. * (double)k) <= 5 * sqrt(40. * (double)k),
                  "row %lld is drawn %g times, with k %lld", (long long)j, times[j], (long long)k);
        assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &same), PEN_OK);
        assert_int_equal(pen_adaptive_random(o.run, 39, &same), PEN_OK);
        assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &other), PEN_OK);
        assert_int_equal(pen_adaptive_random(o.run, 40, &other), PEN_OK);
        for (int64_t e = 0; e < N * k; e++) {
            assert_true(same.groups[3].found[e].row == one.groups[3].found[e].row
                        && same.groups[3].weight[e] == one.groups[3].weight[e]);
            different += other.groups[3].found[e].row != one.groups[3].found[e].row
                         || other.groups[3].weight[e] != one.groups[3].weight[e];
        }
        assert_true(different > N * k / 2);
    }
    close_rows(&o);
}

/* The table of (g_ij^2 + g_ji^2) / 2, weighted by the shares. */
static double *table_of(const pen_adaptive *graphs)
{
    double *table = check_allocate(graphs->n * graphs->n, sizeof *table);

    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = row_at(g, e / g->k), other = g->found[e].row;
            const double weight = g->share * g->weight[e] * g->weight[e] / 2;
            table[row * graphs->n + other] += weight;
            table[other * graphs->n + row] += weight;
        }
    }
    return table;
}

static void one_graph_of_all(void **state)
{
    pen_rng rng = check_rng(7);
    (void)state;

    for (int repeat = 0; repeat < check_repeats(10); repeat++) {
        const pen_adaptive_rules rules = { repeat == 3 ? 0 : ALPHA, 1 + pen_rng_below(&rng, 6),
                                           1 + pen_rng_below(&rng, 20) };
        struct opened o;
        pen_adaptive graphs;
        pen_graph graph;
        pen_sym M;
        double objective;
        open_random(&rng, N, D, 0, 1, &o);
        assert_int_equal(pen_adaptive_open(o.run, &o.x, &rules, &graphs), PEN_OK);
        assert_int_equal(pen_adaptive_nearest(o.run, &(pen_problem){ .rows = o.x }, &graphs),
                         PEN_OK);
        assert_int_equal(pen_adaptive_update(o.run, &o.x, &graphs, &objective), PEN_OK);
        const pen_mark_t mark = pen_mark(o.run);
        assert_int_equal(pen_adaptive_graph(o.run, &graphs, &graph), PEN_OK);
        double *table = table_of(&graphs);
        assert_true(graph.n == N && graph.first[0] == 0 && graph.first[N] == graph.edges
                    && !graph.distance2);
        for (int64_t i = 0; i < N; i++)
            for (int64_t e = graph.first[i]; e < graph.first[i + 1]; e++) {
                const int64_t j = graph.other[e];
                assert_true(j > i && j < N && (e == graph.first[i] || graph.other[e - 1] < j));
                CHECK_CLOSE(graph.weight[e], table[i * N + j], 1e-15, 0);
                table[i * N + j] = 0;
            }
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = i + 1; j < N; j++)
                CHECK(table[i * N + j] == 0, "no edge %lld, %lld", (long long)i, (long long)j);
        assert_int_equal(pen_sym_zero(o.run, D, &M), PEN_OK);
        assert_int_equal(pen_scatter_graph(o.run, 1, &o.x, &graph, NULL, &M), PEN_OK);
        CHECK_CLOSE(2 * pen_sym_trace(&M), objective, 1e-12, 0);
        pen_release(o.run, mark);
        free(table);
        close_rows(&o);
    }
}

static void threads_make_no_difference(void **state)
{
    enum { MANY = 3000 };
    const pen_adaptive_rules rules = { ALPHA, 3, 9 };
    struct opened o[2];
    pen_adaptive graphs[2];
    pen_graph graph[2];
    double objective[2][2];
    (void)state;

    for (int t = 0; t < 2; t++) {
        pen_rng rng = check_rng(8);
        open_random(&rng, MANY, 5, 9, t ? 3 : 1, &o[t]);
        assert_int_equal(pen_adaptive_open(o[t].run, &o[t].x, &rules, &graphs[t]), PEN_OK);
        assert_int_equal(pen_adaptive_random(o[t].run, 3, &graphs[t]), PEN_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(pen_adaptive_update(o[t].run, &o[t].x, &graphs[t], &objective[t][i]),
                             PEN_OK);
        assert_int_equal(pen_adaptive_graph(o[t].run, &graphs[t], &graph[t]), PEN_OK);
    }
    assert_memory_equal(objective[0], objective[1], sizeof objective[0]);
    for (int64_t i = 0; i < graphs[0].count; i++) {
        const pen_adaptive_group *const a = &graphs[0].groups[i], *const b = &graphs[1].groups[i];
        for (int64_t e = 0; e < a->rows.count * a->k; e++)
            assert_true(a->found[e].row == b->found[e].row
                        && a->found[e].distance2 == b->found[e].distance2);
        assert_memory_equal(a->weight, b->weight,
                            (size_t)(a->rows.count * a->k) * sizeof *a->weight);
    }
    assert_int_equal(graph[0].edges, graph[1].edges);
    assert_memory_equal(graph[0].weight, graph[1].weight,
                        (size_t)graph[0].edges * sizeof *graph[0].weight);
    close_rows(&o[0]);
    close_rows(&o[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_classes_and_all),
        cmocka_unit_test(classes_of_few_rows),
        cmocka_unit_test(the_first_lists_have_equal_weights),
        cmocka_unit_test(weights_are_the_best),
        cmocka_unit_test(equal_rows_share_the_weight),
        cmocka_unit_test(rows_without_variance),
        cmocka_unit_test(any_scale),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(one_graph_of_all),
        cmocka_unit_test(threads_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
