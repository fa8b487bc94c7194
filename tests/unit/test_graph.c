/* test_graph.c - sparse neighbor graphs, contributions to pairs, pairs propagated to neighborhoods,
 * and scatters of graphs: against n x n tables and double loops, on random rows, lattice points
 * with many equal distances, and duplicate rows. */
#include "kit/graph_fit.h"

#include "graph/constraint_propagation.h"
#include "graph/edges.h"
#include "scatter/scatter.h"

#include <stdio.h>

/* Rows as the methods see them. */
struct opened {
    linked l;
    pen_data data;
    pen_run *run;
    pen_rows x;
    pen_pair_set pairs;
};

enum kind { RANDOM, LATTICE, REPEATED, KINDS };

static linked rows_of(pen_rng *rng, enum kind kind, int64_t n, int64_t d)
{
    linked l = linked_random(rng, n, d, 3, n, n);
    for (int64_t i = 0; i < n * d && kind == LATTICE; i++)
        l.s.x[i] = (double)pen_rng_below(rng, 4);
    for (int64_t i = n / 3; i < n && kind == REPEATED; i++)
        memcpy(l.s.x + i * d, l.s.x + i % (n / 3 + 1) * d, (size_t)d * sizeof *l.s.x);
    return l;
}

static struct opened open_rows(linked l, pen_dtype type, int threads)
{
    const pen_control control = { .threads = threads };
    struct opened o = { .l = l, .data = linked_data(&l) };

