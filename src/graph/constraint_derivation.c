/* constraint_derivation.c - what a row a derives with a partner e hardly depends on e. So the rows
 * that a reaches by its cannot-links and those of its neighbors are gathered once, and joined to a
 * and to all its partners when the edges of a row are combined. */
#include "graph/constraint_derivation.h"
#include "graph/edges.h"
#include "graph/partners.h"

#include <math.h>

/* ---- pairs with weights: tries every premise with row i as a, e, d or c of the rules ---- */

/* The sources of a pair: a rule of constraint_derivation.h, or a given link. */
enum { RULE_A = 1, RULE_B = 2, RULE_C = 4, RULE_D = 8, MUST = 16, CANNOT = 32 };

/* The premises of the rules. */
typedef struct pen_premises {
    double gamma;
    int only_if_no_enemy;
    pen_partners must, cannot, near;
} pen_premises;

/* Do the cannot-links of neighbors spread to row a? */
static int spreads(const pen_premises *p, int64_t a)
{
    return !p->only_if_no_enemy || pen_partners_count(&p->cannot, a) == 0;
}

/* The reliability of neighbor number k. */
static double reliability(const pen_premises *p, int64_t k)
{
    return exp(-p->near.distance2[k] / p->gamma);
}

/* ---- row i is a or e ---- */

/* The pairs of row->i, which is a or e, with d and c. `weight` is the weight of {a, e} times the
 * reliability. */
static void with_far_ends(const pen_premises *p, int64_t a, int64_t e, int64_t b, double weight,
                          pen_edge_row *row)
{
    const int direct = a == b;

    for (int64_t k = p->cannot.at[b]; k < p->cannot.at[b + 1]; k++) {
        const int64_t d = p->cannot.to[k];
        const double with = weight * pen_partners_weight(&p->cannot, k);
        if (d == a || d == e)
            continue;
        if (row->i == e || !direct)
            pen_edge_add(row, d, with, direct ? RULE_A : RULE_C);
        for (int64_t f = p->must.at[d]; f < p->must.at[d + 1]; f++)
            if (p->must.to[f] != e)
                pen_edge_add(row, p->must.to[f], with * pen_partners_weight(&p->must, f),
                             direct ? RULE_B : RULE_D);
    }
}

/* The rules of the must-link {a, e}, for every b near a. */
static void from_must_link(const pen_premises *p, int64_t a, int64_t e, double weight,
                           pen_edge_row *row)
{
    with_far_ends(p, a, e, a, weight, row);
    for (int64_t k = p->near.at[a]; spreads(p, a) && k < p->near.at[a + 1]; k++)
        with_far_ends(p, a, e, p->near.to[k], weight * reliability(p, k), row);
}

/* ---- row i is d or c ---- */

/* The pairs of row->i with a and e. `weight` is the weight of {b, d} times the reliability, and for
 * row i = c also times that of {d, c}. */
static void with_near_ends(const pen_premises *p, int64_t b, int64_t a, int64_t d, double weight,
                           pen_edge_row *row)
{
    const int far = row->i != d, direct = a == b;
    const int rule = far ? (direct ? RULE_B : RULE_D) : (direct ? RULE_A : RULE_C);

    for (int64_t k = p->must.at[a]; k < p->must.at[a + 1]; k++) {
        const int64_t e = p->must.to[k];
        const double with = weight * pen_partners_weight(&p->must, k);
        if (e == d || e == row->i)
            continue;
        pen_edge_add(row, e, with, rule);
        if (far || !direct)
            pen_edge_add(row, a, with, rule);
    }
}

/* The rules of all cannot-links {b, d}, for every a near b. */
static void from_cannot_links(const pen_premises *p, int64_t d, double weight, pen_edge_row *row)
{
    for (int64_t k = p->cannot.at[d]; k < p->cannot.at[d + 1]; k++) {
        const int64_t b = p->cannot.to[k];
        const double with = weight * pen_partners_weight(&p->cannot, k);
        with_near_ends(p, b, b, d, with, row);
        for (int64_t f = p->near.at[b]; f < p->near.at[b + 1]; f++)
            if (p->near.to[f] != d && spreads(p, p->near.to[f]))
                with_near_ends(p, b, p->near.to[f], d, with * reliability(p, f), row);
    }
}

