/* affinity_graph.c - the union of nearest-neighbor lists, and the width of the heat kernel. */
#include "graph/affinity_graph.h"

#include "graph/graph_set.h"

const char *const pen_edge_weight_names[] = { "binary", "heat", NULL };

pen_status pen_graph_affinities_of(pen_run *run, const pen_rows *x, const pen_affinity_rules *rules,
                                   pen_neighbor **nearest, pen_graph *out)
{
    const int64_t k = rules->neighbors;
    double mean = 0;

    PEN_TRY(pen_graph_neighbors(run, x, "neighbors", k, nearest));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, k, *nearest, PEN_JOIN_UNION, out));
    if (rules->weights == PEN_EDGES_BINARY)
        return pen_graphs_add(run, "affinities", out);
    for (int64_t i = 0; i < x->n * k; i++)
        mean += (*nearest)[i].distance2 / (double)(x->n * k);
    const double heat = rules->heat > 0 ? rules->heat : mean;
    PEN_REQUIRE(run, heat > 0, PEN_BAD_DATA, "heat auto: all neighbors are equal rows; set heat");
    pen_graph_heat_weights(out, heat);
    pen_note(run, "heat", heat);
    return pen_graphs_add(run, "affinities", out);
}

pen_status pen_graph_affinities(pen_run *run, const pen_rows *x, const pen_affinity_rules *rules,
                                pen_graph *out)
{
    pen_neighbor *nearest;

    return pen_graph_affinities_of(run, x, rules, &nearest, out);
}
