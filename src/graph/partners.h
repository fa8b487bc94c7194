/* partners.h - adjacency lists of sets of pairs. */
#ifndef PEN_PARTNERS_H
#define PEN_PARTNERS_H

#include "graph/graph.h"

/* The partners of i are to[at[i]] .. to[at[i + 1] - 1]. */
typedef struct pen_partners {
    int64_t *at, *to;
    double *distance2; /* for each of `to`, or NULL */
    double *weight;    /* for each of `to`, the weight of its pair; NULL: all 1 */
} pen_partners;

static inline int64_t pen_partners_count(const pen_partners *p, int64_t i)
{
    return p->at[i + 1] - p->at[i];
}

static inline double pen_partners_weight(const pen_partners *p, int64_t k)
{
    return p->weight ? p->weight[k] : 1;
}

/* The must-links or the cannot-links of a problem, including those implied by labels, in scratch
 * memory. Memory: 16 bytes for each pair, 32 with weights. */
pen_status pen_partners_of_pairs(pen_run *run, const pen_problem *problem, int must,
                                 pen_partners *out);

/* The neighbors in a graph, with their squared distances. Memory: 32 bytes for each edge. */
pen_status pen_partners_of_graph(pen_run *run, const pen_graph *graph, pen_partners *out);

#endif
