/* test_graph.c - contributions to pairs combined in any order, the limit on propagated pairs, and
 * scatters of graphs with several blocks. The oracles of the methods check neighbor graphs,
 * propagated pairs, and Laplacians. */
#include "kit/opened.h"
#include "kit/pairs_fit.h"

#include "graph/edges.h"
#include "scatter/scatter.h"

/* Contributions to pairs, in any order and with either end first. */
static const struct contribution {
    int64_t ends[2];
    double weight;
    int bits;
} list[] = {
    { { 3, 25 }, 0.5, 2 },   { { 14, 3 }, 1, 2 }, { { 3, 14 }, 2, 2 },     { { 3, 12 }, -1, 2 },
    { { 3, 3 }, 9, 2 },      { { 7, 8 }, 1, 2 },  { { 8, 7 }, 3, 1 },      { { 25, 12 }, -1, 4 },
    { { 12, 25 }, -1.5, 2 }, { { 3, 9 }, 0, 2 },  { { 12, 13 }, 0.25, 2 },
};

enum { COUNT = sizeof list / sizeof *list, PAIRS = 7 };

struct turned {
    int backwards, combined;
};

static void fill_from_list(void *context, pen_edge_row *row)
{
    const struct turned *t = context;

    for (int k = 0; k < 2 * COUNT; k++) {
        const struct contribution *c = &list[(t->backwards ? 2 * COUNT - 1 - k : k) / 2];
        if (c->ends[k % 2] == row->i)
            pen_edge_add(row, c->ends[1 - k % 2], c->weight, c->bits);
    }
}

/* No edge if the union of the bits is odd. */
static int keep_even(void *context, int64_t j, int bits, double *weight)
{
    ((struct turned *)context)->combined++;
    return bits % 2 == 0;
}

/* The largest weight of each pair, in order. With many vertices the rest of a row is sorted,
 * otherwise scanned. */
TEST(contributions)
{
    static const struct {
        int64_t i, j;
        double weight;
    } right[] = { { 3, 9, 0 },    { 3, 12, -1 },    { 3, 14, 2 },
                  { 3, 25, 0.5 }, { 12, 13, 0.25 }, { 12, 25, -1 } };
    for (int way = 0; way < 4; way++) {
        const int64_t n = way / 2 ? 400 : 26;
        struct turned t = { way % 2, 0 };
        const pen_edge_rule rule = { fill_from_list, keep_even, &t };
        int64_t found;
        pen_graph g;
        pen_run *run = check_run(1, NULL);
        for (int64_t most = 0; most <= PAIRS; most++) {
            CHECK_CALL(pen_edges_count(run, n, &rule, most, &found));
            assert_true(most < PAIRS ? found > most && found <= PAIRS : found == PAIRS);
        }
        assert_int_equal(t.combined, 0);
        CHECK_CALL(pen_edges_build(run, n, &rule, PAIRS, &g));
        assert_true(t.combined == PAIRS && g.n == n && g.edges == COUNT_OF(right) && !g.distance2);
        for (int64_t e = 0; e < g.edges; e++)
            CHECK(g.first[right[e].i] <= e && e < g.first[right[e].i + 1]
                      && g.other[e] == right[e].j && g.weight[e] == right[e].weight,
                  "edge %lld is to %lld, of weight %g", (long long)e, (long long)g.other[e],
                  g.weight[e]);
        pen_run_close(run);
    }
}

/* At most 2 pairs and 60 neighbors; 16 pairs for each pair, some equal or between neighbors. */
TEST(too_many_pairs_to_propagate)
{
    static const struct {
        const char *text, *phrase; /* NULL: not too many */
    } cases[] = {
        { "clpp neighbors=3 max_pairs=1",
          "at least 2 pairs would have a weight, more than max_pairs, 1" },
        { "clpp neighbors=3 max_pairs=40", "more than max_pairs, 40" },
        { "clpp neighbors=3 max_pairs=60 propagate_pairs=false", NULL },
        { "clpp neighbors=3 max_pairs=94", NULL },
    };
    pen_rng rng = check_rng(3306);
    linked l = linked_random(&rng, 20, 2, 2, 0, 0);
    linked_add(&l, PEN_MUST_LINK, 0, 1);
    linked_add(&l, PEN_CANNOT_LINK, 2, 3);
    const pen_data data = linked_data(&l);
    for (int64_t c = 0; c < COUNT_OF(cases); c++)
        if (cases[c].phrase)
            CHECK_FIT_FAILS(cases[c].text, &data, PEN_BAD_DATA, cases[c].phrase);
        else
            fit_data(cases[c].text, &data);
}

