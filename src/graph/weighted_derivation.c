/* weighted_derivation.c - constraint derivation from pairs with weights, by trying every premise:
 * row i is a, e, d or c of the rules in constraint_derivation.h. */
#include "graph/weighted_derivation.h"

#include <math.h>

/* Do the cannot-links of neighbors spread to row a? */
static int spreads(const pen_premises *p, int64_t a)
{
    return !p->only_if_no_enemy || pen_partners_count(&p->cannot, a) == 0;
}

/* Of neighbor number k. */
static double reliability(const pen_premises *p, int64_t k)
{
    return exp(-p->near.distance2[k] / p->gamma);
}

/* ---- row i is a or e ---- */

/* The pairs of row->i, which is a or e, with d and c. `weight` is that of {a, e}, times the
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

/* The pairs of row->i with a and e. `weight` is that of {b, d}, times the reliability, and for row
 * i = c times that of {d, c}. */
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

void pen_derivation_fill_weighted(void *context, pen_edge_row *row)
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