    o.data.x = recast(&l.s, type, 0);
    assert_int_equal(pen_run_open(&control, NULL, &o.run), PEN_OK);
    assert_int_equal(pen_rows_open(o.run, &o.data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    assert_int_equal(pen_pairs_open(o.run, &o.data, &(pen_pair_params){ .closure = 0 }, 0, &o.x,
                                    PEN_ORDER_MUST_LINKS, &o.pairs),
                     PEN_OK);
    return o;
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    recast_free(&o->data.x);
    linked_free(&o->l);
}

/* The weights of a graph as a table, NAN where there is no edge; edges must be in order and
 * unique. */
static double *weights_of(const pen_graph *g)
{
    double *table = check_allocate(g->n * g->n, sizeof *table);

    for (int64_t i = 0; i < g->n * g->n; i++)
        table[i] = NAN;
    CHECK(g->first[0] == 0 && g->first[g->n] == g->edges, "edges %lld to %lld of %lld",
          (long long)g->first[0], (long long)g->first[g->n], (long long)g->edges);
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            CHECK(g->other[e] > (e > g->first[i] ? g->other[e - 1] : i) && g->other[e] < g->n,
                  "edge %lld is {%lld, %lld}", (long long)e, (long long)i, (long long)g->other[e]);
            table[i * g->n + g->other[e]] = table[g->other[e] * g->n + i] = g->weight[e];
        }
    return table;
}

/* The edges are exactly the nonzero entries of `there`, with the given weights. */
static void check_weights(const pen_graph *g, const int *there, const double *right,
                          double tolerance, const char *what)
{
    double *found = weights_of(g);
    for (int64_t i = 0; i < g->n * g->n; i++)
        CHECK(there[i] ? fabs(found[i] - right[i]) <= tolerance : isnan(found[i]),
              "%s: edge {%lld, %lld} has weight %.17g, expected %.17g", what, (long long)(i / g->n),
              (long long)(i % g->n), found[i], there[i] ? right[i] : NAN);
    free(found);
}

/* ---- neighbors ---- */

static void check_neighbor_graphs(struct opened *o, int64_t k)
{
    const int64_t n = o->l.s.n;
    double *distances = table_distances(n, o->l.s.d, o->l.s.x),
           *ones = check_allocate(n * n, sizeof *ones), *degree, *diagonal;
    int *nearest = table_nearest(n, distances, k), *shared = table_shared(n, nearest);
    pen_neighbor *found;
    pen_graph g, other;

    assert_int_equal(PEN_NEW(o->run, degree, n), PEN_OK);
    assert_int_equal(PEN_NEW(o->run, diagonal, n), PEN_OK);
    assert_int_equal(
        pen_graph_neighbors(o->run, &(pen_problem){ .rows = o->x }, "neighbors", k, &found),
        PEN_OK);
    for (int64_t i = 0; i < n * n; i++)
        ones[i] = 1;
    for (int join = PEN_JOIN_UNION; join <= PEN_JOIN_MUTUAL; join++) {
        int *there = join == PEN_JOIN_UNION ? table_union(n, nearest) : table_mutual(n, nearest);
        double *heat = table_heat(n, there, distances, 2.5);
        assert_int_equal(pen_graph_of_neighbors(o->run, n, k, found, (enum pen_join)join, &g),
                         PEN_OK);
        check_weights(&g, there, ones, 0, "of neighbors");
        for (int64_t i = 0; i < n; i++)
            for (int64_t e = g.first[i]; e < g.first[i + 1]; e++)
                CHECK(g.distance2[e] == pen_rows_distance2(&o->x, i, g.other[e]),
                      "edge %lld: distance %.17g", (long long)e, g.distance2[e]);
        pen_graph_heat_weights(&g, 2.5);
        check_weights(&g, there, heat, 1e-14, "heat");
        pen_graph_degrees(&g, degree);
        for (int64_t i = 0; i < n; i++) {
            double right = 0;
            for (int64_t j = 0; j < n; j++)
                right += heat[i * n + j];
            CHECK_CLOSE(degree[i], right, 1e-13, 0);
        }
        for (int64_t e = 0; e < g.edges; e += 2)
            g.weight[e] = -g.weight[e];
        double *absolute;
        assert_int_equal(PEN_NEW(o->run, absolute, n), PEN_OK);
        pen_graph_absolute_degrees(&g, absolute);
        for (int64_t i = 0; i < n; i++)
            CHECK_CLOSE(absolute[i], degree[i], 1e-14, 0);
        free(there), free(heat);
    }
    assert_int_equal(pen_graph_shared_and_nearest(o->run, &(pen_problem){ .rows = o->x },
                                                  "snn_neighbors", k, &g, "neighbors", 1, &other),
                     PEN_OK);
    for (int64_t i = 0; i < n * n; i++) {
        ones[i] = shared[i];
        shared[i] = shared[i] >= 0;
    }
    check_weights(&g, shared, ones, 0, "shared");
    free(distances), free(ones), free(nearest), free(shared);
}

static void neighbor_graphs(void **state)
{
    static const int64_t sizes[][2] = { { 2, 1 }, { 5, 3 }, { 40, 2 }, { 90, 4 } };
    pen_rng rng = check_rng(3301);
    (void)state;

    for (int kind = 0; kind < KINDS; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int64_t n = sizes[s][0], ks[] = { 1, 3, 7, n - 1 };
            struct opened o;
            if (n == 2) {
                linked two = { .s = sample_new(2, 1) };
                two.s.x[1] = kind;
                o = open_rows(two, PEN_F64, 1);
            } else {
                o = open_rows(rows_of(&rng, (enum kind)kind, n, sizes[s][1]), PEN_F64, 1 + kind);
            }
            for (size_t k = 0; k < sizeof ks / sizeof *ks; k++)
                if (ks[k] < n)
                    check_neighbor_graphs(&o, ks[k]);
            close_rows(&o);
        }
}

static void too_many_neighbors(void **state)
{
    pen_rng rng = check_rng(3302);
    linked l = rows_of(&rng, RANDOM, 12, 2);
    const pen_data data = linked_data(&l);
    static const int64_t bad[] = { 0, -3, 12, INT64_MAX };
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pen_error err;
        pen_run *run;
        pen_rows x;
        pen_neighbor *found;
        char message[128];
        assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
        assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
        assert_int_equal(pen_graph_neighbors(run, &(pen_problem){ .rows = x }, "manifold_neighbors",
                                             bad[i], &found),
                         PEN_BAD_ARGUMENT);
        snprintf(message, sizeof message,
                 "manifold_neighbors must be in [1, 11], the number of other rows, got %lld",
                 (long long)bad[i]);
        CHECK_MESSAGE(&err, message);
        pen_run_close(run);
    }
    linked_free(&l);
}

