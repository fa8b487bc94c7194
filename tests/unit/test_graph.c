/* test_graph.c - contributions to pairs combined in any order, the limit of the pairs that are
 * propagated, and scatters of graphs at sizes with several blocks. The oracles of the methods check
 * neighbor graphs, propagated pairs, and Laplacians. */
#include "kit/pairs_fit.h"

#include "graph/edges.h"
#include "scatter/scatter.h"

/* ---- contributions ---- */

enum { VERTICES = 23 };

/* Contributions to pairs of n vertices. */
struct list {
    int64_t n, count;
    int64_t *ends;    /* [2 count] */
    int64_t *order;   /* [count] */
    int turned;       /* the second end comes first */
    double *weight;   /* [count] */
    int *bits;        /* [count] */
    int64_t combined; /* the number of pairs combined */
};

static void fill_from_list(void *context, pen_edge_row *row)
{
    const struct list *l = context;

    for (int64_t k = 0; k < l->count; k++)
        for (int end = 0; end < 2; end++) {
            const int64_t e = l->order[k], own = 2 * e + (end ^ l->turned);
            if (l->ends[own] == row->i)
                pen_edge_add(row, l->ends[own ^ 1], l->weight[e], l->bits[e]);
        }
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

/* The edges are exactly the entries of `right` that are numbers, in order. */
static void check_edges(const pen_graph *g, const double *right)
{
    int64_t edges = 0;

    CHECK(g->first[0] == 0 && g->first[g->n] == g->edges, "edges %lld to %lld of %lld",
          (long long)g->first[0], (long long)g->first[g->n], (long long)g->edges);
    for (int64_t i = 0; i < g->n; i++) {
        for (int64_t j = i + 1; j < g->n; j++)
            edges += !isnan(right[i * g->n + j]);
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++)
            CHECK(g->other[e] > (e > g->first[i] ? g->other[e - 1] : i)
                      && g->weight[e] == right[i * g->n + g->other[e]],
                  "edge %lld is {%lld, %lld} of weight %g", (long long)e, (long long)i,
                  (long long)g->other[e], g->weight[e]);
    }
    assert_int_equal(g->edges, edges);
}

static void check_list(struct list *l, int64_t pairs, const double *right)
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
    check_edges(&g, right);
    pen_run_close(run);
}

/* Random contributions; *pairs and right [n x n]: what they come to. */
static struct list random_list(pen_rng *rng, int64_t n, int64_t count, int64_t *pairs,
                               double *right)
{
    struct list l = { .n = n, .count = count };
    int *bits = check_allocate(n * n, sizeof *bits);

    l.ends = check_allocate(2 * count, sizeof *l.ends);
    l.order = check_allocate(count, sizeof *l.order);
    l.weight = check_allocate(count, sizeof *l.weight);
    l.bits = check_allocate(count, sizeof *l.bits);
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = l.ends[2 * k] = pen_rng_below(rng, n),
                      j = l.ends[2 * k + 1] = pen_rng_below(rng, n),
                      at = pen_min(i, j) * n + pen_max(i, j);
        l.weight[k] = (double)pen_rng_below(rng, 7) / 4 - 1;
        l.bits[k] = pen_rng_below(rng, 6) == 0 ? 3 : 2;
        if (i == j)
            continue;
        right[at] = bits[at] == 0 ? l.weight[k] : fmax(right[at], l.weight[k]);
        *pairs += bits[at] == 0;
        bits[at] |= l.bits[k];
    }
    for (int64_t at = 0; at < n * n; at++)
        right[at] = bits[at] != 0 && bits[at] % 2 == 0 ? right[at] : (double)NAN;
    free(bits);
    return l;
}

static void contributions(void **state)
{
    pen_rng rng = check_rng(3304);
    (void)state;
    for (int64_t count = 0; count < 2000; count = 2 * count + 1) {
        /* with many vertices most rows have few pairs, which are sorted and not found by a scan */
        const int64_t n = count % 3 == 0 ? 10 * VERTICES : VERTICES;
        double *right = check_allocate(n * n, sizeof *right);
        int64_t pairs = 0;
        struct list l = random_list(&rng, n, count, &pairs, right);
        for (int turn = 0; turn < 3; turn++) {
            l.turned = turn % 2;
            pen_rng_permutation(&rng, count, l.order);
            check_list(&l, pairs, right);
        }
        free(l.ends), free(l.order), free(l.weight), free(l.bits), free(right);
    }
}

