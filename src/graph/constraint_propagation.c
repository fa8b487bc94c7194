/* constraint_propagation.c - the sources of an edge, in ascending priority: neighbors, pairs near a
 * must-link or a cannot-link, given pairs. */
#include "graph/constraint_propagation.h"

enum { NEAR_MUST = 1, NEAR_CANNOT = 2, MUST = 4, CANNOT = 8, NEIGHBORS = 16 };

struct spread {
    pen_contributions *list;
    int64_t k;
    const pen_neighbor *found;
    int spread; /* to the neighborhoods, too */
};

static int64_t member(const struct spread *s, int64_t i, int64_t place)
{
    return place == 0 ? i : s->found[i * s->k + place - 1].row;
}

static void record_pair(struct spread *s, int64_t i, int64_t j, int must)
{
    pen_contributions_add(s->list, i, j, 0, must ? MUST : CANNOT);
    for (int64_t u = 0; s->spread && u <= s->k; u++)
        for (int64_t v = 0; v <= s->k; v++)
            pen_contributions_add(s->list, member(s, i, u), member(s, j, v), 0,
                                  must ? NEAR_MUST : NEAR_CANNOT);
}

static void record_must(void *context, int64_t i, int64_t j)
{
    record_pair(context, i, j, 1);
}

static void record_cannot(void *context, int64_t i, int64_t j)
{
    record_pair(context, i, j, 0);
}

static int combine(void *context, const pen_contribution *list, int64_t count, double *weight)
{
    int bits = 0;

    (void)context;
    for (int64_t k = 0; k < count; k++)
        bits |= list[k].bits;
    if (bits & (MUST | CANNOT))
        *weight = bits & MUST ? 1 : -1;
    else if ((bits & (NEAR_MUST | NEAR_CANNOT)) == NEAR_MUST
             || (bits & (NEAR_MUST | NEAR_CANNOT)) == NEAR_CANNOT)
        *weight = bits & NEAR_MUST ? 1 : -1;
    else
        *weight = list[count - 1].weight; /* the weight of the neighbors, 0 for non-neighbors */
    return *weight != 0;
}

pen_status pen_propagate_constraints(pen_run *run, const pen_rows *x, const pen_graph *neighbors,
                                     int64_t k, const pen_neighbor *found, int spread, int64_t most,
                                     pen_graph *out)
{
    const double pairs = (double)x->pairs->must_count + (double)x->pairs->cannot_count;
    const double room =
        pairs * (1 + (spread ? (double)(k + 1) * (double)(k + 1) : 0)) + (double)neighbors->edges;
    pen_contributions list;
    int64_t *others;

    PEN_REQUIRE(run, room <= (double)most, PEN_BAD_DATA,
                "%.0f pairs would be spread to their neighborhoods, more than max_pairs, %lld; "
                "set max_pairs, propagate false, or take fewer pairs",
                room, (long long)most);
    PEN_TRY(pen_contributions_new(run, x->n, (int64_t)room, &list));
    PEN_TRY(PEN_NEW(run, others, x->pairs->must.n));
    struct spread s = { &list, k, found, spread };
    for (int64_t i = 0; i < neighbors->n; i++)
        for (int64_t e = neighbors->first[i]; e < neighbors->first[i + 1]; e++)
            pen_contributions_add(&list, i, neighbors->other[e], neighbors->weight[e], NEIGHBORS);
    pen_pairs_each(x, 1, others, record_must, &s);
    pen_pairs_each(x, 0, others, record_cannot, &s);
    return pen_contributions_combine(run, &list, combine, NULL, out);
}

pen_status pen_graph_constraints(pen_run *run, const pen_rows *x, int64_t k, double given,
                                 int spread, int64_t most, pen_graph *out)
{
    pen_neighbor *nearest;
    pen_graph neighbors;

    PEN_TRY(pen_graph_neighbors(run, x, "neighbors", k, &nearest));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, k, nearest, PEN_JOIN_UNION, &neighbors));
    const double heat = given > 0 ? given : pen_graph_mean_distance2(&neighbors);
    PEN_REQUIRE(run, heat > 0, PEN_BAD_DATA, "heat auto: all neighbors are equal rows; set heat");
    pen_graph_heat_weights(&neighbors, heat);
    PEN_TRY(pen_propagate_constraints(run, x, &neighbors, k, nearest, spread, most, out));
    PEN_REQUIRE(run, out->edges > 0, PEN_BAD_DATA,
                "heat %g is so small that no row has a neighbor with a weight above 0, and there "
                "are no pairs",
                heat);
    pen_note(run, "heat", heat);
    return PEN_OK;
}