static void mean_length(void **state)
{
    pen_rng rng = check_rng(3303);
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct opened o = open_rows(rows_of(&rng, (enum kind)kind, 150, 3), PEN_F64, 2);
        double mean[3] = { 0 }, right = 0, length;
        for (int64_t i = 0; i < 450; i++)
            mean[i % 3] += o.l.s.x[i] / 150;
        for (int64_t i = 0; i < 150; i++) {
            double square = 0;
            for (int64_t c = 0; c < 3; c++)
                square += (o.l.s.x[i * 3 + c] - mean[c]) * (o.l.s.x[i * 3 + c] - mean[c]);
            right += sqrt(square) / 150;
        }
        assert_int_equal(pen_graph_mean_length(o.run, &o.x, &length), PEN_OK);
        CHECK_CLOSE(length, right, 1e-13, 0);
        close_rows(&o);
    }
}

/* ---- contributions ---- */

enum { VERTICES = 23 };

/* Contributions to pairs of n vertices; those of a vertex are chained, the last one first. */
struct list {
    int64_t n, count, room;
    int64_t *first; /* [n] the first contribution of each vertex, 2 e or 2 e + 1 for its ends */
    int64_t *next;  /* [2 room] -1: the last */
    int64_t *end;   /* [2 room] */
    double *weight; /* [room] */
    int *bits;
    int64_t combined; /* the number of pairs combined */
};

static struct list list_new(int64_t n, int64_t room)
{
    struct list l = { .n = n, .room = room };

    l.first = check_allocate(n, sizeof *l.first);
    l.next = check_allocate(2 * room, sizeof *l.next);
    l.end = check_allocate(2 * room, sizeof *l.end);
    l.weight = check_allocate(room, sizeof *l.weight);
    l.bits = check_allocate(room, sizeof *l.bits);
    for (int64_t i = 0; i < n; i++)
        l.first[i] = -1;
    return l;
}

static void list_free(struct list *l)
{
    free(l->first), free(l->next), free(l->end), free(l->weight), free(l->bits);
}

static void list_add(struct list *l, int64_t i, int64_t j, double weight, int bits)
{
    const int64_t e = l->count++, ends[] = { i, j };

    l->weight[e] = weight;
    l->bits[e] = bits;
    for (int end = 0; end < 2; end++) {
        l->end[2 * e + end] = ends[end];
        l->next[2 * e + end] = l->first[ends[end]];
        l->first[ends[end]] = 2 * e + end;
    }
}

static void fill_from_list(void *context, pen_edge_row *row)
{
    const struct list *l = context;

    for (int64_t t = l->first[row->i]; t >= 0; t = l->next[t])
        pen_edge_add(row, l->end[t ^ 1], l->weight[t / 2], l->bits[t / 2]);
}

/* No edge if the union of the bits is odd. */
static int keep_even(void *context, int64_t j, int bits, double *weight)
{
    struct list *l = context;

    (void)j;
    (void)weight;
    l->combined++;
    return bits % 2 == 0;
}

