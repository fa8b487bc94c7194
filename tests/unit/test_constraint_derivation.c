/* test_constraint_derivation.c - cannot-links derived from must-links: the four cases of Figure 2
 * of Tong and Suzuki, printed sets, and literal rules on contradictory groups. The sodrpac oracle
 * checks other rows. */
#include "kit/oracle_fit.h"
#include "kit/graph_golden.h"
#include "kit/opened.h"

#include "graph/constraint_derivation.h"
#include "graph/edges.h"
#include "scatter/scatter.h"

/* The result of pen_derive_constraints. `near` is a 0-1 table, or NULL for mutual three-nearest
 * neighbors. */
struct made {
    pen_status status;
    pen_error err;
    double *reliability; /* [n x n], -1: no cannot-link */
    int64_t pairs, by_rule[4], conflicts;
};

struct table {
    const int *there; /* [n x n] */
    int64_t n;
};

static void fill_row(void *context, pen_edge_row *row)
{
    const struct table *t = context;

    for (int64_t j = 0; j < t->n; j++)
        if (t->there[row->i * t->n + j])
            pen_edge_add(row, j, 1, 1);
}

static int keep_edge(void *context, int64_t j, int bits, double *weight)
{
    return bits;
}

static pen_graph graph_of_table(pen_run *run, const pen_view *x, const int *table)
{
    struct table t = { table, x->n };
    const pen_edge_rule rule = { fill_row, keep_edge, &t };
    int64_t pairs;
    pen_graph g;

    CHECK_CALL(pen_edges_count(run, x->n, &rule, INT64_MAX, &pairs));
    CHECK_CALL(pen_edges_build(run, x->n, &rule, pairs, &g));
    CHECK_CALL(PEN_NEW(run, g.distance2, g.edges));
    for (int64_t i = 0; i < g.n; i++)
        for (int64_t e = g.first[i]; e < g.first[i + 1]; e++)
            g.distance2[e] = pen_rows_distance2(x, i, g.other[e]);
    return g;
}

static void take(pen_run *run, const pen_derived *derived, struct made *out)
{
    static const char *const names[] = { "derived_by_a", "derived_by_b", "derived_by_c",
                                         "derived_by_d" };
    const pen_graph *g = &derived->cannot;

    out->reliability = check_allocate(g->n * g->n, sizeof *out->reliability);
    for (int64_t i = 0; i < g->n * g->n; i++)
        out->reliability[i] = -1;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            CHECK(g->other[e] > (e > g->first[i] ? g->other[e - 1] : i),
                  "the cannot-links are not in order");
            out->reliability[i * g->n + g->other[e]] = out->reliability[g->other[e] * g->n + i] =
                g->weight[e];
        }
    out->pairs = g->edges;
    out->conflicts = derived->conflicts;
    memcpy(out->by_rule, derived->by_rule, sizeof out->by_rule);
    for (int rule = 0; rule < 4; rule++)
        assert_true(note_of(run, names[rule]) == (double)derived->by_rule[rule]);
    assert_true(note_of(run, "conflicts") == (double)derived->conflicts);
    assert_true(note_of(run, "cannot_links_transformed") == (double)g->edges);
}

static struct made transform(const pen_data *given, const int *near, pen_derivation_rules rules)
{
    pen_data data = *given;
    /* contradictions are intended here */
    const pen_pair_params how = { PEN_CONTRADICTIONS_DROP, .checked = 1 };
    struct made out = { .pairs = 0 };
    pen_pair_set pairs;
    pen_derived derived;
    pen_graph graph, other;
    pen_view x;

    pen_run *const run = check_run(0, &out.err);
    CHECK_CALL(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x));
    CHECK_CALL(pen_pairs_open(run, &data, &how, 0, &x, PEN_ORDER_MUST_LINKS, &pairs));
    if (near)
        graph = graph_of_table(run, &x, near);
    else
        CHECK_CALL(pen_graph_shared_and_nearest(run, &(pen_problem){ .rows = x, .pairs = &pairs },
                                                "snn_neighbors", 3, &graph, "neighbors", 1,
                                                &other));
    out.status = pen_derive_constraints(run, &(pen_problem){ .rows = x, .pairs = &pairs }, &graph,
                                        &rules, &derived);
    if (out.status == PEN_OK)
        take(run, &derived, &out);
    pen_run_close(run);
    return out;
}