/* Sum over edges of weight (x_i - x_j)(x_i - x_j)', or sum of a_i x_i x_i' - sum over edges of
 * weight (x_i x_j' + x_j x_i'), for centered rows. */
static double *literal_scatter(const sample *s, const pen_graph *g, const double *diagonal)
{
    const int64_t n = s->n, d = s->d;
    double *x = check_allocate(n * d, sizeof *x), *S = check_allocate(d * d, sizeof *S),
           *mean = check_allocate(d, sizeof *mean);

    for (int64_t i = 0; i < n * d; i++)
        mean[i % d] += s->x[i] / (double)n;
    for (int64_t i = 0; i < n * d; i++)
        x[i] = s->x[i] - mean[i % d];
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; diagonal && c < d * d; c++)
            S[c] += diagonal[i] * x[i * d + c / d] * x[i * d + c % d];
    for (int64_t i = 0; g && i < n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            const double *a = x + i * d, *b = x + g->other[e] * d;
            for (int64_t c = 0; c < d * d; c++)
                S[c] += g->weight[e]
                        * (diagonal ? -(a[c / d] * b[c % d] + b[c / d] * a[c % d])
                                    : (a[c / d] - b[c / d]) * (a[c % d] - b[c % d]));
        }
    return S;
}

/* 5 I + weight times the scatter; way 0: of edges, 1: with its own diagonal, 2: of the diagonal
 * alone. */
static void check_scatter(opened *o, const sample *s, const pen_graph *g, const double *diagonal,
                          int way, double *out)
{
    const int64_t d = s->d;
    const pen_graph *of = way == 2 ? NULL : g;
    const double *own = way == 0 ? NULL : diagonal, weight = way == 1 ? -0.75 : 2;
    double *right = literal_scatter(s, of, own), most = (double)(s->n + g->edges);
    pen_sym S;

    for (int64_t i = 0; i < d * d; i++) {
        right[i] = weight * right[i] + (i / d == i % d ? 5 : 0);
        most = fmax(most, fabs(right[i]));
    }
    CHECK_CALL(pen_sym_zero(o->run, d, &S));
    pen_sym_add_identity(5, &S); /* scatters add to the existing matrix */
    CHECK_CALL(pen_scatter_graph(o->run, 0, &o->p.rows, of, own, &S));
    CHECK(S.a[0] == 5, "a scatter of weight 0 adds %g", S.a[0] - 5);
    CHECK_CALL(pen_scatter_graph(o->run, weight, &o->p.rows, of, own, &S));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK_CLOSE(out[i * d + j] = S.a[i * d + j], right[i * d + j], 0, 1e-11 * most);
}

static void check_scatters(pen_rng *rng, pen_dtype type, int64_t n, int64_t d, int64_t each,
                           int hub)
{
    sample s = sample_random(rng, n, d, 2, 0);
    double *found[3], *diagonal = check_allocate(n, sizeof *diagonal);
    const uint64_t seed = pen_rng_next(rng);

    sample_to_bytes(&s);
    for (int64_t i = 0; i < n; i++)
        diagonal[i] = i % 3 == 0 ? 0 : check_normal(rng);
    for (int t = 0; t < 3; t++) {
        pen_data data = { .x = recast(&s, type, 0) };
        pen_rng same = { seed };
        opened o;
        open_rows(&data, t == 0 ? 1 : 3 * t - 1, &o);
        const pen_graph g = random_graph(o.run, &same, n, each, hub);
        found[t] = check_allocate(3 * d * d, sizeof *found[t]);
        for (int way = 0; way < 3; way++)
            check_scatter(&o, &s, &g, diagonal, way, found[t] + way * d * d);
        assert_memory_equal(found[0], found[t], (size_t)(3 * d * d) * sizeof *found[t]);
        pen_run_close(o.run);
    }
}

/* No edges, few, many; several blocks of 2048 rows and chunks of 64 edges per vertex. */
TEST(graph_scatters)
{
    pen_rng rng = check_rng(3307);
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        check_scatters(&rng, (pen_dtype)type, 2, 1, 1, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 3, 0, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 5, 12, 0);
        check_scatters(&rng, (pen_dtype)type, 100, 40, 3, 1);
        check_scatters(&rng, (pen_dtype)type, 4500, 4, 2, 1);
    }
}