static void check_list(struct list *l, int64_t pairs, const int *there, const double *right)
{
    const pen_edge_rule rule = { fill_from_list, keep_even, l };
    int64_t found;
    pen_graph g;
    pen_run *run;

    l->combined = 0;
    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_edges_count(run, l->n, &rule, pairs, &found), PEN_OK);
    assert_int_equal(found, pairs);
    for (int64_t most = 0; most < pairs; most = 2 * most + 1) {
        assert_int_equal(pen_edges_count(run, l->n, &rule, most, &found), PEN_OK);
        CHECK(found > most && found <= pairs, "%lld pairs, at most %lld", (long long)found,
              (long long)most);
    }
    assert_int_equal(l->combined, 0);
    assert_int_equal(pen_edges_build(run, l->n, &rule, pairs, &g), PEN_OK);
    assert_int_equal(l->combined, pairs);
    assert_null(g.distance2);
    assert_int_equal(g.n, l->n);
    for (int64_t i = 0; i < g.n; i++)
        for (int64_t e = g.first[i]; e < g.first[i + 1]; e++)
            CHECK(g.other[e] > (e > g.first[i] ? g.other[e - 1] : i), "edge %lld is not in order",
                  (long long)e);
    check_weights(&g, there, right, 0, "contributions");
    pen_run_close(run);
}

static void contributions(void **state)
{
    pen_rng rng = check_rng(3304);
    (void)state;
    for (int64_t count = 0; count < 2000; count = 2 * count + 1) {
        /* with many vertices most rows have few pairs, which are sorted and not found by a scan */
        const int64_t n = count % 3 == 0 ? 10 * VERTICES : VERTICES;
        int64_t *ends = check_allocate(2 * count, sizeof *ends),
                *order = check_allocate(count, sizeof *order);
        int *there = check_allocate(n * n, sizeof *there),
            *bits = check_allocate(count, sizeof *bits);
        double *right = check_allocate(n * n, sizeof *right),
               *weight = check_allocate(count, sizeof *weight);
        int64_t pairs = 0;
        for (int64_t k = 0; k < count; k++) {
            const int64_t i = ends[2 * k] = pen_rng_below(&rng, n),
                          j = ends[2 * k + 1] = pen_rng_below(&rng, n);
            weight[k] = (double)pen_rng_below(&rng, 7) / 4 - 1;
            bits[k] = (int)pen_rng_below(&rng, 6) == 0 ? 3 : 2;
            if (i == j)
                continue;
            const int first = there[i * n + j] == 0;
            pairs += first;
            there[i * n + j] = there[j * n + i] |= bits[k];
            right[i * n + j] = right[j * n + i] =
                first ? weight[k] : fmax(right[i * n + j], weight[k]);
        }
        for (int64_t i = 0; i < n * n; i++)
            there[i] = there[i] != 0 && there[i] % 2 == 0;
        for (int turn = 0; turn < 3; turn++) {
            struct list l = list_new(n, count);
            pen_rng_permutation(&rng, count, order);
            for (int64_t k = 0; k < count; k++)
                list_add(&l, ends[2 * order[k] + turn % 2], ends[2 * order[k] + 1 - turn % 2],
                         weight[order[k]], bits[order[k]]);
            check_list(&l, pairs, there, right);
            list_free(&l);
        }
        free(ends), free(order), free(there), free(bits), free(right), free(weight);
    }
}

/* ---- pairs propagated to neighborhoods ---- */

static void check_spread(struct opened *o, int64_t k, int spread)
{
    const int64_t n = o->l.s.n;
    char text[64];
    pen_data data = linked_data(&o->l);
    pen_neighbor *found;
    pen_graph neighbors, g;
    int *there = check_allocate(n * n, sizeof *there);

    snprintf(text, sizeof text, "clpp neighbors=%lld propagate_pairs=%s heat=3", (long long)k,
             spread ? "true" : "false");
    graph_oracle *right = graph_oracle_fit(text, &data);
    for (int64_t i = 0; i < n * n; i++)
        there[i] = right->signed_weights[i] != 0;
    assert_int_equal(
        pen_graph_neighbors(o->run, &(pen_problem){ .rows = o->x }, "neighbors", k, &found),
        PEN_OK);
    assert_int_equal(pen_graph_of_neighbors(o->run, n, k, found, PEN_JOIN_UNION, &neighbors),
                     PEN_OK);
    pen_graph_heat_weights(&neighbors, 3);
    assert_int_equal(pen_propagate_constraints(o->run,
                                               &(pen_problem){ .rows = o->x, .pairs = &o->pairs },
                                               &neighbors, k, found, spread, 1000000, &g),
                     PEN_OK);
    check_weights(&g, there, right->signed_weights, 1e-14, text);
    graph_oracle_free(right);
    free(there);
}

