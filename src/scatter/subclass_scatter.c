/* subclass_scatter.c - the scatters of SODRPaC. */
#include "graph/graph_set.h"
#include "scatter/scatter.h"

/* The factor of a sum over pairs whose weights sum to `weight`. */
static double factor(const pen_subclass_rules *p, double weight)
{
    return weight <= 0 ? 0 : p->pair_terms == PEN_SUBCLASS_SUM ? 1 : 1 / weight;
}

pen_status pen_scatter_subclasses(pen_run *run, const pen_problem *problem,
                                  const pen_subclass_rules *p, pen_sym *A)
{
    const pen_view *const x = &problem->rows;
    const double n = p->pair_terms == PEN_SUBCLASS_BALANCED ? (double)x->n : 1;
    pen_derivation_rules rules = { .only_if_no_enemy = p->derive, .most = p->max_pairs };
    pen_graph near, manifold;
    pen_derived derived;

    PEN_TRY(pen_graph_width(run, x, p->gamma, &rules.gamma));
    PEN_TRY(pen_graph_shared_and_nearest(run, problem, "snn_neighbors", p->snn_neighbors, &near,
                                         "manifold_neighbors", p->manifold_neighbors, &manifold));
    PEN_TRY(pen_derive_constraints(run, problem, &near, &rules, &derived));
    pen_graph_heat_weights(&manifold, rules.gamma);
    PEN_TRY(pen_graphs_add(run, "manifold", &manifold));
    PEN_TRY(pen_graphs_add(run, "shared_neighbors", &near));
    PEN_TRY(pen_graphs_add(run, "cannot_links", &derived.cannot));
    pen_note(run, "gamma", rules.gamma);
    pen_note(run, "shared_neighbor_pairs", (double)near.edges);
    PEN_TRY(pen_scatter_graph(run, factor(p, derived.mass), x, &derived.cannot, NULL, A));
    PEN_TRY(pen_scatter_graph(run, -factor(p, (double)near.edges), x, &near, NULL, A));
    return pen_scatter_manifold(run, -p->lambda / n, x, &manifold, A);
}
