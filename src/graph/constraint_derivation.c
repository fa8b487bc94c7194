/* constraint_derivation.c - derived pairs are counted, then recorded, then combined. */
#include "graph/constraint_derivation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_A = 1, RULE_B = 2, RULE_C = 4, RULE_D = 8, MUST = 16, CANNOT = 32 };
enum { REPORT = 1 << 18 }; /* derivations between progress reports */

/* ---- adjacency lists ---- */

/* Adjacency lists of a set of pairs: the partners of i are to[at[i]] .. to[at[i + 1] - 1]. */
struct partners {
    int64_t *at, *to;
    double *distance2; /* or NULL */
};

static pen_status partners_new(pen_run *run, int64_t n, int64_t pairs, struct partners *out)
{
    PEN_TRY(PEN_NEW(run, out->at, n + 2));
    PEN_TRY(PEN_NEW(run, out->to, pen_times(2, pairs)));
    memset(out->at, 0, (size_t)(n + 2) * sizeof *out->at);
    out->distance2 = NULL;
    return PEN_OK;
}

/* Called for every pair: partners_count in a first pass, then, after partners_begin, partners_place
 * in a second one. at[i + 1] is where the next partner of i goes. */
static void partners_count(void *context, int64_t i, int64_t j)
{
    struct partners *const p = context;

    p->at[i + 2]++;
    p->at[j + 2]++;
}

static void partners_begin(struct partners *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        p->at[i + 2] += p->at[i + 1];
}

static void partners_place(void *context, int64_t i, int64_t j)
{
    struct partners *const p = context;

    p->to[p->at[i + 1]++] = j;
    p->to[p->at[j + 1]++] = i;
}

static int64_t partner_count(const struct partners *p, int64_t i)
{
    return p->at[i + 1] - p->at[i];
}

static pen_status partners_of_pairs(pen_run *run, const pen_rows *x, int must, struct partners *out)
{
    int64_t *others;

    PEN_TRY(partners_new(run, x->n, must ? x->pairs->must_count : x->pairs->cannot_count, out));
    PEN_TRY(PEN_NEW(run, others, x->pairs->must.n));
    pen_pairs_each(x, must, others, partners_count, out);
    partners_begin(out, x->n);
    pen_pairs_each(x, must, others, partners_place, out);
    return PEN_OK;
}

static pen_status partners_of_graph(pen_run *run, const pen_graph *graph, struct partners *out)
{
    PEN_TRY(partners_new(run, graph->n, graph->edges, out));
    PEN_TRY(PEN_NEW(run, out->distance2, pen_times(2, graph->edges)));
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            partners_count(out, i, graph->other[e]);
    partners_begin(out, graph->n);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            out->distance2[out->at[i + 1]] = out->distance2[out->at[graph->other[e] + 1]] =
                graph->distance2[e];
            partners_place(out, i, graph->other[e]);
        }
    return PEN_OK;
}

/* ---- the rules ---- */

struct rules {
    const pen_derivation_rules *rules;
    struct partners must, cannot, near;
    pen_contributions *contributions; /* NULL: count only */
    double count, reported;
};

static void record(struct rules *r, int64_t i, int64_t j, double reliability, int rule)
{
    r->count++;
    if (r->contributions)
        pen_contributions_add(r->contributions, i, j, reliability, rule);
}

/* Applies rules a and b, or c and d, to the must-link {a, e} and the cannot-links of row b: a
 * itself, or a neighbor of a. */
static void derive(struct rules *r, int64_t a, int64_t e, int64_t b, double reliability)
{
    const int direct = a == b;

    for (int64_t k = r->cannot.at[b]; k < r->cannot.at[b + 1]; k++) {
        const int64_t d = r->cannot.to[k];
        if (d == e || d == a)
            continue;
        record(r, d, e, reliability, direct ? RULE_A : RULE_C);
        if (!direct)
            record(r, a, d, reliability, RULE_C);
        for (int64_t f = r->must.at[d]; f < r->must.at[d + 1]; f++) {
            const int64_t c = r->must.to[f];
            if (c == e)
                continue;
            record(r, a, c, reliability, direct ? RULE_B : RULE_D);
            record(r, e, c, reliability, direct ? RULE_B : RULE_D);
        }
    }
}

static pen_status apply_rules(pen_run *run, struct rules *r, int64_t n)
{
    r->reported = 0;
    for (int64_t a = 0; a < n; a++)
        for (int64_t f = r->must.at[a]; f < r->must.at[a + 1]; f++) {
            const int64_t e = r->must.to[f];
            PEN_TRY(pen_poll(run));
            if (r->count - r->reported >= REPORT) {
                r->reported = r->count;
                PEN_TRY(pen_progress(run, "derived pairs", a, n));
            }
            derive(r, a, e, a, 1);
            if (r->rules->only_if_no_enemy && partner_count(&r->cannot, a) > 0)
                continue;
            for (int64_t k = r->near.at[a]; k < r->near.at[a + 1]; k++)
                derive(r, a, e, r->near.to[k], exp(-r->near.distance2[k] / r->rules->gamma));
        }
    return PEN_OK;
}

/* Records the given pairs too, so that they take part in the combination. */
static void record_given(struct rules *r, const struct partners *given, int64_t n, int bit)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = given->at[i]; k < given->at[i + 1]; k++)
            if (i < given->to[k])
                record(r, i, given->to[k], 1, bit);
}

static pen_status record_all(pen_run *run, struct rules *r, int64_t n)
{
    r->count = 0;
    PEN_TRY(apply_rules(run, r, n));
    record_given(r, &r->cannot, n, CANNOT);
    record_given(r, &r->must, n, MUST);
    return PEN_OK;
}

static int combine(void *context, const pen_contribution *contributions, int64_t count,
                   double *weight)
{
    pen_derived *const out = context;
    int bits = 0;

    for (int64_t k = 0; k < count; k++)
        bits |= contributions[k].bits;
    *weight = contributions[count - 1].weight; /* the largest */
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

pen_status pen_derive_constraints(pen_run *run, const pen_rows *x, const pen_graph *near,
                                  const pen_derivation_rules *rules, pen_derived *out)
{
    struct rules r = { .rules = rules };
    pen_contributions contributions;
    pen_graph cannot;

    *out = (pen_derived){ .conflicts = 0 };
    PEN_REQUIRE(run, x->pairs->must_count + x->pairs->cannot_count <= rules->most, PEN_BAD_DATA,
                "%lld pairs are more than max_pairs, %lld; set max_pairs, or sample the "
                "pairs of labels",
                (long long)(x->pairs->must_count + x->pairs->cannot_count), (long long)rules->most);
    PEN_TRY(partners_of_pairs(run, x, 1, &r.must));
    PEN_TRY(partners_of_pairs(run, x, 0, &r.cannot));
    PEN_TRY(partners_of_graph(run, near, &r.near));
    PEN_TRY(record_all(run, &r, x->n));
    PEN_REQUIRE(
        run, r.count <= (double)rules->most, PEN_BAD_DATA,
        "%.0f cannot-links would be derived, more than max_pairs, %lld: rows are in too many pairs",
        r.count, (long long)rules->most);
    PEN_TRY(pen_contributions_new(run, x->n, (int64_t)r.count, &contributions));
    r.contributions = &contributions;
    PEN_TRY(record_all(run, &r, x->n));
    PEN_TRY(pen_contributions_combine(run, &contributions, combine, out, &cannot));
    out->cannot = cannot;
    note(run, out);
    return PEN_OK;
}
