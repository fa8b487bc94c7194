/* graph_set.c - graphs as matrices that outlive the run. */
#include "graph/graph_set.h"

#include "core/matrix_set.h"

#include <math.h>
#include <string.h>

pen_status pen_graphs_add(pen_run *run, const char *name, const pen_graph *graph)
{
    pen_kept_matrix to;
    pen_csr_sym both;

    if (!pen_run_collected(run))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_graph_csr(run, graph, -1, &both));
    PEN_TRY(pen_run_keep_matrix(run, name, graph->n, both.first[graph->n], &to));
    memcpy(to.starts, both.first, (size_t)(graph->n + 1) * sizeof *to.starts);
    memcpy(to.columns, both.other, (size_t)both.first[graph->n] * sizeof *to.columns);
    memcpy(to.values, both.weight, (size_t)both.first[graph->n] * sizeof *to.values);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_graphs_add_lists(pen_run *run, const char *name, int64_t n, int64_t k,
                                const pen_neighbor *nearest, const double *weight)
{
    pen_kept_matrix to;
    int64_t entries = 0;

    if (!pen_run_collected(run))
        return PEN_OK;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && nearest[i * k + c].row >= 0; c++)
            entries++;
    PEN_TRY(pen_run_keep_matrix(run, name, n, entries, &to));
    for (int64_t i = 0, e = 0; i < n; i++) {
        for (int64_t c = i * k; c < (i + 1) * k && nearest[c].row >= 0; c++, e++) {
            to.columns[e] = nearest[c].row;
            to.values[e] = weight ? weight[c] : sqrt(nearest[c].distance2);
        }
        to.starts[i + 1] = e;
    }
    return PEN_OK;
}