/* Adds all cannot-links of row->i with later rows derived from pairs with weights, and the given
 * pairs. context: pen_premises. A pen_edge_rule.fill. Cost for all rows: must-links times l^2 k,
 * because every end of every premise may have a different weight. */
static void derive_weighted(void *context, pen_edge_row *row)
{
    const pen_premises *const p = context;
    const int64_t i = row->i;

    for (int64_t k = p->cannot.at[i]; k < p->cannot.at[i + 1]; k++)
        pen_edge_add(row, p->cannot.to[k], pen_partners_weight(&p->cannot, k), CANNOT);
    for (int64_t k = p->must.at[i]; k < p->must.at[i + 1]; k++) {
        const int64_t other = p->must.to[k];
        const double weight = pen_partners_weight(&p->must, k);
        pen_edge_add(row, other, 0, MUST);
        from_must_link(p, i, other, weight, row);
        from_must_link(p, other, i, weight, row);
        from_cannot_links(p, other, weight, row);
    }
    from_cannot_links(p, i, 1, row);
}

enum {
    REPORT = 1 << 18, /* must-links between progress reports */
    CLIQUE = 4,       /* rows: smaller cliques are gathered row by row */
    PASSES = 3        /* after this number of passes over a clique nothing is new */
};

static const uint32_t NONE = UINT32_MAX, MANY = UINT32_MAX - 1;

/* A row that a source reaches: its pairs with the source and all partners of the source are
 * derived, with the exceptions in `derived_bits`. */
struct reached {
    double weight; /* the largest reliability */
    uint32_t row, source;
    uint32_t via;   /* the end d of the cannot-link, for rules b and d: NONE, a row, or MANY */
    uint32_t enemy; /* the row a whose cannot-link it is, for rule a: NONE, a row, or MANY */
    int bits;
};

struct derivation {
    const pen_derivation_rules *rules;
    pen_premises given;
    int64_t n;
    /* A source is a row, or a clique: rows joined by all must-links among them and no others. Its
     * first row is the leader. Other rows lead themselves. */
    int64_t *leader; /* [n] */

    /* the source being gathered */
    struct reached *now;         /* [n] by row; bits 0: not reached */
    int64_t *rows, count;        /* [count] the rows reached */
    int64_t *passes, first_pass; /* [n] by leader: passes over its clique, plus first_pass */
    int64_t work, reported;

    int64_t *at;          /* [n + 1] the list of source s is list[at[s]] .. list[at[s + 1] - 1] */
    struct reached *list; /* NULL: count only */
    int64_t *by_at, *by;  /* row i is list[by[by_at[i]]] .. list[by[by_at[i + 1] - 1]] */

    pen_derived *out;
};

/* ---- cliques ---- */

/* Is every partner of i marked with `mark`? */
static int within(const struct derivation *r, int64_t i, const int64_t *marks, int64_t mark)
{
    for (int64_t k = r->given.must.at[i]; k < r->given.must.at[i + 1]; k++)
        if (marks[r->given.must.to[k]] != mark)
            return 0;
    return 1;
}

/* Is i the first row of a clique? marks [n]: not i anywhere. */
static int leads(const struct derivation *r, int64_t i, int64_t *marks)
{
    const int64_t partners = pen_partners_count(&r->given.must, i),
                  *to = r->given.must.to + r->given.must.at[i];

    if (partners < CLIQUE - 1)
        return 0;
    marks[i] = i;
    for (int64_t k = 0; k < partners; k++) {
        if (to[k] < i || pen_partners_count(&r->given.must, to[k]) != partners)
            return 0;
        marks[to[k]] = i;
    }
    for (int64_t k = 0; k < partners; k++)
        if (!within(r, to[k], marks, i))
            return 0;
    return 1;
}

