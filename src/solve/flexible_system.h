/* flexible_system.h - products of rows and labels for a flexible embedding, by a sparse system. */
#ifndef PEN_FLEXIBLE_SYSTEM_H
#define PEN_FLEXIBLE_SYSTEM_H

#include "graph/graph.h"
#include "solve/flexible.h"

/* Sets up the problem of solve/flexible.h for rows x in the coordinates of `span`, and their
 * classes. alpha 0: does not read the graph. Conjugate gradients apply M^-1 to a few columns at a
 * time; notes "cg_iterations". Cost: rank + classes right-hand sides of about sqrt(1 + alpha
 * degree) products with the graph, 4 n d (rank + classes) flops; memory: 40 MB, or 64 columns of n
 * rows if that is more. */
pen_status pen_scatter_flexible(pen_run *run, double alpha, const pen_view *x,
                                const pen_graph *graph, const pen_span *span, pen_flexible *out);

#endif