/* Few pairs and many, labels instead of pairs and in addition to them. */
static void spread_pairs(void **state)
{
    pen_rng rng = check_rng(3305);
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int way = 0; way < 5; way++) {
            linked l = rows_of(&rng, (enum kind)kind, 24, 2);
            linked_draw(&rng, &l,
                        way == 1   ? 30
                        : way == 2 ? 0
                                   : 4,
                        way == 1   ? 40
                        : way == 2 ? 0
                                   : 5);
            if (way >= 2)
                linked_label(&rng, &l, way == 4 ? 0 : 6);
            struct opened o = open_rows(l, PEN_F64, 1);
            for (int64_t k = 1; k < 6; k += 2)
                for (int spread = 0; spread < 2; spread++)
                    check_spread(&o, k, spread);
            close_rows(&o);
        }
}

static void too_many_pairs_to_spread(void **state)
{
    pen_rng rng = check_rng(3306);
    linked l = linked_random(&rng, 20, 2, 2, 0, 0);
    pen_error err;
    (void)state;
    linked_add(&l, PEN_MUST_LINK, 0, 1);
    linked_add(&l, PEN_CANNOT_LINK, 2, 3);
    const pen_data data = linked_data(&l);
    pen_model *model = NULL;
    CHECK_STATUS(fit_status("clpp neighbors=3 max_pairs=1", &data, &model, &err), PEN_BAD_DATA,
                 "at least 2 pairs would have a weight, more than max_pairs, 1", &err);
    /* at most 2 pairs and 60 neighbors; 16 pairs for each pair, some of them equal or neighbors */
    CHECK_STATUS(fit_status("clpp neighbors=3 max_pairs=40", &data, &model, &err), PEN_BAD_DATA,
                 "more than max_pairs, 40", &err);
    pen_model_free(fit_data("clpp neighbors=3 max_pairs=60 propagate_pairs=false", &data));
    pen_model_free(fit_data("clpp neighbors=3 max_pairs=94", &data));
    linked_free(&l);
}

/* ---- scatters ---- */

static void check_matrix(const pen_sym *S, const double *right, double scale, double tolerance,
                         const char *what)
{
    for (int64_t i = 0; i < S->d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK(fabs(S->a[i * S->d + j] - right[i * S->d + j]) <= tolerance * scale,
                  "%s: entry %lld, %lld is %.17g, expected %.17g", what, (long long)i, (long long)j,
                  S->a[i * S->d + j], right[i * S->d + j]);
}

static double largest(int64_t count, const double *a)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Random edges, some with negative weights; one vertex may be a hub. */
static int keep_weight(void *context, int64_t j, int bits, double *weight)
{
    (void)j;
    (void)context;
    (void)weight;
    return bits;
}

static pen_graph chance_graph(pen_run *run, pen_rng *rng, int64_t n, int64_t edges, int hub)
{
    struct list l = list_new(n, edges + n);
    const pen_edge_rule rule = { fill_from_list, keep_weight, &l };
    int64_t pairs;
    pen_graph g;

    for (int64_t e = 0; e < edges; e++)
        list_add(&l, pen_rng_below(rng, n), pen_rng_below(rng, n), check_normal(rng), 1);
    for (int64_t i = 0; hub && i < n; i++)
        list_add(&l, n / 5, i, pen_rng_uniform(rng), 1);
    assert_int_equal(pen_edges_count(run, n, &rule, INT64_MAX, &pairs), PEN_OK);
    assert_int_equal(pen_edges_build(run, n, &rule, pairs, &g), PEN_OK);
    list_free(&l);
    return g;
}

/* Sum over edges of weight (x_i - x_j)(x_i - x_j)', or sum of a_i x_i x_i' - sum over edges of
 * weight (x_i x_j' + x_j x_i'), for centered rows. */
static double *literal_scatter(const struct opened *o, const pen_graph *g, const double *diagonal)
{
    const int64_t n = o->l.s.n, d = o->l.s.d;
    double *x = check_allocate(n * d, sizeof *x), *s = check_allocate(d * d, sizeof *s),
           *mean = check_allocate(d, sizeof *mean);

    for (int64_t i = 0; i < n * d; i++)
        mean[i % d] += o->l.s.x[i] / (double)n;
    for (int64_t i = 0; i < n * d; i++)
        x[i] = o->l.s.x[i] - mean[i % d];
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; diagonal && c < d * d; c++)
            s[c] += diagonal[i] * x[i * d + c / d] * x[i * d + c % d];
    for (int64_t i = 0; g && i < n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            const double *a = x + i * d, *b = x + g->other[e] * d;
            for (int64_t c = 0; c < d * d; c++)
                s[c] += g->weight[e]
                        * (diagonal ? -(a[c / d] * b[c % d] + b[c / d] * a[c % d])
                                    : (a[c / d] - b[c / d]) * (a[c % d] - b[c % d]));
        }
    free(x), free(mean);
    return s;
}