static pen_status find_leaders(pen_run *run, struct derivation *r)
{
    PEN_TRY(PEN_NEW(run, r->leader, r->n));
    const pen_mark_t mark = pen_mark(run);
    int64_t *marks;

    PEN_TRY(PEN_NEW(run, marks, r->n));
    for (int64_t i = 0; i < r->n; i++) {
        r->leader[i] = i;
        marks[i] = -1;
    }
    for (int64_t i = 0; i < r->n; i++)
        if (r->leader[i] == i && leads(r, i, marks))
            for (int64_t k = r->given.must.at[i]; k < r->given.must.at[i + 1]; k++)
                r->leader[r->given.must.to[k]] = i;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the rules ---- */

static struct reached *reach(struct derivation *r, int64_t row, double reliability, int rule)
{
    struct reached *const to = r->now + row;

    if (to->bits == 0) {
        r->rows[r->count++] = row;
        *to = (struct reached){ reliability, (uint32_t)row, 0, NONE, NONE, 0 };
    }
    if (reliability > to->weight)
        to->weight = reliability;
    to->bits |= rule;
    return to;
}

static uint32_t one_or_many(uint32_t known, int64_t row)
{
    return known == NONE || known == row ? (uint32_t)row : MANY;
}

/* Three rows of a clique reach everything that its rows reach through each other. */
static int passed(struct derivation *r, int64_t d)
{
    int64_t *const passes = r->passes + r->leader[d];

    *passes = pen_max(*passes, r->first_pass);
    return (*passes)++ >= r->first_pass + PASSES;
}

/* Applies rules a and b, or c and d, to the must-links of a and the cannot-links of row b: a
 * itself, or a neighbor of a. A cannot-link with the partner e is not a premise. For all e at once
 * this is known only if there is just one. */
static void gather(struct derivation *r, int64_t a, int64_t b, double reliability)
{
    const int direct = a == b;
    const int64_t only =
        pen_partners_count(&r->given.must, a) == 1 ? r->given.must.to[r->given.must.at[a]] : a;

    r->first_pass += r->n; /* there are fewer passes than rows */
    for (int64_t k = r->given.cannot.at[b]; k < r->given.cannot.at[b + 1]; k++) {
        const int64_t d = r->given.cannot.to[k];
        if (d == a || d == only)
            continue;
        struct reached *const end = reach(r, d, reliability, direct ? RULE_A : RULE_C);
        end->enemy = direct ? one_or_many(end->enemy, a) : end->enemy;
        if (passed(r, d))
            continue;
        for (int64_t f = r->given.must.at[d]; f < r->given.must.at[d + 1]; f++) {
            struct reached *const far =
                reach(r, r->given.must.to[f], reliability, direct ? RULE_B : RULE_D);
            far->via = one_or_many(far->via, d);
        }
        r->work += pen_partners_count(&r->given.must, d);
    }
    r->work += pen_partners_count(&r->given.cannot, b);
}

static pen_status gather_row(pen_run *run, struct derivation *r, int64_t a)
{
    gather(r, a, a, 1);
    if (!r->rules->only_if_no_enemy || pen_partners_count(&r->given.cannot, a) == 0)
        for (int64_t k = r->given.near.at[a]; k < r->given.near.at[a + 1]; k++)
            gather(r, a, r->given.near.to[k], exp(-r->given.near.distance2[k] / r->rules->gamma));
    if (r->work - r->reported < REPORT)
        return PEN_OK;
    r->reported = r->work;
    return pen_progress(run, "derived pairs", a, r->n);
}

/* Gathers what source s reaches, and moves it to the list. */
static pen_status gather_source(pen_run *run, struct derivation *r, int64_t s)
{
    PEN_TRY(gather_row(run, r, s));
    for (int64_t k = r->given.must.at[s]; k < r->given.must.at[s + 1]; k++)
        if (r->leader[r->given.must.to[k]] == s)
            PEN_TRY(gather_row(run, r, r->given.must.to[k]));
    for (int64_t k = 0; k < r->count; k++) {
        struct reached *const one = r->now + r->rows[k];
        one->source = (uint32_t)s;
        if (r->list)
            r->list[r->at[s] + k] = *one;
        one->bits = 0;
    }
    r->at[s + 1] += r->count;
    r->count = 0;
    return PEN_OK;
}

static pen_status check_count(pen_run *run, int64_t pairs, int64_t most)
{
    PEN_REQUIRE(run, pairs <= most, PEN_BAD_DATA,
                "at least %lld pairs are given or derived, more than max_pairs, %lld: rows are in "
                "too many pairs",
                (long long)pairs, (long long)most);
    return PEN_OK;
}

/* Gathers all sources. Each row that a source reaches, other than itself, makes at least one pair,
 * and a pair is found at most twice, from each of its rows. */
static pen_status gather_all(pen_run *run, struct derivation *r)
{
    r->at[0] = 0;
    for (int64_t s = 0; s < r->n; s++) {
        r->at[s + 1] = r->at[s];
        if (r->leader[s] == s && pen_partners_count(&r->given.must, s) > 0)
            PEN_TRY(gather_source(run, r, s));
        PEN_TRY(check_count(run, (r->at[s + 1] - s) / 2, r->rules->most));
    }
    return PEN_OK;
}

/* Sorts the places in the list by the row reached. */
static pen_status index_rows(pen_run *run, struct derivation *r)
{
    const int64_t n = r->n, count = r->at[n];

    PEN_TRY(PEN_FILLED(run, r->by_at, n + 2, 0));
    PEN_TRY(PEN_NEW(run, r->by, count));
    for (int64_t k = 0; k < count; k++)
        r->by_at[r->list[k].row + 2]++;
    for (int64_t i = 2; i <= n + 1; i++)
        r->by_at[i] += r->by_at[i - 1];
    for (int64_t k = 0; k < count; k++)
        r->by[r->by_at[r->list[k].row + 1]++] = k;
    return PEN_OK;
}

static pen_status gather_lists(pen_run *run, struct derivation *r)
{
    PEN_TRY(PEN_NEW(run, r->at, r->n + 1));
    PEN_TRY(PEN_FILLED(run, r->now, r->n, 0));
    PEN_TRY(PEN_NEW(run, r->rows, r->n));
    PEN_TRY(PEN_FILLED(run, r->passes, r->n, 0));
    PEN_TRY(gather_all(run, r));
    PEN_TRY(PEN_NEW(run, r->list, r->at[r->n]));
    PEN_TRY(gather_all(run, r));
    return index_rows(run, r);
}

/* ---- edges ---- */

/* The pair of a source with a row that it reaches has a premise {source, e}, where e is neither
 * that row nor the end of the cannot-link. With three partners such an e always exists. */
static int bits_of_source(const struct derivation *r, const struct reached *to)
{
    const int64_t s = to->source, partners = pen_partners_count(&r->given.must, s),
                  *e = r->given.must.to + r->given.must.at[s];

    if (partners > 2 || (e[0] != to->row && e[partners - 1] != to->row))
        return to->bits;
    if (partners == 1)
        return 0;
    return e[e[0] == to->row] == to->via ? to->bits & ~(RULE_B | RULE_D) : to->bits;
}

/* The rules that derive the pair of row j, of the source or its partner, with a row reached. A
 * cannot-link of j is a premise of other rows only. */
static int derived_bits(const struct derivation *r, const struct reached *to, int64_t j)
{
    int bits = j == to->source ? bits_of_source(r, to) : to->bits;

    if (to->enemy == j)
        bits &= ~RULE_A;
    if (to->via == j)
        bits &= ~(RULE_B | RULE_D);
    return bits;
}

static void add_given(const pen_partners *given, int bit, pen_edge_row *row)
{
    for (int64_t k = given->at[row->i]; k < given->at[row->i + 1]; k++)
        pen_edge_add(row, given->to[k], 1, bit);
}

/* Adds the pairs of the row with everything that source s reaches. */
static void add_reached_by(const struct derivation *r, int64_t s, pen_edge_row *row)
{
    for (int64_t k = r->at[s]; k < r->at[s + 1]; k++) {
        const int bits = derived_bits(r, r->list + k, row->i);
        if (bits)
            pen_edge_add(row, r->list[k].row, r->list[k].weight, bits);
    }
}

static void add_reaching(const struct derivation *r, const struct reached *to, int64_t j,
                         pen_edge_row *row)
{
    const int bits = derived_bits(r, to, j);

    if (bits)
        pen_edge_add(row, j, to->weight, bits);
}

static void fill(void *context, pen_edge_row *row)
{
    const struct derivation *const r = context;
    const int64_t i = row->i, own = r->leader[i];

    add_given(&r->given.cannot, CANNOT, row);
    add_given(&r->given.must, MUST, row);
    add_reached_by(r, own, row);
    for (int64_t k = r->given.must.at[i]; k < r->given.must.at[i + 1]; k++)
        if (r->leader[r->given.must.to[k]] != own)
            add_reached_by(r, r->leader[r->given.must.to[k]], row);
    for (int64_t k = r->by_at[i]; k < r->by_at[i + 1]; k++) {
        const struct reached *const to = r->list + r->by[k];
        add_reaching(r, to, to->source, row);
        for (int64_t f = r->given.must.at[to->source]; f < r->given.must.at[to->source + 1]; f++)
            add_reaching(r, to, r->given.must.to[f], row);
    }
}

static void fill_weighted(void *context, pen_edge_row *row)
{
    derive_weighted(&((struct derivation *)context)->given, row);
}

static int combine(void *context, int64_t j, int bits, double *weight)
{
    pen_derived *const out = ((struct derivation *)context)->out;

    (void)j;
    (void)weight; /* it is already the largest */
    if (bits & MUST) {
        out->conflicts += bits != MUST;
        return 0;
    }
    for (int rule = 0; rule < 4; rule++)
        out->by_rule[rule] += bits >> rule & 1;
    return 1;
}

static void note(pen_run *run, const pen_derived *derived)
{
    static const char *const rules[] = { "derived_by_a", "derived_by_b", "derived_by_c",
                                         "derived_by_d" };

    pen_note(run, "cannot_links_transformed", (double)derived->cannot.edges);
    for (int rule = 0; rule < 4; rule++)
        pen_note(run, rules[rule], (double)derived->by_rule[rule]);
    pen_note(run, "conflicts", (double)derived->conflicts);
}

static double sum_of_weights(const pen_graph *graph)
{
    double sum = 0;
    for (int64_t e = 0; e < graph->edges; e++)
        sum += graph->weight[e];
    return sum;
}

/* Derives the same pairs as if all weights were 1. */
static pen_status find_mass(pen_run *run, const pen_problem *problem, const pen_graph *near,
                            const pen_derivation_rules *rules, pen_derived *out)
{
    const pen_mark_t mark = pen_mark(run);
    pen_pair_set pairs = *problem->pairs;
    pen_problem given = *problem;
    pen_derived plain;

    pairs.weighted = 0;
    given.pairs = &pairs;
    PEN_TRY(pen_derive_constraints(run, &given, near, rules, &plain));
    out->mass *= sum_of_weights(&out->cannot) / sum_of_weights(&plain.cannot);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_derive_constraints(pen_run *run, const pen_problem *problem, const pen_graph *near,
                                  const pen_derivation_rules *rules, pen_derived *out)
{
    const pen_view *const x = &problem->rows;
    struct derivation r = { .rules = rules,
                            .given = { rules->gamma, rules->only_if_no_enemy, .must.at = NULL },
                            .n = x->n,
                            .out = out };
    const int weighted = problem->pairs->weighted;
    const pen_edge_rule edges = { weighted ? fill_weighted : fill, combine, &r };
    int64_t pairs;

    *out = (pen_derived){ .conflicts = 0 };
    PEN_REQUIRE(run, problem->pairs->must_count + problem->pairs->cannot_count <= rules->most,
                PEN_BAD_DATA,
                "%lld pairs are more than max_pairs, %lld; set max_pairs, or sample the "
                "pairs of labels",
                (long long)(problem->pairs->must_count + problem->pairs->cannot_count),
                (long long)rules->most);
    PEN_REQUIRE(run, x->n < MANY, PEN_BAD_DATA, "rows must be fewer than %lld, got %lld",
                (long long)MANY, (long long)x->n);
    PEN_TRY(pen_partners_of_pairs(run, problem, 1, &r.given.must));
    PEN_TRY(pen_partners_of_pairs(run, problem, 0, &r.given.cannot));
    PEN_TRY(pen_partners_of_graph(run, near, &r.given.near));
    if (!weighted) {
        PEN_TRY(find_leaders(run, &r));
        PEN_TRY(gather_lists(run, &r));
    }
    PEN_TRY(pen_edges_count(run, r.n, &edges, rules->most, &pairs));
    PEN_TRY(check_count(run, pairs, rules->most));
    PEN_TRY(pen_edges_build(run, r.n, &edges, pairs, &out->cannot));
    note(run, out);
    out->mass = (double)out->cannot.edges;
    return weighted && out->cannot.edges > 0 ? find_mass(run, problem, near, rules, out) : PEN_OK;
}