enum { LETTERS = 8 };

/* Rows a to h on a line, at 0, 1, 3, 7, 15, 31, 63, 127. Pairs are written in letters: must "ae
 * dc", cannot "ad", near "ab", right "ad:1 de:t". */
static void check_letters(const char *must, const char *cannot, const char *near, const char *right,
                          int64_t conflicts, int only)
{
    const double gamma = 5, theta = exp(-1.0 / 5);
    linked l = { .s = sample_new(LETTERS, 1) };
    int table[LETTERS * LETTERS] = { 0 };
    double expected_reliability[LETTERS * LETTERS];
    int64_t pairs = 0;

    for (int i = 0; i < LETTERS; i++)
        l.s.x[i] = ldexp(1, i) - 1;
    for (const char *p = must; *p; p += 2 + (p[2] == ' '))
        linked_add(&l, PEN_MUST_LINK, p[0] - 'a', p[1] - 'a');
    for (const char *p = cannot; *p; p += 2 + (p[2] == ' '))
        linked_add(&l, PEN_CANNOT_LINK, p[0] - 'a', p[1] - 'a');
    for (const char *p = near; *p; p += 2 + (p[2] == ' '))
        table[(p[0] - 'a') * LETTERS + p[1] - 'a'] = table[(p[1] - 'a') * LETTERS + p[0] - 'a'] = 1;
    for (int i = 0; i < LETTERS * LETTERS; i++)
        expected_reliability[i] = -1;
    for (const char *p = right; *p; p += 4 + (p[4] == ' ')) {
        const int i = p[0] - 'a', j = p[1] - 'a';
        expected_reliability[i * LETTERS + j] = expected_reliability[j * LETTERS + i] =
            p[3] == '1' ? 1 : theta;
        pairs++;
    }
    const pen_data data = linked_data(&l);
    struct made made = transform(&data, table, (pen_derivation_rules){ gamma, only, 1000 });
    CHECK(made.status == PEN_OK && made.pairs == pairs && made.conflicts == conflicts,
          "must %s cannot %s near %s: %lld pairs, %lld conflicts", must, cannot, near,
          (long long)made.pairs, (long long)made.conflicts);
    for (int i = 0; i < LETTERS * LETTERS; i++)
        CHECK(fabs(made.reliability[i] - expected_reliability[i]) <= 1e-15,
              "must %s cannot %s near %s: %c%c has reliability %.17g, expected %g", must, cannot,
              near, 'a' + i / LETTERS, 'a' + i % LETTERS, made.reliability[i],
              expected_reliability[i]);
}

TEST(letters)
{
    static const struct {
        const char *must, *cannot, *near, *right;
        int64_t conflicts;
        int only;
    } cases[] = {
        /* the figure, also with swapped ends */
        { "ae", "ad", "", "ad:1 de:1", 0, 0 },
        { "ae dc", "ad", "", "ad:1 de:1 ac:1 ce:1", 0, 0 },
        { "ae", "bd", "ab", "bd:1 ad:t de:t", 0, 0 },
        { "ae dc", "bd", "ab", "bd:1 bc:1 ad:t de:t ac:t ce:t", 0, 0 },
        { "ea", "da", "", "ad:1 de:1", 0, 0 },
        { "cd ea", "db", "ba", "bd:1 bc:1 ad:t de:t ac:t ce:t", 0, 0 },
        /* A derived pair is never a premise; nothing is derived without must-links, without
         * cannot-links, or from near pairs alone. */
        { "ae eg", "ad", "", "ad:1 de:1", 0, 0 },
        { "ae", "bd", "ab fd ef", "bd:1 ad:t de:t", 0, 0 },
        { "ae dc", "", "ab ac", "", 0, 0 },
        { "", "ad bd", "ab", "ad:1 bd:1", 0, 0 },
        { "", "", "ab", "", 0, 0 },
        { "ae fg", "bd", "", "bd:1", 0, 0 },
        /* A pair gets the largest reliability of its derivations; given pairs keep 1. */
        { "ae", "bd ad", "ab", "bd:1 ad:1 de:1", 0, 0 },
        { "ae", "bd de", "ab", "bd:1 de:1 ad:1", 0, 0 },
        /* A must-link is never derived as a cannot-link; it counts as one conflict, whichever rule
         * derives it. */
        { "ae ed", "ad", "", "ad:1", 2, 0 },
        { "ae ed", "bd", "ab", "bd:1 be:1 ad:t", 1, 0 },
        /* derive=unlinked: rows without a cannot-link of their own */
        { "ae", "bd ag", "ab", "bd:1 ag:1 eg:1 ad:t de:t", 0, 0 },
        { "ae", "bd ag", "ab", "bd:1 ag:1 eg:1", 0, 1 },
        { "ae", "bd eg", "ab", "bd:1 eg:1 ag:1 ad:t de:t", 0, 1 },
    };
    for (int64_t c = 0; c < COUNT_OF(cases); c++)
        check_letters(cases[c].must, cases[c].cannot, cases[c].near, cases[c].right,
                      cases[c].conflicts, cases[c].only);
}