static void check_scatters(pen_rng *rng, pen_dtype type, int64_t n, int64_t d, int64_t edges,
                           int hub)
{
    linked l = linked_random(rng, n, d, 2, 0, 0);
    sample_to_bytes(&l.s);
    const uint64_t seed = pen_rng_next(rng);
    double *bits[3] = { NULL, NULL, NULL };

    for (int t = 0; t < 3; t++) {
        struct opened o = open_rows(linked_copy(&l), type, t == 0 ? 1 : 3 * t - 1);
        pen_rng same = { seed };
        const pen_graph g = chance_graph(o.run, &same, n, edges, hub);
        double *diagonal = check_allocate(n, sizeof *diagonal);
        bits[t] = check_allocate(3 * d * d, sizeof **bits);
        for (int64_t i = 0; i < n; i++)
            diagonal[i] = i % 3 == 0 ? 0 : check_normal(&same);
        for (int way = 0; way < 3; way++) {
            const pen_graph *of = way == 2 ? NULL : &g;
            const double *own = way == 0 ? NULL : diagonal, weight = way == 1 ? -0.75 : 2;
            double *right = literal_scatter(&o, of, own);
            pen_sym S;
            assert_int_equal(pen_sym_zero(o.run, d, &S), PEN_OK);
            pen_sym_add_identity(5, &S); /* scatters add to the existing matrix */
            for (int64_t i = 0; i < d * d; i++)
                right[i] = weight * right[i] + (i / d == i % d ? 5 : 0);
            assert_int_equal(pen_scatter_graph(o.run, 0, &o.x, of, own, &S), PEN_OK);
            CHECK(S.a[0] == 5, "a scatter of weight 0 adds %g", S.a[0] - 5);
            assert_int_equal(pen_scatter_graph(o.run, weight, &o.x, of, own, &S), PEN_OK);
            check_matrix(&S, right, largest(d * d, right) + (double)(n + edges), 1e-11,
                         "scatter of a graph");
            for (int64_t i = 0; i < d; i++)
                memcpy(bits[t] + (way * d + i) * d, S.a + i * d, (size_t)(i + 1) * sizeof **bits);
            free(right);
        }
        assert_memory_equal(bits[0], bits[t], (size_t)(3 * d * d) * sizeof **bits);
        free(diagonal);
        close_rows(&o);
    }
    for (int t = 0; t < 3; t++)
        free(bits[t]);
    linked_free(&l);
}

/* No edges, few, many; several blocks of 2048 rows, several chunks of 64 edges of a vertex. */
static void graph_scatters(void **state)
{
    pen_rng rng = check_rng(3307);
    (void)state;
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        check_scatters(&rng, (pen_dtype)type, 2, 1, 3, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 3, 0, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 5, 400, 0);
        check_scatters(&rng, (pen_dtype)type, 100, 40, 300, 1);
        check_scatters(&rng, (pen_dtype)type, 4500, 4, 9000, 1);
    }
}

