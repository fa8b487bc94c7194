/* flexible_system.h - the products of rows and labels that a flexible embedding needs, by a sparse
 * system. */
#ifndef PEN_FLEXIBLE_SYSTEM_H
#define PEN_FLEXIBLE_SYSTEM_H

#include "graph/graph.h"
#include "solve/flexible.h"

/* The problem of solve/flexible.h for rows x in the coordinates of `span`, and their classes. alpha
 * 0: the graph is not read. M^-1 is applied by conjugate gradients to a few columns at a time;
 * notes "cg_iterations". Cost: rank + classes right-hand sides of about sqrt(1 + alpha degree)
 * products with the graph, 4 n d (rank + classes) flops; memory: 40 MB, or 64 columns of n rows
 * where that is more. */
pen_status pen_scatter_flexible(pen_run *run, double alpha, const pen_view *x,
                                const pen_graph *graph, const pen_span *span, pen_flexible *out);

#endif