static int letters_of(const char *text)
{
    int rules = 0;
    for (; *text && *text != ' '; text++)
        rules |= *text == 'o' ? ORACLE_GIVEN : 1 << (*text - 'a');
    return rules;
}

/* Pairs "i-j:reliability:letters" against the oracle with its letters, and against the library with
 * its count for each letter. */
static void check_printed(const sodrpac_case *c)
{
    const graph_set *g = graph_set_named(c->set);
    const pen_data data = graph_set_data(g);
    const int only = strstr(c->text, "derive=unlinked") != NULL;
    graph_oracle *right = graph_oracle_fit(c->text, &data);
    struct made made = transform(&data, NULL, (pen_derivation_rules){ c->gamma, only, 10000 });
    int64_t pairs = 0, by_rule[4] = { 0 };

    CHECK_CALL(made.status);
    CHECK_CLOSE(right->gamma, c->gamma, 1e-9, 0);
    for (const char *p = c->derived; *p; pairs++) {
        char *end;
        const int64_t i = strtoll(p, &end, 10), j = strtoll(end + 1, &end, 10);
        const double reliability = strtod(end + 1, &end);
        const int rules = letters_of(end + 1);
        CHECK_CLOSE(made.reliability[i * g->n + j], reliability, 0, 1e-9);
        CHECK_CLOSE(right->derived.reliability[i * g->n + j], reliability, 0, 1e-9);
        CHECK(right->derived.rules[i * g->n + j] == rules,
              "%s: {%d, %d} is derived by %d, expected %d", c->text, (int)i, (int)j,
              right->derived.rules[i * g->n + j], rules);
        for (int rule = 0; rule < 4; rule++)
            by_rule[rule] += rules >> rule & 1;
        p = strchr(end, ' ') ? strchr(end, ' ') + 1 : "";
    }
    CHECK(made.pairs == pairs && right->derived.pairs == pairs, "%s: %lld pairs, expected %lld",
          c->text, (long long)made.pairs, (long long)pairs);
    assert_memory_equal(made.by_rule, by_rule, sizeof by_rule);
}

TEST(printed)
{
    const sodrpac_case *c;
    int64_t count = 0;
    for (; (c = sodrpac_case_at(count)); count++)
        check_printed(c);
    CHECK(count == 4, "%lld cases", (long long)count);
}

static void check_literal(const pen_data *data, const int *near, double gamma, int only)
{
    const int64_t n = data->x.rows;
    pen_status status;
    int *pairs = pair_table((pair_rules){ 1, 0, 1 }, data, &status, NULL, NULL);
    double *distances = table_distances(n, data->x.cols, data->x.values);
    transformed right = transform_literally(n, pairs, NULL, near, distances, gamma, only);
    struct made made = transform(data, near, (pen_derivation_rules){ gamma, only, 5000000 });

    CHECK(made.status == PEN_OK && made.pairs == right.pairs && made.conflicts == right.conflicts,
          "status %d, %lld pairs, expected %lld; %lld conflicts, expected %lld", (int)made.status,
          (long long)made.pairs, (long long)right.pairs, (long long)made.conflicts,
          (long long)right.conflicts);
    assert_memory_equal(made.by_rule, right.by_rule, sizeof right.by_rule);
    for (int64_t i = 0; i < n * n; i++) {
        const double found = made.reliability[i];
        CHECK(fabs(found - right.reliability[i]) <= 1e-15,
              "{%d, %d} has reliability %.17g, expected %.17g", (int)(i / n), (int)(i % n), found,
              right.reliability[i]);
        CHECK(pairs[i] != -1 || found == 1, "a given cannot-link has reliability %g", found);
        CHECK(pairs[i] != 1 || found == -1, "a must-link is a cannot-link of reliability %g",
              found);
    }
}