/* At most 2 pairs and 60 neighbors; 16 pairs for each pair, some of them equal or neighbors. */
static void too_many_pairs_to_propagate(void **state)
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
    (void)state;
    linked_add(&l, PEN_MUST_LINK, 0, 1);
    linked_add(&l, PEN_CANNOT_LINK, 2, 3);
    const pen_data data = linked_data(&l);
    for (int64_t c = 0; c < COUNT_OF(cases); c++)
        if (cases[c].phrase)
            CHECK_FIT_FAILS(cases[c].text, &data, PEN_BAD_DATA, cases[c].phrase);
        else
            pen_model_free(fit_data(cases[c].text, &data));
}

/* ---- scatters ---- */

/* About `each` random edges of every row to later ones, some with negative weights; a hub is joined
 * to all later ones. */
static pen_graph random_graph(pen_run *run, pen_rng *rng, int64_t n, int64_t each, int hub)
{
    pen_graph g = { .n = n };

    assert_int_equal(PEN_NEW(run, g.first, n + 1), PEN_OK);
    assert_int_equal(PEN_NEW2(run, g.other, g.weight, (n + 1) * (2 * each + 1) + n), PEN_OK);
    for (int64_t i = 0; i < n; i++) {
        g.first[i] = g.edges;
        const int64_t step = hub && i == n / 5 ? 1 : each > 0 ? 1 + (n - i) / each : n;
        for (int64_t j = i + 1 + pen_rng_below(rng, step); j < n;
             j += 1 + pen_rng_below(rng, step)) {
            if (step > 1 && g.edges - g.first[i] == 2 * each)
                break;
            g.other[g.edges] = j;
            g.weight[g.edges++] = check_normal(rng);
        }
    }
    g.first[n] = g.edges;
    return g;
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
    free(x), free(mean);
    return S;
}

/* 5 I + weight times the scatter; way 0: of edges, 1: with a diagonal of its own, 2: of that
 * alone. */
static void check_scatter(pen_run *run, const sample *s, const pen_rows *x, const pen_graph *g,
                          const double *diagonal, int way, double *out)
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
    assert_int_equal(pen_sym_zero(run, d, &S), PEN_OK);
    pen_sym_add_identity(5, &S); /* scatters add to the existing matrix */
    assert_int_equal(pen_scatter_graph(run, 0, x, of, own, &S), PEN_OK);
    CHECK(S.a[0] == 5, "a scatter of weight 0 adds %g", S.a[0] - 5);
    assert_int_equal(pen_scatter_graph(run, weight, x, of, own, &S), PEN_OK);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK_CLOSE(out[i * d + j] = S.a[i * d + j], right[i * d + j], 0, 1e-11 * most);
    free(right);
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
        const pen_control control = { .threads = t == 0 ? 1 : 3 * t - 1 };
        pen_data data = { .x = recast(&s, type, 0) };
        pen_rng same = { seed };
        pen_rows x;
        pen_run *run;
        assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
        assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
        const pen_graph g = random_graph(run, &same, n, each, hub);
        found[t] = check_allocate(3 * d * d, sizeof *found[t]);
        for (int way = 0; way < 3; way++)
            check_scatter(run, &s, &x, &g, diagonal, way, found[t] + way * d * d);
        assert_memory_equal(found[0], found[t], (size_t)(3 * d * d) * sizeof *found[t]);
        pen_run_close(run);
        recast_free(&data.x);
    }
    free(found[0]), free(found[1]), free(found[2]), free(diagonal);
    sample_free(&s);
}

/* No edges, few, many; several blocks of 2048 rows, several chunks of 64 edges of a vertex. */
static void graph_scatters(void **state)
{
    pen_rng rng = check_rng(3307);
    (void)state;
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        check_scatters(&rng, (pen_dtype)type, 2, 1, 1, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 3, 0, 0);
        check_scatters(&rng, (pen_dtype)type, 30, 5, 12, 0);
        check_scatters(&rng, (pen_dtype)type, 100, 40, 3, 1);
        check_scatters(&rng, (pen_dtype)type, 4500, 4, 2, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contributions),
        cmocka_unit_test(too_many_pairs_to_propagate),
        cmocka_unit_test(graph_scatters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