/* X'MX against the table of M, for any number of threads; M K^1/2 1 = 0; rows out of reach of every
 * kernel. */
static void check_manifold(enum kind kind, int64_t n, int64_t d, double gamma, pen_rng *rng)
{
    const linked l = rows_of(rng, kind, n, d);
    double *distances = table_distances(n, d, l.s.x), *bits = NULL;
    int *nearest = table_nearest(n, distances, 4), *there = table_union(n, nearest);
    double *heat = table_heat(n, there, distances, gamma);
    int64_t isolated;
    double *m = table_normalized_laplacian(n, heat, &isolated),
           *zero = check_allocate(n * n, sizeof *zero);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double degree = 0;
            for (int64_t k = 0; k < n; k++)
                degree += heat[j * n + k];
            zero[i] += m[i * n + j] * sqrt(degree);
        }
    CHECK(largest(n, zero) < 1e-12, "M K^1/2 1 is %g", largest(n, zero));
    for (int t = 1; t <= 5; t += 2) {
        struct opened o = open_rows(linked_copy(&l), PEN_F64, t);
        double *x = check_allocate(n * d, sizeof *x);
        pen_neighbor *found;
        pen_graph g;
        pen_sym S;
        assert_int_equal(
            pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "neighbors", 4, &found),
            PEN_OK);
        assert_int_equal(pen_graph_of_neighbors(o.run, n, 4, found, PEN_JOIN_UNION, &g), PEN_OK);
        pen_graph_heat_weights(&g, gamma);
        assert_int_equal(pen_sym_zero(o.run, d, &S), PEN_OK);
        assert_int_equal(pen_scatter_manifold(o.run, 0.5, &o.x, &g, &S), PEN_OK);
        for (int64_t i = 0; i < n * d; i++)
            x[i] = o.l.s.x[i] - o.x.mean[i % d];
        double *right = table_scatter(n, d, x, m);
        for (int64_t i = 0; i < d * d; i++)
            right[i] /= 2;
        check_matrix(&S, right, (double)n * largest(n * d, x) * largest(n * d, x), 1e-13,
                     "manifold");
        const pen_remark *remark = NULL;
        for (int i = 0; (remark = pen_note_at(o.run, i)) && strcmp(remark->name, "isolated") != 0;
             i++)
            ;
        CHECK(remark && remark->number == (double)isolated, "%g rows are isolated, expected %lld",
              remark ? remark->number : NAN, (long long)isolated);
        if (!bits)
            bits = check_allocate(d * d, sizeof *bits),
            memcpy(bits, S.a, (size_t)(d * d) * sizeof *bits);
        for (int64_t i = 0; i < d; i++)
            assert_memory_equal(bits + i * d, S.a + i * d, (size_t)(i + 1) * sizeof *bits);
        free(x), free(right);
        close_rows(&o);
    }
    free(distances), free(bits), free(nearest), free(there), free(heat), free(m), free(zero);
    linked rows = l;
    linked_free(&rows);
}

static void manifolds(void **state)
{
    pen_rng rng = check_rng(3308);
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        check_manifold((enum kind)kind, 30, 3, 2, &rng);
        check_manifold((enum kind)kind, 150, 4, 0.5, &rng);
        /* kernels underflow */
        check_manifold((enum kind)kind, 60, 4, kind == RANDOM ? 1e-3 : 1e-6, &rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbor_graphs), cmocka_unit_test(too_many_neighbors),
        cmocka_unit_test(mean_length),     cmocka_unit_test(contributions),
        cmocka_unit_test(spread_pairs),    cmocka_unit_test(too_many_pairs_to_spread),
        cmocka_unit_test(graph_scatters),  cmocka_unit_test(manifolds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