/* Random near pairs: none, few, many, or all. */
static int *chance_table(pen_rng *rng, int64_t n, double share)
{
    int *table = check_allocate(n * n, sizeof *table);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            table[i * n + j] = table[j * n + i] = pen_rng_uniform(rng) < share;
    return table;
}

/* Must-links within groups of 1 to 7 rows (all, or all but a few), some between groups, and
 * cannot-links anywhere else: most derived pairs contradict each other. */
static linked grouped_pairs(pen_rng *rng, int64_t n, double missing, double bridges, double enemies)
{
    linked l = linked_random(rng, n, 2, 3, 0, 0);
    int64_t *group = check_allocate(n, sizeof *group);

    for (int64_t i = 1, left = pen_rng_below(rng, 7); i < n; i++, left--) {
        group[i] = group[i - 1] + (left <= 0);
        left = left <= 0 ? 1 + pen_rng_below(rng, 7) : left;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const double chance = pen_rng_uniform(rng);
            if (group[i] == group[j] ? chance >= missing : chance < bridges)
                linked_add(&l, PEN_MUST_LINK, j, i);
            else if (chance > 1 - enemies)
                linked_add(&l, PEN_CANNOT_LINK, i, j);
        }
    return l;
}

TEST(cliques)
{
    static const double few[] = { 0, 0.03, 0.15 }, shares[] = { 0, 0.1, 0.5 };
    pen_rng rng = check_rng(3405);
    for (int repeat = 0; repeat < check_repeats(2); repeat++)
        for (int way = 0; way < 81; way++) {
            const int64_t n = 6 + pen_rng_below(&rng, 18);
            linked l =
                grouped_pairs(&rng, n, few[way % 3], few[way / 3 % 3], 2 * few[way / 9 % 3] + 0.02);
            const pen_data data = linked_data(&l);
            int *near = chance_table(&rng, n, shares[way / 27]);
            for (int only = 0; only < 2; only++)
                /* 1e-3: kernels underflow, but the pairs remain */
                check_literal(&data, near, way % 2 ? 3 : 1e-3, only);
        }
}

/* The limit applies to the number of given and derived pairs, not to repeated derivations. */
static void check_limit(const linked *l, const int *near, int64_t must_count)
{
    const pen_data data = linked_data(l);
    struct made made = transform(&data, near, (pen_derivation_rules){ 1, 0, 1000000 });

    CHECK_CALL(made.status);
    const int64_t pairs = made.pairs + must_count;
    made = transform(&data, near, (pen_derivation_rules){ 1, 0, pairs });
    CHECK_CALL(made.status);
    for (int64_t most = pairs - 1; most > 0; most /= 2) {
        made = transform(&data, near, (pen_derivation_rules){ 1, 0, most });
        assert_int_equal(made.status, PEN_BAD_DATA);
        CHECK(strstr(made.err.message, "more than max_pairs"), "%s", made.err.message);
    }
}

TEST(too_many)
{
    enum { N = 30 };
    pen_rng rng = check_rng(3404);
    linked l = linked_random(&rng, N, 2, 2, 0, 0), star = linked_copy(&l);
    int near[N * N];
    for (int64_t i = 1; i < N / 2; i++) {
        linked_add(&star, PEN_MUST_LINK, 0, i);
        linked_add(&star, PEN_MUST_LINK, N - 1, N - 1 - i);
    }
    linked_add(&star, PEN_CANNOT_LINK, 0, N - 1);
    for (int share = 0; share < 2; share++) { /* no rows are near each other, or all are */
        for (int i = 0; i < N * N; i++)
            near[i] = share && i / N != i % N;
        check_limit(&star, near, N - 2);
    }
    linked_label(&rng, &l, N);
    const pen_data data = linked_data(&l);
    struct made made = transform(&data, NULL, (pen_derivation_rules){ 1, 0, 434 });
    assert_int_equal(made.status, PEN_BAD_DATA);
    CHECK_MESSAGE(
        &made.err,
        "435 pairs are more than max_pairs, 434; set max_pairs, or sample the pairs of labels");
    made = transform(&data, NULL, (pen_derivation_rules){ 1, 0, 435 });
    CHECK_CALL(made.status);
    assert_int_equal(made.pairs, 225); /* labels already imply every pair */
}
